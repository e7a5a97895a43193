"""Reads the usage that providers report. Missing or implausible usage is None, never 0."""

from typing import Any

from semiosis.values import Usage

_MAX_TOKENS = 2**40
"""More tokens than any call can use. A larger number counts as unknown."""


def anthropic_usage(usage: Any) -> Usage | None:
    """Return the usage that an Anthropic reply reports."""
    if not isinstance(usage, dict):
        return None
    uncached, output = _count(usage.get("input_tokens")), _count(usage.get("output_tokens"))
    read = _count(usage.get("cache_read_input_tokens") or 0)
    written = _count(usage.get("cache_creation_input_tokens") or 0)
    if uncached is None or output is None or read is None or written is None:
        return None
    return _plausible(uncached + read + written, output, read, written)


def openai_usage(usage: Any) -> Usage | None:
    """Return the usage that an OpenAI reply reports."""
    if not isinstance(usage, dict):
        return None
    prompt, output = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    details = usage.get("prompt_tokens_details")
    read = _count(details.get("cached_tokens") or 0) if isinstance(details, dict) else 0
    if prompt is None or output is None or read is None or read > prompt:
        return None
    return _plausible(prompt, output, read, 0)


def gemini_usage(usage: Any) -> Usage | None:
    """Return the usage that a Gemini reply reports."""
    if not isinstance(usage, dict):
        return None
    prompt = _count(usage.get("prompt_token_count"))
    output = _count(usage.get("candidates_token_count") or 0)
    thoughts = _count(usage.get("thoughts_token_count") or 0)
    read = _count(usage.get("cached_content_token_count") or 0)
    if prompt is None or output is None or thoughts is None or read is None or read > prompt:
        return None
    return _plausible(prompt, output + thoughts, read, 0)


def _plausible(input_tokens: int, output: int, read: int, written: int) -> Usage | None:
    if not input_tokens + output:
        return None  # every call uses tokens, so the provider does not count them
    return Usage(
        calls=1,
        input_tokens=input_tokens,
        output_tokens=output,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _count(number: Any) -> int | None:
    whole = isinstance(number, int) and not isinstance(number, bool)
    return number if whole and 0 <= number <= _MAX_TOKENS else None
