"""Classifies failed calls: temporary, final, or caused by something that the user must fix."""

import email.utils
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import Field

from semiosis.ask._decode import storable
from semiosis.ask._model import Model
from semiosis.ask._secret import hide_keys, key_variable
from semiosis.values import ProviderError, SemiosisError, Unscored, UnscoredReason, Usage, UsageError

_OVERLOADED = (429, 529)
_KEY_REFUSED = (401, 403)
_UNKNOWN_MODEL = (404,)
_OUT_OF_CREDIT = (402,)
_RETRYABLE = (408, 409, 425)
_REDIRECTS = (300, 301, 302, 303, 307, 308)
_PROXY_KEY_REFUSED = 407
_REFUSAL_ERRORS = ("content_filter", "content_policy_violation")
_FINAL = (501, 505)
_CREDIT_ERRORS = (
    "insufficient_quota",
    "billing_error",
    "billing_hard_limit_reached",
    "credit balance is too low",  # Anthropic reports this with status 400 and without an error code
)
_NOT_SENT_ERRORS = {
    "ClientConnectorError",  # aiohttp
    "ConnectError",
    "ConnectTimeout",
    "LocalProtocolError",
    "PoolTimeout",
    "UnsupportedProtocol",
}
_TIMEOUT_ERRORS = {"APITimeoutError", "TimeoutError", "TimeoutException"}
_CONNECTION_ERRORS = {
    "APIConnectionError",
    "ClientConnectionError",  # aiohttp
    "ClientPayloadError",
    "ConnectionError",
    "TransportError",
    *_TIMEOUT_ERRORS,
}
_MAX_RAW_LENGTH = 20_000
_NUMBERS = re.compile(r"\b(?:req|msg|chatcmpl)[-_]\w+|\d+")


class UnusableResponseError(Exception):
    """A successful response that cannot be used, because it is too long or not as the API specifies."""

    def __init__(self, detail: str, *, retry: bool = False) -> None:
        super().__init__(detail)
        self.retry = retry


class UnansweredRequest(Unscored):
    """Why a question has no answer, and what it cost."""

    usage: Usage = Field(default=Usage(), exclude=True)
    """Calls and cost of every attempt. Not part of the recorded reason."""
    retries: int = Field(default=0, exclude=True)
    """How many calls were repeated after an error of the provider."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call has no answer, and what follows from it."""

    reason: UnscoredReason
    """Why, in one word."""
    detail: str
    """Why, in a sentence."""
    retry: bool = False
    """Whether the same call may succeed later."""
    overloaded: bool = False
    """Whether the provider asks for fewer calls."""
    wait: float | None = None
    """The wait that the provider asks for, in seconds."""
    sent: bool = True
    """Whether the request reached the provider, which may bill it."""
    unreachable: bool = False
    """Whether no connection could be made."""
    raw: str = ""
    """The reply, if there was one."""
    resumable: bool = False
    """Whether replies already paid for stay usable, so that the next run continues from them."""

    @property
    def signature(self) -> str:
        """The error without numbers and request ids, to recognise the same error in many calls."""
        return _NUMBERS.sub("#", self.detail)

    def unscored(self, usage: Usage, retries: int) -> UnansweredRequest:
        """Return the unscored value that replaces the answer."""
        raw = self.raw if len(self.raw) <= _MAX_RAW_LENGTH else self.raw[:_MAX_RAW_LENGTH] + " […]"
        return UnansweredRequest(
            reason=self.reason,
            detail=storable(hide_keys(self.detail))[:2000],
            raw=storable(raw),
            usage=usage,
            retries=retries,
        )


