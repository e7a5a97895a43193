"""`semiosis run` and `semiosis read STUDY`: resuming, retrying, limits, order, progress, exit codes."""

import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from semiosis.study import Study, check_study, read_study
from semiosis.testing import AnswerStep, Call, StandIn, Step, answers_from, refuses
from semiosis.values import HSG, Unscored, Verdict
from tests.cli.conftest import MODEL, Run
from tests.small import make_study

NAME = "semjudge anthropic/claude-sonnet-5"


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def verdicts(study: Study, name: str = NAME) -> list[Verdict]:
    return [verdict for verdict in read_study(study.folder).verdicts if verdict.evaluator.name == name]


def lines(study: Study, folder: str = "observations") -> int:
    files = [file for file in (study.folder / folder).glob("*.jsonl") if file.stem != "made"]
    return sum(len(file.read_text().splitlines()) for file in files)


def refusing(study: Study, refused: Callable[[Call], bool]) -> Callable[[Call], Step]:
    answers = answers_from(study.hsgs.values())
    return lambda call: refuses() if refused(call) else answers(call)


def reads_picture(study: Study, number: int) -> Callable[[Call], bool]:
    """Return a function that tells whether a call reads this artifact."""
    sha256 = [sign.sha256 for sign in study.signs.values() if sign.kind == "image"][number]
    return lambda call: "nodes" in call.schema["properties"] and sha256 in call.images


def test_a_refused_reading_is_asked_once_and_never_again_unless_it_is_to_be_retried(
    run: Run, small: Study
) -> None:
    refused = reads_picture(small, 0)
    with StandIn(refusing(small, refused)) as provider:
        asked = ("run", small.folder, *MODEL, "--base-url", provider.url)
        done = run(*asked)
        # 1 prompt, 3 artifacts of which one is refused, and the comparison of the other two in both orders.
        assert len(provider.calls) == 1 + 3 + 2
        assert sum(refused(call) for call in provider.calls) == 1
        assert done.code == 3
        assert "1 comparison judged, 2 unscored" in done.out
        recorded = lines(small)
        again = run(*asked)
        assert again.code == 3
        assert "4 verdicts still unscored from earlier runs" in again.err
        assert len(provider.calls) == 6
        assert lines(small) == recorded
        retried = run(*asked, "--retry-unscored")
        assert retried.code == 3
        assert len(provider.calls) == 7
        assert lines(small) == recorded  # a failure with the same reason is not recorded again
    with StandIn(answers_from(small.hsgs.values())) as provider:
        retried = run("run", small.folder, *MODEL, "--base-url", provider.url, "--retry-unscored")
    assert retried.code == 0
    scored = [verdict for verdict in verdicts(small) if not isinstance(verdict.winner, Unscored)]
    assert len(scored) == 6


def test_an_unscored_verdict_states_its_cost(run: Run, small: Study) -> None:
    with StandIn(refusing(small, lambda call: "winner" in call.schema["properties"])) as provider:
        run("run", small.folder, *MODEL, "--base-url", provider.url)
    unscored = verdicts(small)
    assert len(unscored) == 6
    for verdict in unscored:
        assert isinstance(verdict.winner, Unscored)
        assert verdict.usage is not None
        assert verdict.usage.calls == 1
        assert verdict.usage.input_tokens > 0


def test_an_unknown_price_is_refused_before_the_first_call(run: Run, small: Study, provider: StandIn) -> None:
    own = ("--model", "openai/my-own-judge", "--base-url", f"{provider.url}/v1")
    builder = ("--builder", "anthropic/claude-sonnet-5", "--builder-base-url", provider.url)
    done = run("run", small.folder, *own, *builder, "--max-cost", 1)
    assert done.code == 2
    assert "the price of openai/my-own-judge is unknown" in done.err
    assert provider.calls == []


@pytest.mark.parametrize("option", [("--max-tokens", -5), ("--limit", -1), ("--repeats", -1)])
def test_negative_numbers_are_refused(run: Run, small: Study, option: tuple[str, int]) -> None:
    done = run("run", small.folder, *MODEL, *option)
    assert done.code == 2
    assert f"Invalid value for '{option[0]}'" in done.err


