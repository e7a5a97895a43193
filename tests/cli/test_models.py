"""The commands that ask models, against a stand-in provider."""

import json
from pathlib import Path

import pytest

from semiosis.ask import Model
from semiosis.cli._models import BuilderOptions, ModelOptions
from semiosis.study import Study, read_study
from semiosis.testing import HTTPErrorStep, StandIn, answers_from, refuses
from semiosis.values import Unscored, UsageError
from tests.cli.conftest import MODEL, Run
from tests.small import PROMPT, make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def test_a_prompt_is_read_shown_and_kept(run: Run, provider: StandIn, tmp_path: Path) -> None:
    asked = ("read", PROMPT, *MODEL, "--base-url", provider.url, "--journal", tmp_path / "replies.sqlite")
    done = run(*asked, "--json")
    assert done.code == 0
    assert json.loads(done.out)["sign"]["text"] == PROMPT
    assert "1 calls, 0 kept, $" in done.err
    again = run(*asked)
    assert "annunciation: the angel's message" in again.out
    assert "0 calls, 1 kept" in again.err
    assert len(provider.calls) == 1


def test_a_picture_is_read_given_a_prompts_hsg(
    run: Run, provider: StandIn, small: Study, tmp_path: Path
) -> None:
    where = ("--base-url", provider.url, "--journal", tmp_path / "replies.sqlite")
    (tmp_path / "p.json").write_text(run("read", PROMPT, *MODEL, *where, "--json").out)
    done = run("read", tmp_path / "literal.png", "--given", tmp_path / "p.json", *MODEL, *where, "--json")
    assert len(json.loads(done.out)["reading"]["given"]) == 1


