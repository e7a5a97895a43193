"""Counts the calls that a run would make, without asking anything."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from semiosis.ask._budget import Budget
from semiosis.ask._failure import UnansweredRequest
from semiosis.ask._journal import Journal, result_of
from semiosis.ask._reply import Reply, reply_from_journal
from semiosis.ask._request import Request
from semiosis.values import Unscored, Usage

T = TypeVar("T", bound=BaseModel)


@dataclass
class DryRun:
    """Answers questions from the journal or with placeholders, and adds up what the others would cost."""

    path: Path
    """The journal. It is read if it exists, and not created."""
    open_journal: Callable[[], Journal]
    """Opens it."""
    budget: Budget
    """The totals."""
    re_asks: int
    """How often a reply that does not fit would be sent back."""
    batch: bool
    """Whether the run would send batches."""
    retry_unscored: bool
    """Whether the run would ask questions again that failed earlier."""
    _planned: set[str] = field(default_factory=set)

    async def ask(self, request: Request[T]) -> Reply[T] | Unscored:
        """Return what the journal has for a question, or count its call and return a placeholder."""
        if self.path.exists():
            journal = self.open_journal()
            if not self.retry_unscored:
                failure = await earlier_failure(journal, self.budget, request.key)
                if failure is not None:
                    return failure
            recorded = await result_of(journal.peek(request.key))
            if recorded and (reply := reply_from_journal(request, recorded)):
                self.budget.kept += 1
                return reply
        if request.key not in self._planned:
            self._planned.add(request.key)
            in_batch = self.batch and request.model.profile.batches
            self.budget.add_planned(request, re_asks=self.re_asks, batch=in_batch)
        if request.placeholder is None:
            return UnansweredRequest(reason="missing", detail="a dry run asks nothing")
        return Reply(request.placeholder(), "dry-run", Usage())


async def earlier_failure(journal: Journal, budget: Budget, key: str) -> UnansweredRequest | None:
    """Return why a question got no answer in an earlier run, and count it; None if it did not fail."""
    rejected = await result_of(journal.rejected(key))
    if rejected is None:
        return None
    reason, usage = rejected
    budget.unscored += 1
    budget.failed_earlier += 1
    return UnansweredRequest.model_validate_json(reason).model_copy(update={"usage": usage})
