"""`semiosis experiment STUDY FILE`: one command for the tables of SemJudge; no keys, no endpoints."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.study import Study, new_study, read_study
from semiosis.testing import StandIn, answers_from
from semiosis.values import ImageSign, Rating, Recorded, Unscored
from tests.cli.conftest import Run
from tests.small import make_study, person

pytestmark = pytest.mark.slow  # every test runs several judges

FILE = """\
title = "A small experiment"
reference = ["Annotator A", "Annotator B"]
resamples = 0

[models]
weak = "anthropic/claude-haiku-4-5"
strong = { name = "anthropic/claude-sonnet-5", max_tokens = 2048 }

[[judges]]
judge = "semjudge"
model = "weak"

[[judges]]
judge = "baseline:coin"

[[ablation]]
hsg = "none"
model = ["weak", "strong"]

[[ablation]]
hsg = "standard"
model = "weak"

[[ablation]]
hsg = "complex"
builder = "strong"
model = "weak"
"""


def rated(study: Study) -> Study:
    """Return the study with ratings of every sign on the three scales."""
    values: list[Recorded] = [
        Rating(
            evaluator=person("Annotator D"),
            about=sign,
            about_kind="sign",
            scale=scale,
            low=1,
            high=7,
            value=1 + (number + place) % 7,
        )
        for number, sign in enumerate(study.signs)
        for place, scale in enumerate(("iconicity", "indexicality", "symbolism"))
    ]
    return study.add(values, run="made")


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return rated(make_study(tmp_path / "small"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "experiment.toml"
    path.write_text(FILE)
    return path


@pytest.fixture(autouse=True)
def provider(small: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn(answers_from(small.hsgs.values())) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
        yield provider


def test_one_command_prints_the_three_tables_and_a_rerun_pays_nothing(
    run: Run, small: Study, file: Path, provider: StandIn
) -> None:
    planned = run("experiment", small.folder, file, "--dry-run")
    assert planned.code == 0
    # semjudge weak: 1 prompt, 3 pictures, 3 comparisons twice. direct: 3 comparisons twice, for two models.
    # complex by strong: 4 readings, 3 comparisons twice. One question about one picture: a blind reading by
    # each builder, and one answer by weak and strong alone and by weak with each of the two readings.
    calls = (1 + 3 + 6) + 2 * 6 + (4 + 6) + 2 + 4
    assert f"a run would make about {calls} calls" in planned.err
    assert provider.calls == []
    done = run("experiment", small.folder, file)
    assert done.code == 0
    assert "A small experiment\n\nHow far judges agree with Annotator A + Annotator B\n" in done.out
    assert "Iconicity bias, agreement with Annotator A + Annotator B\n" in done.out
    third = done.out[done.out.index("Ablation, agreement with") :].splitlines()
    rows = [line.split()[0] for line in third if "anthropic/" in line]
    assert rows == ["none", "none", "standard", "complex"]
    asked = len(provider.calls)
    again = run("experiment", small.folder, file)
    assert (again.code, again.out) == (0, done.out)
    assert len(provider.calls) == asked
    only = run("experiment", small.folder, file, "--tables-only")
    assert (only.code, only.out) == (0, done.out)


def test_answers_appear_in_the_row_of_the_judge_they_belong_to(run: Run, small: Study, file: Path) -> None:
    run("experiment", small.folder, file)
    done = run("experiment", small.folder, file, "--tables-only", "--format", "csv")
    lines = done.out[done.out.index("HSG,builder") :].splitlines()
    head = lines[0].split(",")
    # The stand-in chooses the first answer, which is right.
    assert [line.split(",")[head.index("VQA")] for line in lines[1:5]] == ["1.0"] * 4


def test_the_same_model_with_other_settings_does_not_hide_a_judge(run: Run, small: Study, file: Path) -> None:
    """The experiment's `strong` has `max_tokens`; the study also has it without."""
    run("run", small.folder, "--judge", "direct", "--model", "anthropic/claude-sonnet-5")
    done = run("experiment", small.folder, file)
    assert done.code == 0
    assert "direct anthropic/claude-sonnet-5 " in done.out


