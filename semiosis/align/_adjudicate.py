"""The least certain nodes, put to someone who can read both graphs."""

from dataclasses import dataclass
from math import ceil
from typing import Protocol

import numpy as np
from scipy.special import logit

from semiosis.align._match import NEVER, SURE, Scored, belief
from semiosis.align._view import Floats
from semiosis.values import HSG, DataError, Unscored

SHARE = 0.15
"""Share of the source's nodes that are put to an adjudicator; the least certain ones."""


@dataclass(frozen=True)
class Doubt:
    """A closed question: which of these nodes means the same as this one, or none?"""

    source: HSG
    """The graph the node is from."""
    target: HSG
    """The graph its match may be in."""
    node: str
    """A node of the source."""
    choices: tuple[str, ...]
    """Nodes of the target, the likeliest first."""


class Adjudicator(Protocol):
    """Who settles a doubt, such as a model that sees both graphs."""

    @property
    def name(self) -> str:
        """What alignments call it."""
        ...

    def choose(self, doubt: Doubt) -> str | Unscored | None:
        """One of the choices, None for none of them, or why there is no answer."""
        ...


def adjudicate(
    pair: tuple[HSG, HSG], scored: Scored, adjudicator: Adjudicator, share: float, p: float
) -> tuple[Scored, set[tuple[str, str]]]:
    """The log-odds with the answers written in, each right with probability `p`, and the matches chosen.

    A doubt that gets no answer stays as it was.
    """
    (source, target), settled = scored.evidence.pairs[0], set[tuple[int, int]]()
    odds, first, sure = scored.odds[0].copy(), scored.first[0].copy(), logit(p)
    for row in least_certain(scored.odds[0], share):
        likeliest = np.argsort(-scored.odds[0, row, 1:], kind="stable") + 1
        choices = {target.nodes[column]: int(column) for column in likeliest}
        answer = adjudicator.choose(Doubt(*pair, source.nodes[row], tuple(choices)))
        if isinstance(answer, Unscored):
            continue
        if answer is not None and answer not in choices:
            raise DataError(
                f"{adjudicator.name} chose {answer!r}, which was not a choice",
                node=source.nodes[row],
                fix=f"choices were {', '.join(choices)}",
            )
        odds[row], first[row] = NEVER, -sure
        if answer is not None:
            odds[:, choices[answer]] = NEVER
            odds[row, choices[answer]], first[row, choices[answer]] = SURE, sure
            settled.add((row, choices[answer]))
    chosen = {(source.nodes[i], target.nodes[j]) for i, j in settled if odds[i, j] == SURE}
    return scored._replace(odds=odds[None], first=first[None]), chosen


def least_certain(odds: Floats, share: float) -> list[int]:
    """Rows whose best answer, a match or none, has the lowest posterior; the root is not among them."""
    believed = belief(odds)
    best = np.maximum(believed.max(1), 1 - believed.sum(1))
    rows = sorted(range(1, len(best)), key=lambda row: float(best[row]))
    return rows[: ceil(share * len(best))]
