"""Keys: which one a server receives, and keeping them out of messages and files."""

import os
from collections.abc import Iterator

from semiosis.ask._model import OWN_KEY, Model
from semiosis.values import UsageError

_NO_KEY = "not-needed"
_SECRET_ENDINGS = ("_API_KEY", "_AUTH_TOKEN", "_ADMIN_KEY", "_SECRET")
_HEADER_VARIABLES = ("ANTHROPIC_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS")
_SHORTEST_SECRET = 6
_HIDDEN = "[key]"


def key_for(model: Model) -> str | None:
    """Return the key that a model's server receives; None to let the SDK find the provider's credentials.

    A provider's key goes to that provider alone. The user's own server receives `SEMIOSIS_API_KEY`.
    """
    profile = model.profile
    if model.base_url or not profile.key_variable:
        return os.environ.get(OWN_KEY) or _NO_KEY
    if profile.api == "anthropic":
        return None  # the SDK also knows tokens, profiles and federation
    key = os.environ.get(profile.key_variable)
    if not key and not model.endpoint:
        raise UsageError(
            f"no key for {model.provider}",
            fix=f"set {profile.key_variable}, or give the base_url of your own server",
        )
    return key or _NO_KEY


def key_variable(model: Model) -> str:
    """Return the name of the variable that holds a model's key."""
    if model.base_url:
        return OWN_KEY
    return model.profile.key_variable or f"{model.provider.upper().replace('-', '_')}_API_KEY"


def hide_keys(text: str) -> str:
    """Return the text without any key of the environment."""
    for secret in _secrets():
        text = text.replace(secret, _HIDDEN)
    return text


def hide_keys_in(body: bytes) -> bytes:
    """Return the bytes without any key of the environment: a server may echo what it received."""
    for secret in _secrets():
        body = body.replace(secret.encode("utf-8", "surrogateescape"), _HIDDEN.encode())
    return body


def _secrets() -> Iterator[str]:
    for name, value in os.environ.items():
        if name.endswith(_SECRET_ENDINGS):
            yield from _long_enough(value)
    for name in _HEADER_VARIABLES:
        for line in os.environ.get(name, "").splitlines():
            value = line.partition(":")[2].strip()
            yield from _long_enough(value, value.rpartition(" ")[2])  # the key of "Bearer <key>"


def _long_enough(*values: str) -> Iterator[str]:
    yield from (value for value in values if len(value) >= _SHORTEST_SECRET)
