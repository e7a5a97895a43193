"""Audits of an embedder's alignments against those of a model or a person on the same pairs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from semiosis.stats.tools import Estimate, FloatArray, Interval, Resampling, interval, undefined
from semiosis.values import MATCHED, Alignment, Condition, Unscored, UsageError, brief_repr

_BINS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.0))

_METHOD = "sum over nodes / sum over nodes; t over prompts"


@dataclass(frozen=True)
class MatchBin:
    """The matches whose stated probability lies in one range."""

    low: float
    """The lower end of the range."""
    high: float
    """The upper end of the range."""
    n: int
    """The number of matches."""
    stated: float
    """The mean stated probability of the matches."""
    right: float
    """The share of the matches that are right."""


@dataclass(frozen=True)
class Audit:
    """The agreement of an embedder with a reference."""

    __repr__ = brief_repr

    screened_by: str
    """The embedder, such as `embedder wordllama`."""
    procedure: str
    """The procedure of the embedder's alignments."""
    length_classes: str
    """How many pairs each class of text length has, such as `28 short, 2 long`; see `LengthClass`."""
    reference: str
    """The aligner of the reference, such as `model anthropic/claude-sonnet-5`."""
    condition: Condition
    """Blind or given readings."""
    pairs: int
    """The number of pairs that both aligned."""
    prompts: int
    """The number of prompts. Intervals are over prompts."""
    nodes: int
    """The number of nodes compared."""
    left_out: int
    """The number of nodes that the reference calls merged. An embedder matches nodes one to one, so it cannot
    match them."""
    f1: Estimate
    """F1 of matches."""
    precision: Estimate
    """Share of the embedder's matches that the reference makes too, with the same target."""
    recall: Estimate
    """Share of the reference's matches that the embedder makes."""
    lost_f1: Estimate
    """F1 of unmatched nodes, which the reference calls lost, diffused, resignified or reversed."""
    reliability: tuple[MatchBin, ...]
    """The matches by stated probability, with the share that is right."""

    def __str__(self) -> str:
        rates = ", ".join(map(_format_rate, (self.f1, self.lost_f1)))
        return (
            f"audited against {self.reference} on {self.pairs} {self.condition} pairs "
            f"({self.length_classes}) of {self.prompts} prompts: {rates}"
        )


# Columns of the counts per prompt.
_FOUND, _RIGHT, _TRUE, _CALLED_LOST, _RIGHTLY_LOST, _LOST = range(6)


def audit_alignments(embedder: Iterable[Alignment], reference: Iterable[Alignment]) -> Audit | None:
    """Return the audit of an embedder's alignments, or None if the reference aligned none of its pairs.

    A match is right if the reference matches the source node too (kept, weakened or split) and names the same
    target. Intervals are Student's t over whole prompts; fewer than five prompts have none.
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
        if len(procedures := {(pair[side].procedure, pair[side].condition) for pair in both}) > 1:
            raise UsageError(
                f"an audit needs alignments by one procedure under one condition, not {len(procedures)}",
                fix="pass alignments by one embedder and one model or person, all blind or all given",
            )
    return _audit(both)


def _audit(both: Sequence[tuple[Alignment, Alignment]]) -> Audit:
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
        "precision": ("precision", (_RIGHT,), (_FOUND,)),
        "recall": ("recall", (_RIGHT,), (_TRUE,)),
        "f1": ("F1", (_RIGHT, _RIGHT), (_FOUND, _TRUE)),
        "lost_f1": ("lost F1", (_RIGHTLY_LOST, _RIGHTLY_LOST), (_CALLED_LOST, _LOST)),
    }
    return Audit(
        screened_by=both[0][0].aligned_by,
        procedure=both[0][0].procedure,
        length_classes=count_length_classes(screened.length_class for screened, _ in both),
        reference=both[0][1].aligned_by,
        condition=both[0][1].condition,
        pairs=len(both),
        prompts=len(by_prompt),
        nodes=nodes,
        left_out=left_out,
        **{
            field: ratio_estimate(name, counted[:, numerator].sum(1), counted[:, denominator].sum(1), nodes)
            for field, (name, numerator, denominator) in rates.items()
        },
        reliability=tuple(_reliability(matches)),
    )


def count_length_classes(names: Iterable[str]) -> str:
    """Return how many pairs each class of text length has.

    >>> count_length_classes(["short", "long", "short"])
    '2 short, 1 long'
    """
    return ", ".join(f"{count} {name or 'unclassified'}" for name, count in Counter(names).most_common())


def _count(
    screened: Alignment, reference: Alignment, merged: set[str], counts: list[int]
) -> list[tuple[float, bool]]:
    """Add the counts of one pair, and return the stated probability of each match and whether it is right."""
    matches = []
    for fate in reference.fates:
        if fate.node in merged:
            continue
        stated = screened.fate_of(fate.node)
        true, found = fate.fate in MATCHED, stated.fate in MATCHED
        right = true and found and stated.targets[0] in fate.targets
        counts[_FOUND] += found
        counts[_TRUE] += true
        counts[_RIGHT] += right
        counts[_LOST] += not true
        counts[_CALLED_LOST] += not found
        counts[_RIGHTLY_LOST] += not true and not found
        if found and stated.p is not None:
            matches.append((stated.p, right))
    return matches


def ratio_estimate(
    name: str,
    numerators: FloatArray,
    denominators: FloatArray,
    n: int,
    *,
    level: float = 0.95,
    limits: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """Return the ratio of two sums over prompts, with Student's t interval over prompts; n counts nodes."""
    value: float | Unscored = undefined("nothing to count")
    found: Interval | Unscored | None = None
    if denominators.sum():
        value = float(numerators.sum() / denominators.sum())
        found = interval(
            np.column_stack([numerators, denominators]), _ratio_of_sums, Resampling(level=level), limits
        )
    parameters = {"level": level}
    return Estimate(
        name=name,
        value=value,
        n=n,
        interval=found,
        unit="prompt",
        method=_METHOD,
        parameters=parameters,
    )


def _ratio_of_sums(sums: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


def _format_rate(rate: Estimate) -> str:
    """Return the name, value and interval of a rate. The audit states n once for all rates."""
    if isinstance(rate.value, Unscored):
        return f"{rate.name} undefined"
    ends = f" {rate.interval}" if isinstance(rate.interval, Interval) else " (no interval: too few prompts)"
    return f"{rate.name} {rate.value:.2f}{ends}"


def _reliability(matches: Sequence[tuple[float, bool]]) -> Iterable[MatchBin]:
    for low, high in _BINS:
        inside = [(p, right) for p, right in matches if low <= p < high or p == high == 1]
        if inside:
            stated, right = (float(np.mean(column)) for column in zip(*inside, strict=True))
            yield MatchBin(low, high, len(inside), stated, right)
