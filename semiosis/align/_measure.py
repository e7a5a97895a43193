"""Counts of right and wrong matches in annotated readings, and rates with intervals that resample prompts."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from semiosis.align._annotated import AnnotatedPair
from semiosis.align._embedded import EmbeddedHSG
from semiosis.align._match import Floats, Rows
from semiosis.align._weights import MeasuredQuality, MeasuredReaders

RESAMPLES = 2000


class ScoredPair(NamedTuple):
    """An annotated pair with the cosines of its nodes."""

    pair: AnnotatedPair
    source: EmbeddedHSG
    target: EmbeddedHSG
    cosines: Floats
    at_cuts: Floats = np.empty(0)
    """The pair's `Counts` at each cut that the fit tries, one row per cut."""

    @property
    def length(self) -> float:
        """The mean length of the texts of both HSGs, in UTF-8 bytes."""
        return (self.source.length + self.target.length) / 2

    @property
    def same_script(self) -> bool:
        """Whether both HSGs are in one script."""
        return self.source.writing.script == self.target.writing.script


class Counts(NamedTuple):
    """Counts of right and wrong matches in one or several pairs."""

    predicted: float = 0
    """Matches predicted in annotated related pairs, without disputed nodes."""
    right: float = 0
    """Predicted matches that annotators made too."""
    true: float = 0
    """Matches that annotators made."""
    called_lost: float = 0
    """Nodes predicted to be lost."""
    rightly_lost: float = 0
    """Nodes predicted to be lost that annotators call lost too."""
    lost: float = 0
    """Nodes that annotators call lost."""
    stated: float = 0
    """Sum of the stated probabilities of the predicted matches."""
    unrelated_nodes: float = 0
    """Nodes of prompts in unrelated pairs."""
    unrelated_nodes_kept: float = 0
    """Nodes of prompts in unrelated pairs that were matched."""
    unrelated_roots: float = 0
    """Roots of prompts in unrelated pairs."""
    unrelated_roots_kept: float = 0
    """Roots of prompts in unrelated pairs that were matched."""
    same_sign_nodes: float = 0
    """Nodes that two readings of one sign could match."""
    same_sign_matched: float = 0
    """Nodes of two readings of one sign that were matched."""

    @property
    def f1(self) -> float:
        """F1 of matches."""
        return _ratio(2 * self.right, self.predicted + self.true)

    @property
    def precision(self) -> float:
        """Share of matches that are right."""
        return _ratio(self.right, self.predicted)

    @property
    def recall(self) -> float:
        """Share of true matches that were found."""
        return _ratio(self.right, self.true)

    @property
    def lost_f1(self) -> float:
        """F1 of lost nodes."""
        return _ratio(2 * self.rightly_lost, self.called_lost + self.lost)

    @property
    def mean_stated(self) -> float:
        """Mean stated probability of matches."""
        return _ratio(self.stated, self.predicted)

    @property
    def same_sign_share(self) -> float:
        """Share of the nodes of two readings of one sign that were matched."""
        return _ratio(self.same_sign_matched, self.same_sign_nodes)

    @property
    def unrelated_nodes_share(self) -> float:
        """Share of unrelated nodes that were matched."""
        return _ratio(self.unrelated_nodes_kept, self.unrelated_nodes)

    @property
    def unrelated_roots_share(self) -> float:
        """Share of unrelated roots that were matched."""
        return _ratio(self.unrelated_roots_kept, self.unrelated_roots)


class PredictedMatches(NamedTuple):
    """The matches that a method predicts in one pair."""

    rows: Rows
    """Source nodes."""
    columns: Rows
    """Target nodes."""
    p: Floats
    """Stated probabilities."""