def test_the_tables_of_an_unfinished_experiment_state_what_is_missing(
    run: Run, small: Study, file: Path
) -> None:
    none = run("experiment", small.folder, file, "--tables-only")
    assert none.code == 2
    assert "no judge of this experiment has run yet" in none.err
    run("run", small.folder, "--judge", "baseline:coin")
    some = run("experiment", small.folder, file, "--tables-only")
    assert some.code == 0
    assert "baseline:coin" in some.out
    assert "direct anthropic/claude-haiku-4-5 has not judged yet." in some.err
    assert "Ablation" not in some.out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('api_key = "abc"', "cannot contain keys"),
        ('title = "sk-ant-api03-abcdefghijklmnop"', "cannot contain keys"),
        ('title = "hunter2-in-the-environment"', "cannot contain keys"),
        ('title = "Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln"', "cannot contain keys"),
        ('base_url = "http://evil.example"', "cannot name an endpoint"),
        ('models = { own = "http://evil.example/v1" }', "cannot name an endpoint"),
        ('models = { own = { name = "openai/http://evil.example/v1" } }', "cannot name an endpoint"),
        ("repeats = 0", "repeats"),
        ("repeats = true", "repeats: Input should be a valid integer"),
        ('seed = "1_000"', "seed: Input should be a valid integer"),
        ("colour = 1", "colour"),
        ("title = ", "not TOML"),
    ],
)
def test_bad_files_are_refused_before_anything_is_asked(
    run: Run, small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, message: str
) -> None:
    monkeypatch.setenv("SEMIOSIS_API_KEY", "hunter2-in-the-environment")
    path = tmp_path / "bad.toml"
    path.write_text(f'{line}\n[[judges]]\njudge = "baseline:coin"\n')
    done = run("experiment", small.folder, path)
    assert done.code == 1
    assert message in done.err
    assert "hunter2" not in done.err


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ('judge = "direct"', "the judge 'direct' needs a model"),
        ('judge = "align"\nmodel = "anthropic/x"', "the judge 'align' takes no model"),
        ('judge = "nobody"', "there is no judge 'nobody'"),
        ('judge = "direct"\nmodel = "qwen"', "there is no model 'qwen'"),
    ],
)
def test_judges_and_models_are_checked(
    run: Run, small: Study, tmp_path: Path, judge: str, message: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(f"[[judges]]\n{judge}\n")
    done = run("experiment", small.folder, path)
    assert done.code == 2
    assert message in done.err


def test_the_file_belongs_to_the_user_and_endpoints_to_the_command(
    run: Run, small: Study, file: Path, provider: StandIn
) -> None:
    inside = small.folder / "experiment.toml"
    inside.write_text(FILE)
    refused = run("experiment", small.folder, inside)
    assert refused.code == 2
    assert "the experiment file is inside the study" in refused.err
    unknown = run("experiment", small.folder, file, "--base-url", "openai/other=http://localhost:1")
    assert unknown.code == 2
    assert "'openai/other', which the experiment does not use" in unknown.err
    own = file.with_name("own.toml")
    own.write_text('[[judges]]\njudge = "direct"\nmodel = "openai/qwen"\n')
    done = run("experiment", small.folder, own, "--base-url", f"openai/qwen={provider.openai_url}")
    assert done.code == 0
    assert len(provider.calls) == 6 + 1  # three comparisons in both orders, and one question
    pictures = {sign.sha256 for sign in small.signs.values() if isinstance(sign, ImageSign)}
    assert {image for call in provider.calls for image in call.images} == pictures
    assert any(v.evaluator.name == "direct openai/qwen" for v in read_study(small.folder).verdicts)


def without_readings(small: Study, folder: Path) -> Study:
    """Return a study with the signs, comparisons and verdicts of another, and without its readings."""
    study = new_study(folder)
    people = [verdict.model_copy(update={"citations": ()}) for verdict in small.verdicts if not verdict.used]
    return study.add([*small.signs.values(), *small.comparisons.values(), *people], run="made")


@pytest.mark.parametrize("judge", ["align", "align:model=anthropic/claude-haiku-4-5"])
def test_readings_come_before_the_judges_that_use_them(
    run: Run, small: Study, tmp_path: Path, provider: StandIn, judge: str
) -> None:
    """One command reads the prompt and the three pictures, and then aligns the readings."""
    study = without_readings(small, tmp_path / "bare")
    path = tmp_path / "aligned.toml"
    path.write_text(f'[[judges]]\njudge = "{judge}"\nbuilder = "anthropic/claude-sonnet-5"\n')
    alignments = 3 if "model" in judge else 0
    dry = run("experiment", study.folder, path, "--dry-run")
    assert f"{4 + alignments} calls" in dry.out + dry.err
    done = run("experiment", study.folder, path)
    assert (done.code, len(provider.calls)) == (0, 4 + alignments)
    assert "(anthropic/claude-sonnet-5, standard)" in done.out
    judged = read_study(study.folder)
    assert {hsg.blind for hsg in judged.hsgs.values()} == {True}
    scored = [v for v in judged.verdicts if v.evaluator.name.startswith("align")]
    assert {v.comparison for v in scored} == judged.comparisons.keys()
    assert not any(isinstance(v.winner, Unscored) for v in scored)


def test_a_judge_uses_the_readings_that_another_judge_of_the_experiment_makes(
    run: Run, small: Study, tmp_path: Path
) -> None:
    study = without_readings(small, tmp_path / "bare")
    path = tmp_path / "both.toml"
    path.write_text(
        '[[judges]]\njudge = "align"\n'
        '[[judges]]\njudge = "semjudge:blind"\nmodel = "anthropic/claude-sonnet-5"\n'
    )
    done = run("experiment", study.folder, path)
    assert done.code == 0
    # Each judge decides three comparisons. The blind judge's readings are not counted as a step of their own.
    assert "experiment: 6 comparisons judged, 0 unscored" in done.err


def test_a_judge_without_readings_says_what_to_do(run: Run, small: Study, tmp_path: Path) -> None:
    study = without_readings(small, tmp_path / "bare")
    path = tmp_path / "unread.toml"
    path.write_text('[[judges]]\njudge = "align"\n')
    done = run("experiment", study.folder, path)
    assert done.code == 3
    assert "3 unscored, missing: no readings of prompt, a and b by any one interpreter (blind)" in done.err
    assert "experiment: 0 comparisons judged, 3 unscored" in done.err
    assert (
        'hint: to make them, add builder = "PROVIDER/MODEL" to the judge in the experiment file' in done.err
    )


def test_equal_readings_at_two_depths_are_reported_and_their_answers_have_no_accuracy(
    run: Run, small: Study, tmp_path: Path
) -> None:
    """The stand-in gives one graph at both depths, and the depth is not part of an HSG's id."""
    run("read", small.folder, "--model", "anthropic/claude-sonnet-5")
    path = tmp_path / "deep.toml"
    path.write_text(
        '[[ablation]]\nhsg = "complex"\nmodel = "anthropic/claude-haiku-4-5"\n'
        'builder = "anthropic/claude-sonnet-5"\n'
    )
    done = run("experiment", small.folder, path)
    assert done.code == 3
    assert "1 reading equals one of the study at another level of detail" in done.err
    assert "1 unscored, missing: no readings of this picture by anthropic/claude-sonnet-5 (blind)" in done.err
    third = done.out[done.out.index("Ablation, agreement with") :]
    assert "questions without an answer: 1 of 1." in third
    assert "0.000" not in next(line for line in third.splitlines() if line.startswith("complex"))
