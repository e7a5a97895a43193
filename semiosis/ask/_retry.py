"""How often and how long a call is tried again, and when repeated failures stop a run."""

import random
from dataclasses import dataclass, field

from semiosis.ask._failure import Failure
from semiosis.ask._model import Model
from semiosis.values import ProviderError

_MAX_BACKOFF = 60.0


@dataclass(frozen=True)
class RetryLimits:
    """How often and how long a call is tried again."""

    tries: int = 10
    """Calls for one attempt, the first included."""
    first_wait: float = 0.5
    """Seconds before the second try; each further wait is twice as long, with jitter."""
    timeout: float = 600.0
    """Seconds that one call may take, from sending it to the last byte of its reply."""
    total_timeout: float = 1800.0
    """Seconds that all tries of one call, and the waits between them, may take together."""
    longest_wait: float = 120.0
    """The longest wait that a provider may ask for."""
    stop_after: int = 10
    """The run stops when this many questions in a row have failed with the same error."""

    def wait(self, failure: Failure, tries: int, jitter: random.Random) -> float | None:
        """Return the seconds to wait before the next try; None if there is none."""
        if not failure.retry or tries >= self.tries or (failure.wait or 0) > self.longest_wait:
            return None
        backoff = min(_MAX_BACKOFF, self.first_wait * 2.0 ** (tries - 1))
        # If a provider asks for a wait of 0, the tries must not all be used up at once.
        return max(failure.wait or 0.0, backoff * jitter.uniform(0.5, 1.0))


@dataclass
class FailureStreaks:
    """Counts, for each model, the questions in a row that failed with the same error."""

    stop_after: int
    _last: dict[Model, tuple[str, int]] = field(default_factory=dict)

    def succeeded(self, model: Model) -> None:
        """Record a reply."""
        self._last.pop(model, None)

    def failed(self, model: Model, failure: Failure) -> None:
        """Record a failed question; raise if too many in a row failed with the same error."""
        if failure.reason not in ("provider", "timeout"):
            return
        last, count = self._last.get(model, ("", 0))
        count = count + 1 if last == failure.signature else 1
        self._last[model] = (failure.signature, count)
        if count >= self.stop_after:
            raise ProviderError(
                f"{count} questions in a row failed with the same error: {failure.detail}",
                where=model.full_name,
                fix="check your credit and the endpoint, then run the same command again; what was paid "
                "for is kept",
            )
