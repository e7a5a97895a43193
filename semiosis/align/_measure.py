"""Counts of right and wrong matches, and rates with intervals that resample prompts."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from semiosis.align._embedded import EmbeddedHSG
from semiosis.align._match import Floats, Rows
from semiosis.align._readings import AnnotatedPair
from semiosis.align._weights import Measured

RESAMPLES = 2000


class Scored(NamedTuple):
    """An annotated pair with the cosines of its nodes."""

    pair: AnnotatedPair
    source: EmbeddedHSG
    target: EmbeddedHSG
    cosines: Floats
    at_cuts: Floats = np.empty(0)
    """The pair's `Counts` at each cut that is tried, one row per cut."""

    @property
    def same_script(self) -> bool:
        """Whether both HSGs are in one script."""
        return self.source.writing.script == self.target.writing.script


class Counts(NamedTuple):
    """Right and wrong answers; counts of several pairs are added up."""

    found: float = 0
    """Matches made in related pairs, without disputed nodes."""
    right: float = 0
    """Those that are right."""
    true: float = 0
    """Matches that annotators made."""
    called_lost: float = 0
    """Nodes called lost."""
    rightly_lost: float = 0
    """Those that are lost."""
    lost: float = 0
    """Nodes that annotators call lost."""
    stated: float = 0
    """Sum of the stated probabilities of the matches made."""
    unrelated_nodes: float = 0
    """Nodes of prompts in unrelated pairs."""
    unrelated_nodes_kept: float = 0
    """Those that were matched."""
    unrelated_roots: float = 0
    """Roots of prompts in unrelated pairs."""
    unrelated_roots_kept: float = 0
    """Those that were matched."""

    @property
    def f1(self) -> float:
        """F1 of matches."""
        return _ratio(2 * self.right, self.found + self.true)

    @property
    def precision(self) -> float:
        """Share of matches that are right."""
        return _ratio(self.right, self.found)

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
        return _ratio(self.stated, self.found)

    @property
    def unrelated_nodes_share(self) -> float:
        """Share of unrelated nodes that were matched."""
        return _ratio(self.unrelated_nodes_kept, self.unrelated_nodes)

    @property
    def unrelated_roots_share(self) -> float:
        """Share of unrelated roots that were matched."""
        return _ratio(self.unrelated_roots_kept, self.unrelated_roots)


class PairMatches(NamedTuple):
    """The matches that a method makes in one pair."""

    rows: Rows
    """Source nodes."""
    columns: Rows
    """Target nodes."""
    p: Floats
    """Stated probabilities."""


def judged(scored: Scored, answer: PairMatches) -> list[tuple[float, bool]]:
    """The stated probability of each match and whether it is right, without disputed nodes."""
    cells = zip(answer.rows, answer.columns, strict=True)
    names = ((scored.source.nodes[row], scored.target.nodes[column]) for row, column in cells)
    return [
        (p, match in scored.pair.truth)
        for p, match in zip(answer.p.tolist(), names, strict=True)
        if match[0] not in scored.pair.disputed
    ]


def count(scored: Scored, answer: PairMatches) -> Counts:
    """The counts of one pair."""
    pair, nodes = scored.pair, scored.source.nodes
    if not pair.related:
        return Counts(
            unrelated_nodes=len(nodes),
            unrelated_nodes_kept=len(answer.rows),
            unrelated_roots=1,
            unrelated_roots_kept=int((answer.rows == 0).sum()),
        )
    matches = judged(scored, answer)
    kept = {source for source, _ in pair.truth}
    lost = set(nodes) - kept - pair.disputed
    called_lost = set(nodes) - {nodes[row] for row in answer.rows} - pair.disputed
    return Counts(
        found=len(matches),
        right=sum(right for _, right in matches),
        true=len(pair.truth),
        called_lost=len(called_lost),
        rightly_lost=len(called_lost & lost),
        lost=len(lost),
        stated=sum(p for p, _ in matches),
    )


def total(counts: Iterable[Counts]) -> Counts:
    """The sum of counts."""
    return Counts(*np.sum([*counts, Counts()], axis=0).tolist())


def measured(by_prompt: Sequence[Sequence[Counts]], seed: int = 0) -> Measured:
    """Rates over the pairs of all prompts, with an interval that resamples prompts."""
    prompts = [total(pairs) for pairs in by_prompt]
    of = total(prompts)
    unrelated = of.unrelated_roots > 0
    return Measured(
        prompts=len(prompts),
        pairs=sum(pair.unrelated_roots == 0 for pairs in by_prompt for pair in pairs),
        unrelated_pairs=int(of.unrelated_roots),
        f1=round(of.f1, 3),
        f1_interval=interval(prompts, seed) if len(prompts) > 1 else None,
        precision=round(of.precision, 3),
        recall=round(of.recall, 3),
        lost_f1=round(of.lost_f1, 3),
        unrelated_nodes=round(of.unrelated_nodes_share, 3) if unrelated else None,
        unrelated_roots=round(of.unrelated_roots_share, 3) if unrelated else None,
        stated=round(of.mean_stated, 3),
        right=round(of.precision, 3),
    )


def interval(prompts: Sequence[Counts], seed: int = 0, rate: str = "f1") -> tuple[float, float]:
    """95 % percentile interval of a rate over resampled prompts."""
    random = np.random.default_rng(seed)
    drawn = random.integers(len(prompts), size=(RESAMPLES, len(prompts)))
    sums = np.array(prompts)[drawn].sum(axis=1)
    rates = [getattr(Counts(*row), rate) for row in sums]
    low, high = np.percentile(rates, [2.5, 97.5]).round(3).tolist()
    return low, high


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
