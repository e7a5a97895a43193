"""`semiosis answer STUDY`: with and without readings, resuming, missing readings, refusals, exit codes."""

import csv
from pathlib import Path

import pytest

from semiosis.study import Study, read_study
from semiosis.testing import Call, StandIn, Step, answers_from, refuses
from semiosis.values import Answer, ImageSign, Question, Unscored
from tests.cli.conftest import MODEL, Run
from tests.small import make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    """Return one question about each of three pictures."""
    study = make_study(tmp_path / "small")
    pictures = [sign.id for sign in study.signs.values() if isinstance(sign, ImageSign)]
    more = [
        Question(sign=sign, text="Is there a disc?", choices=("yes", "no"), correct=0)
        for sign in pictures[1:]
    ]
    return study.add(more, run="made")


def answers(study: Study) -> list[Answer]:
    return [answer for answer in read_study(study.folder).observations.values() if isinstance(answer, Answer)]


def test_a_rerun_asks_nothing_and_a_dry_run_writes_nothing(run: Run, small: Study, provider: StandIn) -> None:
    asked = ("answer", small.folder, *MODEL, "--base-url", provider.url)
    planned = run(*asked, "--dry-run")
    assert "a run would make about 3 calls" in planned.err
    assert (provider.calls, answers(small)) == ([], [])
    assert run(*asked, "--limit", 1).code == 0
    done = run(*asked)
    assert (done.code, done.out) == (
        0,
        "vqa anthropic/claude-sonnet-5: 2 answers given, 0 unscored\n",
    )
    assert run(*asked).code == 0
    assert len(provider.calls) == 3
    assert [answer.choice for answer in answers(small)] == [0, 0, 0]
    assert not any("Annunciation" in call.text for call in provider.calls)


def test_with_hsg_one_reader_is_chosen_for_all_and_named(run: Run, small: Study, provider: StandIn) -> None:
    asked = ("answer", small.folder, *MODEL, "--base-url", provider.url, "--hsg")
    assert run(*asked, "--interpreter", "Ada").code == 0
    assert run(*asked, "--interpreter", "Bo").code == 0
    recorded = answers(small)
    assert len(recorded) == 6
    assert {answer.evaluator.name.rpartition(" with ")[2] for answer in recorded} == {
        "HSG by Ada (standard)",
        "HSG by Bo (standard)",
    }
    for answer in recorded:
        (used,) = answer.used
        reader = small.hsgs[used].reading.interpreter.name
        assert f"by {reader} (" in answer.evaluator.name


def test_a_missing_reading_is_unscored_until_the_named_command_runs(
    run: Run, small: Study, provider: StandIn
) -> None:
    asked = ("answer", small.folder, *MODEL, "--base-url", provider.url)
    readers = ("--hsg", "--interpreter", MODEL[1])
    done = run(*asked, *readers)
    assert done.code == 3
    assert f"create them with: semiosis read {small.folder} --model anthropic/claude-sonnet-5" in done.err
    assert "3 unscored, missing: no readings of this picture by anthropic/claude-sonnet-5" in done.err
    assert provider.calls == []
    assert {answer.choice.reason for answer in answers(small) if isinstance(answer.choice, Unscored)} == {
        "missing"
    }
    run("read", small.folder, *MODEL, "--base-url", provider.url)
    complete = run(*asked, *readers)
    assert complete.code == 0
    assert "3 answers given, 0 unscored" in complete.out
    assert {answer.evaluator.name.rpartition(" with ")[2] for answer in answers(small)} == {
        f"HSG by {MODEL[1]} (standard)"
    }


def test_answers_of_an_evaluator_that_does_not_judge_are_in_the_table(
    run: Run, small: Study, provider: StandIn
) -> None:
    run("answer", small.folder, *MODEL, "--base-url", provider.url, "--limit", 2)
    rows = {
        row["judge"]: row
        for row in csv.DictReader(
            run("stats", small.folder, "--columns", "vqa", "--format", "csv").out.splitlines()
        )
    }
    # The stand-in chooses the first answer, which is right, and the third question was not asked.
    assert float(rows["vqa anthropic/claude-sonnet-5"]["vqa"]) == pytest.approx(2 / 3)
    assert rows["vqa anthropic/claude-sonnet-5"]["score"] == ""


def test_a_refusal_is_paid_once_until_it_is_retried(run: Run, small: Study) -> None:
    known = answers_from(small.hsgs.values())
    refused = next(sign.sha256 for sign in small.signs.values() if isinstance(sign, ImageSign))

    def answer(call: Call) -> Step:
        return refuses() if refused in call.images else known(call)

    with StandIn(answer) as provider:
        asked = ("answer", small.folder, *MODEL, "--base-url", provider.url)
        assert run(*asked).code == 3
        again = run(*asked)
        assert again.code == 3
        assert "1 answer still unscored from earlier runs" in again.err
        assert len(provider.calls) == 3
    with StandIn(known) as provider:
        complete = run("answer", small.folder, *MODEL, "--base-url", provider.url, "--retry-unscored")
    assert complete.code == 0
    assert sum(not isinstance(answer.choice, Unscored) for answer in answers(small)) == 3


def test_repeats_and_shuffle(run: Run, small: Study, provider: StandIn) -> None:
    asked = ("answer", small.folder, *MODEL, "--base-url", provider.url, "--repeats", 2, "--shuffle", 5)
    assert run(*asked).code == 0
    assert sorted(answer.repeat for answer in answers(small)) == [0, 0, 0, 1, 1, 1]
    assert len(provider.calls) == 6
