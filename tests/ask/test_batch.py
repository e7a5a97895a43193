"""Anthropic Message Batches: submitted together, collected later, and found again after a crash."""

import asyncio
import json
import sqlite3
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from semiosis.ask import Asker, Reply, wait_for
from semiosis.ask._journal import Journal
from semiosis.ask._loop import start_on_loop
from semiosis.testing import Call, HTTPErrorStep, RawResponseStep, Step, refuses, says
from semiosis.values import MachineError, Unscored, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question
from tests.stand_in import FullStandIn

PACE = {"batch": True, "batch_quiet": 0.05, "batch_poll": 0.005}


async def _ask_all(asker: Asker, provider: FullStandIn, how_many: int) -> list[object]:
    questions = (question(provider, words=f"Which is flower {number}?") for number in range(how_many))
    return list(await asyncio.gather(*(asker.ask(request) for request in questions)))


def _submitted(provider: FullStandIn) -> int:
    return sum(len(requests) for requests in provider.batches.values())


def test_questions_are_submitted_together_and_collected(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=3) as provider:
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 40))
        again = wait_for(_ask_all(make_asker(**PACE), provider, 40))
    assert _submitted(provider) == 40
    assert all(isinstance(reply, Reply) and not reply.kept for reply in replies)
    assert all(isinstance(reply, Reply) and reply.kept for reply in again)


def test_a_batch_costs_half(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY)) as provider:
        request = question(provider)
        batched = wait_for(make_asker(**PACE).ask(request))
        plain = wait_for(make_asker().ask(question(provider, repeat=1)))
    assert isinstance(batched, Reply)
    assert isinstance(plain, Reply)
    full = make_asker().budget.prices.cost(request.model, batched.usage)
    assert full is not None
    assert batched.usage.cost == pytest.approx(full / 2, abs=1e-6)  # whole micro-dollars
    assert plain.usage.cost == make_asker().budget.prices.cost(request.model, plain.usage)


async def _die_waiting(asker: Asker, provider: FullStandIn, how_many: int) -> None:
    asking = asyncio.create_task(_ask_all(asker, provider, how_many))
    # A batch that was asked about is known to the journal.
    while _submitted(provider) < how_many or not all(provider.polled.values()):
        await asyncio.sleep(0.001)
    everything = asyncio.all_tasks() - {asyncio.current_task()}  # those who wait for the results, too
    for task in everything:
        task.cancel()
    await asyncio.wait(everything)
    assert asking.cancelled()


def _forget_the_name(journal: Path) -> None:
    with sqlite3.connect(journal) as file:
        file.execute("UPDATE batches SET batch = 'submitted after  x'")  # when there was no batch yet


def test_a_run_that_died_while_a_batch_was_under_way_waits_for_the_same_batch(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_die_waiting(make_asker(**PACE), provider, 3))
        provider.finish_batches()
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 3))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 3


def test_a_batch_whose_name_was_not_recorded_before_a_crash_is_found(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_die_waiting(make_asker(**PACE), provider, 1))
        _forget_the_name(make_asker().journal.path)
        provider.finish_batches()
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)
    assert _submitted(provider) == 1


def test_a_batch_that_never_arrived_is_submitted_again(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_die_waiting(make_asker(**PACE), provider, 1))
        _forget_the_name(make_asker().journal.path)
        provider.batches["msgbatch_0"] = []  # somebody else's
        provider.finish_batches()
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)
    assert _submitted(provider) == 1


def test_each_question_of_a_batch_may_fail_on_its_own(make_asker: MakeAsker) -> None:
    def answer(call: Call) -> Step:
        if "flower 0" in call.text:
            return HTTPErrorStep(500)
        return refuses() if "flower 1" in call.text else says(LILY)

    with FullStandIn(answer) as provider:
        outcomes = wait_for(_ask_all(make_asker(**PACE), provider, 3))
    reasons = [outcome.reason if isinstance(outcome, Unscored) else "scored" for outcome in outcomes]
    assert reasons == ["provider", "refusal", "scored"]


