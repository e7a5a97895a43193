"""Outcomes: resolves one evaluator's verdicts on one comparison into one result."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from semiosis.values._brief import brief_repr
from semiosis.values._errors import UsageError
from semiosis.values._hsg import HSG
from semiosis.values._observation import Evaluator, Unscored, Verdict, Winner

OutcomeWinner = Literal["a", "b", "tie", "flip"]
"""A winner, a tie, or a tie by flip: opposite answers in the two orders."""

Rule = Literal["both-orders", "majority"]
"""How verdicts become an outcome."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one evaluator's verdicts on one comparison."""

    __repr__ = brief_repr

    comparison: str
    """The comparison's id."""
    evaluator: Evaluator
    """Who judged."""
    repeat: int | None
    """The repeat, or None if several were pooled."""
    winner: OutcomeWinner | Unscored
    """The winner, a tie, a tie by flip, or why there is none."""
    verdicts: tuple[Verdict, ...]
    """The verdicts that were resolved."""
    readings: tuple[HSG, ...] = ()
    """The HSGs that the evaluator read for this comparison."""

    @property
    def winner_or_tie(self) -> Winner | Unscored:
        """The winner, with a flip counted as a tie: the order shown is not a cue."""
        return "tie" if self.winner == "flip" else self.winner


def resolve(verdicts: Iterable[Verdict], rule: Rule = "both-orders") -> Outcome:
    """Return the outcome of one evaluator's verdicts on one comparison.

    `both-orders` requires the two orders to agree: opposite winners are a tie by flip, a winner and a tie are
    a tie, and a comparison shown in both orders but scored in one is unscored. If only one order was shown,
    as is usual with people, its verdict is the outcome. `majority` counts every scored verdict. Several
    repeats are resolved one by one, and the majority of the results counts.
    """
    resolved = tuple(verdicts)
    if len({(v.evaluator, v.comparison) for v in resolved}) != 1:
        raise UsageError(
            "resolve takes the verdicts of one evaluator on one comparison", fix="group with outcomes()"
        )
    repeats: dict[int, list[Verdict]] = defaultdict(list)
    for verdict in resolved:
        repeats[verdict.repeat].append(verdict)
    winners = [_RULES[rule](group) for group in repeats.values()]
    winner = winners[0] if len(winners) == 1 else _majority_of(winners)
    repeat = resolved[0].repeat if len(repeats) == 1 else None
    return Outcome(resolved[0].comparison, resolved[0].evaluator, repeat, winner, resolved)


def outcomes(verdicts: Iterable[Verdict], rule: Rule = "both-orders") -> Iterator[Outcome]:
    """Return the outcome of every evaluator on every comparison in every repeat, in order of appearance."""
    groups: dict[tuple[Evaluator, str, int], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        groups[verdict.evaluator, verdict.comparison, verdict.repeat].append(verdict)
    return (resolve(group, rule) for group in groups.values())


def _both_orders(verdicts: Sequence[Verdict]) -> OutcomeWinner | Unscored:
    shown: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        shown[verdict.shown].append(verdict)
    answers = [_majority(group) for group in shown.values()]
    unscored = [answer for answer in answers if isinstance(answer, Unscored)]
    if unscored:
        return unscored[0]
    if set(answers) == {"a", "b"}:
        return "flip"
    return answers[0] if len(set(answers)) == 1 else "tie"


def _majority(verdicts: Sequence[Verdict]) -> OutcomeWinner | Unscored:
    return _majority_of([verdict.winner for verdict in verdicts])


def _majority_of(winners: Sequence[OutcomeWinner | Unscored]) -> OutcomeWinner | Unscored:
    """Return the most frequent winner, a tie if two are equally frequent, unscored if none was scored."""
    scored = Counter(winner for winner in winners if not isinstance(winner, Unscored))
    if not scored:
        return next(winner for winner in winners if isinstance(winner, Unscored))
    (best, votes), *others = scored.most_common()
    return "tie" if others and others[0][1] == votes else best


_RULES: dict[Rule, Callable[[Sequence[Verdict]], OutcomeWinner | Unscored]] = {
    "both-orders": _both_orders,
    "majority": _majority,
}
