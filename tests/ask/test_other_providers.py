"""Providers other than Anthropic, OpenAI and Ollama: through OpenAI's API, or refused."""

from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Model, NoAnswer, Passage, Reply, Request, wait_for
from semiosis.testing import Fails, HangsUp, Sends, StandIn, Step, says
from semiosis.values import ProviderError, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower

pytestmark = pytest.mark.slow  # importing the SDKs takes long

OTHERS = {
    "openrouter": ("OPENROUTER_API_KEY", "OPENROUTER_BASE_URL"),
    "deepseek": ("DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL"),
    "together": ("TOGETHER_API_KEY", "TOGETHER_BASE_URL"),
}
UNSUPPORTED = {
    "azure_openai": ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"),
    "databricks": ("DATABRICKS_TOKEN", "DATABRICKS_HOST"),
    "google": ("GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
}
OPENAI = {
    "OPENAI_API_KEY": "sk-secret",
    "OPENAI_ORG_ID": "org-secret",
    "OPENAI_PROJECT_ID": "project-secret",
    "OPENAI_CUSTOM_HEADERS": "X-Gateway: header-secret",
}


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move a provider to a stand-in, and return the request to ask it."""
    key, url = OTHERS[request.param]
    monkeypatch.setenv(key, "its-own-key")
    for name, value in OPENAI.items():
        monkeypatch.setenv(name, value)

    def moved(provider: StandIn) -> Request[Flower]:
        monkeypatch.setenv(url, provider.openai_url)
        return Request(Model(f"{request.param}/x"), "Name it.", (Passage("Which flower?"),), Flower)

    return moved


def test_a_provider_receives_its_own_key_and_nothing_of_openais(other: Any, make_asker: MakeAsker) -> None:
    with StandIn([says({"name": "lily"}), says(LILY)]) as provider:
        reply = wait_for(make_asker().ask(other(provider)))
    assert isinstance(reply, Reply)
    assert reply.answer.petals == 6
    assert [call.re_ask for call in provider.calls] == [False, True]
    for call in provider.calls:
        assert call.headers["authorization"] == "Bearer its-own-key"
        assert "secret" not in str(call.headers)


@pytest.mark.parametrize("step", [Fails(500), HangsUp(), Sends(b"<html>")], ids=repr)
def test_every_try_is_one_call(step: Step, other: Any, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: step) as provider:
        asker = make_asker(tries=3)
        outcome = wait_for(asker.ask(other(provider)))
    assert isinstance(outcome, NoAnswer)
    assert (outcome.reason, outcome.retries) == ("provider", 2)
    assert len(provider.calls) == 3  # an SDK that repeats calls by itself would have made nine


def test_a_reply_that_cannot_be_read_is_in_the_journal(
    other: Any, make_asker: MakeAsker, tmp_path: Path
) -> None:
    body = b'{"model": "x", "choices": [{"message": {"content": "\\ud800\xff"}}]}'
    with StandIn(lambda _: Sends(body)) as provider:
        asker = make_asker(re_asks=0)
        outcome = wait_for(asker.ask(other(provider)))
        wait_for(asker.close())
    assert isinstance(outcome, NoAnswer)
    assert outcome.reason == "malformed"
    assert body in (tmp_path / "replies.sqlite").read_bytes()


def test_a_refused_key_names_its_variable(other: Any, make_asker: MakeAsker) -> None:
    with StandIn([Fails(401)]) as provider, pytest.raises(ProviderError) as error:
        wait_for(make_asker().ask(other(provider)))
    assert "its-own-key" not in str(error.value)


def test_a_price_that_is_unknown_is_not_shown_as_zero(other: Any, make_asker: MakeAsker) -> None:
    with StandIn([HangsUp()]) as provider:
        asker = make_asker(tries=1)
        wait_for(asker.ask(other(provider)))
    assert "1 sent without a reply, which may be billed, no price known for" in str(asker.budget)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("name", UNSUPPORTED)
def test_a_provider_whose_sdk_follows_redirects_is_refused(
    name: str, status: int, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, url = UNSUPPORTED[name]
    with StandIn(lambda _: says(LILY)) as elsewhere:
        location = f"{elsewhere.openai_url}/chat/completions"
        with StandIn(lambda _: Sends(b"", status, {"location": location})) as provider:
            monkeypatch.setenv(key, "its-own-key")
            monkeypatch.setenv(url, provider.openai_url)
            request = Request(Model(f"{name}/x"), "Name it.", (Passage("Which flower?"),), Flower)
            with pytest.raises(UsageError, match=f"'{name}' is not supported"):
                wait_for(make_asker().ask(request))
            assert provider.calls == []
    assert elsewhere.calls == []


def test_a_missing_key_names_its_variable(make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    with pytest.raises(UsageError) as error:
        make_asker().check(Model("openrouter/x"))
    assert "OPENROUTER_API_KEY" in error.value.fix


def test_a_gateway_keeps_the_box_order_of_the_model_behind_it() -> None:
    assert Model("openrouter/google/gemini-x").profile.boxes == "yxyx"
    assert Model("openrouter/qwen/qwen-x").profile.boxes == "xyxy"
