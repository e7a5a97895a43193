"""The query library: its files are well-formed, and plain Python over the values gives the same answers."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from semiosis.store import EmbeddedStore, LibraryQuery, library, library_query
from semiosis.store._library import read_query
from semiosis.values import DataError, UsageError
from tests.store.made_up import MadeUp, made_up
from tests.store.oracle import ORACLES

QUERIES = library()
SEEDS = range(4)


@pytest.fixture(scope="module", params=SEEDS)
def seeded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[MadeUp, EmbeddedStore]]:
    """Several made-up studies and their stores."""
    study = made_up(request.param)
    with EmbeddedStore(tmp_path_factory.mktemp("seeded") / "study") as store:
        store.save(*study)
        yield study, store


def given(query: LibraryQuery, study: MadeUp) -> dict[str, str]:
    """A value for every required parameter."""
    cites = next(verdict.id for verdict in study.verdicts if verdict.citations)
    known = {"prompt": "vanitas", "artifact": "rain-lyric", "word": "LILY", "verdict": cites}
    return {p.name: known[p.name] for p in query.parameters if p.default is None}


def ordered_by(query: LibraryQuery) -> list[str]:
    """The columns whose order is total: every word of the last ORDER BY that names a column."""
    clause = query.cypher.rpartition("ORDER BY")[2].partition("LIMIT")[0]
    return [column for column in query.columns if re.search(rf"\b{column}\b", clause)]


def test_there_are_at_least_sixteen_queries() -> None:
    assert len(QUERIES) >= 16


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_header_of_a_query_is_complete(query: LibraryQuery) -> None:
    assert query.purpose.endswith((".", "?"))
    assert query.example.startswith(f"semiosis query {query.name}")
    assert all(parameter.about for parameter in query.parameters)
    assert len(set(query.columns)) == len(query.columns)
    needed = {parameter.name for parameter in query.parameters if parameter.default is None}
    assert needed <= set(re.findall(r"--(\w+)", query.example))


def test_the_documentation_shows_the_header_of_a_query(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "querying.md").read_text(encoding="utf-8")
    (header,) = re.findall(r"^```text\n((?://.*\n)+)", page, re.MULTILINE)
    query = QUERIES["emergent-meaning"]
    file = tmp_path / f"{query.name}.cypher"
    file.write_text(header + query.cypher, encoding="utf-8")
    assert read_query(file) == query


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_uses_exactly_the_parameters_it_declares(query: LibraryQuery) -> None:
    assert set(re.findall(r"\$(\w+)", query.cypher)) == {parameter.name for parameter in query.parameters}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_no_parameter_is_named_like_an_option_of_the_command(query: LibraryQuery) -> None:
    options = {"ids", "store", "list", "format", "json", "timeout", "limit", "write", "help", "debug"}
    assert not options & {parameter.name for parameter in query.parameters}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_uses_only_the_portable_subset(query: LibraryQuery) -> None:
    assert "ORDER BY" in query.cypher
    assert not re.search(
        r"COLLECT\s*\{|percentile|\bkeys\(|\bproperties\(|\.(title|type|name)\b|elementId|\bid\(|toString",
        query.cypher,
    )


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_alignments_of_blind_and_given_readings_are_never_pooled(query: LibraryQuery) -> None:
    if "Alignment" in query.cypher and query.name != "blind-and-given":  # which compares them
        assert {p.name: p.default for p in query.parameters}["condition"] == "blind"
        assert ".condition = $condition" in query.cypher


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_runs_with_its_columns_in_a_total_order(
    query: LibraryQuery, seeded: tuple[MadeUp, EmbeddedStore]
) -> None:
    study, store = seeded
    rows = store.query(query.cypher, query.bind(given(query, study)))
    assert rows.columns == query.columns
    assert rows.hints == ()
    if query.name != "verdict-evidence":  # also ordered by the places of a node, which are not a column
        keys = Counter(tuple(row[column] for column in ordered_by(query)) for row in rows)
        assert all(times == 1 for times in keys.values())


@pytest.mark.parametrize("name", ORACLES)
def test_a_query_gives_the_rows_that_plain_python_gives(
    name: str, seeded: tuple[MadeUp, EmbeddedStore]
) -> None:
    study, store = seeded
    answer, asked = ORACLES[name]
    expected = list(answer(study))
    rows = store.query(QUERIES[name].cypher, QUERIES[name].bind(asked))
    columns = list(expected[0]) if expected else []
    assert multiset([{column: row[column] for column in columns} for row in rows]) == multiset(expected)


def multiset(rows: list[dict[str, Any]]) -> Counter[tuple[tuple[str, Any], ...]]:
    """Rows without their order."""
    return Counter(tuple(sorted(row.items())) for row in rows)


@pytest.mark.parametrize("name", ORACLES)
def test_every_oracle_finds_something_in_some_study(name: str) -> None:
    assert any(list(ORACLES[name][0](made_up(seed))) for seed in SEEDS)


def test_the_evidence_for_a_verdict_is_its_citations(seeded: tuple[MadeUp, EmbeddedStore]) -> None:
    study, store = seeded
    query = library_query("verdict-evidence")
    for verdict in study.verdicts:
        rows = store.query(query.cypher, query.bind({"verdict": verdict.id}))
        found = {row["citation"]: (row["node"], row["stance"]) for row in rows}
        cited = [(f"{c.hsg}/{c.node}", c.stance) for c in verdict.citations]
        assert found == dict(enumerate(cited))
        places = [len(study.hsgs[c.hsg].semioses[c.node].places) for c in verdict.citations]
        assert len(rows) == sum(max(1, many) for many in places)


def test_filters_narrow_an_answer(stored: EmbeddedStore) -> None:
    query = library_query("kept-and-lost")
    everything = stored.query(query.cypher, query.bind({}))
    kept = stored.query(query.cypher, query.bind({"keeper": "lyric"}))
    assert 0 < len(kept) < len(everything)
    assert all(row["kept_by"].endswith("lyric") for row in kept)


def test_a_prompt_may_be_named_by_id_or_by_words_of_its_title(stored: EmbeddedStore, study: MadeUp) -> None:
    query = library_query("lost-intent")
    prompt = next(sign for sign in study.prompts() if sign.title == "rain")
    by_id, by_title = (
        stored.query(query.cypher, query.bind({"prompt": name})) for name in (prompt.id, "rain")
    )
    assert list(by_id) == list(by_title) != []


def test_given_readings_are_selected_by_a_parameter(stored: EmbeddedStore, study: MadeUp) -> None:
    query = library_query("lost-intent")
    rows = stored.query(query.cypher, query.bind({"prompt": "rain", "condition": "given"}))
    conditions = {alignment.id: alignment.condition for alignment in study.alignments}
    assert {conditions[row["alignment"]] for row in rows} == {"given"}


def test_limits_are_floats_and_count_rows(stored: EmbeddedStore) -> None:
    query = library_query("ground-shifts")
    assert query.bind({})["top"] == 20.0
    assert len(stored.query(query.cypher, query.bind({"top": "3"}))) == 3


def test_a_missing_parameter_is_refused_with_an_example() -> None:
    with pytest.raises(UsageError, match="needs --prompt") as caught:
        library_query("lost-intent").bind({})
    assert "semiosis query lost-intent --prompt" in str(caught.value)


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(UsageError, match="has no parameter 'artist'") as caught:
        library_query("lost-intent").bind({"prompt": "x", "artist": "y"})
    assert "--prompt, --generator, --condition" in str(caught.value)


def test_a_query_without_parameters_says_so() -> None:
    with pytest.raises(UsageError, match="no parameters"):
        LibraryQuery("all", "Every node.", ("n",), "MATCH (n) RETURN n", "semiosis query all").bind(
            {"prompt": "x"}
        )


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_every_query_can_be_restricted_to_a_study(query: LibraryQuery, stored: EmbeddedStore) -> None:
    assert (
        query.bind(dict.fromkeys((p.name for p in query.parameters if p.default is None), "x"))["study"] == ""
    )
    assert "(:Study {id: $study})" in query.cypher


def test_text_instead_of_a_number_is_refused() -> None:
    with pytest.raises(UsageError, match="--top takes a number, not 'many'"):
        library_query("most-cited").bind({"top": "many"})


@pytest.mark.parametrize(
    ("name", "meant"), [("lost-intend", "did you mean 'lost-intent'"), ("xyzzy", "semiosis query --list")]
)
def test_an_unknown_name_suggests_a_similar_one(name: str, meant: str) -> None:
    with pytest.raises(UsageError, match=f"the library has no query '{name}'") as caught:
        library_query(name)
    assert meant in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "RETURN 1 AS one",
        "// purpose: to fail\n// example: semiosis query x\nRETURN 1 AS one",
        "// purpose: x\n// columns: one\n// example: x\n// parameter: a = — b = c\nRETURN 1 AS one",
    ],
)
def test_a_file_with_an_incomplete_header_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.cypher"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=re.escape(str(file))):
        read_query(file)
