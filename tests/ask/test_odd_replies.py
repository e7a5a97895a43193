"""Replies that no provider should send: none ends a run, and each is in the journal as it arrived."""

import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Reply, UnansweredRequest, wait_for
from semiosis.testing import Call, HTTPErrorStep, RawResponseStep, StandIn, Step, says
from semiosis.values import Unscored
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question

USAGE = {"input_tokens": 100, "output_tokens": 50}


def message(content: Any, **changes: Any) -> bytes:
    """A reply of Anthropic's API with this content."""
    reply = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": content}
    return json.dumps({**reply, "stop_reason": "tool_use", "usage": USAGE, **changes}).encode()


def tool(answer: Any) -> list[dict[str, Any]]:
    """The content of a reply that calls the tool with this answer."""
    return [{"type": "tool_use", "id": "t", "name": "Flower", "input": answer}]


def completion(**changes: Any) -> bytes:
    """A chat completion whose message has these fields."""
    said = {"role": "assistant", "content": None, **changes}
    reply = {"id": "c", "object": "chat.completion", "created": 0, "model": "x"}
    usage = {"prompt_tokens": 100, "completion_tokens": 50}
    choice = {"index": 0, "finish_reason": "stop", "message": said}
    return json.dumps({**reply, "choices": [choice], "usage": usage}).encode()


CUSTOM_CALL = [{"id": "1", "type": "custom", "custom": {"name": "Flower", "input": "a lily"}}]
NAN = message(tool({"name": "lily", "petals": "X"})).replace(b'"X"', b"NaN")