def test_limit_and_shuffle_choose_the_same_comparisons_again(
    run: Run, small: Study, provider: StandIn
) -> None:
    asked = ("run", small.folder, *MODEL, "--judge", "direct", "--base-url", provider.url)
    run(*asked, "--limit", 1, "--shuffle", 7)
    first = {verdict.comparison for verdict in verdicts(small, "direct anthropic/claude-sonnet-5")}
    assert len(first) == 1
    assert len(provider.calls) == 2
    run(*asked, "--limit", 1, "--shuffle", 7)
    assert len({verdict.comparison for verdict in verdicts(small, "direct anthropic/claude-sonnet-5")}) == 2
    assert run(*asked).code == 0
    assert len(provider.calls) == 6


def test_judges_of_one_run_share_their_readings(run: Run, small: Study, provider: StandIn) -> None:
    judges = ("--judge", "semjudge", "--judge", "citations", "--judge", "direct", "--judge", "align")
    done = run("run", small.folder, *judges, *MODEL, "--base-url", provider.url)
    assert done.code == 0
    # 1 + 3 readings, 6 judgments, which the citations reuse, and 6 direct judgments.
    assert len(provider.calls) == 4 + 6 + 6
    names = {v.evaluator.name for v in read_study(small.folder).verdicts if v.evaluator.kind != "person"}
    assert {NAME, f"citations of {NAME}", "direct anthropic/claude-sonnet-5"} < names
    assert "alignment (" in done.out
    assert run("run", small.folder, *judges, *MODEL, "--base-url", provider.url).code == 0
    assert len(provider.calls) == 16


def test_without_readings_align_says_which_command_creates_them(run: Run, small: Study) -> None:
    done = run("run", small.folder, "--judge", "align", "--interpreter", "anthropic/claude-sonnet-5")
    assert done.code == 2
    assert f"semiosis read {small.folder} --model anthropic/claude-sonnet-5 --view blind" in done.err
    assert not [v for v in read_study(small.folder).verdicts if v.evaluator.kind == "program"]


def test_every_judge_is_listed_with_what_it_needs(run: Run) -> None:
    done = run("run", "--list")
    assert done.code == 0
    for name in (
        "align",
        "semjudge",
        "semjudge:published",
        "semjudge:blind",
        "direct",
        "root-only",
        "citations[:JUDGE]",
        "align[:EMBEDDER]",
        "recorded:NAME",  # without brackets, because the name is not optional
    ):
        assert name in done.out
    assert "a model" in done.out
    assert "readings" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--judge", "oracle", *MODEL), "there is no judge 'oracle'"),
        (("--judge", "direct:x", *MODEL), "there is no judge 'direct:x'"),
        (("--judge", "semjudge"), "needs a model"),
    ],
)
def test_mistakes_name_the_fix(run: Run, small: Study, words: tuple[str, ...], message: str) -> None:
    done = run("run", small.folder, *words)
    assert done.code == 2
    assert message in done.err
    assert "→" in done.err


def test_a_run_in_a_pipe_prints_progress_lines(run: Run, small: Study, provider: StandIn) -> None:
    done = run("run", small.folder, *MODEL, "--base-url", provider.url)
    assert "judging: 1 of 3; " in done.err
    assert "judging: 3 of 3; 10 calls" in done.err


def test_equal_readings_at_two_levels_of_detail_do_not_replace_one_another(
    run: Run, small: Study, provider: StandIn
) -> None:
    """The stand-in returns one graph for both levels, and the level is not part of an HSG's id."""
    asked = ("read", small.folder, *MODEL, "--base-url", provider.url)
    run(*asked)
    done = run(*asked, "--detail", "complex")
    assert "4 readings equal others of the study at another level of detail" in done.err
    again = read_study(small.folder)
    by_model = [hsg for hsg in again.hsgs.values() if hsg.reading.interpreter.name == MODEL[1]]
    assert [hsg.reading.detail for hsg in by_model] == ["standard"] * 4
    assert run("study", "check", small.folder).code == 0
    deeper = by_model[0].reading.model_copy(update={"detail": "complex"})
    equal_hsg = HSG(by_model[0].sign, by_model[0].semioses, by_model[0].relations, deeper)
    assert equal_hsg.id == by_model[0].id
    added = again.add([equal_hsg], "equal")  # this file comes before that of the standard readings
    for study in (added, read_study(small.folder)):
        assert study.hsgs[equal_hsg.id].reading.detail == "standard"
    assert run("study", "check", small.folder).code == 1
    (problem,) = check_study(small.folder)
    assert problem.what == "the complex reading equals the standard reading, which is used instead"


