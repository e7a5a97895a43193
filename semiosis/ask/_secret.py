"""Chooses the key that a server receives, and removes keys from messages and files."""

import base64
import json
import os
import re
from collections.abc import Iterator
from urllib.parse import quote

from semiosis.ask._model import OWN_KEY, Model
from semiosis.values import UsageError

_NO_KEY = "not-needed"
_SECRET_ENDINGS = ("_API_KEY", "_TOKEN", "_ADMIN_KEY", "_ACCESS_KEY", "_SECRET")
_PASSWORD_VARIABLES = ("NEO4J_PASSWORD",)
_HEADER_VARIABLES = ("ANTHROPIC_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS")
_SHORTEST_SECRET = 6
_MAX_WORD_LENGTH = 15
"""A shorter value of letters only, such as `ollama`, is a placeholder. Replies may contain it as a word."""
_HIDDEN = "[key]"
_KEY_FORM = re.compile(
    rb"(?<![A-Za-z0-9])("
    rb"sk-[A-Za-z0-9_-]{20,}"  # OpenAI, Anthropic, OpenRouter, DeepSeek
    rb"|AIza[A-Za-z0-9_-]{35}"  # Google
    rb"|AKIA[A-Z0-9]{16}"  # AWS
    rb"|dapi[0-9a-f]{32}"  # Databricks
    rb"|gh[opsu]_[A-Za-z0-9]{36}"  # GitHub
    rb"|(?:hf|gsk|r8)_[A-Za-z0-9]{30,}"  # Hugging Face, Groq, Replicate
    rb"|(?:xai|pplx|fw)-[A-Za-z0-9]{30,}"  # xAI, Perplexity, Fireworks
    rb")(?![A-Za-z0-9])"
)


def key_for(model: Model) -> str | None:
    """Return the key that a model's server receives; None to let the SDK find the provider's credentials.

    A provider's key goes to that provider alone. The user's own server receives `SEMIOSIS_API_KEY`.
    """
    profile = model.profile
    if uses_own_key(model):
        return _from_environment(OWN_KEY) or _NO_KEY
    key = _from_environment(profile.key_variable)
    if profile.api == "anthropic":
        _from_environment("ANTHROPIC_AUTH_TOKEN")
        return None  # the SDK also knows tokens, profiles and federation
    if not key and not model.endpoint:
        raise UsageError(
            f"no key for {model.provider}",
            fix=f"set {profile.key_variable}, or give the base_url of your own server",
        )
    return key or _NO_KEY


def uses_own_key(model: Model) -> bool:
    """Return whether a model's server is the user's own, which receives `SEMIOSIS_API_KEY` if anything."""
    return bool(model.base_url) or not model.profile.key_variable


def is_foreign_server(model: Model) -> bool:
    """Return True if the server is not run by the SDK's own provider."""
    return uses_own_key(model) or model.provider != model.profile.api


def key_variable(model: Model) -> str:
    """Return the name of the variable that contains a model's key."""
    return OWN_KEY if uses_own_key(model) else model.profile.key_variable


def _from_environment(variable: str) -> str:
    """Return a key after checking it, because an HTTP library's error shows a key that cannot be sent."""
    key = os.environ.get(variable, "")
    if not all("!" <= letter <= "~" for letter in key):
        raise UsageError(
            f"{variable} contains a space, a line break or another character that no key has",
            fix="set it again without them",
        )
    return key


def hide_keys(text: str) -> str:
    """Return the text without any key of the environment."""
    for secret in _secrets():
        text = text.replace(secret, _HIDDEN)
    return text


def hide_keys_in(body: bytes) -> bytes:
    """Return the bytes without any key of the environment. A server may echo what it received."""
    for secret in _secrets():
        body = body.replace(secret.encode("utf-8", "surrogateescape"), _HIDDEN.encode())
    return body


def contains_key(body: bytes) -> bool:
    """Return whether a text contains a key of the environment, or a text of the form of a provider's key."""
    return _KEY_FORM.search(body) is not None or hide_keys_in(body) != body


def _secrets() -> list[str]:
    """Return every key of the environment in every encoding, the longest first."""
    spellings = {
        spelling for value in _secret_values() if _is_secret(value) for spelling in _spellings(value)
    }
    return sorted(spellings, key=len, reverse=True)


def _secret_values() -> Iterator[str]:
    for name in os.environ:  # not `items`, which would decode every value for each reply
        if name.endswith(_SECRET_ENDINGS) or name in _PASSWORD_VARIABLES:
            value = os.environ[name]
            yield value
            yield value.strip()
    for name in _HEADER_VARIABLES:
        for line in os.environ.get(name, "").splitlines():
            value = line.partition(":")[2].strip()
            yield value
            yield value.rpartition(" ")[2]  # the key of "Bearer <key>"


def _is_secret(value: str) -> bool:
    is_word = value.isalpha() and len(value) <= _MAX_WORD_LENGTH
    return len(value) >= _SHORTEST_SECRET and not is_word


def _spellings(value: str) -> Iterator[str]:
    """Yield a key unchanged and as it is encoded in JSON, Python, a URL and base64, also in its header."""
    escaped = json.dumps(value)[1:-1]
    yield from (value, escaped, escaped.replace("/", "\\/"), repr(value)[1:-1])
    for digits in ("04x", "04X"):
        yield "".join(f"\\u{ord(letter):{digits}}" for letter in value)
    data = value.encode("utf-8", "surrogateescape")
    yield quote(data, safe="")
    for header in (data, b"Bearer " + data):
        yield base64.b64encode(header).decode().rstrip("=")
