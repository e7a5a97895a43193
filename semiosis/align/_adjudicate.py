"""The least certain nodes, put to someone who can read both graphs."""

from dataclasses import dataclass
from math import ceil
from typing import Protocol

import numpy as np

from semiosis.align._match import NEVER, SURE, Scored, posterior
from semiosis.align._measures import Cell
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


@dataclass(frozen=True, slots=True)
class Settled:
    """Log-odds in which some nodes are settled."""

    odds: Floats
    """With the answers written in."""
    cells: frozenset[Cell]
    """Matches that were chosen."""


def adjudicate(pair: tuple[HSG, HSG], scored: Scored, adjudicator: Adjudicator, share: float) -> Settled:
    """Ask about the least certain share of nodes; a doubt that gets no answer stays as it was."""
    odds, cells = scored.odds.copy(), set[Cell]()
    for row in least_certain(scored.odds, share):
        choices = _choices(scored, row)
        names = tuple(scored.target.nodes[column] for column in choices)
        answer = adjudicator.choose(Doubt(*pair, scored.source.nodes[row], names))
        if isinstance(answer, Unscored):
            continue
        if answer is not None and answer not in names:
            raise DataError(
                f"{adjudicator.name} chose {answer!r}, which was not a choice",
                node=scored.source.nodes[row],
                fix=f"choices were {', '.join(names)}",
            )
        odds[row] = NEVER
        if answer is not None:
            column = choices[names.index(answer)]
            odds[:, column] = NEVER
            odds[row, column] = SURE
            cells.add((row, column))
    return Settled(odds, frozenset(cells))


def least_certain(odds: Floats, share: float) -> list[int]:
    """Rows whose best answer, a match or none, has the lowest posterior; the root is not among them."""
    belief = posterior(odds[None])[0]
    best = np.maximum(belief.max(1), 1 - belief.sum(1))
    rows = sorted(range(1, len(best)), key=lambda row: best[row])
    return rows[: ceil(share * len(best))]


def _choices(scored: Scored, row: int) -> list[int]:
    order = np.argsort(-scored.odds[row], kind="stable")
    return [int(column) for column in order if column != 0]
