"""Which model to ask: `provider/name`, with an endpoint and settings that only the user can give."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import urlsplit

from semiosis.ask._profile import SCHEMA_MODES, Profile, Structured, profile_of
from semiosis.values import Primitive, UsageError

OWN_KEY = "SEMIOSIS_API_KEY"
"""The variable with the key of the user's own server. That server never receives a provider's key."""

_MAX_TOKENS_LIMIT = 10_000_000
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Model:
    """A model and how to reach it.

    >>> Model("anthropic/claude-sonnet-5").provider
    'anthropic'
    """

    full_name: str
    """`provider/name`, such as `anthropic/claude-sonnet-5`, `openai/gpt-5`, `local/<folder or hub id>`."""
    base_url: str = ""
    """The user's own server. Never taken from a study file. It receives `SEMIOSIS_API_KEY`, not the
    provider's key."""
    parameters: Mapping[str, Primitive] = field(default_factory=dict)
    """Settings of every call: `temperature`, `max_tokens`, `seed`."""
    structured: Structured | None = None
    """How the answer's schema reaches the model; None for the profile's default."""
    replicas: tuple[str, ...] = ()
    """More servers with the same model. A reply from any of them counts as a reply from `base_url`."""
    group: str = ""
    """A name for `base_url` and its replicas. Replies belong to this name, so servers may come and go."""
    in_flight: int | None = None
    """The most calls in flight to each server; None for the asker's limit."""

    def __post_init__(self) -> None:
        provider, slash, name = self.full_name.partition("/")
        if not (provider and slash and name and self.full_name.isprintable()):
            raise UsageError(
                f"{self.full_name!r} does not name a model",
                fix="write provider/model, such as anthropic/claude-sonnet-5 or local/<folder>",
            )
        if self.replicas and not self.base_url:
            raise UsageError("replicas need a base URL", fix="give the first server as base_url")
        if self.group and not self.base_url:
            raise UsageError("the name of a group of servers needs a base URL", fix="give base_url")
        api = self.profile.api
        if self.structured and self.structured not in SCHEMA_MODES[api]:
            raise UsageError(
                f"{self.full_name} does not accept a schema as {self.structured!r}",
                fix=f"choose {' or '.join(SCHEMA_MODES[api])}",
            )
        check_settings(self.parameters)
        for url in filter(None, (self.base_url, *self.replicas)):
            check_url(url)

    def __hash__(self) -> int:
        return hash((self.full_name, self.base_url, self.structured))

    @classmethod
    def of(cls, model: "str | Model") -> "Model":
        """Return a model from its name, or the model itself."""
        return model if isinstance(model, Model) else cls(model)

    @property
    def provider(self) -> str:
        """The part before the first slash."""
        return self.full_name.partition("/")[0]

    @property
    def name(self) -> str:
        """The part after the first slash."""
        return self.full_name.partition("/")[2]

    @property
    def endpoint(self) -> str:
        """The logical endpoint, which is part of the request key; empty for the provider's own.

        It is the name of the group of servers, else the normalized URL, so that two spellings of one URL are
        one endpoint. A variable such as `ANTHROPIC_BASE_URL` changes it, because another server's reply is
        another reply.
        """
        if self.base_url:
            return self.group or normalized_url(self.base_url)
        (url,) = self.urls
        return "" if normalized_url(url) == normalized_url(self.profile.url) else normalized_url(url)

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs of the servers that answer for this model; one that is empty if no URL is known."""
        if self.base_url:
            return (self.base_url, *self.replicas)
        profile = self.profile
        moved = os.environ.get(profile.url_variable, "") if profile.url_variable else ""
        if not moved:
            return (profile.url,)
        moved = moved.rstrip("/")
        return (moved if moved.endswith(profile.url_path) else moved + profile.url_path,)

    @cached_property
    def profile(self) -> Profile:
        """How the model is asked."""
        profile = profile_of(self.full_name)
        return replace(profile, structured=self.structured) if self.structured else profile


def normalized_url(url: str) -> str:
    """Return a URL in the spelling that stands for all spellings of the same address.

    >>> normalized_url("HTTP://LocalHost:80/v1/")
    'http://127.0.0.1/v1'
    """
    try:
        parts = urlsplit(url)
        port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    except ValueError:
        return url  # refused by `check_url` before anything is sent
    host = (parts.hostname or "").rstrip(".")
    host = "127.0.0.1" if host in ("localhost", "::1") else f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}" if host else url


def check_settings(settings: Mapping[str, Primitive]) -> None:
    """Raise if `max_tokens` is not a whole number in range, or if a number is not finite."""
    limit = settings.get("max_tokens", 1)
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= _MAX_TOKENS_LIMIT:
        raise UsageError(
            f"max_tokens={limit!r} is out of range",
            fix=f"give a whole number of tokens, 1 to {_MAX_TOKENS_LIMIT:,}",
        )
    for name, value in settings.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"{name}={value!r} is not a finite number", fix="give a finite number")


def check_url(url: str) -> None:
    """Raise if this is not the URL of a server, or if it contains a password or a query."""
    try:
        url.encode()  # an argument of the command line may contain bytes that are not UTF-8
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, usable = None, False
    if parts is None or not usable:
        text = (
            "a URL" if "@" in url else repr(url.encode("utf-8", "replace").decode())
        )  # it may contain a password
        raise UsageError(
            f"{text} is not the URL of a server", fix="write it in full, such as http://localhost:8000/v1"
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"the base URL of {parts.hostname} contains a password", fix=f"put the key into {OWN_KEY}"
        )
    if parts.query or parts.fragment:
        raise UsageError(
            f"the base URL of {parts.hostname} ends with ? or #, so the path of the API cannot be added",
            fix=f"give the address alone, and put a key into {OWN_KEY}",
        )
