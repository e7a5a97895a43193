"""Shares of fates and audits in `semiosis stats`, `profile` and `report`."""

import json
import re
from pathlib import Path

import pytest

from semiosis.align import StatedFate, alignment_of_fates
from semiosis.study import ReadingRule, Study, alignment_pairs, read_study, study_alignments
from semiosis.values import Evaluator
from tests.cli.conftest import Run
from tests.small import make_study

PERSON = Evaluator(kind="person", name="Mira")


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def state_fates(study: Study, pairs: int) -> None:
    """Let a person say that the root is kept and every other node is reversed, in so many pairs of Ada's."""
    chosen = alignment_pairs(study, ReadingRule(interpreter="Ada"))[:pairs]
    stated = [
        alignment_of_fates(
            source,
            target,
            [
                StatedFate(node, "kept" if node == source.root else "reversed", (target.root,))
                for node in source.semioses
            ],
            evaluator=PERSON,
            method="by hand",
        )
        for source, target in chosen
    ]
    study.add(stated, run="hand")


def test_shares_are_by_aligner_generator_and_ground(run: Run, small: Study) -> None:
    run("align", small.folder, "--interpreter", "Ada")
    state_fates(small, 3)
    shown = run("stats", small.folder, "--fates").out
    assert [f"Shares of fates by {by}" in shown for by in ("aligner", "generator", "ground")] == [True] * 3
    found = json.loads(run("stats", small.folder, "--fates", "--json").out)
    person = next(one for one in found["all"] if one["aligned_by"] == "person Mira")
    embedder = next(one for one in found["all"] if one["aligned_by"] == "embedder wordllama")
    # Three nodes in each of three pairs, one kept and two reversed: a third is matched, kept, recoverable.
    assert (person["nodes"], person["alignments"]) == (9, 3)
    assert [person[share]["value"] for share in ("matched", "kept", "recoverable")] == [1 / 3] * 3
    assert (person["changed"]["value"], person["lost"]["value"]) == (2 / 3, 0)
    assert (embedder["kept"], embedder["recoverable"], embedder["changed"]) == (None, None, None)
    assert {one["group"] for one in found["generator"]} == {"literal", "symbolist", "broken"}


@pytest.mark.slow
def test_tables_and_pages_say_whether_the_embedder_was_audited(
    run: Run, small: Study, tmp_path: Path
) -> None:
    run("align", small.folder, "--interpreter", "Ada")
    run("run", small.folder, "--judge", "align", "--interpreter", "Ada")
    tables: list[tuple[str, ...]] = [("stats", "--fates"), ("stats",), ("profile", "--aligner", "wordllama")]
    for words in tables:
        shown = " ".join(run(words[0], small.folder, *words[1:]).out.split())
        assert "wordllama compare wording and were not audited on this study" in shown
    state_fates(small, 2)
    audited = r"wordllama were audited against person Mira on 2 blind pairs \(2 short\) of 1 prompts: F1"
    for words in tables:
        assert re.search(audited, " ".join(run(words[0], small.folder, *words[1:]).out.split())), words
    run("report", small.folder, "--out", tmp_path / "report")
    pages = [file.read_text(encoding="utf-8") for file in (tmp_path / "report" / "comparisons").iterdir()]
    assert all(re.search(audited, page) for page in pages)


def test_a_sample_of_pairs_does_not_replace_the_alignments_of_all(run: Run, small: Study) -> None:
    run("align", small.folder, "--interpreter", "Ada")
    state_fates(small, 2)
    assert {found.aligned_by for found in study_alignments(read_study(small.folder))} == {
        "embedder wordllama"
    }


def test_fates_without_alignments_name_the_command(run: Run, small: Study) -> None:
    done = run("stats", small.folder, "--fates")
    assert done.code == 2
    assert "semiosis align" in done.err
