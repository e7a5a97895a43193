"""Encodes steps as responses of two APIs: Anthropic's Messages and OpenAI's chat completions."""

import hashlib
import json
from typing import Any

from semiosis.testing._step import AnswerStep, Call, Ending, HTTPErrorStep

_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
}
_ERRORS |= {500: "api_error", 529: "overloaded_error"}
_STOPS: dict[Ending, str] = {"cut-off": "max_tokens", "refusal": "refusal"}
_FINISHES: dict[Ending, str] = {"cut-off": "length", "refusal": "content_filter"}
_CHARACTERS_PER_TOKEN = 4


def anthropic_message(call: Call, step: AnswerStep, cache: set[str]) -> dict[str, Any]:
    """Return a reply of the Messages API: a tool call if tools were sent, else text."""
    tools = call.body.get("tools")
    if tools and isinstance(step.answer, dict):
        content = [{"type": "tool_use", "id": "toolu_1", "name": tools[0]["name"], "input": step.answer}]
    else:
        content = [{"type": "text", "text": step.text}] if step.text else []
    stop = "tool_use" if content and content[0]["type"] == "tool_use" else "end_turn"
    return {
        "id": "msg_" + _call_hash(call),
        "type": "message",
        "role": "assistant",
        "model": call.body["model"],
        "content": content,
        "stop_reason": _STOPS.get(step.ending, stop),
        "stop_sequence": None,
        "usage": _anthropic_usage(call, step, cache),
        **step.changes,
    }


def openai_completion(call: Call, step: AnswerStep) -> dict[str, Any]:
    """Return a chat completion: a tool call if tools were sent, else text."""
    message: dict[str, Any] = {"role": "assistant", "content": step.text, "refusal": None}
    tools = call.body.get("tools")
    if tools and isinstance(step.answer, dict):
        function = {"name": tools[0]["function"]["name"], "arguments": step.text}
        message |= {
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        }
    if step.ending == "refusal":
        message |= {"content": None, "refusal": step.text}
    prompt_tokens, answer_tokens = (
        len(call.text) // _CHARACTERS_PER_TOKEN,
        len(step.text) // _CHARACTERS_PER_TOKEN,
    )
    return {
        "id": "chatcmpl-" + _call_hash(call),
        "object": "chat.completion",
        "created": 0,
        "model": call.body["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": _FINISHES.get(step.ending, "stop"),
                "logprobs": None,
            }
        ],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": answer_tokens,
            "total_tokens": prompt_tokens + answer_tokens,
        },
        **step.changes,
    }


def error_body(step: HTTPErrorStep) -> dict[str, Any]:
    """Return the body of an error that both SDKs understand."""
    kind = _ERRORS.get(step.status, "api_error")
    message = f"stand-in says {step.status}"
    return {"type": "error", "error": {"type": kind, "message": message, **step.error}}


def _anthropic_usage(call: Call, step: AnswerStep, cache: set[str]) -> dict[str, int]:
    """Return the usage by length. A marked system prompt is written to the cache once, then read from it."""
    total = len(call.text) // _CHARACTERS_PER_TOKEN
    marked = json.dumps([block for block in call.body.get("system", []) if isinstance(block, dict)])
    cached = len(marked) // _CHARACTERS_PER_TOKEN if "cache_control" in marked else 0
    cached = min(cached, total)
    is_cached = marked in cache
    cache.add(marked)
    return {
        "input_tokens": total - cached,
        "output_tokens": len(step.text) // _CHARACTERS_PER_TOKEN,
        "cache_creation_input_tokens": 0 if is_cached else cached,
        "cache_read_input_tokens": cached if is_cached else 0,
    }


def _call_hash(call: Call) -> str:
    return hashlib.sha256(json.dumps(call.body, sort_keys=True).encode()).hexdigest()[:16]
