"""Texts that travel as one arrive as they were."""

from hypothesis import given
from hypothesis import strategies as st

from semiosis.store._joined import LINE, WORD, Joined, joined
from semiosis.store._write import Batch

texts = st.text(st.sampled_from(["a", "é", " ", "'", LINE, WORD]), max_size=4)
values = st.one_of(texts, st.integers(), st.floats(allow_nan=False), st.none(), st.booleans())
EACH = "UNWIND $rows AS row "


@st.composite
def rows(draw: st.DrawFn) -> list[list[object]]:
    columns = [draw(st.sampled_from((texts, values))) for _ in range(draw(st.integers(1, 6)))]
    return draw(st.lists(st.tuples(*columns).map(list), min_size=1, max_size=4))


def unpacked(travelled: Joined) -> list[list[object]]:
    """What a server makes of the rows, by the statement's own words."""
    if "rows" in travelled.params:
        return list(travelled.params["rows"])
    lines, columns = travelled.params["lines"].split(LINE), travelled.params["columns"]
    places = travelled.cypher.partition("SET ")[2].removesuffix(" RETURN count(*) AS n").replace("$", "")
    return [
        list(eval(f"[{places}]", {"words": line.split(WORD), "columns": columns, "at": at}))
        for at, line in enumerate(lines)
    ]


@given(rows())
def test_rows_come_out_as_they_went_in(rows: list[list[object]]) -> None:
    places = ", ".join(f"row[{place}]" for place in range(len(rows[0])))
    assert unpacked(joined(Batch(f"{EACH}SET {places}", rows))) == rows


def test_texts_travel_as_one() -> None:
    cypher, params = joined(Batch(f"{EACH}SET row[2], row[1]", [["a", 1.0, "b"], ["c", 2.0, ""]]))
    assert params == {"lines": f"a{WORD}b{LINE}c{WORD}", "columns": [[1.0, 2.0]]}
    assert "SET words[1], $columns[0][at] RETURN" in cypher


def test_a_column_that_holds_a_mark_travels_by_itself() -> None:
    for mark in (LINE, WORD):
        params = joined(Batch(f"{EACH}SET row[2]", [["a", f"b{mark}", "c"]])).params
        assert params == {"lines": f"a{WORD}c", "columns": [[f"b{mark}"]]}
