"""Messages about the unscored results of a run: their number, the reasons, and what to do."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from semiosis.cli._inputs import in_study
from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.ask import Asker
    from semiosis.study import Study
    from semiosis.values import Unscored

UNSCORED_EXIT = 3
"""The exit code of a run in which something stayed unscored."""


def result_line(who: str, scored: int, thing: str, done: str, unscored: int) -> str:
    """Return the final line of a run, which counts scored and unscored results.

    >>> result_line("align wordllama", 18, "comparison", "judged", 0)
    'align wordllama: 18 comparisons judged, 0 unscored'
    """
    return f"{who}: {counted(scored, thing)} {done}, {unscored:,} unscored"


def counted(n: int, thing: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "call"), counted(1200, "call")
    ('1 call', '1,200 calls')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def is_known_reading(study: "Study", result: object) -> bool:
    """Return whether a new reading equals one that the study has at another level of detail.

    The depth is not part of an HSG's id, so the new reading is not recorded again.
    """
    from semiosis.values import HSG

    return isinstance(result, HSG) and result.id in study.hsgs


def explain_equal_readings(n: int) -> None:
    """Print how many readings are not recorded, because they equal readings at another level of detail."""
    if n:
        equal = f"{counted(n, 'reading')} {'equals one' if n == 1 else 'equal others'}"
        remark(f"{equal} of the study at another level of detail; the study keeps the first")


class UnscoredCounter:
    """Counts the scored results of a run, and the unscored ones by reason with one example for each."""

    def __init__(self) -> None:
        self.scored = 0
        self._counts = Counter[str]()
        self._details: dict[str, str] = {}

    @property
    def total(self) -> int:
        """The number of unscored results."""
        return self._counts.total()

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons of the unscored results."""
        return tuple(self._counts)

    def add(self, result: object) -> bool:
        """Count a reading, alignment, outcome or answer, and return whether it is unscored."""
        found = _unscored_of(result)
        if found is None:
            self.scored += 1
            return False
        self._counts[found.reason] += 1
        self._details.setdefault(found.reason, found.detail)
        return True

    def explain_dry_run(self, study: str | Path) -> None:
        """Print what would stay unscored because something is missing, and the command that creates it."""
        detail = self._details.get("missing", "")
        if "semiosis " in detail:  # in a dry run, results without a reply are unscored too
            remark(f"{self._counts['missing']} would stay unscored, missing: {in_study(detail, study)}")

    def explain(self, study: str | Path, asker: "Asker | None" = None, earlier: str = "") -> None:
        """Print why results are unscored, and what to do.

        `earlier` states the values that are unscored from earlier runs, such as `3 verdicts`.
        """
        for reason, n in self._counts.most_common():
            detail = in_study(self._details[reason], study)
            remark(f"{n} unscored, {reason}: {_FIXES.get(reason, '{}').format(detail)}")
        if asker is not None and (asked := asker.budget.failed_earlier):
            calls = counted(asked, "call")
            remark(f"{calls} not repeated, because earlier runs got no usable reply; {_RETRY}")
        if earlier:
            remark(f"{earlier} still unscored from earlier runs; {_RETRY}")


_RETRY = "ask again with --retry-unscored"
_FIXES = {
    "budget": "{}; run the same command with a higher --max-cost to continue",
    "provider": "{}; run the same command again to continue",
    "timeout": "{}; run the same command again to continue",
}


def _unscored_of(result: object) -> "Unscored | None":
    from semiosis.values import Answer, Outcome, Score, Unscored

    if isinstance(result, Outcome):
        result = result.winner
    elif isinstance(result, Answer):
        result = result.choice
    elif isinstance(result, Score):
        result = result.value
    return result if isinstance(result, Unscored) else None
