"""HSGs in files: they are found without being built, checked when they are built, and bounded in memory."""

from pathlib import Path

import pytest

from semiosis.align import aligner_of, diff
from semiosis.files import data
from semiosis.read import Reader
from semiosis.study import (
    EvaluatorOptions,
    ReadingRule,
    Study,
    _hsg_index,
    alignment_pairs,
    check_study,
    compare_study,
    find_judge,
    generator_profile,
    plan_alignments,
    plan_judging,
    plan_readings,
    read_study,
    study_status,
)
from semiosis.values import HSG, DataError
from tests.small import make_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    make_study(tmp_path / "small")
    return read_study(tmp_path / "small")


def the_file(study: Study) -> Path:
    return study.folder / "hsgs" / "made.jsonl"


def test_conditions_are_those_of_the_built_hsgs(study: Study) -> None:
    known = list(study.conditions())
    assert known == [(hsg.id, hsg.sign.id, hsg.reading) for hsg in study.hsgs.values()]
    assert len(known) == 8


def test_a_damaged_hsg_is_named_by_its_line_when_it_is_needed(study: Study) -> None:
    lines = the_file(study).read_text().splitlines(keepends=True)
    the_file(study).write_text(
        "".join([*lines[:2], lines[2].replace('"label":"lily"', '"label":"rose"'), *lines[3:]])
    )
    damaged = read_study(study.folder)
    hsg_id = list(damaged.hsgs)[2]
    with pytest.raises(DataError, match=r"made\.jsonl:3: the content does not match its id"):
        damaged.hsgs[hsg_id]
    assert any("does not match its id" in problem.what for problem in check_study(study.folder))


def test_a_line_without_an_id_is_built_at_once(study: Study) -> None:
    text = the_file(study).read_text()
    ids = list(study.hsgs)
    the_file(study).write_text("".join(text.replace(f'"id":"{hsg_id}",', "", 1) for hsg_id in ids[:1]))
    assert list(read_study(study.folder).hsgs) == ids


def test_a_record_that_changes_while_the_study_is_open_is_detected(study: Study) -> None:
    lines = the_file(study).read_text().splitlines(keepends=True)
    the_file(study).write_text("".join(reversed(lines)))
    with pytest.raises(DataError, match=r"the record has changed|not JSON"):
        list(study.hsgs.values())


def test_plans_status_and_tables_build_no_hsg(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    study = study.add(
        [diff(*pair) for pair in alignment_pairs(study, ReadingRule(interpreter="Ada"))], "aligned"
    )
    built: list[str] = []
    monkeypatch.setattr(_hsg_index, "hsg_at", lambda place: built.append(place.id))
    again = read_study(study.folder)
    judge = find_judge("align", EvaluatorOptions(study=again))
    assert len(plan_judging(again, [judge]).unjudged) == 3
    assert plan_readings(again, Reader("anthropic/m"))
    assert len(plan_alignments(again, aligner_of(), alignment_pairs(again, ReadingRule("Ada")))) == 0
    assert [state.of for state in study_status(again) if state.work == "aligned"] == [3]
    assert compare_study(again, ["Annotator A"]).rows
    assert again.language_for() == "en"
    assert built == []


def test_only_the_last_hsgs_stay_in_memory(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hsg_index, "MAX_BUILT", 3)
    again = read_study(study.folder)
    assert list(again.hsgs.values()) == list(study.hsgs.values())
    assert len(again.hsgs._latest) == 3  # type: ignore[attr-defined]  # the memory is what is tested


def test_a_profile_builds_every_hsg_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample has 24 alignments of 6 prompts, by one prompt after the other, with 6 generators."""
    built: list[str] = []
    read = _hsg_index.hsg_at
    monkeypatch.setattr(_hsg_index, "MAX_BUILT", 2)

    def count(place: _hsg_index.HSGPlace) -> HSG:
        built.append(place.id)
        return read(place)

    monkeypatch.setattr(_hsg_index, "hsg_at", count)
    assert generator_profile(read_study(data("graphs/sample"))).n == 24
    assert len(built) == len(set(built)) == 6 + 24