def check_matches(scored: ScoredPair, predicted: PredictedMatches) -> list[tuple[float, bool]]:
    """Return the stated probability of each match and whether it is right, without disputed nodes."""
    truth = scored.pair.truth or frozenset()
    cells = zip(predicted.rows, predicted.columns, strict=True)
    names = ((scored.source.nodes[row], scored.target.nodes[column]) for row, column in cells)
    return [
        (p, match in truth)
        for p, match in zip(predicted.p.tolist(), names, strict=True)
        if match[0] not in scored.pair.disputed
    ]


def count_matches(scored: ScoredPair, predicted: PredictedMatches) -> Counts:
    """Return the counts of one pair."""
    pair, nodes = scored.pair, scored.source.nodes
    if not pair.related:
        return Counts(
            unrelated_nodes=len(nodes),
            unrelated_nodes_kept=len(predicted.rows),
            unrelated_roots=1,
            unrelated_roots_kept=int((predicted.rows == 0).sum()),
        )
    if pair.truth is None:
        smaller = min(scored.cosines.shape)
        return Counts(same_sign_nodes=smaller, same_sign_matched=len(predicted.rows))
    matches = check_matches(scored, predicted)
    lost = set(nodes) - {source for source, _ in pair.truth} - pair.disputed
    called_lost = set(nodes) - {nodes[row] for row in predicted.rows} - pair.disputed
    return Counts(
        predicted=len(matches),
        right=sum(right for _, right in matches),
        true=len(pair.truth),
        called_lost=len(called_lost),
        rightly_lost=len(called_lost & lost),
        lost=len(lost),
        stated=math.fsum(p for p, _ in matches),
    )


def sum_counts(counts: Iterable[Counts]) -> Counts:
    """Return the sum of counts."""
    return Counts(*np.sum([*counts, Counts()], axis=0).tolist())


def measure(by_prompt: Sequence[Sequence[Counts]], seed: int = 0) -> MeasuredQuality:
    """Return the rates over the pairs of all prompts, with an interval that resamples prompts."""
    prompts = [sum_counts(pairs) for pairs in by_prompt]
    sums = sum_counts(prompts)
    unrelated = sums.unrelated_roots > 0
    return MeasuredQuality(
        prompts=len(prompts),
        pairs=sum(pair.unrelated_roots == 0 for pairs in by_prompt for pair in pairs),
        unrelated_pairs=int(sums.unrelated_roots),
        f1=round(sums.f1, 3),
        f1_interval=percentile_interval(prompts, seed) if len(prompts) > 1 else None,
        precision=round(sums.precision, 3),
        recall=round(sums.recall, 3),
        lost_f1=round(sums.lost_f1, 3),
        unrelated_nodes=round(sums.unrelated_nodes_share, 3) if unrelated else None,
        unrelated_roots=round(sums.unrelated_roots_share, 3) if unrelated else None,
        stated=round(sums.mean_stated, 3),
        right=round(sums.precision, 3),
    )


def measure_readers(by_sign: Sequence[Sequence[Counts]]) -> MeasuredReaders:
    """Return the rates over pairs of readings whose matches nobody annotated."""
    sums = sum_counts(counts for pairs in by_sign for counts in pairs)
    return MeasuredReaders(
        signs=len(by_sign),
        nodes=int(sums.same_sign_nodes),
        same_sign_nodes=round(sums.same_sign_share, 3),
        unrelated_pairs=int(sums.unrelated_roots),
        unrelated_nodes=round(sums.unrelated_nodes_share, 3),
        unrelated_roots=round(sums.unrelated_roots_share, 3),
    )


def percentile_interval(prompts: Sequence[Counts], seed: int = 0, rate: str = "f1") -> tuple[float, float]:
    """Return the 95% percentile interval of a rate over resampled prompts."""
    random = np.random.default_rng(seed)
    drawn = random.integers(len(prompts), size=(RESAMPLES, len(prompts)))
    sums = np.array(prompts)[drawn].sum(axis=1)
    rates = [getattr(Counts(*row), rate) for row in sums]
    low, high = np.percentile(rates, [2.5, 97.5]).round(3).tolist()
    return low, high


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
