"""Drift along a cascade: the round in which each meaning emerged and the round in which it was lost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from semiosis.align._aligner import aligner_of
from semiosis.align._embedder import DEFAULT_EMBEDDER
from semiosis.values import (
    MATCHED,
    Alignment,
    Cascade,
    Embedder,
    Fate,
    NodeFate,
    UsageError,
    brief_repr,
)

_CHANGED: frozenset[Fate] = frozenset({"resignified", "reversed"})
_FOLLOWED = ("kept", "weakened", "split", "merged", "resignified", "reversed")
"""Fates whose target belongs to the row of the source, in the order in which they claim a target."""


@dataclass(frozen=True, slots=True)
class TracedMeaning:
    """One meaning, from the round in which it first appears, and what becomes of it round by round.

    A node that is resignified or reversed is followed into the node in which its sign recurs, so that a chain
    of changes stays in one row.
    """

    start: int
    """The round in which it appears, counted from 1. The meanings of the first sign start in round 1."""
    nodes: tuple[str, ...]
    """Its node in each round, from `start` on."""
    fates: tuple[Fate, ...]
    """What became of each of its nodes in the next round; none for a node of the last round."""
    p: float
    """The probability that its last node still has the first meaning: the product over the matches."""
    survives: bool
    """Whether the last round still has the meaning, in this row or in the row it merged into."""
    into: str = ""
    """The node of the next round that carries it on in another row, if it was merged into that node."""
    continues: tuple[str, ...] = ()
    """Nodes of the round before whose meaning is in part in the first node: a split or diffused meaning."""

    @property
    def last(self) -> int:
        """The last round that has a node of it."""
        return self.start + len(self.nodes) - 1

    @property
    def changed_in(self) -> int | None:
        """The first round in which its sign stands for something else; None if there is none."""
        changes = (at for at, fate in enumerate(self.fates, start=self.start + 1) if fate in _CHANGED)
        return next(changes, None)

    @property
    def lost_in(self) -> int | None:
        """The round that lost it; None if it survives or was changed before."""
        return None if self.survives or self.changed_in else self.start + len(self.nodes)


@dataclass(frozen=True, slots=True)
class Drift:
    """How meaning moves along a cascade C(N) (SemJudge, section 3.2)."""

    __repr__ = brief_repr

    cascade: Cascade
    """The HSGs of the rounds."""
    steps: tuple[Alignment, ...]
    """Each round against the next."""
    whole: Alignment
    """The first round against the last, compared directly: Δo(ô(1), ô(N))."""
    meanings: tuple[TracedMeaning, ...]
    """Every meaning: those of the first round, then those that appear later, round by round. Each node of
    each round belongs to exactly one meaning."""

    @property
    def kept(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round that the last round still has."""
        return tuple(meaning for meaning in self.meanings if meaning.start == 1 and meaning.survives)

    @property
    def lost(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round that were lost."""
        return tuple(m for m in self.meanings if m.start == 1 and m.lost_in)

    @property
    def changed(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round whose sign came to stand for something else or for the opposite."""
        return tuple(m for m in self.meanings if m.start == 1 and m.changed_in)

    @property
    def emergent(self) -> tuple[TracedMeaning, ...]:
        """Meanings that emerged after the first round, whether they were lost again or not."""
        return tuple(m for m in self.meanings if m.start > 1 and not m.continues)


def drift(
    cascade: Cascade,
    *,
    embedder: str | Embedder = DEFAULT_EMBEDDER,
    weights: Path | None = None,
    cache: Path | None = None,
) -> Drift:
    """Return the drift of a cascade, which follows every meaning through the rounds.

    A meaning that is lost in one round and returns in a later one counts as lost, and then as emergent.
    """
    aligner = aligner_of(embedder, weights=weights, cache=cache)
    hsgs = cascade.hsgs
    *steps, whole = aligner.diff_all([*pairwise(hsgs), (hsgs[0], hsgs[-1])])
    return drift_of_alignments(cascade, steps, whole)


def drift_of_alignments(cascade: Cascade, steps: Sequence[Alignment], whole: Alignment) -> Drift:
    """Return the drift, given the alignments of each round with the next and of the first with the last."""
    hsgs = cascade.hsgs
    for step, (before, after) in zip([*steps, whole], [*pairwise(hsgs), (hsgs[0], hsgs[-1])], strict=True):
        if (step.source.hsg, step.target.hsg) != (before.id, after.id):
            raise UsageError(
                f"alignment {step.id} does not align HSG {before.id} with HSG {after.id}",
                fix="give each round with the next, in order, then the first with the last",
            )
    return Drift(cascade, tuple(steps), whole, tuple(_meanings(cascade, steps)))


def _meanings(cascade: Cascade, steps: Sequence[Alignment]) -> list[TracedMeaning]:
    followed = [_followed(step) for step in steps]
    meanings = [_trace(1, node, steps, followed) for node in cascade.hsgs[0].semioses]
    for start, (step, targets) in enumerate(zip(steps, followed, strict=True), start=2):
        new = set(step.target.nodes) - set(targets.values())
        meanings += [_trace(start, node, steps, followed) for node in step.target.nodes if node in new]
    return _resolve_mergers(meanings)


def _followed(step: Alignment) -> dict[str, str]:
    """Return the target node that continues each source node. No two source nodes share one.

    If several fates name one target, the better match has it. The other nodes end there, and further targets
    of a split node start rows of their own.
    """
    claims = [fate for fate in step.fates if fate.fate in _FOLLOWED]
    claims.sort(key=lambda fate: (_FOLLOWED.index(fate.fate), -(fate.p or 0.0)))
    targets: dict[str, str] = {}
    for fate in claims:
        free = [target for target in fate.targets if target not in targets.values()]
        if free:
            targets[fate.node] = free[0]
    return targets


def _trace(
    start: int, node: str, steps: Sequence[Alignment], followed: Sequence[dict[str, str]]
) -> TracedMeaning:
    nodes, fates, p = [node], list[NodeFate](), 1.0
    for step, targets in zip(steps[start - 1 :], followed[start - 1 :], strict=True):
        fates.append(step.fate_of(nodes[-1]))
        if nodes[-1] not in targets:
            break
        if all(fate.fate in MATCHED for fate in fates):
            p *= fates[-1].p or 0.0
        nodes.append(targets[nodes[-1]])
    ended = len(fates) == len(nodes)
    merged = ended and fates[-1].fate in MATCHED
    return TracedMeaning(
        start=start,
        nodes=tuple(nodes),
        fates=tuple(fate.fate for fate in fates),
        p=p,
        survives=not ended and all(fate.fate in MATCHED for fate in fates),
        into=fates[-1].targets[0] if merged else "",
        continues=_named_by(steps[start - 2], node) if start > 1 else (),
    )


def _named_by(step: Alignment, target: str) -> tuple[str, ...]:
    """Return the source nodes whose fates name a target node."""
    return tuple(fate.node for fate in step.fates if target in fate.targets)


def _resolve_mergers(meanings: list[TracedMeaning]) -> list[TracedMeaning]:
    """Let a merged meaning survive if the row that it merged into keeps its meaning from there on."""
    rows = {(m.start + at, node): m for m in meanings for at, node in enumerate(m.nodes)}

    def carried(meaning: TracedMeaning) -> bool:
        while meaning.into:
            at = meaning.last + 1
            meaning, before = rows[at, meaning.into], meaning
            later = meaning.fates[at - meaning.start :]
            if before.changed_in or not all(fate in MATCHED for fate in later):
                return False
        return meaning.last == last_round

    last_round = max(meaning.last for meaning in meanings)
    return [replace(m, survives=carried(m)) if m.into else m for m in meanings]
