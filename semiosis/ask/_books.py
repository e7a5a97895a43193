"""The books of a run: what was asked, what it cost, and the line that the cost may not pass."""

import asyncio
import math
from dataclasses import dataclass, field
from typing import Any

from semiosis.ask._failure import GaveUpError
from semiosis.ask._price import Prices, estimated
from semiosis.ask._request import Request
from semiosis.values import Unscored, Usage, UsageError


@dataclass
class Books:
    """Counts of one run."""

    prices: Prices = field(default_factory=Prices)
    """Where prices are looked up."""
    max_cost: float | None = None
    """US dollars that this run may not pass."""
    spent: Usage = field(default_factory=lambda: Usage(cost=0.0))
    """What was paid in this run, failed attempts included."""
    kept: int = 0
    """Answers served from the journal without paying."""
    unscored: int = 0
    """Questions that came to nothing."""
    unknown_prices: set[str] = field(default_factory=set)
    """Models whose price is not known."""
    _reserved: int = 0
    """Micro-dollars. Fractions of a dollar as floats would leave a residue that no call ever gives back."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def reserve(self, request: Request[Any], *, batch: bool) -> int:
        """Reserve the most that a call can cost, in micro-dollars; give up if that exceeds the limit."""
        if self.max_cost is None:
            return 0
        most = self.prices.cost(request.model, estimated(request, at_most=True), batch=batch)
        if most is None:
            raise UsageError(
                f"the price of {request.model.full_name} is unknown, so a cost limit cannot be kept",
                fix="give its price in a file (--prices) or leave --max-cost out",
            )
        needed, limit = _micro_dollars(most), _micro_dollars(self.max_cost)
        while self._reserved and self._total + self._reserved + needed > limit:
            self._changed.clear()
            await self._changed.wait()
        if self._total + needed > limit:
            spent = self._total / 1e6
            detail = f"{spent:.4f} of {self.max_cost} dollars are spent, the next call may cost {most:.4f}"
            raise GaveUpError(Unscored(reason="budget", detail=detail))
        self._reserved += needed
        return needed

    def settle(self, reserved: int) -> None:
        """Release a reservation."""
        self._reserved -= reserved
        self._changed.set()

    def pay(self, model: str, usage: Usage) -> None:
        """Enters a paid call."""
        if usage.cost is None:
            self.unknown_prices.add(model)
        self.spent = added(self.spent, usage)

    def plan(self, request: Request[Any]) -> None:
        """Enters a call that a dry run would have made."""
        usage = estimated(request)
        cost = self.prices.cost(request.model, usage)
        self.pay(request.model.full_name, usage.model_copy(update={"cost": cost}))

    @property
    def _total(self) -> int:
        return _micro_dollars(self.spent.cost or 0.0)

    def __str__(self) -> str:
        cost = "cost unknown" if self.spent.cost is None else f"${self.spent.cost:.4f}"
        parts = [f"{self.spent.calls} calls", f"{self.kept} kept", cost]
        if self.unscored:
            parts.append(f"{self.unscored} unscored")
        if self.unknown_prices:
            parts.append(f"no price known for {', '.join(sorted(self.unknown_prices))}")
        return ", ".join(parts)


def _micro_dollars(dollars: float) -> int:
    # Rounded up, after dropping the noise of the last float digits (0.3 * 1e6 is 299999.99999999994).
    return math.ceil(round(dollars * 1e6, 3))


def added(one: Usage, other: Usage) -> Usage:
    """Two usages as one; the cost is unknown as soon as one of them is."""
    cost = None if one.cost is None or other.cost is None else one.cost + other.cost
    return Usage(
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cache_read_tokens=one.cache_read_tokens + other.cache_read_tokens,
        cache_write_tokens=one.cache_write_tokens + other.cache_write_tokens,
        cost=cost,
    )
