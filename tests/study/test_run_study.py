"""`sm.run`: judges by name over a study, from Python."""

from pathlib import Path

import pytest

import semiosis as sm
from semiosis.files import STUDY_FILE
from semiosis.testing import StandIn, answers_from
from tests.small import make_study


def test_judges_run_once_and_a_second_call_has_nothing_to_do(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    with StandIn(answers_from(study.hsgs.values())) as provider:
        model = sm.Model("anthropic/claude-sonnet-5", base_url=provider.url)
        outcomes = sm.run(study, ["direct", "align"], model=model)
        assert len(outcomes) == 2 * len(study.comparisons)
        assert len(provider.calls) == 2 * len(study.comparisons)
        read_again = sm.read_study(study.folder)
        assert sm.run(read_again, ["direct", "align"], model=model) == []
        assert len(provider.calls) == 2 * len(study.comparisons)
    names = {verdict.evaluator.name for verdict in read_again.verdicts}
    assert "direct anthropic/claude-sonnet-5" in names
    assert (study.folder / ".semiosis" / "replies.sqlite").exists()


def test_a_judge_that_needs_a_model_says_so(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    with pytest.raises(sm.UsageError, match="needs a model"):
        sm.run(study)


def test_a_study_is_run_in_its_language(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    (study.folder / STUDY_FILE).write_text('name = "small"\nversion = 1\nlanguage = "de"\n')
    with StandIn(answers_from(study.hsgs.values())) as provider:
        sm.run(
            sm.read_study(study.folder), ["direct"], model=sm.Model("anthropic/claude-sonnet-5", provider.url)
        )
    assert provider.calls
    assert all("in German." in call.text for call in provider.calls)