@pytest.mark.slow
def test_a_question_that_the_results_leave_out_is_unscored(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        asking = start_on_loop(_ask_all(make_asker(**PACE), provider, 1))
        while not any(provider.polled.values()):
            pass
        provider.batches["msgbatch_0"] = []
        provider.finish_batches()
        (outcome,) = asking.result()
    assert isinstance(outcome, Unscored)
    assert outcome.reason == "provider"


def test_a_journal_that_cannot_be_written_stops_the_batch_with_a_message(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_journal: Journal, _batch: str, _sent: object) -> Future[None]:
        failed: Future[None] = Future()
        failed.set_exception(MachineError("the journal cannot be written: disk full"))
        return failed

    monkeypatch.setattr(Journal, "record_batch", full)
    with FullStandIn([]) as provider, pytest.raises(MachineError, match="disk full"):
        wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert not provider.batches


def test_re_asks_go_through_a_batch_too(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda call: says(LILY if call.re_ask else {"name": "lily"})) as provider:
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 3))
    assert all(isinstance(reply, Reply) and reply.usage.calls == 2 for reply in replies)
    assert _submitted(provider) == 6


async def _interrupt(asker: Asker, provider: FullStandIn, how_many: int) -> None:
    """Ask, press Ctrl-C while the batch is under way, and close as the command line does."""
    asking = asyncio.create_task(_ask_all(asker, provider, how_many))
    while not provider.polled or not all(provider.polled.values()):
        await asyncio.sleep(0.001)
    asking.cancel()
    await asyncio.wait([asking])
    await asker.close()


def test_ctrl_c_does_not_wait_for_the_batch(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:  # this batch never ends
        wait_for(_interrupt(make_asker(**PACE), provider, 3))
        provider.finish_batches()
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 3))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 3  # the next run collected it


def test_questions_cancelled_before_they_are_submitted_are_not_submitted(make_asker: MakeAsker) -> None:
    async def gather_and_leave(asker: Asker, provider: FullStandIn) -> None:
        asking = asyncio.create_task(_ask_all(asker, provider, 3))
        await asyncio.sleep(0.05)
        asking.cancel()
        await asyncio.wait([asking])
        await asker.close()

    with FullStandIn([]) as provider:
        wait_for(gather_and_leave(make_asker(**{**PACE, "batch_quiet": 0.2}), provider))
    assert not provider.batches


def test_a_deleted_batch_is_forgotten_and_its_questions_are_submitted_again(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_interrupt(make_asker(**PACE), provider, 3))
        provider.delete_batches()
        provider.finish_batches()
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 3))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 3


def _lines(provider: FullStandIn) -> list[bytes]:
    """The lines of the results of the only batch."""
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "x",
        "content": [{"type": "tool_use", "id": "t", "name": "Flower", "input": LILY}],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 100, "output_tokens": 50},
    }
    (requests,) = provider.batches.values()
    return [
        json.dumps(
            {"custom_id": request["custom_id"], "result": {"type": "succeeded", "message": message}}
        ).encode()
        for request in requests
    ]


CUT = {"content-length": "", "connection": "close", "content-type": "application/x-jsonl"}


def test_results_that_are_cut_off_are_fetched_again_and_not_paid_for_again(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_interrupt(make_asker(**PACE), provider, 20))
        cut = b"\n".join(_lines(provider))[
            : -len(_lines(provider)[0]) * 12
        ]  # eight lines, the last one in half
        provider.batch_failures = [None, RawResponseStep(cut, headers=CUT, closes=True)]
        provider.finish_batches()
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 20))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 20


def test_results_that_stay_cut_off_are_left_for_the_next_run(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_interrupt(make_asker(**PACE), provider, 4))
        first = _lines(provider)[0]
        provider.batch_failures = [None, *[RawResponseStep(first, headers=CUT, closes=True)] * 5]
        provider.finish_batches()
        outcomes = wait_for(_ask_all(make_asker(**PACE), provider, 4))
        unscored = [outcome for outcome in outcomes if isinstance(outcome, Unscored)]
        assert len(unscored) == 3
        assert "only 1 of 4 results" in unscored[0].detail
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 4))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 4


