"""Texts that travel as one arrive as they were."""

import re

from hypothesis import given
from hypothesis import strategies as st

from semiosis.store import Batch
from semiosis.store._joined import MARK, joined

texts = st.text(st.sampled_from(["a", "é", " ", "'", MARK]), max_size=4)
values = st.one_of(texts, st.integers(), st.floats(allow_nan=False), st.none(), st.booleans())


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    columns = [draw(st.sampled_from((texts, values))) for _ in range(draw(st.integers(1, 6)))]
    rows = draw(st.lists(st.tuples(*columns).map(list), min_size=1, max_size=4))
    return Batch("UNWIND $rows AS row MERGE (n:Sign {id: row[0]})", rows)


def unpacked(batch: Batch) -> list[list[object]]:
    """What a server makes of the rows, by the statement's own words."""
    found = re.search(r"WITH \[(.*)\] AS row", batch.cypher)
    if found is None:
        return batch.rows
    places = re.findall(r"(words|line)\[(\d+)\]", found[1])
    sources = [{"line": line, "words": line[0].split(MARK)} for line in batch.rows]
    return [[source[name][int(at)] for name, at in places] for source in sources]


@given(batches())
def test_rows_come_out_as_they_went_in(batch: Batch) -> None:
    packed = joined(batch)
    assert unpacked(packed) == batch.rows
    assert packed.cypher.endswith("MERGE (n:Sign {id: row[0]})")


def test_texts_travel_as_one() -> None:
    batch = joined(Batch("UNWIND $rows AS row RETURN row[2]", [["a", 1.0, "b", ""], ["c", 2.0, "", ""]]))
    assert batch.rows == [[MARK.join(("a", "b", "")), 1.0], [MARK.join(("c", "", "")), 2.0]]


def test_a_text_that_holds_the_mark_travels_by_itself() -> None:
    batch = joined(Batch("UNWIND $rows AS row RETURN row[2]", [["a", f"b{MARK}", "c"]]))
    assert batch.rows == [[MARK.join(("a", "c")), f"b{MARK}"]]