ODD: dict[str, tuple[str, bytes]] = {
    "a lone surrogate": ("anthropic-tools", message(tool({"name": "\ud800", "petals": 6}))),
    "a lone surrogate in words": ("anthropic-native", message([{"type": "text", "text": "\udfff"}])),
    "NaN": ("anthropic-tools", NAN),
    "not UTF-8": ("anthropic-tools", message(tool({**LILY, "name": "X"})).replace(b"X", b"\xff\xfe")),
    "3,000 levels": ("anthropic-tools", message(tool("X")).replace(b'"X"', b"[" * 3000 + b"]" * 3000)),
    "900 levels": ("anthropic-tools", message(tool("X")).replace(b'"X"', b"[" * 900 + b"]" * 900)),
    "a null block": ("anthropic-tools", message([None])),
    "null content": ("anthropic-tools", message(None)),
    "content as a number": ("anthropic-tools", message(7)),
    "a tool without input": ("anthropic-tools", message([{"type": "tool_use"}])),
    "a custom tool call": ("openai-tools", completion(tool_calls=CUSTOM_CALL)),
    "null tool calls": ("openai-tools", completion(tool_calls=[None])),
    "a surrogate in arguments": (
        "openai-tools",
        completion(tool_calls=[{"id": "1", "function": {"name": "F", "arguments": '{"name": "\\ud800"}'}}]),
    ),
    "no choices": ("openai-tools", b'{"choices": [], "usage": {}}'),
    "a null message": ("openai-schema", b'{"choices": [{"message": null}]}'),
    "a choice that is a word": ("openai-schema", b'{"choices": ["lily"]}'),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_reply_is_unscored_and_its_bytes_are_kept(
    name: str, make_asker: MakeAsker, tmp_path: Path
) -> None:
    way, body = ODD[name]
    with StandIn(lambda _: RawResponseStep(body)) as provider:
        asker = make_asker(re_asks=1)
        outcome = wait_for(asker.ask(question(provider, way)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason in ("malformed", "empty")
    assert outcome.usage.calls == len(provider.calls) == asker.budget.spent.calls > 0
    assert outcome.usage.cost == asker.budget.spent.cost
    outcome.model_dump_json()  # it can be recorded
    with sqlite3.connect(tmp_path / "replies.sqlite") as db:
        kept = [row[0] for row in db.execute("SELECT reply FROM calls")]
    db.close()
    assert kept == [body] * len(provider.calls)


ODD_USAGE: dict[str, Any] = {
    "missing": None,
    "a string": "12",
    "a list": [1, 2],
    "numbers as strings": {"input_tokens": "100", "output_tokens": "50"},
    "too large": {"input_tokens": 10**30, "output_tokens": 1},
    "negative": {"input_tokens": -5, "output_tokens": 1},
    "half": {"input_tokens": 100},
    "true": {"input_tokens": True, "output_tokens": True},
    "zero": {"input_tokens": 0, "output_tokens": 0},
}


@pytest.mark.parametrize("name", ODD_USAGE)
def test_usage_that_is_not_reported_is_never_zero_and_stops_a_run_in_time(
    name: str, make_asker: MakeAsker
) -> None:
    # The most a call can cost is 4,096 output tokens · $10 per million ≈ $0.041: $0.1 allows two calls.
    with StandIn(lambda _: says(LILY, usage=ODD_USAGE[name])) as provider:
        asker = make_asker(max_cost=0.1)
        outcomes = [wait_for(asker.ask(question(provider, words=str(number)))) for number in range(5)]
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, True, False, False, False]
    assert all(outcome.reason == "budget" for outcome in outcomes if isinstance(outcome, Unscored))
    assert asker.budget.spent.cost is not None
    assert 0.08 < asker.budget.spent.cost <= 0.1
    assert "2 without reported usage, counted at their maximum cost" in str(asker.budget)


@pytest.mark.parametrize(
    "step",
    [
        RawResponseStep(b"<html><title>Bad gateway</title></html>", headers={"content-type": "text/html"}),
        RawResponseStep(b""),
        RawResponseStep(b"null"),
        RawResponseStep(b'{"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}'),
        RawResponseStep(b'{"object": "error", "message": "out of memory"}'),
        RawResponseStep(b'{"error": {"message": "upstream"}, "choices": [], "content": []}'),
        *(
            HTTPErrorStep(status)
            for status in (500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530, 408)
        ),
    ],
    ids=repr,
)
@pytest.mark.parametrize("way", ["anthropic-tools", "openai-tools"])
def test_a_response_that_is_not_a_reply_is_tried_again_and_costs_nothing(
    way: str, step: Step, make_asker: MakeAsker
) -> None:
    steps = iter([step, says(LILY)])
    with StandIn(lambda _: next(steps)) as provider:
        asker = make_asker()
        reply = wait_for(asker.ask(question(provider, way)))
    assert isinstance(reply, Reply)
    assert (reply.retries, asker.budget.retries) == (1, 1)
    assert reply.usage.calls == asker.budget.spent.calls == 1


def test_an_answer_in_words_or_in_a_code_block_counts_if_it_fits(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says("```json\n" + json.dumps(LILY) + "\n```")) as provider:
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert len(provider.calls) == 1


@pytest.mark.parametrize("petals", [6.0, "6"])
def test_a_number_in_another_spelling_is_not_paid_for_again(petals: Any, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says({"name": "lily", "petals": petals})) as provider:
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert reply.answer.petals == 6
    assert len(provider.calls) == 1


def test_one_odd_reply_leaves_the_others_alone(make_asker: MakeAsker) -> None:
    def answer(call: Call) -> Step:
        return RawResponseStep(ODD["3,000 levels"][1]) if "odd" in call.text else says(LILY)

    with StandIn(answer) as provider:
        asker = make_asker(re_asks=0)
        outcomes = [wait_for(asker.ask(question(provider, words=words))) for words in ("a", "odd", "b")]
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, False, True]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_reply_in_another_encoding_is_read(encoding: str, make_asker: MakeAsker) -> None:
    body = message(tool({"name": "Lilie \u767e\u5408", "petals": 6})).decode().encode(encoding)
    with StandIn([RawResponseStep(body)]) as provider:
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert reply.answer.name == "Lilie \u767e\u5408"
    assert reply.usage.input_tokens == 100


@pytest.mark.parametrize(
    "body", [gzip.compress(message(tool(LILY))), message(tool(LILY))], ids=["zip", "plain"]
)
def test_a_reply_that_says_it_is_compressed_is_read_if_it_can_be(body: bytes, make_asker: MakeAsker) -> None:
    with StandIn([RawResponseStep(body, headers={"content-encoding": "gzip"})]) as provider:
        assert isinstance(wait_for(make_asker().ask(question(provider))), Reply)
    assert provider.calls[0].headers["accept-encoding"] == "identity"


def _calls(*arguments: str) -> list[dict[str, Any]]:
    return [
        {"id": str(number), "type": "function", "function": {"name": "Flower", "arguments": each}}
        for number, each in enumerate(arguments)
    ]


@pytest.mark.parametrize(
    ("way", "body"),
    [
        ("anthropic-tools", message(tool(LILY) * 2)),
        ("openai-tools", completion(tool_calls=_calls(*[json.dumps(LILY)] * 3))),
        ("openai-tools", completion(tool_calls=[], content=json.dumps(LILY))),
    ],
    ids=["twice", "three times", "no call"],
)
def test_a_call_that_is_repeated_counts_once(way: str, body: bytes, make_asker: MakeAsker) -> None:
    with StandIn([RawResponseStep(body)]) as provider:
        reply = wait_for(make_asker().ask(question(provider, way)))
    assert isinstance(reply, Reply)
    assert reply.answer.petals == 6


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (['{"name": "lily", "petals": 6, "petals": 7}'], "the field 'petals' occurs twice"),
        (['{"name": "lily", "petals": 6}', '{"name": "rose", "petals": 5}'], "Extra data"),
    ],
)
def test_an_answer_that_says_two_things_is_not_accepted(
    arguments: list[str], why: str, make_asker: MakeAsker
) -> None:
    with StandIn(lambda _: RawResponseStep(completion(tool_calls=_calls(*arguments)))) as provider:
        outcome = wait_for(make_asker(re_asks=1).ask(question(provider, "openai-tools")))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "malformed"
    assert why in outcome.detail


@pytest.mark.parametrize("changes", [{"model": None}, {"model": "x" * 9999}, {"stop_reason": "a new one"}])
def test_fields_unrelated_to_the_answer_do_not_invalidate_it(
    changes: dict[str, Any], make_asker: MakeAsker
) -> None:
    with StandIn([says(LILY, **changes)]) as provider:
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert len(reply.served) <= 200


def test_bytes_that_are_not_text_are_a_paid_reply_and_not_ten_calls(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: RawResponseStep(gzip.compress(message(tool(LILY))))) as provider:
        outcome = wait_for(make_asker(re_asks=1).ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert outcome.reason == "malformed"
    assert outcome.usage.calls == len(provider.calls) == 2


def test_an_endless_body_is_abandoned_and_may_be_billed(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semiosis.ask._connection.MAX_REPLY_BYTES", 1000)
    with StandIn(lambda _: RawResponseStep(b" " * 100_000)) as provider:
        asker = make_asker(max_cost=1.0)
        outcome = wait_for(asker.ask(question(provider)))
    assert isinstance(outcome, UnansweredRequest)
    assert "longer than" in outcome.detail
    assert len(provider.calls) == asker.budget.unanswered == 1
