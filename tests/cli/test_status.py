"""`semiosis status`: what is done, by whom, what is missing, and what the rest would cost."""

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from semiosis.study import Study, new_study, read_study
from semiosis.testing import Call, StandIn, Step, answers_from, refuses
from tests.cli.conftest import MODEL, Run
from tests.small import make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


@pytest.fixture(autouse=True)
def provider(small: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """Yield a stand-in at the provider's own address, because a record names no endpoint."""
    with StandIn(answers_from(small.hsgs.values())) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
        yield provider


@pytest.fixture
def work(run: Run, small: Study) -> Callable[..., list[dict[str, Any]]]:
    def rows(kind: str, by: str = "") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(run("status", small.folder, "--json").out)["work"]
        return [row for row in found if row["work"] == kind and by in row["by"]]

    return rows


def test_people_are_counted_with_their_missing_votes(work: Callable[..., list[dict[str, Any]]]) -> None:
    readers = work("read")
    assert [(row["by"], row["done"], row["of"]) for row in readers] == [
        ("Ada, blind, standard", 4, 4),
        ("Bo, blind, standard", 4, 4),
    ]
    (third,) = work("judged", "Annotator C")
    assert (third["done"], third["of"], third["unscored"], third["missing"]) == (2, 3, {"missing": 1}, 0)
    assert third["command"] == ""  # no command adds the vote of a person


@pytest.mark.slow
def test_the_estimated_rest_of_a_judge_is_what_the_next_run_pays(
    run: Run, small: Study, provider: StandIn, work: Callable[..., list[dict[str, Any]]]
) -> None:
    run("run", small.folder, *MODEL, "--limit", 1)
    # 1 prompt, 2 pictures, 1 comparison in two orders. Left: 1 picture, 2 comparisons in two orders.
    assert len(provider.calls) == 1 + 2 + 2
    (judged,) = work("judged", "semjudge")
    assert (judged["done"], judged["of"], judged["missing"]) == (1, 3, 2)
    assert judged["calls left"] == 1 + 4
    assert judged["cost left"] > 0
    assert judged["command"] == "semiosis run STUDY --judge semjudge --model anthropic/claude-sonnet-5"
    (given,) = work("read", "claude-sonnet-5, given")
    assert (given["done"], given["of"]) == (2, 3)
    assert given["command"] == ""  # the command of the judge makes its readings
    assert len(provider.calls) == 5  # status asks nothing
    shown = run("status", small.folder)
    assert f"semiosis run {small.folder} --judge semjudge --model anthropic/claude-sonnet-5" in shown.out
    run("run", small.folder, *MODEL)
    assert len(provider.calls) == 5 + 5
    (judged,) = work("judged", "semjudge")
    assert (judged["done"], judged["missing"], judged["command"]) == (3, 0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--judge", "direct"),
        ("--judge", "citations"),
        ("--judge", "semjudge:published"),
        ("--judge", "root-only", "--temperature", "0.5"),
        ("--judge", "direct", "--max-tokens", "2048", "--repeats", "2"),
        ("--detail", "complex", "--builder", "anthropic/claude-haiku-4-5"),
    ],
)
def test_the_settings_of_other_judges_are_restored(
    run: Run, small: Study, work: Callable[..., list[dict[str, Any]]], options: tuple[str, ...]
) -> None:
    run("run", small.folder, *MODEL, *options, "--limit", 1)
    judged = work("judged", "claude-sonnet-5")[-1]  # a judge comes before the judge that counts its citations
    assert judged["missing"] == 2
    assert judged["calls left"] > 0
    planned = run("run", small.folder, *MODEL, *options, "--dry-run").err
    assert f"a run would make about {judged['calls left']} calls" in planned
    run(*shlex.split(judged["command"].replace("STUDY", str(small.folder)))[1:])
    again = work("judged", "claude-sonnet-5")
    assert (again[-1]["by"], again[-1]["done"]) == (judged["by"], 3)  # the same evaluator continued


def test_answers_and_readings_are_estimated_too(
    run: Run, small: Study, work: Callable[..., list[dict[str, Any]]]
) -> None:
    run("read", small.folder, *MODEL, "--limit", 3)
    (read,) = work("read", "claude-sonnet-5")
    assert (read["done"], read["of"], read["calls left"]) == (3, 4, 1)
    assert read["command"].startswith("semiosis read STUDY --model anthropic/claude-sonnet-5 --view blind")
    run("answer", small.folder, *MODEL, "--hsg", "--interpreter", "Ada", "--max-cost", "0.000001")
    assert work("answered") == []  # nothing is recorded without budget