def test_a_study_is_read_blind_and_given_and_a_rerun_costs_nothing(
    run: Run, small: Study, provider: StandIn
) -> None:
    asked = ("read", small.folder, *MODEL, "--base-url", provider.url)
    dry = run(*asked, "--view", "both", "--dry-run")
    assert "a run would make about 7 calls" in dry.err
    blind = run(*asked)
    assert blind.out == "anthropic/claude-sonnet-5: 4 readings made, 0 unscored\n"
    assert len(provider.calls) == 4
    both = run(*asked, "--view", "both")
    assert both.out == "anthropic/claude-sonnet-5: 3 readings made, 0 unscored\n"
    assert len(provider.calls) == 7
    assert run(*asked, "--view", "both").out == "anthropic/claude-sonnet-5: 0 readings made, 0 unscored\n"
    made = [h for h in read_study(small.folder).hsgs.values() if h.reading.interpreter.kind == "model"]
    assert sorted(hsg.blind for hsg in made) == [False] * 3 + [True] * 4
    aligned = run("run", small.folder, "--judge", "align", "--interpreter", "anthropic/claude-sonnet-5")
    assert aligned.code == 0


def test_a_sign_that_was_not_read_makes_the_exit_code_3(run: Run, small: Study) -> None:
    with StandIn(refusing(small, reads_picture(small, 1))) as provider:
        done = run("read", small.folder, *MODEL, "--base-url", provider.url)
    assert done.out == "anthropic/claude-sonnet-5: 3 readings made, 1 unscored\n"
    assert done.code == 3


def test_a_refused_sign_is_not_paid_again_unless_it_is_to_be_retried(run: Run, small: Study) -> None:
    with StandIn(refusing(small, reads_picture(small, 1))) as provider:
        asked = ("read", small.folder, *MODEL, "--base-url", provider.url)
        run(*asked)
        paid = len(provider.calls)
        again = run(*asked)
        assert len(provider.calls) == paid
        assert again.code == 3
        assert "1 call not repeated, because earlier runs got no usable reply; ask again" in again.err
        assert "would make about 0 calls" in run(*asked, "--dry-run").err
        run(*asked, "--retry-unscored")
        assert len(provider.calls) == paid + 1


@pytest.mark.parametrize(
    "what", ["photo.tiff", "photo.svg", "photo.heic", "my photo.bmp", "prompt.docx", "pictures/one", "a.b"]
)
@pytest.mark.parametrize("exists", [True, False])
def test_a_file_name_is_never_read_as_a_text(
    run: Run, what: str, exists: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: StandIn
) -> None:
    monkeypatch.chdir(tmp_path)
    if exists:
        (tmp_path / what).parent.mkdir(exist_ok=True)
        (tmp_path / what).write_bytes(b"II*\x00")
    done = run("read", what, *MODEL, "--base-url", provider.url, "--journal", tmp_path / "replies.sqlite")
    assert done.code == 2
    assert "looks like a file, but not one that can be read" in done.err
    assert "add --text" in done.err
    assert provider.calls == []


def test_a_text_file_is_read_and_a_missing_one_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Study, provider: StandIn
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = (*MODEL, "--base-url", provider.url, "--journal", tmp_path / "replies.sqlite")
    missing = run("read", "prompt.txt", *asked)
    assert missing.code == 1
    assert "cannot read the text file" in missing.err
    assert provider.calls == []
    (tmp_path / "prompt.txt").write_text(next(s.text for s in small.signs.values() if s.kind == "text"))
    assert "annunciation: the angel's message" in run("read", "prompt.txt", *asked).out


def test_a_text_that_looks_like_a_path_can_be_read_as_one(run: Run, tmp_path: Path, small: Study) -> None:
    with StandIn(lambda _: refuses()) as provider:
        asked = (*MODEL, "--base-url", provider.url, "--journal", tmp_path / "replies.sqlite")
        run("read", "photo.tiff", "--text", *asked)
    assert len(provider.calls) == 1
    assert "photo.tiff" in provider.calls[0].text


def test_a_text_in_another_encoding_is_one_clear_message(run: Run) -> None:
    done = run("read", "caf\udce9", *MODEL)  # the byte E9, as Python receives it from a terminal
    assert done.code == 2
    assert "the text is not UTF-8" in done.err
    assert "Traceback" not in done.err


def test_an_empty_text_is_one_clear_message(run: Run) -> None:
    done = run("read", "", *MODEL)
    assert done.code == 2
    assert "the text is empty" in done.err
    assert "Traceback" not in done.err


