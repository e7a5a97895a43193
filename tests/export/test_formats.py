"""Exports, each read back with a library of another tool."""

import csv
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import networkx as nx
import pytest
from pyld import jsonld

from semiosis.export import EXPORT_FORMATS, TABLES, ExportFormat, export_study, web_annotations
from semiosis.export._annotations import CONTEXT
from semiosis.files import data
from semiosis.study import (
    Study,
    anonymise,
    check_study,
    new_study,
    read_study,
    read_votes,
    select_evaluators,
)
from semiosis.values import HSG, Box, Semiosis, Span, UsageError, from_json
from tests.cli.conftest import Run, run
from tests.small import make_study

pytestmark = pytest.mark.slow  # most read the exports back with other libraries

__all__ = ["run"]

FILES: tuple[ExportFormat, ...] = ("graphml", "dot", "json", "cypher", "webanno")


@pytest.fixture(scope="module")
def sample() -> Study:
    return read_study(data("graphs/sample"))


def _hostile(hsg: HSG) -> HSG:
    """Return the HSG with control characters, quotes and markup in a text of its root."""
    root: Semiosis = hsg.semioses[hsg.root].model_copy(
        update={"object": 'a "b" \\ <c> \x0b\x1b[31m\u202e; } // =1+1'}
    )
    return HSG(hsg.sign, {**hsg.semioses, hsg.root: root}, hsg.relations, hsg.reading)


def test_graphml_is_read_by_networkx(sample: Study, tmp_path: Path) -> None:
    file = tmp_path / "study.graphml"
    export_study(sample, "graphml", file)
    graph = nx.read_graphml(file)
    assert len(graph) == sum(len(hsg) for hsg in sample.hsgs.values())
    hsg = next(iter(sample.hsgs.values()))
    assert graph.nodes[f"{hsg.id}/{hsg.root}"]["object"] == hsg.semioses[hsg.root].object
    parts = [edge for *_, edge in graph.edges(data=True) if edge["relation"] != "realized_as"]
    assert len(parts) == sum(len(hsg.relations) for hsg in sample.hsgs.values())


def test_dot_is_drawn_by_graphviz(sample: Study, tmp_path: Path) -> None:
    hsg = _hostile(next(iter(sample.hsgs.values())))
    file = tmp_path / "hsg.dot"
    export_study(hsg, "dot", file)
    drawn = subprocess.run(["dot", "-Tjson", file], capture_output=True, text=True, check=True)
    objects = [one for one in json.loads(drawn.stdout)["objects"] if "cluster" not in one["name"]]
    assert {one["name"] for one in objects} == {f"{hsg.id}/{node}" for node in hsg.semioses}
    assert drawn.stderr == ""


def test_control_characters_never_make_a_file_unreadable(sample: Study, tmp_path: Path) -> None:
    hsg = _hostile(next(iter(sample.hsgs.values())))
    file = tmp_path / "hsg.graphml"
    export_study(hsg, "graphml", file)
    assert "⟨U+000B⟩" in nx.read_graphml(file).nodes[f"{hsg.id}/{hsg.root}"]["object"]


