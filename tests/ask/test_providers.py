"""Every row of the provider table, against servers that redirect, flood, cut off, fail with 200 and refuse.

The SDKs speak HTTP to loopback. Each provider has a key of its own, and no key may reach another host.
"""

import base64
import gzip
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Model, Passage, Picture, Reply, Request, UnansweredRequest, wait_for
from semiosis.ask._profile import PROVIDERS, profile_of
from semiosis.testing import (
    Call,
    DisconnectStep,
    HTTPErrorStep,
    RawResponseStep,
    Script,
    StandIn,
    Step,
    refuses,
    says,
)
from semiosis.values import ProviderError, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower

pytestmark = pytest.mark.slow  # importing the SDKs takes long

NAMES = [name.strip() for name in PROVIDERS.split(",")]
KEYS = {profile_of(f"{name}/x").key_variable: f"{name}-secret-key" for name in NAMES}
OTHER_SECRETS = {
    "ANTHROPIC_AUTH_TOKEN": "token-secret",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Gateway: header-secret",
    "OPENAI_ADMIN_KEY": "admin-secret",
    "OPENAI_ORG_ID": "org-secret",
    "OPENAI_PROJECT_ID": "project-secret",
    "OPENAI_CUSTOM_HEADERS": "X-Gateway: header-secret",
    "SEMIOSIS_API_KEY": "own-secret",
}
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
MEGABYTE = 2**20
FOREIGN = [name for name in NAMES if name not in ("anthropic", "openai")]


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A provider of the table, with the keys of all providers in the environment."""
    for variable, secret in {**KEYS, **OTHER_SECRETS}.items():
        monkeypatch.setenv(variable, secret)
    if request.param == "anthropic":  # its SDK prefers a key to a token, and sends its own custom headers
        for variable in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"):
            monkeypatch.delenv(variable)
    return str(request.param)


@pytest.fixture
def moved(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move the provider to a stand-in, and return the request to ask it."""

    def move(provider: StandIn, *parts: Passage | Picture) -> Request[Flower]:
        url = provider.url if name == "anthropic" else provider.openai_url
        monkeypatch.setenv(profile_of(f"{name}/x").url_variable, url)
        return Request(Model(f"{name}/x"), "Name it.", (Passage("Which flower?"), *parts), Flower)

    return move


def test_a_provider_receives_its_own_key_and_nothing_else(
    name: str, moved: Any, make_asker: MakeAsker
) -> None:
    with StandIn([says({"name": "lily"}), says(LILY)]) as provider:
        reply = wait_for(make_asker().ask(moved(provider, Picture(PIXEL, "image/png", 1, 1))))
    assert isinstance(reply, Reply)
    assert reply.answer.petals == 6
    assert [call.re_ask for call in provider.calls] == [False, True]
    profile = profile_of(f"{name}/x")
    own = KEYS[profile.key_variable]
    for call in provider.calls:
        if name != "anthropic":  # its SDK chooses the header by the kind of the key
            value = call.headers[profile.key_header]
            assert value == (f"Bearer {own}" if profile.key_header == "authorization" else own)
        assert str(call.headers).count(own) == 1
        assert call.path.endswith(("/v1/messages", f"{profile.url_path}/chat/completions"))
        assert len(call.images) == 1
        assert call.schema["required"] == ["name", "petals"]
        if name in FOREIGN:  # OpenAI's own server may receive its organisation
            assert "secret" not in str(call.headers).replace(own, "")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(status: int, moved: Any, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY)) as elsewhere:
        location = f"{elsewhere.openai_url}/chat/completions"
        redirect = RawResponseStep(b"", status, {"location": location})
        with StandIn([redirect]) as provider, pytest.raises(UsageError, match=r"redirects to 127.0.0.1"):
            wait_for(make_asker().ask(moved(provider)))
    assert len(provider.calls) == 1
    assert elsewhere.calls == []  # neither a key nor the prompt