def classify_error(error: Exception, model: Model) -> Failure:
    """Return the failure that an SDK's error describes; raise an error if the user must fix the cause.

    Errors are recognised by their attributes and class names, so that no SDK needs to be imported.
    """
    unusable = next((cause for cause in _causes(error) if isinstance(cause, UnusableResponseError)), None)
    if unusable is not None:  # SDKs wrap what is raised while a body is read
        return Failure("provider", hide_keys(str(unusable)), retry=unusable.retry, resumable=True)
    if isinstance(error, UnicodeDecodeError | json.JSONDecodeError):
        return Failure("provider", f"the response is not JSON: {error}", retry=True, resumable=True)
    status = getattr(error, "status_code", None)
    status = status if status is not None else getattr(error, "code", None)
    detail = hide_keys(f"{type(error).__name__}: {error}")[:500]
    if isinstance(status, int):
        headers = getattr(getattr(error, "response", error), "headers", {})
        if problem := _error_for_user(status, model, detail, error, headers):
            raise problem from None  # the SDK's error may hold the request and its key
        if any(words in _error_words(error) for words in _REFUSAL_ERRORS):
            return Failure("refusal", detail, sent=False)
        return _failed_status(status, detail, headers)
    if "api_key" in str(error) or "authentication method" in str(error):
        raise UsageError(f"no key for {model.provider}", fix=f"set {key_variable(model)}") from None
    names = _class_names(error)
    if any(type(cause).__name__ == "ProxyError" and "407" in str(cause) for cause in _causes(error)):
        raise _proxy_error() from None
    if names & _CONNECTION_ERRORS:
        causes = {name for cause in _causes(error) for name in _class_names(cause)}
        late = bool(causes & _TIMEOUT_ERRORS) and not causes & {"ConnectError"}
        sent = not causes & _NOT_SENT_ERRORS
        why = ", ".join(dict.fromkeys(str(cause) for cause in _causes(error) if str(cause)))
        return Failure(
            "timeout" if late else "provider",
            hide_keys(f"{type(error).__name__}: {why}")[:500],
            retry=True,
            sent=sent,
            unreachable=not sent,
            resumable=True,
        )
    if names & {"AnthropicError", "OpenAIError", "LocalModelError"}:
        return Failure("provider", detail, resumable=True)
    raise error


def requested_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait from `retry-after-ms` or `retry-after` (seconds or a date), or None."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        if seconds := headers.get("retry-after"):
            return max(0.0, float(seconds) if _is_number(seconds) else _until(seconds))
    except (ValueError, OverflowError):
        return None
    return None


def _failed_status(status: int, detail: str, headers: Mapping[str, str]) -> Failure:
    overloaded = status in _OVERLOADED
    temporary = overloaded or status in _RETRYABLE or (status >= 500 and status not in _FINAL)
    if (instruction := headers.get("x-should-retry", "").lower()) in ("true", "false"):
        temporary = instruction == "true"
    return Failure(
        "provider",
        detail,
        retry=temporary,
        overloaded=overloaded,
        wait=requested_wait(headers),
        sent=status < 400,  # providers do not bill a call that they answer with an error
        resumable=True,
    )


def _error_for_user(
    status: int, model: Model, detail: str, error: Exception, headers: Mapping[str, str]
) -> SemiosisError | None:
    if status in _OUT_OF_CREDIT or any(words in _error_words(error) for words in _CREDIT_ERRORS):
        return ProviderError(
            f"{model.provider} reports that the credit is used up: {detail}",
            fix="add credit and run the same command again; what was paid for is kept",
        )
    if status in _KEY_REFUSED:
        return ProviderError(
            f"{model.provider} refuses the key: {detail}", fix=f"check {key_variable(model)}"
        )
    if status in _UNKNOWN_MODEL:
        return UsageError(
            f"the endpoint has no model {model.name!r}: {detail}",
            fix="check the model's name and the endpoint",
        )
    if status == _PROXY_KEY_REFUSED:
        return _proxy_error()
    if status in _REDIRECTS:
        target = urlsplit(headers.get("location", "")).hostname or "another address"
        return UsageError(
            f"the endpoint of {model.full_name} redirects to {target}; the key is not sent there",
            fix="give the final address as the base URL",
        )
    return None


def _proxy_error() -> ProviderError:
    return ProviderError(
        "the proxy refuses the connection: it asks for a name and a password (HTTP 407)",
        fix="put them into HTTPS_PROXY or HTTP_PROXY, or set NO_PROXY",
    )


def _error_words(error: Exception) -> str:
    """Return the codes and the message of an error's body."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    fields = inner if isinstance(inner, dict) else {}
    return f"{fields.get('type')} {fields.get('code')} {fields.get('message')}"


def _causes(error: BaseException) -> list[BaseException]:
    """Return the error, followed by the errors that caused it."""
    causes = [error]
    while (cause := causes[-1].__cause__ or causes[-1].__context__) is not None and len(causes) < 10:
        causes.append(cause)
    return causes


def _class_names(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _until(date: str) -> float:
    return email.utils.parsedate_to_datetime(date).timestamp() - time.time()
