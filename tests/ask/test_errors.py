"""Errors of providers, proxies and processes: what is tried again, and what ends the run."""

import multiprocessing
from typing import Any

import pytest

from semiosis.ask import Asker, Passage, Reply, Request, UnansweredRequest, wait_for
from semiosis.testing import HTTPErrorStep, RawResponseStep, says
from semiosis.values import ProviderError, SemiosisError, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower, question
from tests.stand_in import FullStandIn

WAYS = pytest.mark.parametrize("way", ["anthropic-tools", "openai-tools"])


@WAYS
@pytest.mark.parametrize(
    ("failure", "calls"),
    [
        (HTTPErrorStep(500, {"x-should-retry": "false"}), 1),
        (HTTPErrorStep(429, {"x-should-retry": "false"}), 1),
        (HTTPErrorStep(400, {"x-should-retry": "true"}), 3),
        (HTTPErrorStep(500), 3),
        (HTTPErrorStep(400), 1),
    ],
)
def test_a_provider_may_say_whether_to_try_again(
    failure: HTTPErrorStep, calls: int, way: str, make_asker: MakeAsker
) -> None:
    with FullStandIn(lambda _: failure) as provider:
        outcome = wait_for(make_asker(tries=3).ask(question(provider, way)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "provider"
    assert len(provider.calls) == calls


@WAYS
def test_a_proxy_that_asks_for_a_password_ends_the_run(way: str, make_asker: MakeAsker) -> None:
    with (
        FullStandIn(lambda _: HTTPErrorStep(407)) as provider,
        pytest.raises(ProviderError, match="HTTP 407") as error,
    ):
        wait_for(make_asker().ask(question(provider, way)))
    assert "HTTPS_PROXY" in error.value.fix
    assert len(provider.calls) == 1


def test_a_proxy_that_refuses_a_tunnel_ends_the_run(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FullStandIn([]) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        monkeypatch.setenv("OPENAI_BASE_URL", "https://127.0.0.2:9/v1")
        proxy.tunnel_status = 407
        request = Request(_openai(), "Name it.", (Passage("Which?"),), Flower)
        with pytest.raises(ProviderError, match="HTTP 407"):
            wait_for(make_asker().ask(request))


@WAYS
def test_a_304_is_no_redirect(way: str, make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: RawResponseStep(b"", 304)) as provider:
        outcome = wait_for(make_asker(tries=2).ask(question(provider, way)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "provider"
    assert "redirect" not in outcome.detail


def test_half_a_character_is_refused_before_anything_is_sent() -> None:
    with FullStandIn([]) as provider, pytest.raises(UsageError, match="half a character at position 7"):
        question(provider, words="a lily \ud83c")


def _openai() -> Any:
    from semiosis.ask import Model

    return Model("openai/x")


def _ask_in_child(asker: Asker | None, journal: str, url: str, answers: Any) -> None:
    """Ask in a forked process, with the asker of the parent or with a new one."""
    from semiosis.ask import Model

    asker = asker or Asker(journal)
    request = Request(Model("anthropic/x", url), "Name it.", (Passage("In the child?"),), Flower)
    try:
        reply = wait_for(asker.ask(request))
        answers.put(reply.answer.petals if isinstance(reply, Reply) else repr(reply))
    except SemiosisError as error:
        answers.put(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_a_forked_process_fails_with_a_message_or_uses_its_own_asker(
    shared: bool, make_asker: MakeAsker, tmp_path: Any
) -> None:
    context: Any = multiprocessing.get_context("fork")
    with FullStandIn(lambda _: says(LILY)) as provider:
        asker = make_asker()
        wait_for(asker.ask(question(provider)))
        answers = context.Queue()
        given = (asker if shared else None, str(tmp_path / "child.sqlite"), provider.url, answers)
        child = context.Process(target=_ask_in_child, args=given)
        child.start()
        answer = answers.get(timeout=120)
        child.join(timeout=120)
    if shared:
        assert "opened before this process was forked" in answer
    else:
        assert answer == 6