def test_refused_requests_need_retry_unscored(
    run: Run, small: Study, monkeypatch: pytest.MonkeyPatch, work: Callable[..., list[dict[str, Any]]]
) -> None:
    answers = answers_from(small.hsgs.values())

    def refuse_judgments(call: Call) -> Step:
        return refuses() if "winner" in call.schema["properties"] else answers(call)

    with StandIn(refuse_judgments) as refusing:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", refusing.url)
        run("run", small.folder, *MODEL)
        (judged,) = work("judged", "semjudge")
    assert (judged["done"], judged["unscored"], judged["missing"]) == (0, {"refusal": 3}, 0)
    assert judged["command"].endswith("--retry-unscored")
    assert judged["calls left"] == 6


def test_programs_continue_without_cost(
    run: Run, small: Study, work: Callable[..., list[dict[str, Any]]]
) -> None:
    run("run", small.folder, "--judge", "baseline:size", "--judge", "align", "--limit", 1)
    (size,) = work("judged", "baseline:size")
    assert (size["calls left"], size["cost left"]) == (0, 0)
    assert size["command"] == "semiosis run STUDY --judge baseline:size"
    (aligned,) = work("judged", "alignment")
    assert aligned["command"] == "semiosis run STUDY --judge align"


def test_an_empty_study_says_what_to_do_next(run: Run, tmp_path: Path) -> None:
    new_study(tmp_path / "empty")
    done = run("status", tmp_path / "empty")
    assert done.code == 0
    assert "empty: 0 prompts, 0 artifacts, 0 comparisons, 0 questions" in done.out
    assert "nothing has been read yet: semiosis read" in done.err
    judging = run("run", tmp_path / "empty", "--judge", "align")
    assert "the study has no comparisons; semiosis study add" in judging.err


def test_one_prompt_is_counted_in_the_singular(run: Run, small: Study) -> None:
    assert "small: 1 prompt, 3 artifacts" in run("status", small.folder).out


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("align",),
        ("align", "--given", "--interpreter", MODEL[1]),
        ("align", *MODEL, "--interpreter", "Ada"),
        ("align", *MODEL, "--given", "--repeat", "1", "--temperature", "0.5"),
        ("run", "--judge", "align:model", *MODEL, "--interpreter", "Bo", "--max-tokens", "9000"),
        ("run", "--judge", "align", "--interpreter", MODEL[1], "--detail", "standard", "--given"),
    ],
)
def test_alignments_and_their_judges_continue_under_the_same_settings(
    run: Run, small: Study, work: Callable[..., list[dict[str, Any]]], command: tuple[str, ...]
) -> None:
    run("read", small.folder, *MODEL, "--view", "both")
    run(command[0], small.folder, *command[1:], "--limit", 1)
    kind = "aligned" if command[0] == "align" else "judged"
    begun = [row for row in work(kind) if row["kind"] != "person" and row["missing"]]
    (state,) = [row for row in begun if row["by"] != "a model"]  # another judge of the small study
    assert (state["done"], state["of"]) == (1, 3)
    planned = run(command[0], small.folder, *command[1:], "--dry-run").err
    if (MODEL[1] in command and "align:model" in command) or command[:2] == ("align", "--model"):
        assert state["calls left"] > 0
        assert f"a run would make about {state['calls left']} calls" in planned
    else:
        assert (state["calls left"], state["cost left"]) == (0, 0)
    run(*shlex.split(state["command"].replace("STUDY", str(small.folder)))[1:])
    (again,) = [row for row in work(kind) if row["by"] == state["by"]]
    assert (again["done"], again["missing"], again["command"]) == (3, 0, "")


@pytest.mark.slow
def test_readings_of_one_semiosis_are_a_row_of_their_own_without_a_command(
    run: Run, small: Study, work: Callable[..., list[dict[str, Any]]]
) -> None:
    run("run", small.folder, *MODEL, "--judge", "root-only", "--limit", 1)
    (read,) = work("read", "given, standard, root only")
    assert (read["done"], read["of"]) == (2, 3)
    assert read["command"] == ""  # `semiosis read` makes whole readings, and the judge makes these


def test_recorded_scores_continue_with_their_judge(
    run: Run, small: Study, tmp_path: Path, work: Callable[..., list[dict[str, Any]]]
) -> None:
    artifacts = [sign for sign in small.signs.values() if sign.kind == "image"]
    rows = [f"{sign.id},{number},my scorer" for number, sign in enumerate(artifacts)]
    (tmp_path / "scores.csv").write_text("\n".join(["artifact,score,scorer", *rows[:2]]))
    run("import", "scores", small.folder, tmp_path / "scores.csv")
    (judged,) = work("judged", "my scorer")
    assert judged["command"] == ""  # the other pictures have no scores
    (tmp_path / "scores.csv").write_text("\n".join(["artifact,score,scorer", *rows]))
    run("import", "scores", small.folder, tmp_path / "scores.csv")
    verdict = next(v for v in read_study(small.folder).verdicts if v.evaluator.name == "my scorer")
    run("study", "remove", small.folder, verdict.id)
    (judged,) = work("judged", "my scorer")
    assert judged["command"] == "semiosis run STUDY --judge 'recorded:my scorer'"