def test_json_gives_back_the_same_values(sample: Study, tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    export_study(sample, "json", file)
    ids = {from_json(line).id for line in file.read_text("utf-8").splitlines()}
    kinds = (sample.signs, sample.comparisons, sample.questions, sample.hsgs, sample.alignments)
    assert ids == {id_ for kind in (*kinds, sample.observations) for id_ in kind}


def test_json_and_cypher_contain_superseded_values(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    first = study.verdicts[0]
    study = study.add([first.model_copy(update={"winner": "tie", "supersedes": first.id})], "second")
    assert first.id in study.history
    export_study(study, "json", tmp_path / "study.jsonl")
    export_study(study, "cypher", tmp_path / "study.cypher")
    again = new_study(tmp_path / "again")
    lines = (tmp_path / "study.jsonl").read_text("utf-8").splitlines()
    again.add([from_json(line) for line in lines], "again")
    assert check_study(again.folder) == []
    assert "MERGE (old)-[:WAS_ON]->(x)" in (tmp_path / "study.cypher").read_text("utf-8")


def test_cypher_is_the_script_that_the_stores_run(tmp_path: Path) -> None:
    # tests/neo4j loads such a script into a server and compares the graphs.
    study = make_study(tmp_path / "small")
    export_study(study, "cypher", tmp_path / "small.cypher")
    script = (tmp_path / "small.cypher").read_text("utf-8")
    assert script.count("MERGE") > 10
    assert all(id_ in script for kind in (study.signs, study.hsgs, study.observations) for id_ in kind)


def test_web_annotations_are_expanded_by_a_json_ld_processor(sample: Study) -> None:
    hsgs = list(sample.hsgs.values())
    collection = web_annotations(hsgs)
    quads = jsonld.to_rdf(collection)["@default"]
    kinds = [quad["object"]["value"] for quad in quads if quad["predicate"]["value"].endswith("#type")]
    expected = sum(len(hsg) + len(hsg.relations) for hsg in hsgs)
    assert kinds.count("http://www.w3.org/ns/oa#Annotation") == expected == collection["total"]


def test_every_key_of_an_annotation_is_a_term_of_the_context(sample: Study) -> None:
    # A JSON-LD processor drops unknown keys silently.
    def keys(node: Any) -> set[str]:
        if isinstance(node, list):
            return {key for item in node for key in keys(item)}
        if not isinstance(node, dict):
            return set()
        return set(node) | {key for value in node.values() for key in keys(value)}

    collection = web_annotations(sample.hsgs.values())
    assert keys({k: v for k, v in collection.items() if k != "@context"}) <= set(CONTEXT)


def test_places_become_selectors(sample: Study) -> None:
    for hsg in sample.hsgs.values():
        by_id = {item["id"]: item for item in web_annotations([hsg])["items"]}
        for node, semiosis in hsg.semioses.items():
            targets = by_id[f"urn:semiosis:hsg:{hsg.id}:{node}"]["target"]
            for place, target in zip(semiosis.places, targets, strict=False):
                _check_selector(place, target["selector"])


def _check_selector(place: Span | Box, selector: dict[str, Any]) -> None:
    if isinstance(place, Span):
        assert (selector["start"], selector["end"]) == (place.start, place.end)
        assert selector["refinedBy"]["exact"] == place.quote
        return
    edges = [float(edge) / 100 for edge in selector["value"].removeprefix("xywh=percent:").split(",")]
    expected = (place.x0, place.y0, place.x1 - place.x0, place.y1 - place.y0)
    assert edges == pytest.approx(expected, abs=1e-4)


def test_iiif_is_read_by_the_presentation_library(sample: Study, tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    export_study(sample, "iiif", file, base="https://example.org/study/")
    import iiif_prezi3

    manifest = iiif_prezi3.Manifest(**json.loads(file.read_text("utf-8")))
    images = [sign for sign in sample.signs.values() if sign.kind == "image"]
    assert len(manifest.items) == len(images)
    assert manifest.id == "https://example.org/study/manifest.json"
    with pytest.raises(UsageError, match="needs a web address"):
        export_study(sample, "iiif", tmp_path / "other.json")


def test_csv_has_every_row_and_runs_no_formula(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    hsg = _hostile(next(iter(study.hsgs.values())))
    study.hsgs[hsg.id] = hsg
    export_study(study, "csv", tmp_path / "tables")
    for name, table in TABLES.items():
        with (tmp_path / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == len(list(table.rows(study)))
        assert not any(cell.startswith(("=", "@", "+")) for row in rows for cell in row.values())


def test_a_superseded_verdict_is_a_row_of_history_that_nothing_pools(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    old = next(verdict for verdict in study.verdicts if verdict.winner == "a")
    study = study.add([old.model_copy(update={"winner": "b", "supersedes": old.id})], "ada")
    export_study(study, "csv", tmp_path / "tables")
    with (tmp_path / "tables" / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["comparison"] == old.comparison]
    said = [row for row in rows if row["evaluator"] == old.evaluator.name]
    assert [(row["winner"], row["history"]) for row in said] == [("b", ""), ("a", "superseded")]
    with (tmp_path / "votes.csv").open("w", encoding="utf-8", newline="") as file:
        columns = ("evaluator", "winner", "history")
        writer = csv.DictWriter(file, ["prompt", "a", "b", *columns])
        writer.writeheader()
        pair = {"prompt": "p", "a": "flux", "b": "sdxl"}
        writer.writerows({**pair, **{name: row[name] for name in columns}} for row in said)
    votes = read_votes(tmp_path / "votes.csv").votes
    assert votes.winner.tolist() == [-1]
    without = select_evaluators(study, without=[old.evaluator.name])
    assert old.id in study.history
    assert old.id not in without.history


def test_parquet_is_queried_by_duckdb(sample: Study, tmp_path: Path) -> None:
    export_study(sample, "parquet", tmp_path / "tables")
    for name, table in TABLES.items():
        files = tmp_path / "tables" / name / "*.parquet"
        found = duckdb.connect().execute(f"SELECT * FROM '{files}'")
        assert [column[0] for column in found.description or ()] == list(table.columns)
        assert len(found.fetchall()) == len(list(table.rows(sample))), name


@pytest.mark.parametrize("form", FILES)
def test_two_exports_are_the_same_bytes(form: ExportFormat, sample: Study, tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_study(sample, form, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert "@misc{semiosis" in (tmp_path / "CITATION.bib").read_text()


def test_an_export_keeps_a_citation_file_of_the_user(sample: Study, tmp_path: Path) -> None:
    (tmp_path / "CITATION.bib").write_text("@book{mine}")
    export_study(sample, "graphml", tmp_path / "study.graphml")
    assert (tmp_path / "CITATION.bib").read_text() == "@book{mine}"


def test_anonymous_exports_name_no_person_and_resolve(sample: Study, tmp_path: Path) -> None:
    people = {o.evaluator.name for o in sample.observations.values() if o.evaluator.kind == "person"}
    people |= {
        h.reading.interpreter.name for h in sample.hsgs.values() if h.reading.interpreter.kind == "person"
    }
    study = anonymise(sample)
    export_study(study, "json", tmp_path / "study.jsonl")
    written = (tmp_path / "study.jsonl").read_text("utf-8")
    assert people
    assert not any(json.dumps(name, ensure_ascii=False) in written for name in people)
    assert len(study.hsgs) == len(sample.hsgs)
    assert len(study.observations) == len(sample.observations)
    for verdict in study.verdicts:
        assert set(verdict.used) <= set(study.hsgs)
        for citation in verdict.citations:
            assert citation.node in study.hsgs[citation.hsg].semioses
    for hsg in study.hsgs.values():
        assert set(hsg.reading.given) <= set(study.hsgs)
    for alignment in study.alignments.values():
        assert {alignment.source.hsg, alignment.target.hsg} <= set(study.hsgs)


def test_the_command_exports_and_names_the_files(run: Run, tmp_path: Path) -> None:
    make_study(tmp_path / "small")
    for form in EXPORT_FORMATS:
        done = run(
            "export", form, tmp_path / "small", tmp_path / "out" / form, "--base", "https://example.org"
        )
        assert done.code == 0, done.err
        assert "14 files" in done.err if form in {"csv", "parquet"} else "8 HSGs" in done.err
    assert "is not an export format" in run("export", "gexf", tmp_path / "small", tmp_path / "x").err
    assert run("cite").out.startswith("@misc{semiosis,")
    assert run("cite").out.count("@misc{") == 5


def test_the_questions_of_the_documentation_have_answers(
    sample: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_study(sample, "parquet", tmp_path / "tables")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "exports.md").read_text("utf-8")
    questions = re.findall(r"^```sql\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert len(questions) == 5
    for question in questions:
        assert duckdb.connect().execute(question).fetchall(), question