def test_blind_and_given_readings_are_judged_under_two_names(
    run: Run, small: Study, provider: StandIn
) -> None:
    run("read", small.folder, *MODEL, "--view", "both", "--base-url", provider.url)
    asked = ("run", small.folder, "--judge", "align", "--interpreter", MODEL[1])
    blind = run(*asked)
    given = run(*asked, "--given")
    assert blind.out == f"alignment (wordllama) ({MODEL[1]}): 3 comparisons judged, 0 unscored\n"
    assert given.out == f"alignment (wordllama) ({MODEL[1]}, given): 3 comparisons judged, 0 unscored\n"
    study = read_study(small.folder)
    used = [
        {study.hsgs[hsg_id].blind for hsg_id in verdict.used[1:]}
        for view in ("", ", given")
        for verdict in verdicts(study, f"alignment (wordllama) ({MODEL[1]}{view})")
    ]
    assert used == [{True}] * 3 + [{False}] * 3


def test_the_command_that_creates_missing_readings_names_who_has_read_and_works(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = make_study(tmp_path / "a study")  # a folder that a shell has to quote
    known = list(small.hsgs.values())
    shutil.rmtree(small.folder / "hsgs")
    with StandIn(answers_from(known)) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
        run("read", small.folder, *MODEL, "--limit", 2)
        missing = run("run", small.folder, "--judge", "align")
        assert missing.code == 2
        command = missing.err.partition("create them with: ")[2].splitlines()[0]
        assert shlex.split(command)[3:5] == list(MODEL)
        assert run(*shlex.split(command)[1:]).code == 0
        retried = run("run", small.folder, "--judge", "align")
    assert retried.out == "alignment (wordllama): 3 comparisons judged, 0 unscored\n"


def test_the_readings_of_a_person_are_not_made_by_a_model(run: Run, small: Study) -> None:
    done = run("run", small.folder, "--judge", "align", "--interpreter", "Eve")
    assert done.code == 2
    assert f"create them with: semiosis read READING.yaml --save {small.folder}" in done.err


def test_a_dry_run_says_what_would_stay_unscored(run: Run, small: Study) -> None:
    done = run("run", small.folder, "--judge", "align", "--interpreter", MODEL[1], "--dry-run")
    assert done.code == 0
    assert "3 would stay unscored, missing: no readings of prompt, a and b" in done.err
    assert "a run would make about 0 calls" in done.err
    planned = run("run", small.folder, "--judge", "citations", *MODEL, "--dry-run")
    assert "unscored" not in planned.err


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ("align:nope", "there is no embedder 'nope'"),
        ("citations:direct", "the judge 'direct' cites nothing"),
        ("recorded:CLIP", "the study has no scores by 'CLIP'"),
    ],
)
def test_a_judge_that_cannot_judge_is_refused_first(run: Run, small: Study, judge: str, message: str) -> None:
    recorded = lines(small)
    done = run("run", small.folder, "--judge", judge, *MODEL, "--dry-run")
    assert done.code == 2
    assert message in done.err
    assert "STUDY" not in done.err
    assert "a run would make" not in done.err
    assert lines(small) == recorded


def test_ctrl_c_outside_the_calls_is_one_message(
    run: Run, small: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("semiosis.study.run_plan", interrupt)
    done = run("align", small.folder)
    assert done.code == 130
    assert done.err.endswith(
        "stopped; all recorded results are kept; run the same command again to continue\n"
    )
    assert "Traceback" not in done.err


def test_readings_by_two_served_versions_of_a_model_are_compared(run: Run, small: Study) -> None:
    """`read` does not read a sign again if another version was served, so `align` cannot insist on one."""
    answers = answers_from(small.hsgs.values())

    def newer(call: Call) -> Step:
        reply = answers(call)
        return (
            replace(reply, changes={"model": "claude-sonnet-5-new"})
            if isinstance(reply, AnswerStep)
            else reply
        )

    for script, options in ((answers, ("--limit", 2)), (newer, ())):
        with StandIn(script) as provider:
            run("read", small.folder, *MODEL, "--base-url", provider.url, *options)
    made = [h.reading.interpreter for h in read_study(small.folder).hsgs.values()]
    assert len({interpreter.served for interpreter in made if interpreter.kind == "model"}) == 2
    done = run("run", small.folder, "--judge", "align", "--interpreter", MODEL[1])
    assert done.out == f"alignment (wordllama) ({MODEL[1]}): 3 comparisons judged, 0 unscored\n"
