"""Reads the usage that providers report. Missing or implausible usage is None, never 0."""

from typing import Any

from semiosis.values import Usage

_MAX_TOKENS = 2**40
"""More tokens than any call can use. A larger number counts as unknown."""


def anthropic_usage(spent: Any) -> Usage | None:
    """Return the usage that an Anthropic reply reports."""
    if not isinstance(spent, dict):
        return None
    fresh, output = _count(spent.get("input_tokens")), _count(spent.get("output_tokens"))
    read = _count(spent.get("cache_read_input_tokens") or 0)
    written = _count(spent.get("cache_creation_input_tokens") or 0)
    if fresh is None or output is None or read is None or written is None:
        return None
    return _plausible(fresh + read + written, output, read, written)


def openai_usage(spent: Any) -> Usage | None:
    """Return the usage that an OpenAI reply reports."""
    if not isinstance(spent, dict):
        return None
    asked, output = _count(spent.get("prompt_tokens")), _count(spent.get("completion_tokens"))
    details = spent.get("prompt_tokens_details")
    read = _count(details.get("cached_tokens") or 0) if isinstance(details, dict) else 0
    if asked is None or output is None or read is None or read > asked:
        return None
    return _plausible(asked, output, read, 0)


def gemini_usage(spent: Any) -> Usage | None:
    """Return the usage that a Gemini reply reports."""
    if not isinstance(spent, dict):
        return None
    asked = _count(spent.get("prompt_token_count"))
    output = _count(spent.get("candidates_token_count") or 0)
    thoughts = _count(spent.get("thoughts_token_count") or 0)
    read = _count(spent.get("cached_content_token_count") or 0)
    if asked is None or output is None or thoughts is None or read is None or read > asked:
        return None
    return _plausible(asked, output + thoughts, read, 0)


def _plausible(asked: int, output: int, read: int, written: int) -> Usage | None:
    if not asked + output:
        return None  # every call uses tokens, so the provider does not count them
    return Usage(
        calls=1,
        input_tokens=asked,
        output_tokens=output,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _count(number: Any) -> int | None:
    whole = isinstance(number, int) and not isinstance(number, bool)
    return number if whole and 0 <= number <= _MAX_TOKENS else None