@pytest.mark.parametrize("reverse", [False, True])
def test_of_two_results_for_one_question_the_reply_counts(reverse: bool, make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_interrupt(make_asker(**PACE), provider, 2))
        expired = [
            json.dumps({"custom_id": json.loads(line)["custom_id"], "result": {"type": "expired"}}).encode()
            for line in _lines(provider)
        ]
        both = [*_lines(provider), *expired]
        provider.batch_failures = [None, RawResponseStep(b"\n".join(reversed(both) if reverse else both))]
        provider.finish_batches()
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 2))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 2


@pytest.mark.parametrize(
    "lost", [RawResponseStep(b"", headers={"content-length": "9"}, closes=True), HTTPErrorStep(504)], ids=repr
)
@pytest.mark.parametrize("days", [-2, 0, 2])
def test_a_submission_whose_answer_is_lost_is_found_whatever_the_clock_says(
    days: int, lost: HTTPErrorStep | RawResponseStep, make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", lambda now=time.time: now() + 86_400 * days)
    with FullStandIn(lambda _: says(LILY)) as provider:
        provider.lost_submissions = [lost]
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 20))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert _submitted(provider) == 20


@pytest.mark.parametrize("url", [None, "https://elsewhere.example/results"])
def test_results_are_fetched_from_the_endpoint_whatever_their_url_says(
    url: str | None, make_asker: MakeAsker
) -> None:
    with FullStandIn(lambda _: says(LILY)) as provider:
        provider.batch_state = {"results_url": url}
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)


def test_a_failed_poll_is_repeated(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_interrupt(make_asker(**PACE), provider, 1))
        provider.batch_failures = [
            HTTPErrorStep(500),
            HTTPErrorStep(529),
            RawResponseStep(b"<html>", status=502),
        ]
        provider.finish_batches()
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)
    assert _submitted(provider) == 1


ODD = [
    RawResponseStep(b"<html>", headers={"content-type": "text/html"}),
    RawResponseStep(b"null"),
    RawResponseStep(b"{}"),
    RawResponseStep(b"\xff"),
]


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("before", [0, 1, 2, 4], ids=["listing", "submitting", "polling", "collecting"])
def test_an_odd_response_about_a_batch_is_tried_again_and_nothing_is_paid_twice(
    before: int, odd: RawResponseStep, make_asker: MakeAsker
) -> None:
    with FullStandIn(lambda _: says(LILY)) as provider:
        provider.batch_failures = [*[None] * before, odd]
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 2))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len(provider.batches) == 1


def test_results_that_cannot_be_read_are_not_forgotten(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=0) as provider:
        provider.batch_failures = [
            None,
            None,
            None,
            *[RawResponseStep(b"<html>"), None] * 3,
        ]  # results, poll, results
        (outcome,) = wait_for(_ask_all(make_asker(**PACE, tries=2), provider, 1))
        assert isinstance(outcome, Unscored)
        assert "without --batch" in outcome.detail
        provider.batch_failures = []
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)
    assert len(provider.batches) == 1


def test_a_batch_that_is_gone_for_good_is_forgotten(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_interrupt(make_asker(**PACE), provider, 2))
        provider.batch_failures = [HTTPErrorStep(410)]
        provider.finish_batches()
        replies = wait_for(_ask_all(make_asker(**PACE), provider, 2))
    assert all(isinstance(reply, Reply) for reply in replies)


@pytest.mark.parametrize("state", [{"id": None}, {"created_at": None}, {"request_counts": None}], ids=repr)
def test_an_odd_list_of_batches_does_not_end_a_run(
    state: dict[str, None], make_asker: MakeAsker, tmp_path: Path
) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_die_waiting(make_asker(**PACE), provider, 1))
        _forget_the_name(tmp_path / "replies.sqlite")
        provider.batch_state = state
        provider.finish_batches()
        (outcome,) = wait_for(_ask_all(make_asker(**PACE, tries=2), provider, 1))
        provider.batch_state = {}
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(outcome, Reply | Unscored)
    assert isinstance(reply, Reply)
    assert len(provider.batches) == 1


