"""`semiosis agreement` and `semiosis consensus` on the sample study, as a user runs them."""

import csv
import io
import json
import shutil
from pathlib import Path

import networkx as nx
import pytest

from semiosis.align import diff
from semiosis.files import data
from semiosis.store import open_store
from semiosis.study import anonymise, check_study, compare_study, read_study
from semiosis.values import HSG, Unscored
from tests.cli.conftest import Run

pytestmark = pytest.mark.slow

INES, TOMAS = "Ines (synthetic reader)", "Tomas (synthetic reader)"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Return a copy of the sample study."""
    folder = tmp_path / "sample"
    shutil.copytree(
        data("graphs/sample"), folder, ignore=shutil.ignore_patterns("*.py", "painting", "readings")
    )
    return folder


def consensus_of(folder: Path) -> list[HSG]:
    return [hsg for hsg in read_study(folder).hsgs.values() if hsg.reading.interpreter.merges]


def test_agreement_states_aligner_chance_and_counts(run: Run, study: Path) -> None:
    done = run("agreement", study)
    assert done.code == 0, done.err
    assert f"Reader agreement, blind readings: {INES} and {TOMAS}" in done.out
    assert "Nodes matched by embedder wordllama" in done.out
    assert "31 of 31" in done.out
    assert "6 given readings are left out" in done.out
    assert "few prompts (7)" in done.out


def test_agreement_as_json_and_csv_and_sign_by_sign(run: Run, study: Path) -> None:
    found = json.loads(run("agreement", study, "--json").out)
    (group,) = found["groups"]
    nodes = next(measure for measure in group["measures"] if measure["name"] == "nodes")
    assert 0 < nodes["corrected"]["value"] < nodes["observed"]["value"] < 1
    assert (found["condition"], found["seed"], len(group["signs"])) == ("blind", 0, 31)
    rows = list(csv.DictReader(io.StringIO(run("agreement", study, "--format", "csv").out)))
    assert float(rows[0]["observed"]) == pytest.approx(nodes["observed"]["value"])
    signs = run("agreement", study, "--signs", "--format", "markdown").out
    assert signs.count("A vanitas in kind light") == 5
    assert "| – |" in signs  # a sign on which nothing matches


def test_agreement_needs_two_readers(run: Run, study: Path) -> None:
    done = run("agreement", study, "--reader", INES)
    assert done.code == 2
    assert "no sign has two readings that can be compared" in done.err
    assert run("agreement", study, "--given").code == 2  # one reader was shown the prompts


def test_consensus_is_recorded_once_and_superseded_when_readings_change(run: Run, study: Path) -> None:
    assert "31 consensus HSGs, 31 new" in run("consensus", study).err
    assert "31 consensus HSGs, 0 new" in run("consensus", study).err
    first = {hsg.sign.id: hsg for hsg in consensus_of(study)}
    assert len(first) == 31
    assert check_study(study) == []
    assert "31 consensus HSGs, 31 new" in run("consensus", study, "--reader", INES).err
    changed = consensus_of(study)
    assert {hsg.supersedes for hsg in changed} == {hsg.id for hsg in first.values()}
    assert {len(hsg.reading.given) for hsg in changed} == {1}
    assert check_study(study) == []


def test_a_dry_run_records_nothing(run: Run, study: Path) -> None:
    assert run("consensus", study, "--dry-run").code == 0
    assert consensus_of(study) == []


def test_a_consensus_is_aligned_judged_queried_and_exported_like_a_reading(
    run: Run, study: Path, tmp_path: Path
) -> None:
    run("consensus", study)
    judged = run("run", study, "--judge", "align", "--interpreter", "consensus")
    assert judged.code == 0, judged.err
    assert "36 comparisons judged, 0 unscored" in judged.out
    row = next(row for row in compare_study(read_study(study)).rows if "consensus" in row.judge)
    assert row.half_credit is not None
    assert not isinstance(row.half_credit.value, Unscored)
    one, other = consensus_of(study)[:2]
    assert diff(one, other).condition == "blind"
    with open_store(study) as store:
        assert store.load(one.id) == one
        cypher = (
            "MATCH (:HSG {id: $id})-[:HAS_ROOT|HAS_NODE]->(n) RETURN n.share AS share, n.sources AS sources"
        )
        rows = store.query(cypher, {"id": one.id})
        assert sorted(row["share"] for row in rows) == sorted(s.share or 0 for s in one.semioses.values())
    out = tmp_path / "sample.graphml"
    assert run("export", "graphml", study, out).code == 0
    graph = nx.read_graphml(out)
    assert {
        node: attributes["share"]
        for node, attributes in graph.nodes(data=True)
        if attributes["hsg"] == one.id
    } == {f"{one.id}/{node}": semiosis.share for node, semiosis in one.semioses.items()}


def test_the_query_names_what_only_one_reader_sees(run: Run, study: Path) -> None:
    words = ("query", "only-one-reader", "--sign", "The Annunciation, cubist", "--store", study)
    assert list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out))) == []
    run("consensus", study)
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    whole = [row for row in rows if row["sign"] == "The Annunciation, cubist"]
    assert [(row["label"], row["reader"]) for row in whole] == [
        ("angel's word", TOMAS),
        ("two figures", TOMAS),
    ]


def test_judges_run_on_readings_not_on_a_consensus_unless_asked(run: Run, study: Path) -> None:
    run("consensus", study)
    run("run", study, "--judge", "align")
    opened = read_study(study)
    used = {
        hsg.reading.interpreter.name
        for verdict in opened.verdicts
        if verdict.evaluator.name == "alignment (wordllama)"
        for hsg in map(opened.hsg, verdict.used)
        if hsg
    }
    assert used == {INES}


def test_the_table_of_judges_shows_the_same_judge_with_other_readings(run: Run, study: Path) -> None:
    for reader in (INES, TOMAS):
        run("run", study, "--judge", "align", "--interpreter", reader)
    rows = {row.judge: row for row in compare_study(read_study(study)).rows}
    ines, tomas = (rows[f"alignment (wordllama) ({reader})"] for reader in (INES, TOMAS))
    assert ines.other_readings == {TOMAS: tomas.score}
    assert tomas.other_readings == {INES: ines.score}
    assert not rows["Citing judge (synthetic)"].other_readings
    shown = run("stats", study, "--columns", "readings", "--format", "markdown").out
    assert f"with {INES}'s: 0.32" in shown.replace("\\", "")


def test_an_anonymised_study_keeps_its_consensus(run: Run, study: Path) -> None:
    run("consensus", study)
    plain, renamed = read_study(study), anonymise(read_study(study))
    merged = [hsg for hsg in renamed.hsgs.values() if hsg.reading.interpreter.merges]
    assert len(merged) == 31
    for hsg in merged:
        assert set(hsg.reading.given) <= renamed.hsgs.keys()
        for semiosis in hsg.semioses.values():
            for source in semiosis.sources:
                owner, _, node = source.partition("/")
                assert node in renamed.hsgs[owner].semioses
    assert len(plain.hsgs) == len(renamed.hsgs)
