"""The totals of a run (calls, cost, retries), and its cost limit."""

import asyncio
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from semiosis.ask._failure import Failure
from semiosis.ask._model import Model
from semiosis.ask._prices import Prices, estimated, estimated_at_most, limit_in_micro_dollars, tokens_at_most
from semiosis.ask._request import Request
from semiosis.values import ProviderError, Usage, UsageError

_MILLION = 1_000_000
_MAX_DOLLARS = 1e9
_INPUT_TOKENS = ("input_tokens", "cache_write_tokens")
MAX_COMPLAINT_CHARACTERS = 4000
"""The longest complaint that is sent with a re-ask. Without it, the cost of a re-ask would have no bound."""


@dataclass
class Budget:
    """Totals of one run."""

    prices: Prices = field(default_factory=Prices)
    """Where prices are looked up."""
    max_cost: float | None = None
    """The cost limit of this run, in US dollars."""
    spent: Usage = field(default_factory=lambda: Usage(cost=0.0))
    """What was paid in this run, failed attempts included."""
    kept: int = 0
    """Answers served from the journal without paying."""
    unscored: int = 0
    """Questions without an answer."""
    failed_earlier: int = 0
    """Questions without an answer that failed in an earlier run and were not asked again."""
    retries: int = 0
    """Calls repeated after an error of the provider."""
    estimated: int = 0
    """Calls whose usage the provider did not report. They count at their maximum cost."""
    unanswered: int = 0
    """Calls that were sent and got no reply. The provider may bill them."""
    unknown_prices: set[str] = field(default_factory=set)
    """Models whose price is not known."""
    _micro_dollars: int = 0
    _planned_at_most: int = 0
    _stopped: ProviderError | None = None
    _input_factors: dict[str, float] = field(default_factory=dict)
    """For models that counted more input than the estimate allows: how many times as much."""
    _unanswered: int = 0
    _reserved: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        if self.max_cost is not None and not 0 <= self.max_cost <= _MAX_DOLLARS:
            raise UsageError(
                f"the cost limit {self.max_cost!r} is out of range",
                fix=f"give an amount in US dollars, 0 to {_MAX_DOLLARS:,.0f}",
            )

    def require_prices(self, models: Iterable[Model]) -> None:
        """Raise if there is a cost limit and the price of one of the models is unknown."""
        for model in models:
            if self.max_cost is not None and not self.prices.is_known(model):
                raise UsageError(
                    f"the price of {model.full_name} is unknown, so the cost limit cannot be enforced",
                    fix="give its price in a file (--prices) or omit --max-cost",
                )

    async def reserve(self, request: Request[Any], history_tokens: int = 0, *, batch: bool) -> int | Failure:
        """Reserve the maximum cost of a call, in micro-dollars; return a failure if it exceeds the limit."""
        if self.max_cost is None:
            return 0
        if self._stopped is not None:  # so that only the calls in flight are in excess
            raise self._stopped
        self.require_prices([request.model])
        needed = self.max_call_cost(request, history_tokens, batch=batch) or 0
        limit = limit_in_micro_dollars(self.max_cost)
        while self._reserved and self._total + self._reserved + needed > limit:
            self._changed.clear()
            await self._changed.wait()
        if self._total + needed > limit:
            spent, next_cost = self._total / _MILLION, needed / _MILLION
            detail = (
                f"{spent:.4f} of {self.max_cost} dollars have been spent, and the next call may cost "
                f"{next_cost:.4f}"
            )
            return Failure("budget", detail, sent=False, resumable=True)
        self._reserved += needed
        return needed

    def release(self, reserved: int) -> None:
        """Release a reservation."""
        self._reserved -= reserved
        self._changed.set()

    def max_call_cost(self, request: Request[Any], history_tokens: int = 0, *, batch: bool) -> int | None:
        """Return the maximum cost of a call, in micro-dollars; None if its price is unknown."""
        return self.prices.micro_dollars(request.model, self._at_most(request, history_tokens), batch=batch)

    def price(
        self, request: Request[Any], usage: Usage | None, history_tokens: int = 0, *, batch: bool
    ) -> Usage:
        """Return a call's usage with its cost. For usage that was not reported, the maximum is assumed."""
        counted = usage or self._at_most(request, history_tokens)
        cost = self.prices.cost(request.model, counted, batch=batch)
        return counted.model_copy(update={"cost": cost})

    def check_usage(self, request: Request[Any], usage: Usage, history_tokens: int = 0) -> None:
        """Compare what a provider counted with what was reserved, if there is a limit.

        More input raises the reservations of later calls. More output than `max_tokens` raises an error,
        because a provider that ignores it can bill any amount.
        """
        if self.max_cost is None:
            return
        most = self._at_most(request, history_tokens)
        if usage.output_tokens > most.output_tokens:
            self._stopped = ProviderError(
                f"{request.model.full_name} counts {usage.output_tokens} output tokens, more than the "
                f"{most.output_tokens} of max_tokens, so the cost limit cannot be kept",
                fix="raise --max-tokens, or omit --max-cost",
            )
            raise self._stopped
        if usage.input_tokens > most.input_tokens:
            name = request.model.full_name
            factor = self._input_factors.get(name, 1.0)
            self._input_factors[name] = factor * usage.input_tokens / most.input_tokens

    def _at_most(self, request: Request[Any], history_tokens: int) -> Usage:
        usage = estimated_at_most(request, history_tokens)
        factor = self._input_factors.get(request.model.full_name, 1.0)
        tokens = {name: math.ceil(getattr(usage, name) * factor) for name in _INPUT_TOKENS}
        return usage.model_copy(update=tokens)

    def add_paid(self, model: Model, usage: Usage, *, is_estimate: bool = False) -> None:
        """Add a paid call."""
        self.estimated += is_estimate
        self.spent = self._added(model, usage)

    def add_unanswered(self, request: Request[Any], history_tokens: int = 0, *, batch: bool) -> None:
        """Add a call that got no reply. Its maximum cost counts toward the limit, but not as spent."""
        self.unanswered += 1
        max_cost = self.max_call_cost(request, history_tokens, batch=batch)
        self._unanswered += max_cost or 0
        if max_cost is None:
            self.unknown_prices.add(request.model.full_name)

    def add_planned(self, request: Request[Any], *, re_asks: int, batch: bool) -> None:
        """Add a question that a run would ask: what it probably costs, and at most with all re-asks."""
        self.add_paid(request.model, self.price(request, estimated(request), batch=batch))
        for attempt in range(1 + re_asks):
            history = attempt * most_history_tokens(request)
            self._planned_at_most += self.max_call_cost(request, history, batch=batch) or 0

    @property
    def planned_at_most(self) -> float:
        """What the run that a dry run describes costs at most, in US dollars, with every re-ask."""
        return self._planned_at_most / _MILLION

    @property
    def used(self) -> bool:
        """Whether anything was asked, or served from the journal."""
        return any((self.spent.calls, self.kept, self.unscored, self.retries, self.unanswered))

    @property
    def _total(self) -> int:
        return self._micro_dollars + self._unanswered

    def _added(self, model: Model, usage: Usage) -> Usage:
        if usage.cost is None:
            self.unknown_prices.add(model.full_name)
        else:
            self._micro_dollars += round(usage.cost * _MILLION)
        before = self.spent
        return Usage(
            calls=before.calls + usage.calls,
            input_tokens=before.input_tokens + usage.input_tokens,
            output_tokens=before.output_tokens + usage.output_tokens,
            cache_read_tokens=before.cache_read_tokens + usage.cache_read_tokens,
            cache_write_tokens=before.cache_write_tokens + usage.cache_write_tokens,
            cost=None if self.unknown_prices else self._micro_dollars / _MILLION,
        )

    def __str__(self) -> str:
        cost = "cost unknown" if self.spent.cost is None else f"${self.spent.cost:.4f}"
        if self._planned_at_most and self.spent.cost is not None:
            cost += f" (at most ${self.planned_at_most:.4f})"
        parts = [f"{self.spent.calls} calls", f"{self.kept} kept", cost]
        if self.retries:
            parts.append(f"{self.retries} retries")
        if self.unscored:
            parts.append(f"{self.unscored} without an answer")
        if self.estimated:
            parts.append(f"{self.estimated} without reported usage, counted at their maximum cost")
        if self.unanswered:
            most = "" if self.unknown_prices else f" (at most ${self._unanswered / _MILLION:.4f})"
            parts.append(f"{self.unanswered} sent without a reply, which may be billed{most}")
        if self.unknown_prices:
            parts.append(f"no price known for {', '.join(sorted(self.unknown_prices))}")
        return ", ".join(parts)


def history_tokens(messages: list[Any]) -> int:
    """Return the most tokens that the messages added by a re-ask take."""
    return tokens_at_most(json.dumps(messages, ensure_ascii=False, default=str))


def most_history_tokens(request: Request[Any]) -> int:
    """Return the most tokens that a re-ask adds: the reply, which may be repeated, and the complaint."""
    return 3 * int(request.settings["max_tokens"]) + 2 * MAX_COMPLAINT_CHARACTERS
