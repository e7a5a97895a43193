"""What can go wrong with a call, and what to do about it: try again, give up on it, or stop the run."""

import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass

from semiosis.ask._model import OWN_KEY, Model
from semiosis.values import ProviderError, SemiosisError, Unscored, UsageError

OVERLOADED = (429, 529)
_KEY_REFUSED = (401, 403)
_UNKNOWN_MODEL = (404,)
_TRY_AGAIN = (408, 409, 500, 502, 503, 504)
_LATE = {"APITimeoutError", "TimeoutError", "TimeoutException"}
_KEEP_RAW = 20_000


class GaveUpError(Exception):
    """A call came to nothing; carries why, as an unscored value. Never leaves this room."""

    def __init__(self, unscored: Unscored) -> None:
        super().__init__(unscored.detail)
        self.unscored = unscored


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error of a provider's SDK, sorted."""

    detail: str
    """What it said."""
    overloaded: bool = False
    """The provider asks for fewer calls."""
    passing: bool = False
    """Worth trying again."""
    timeout: bool = False
    """No reply in time."""
    wait: float | None = None
    """Seconds the provider asks to wait."""

    @property
    def unscored(self) -> Unscored:
        """What remains of the question when patience is used up."""
        return Unscored(reason="timeout" if self.timeout else "provider", detail=self.detail)


def sort_out(error: Exception, model: Model) -> Trouble:
    """Sorts an SDK's error by its status code and type; raises what only the user can mend.

    SDKs are told apart by shape, not by class, so that none of them needs to be imported.
    """
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    detail = f"{type(error).__name__}: {error}"[:500]
    if isinstance(status, int):
        if mended := _for_the_user(status, model, detail):
            raise mended from error
        headers = getattr(getattr(error, "response", None), "headers", {})
        overloaded = status in OVERLOADED
        return Trouble(detail, overloaded, overloaded or status in _TRY_AGAIN, wait=asked_wait(headers))
    if "api_key" in str(error):
        raise UsageError(f"no key for {model.provider}", fix=f"set {_key_name(model)}") from error
    if _names(error) & {"APIConnectionError", "ConnectionError", "TransportError", *_LATE}:
        first = _first_cause(error)
        late = bool(_names(first) & _LATE)
        return Trouble(f"{detail} ({type(first).__name__})", passing=True, timeout=late)
    raise error


def _first_cause(error: BaseException) -> BaseException:
    """What began it: on the way up, aiohttp's "server disconnected" becomes an SDK's timeout."""
    return error if error.__cause__ is None else _first_cause(error.__cause__)


def _names(error: BaseException) -> set[str]:
    return {kind.__name__ for kind in type(error).__mro__}


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after` (seconds or a date); None without either."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        if seconds := headers.get("retry-after"):
            return max(0.0, float(seconds) if _is_number(seconds) else _until(seconds))
    except (ValueError, OverflowError):
        return None
    return None


def shortened(raw: str) -> str:
    """The reply as it came, cut where it would swamp the record."""
    return raw if len(raw) <= _KEEP_RAW else raw[:_KEEP_RAW] + " […]"


def _for_the_user(status: int, model: Model, detail: str) -> SemiosisError | None:
    if status in _KEY_REFUSED:
        return ProviderError(f"{model.provider} refuses the key: {detail}", fix=f"check {_key_name(model)}")
    if status in _UNKNOWN_MODEL:
        return UsageError(
            f"{model.full_name} is not known there: {detail}", fix="check the model's name and the endpoint"
        )
    return None


def _key_name(model: Model) -> str:
    if model.base_url:
        return OWN_KEY
    return f"{model.provider.upper().replace('-', '_')}_API_KEY"


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _until(date: str) -> float:
    return email.utils.parsedate_to_datetime(date).timestamp() - time.time()
