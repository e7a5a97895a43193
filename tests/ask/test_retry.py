"""How long a provider is waited for, how often it is tried, and when a run stops."""

import asyncio
import itertools
import json
import logging
import socket
import time
from typing import Any
from unittest import mock

import pytest

from semiosis.ask import Asker, Model, Passage, Reply, Request, UnansweredRequest, _sender, wait_for
from semiosis.ask._limit import Limiter
from semiosis.ask._loop import start_on_loop
from semiosis.ask._recorder import OutgoingCall, Recorder
from semiosis.testing import Call, DisconnectStep, HTTPErrorStep, RawResponseStep, StandIn, Step, busy, says
from semiosis.values import ProviderError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, MODELS, Flower, question


@pytest.mark.parametrize("way", ["anthropic-tools", "openai-tools"])
def test_an_endless_body_is_a_timeout(way: str, make_asker: MakeAsker) -> None:
    # Every byte arrives in time; only the whole call has a deadline.
    with StandIn(lambda _: RawResponseStep(b" " * 100_000, drip=0.01)) as provider:
        asker = make_asker(timeout=0.2, tries=2)
        outcome = wait_for(asker.ask(question(provider, way)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "timeout"
    assert outcome.retries == 1
    assert len(provider.calls) == 2
    assert asker.budget.unanswered == 2  # the provider may bill them
    assert "2 sent without a reply, which may be billed (at most $0." in str(asker.budget)


def test_calls_without_a_reply_count_against_the_cost_limit(make_asker: MakeAsker) -> None:
    # The most a call can cost is about $0.041, so $0.1 allows two calls, billed or not.
    with StandIn(lambda _: DisconnectStep()) as provider:
        outcome = wait_for(make_asker(max_cost=0.1).ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "budget"
    assert len(provider.calls) == 2


def test_all_tries_together_have_a_deadline(make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "semiosis.ask._sender.asyncio.sleep", mock.AsyncMock()
    )  # waits count, but take no time
    with StandIn(lambda _: HTTPErrorStep(500)) as provider:
        asker = make_asker(total_timeout=900, first_wait=60, tries=1000)
        outcome = wait_for(asker.ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "provider"
    assert 3 < len(provider.calls) < 30


def test_no_call_outlasts_the_total(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY, delay=3600)) as provider:
        outcome = wait_for(make_asker(timeout=3600, total_timeout=0.1).ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "timeout"
    assert len(provider.calls) == 1


def test_waiting_for_a_slot_does_not_count_against_the_total(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[tuple[float, OutgoingCall]] = []
    record = Recorder.record

    async def noted(recorder: Recorder, outgoing: OutgoingCall, *arguments: Any, **named: Any) -> Any:
        ended.append((time.monotonic(), outgoing))
        return await record(recorder, outgoing, *arguments, **named)

    monkeypatch.setattr(Recorder, "record", noted)
    began = time.monotonic()
    with StandIn(lambda _: says(LILY, delay=0.2)) as provider:
        wait_for(_ask_all(make_asker(in_flight=1), MODELS["openai-tools"](provider), 2))
    (first, _), (second, outgoing) = ended
    assert second - began - outgoing.seconds >= first - began - 0.1  # it waited while the first was asked


def test_a_wait_of_an_hour_ends_the_question(make_asker: MakeAsker) -> None:
    with StandIn([HTTPErrorStep(429, {"retry-after": "3600"})]) as provider:
        outcome = wait_for(make_asker().ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert "asks to wait 3600 s, longer than 120 s" in outcome.detail


def test_a_provider_that_asks_for_no_wait_is_tried_again_after_the_usual_one(make_asker: MakeAsker) -> None:
    arrived: list[float] = []

    def answer(_call: Call) -> Step:
        arrived.append(asyncio.get_running_loop().time())
        return says(LILY) if len(arrived) == 4 else HTTPErrorStep(429, {"retry-after": "0"})

    with StandIn(answer) as provider:
        wait_for(make_asker(first_wait=0.04).ask(question(provider)))
    gaps = [later - earlier for earlier, later in itertools.pairwise(arrived)]
    assert all(gap >= wait / 2 for gap, wait in zip(gaps, (0.04, 0.08, 0.16), strict=True))


def test_a_long_wait_is_announced(
    make_asker: MakeAsker, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_sender, "_MIN_LOGGED_WAIT", 0.1)
    with StandIn([busy(429, retry_after_ms=110), says(LILY)]) as provider:
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    (record,) = (record for record in caplog.records if record.name == "semiosis.ask")
    assert record.levelno == logging.WARNING
    assert "trying again in 0 s (try 2 of 10)" in record.getMessage()


def _unused_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.mark.parametrize("provider", ["ollama", "openai", "anthropic"])
def test_a_server_that_does_not_run_is_reported_after_three_tries(
    provider: str, make_asker: MakeAsker
) -> None:
    url = f"http://127.0.0.1:{_unused_port()}/v1"
    asker = make_asker()
    with pytest.raises(ProviderError, match=r"no connection to http://127.0.0.1") as raised:
        wait_for(asker.ask(Request(Model(f"{provider}/x", url), "Name it.", (), Flower)))
    assert "start the server" in raised.value.fix
    assert asker.budget.retries == 2
    assert asker.budget.unanswered == 0  # nothing was sent


@pytest.mark.parametrize(
    "step",
    [HTTPErrorStep(400, error={"message": "Your image is too large (request 17)"}), HTTPErrorStep(422)],
    ids=repr,
)
def test_the_same_error_many_times_in_a_row_stops_the_run(step: Step, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: step) as provider:
        asker = make_asker(stop_after=4)
        for number in range(3):
            assert isinstance(wait_for(asker.ask(question(provider, words=str(number)))), UnansweredRequest)
        with pytest.raises(ProviderError, match="4 questions in a row failed with the same error") as raised:
            wait_for(asker.ask(question(provider, words="3")))
    assert "credit" in raised.value.fix


def test_different_errors_and_successes_do_not_stop_the_run(make_asker: MakeAsker) -> None:
    steps: list[Step] = [
        HTTPErrorStep(400),
        HTTPErrorStep(422),
        HTTPErrorStep(400),
        says(LILY),
        HTTPErrorStep(400),
        HTTPErrorStep(422),
    ]
    with StandIn(steps) as provider:
        asker = make_asker(stop_after=2)
        for number in range(len(steps)):
            wait_for(asker.ask(question(provider, words=str(number))))
    assert len(provider.calls) == len(steps)


@pytest.mark.parametrize(
    "step",
    [
        HTTPErrorStep(402),
        HTTPErrorStep(429, error={"code": "insufficient_quota"}),
        HTTPErrorStep(400, error={"message": "Your credit balance is too low to access the API."}),
    ],
    ids=repr,
)
def test_used_up_credit_stops_the_run_at_once(step: Step, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: step) as provider, pytest.raises(ProviderError, match="credit is used up"):
        wait_for(make_asker().ask(question(provider, "openai-tools")))
    assert len(provider.calls) == 1


def _replicated(*servers: StandIn, in_flight: int | None = None) -> Model:
    first, *others = (server.openai_url for server in servers)
    return Model("openai/x", first, replicas=tuple(others), in_flight=in_flight)


async def _ask_all(asker: Asker, model: Model, how_many: int) -> list[object]:
    questions = (Request(model, "Name it.", (Passage(str(n)),), Flower) for n in range(how_many))
    return list(await asyncio.gather(*(asker.ask(question) for question in questions)))


@pytest.mark.parametrize(
    "failure", [HTTPErrorStep(500), DisconnectStep(), RawResponseStep(b"<html>")], ids=repr
)
def test_another_replica_takes_over_at_once(failure: Step, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: failure) as broken, StandIn(lambda _: says(LILY)) as good:
        # With a first wait of a minute only a take-over without any wait ends in time.
        asker = make_asker(first_wait=60)
        replies = wait_for(_ask_all(asker, _replicated(broken, good), 6))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len(good.calls) == 6


def test_a_replica_that_does_not_run_is_skipped(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY)) as good:
        model = Model("openai/x", f"http://127.0.0.1:{_unused_port()}/v1", replicas=(good.openai_url,))
        replies = wait_for(_ask_all(make_asker(first_wait=60), model, 6))
    assert all(isinstance(reply, Reply) for reply in replies)


def test_replicas_share_the_work_and_each_has_its_own_limit(make_asker: MakeAsker) -> None:
    with (
        StandIn(lambda _: says(LILY, delay=0.01)) as one,
        StandIn(lambda _: says(LILY, delay=0.01)) as two,
    ):
        wait_for(_ask_all(make_asker(), _replicated(one, two, in_flight=3), 40))
    assert max(one.most_at_once, two.most_at_once) <= 3
    assert len(one.calls) + len(two.calls) == 40
    assert min(len(one.calls), len(two.calls)) > 5


def test_a_replica_that_dies_in_the_middle_of_a_run_costs_no_question(make_asker: MakeAsker) -> None:
    dying = StandIn(lambda _: says(LILY, delay=0.01))
    with StandIn(lambda _: says(LILY, delay=0.01)) as good:
        with dying:
            asker = make_asker(first_wait=60)  # a question that waited instead of moving on would hang here
            answers = start_on_loop(_ask_all(asker, _replicated(dying, good, in_flight=3), 60))
            while len(dying.calls) < 5:
                time.sleep(0.001)
        replies = answers.result()
    assert all(isinstance(reply, Reply) for reply in replies)
    assert asker.budget.retries >= 1
    assert len(good.calls) > 30


def test_all_models_of_a_server_share_its_limit(make_asker: MakeAsker, limiters: list[Limiter]) -> None:
    async def both(asker: Asker, *models: Model) -> None:
        await asyncio.gather(*(_ask_all(asker, model, 10) for model in models))

    with StandIn(lambda _: says(LILY, delay=0.01)) as provider:
        heated = (Model("openai/x", provider.openai_url, {"temperature": heat}) for heat in (0.0, 1.0))
        another = Model("openai/y", provider.openai_url.replace("127.0.0.1", "localhost"), in_flight=2)
        wait_for(both(make_asker(in_flight=3), *heated, another))
    assert len(provider.calls) == 30
    assert [limiter.max_limit for limiter in limiters] == [2]  # the lowest limit that was asked for
    assert provider.most_at_once <= 3


def test_a_reply_of_one_replica_is_kept_for_all(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY)) as one:
        with StandIn(lambda _: says(LILY)) as two:
            wait_for(_ask_all(make_asker(), _replicated(one, two), 6))
        before = len(one.calls)
        replies = wait_for(_ask_all(make_asker(), _replicated(one), 6))
    assert all(isinstance(reply, Reply) and reply.kept for reply in replies)
    assert len(one.calls) == before


def test_a_model_that_is_overloaded_does_not_slow_another(
    make_asker: MakeAsker, limiters: list[Limiter]
) -> None:
    async def both(asker: Asker, *models: Model) -> None:
        await asyncio.gather(*(_ask_all(asker, model, 4) for model in models))

    steps = iter([busy(429)])
    with StandIn(lambda _: next(steps, says(LILY))) as slow, StandIn(lambda _: says(LILY)) as quick:
        models = Model("openai/a", slow.openai_url), Model("openai/b", quick.openai_url)
        asker = make_asker(in_flight=8)
        wait_for(both(asker, *models))
    overloaded, other = (limiter.limit for limiter in limiters)
    assert overloaded < other == 8


def test_token_probabilities_come_with_the_answer_and_from_the_journal(make_asker: MakeAsker) -> None:
    top = [{"token": "lily", "logprob": -0.1}, {"token": "rose", "logprob": -2.5}]
    content = [{"token": '{"name":"', "logprob": 0.0, "top_logprobs": []}, {**top[0], "top_logprobs": top}]
    said = {"role": "assistant", "content": json.dumps(LILY)}
    choice = {"index": 0, "finish_reason": "stop", "message": said, "logprobs": {"content": content}}
    with StandIn([says(LILY, choices=[choice])]) as provider:
        request = question(provider, "openai-schema", parameters={"logprobs": True, "top_logprobs": 2})
        first, again = wait_for(make_asker().ask(request)), wait_for(make_asker().ask(request))
    assert provider.calls[0].body["logprobs"] is True
    assert isinstance(first, Reply)
    assert isinstance(again, Reply)
    assert again.kept
    assert first.tokens == again.tokens
    assert [token.text for token in first.tokens] == ['{"name":"', "lily"]
    assert first.tokens[1].alternatives == {"lily": -0.1, "rose": -2.5}
