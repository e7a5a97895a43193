"""Keys: a provider's key reaches that provider and nobody else, and no message or file shows one."""

import base64
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from semiosis.ask import Model, Passage, Reply, Request, wait_for
from semiosis.ask._profile import profile_of
from semiosis.testing import Call, HTTPErrorStep, RawResponseStep, StandIn, says
from semiosis.values import SemiosisError, Unscored, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower

SECRETS = {
    "ANTHROPIC_API_KEY": "sk-ant-secret-1",
    "ANTHROPIC_AUTH_TOKEN": "token-secret-2",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Gateway: header-secret-3\nAuthorization: Bearer bearer-secret-4",
    "OPENAI_API_KEY": "sk-secret-5",
    "OPENAI_ADMIN_KEY": "admin-secret-6",
    "OPENAI_ORG_ID": "org-secret-7",
    "OPENAI_PROJECT_ID": "project-secret-8",
    "OPENAI_CUSTOM_HEADERS": "X-Gateway: header-secret-9",
    "OPENAI_WEBHOOK_SECRET": "webhook-secret-10",
}
OWN = "own-server-key"


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Every variable from which an SDK reads something that identifies the user."""
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SEMIOSIS_API_KEY", OWN)
    return SECRETS


def _ask(model: Model) -> Request[Flower]:
    return Request(model, "Name it.", (Passage("Which flower?"),), Flower)


@pytest.mark.parametrize("provider", ["anthropic", "openai", "ollama", "vllm", "google"])
@pytest.mark.usefixtures("secrets")
def test_the_users_own_server_receives_its_own_key_only(provider: str, make_asker: MakeAsker) -> None:
    with StandIn([says(LILY)]) as server:
        url = server.url if provider == "anthropic" else server.openai_url
        assert isinstance(wait_for(make_asker().ask(_ask(Model(f"{provider}/x", url)))), Reply)
    received = str(server.calls[0].headers)
    assert OWN in received
    assert "secret" not in received


@pytest.mark.usefixtures("secrets")
def test_replicas_receive_the_same_key_only(make_asker: MakeAsker) -> None:
    with StandIn([HTTPErrorStep(503)]) as one, StandIn([says(LILY)]) as two:
        model = Model("openai/x", one.openai_url, replicas=(two.openai_url,))
        assert isinstance(wait_for(make_asker().ask(_ask(model))), Reply)
    assert "secret" not in str([call.headers for call in one.calls + two.calls])


@pytest.mark.parametrize("name", ["anthropic", "openai"])
@pytest.mark.usefixtures("secrets")
def test_no_redirect_is_followed(name: str, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    with StandIn([]) as elsewhere:
        target = RawResponseStep(b"", status=307, headers={"location": f"{elsewhere.url}/v1/messages"})
        with StandIn([target]) as provider:
            url = provider.url if name == "anthropic" else provider.openai_url
            monkeypatch.setenv(f"{name.upper()}_BASE_URL", url)
            with pytest.raises(UsageError, match=r"redirects to 127.0.0.1"):
                wait_for(make_asker().ask(_ask(Model(f"{name}/x"))))
    assert len(provider.calls) == 1
    assert elsewhere.calls == []


@pytest.mark.parametrize("name", ["anthropic", "openai"])
@pytest.mark.usefixtures("secrets")
def test_a_key_that_a_server_echoes_reaches_no_message_and_no_file(
    name: str, make_asker: MakeAsker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def echo(call: Call) -> RawResponseStep:
        status = 500 if len(server.calls) == 1 else 400 if "error" in call.text else 200
        return RawResponseStep(
            f'{{"error": {{"message": "bad {call.headers}"}}}}'.replace("'", "").encode(), status
        )

    with StandIn(echo) as server, caplog.at_level(logging.DEBUG, "semiosis"):
        model = Model(f"{name}/x", server.url if name == "anthropic" else server.openai_url)
        asker = make_asker(tries=2)
        outcomes = [
            wait_for(asker.ask(Request(model, "Name it.", (Passage(words),), Flower)))
            for words in ("Which?", "error")
        ]
        wait_for(asker.close())
    assert all(isinstance(outcome, Unscored) for outcome in outcomes)
    assert OWN not in str(outcomes)
    assert OWN not in caplog.text
    assert all(OWN.encode() not in file.read_bytes() for file in tmp_path.iterdir())


@pytest.mark.parametrize("spell", [lambda key: quote(key, safe=""), lambda key: key.replace("/", "\\/")])
def test_a_key_that_is_echoed_in_another_spelling_reaches_no_file(
    spell: Callable[[str], str], make_asker: MakeAsker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "own/server+key"
    monkeypatch.setenv("SEMIOSIS_API_KEY", key)
    with StandIn(lambda _: RawResponseStep(f'{{"error": "bad key {spell(key)}"}}'.encode())) as server:
        asker = make_asker(tries=1)
        outcome = wait_for(asker.ask(_ask(Model("openai/x", server.openai_url))))
        wait_for(asker.close())
    assert isinstance(outcome, Unscored)
    assert "bad key [key]" in outcome.detail
    assert all(spell(key).encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_a_key_in_base64_is_hidden_too(make_asker: MakeAsker) -> None:
    echoed = base64.b64encode(b"test-key").decode()
    with StandIn([HTTPErrorStep(400, error={"message": f"no basic {echoed}"})]) as server:
        outcome = wait_for(make_asker().ask(_ask(Model("openai/x", server.openai_url))))
    assert isinstance(outcome, Unscored)
    assert "dGVzdC1rZXk" not in outcome.detail


def test_a_placeholder_for_a_key_does_not_change_replies(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMIOSIS_API_KEY", "petals")
    with StandIn([says(LILY)]) as server:
        reply = wait_for(make_asker().ask(_ask(Model("openai/x", server.openai_url))))
    assert isinstance(reply, Reply)


@pytest.mark.parametrize("key", ["sk-secret\n", "sk-sec\nret", " sk-secret", "sk-s\u00e9cret", "sk secret"])
@pytest.mark.parametrize("name", ["anthropic", "openai"])
@pytest.mark.parametrize("own", [True, False])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(
    key: str, name: str, own: bool, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMIOSIS_API_KEY" if own else f"{name.upper()}_API_KEY", key)
    with StandIn([]) as server:
        model = Model(f"{name}/x", server.openai_url if own else "")
        with pytest.raises(UsageError, match="contains a space, a line break") as raised:
            wait_for(make_asker().ask(_ask(model)))
    assert "cret" not in str(raised.value)


@pytest.mark.usefixtures("secrets")
def test_a_server_on_this_machine_receives_nothing_of_openais(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StandIn([says(LILY)]) as server:
        profile = replace(profile_of("ollama/x"), url=server.openai_url)
        monkeypatch.setattr("semiosis.ask._model.profile_of", lambda _: profile)
        assert isinstance(wait_for(make_asker().ask(_ask(Model("ollama/x")))), Reply)
    assert "secret" not in str(server.calls[0].headers)


@pytest.mark.parametrize("url", ["http://me:hunter2@127.0.0.1:9", "me:hunter2@host", "http://host:99999"])
@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_an_endpoint_of_the_environment_is_checked_too(
    url: str, name: str, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{name.upper()}_BASE_URL", url)
    with pytest.raises(UsageError, match=r"contains a password|not the URL") as raised:
        wait_for(make_asker().ask(_ask(Model(f"{name}/x"))))
    assert "hunter2" not in str(raised.value)


def test_a_proxy_that_cannot_be_used_names_the_variables(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks9://127.0.0.1:9")
    with pytest.raises(UsageError) as raised:
        wait_for(make_asker().ask(_ask(Model("anthropic/x", "http://127.0.0.1:9"))))
    assert "ALL_PROXY" in raised.value.fix


@pytest.mark.usefixtures("secrets")
def test_a_refused_key_is_not_shown(make_asker: MakeAsker) -> None:
    refusal = HTTPErrorStep(401, error={"message": f"invalid key {OWN}"})
    with StandIn([refusal]) as server, pytest.raises(SemiosisError) as raised:
        wait_for(make_asker().ask(_ask(Model("openai/x", server.openai_url))))
    assert OWN not in str(raised.value)
    assert raised.value.__cause__ is None
    assert "SEMIOSIS_API_KEY" in raised.value.fix


@pytest.mark.parametrize("url", ["ftp://host/v1", "host:8000", "http://", "file:///x", "http://h:99999"])
def test_an_invalid_base_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="not the URL of a server"):
        Model("openai/x", url)


def test_a_password_in_a_base_url_is_refused_and_not_shown() -> None:
    with pytest.raises(UsageError, match="contains a password") as raised:
        Model("openai/x", "http://me:hunter2@host/v1")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(("name", "variable"), [("anthropic/x", "ANTHROPIC"), ("openai/x", "OPENAI")])
def test_another_endpoint_is_another_question(
    name: str, variable: str, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = _ask(Model(name)).key
    replies = []
    for petals in (5, 6):
        with StandIn([says({"name": "lily", "petals": petals})]) as provider:
            url = provider.url if name == "anthropic/x" else provider.openai_url
            monkeypatch.setenv(f"{variable}_BASE_URL", url)
            assert _ask(Model(name)).key != request
            replies.append(wait_for(make_asker().ask(_ask(Model(name)))))
    assert [reply.answer.petals for reply in replies if isinstance(reply, Reply)] == [5, 6]
    default = {"ANTHROPIC": "https://api.anthropic.com/", "OPENAI": "https://api.openai.com/v1"}[variable]
    monkeypatch.setenv(f"{variable}_BASE_URL", default)
    assert _ask(Model(name)).key == request  # the provider's own address changes nothing


def test_replicas_share_a_request_key() -> None:
    one = Model("openai/x", "http://a:1/v1")
    both = Model("openai/x", "http://a:1/v1", replicas=("http://b:2/v1",))
    assert _ask(one).key == _ask(both).key != _ask(Model("openai/x", "http://b:2/v1")).key


def test_spellings_of_one_address_are_one_endpoint() -> None:
    urls = ["http://localhost:80/v1/", "http://127.0.0.1/v1", "HTTP://LOCALHOST/v1", "http://[::1]:80/v1"]
    assert len({_ask(Model("openai/x", url)).key for url in urls}) == 1
    assert _ask(Model("openai/x", "https://localhost/v1")).key != _ask(Model("openai/x", urls[0])).key


def test_a_named_group_is_one_endpoint_whatever_its_servers() -> None:
    before = Model("openai/x", "http://a:1/v1", replicas=("http://b:2/v1",), group="cluster")
    after = Model("openai/x", "http://c:3/v1", group="cluster")
    assert _ask(before).key == _ask(after).key != _ask(Model("openai/x", "http://c:3/v1")).key


@pytest.mark.parametrize("url", ["http://host/v1?api-key=x", "http://host/v1#part"])
def test_a_query_in_a_base_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match=r"ends with \? or #"):
        Model("openai/x", url)


def test_a_proxy_whose_address_cannot_be_read_is_not_shown(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://me:hunter2/secret@proxy:99")
    with pytest.raises(UsageError) as raised:
        wait_for(make_asker().ask(_ask(Model("anthropic/x", "http://127.0.0.1:9"))))
    assert "HTTPS_PROXY" in raised.value.fix
    assert "hunter2" not in str(raised.value)


def test_request_keys_stay_as_they_are() -> None:
    # Replies are kept under these keys. With other keys, every user would pay again.
    one = Request(Model("anthropic/claude-sonnet-5"), "Name it.", (Passage("Which?"),), Flower)
    own = Request(Model("openai/x", "http://a:1/v1", {"seed": 3}), "Name it.", (), Flower, repeat=1)
    assert one.key == "01bf5cc9acacf42c99ff8adf4af88245183109df781e0b0825169e0604bee7e3"
    assert own.key == "8e6032701afba9904f78ecefacf64e6d37a29458663c8b0ca617980ad2671595"