def test_a_refusal_by_a_model_is_an_error_with_a_fix(run: Run, tmp_path: Path) -> None:
    with StandIn(lambda _: refuses()) as provider:
        done = run(
            "read", "A lily", *MODEL, "--base-url", provider.url, "--journal", tmp_path / "replies.sqlite"
        )
    assert done.code == 1
    assert "refusal" in done.err
    assert "ask another model" in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("read", "A lily", "--model", "claude"), "does not name a model"),
        (("read", "A lily", *MODEL, "--detail", "deep"), "there is no level of detail"),
        (("judge", "a.yaml", "b.yaml"), "needs a prompt and two artifacts"),
        (("judge", "A lily", "A rose", "A tulip"), "must be HSGs"),
        (("judge", "A lily", "A rose", "A tulip", *MODEL, "--judge", "oracle"), "no judge 'oracle'"),
    ],
)
def test_mistakes_have_messages(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert message in done.err


def test_two_pictures_are_judged_with_citations_and_saved(
    run: Run, provider: StandIn, tmp_path: Path
) -> None:
    pictures = (tmp_path / "literal.png", tmp_path / "broken.png")
    asked = ("judge", "--prompt", PROMPT, *pictures, *MODEL, "--base-url", provider.url)
    done = run(*asked, "--journal", tmp_path / "replies.sqlite", "--save", tmp_path / "judged")
    assert done.code == 0
    assert done.out.startswith(("a: ", "b: "))
    assert "root for" in done.out
    saved = read_study(tmp_path / "judged")
    assert len(saved.verdicts) == 2
    assert len(saved.hsgs) == 3
    dry = run(*asked, "--journal", tmp_path / "other.sqlite", "--dry-run")
    assert "a run would make about 5 calls" in dry.err
    assert dry.out == ""


def test_a_study_is_run_and_a_rerun_costs_nothing(run: Run, provider: StandIn, small: Study) -> None:
    asked = ("run", small.folder, *MODEL, "--base-url", provider.url)
    dry = run(*asked, "--dry-run")
    # One prompt, three artifacts, three comparisons in both orders: 1 + 3 + 6 = 10 calls.
    assert "a run would make about 10 calls" in dry.err
    done = run(*asked)
    assert done.code == 0
    assert done.out == "semjudge anthropic/claude-sonnet-5: 3 comparisons judged, 0 unscored\n"
    assert len(provider.calls) == 10
    judged = [v for v in read_study(small.folder).verdicts if v.evaluator.name.startswith("semjudge")]
    assert len(judged) == 6
    again = run(*asked)
    assert "0 of 3 comparisons to judge" in again.err
    assert len(provider.calls) == 10


def test_the_next_run_continues_after_the_cost_limit(run: Run, provider: StandIn, small: Study) -> None:
    asked = ("run", small.folder, *MODEL, "--base-url", provider.url)
    stopped = run(*asked, "--max-cost", 0.0001)
    assert "3 unscored" in stopped.out
    assert provider.calls == []
    assert not any(
        isinstance(v.winner, Unscored) and v.winner.reason == "budget"
        for v in read_study(small.folder).verdicts
    )
    assert "3 comparisons judged, 0 unscored" in run(*asked).out


def test_a_refused_key_stops_the_run_with_a_fix(run: Run, small: Study) -> None:
    with StandIn(lambda _: HTTPErrorStep(401)) as provider:
        done = run("run", small.folder, *MODEL, "--base-url", provider.url)
    assert done.code == 1
    assert "SEMIOSIS_API_KEY" in done.err  # the server is the user's own


def test_a_providers_key_reaches_only_that_provider(
    run: Run, provider: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-secret")
    with StandIn(answers_from([])) as builders:
        run(
            "judge", "--prompt", PROMPT, tmp_path / "literal.png", tmp_path / "broken.png",
            "--model", "openai/my-vllm", "--base-url", f"{provider.url}/v1",
            "--builder", "anthropic/claude-sonnet-5", "--builder-base-url", builders.url,
            "--journal", tmp_path / "replies.sqlite",
        )  # fmt: skip
    for server in (provider, builders):
        assert not any("secret" in value for call in server.calls for value in call.headers.values())
    assert {call.path for call in builders.calls} == {"/v1/messages"}


def builder_of(name: str, judging: ModelOptions, base_url: str = "") -> Model | None:
    return BuilderOptions(name, base_url).model(judging)


def test_a_builder_of_another_provider_does_not_inherit_the_base_url() -> None:
    judge = ModelOptions("openai/my-vllm", "http://own/v1")
    assert builder_of("anthropic/claude-sonnet-5", judge) == Model("anthropic/claude-sonnet-5")
    assert builder_of("openai/other", judge) == Model("openai/other", "http://own/v1")
    assert builder_of("openai/other", judge, "http://two/v1") == Model("openai/other", "http://two/v1")
    assert builder_of("", judge) is None


def test_several_base_urls_are_replicas_of_one_model() -> None:
    options = ModelOptions("openai/x", "http://a/v1, http://b/v1")
    judge = options.required()
    assert (judge.base_url, judge.replicas) == ("http://a/v1", ("http://b/v1",))
    builder = builder_of("openai/y", options)
    assert builder is not None
    assert (builder.base_url, builder.replicas) == ("http://a/v1", ("http://b/v1",))


def test_the_schema_mode_can_be_chosen() -> None:
    schema = ModelOptions("openai/x", "http://a/v1", structured="schema").required()
    assert schema.profile.structured == "schema"
    with pytest.raises(UsageError, match="--structured"):
        ModelOptions("openai/x", structured="grammar").required()


def test_the_schema_reaches_a_server_as_a_response_format(run: Run, tmp_path: Path) -> None:
    with StandIn(lambda _: refuses()) as server:
        run(
            "read", "A white lily", "--model", "openai/my-vllm", "--base-url", server.openai_url,
            "--structured", "schema", "--journal", tmp_path / "replies.sqlite",
        )  # fmt: skip
    assert server.calls[0].body["response_format"]["type"] == "json_schema"
    assert "tools" not in server.calls[0].body


@pytest.mark.parametrize(
    "wrong",
    [
        ("--temperature", "inf"),
        ("--max-tokens", 10**20),
        ("--max-cost", "inf"),
        ("--base-url", ","),
        ("--base-url", "http://127.0.0.1:1,"),
        ("--base-url", "http://127.0.0.1:99999"),
    ],
)
@pytest.mark.parametrize("command", ["run", "read"])
def test_invalid_settings_are_refused(
    command: str, wrong: tuple[str, object], run: Run, small: Study
) -> None:
    done = run(command, small.folder, *MODEL, *wrong)
    assert done.code == 2
    assert done.err.strip().count("error:") == 1


@pytest.mark.slow
def test_a_server_that_does_not_run_is_reported_in_seconds(run: Run, tmp_path: Path) -> None:
    with StandIn([]) as server:
        url = server.openai_url
    done = run(
        "read", "A white lily", "--model", "ollama/x", "--base-url", url,
        "--journal", tmp_path / "replies.sqlite",
    )  # fmt: skip
    assert done.code == 1
    assert "no connection to http://127.0.0.1" in done.err
    assert "start the server" in done.err


@pytest.mark.parametrize(
    "wrong", [("--max-tokens", -5), ("--in-flight", 0), ("--max-cost", -1), ("--timeout", 0)]
)
def test_settings_out_of_range_are_refused(wrong: tuple[str, int], run: Run, small: Study) -> None:
    done = run("run", small.folder, *MODEL, *wrong)
    assert done.code == 2
    assert wrong[0] in done.err
