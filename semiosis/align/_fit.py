"""Fits the parameters of an embedder on annotated readings, and measures them on prompts left out."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from semiosis.align._embedded import EmbeddedHSG, embed_hsgs
from semiosis.align._match import NEVER, Floats, assign, compare, probabilities
from semiosis.align._measure import Counts, PairMatches, Scored, count, judged, total
from semiosis.align._readings import AnnotatedPair
from semiosis.values import DataError, Embedder

CUTS = tuple(hundredths / 100 for hundredths in range(10, 91))
"""Cuts that are tried."""
MOST_UNRELATED = 0.05
"""The largest share of unrelated nodes, and of unrelated roots, that a cut may keep in any folder."""
FLAGGED = 0.05
"""Share of true matches whose objects are flagged as different."""


class MatchParameters(NamedTuple):
    """What is fitted."""

    cut: float
    slope: float
    intercept: float
    objects: float


def score(pairs: Sequence[AnnotatedPair], embedder: Embedder) -> list[Scored]:
    """The cosines of annotated pairs, without pairs in two scripts that the embedder cannot compare."""
    hsgs = {hsg.id: hsg for pair in pairs for hsg in (pair.prompt, pair.artifact)}
    embedded = embed_hsgs(hsgs, embedder)
    scored = []
    for pair in pairs:
        source, target = embedded[pair.prompt.id], embedded[pair.artifact.id]
        if source.writing.script == target.writing.script or embedder.multilingual:
            scored.append(_scored(pair, source, target))
    return scored


def _scored(pair: AnnotatedPair, source: EmbeddedHSG, target: EmbeddedHSG) -> Scored:
    return at_all_cuts(Scored(pair, source, target, compare(source, target, NEVER).cosines))


def at_all_cuts(scored: Scored) -> Scored:
    """The pair with its counts at every cut."""
    return scored._replace(at_cuts=np.array([count(scored, match_pair(scored, cut)) for cut in CUTS]))


def fit(pairs: Sequence[Scored]) -> MatchParameters:
    """The parameters for these pairs."""
    slope, intercept = fit_probability(pairs)
    return MatchParameters(choose_cut(pairs), slope, intercept, _objects_share(pairs))


def choose_cut(pairs: Sequence[Scored]) -> float:
    """The cut with the best F1 of matches among those that keep few enough unrelated nodes and roots.

    The condition holds for each folder of readings, because readings of one kind are more alike than others.
    """
    by_folder: dict[str, list[Floats]] = defaultdict(list)
    for scored in pairs:
        by_folder[scored.pair.folder].append(scored.at_cuts)
    sums = [np.sum(counts, axis=0) for counts in by_folder.values()]
    best, best_f1 = None, -1.0
    for at, cut in enumerate(CUTS):
        folders = [Counts(*counts[at]) for counts in sums]
        f1 = total(folders).f1
        if f1 > best_f1 and all(_few_unrelated(counts) for counts in folders):
            best, best_f1 = cut, f1
    if best is None:
        raise DataError(
            f"every cut keeps more than {MOST_UNRELATED:.0%} of unrelated nodes or roots",
            fix="use another embedder",
        )
    return best


def match_pair(scored: Scored, cut: float, slope: float = 1.0, intercept: float = 0.0) -> PairMatches:
    """The matches of a pair at a cut, with probabilities by these parameters."""
    rows, columns = assign(scored.cosines, cut)
    return PairMatches(rows, columns, probabilities(scored.cosines[rows, columns], slope, intercept))


def fit_probability(pairs: Sequence[Scored]) -> tuple[float, float]:
    """Slope and intercept of a logistic regression on the assigned pairs of nodes, below the cut too."""
    cosines, right = assigned(pairs)
    n_right, n_wrong = right.sum(), (1 - right).sum()
    # Platt's targets (1999) keep the slope finite when a cosine separates right from wrong without error.
    goal = np.where(right, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))

    def loss(parameters: Floats) -> float:
        odds = parameters[0] * cosines + parameters[1]
        return float(np.sum(np.logaddexp(0, odds) - goal * odds))

    slope, intercept = minimize(loss, np.array([10.0, -4.0]), method="Nelder-Mead").x.tolist()
    if slope <= 0:
        raise DataError(
            "a larger cosine does not make a match more likely", fix="use another embedder or more readings"
        )
    return round(slope, 3), round(intercept, 3)


def assigned(pairs: Sequence[Scored]) -> tuple[Floats, Floats]:
    """Cosine of every pair of nodes that the assignment makes in related pairs, and 1 where it is right."""
    rows: list[tuple[float, bool]] = []
    for scored in pairs:
        if scored.pair.related:
            at = assign(scored.cosines, NEVER)
            rows += judged(scored, PairMatches(*at, scored.cosines[at]))
    cosines, right = np.array(rows, np.float64).reshape(-1, 2).T
    return cosines, right


def leave_one_out(pairs: Sequence[Scored]) -> dict[str, list[tuple[Scored, PairMatches]]]:
    """For each prompt the answers on its pairs, by parameters fitted without the prompt and its artifacts."""
    prompts = dict.fromkeys(scored.pair.prompt.id for scored in pairs)
    return {prompt: apply(pairs_of(prompt, pairs), fit(_without(pairs, prompt))) for prompt in prompts}


def pairs_of(prompt: str, pairs: Sequence[Scored]) -> list[Scored]:
    """The pairs whose source is this prompt's HSG."""
    return [scored for scored in pairs if scored.pair.prompt.id == prompt]


def apply(pairs: Sequence[Scored], by: MatchParameters) -> list[tuple[Scored, PairMatches]]:
    """The answers on pairs by these parameters."""
    return [(scored, match_pair(scored, by.cut, by.slope, by.intercept)) for scored in pairs]


def counted(answers: dict[str, list[tuple[Scored, PairMatches]]]) -> list[list[Counts]]:
    """The counts of every pair, prompt by prompt."""
    return [[count(scored, made) for scored, made in pairs] for pairs in answers.values()]


def _without(pairs: Sequence[Scored], prompt: str) -> list[Scored]:
    return [scored for scored in pairs if prompt not in (scored.pair.prompt.id, scored.pair.owner)]


def _few_unrelated(counts: Counts) -> bool:
    return max(counts.unrelated_nodes_share, counts.unrelated_roots_share) <= MOST_UNRELATED


def _objects_share(pairs: Sequence[Scored]) -> float:
    """The share of the nodes' cosine that the objects' cosine of few true matches falls below."""
    shares = []
    for scored in pairs:
        for source, target in scored.pair.truth:
            row, column = scored.source.nodes.index(source), scored.target.nodes.index(target)
            objects = float(scored.source.objects[row] @ scored.target.objects[column])
            shares.append(objects / max(float(scored.cosines[row, column]), 1e-6))
    return round(float(np.clip(np.quantile(shares, FLAGGED), 0, 1)), 3)
