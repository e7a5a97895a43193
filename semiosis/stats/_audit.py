"""Audits: how far an embedder's alignments agree with those of a model or a person on the same pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from semiosis.values import MATCHED, Alignment, UsageError

RESAMPLES = 2000
_BINS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.0))

Interval = tuple[float, float]


@dataclass(frozen=True)
class Rate:
    """A share with a 95 % interval that resamples prompts."""

    value: float | None
    """The share; None if nothing could be counted."""
    interval: Interval | None
    """None with fewer than two prompts."""

    def __str__(self) -> str:
        if self.value is None:
            return "undefined"
        if self.interval is None:
            return f"{self.value:.2f}"
        low, high = self.interval
        return f"{self.value:.2f} [{low:.2f}, {high:.2f}]"


@dataclass(frozen=True)
class MatchBin:
    """Matches whose stated probability lies in one range."""

    low: float
    """From this probability."""
    high: float
    """To this one."""
    n: int
    """Number of matches."""
    stated: float
    """Their mean stated probability."""
    right: float
    """The share of them that is right."""


@dataclass(frozen=True)
class Audit:
    """How far an embedder agrees with a reference."""

    embedder: str
    """How the embedder aligned: its procedure."""
    reference: str
    """Who the reference is, such as `model anthropic/claude-sonnet-5`."""
    pairs: int
    """Pairs that both aligned."""
    prompts: int
    """Their prompts, which intervals resample."""
    nodes: int
    """Nodes compared."""
    left_out: int
    """Nodes that the reference calls merged: an embedder matches one to one and cannot match them."""
    f1: Rate
    """F1 of matches."""
    precision: Rate
    """Share of the embedder's matches that the reference makes too, with the same target."""
    recall: Rate
    """Share of the reference's matches that the embedder makes."""
    lost_f1: Rate
    """F1 of unmatched nodes: lost, diffused, resignified or reversed by the reference."""
    reliability: tuple[MatchBin, ...]
    """Stated probability against the share right."""
    seed: int
    """Seed of the resampling."""

    def __str__(self) -> str:
        return (
            f"audited against {self.reference} on {self.pairs} pairs of {self.prompts} prompts "
            f"({self.nodes} nodes, {self.left_out} merged ones left out): precision {self.precision}, "
            f"recall {self.recall}, F1 {self.f1}, lost F1 {self.lost_f1}"
        )


# Columns of the counts per prompt.
_FOUND, _RIGHT, _TRUE, _CALLED_LOST, _RIGHTLY_LOST, _LOST = range(6)


def audit_alignments(
    embedder: Iterable[Alignment], reference: Iterable[Alignment], *, seed: int = 0
) -> Audit | None:
    """Compare an embedder's alignments with a reference on the pairs that both aligned; None without any.

    A match is right if the reference matches the source node too (kept, weakened or split) and names the same
    target. Intervals are percentile intervals over resampled prompts.
    """
    screened = {(found.source.hsg, found.target.hsg): found for found in embedder}
    both = [
        (screened[pair], found)
        for found in reference
        if (pair := (found.source.hsg, found.target.hsg)) in screened
    ]
    if not both:
        return None
    for side in (0, 1):
        if len(procedures := {pair[side].procedure for pair in both}) > 1:
            raise UsageError(
                f"an audit compares alignments of one procedure, not {len(procedures)}",
                fix="pass the alignments of one embedder and of one model or person",
            )
    return _audit(both, seed)


def _audit(both: Sequence[tuple[Alignment, Alignment]], seed: int) -> Audit:
    by_prompt: dict[str, list[int]] = {}
    matches: list[tuple[float, bool]] = []
    nodes = left_out = 0
    for screened, reference in both:
        counts = by_prompt.setdefault(reference.source.sign, [0] * 6)
        merged = {fate.node for fate in reference.fates if fate.fate == "merged"}
        nodes += len(reference.fates) - len(merged)
        left_out += len(merged)
        matches += _count(screened, reference, merged, counts)
    counted = np.array(list(by_prompt.values()), dtype=float)
    rates = {
        "precision": ((_RIGHT,), (_FOUND,)),
        "recall": ((_RIGHT,), (_TRUE,)),
        "f1": ((_RIGHT, _RIGHT), (_FOUND, _TRUE)),
        "lost_f1": ((_RIGHTLY_LOST, _RIGHTLY_LOST), (_CALLED_LOST, _LOST)),
    }
    return Audit(
        embedder=both[0][0].procedure,
        reference=both[0][1].aligned_by,
        pairs=len(both),
        prompts=len(by_prompt),
        nodes=nodes,
        left_out=left_out,
        **{
            name: ratio(counted[:, above].sum(1), counted[:, below].sum(1), seed)
            for name, (above, below) in rates.items()
        },
        reliability=tuple(_reliability(matches)),
        seed=seed,
    )


def _count(
    screened: Alignment, reference: Alignment, merged: set[str], counts: list[int]
) -> list[tuple[float, bool]]:
    """Add up the counts of one pair; return the stated probability of each match and whether it is right."""
    matches = []
    for fate in reference.fates:
        if fate.node in merged:
            continue
        guess = screened.fate_of(fate.node)
        true, found = fate.fate in MATCHED, guess.fate in MATCHED
        right = true and found and guess.targets[0] in fate.targets
        counts[_FOUND] += found
        counts[_TRUE] += true
        counts[_RIGHT] += right
        counts[_LOST] += not true
        counts[_CALLED_LOST] += not found
        counts[_RIGHTLY_LOST] += not true and not found
        if found and guess.p is not None:
            matches.append((guess.p, right))
    return matches


def ratio(
    above: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    below: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    seed: int,
) -> Rate:
    """Return the ratio of two sums over prompts, with an interval that resamples prompts."""
    if not below.sum():
        return Rate(None, None)
    value = float(above.sum() / below.sum())
    if len(below) < 2:
        return Rate(value, None)
    drawn = np.random.default_rng(seed).integers(len(below), size=(RESAMPLES, len(below)))
    sums = below[drawn].sum(1)
    rates = above[drawn].sum(1)[sums > 0] / sums[sums > 0]
    low, high = np.percentile(rates, [2.5, 97.5]).tolist()
    return Rate(value, (low, high))


def _reliability(matches: Sequence[tuple[float, bool]]) -> Iterable[MatchBin]:
    for low, high in _BINS:
        here = [(p, right) for p, right in matches if low <= p < high or p == high == 1]
        if here:
            stated, right = (float(np.mean(column)) for column in zip(*here, strict=True))
            yield MatchBin(low, high, len(here), stated, right)