@pytest.mark.parametrize("status", [200, 500])
def test_a_bomb_does_not_fill_the_memory(
    status: int, moved: Any, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semiosis.ask._connection.MAX_REPLY_BYTES", MEGABYTE)
    bomb = RawResponseStep(gzip.compress(b" " * (60 * MEGABYTE), 1), status, {"content-encoding": "gzip"})
    with StandIn([says(LILY), bomb]) as provider:
        asker = make_asker(tries=1)
        request = moved(provider)
        wait_for(asker.ask(replace(request, repeat=1)))  # what is loaded on first use is not counted
        tracemalloc.start()
        outcome = wait_for(asker.ask(request))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "provider"
    assert peak < 20 * MEGABYTE


CUT_BODY = b'{"id": "m", "type": "message", "content": [{"type": "tool_use", "inp'
NO_LENGTH = {"content-length": "", "connection": "close"}
CUTS: dict[str, Step] = {
    "no response": DisconnectStep(),
    "short of its length": RawResponseStep(CUT_BODY, headers={"content-length": "500"}, closes=True),
    "without a length": RawResponseStep(CUT_BODY, headers=NO_LENGTH, closes=True),
    "a length that is too short": RawResponseStep(CUT_BODY),
    "gzip": RawResponseStep(gzip.compress(CUT_BODY * 9)[:-20], headers={"content-encoding": "gzip"}),
    "gzip without a length": RawResponseStep(
        gzip.compress(CUT_BODY * 9)[:-20], headers={"content-encoding": "gzip", **NO_LENGTH}, closes=True
    ),
}


@pytest.mark.parametrize("kind", CUTS)
def test_a_reply_that_is_cut_off_on_the_way_is_asked_for_again(
    kind: str, moved: Any, make_asker: MakeAsker
) -> None:
    with StandIn([CUTS[kind], says(LILY)]) as provider:
        asker = make_asker()
        reply = wait_for(asker.ask(moved(provider)))
    assert isinstance(reply, Reply)
    assert (reply.answer.petals, reply.retries, asker.budget.unanswered) == (6, 1, 1)


ERRORS: dict[str, bytes] = {
    "an object": b'{"error": {"code": 503, "message": "overloaded"}}',
    "a list": b'[{"error": {"code": 503, "message": "overloaded"}}]',
    "beside an empty reply": b'{"choices": [], "content": [], "error": {"message": "overloaded"}}',
    "in a choice": b'{"content": [], "error": 1, "choices": [{"error": {"code": 502}, "message": null}]}',
    "a page": b"<html>",
}


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_with_status_200_is_no_answer(kind: str, moved: Any, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: RawResponseStep(ERRORS[kind])) as provider:
        asker = make_asker(tries=2)
        outcome = wait_for(asker.ask(moved(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert (outcome.reason, outcome.retries) == ("provider", 1)
    assert asker.budget.spent.calls == 0
    assert len(provider.calls) == 2  # an SDK that repeats calls by itself would have made more


def _stopped(word: str) -> Script:
    """A provider that stops an empty answer with this word."""

    def answer(call: Call) -> Step:
        if call.path.endswith("/messages"):
            return says({}, content=[], stop_reason=word)
        return says({}, choices=[{"index": 0, "finish_reason": word, "message": {"content": None}}])

    return answer


@pytest.mark.parametrize(
    "script",
    [
        lambda _: refuses(),
        _stopped("content_filter"),
        _stopped("SAFETY"),
        lambda _: HTTPErrorStep(400, error={"code": "content_filter"}),
    ],
    ids=["in words", "filter", "safety", "HTTP 400"],
)
def test_a_refusal_for_safety_is_a_refusal(script: Script, moved: Any, make_asker: MakeAsker) -> None:
    with StandIn(script) as provider:
        outcome = wait_for(make_asker().ask(moved(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "refusal"
    assert len(provider.calls) == 1


def test_a_reply_that_cannot_be_read_is_in_the_journal(
    name: str, moved: Any, make_asker: MakeAsker, tmp_path: Path
) -> None:
    content = '"\\ud800\xff"'
    fields = {"model": "x", "content": "CONTENT", "choices": [{"message": {"content": "CONTENT"}}]}
    body = json.dumps(fields).replace('"CONTENT"', content).encode("latin-1")
    with StandIn(lambda _: RawResponseStep(body)) as provider:
        asker = make_asker(re_asks=0)
        outcome = wait_for(asker.ask(moved(provider)))
        wait_for(asker.close())
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "malformed"
    assert body in (tmp_path / "replies.sqlite").read_bytes()


def test_an_echoed_key_reaches_no_message_and_no_file(
    name: str, moved: Any, make_asker: MakeAsker, tmp_path: Path
) -> None:
    own = KEYS[profile_of(f"{name}/x").key_variable]
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in own)
    header = base64.b64encode(f"Bearer {own}".encode()).decode().rstrip("=")
    with StandIn(lambda _: RawResponseStep(f'{{"error": "{own} {escaped} {header}"}}'.encode())) as provider:
        asker = make_asker(tries=1)
        outcome = wait_for(asker.ask(moved(provider)))
        wait_for(asker.close())
    assert isinstance(outcome, UnansweredRequest)
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir()).decode("latin-1")
    for spelling in (own, escaped, header):
        assert spelling not in outcome.detail
        assert spelling not in written


def test_a_refused_key_names_its_variable(name: str, moved: Any, make_asker: MakeAsker) -> None:
    with StandIn([HTTPErrorStep(401)]) as provider, pytest.raises(ProviderError) as error:
        wait_for(make_asker().ask(moved(provider)))
    assert profile_of(f"{name}/x").key_variable in error.value.fix
    assert "secret" not in str(error.value)


def test_another_endpoint_is_another_question(name: str, moved: Any, make_asker: MakeAsker) -> None:
    with StandIn([says(LILY)]) as first, StandIn([says({"name": "lily", "petals": 5})]) as second:
        replies = [wait_for(make_asker().ask(moved(provider))) for provider in (first, second)]
    assert [reply.answer.petals for reply in replies if isinstance(reply, Reply)] == [6, 5]


@pytest.mark.parametrize("name", ["bedrock", "cohere", "vertexai", "azure_openai", "no-such-provider"])
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_provider_without_a_row_is_refused_by_name(name: str, dry_run: bool, make_asker: MakeAsker) -> None:
    with pytest.raises(UsageError, match=f"'{name}' is not supported") as error:
        make_asker(dry_run=dry_run).check(Model(f"{name}/x"))
    assert "groq, mistral" in error.value.fix


@pytest.mark.parametrize(
    ("name", "variable"), [("azure", "AZURE_OPENAI_ENDPOINT"), ("databricks", "DATABRICKS_HOST")]
)
def test_a_provider_without_an_address_names_the_variable(
    name: str, variable: str, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UsageError) as error:
        make_asker().check(Model(f"{name}/x"))
    assert variable in error.value.fix


def test_a_missing_key_names_its_variable(make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    with pytest.raises(UsageError) as error:
        make_asker().check(Model("openrouter/x"))
    assert "OPENROUTER_API_KEY" in error.value.fix


def test_a_price_that_is_unknown_is_not_shown_as_zero(make_asker: MakeAsker) -> None:
    with StandIn([DisconnectStep()]) as provider:
        asker = make_asker(tries=1)
        request = Request(Model("openai/my-own", provider.openai_url), "Name it.", (), Flower)
        wait_for(asker.ask(request))
    assert "1 sent without a reply, which may be billed, no price known for" in str(asker.budget)


def test_a_gateway_keeps_the_box_order_of_the_model_behind_it() -> None:
    assert Model("openrouter/google/gemini-x").profile.boxes == "yxyx"
    assert Model("openrouter/qwen/qwen-x").profile.boxes == "xyxy"