def test_a_list_of_batches_that_fails_is_asked_for_again(make_asker: MakeAsker, tmp_path: Path) -> None:
    with FullStandIn(lambda _: says(LILY), polls=10**9) as provider:
        wait_for(_die_waiting(make_asker(**PACE), provider, 1))
        _forget_the_name(tmp_path / "replies.sqlite")
        provider.batch_failures = [HTTPErrorStep(500)]
        provider.finish_batches()
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)
    assert len(provider.batches) == 1


def test_a_batch_that_is_refused_is_tried_again_later(make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: says(LILY)) as provider:
        provider.batch_failures = [HTTPErrorStep(529)]
        (reply,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(reply, Reply)


@pytest.mark.parametrize(
    "result", [{"type": "succeeded", "message": {"content": [None], "usage": "x"}}, {"type": "succeeded"}]
)
def test_an_odd_result_of_a_batch_is_unscored(result: dict[str, object], make_asker: MakeAsker) -> None:
    with FullStandIn(lambda _: RawResponseStep(json.dumps(result).encode())) as provider:
        (outcome,) = wait_for(_ask_all(make_asker(**PACE, re_asks=0, tries=1), provider, 1))
    assert isinstance(outcome, Unscored)


@pytest.mark.slow
def test_a_response_about_a_batch_that_never_ends_is_abandoned(make_asker: MakeAsker) -> None:
    drip = RawResponseStep(b" " * 10_000, drip=0.01)
    with FullStandIn(lambda _: says(LILY)) as provider:
        provider.batch_failures = [None, None, drip, None, drip]  # a poll, and the results
        (reply,) = wait_for(_ask_all(make_asker(**PACE, timeout=0.2), provider, 1))
    assert isinstance(reply, Reply)
    assert _submitted(provider) == 1


def test_a_batch_whose_price_was_not_recorded_before_a_crash_costs_half(
    make_asker: MakeAsker, tmp_path: Path
) -> None:
    with FullStandIn(lambda _: says(LILY)) as provider:
        (first,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
        with sqlite3.connect(tmp_path / "replies.sqlite") as db:
            db.execute("UPDATE calls SET state = 'paid', answer = NULL, input_tokens = NULL")
        db.close()
        (again,) = wait_for(_ask_all(make_asker(**PACE), provider, 1))
    assert isinstance(first, Reply)
    assert isinstance(again, Reply)
    assert again.usage == first.usage
    assert _submitted(provider) == 1


def test_a_dry_run_of_a_batch_estimates_the_lower_price(make_asker: MakeAsker) -> None:
    costs: list[float] = []
    with FullStandIn([]) as provider:
        for settings in ({}, PACE):
            asker = make_asker(dry_run=True, **settings)
            wait_for(asker.ask(question(provider, words="Which one?" * 500)))
            costs.append(asker.budget.spent.cost or 0.0)
    assert costs[0] > 0.001
    assert costs[1] == pytest.approx(costs[0] / 2, abs=1e-6)


def test_a_batch_costs_half_of_the_users_own_price(make_asker: MakeAsker, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["anthropic/claude-sonnet-5"]\ninput = 10000\noutput = 10000\n')
    with FullStandIn(lambda _: says(LILY)) as provider:
        reply = wait_for(make_asker(**PACE, prices=file).ask(question(provider)))
    assert isinstance(reply, Reply)
    # 10,000 dollars per million tokens are 0.01 dollars per token, and half of that in a batch.
    tokens = reply.usage.input_tokens + reply.usage.output_tokens
    assert reply.usage.cost == pytest.approx(tokens * 0.005)


def test_a_provider_without_batches_is_refused(make_asker: MakeAsker) -> None:
    with FullStandIn([]) as provider, pytest.raises(UsageError, match="no batches"):
        wait_for(make_asker(**PACE).ask(question(provider, "openai-tools")))
