"""Encodes a request as the arguments of an SDK's call, and a reply that does not fit as a re-ask.

The library instructor prepares both: it implements how each provider takes a schema and a report of an error.
"""

import base64
import hashlib
import importlib.metadata
import json
import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from semiosis.ask._decode import DecodedReply
from semiosis.ask._model import Model
from semiosis.ask._picture import Picture
from semiosis.ask._profile import Api, Structured
from semiosis.ask._request import Passage, Request

T = TypeVar("T", bound=BaseModel)
Arguments = dict[str, Any]
"""Keyword arguments of an SDK's call."""

_EPHEMERAL = {"type": "ephemeral"}
_MODES: dict[Structured, str] = {"tools": "TOOLS", "schema": "JSON_SCHEMA", "native": "JSON"}
_PROVIDERS: dict[Api, str] = {"anthropic": "ANTHROPIC", "openai": "OPENAI", "local": "OPENAI"}
_RE_ASK = "Validation Error found:\n{error}\nRecall the function correctly, fix the errors"


class Codec:
    """Encodes the requests to one model."""

    def __init__(self, model: Model, accepted: frozenset[str] | None) -> None:
        """Prepare for a model. `accepted` has the arguments of its SDK's call; None if it takes any."""
        from instructor import Mode, Provider
        from instructor.v2 import mode_registry

        # Without a handler, logging prints instructor's errors on standard error.
        logging.getLogger("instructor").addHandler(logging.NullHandler())
        profile = model.profile
        self.model = model
        self._accepted = accepted
        self.handlers: Any = mode_registry.get_handlers(
            Provider[_PROVIDERS[profile.api]], Mode[_MODES[profile.structured]]
        )

    def encode(self, request: Request[Any]) -> Arguments:
        """Return the arguments of the call for this request."""
        form: type[BaseModel] = request.answer
        arguments = {"messages": self._messages(request), **self._settings(request)}
        _, prepared = self.handlers.request_handler(response_model=prepared_form(form), kwargs=arguments)
        if self.handlers.message_converter and "messages" in prepared:
            prepared["messages"] = self.handlers.message_converter(
                prepared["messages"], autodetect_images=False
            )
        return dict(prepared)

    def re_ask(self, arguments: Arguments, answer: DecodedReply, error: Exception) -> Arguments:
        """Return the arguments of the call that sends a reply back with the reason why it does not fit."""
        copied = {**arguments, "messages": list(arguments["messages"])}
        try:
            return dict(self.handlers.reask_handler(copied, self._sdk_reply(answer), error))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            # The reply has a shape that instructor does not expect, such as a null content block.
            message = {"role": "user", "content": _RE_ASK.format(error=error)}
            return {**arguments, "messages": [*arguments["messages"], message]}

    def parse(self, answer: DecodedReply, form: type[T]) -> T:
        """Return the answer in its form; raise a ValueError that says why it does not fit.

        Numbers may be written `50.0` or `"50"`. A second call to correct them would not be worth its cost.
        """
        if answer.damaged:
            raise ValueError(answer.damaged)
        text = _without_fence(answer.text)
        _check_json(text)
        return form.model_validate_json(text)

    def _sdk_reply(self, answer: DecodedReply) -> Any:
        if self.model.profile.api == "anthropic":
            from anthropic.types import Message

            return Message.construct(**answer.message)
        if isinstance(answer.message, dict):
            from openai.types.chat import ChatCompletion

            return ChatCompletion.construct(**answer.message)
        return answer.message

    def _messages(self, request: Request[Any]) -> list[dict[str, Any]]:
        system: Any = request.system
        if self.model.profile.caches:
            system = [{"type": "text", "text": request.system, "cache_control": _EPHEMERAL}]
        content = [self._block(part) for part in request.parts]
        return [{"role": "system", "content": system}, {"role": "user", "content": content}]

    def _block(self, part: Passage | Picture) -> Any:
        if isinstance(part, Picture):
            import instructor

            return instructor.Image(
                source="memory", media_type=part.media_type, data=base64.b64encode(part.data).decode()
            )
        block: dict[str, Any] = {"type": "text", "text": part.text}
        if part.shared and self.model.profile.caches:
            block["cache_control"] = _EPHEMERAL
        return block

    def _settings(self, request: Request[Any]) -> Arguments:
        """Return the settings as arguments of the SDK's call. Settings it does not name go into the body."""
        profile, settings = self.model.profile, dict[str, Any](request.settings)
        if profile.api == "local":
            settings["seed"] = (
                int(settings.get("seed", 0)) + request.repeat
            )  # or a repeat would return the same text
        if not self.model.base_url and profile.max_tokens_as != "max_tokens":
            settings[profile.max_tokens_as] = settings.pop("max_tokens")
        arguments: Arguments = {"model": self.model.name, **self._split(settings)}
        if profile.structured == "native":
            import anthropic

            schema = anthropic.transform_schema(request.answer)
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return arguments

    def _split(self, settings: Arguments) -> Arguments:
        if self._accepted is None:
            return settings
        accepted = {name: value for name, value in settings.items() if name in self._accepted}
        extra = {name: value for name, value in settings.items() if name not in self._accepted}
        return {**accepted, "extra_body": extra} if extra else accepted


def _without_fence(text: str) -> str:
    """Return the JSON inside a Markdown code block, or the text itself."""
    from instructor.v2.core.json import extract_json_from_codeblock

    stripped = text.strip()
    return stripped if stripped.startswith(("{", "[")) else extract_json_from_codeblock(stripped)


def _check_json(text: str) -> None:
    """Raise a ValueError for NaN and for a field that occurs twice; pydantic would accept both."""
    try:
        json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("the answer is nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {repeated!r} occurs twice")
    return fields


def _refuse_constant(name: str) -> None:
    # The model receives this text in a re-ask, whose fingerprint is in the journal: do not reword it.
    raise ValueError(f"{name} is not a number of JSON")


def fingerprint(arguments: Mapping[str, Any], repeat: int, attempt: int) -> str:
    """Return the SHA-256 of one call. The attempt is part of it, so that a re-ask has a different one."""
    text = json.dumps([arguments, repeat, attempt], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=256)
def prepared_form(answer: type[T]) -> type[T]:
    """Return the form with the methods that instructor needs. Building it takes milliseconds."""
    from instructor.processing.function_calls import response_schema

    return response_schema(answer)


@lru_cache(maxsize=1)
def versions() -> str:
    """Return the versions of the libraries, as JSON. They are recorded with a reply but not in its key."""
    names = ("semiosis", "instructor", "anthropic", "openai")
    return json.dumps({name: importlib.metadata.version(name) for name in names})
