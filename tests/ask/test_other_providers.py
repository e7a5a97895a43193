"""Providers other than Anthropic, OpenAI and Ollama: through OpenAI's API, or through their own SDKs."""

import base64
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Model, NoAnswer, Passage, Picture, Reply, Request, wait_for
from semiosis.testing import Fails, HangsUp, Sends, StandIn, Step, says
from semiosis.values import ProviderError, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower

pytestmark = pytest.mark.slow  # importing the SDKs takes long

OTHERS = {
    "openrouter": ("OPENROUTER_API_KEY", "OPENROUTER_BASE_URL"),
    "deepseek": ("DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL"),
    "together": ("TOGETHER_API_KEY", "TOGETHER_BASE_URL"),
    "databricks": ("DATABRICKS_TOKEN", "DATABRICKS_HOST"),  # through instructor and OpenAI's SDK
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


# Gemini through instructor and Google's SDK, which gives objects instead of bytes.

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def _gemini(arguments: dict[str, Any], **changes: Any) -> Sends:
    call = {"functionCall": {"name": "Flower", "args": arguments}}
    usage = {"promptTokenCount": 100, "candidatesTokenCount": 50, "thoughtsTokenCount": 7}
    candidate = {"content": {"parts": [call], "role": "model"}, "finishReason": "STOP", **changes}
    reply = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-served"}
    return Sends(json.dumps(reply).encode())


@pytest.fixture
def gemini(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move Gemini to a stand-in, and return the request to ask it."""
    pytest.importorskip("google.genai")
    pytest.importorskip("jsonref")
    monkeypatch.setenv("GOOGLE_API_KEY", "google-key")

    def moved(provider: StandIn) -> Request[Flower]:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", provider.url)
        parts = (Passage("Which flower?"), Picture(PIXEL, "image/png", 1, 1))
        return Request(Model("google/gemini-x"), "Name the flower.", parts, Flower)

    return moved


def test_gemini_answers_and_is_asked_again(gemini: Any, make_asker: MakeAsker) -> None:
    with StandIn([_gemini({"name": "lily"}), _gemini(LILY)]) as provider:
        reply = wait_for(make_asker().ask(gemini(provider)))
        again = wait_for(make_asker().ask(gemini(provider)))
    assert isinstance(reply, Reply)
    assert isinstance(again, Reply)
    assert (reply.answer.petals, reply.served, again.kept) == (6, "gemini-served", True)
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (2, 200, 114)
    first, second = (call.body for call in provider.calls)
    assert first["systemInstruction"]["parts"][0]["text"].strip() == "Name the flower."
    text, picture = first["contents"][0]["parts"]
    assert text["text"] == "Which flower?"
    assert base64.urlsafe_b64decode(picture["inlineData"]["data"]) == PIXEL
    assert first["generationConfig"]["maxOutputTokens"] == 4096
    assert len(second["contents"]) > len(first["contents"])


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (_gemini({"name": "\ud800", "petals": 6}), "malformed"),
        (_gemini(LILY, finishReason="MAX_TOKENS"), "cut-off"),
        (_gemini(LILY, finishReason="SAFETY"), "refusal"),
        (Sends(b'{"candidates": []}'), "empty"),
        (Sends(b"<html>"), "provider"),
        (Sends(b"{", headers={"content-length": "90"}, closes=True), "provider"),
        (Fails(503), "provider"),
    ],
    ids=["surrogate", "cut off", "refusal", "empty", "page", "reset", "error"],
)
def test_what_gemini_gets_wrong_is_unscored(
    step: Step, reason: str, gemini: Any, make_asker: MakeAsker
) -> None:
    with StandIn(lambda _: step) as provider:
        outcome = wait_for(make_asker(tries=2, re_asks=1).ask(gemini(provider)))
    assert isinstance(outcome, NoAnswer)
    assert outcome.reason == reason


def test_an_sdk_without_a_package_it_needs_says_which(
    gemini: Any, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jsonref", None)
    with StandIn([]) as provider, pytest.raises(UsageError, match="jsonref"):
        wait_for(make_asker().ask(gemini(provider)))


def test_a_missing_key_names_its_variable(make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    with pytest.raises(UsageError) as error:
        make_asker().check(Model("openrouter/x"))
    assert "OPENROUTER_API_KEY" in error.value.fix


def test_a_gateway_keeps_the_box_order_of_the_model_behind_it() -> None:
    assert Model("openrouter/google/gemini-x").profile.boxes == "yxyx"
    assert Model("openrouter/qwen/qwen-x").profile.boxes == "xyxy"
