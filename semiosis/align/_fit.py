"""The fit of an embedder's parameters on annotated readings, and predictions for prompts left out."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from semiosis.align._annotated import AnnotatedPair
from semiosis.align._embedded import EmbeddedHSG, embed_hsgs
from semiosis.align._match import NO_MATCH, Floats, assign, match_nodes, match_probabilities
from semiosis.align._measure import (
    Counts,
    PredictedMatches,
    ScoredPair,
    check_matches,
    count_matches,
    sum_counts,
)
from semiosis.values import DataError, Embedder

CUTS = tuple(hundredths / 100 for hundredths in range(10, 91))
"""The cuts that the fit tries."""
MAX_UNRELATED = 0.05
"""The largest share of unrelated nodes, and of unrelated roots, that a cut may keep in any folder."""
FLAGGED_SHARE = 0.05
"""The share of true matches whose objects the fitted parameter flags as different."""


class FittedParameters(NamedTuple):
    """The parameters that are fitted. `Weights` describes them."""

    cut: float
    slope: float
    intercept: float
    objects: float


def score_pairs(pairs: Sequence[AnnotatedPair], embedder: Embedder) -> list[ScoredPair]:
    """Return annotated pairs with cosines, without pairs in two scripts that the embedder cannot compare."""
    hsgs = {hsg.id: hsg for pair in pairs for hsg in (pair.prompt, pair.artifact)}
    embedded = embed_hsgs(hsgs, embedder)
    scored = []
    for pair in pairs:
        source, target = embedded[pair.prompt.id], embedded[pair.artifact.id]
        if source.writing.script == target.writing.script or embedder.multilingual:
            scored.append(_scored_pair(pair, source, target))
    return scored


def _scored_pair(pair: AnnotatedPair, source: EmbeddedHSG, target: EmbeddedHSG) -> ScoredPair:
    return with_counts(ScoredPair(pair, source, target, match_nodes(source, target, NO_MATCH).cosines))


def with_counts(scored: ScoredPair) -> ScoredPair:
    """Return the pair with its counts at every cut that the fit tries."""
    return scored._replace(at_cuts=np.array([count_matches(scored, predict(scored, cut)) for cut in CUTS]))


def fit(pairs: Sequence[ScoredPair]) -> FittedParameters:
    """Return the parameters for these pairs."""
    slope, intercept = fit_probability(pairs)
    return FittedParameters(choose_cut(pairs), slope, intercept, _objects_share(pairs))


def choose_cut(pairs: Sequence[ScoredPair]) -> float:
    """Return the cut with the highest F1 of matches that keeps few unrelated nodes and roots.

    The limit applies to each folder of readings separately, because the nodes of some kinds of readings are
    more similar than those of others.
    """
    by_folder: dict[str, list[Floats]] = defaultdict(list)
    for scored in pairs:
        by_folder[scored.pair.folder].append(scored.at_cuts)
    sums = [np.sum(counts, axis=0) for counts in by_folder.values()]
    best, best_f1 = None, -1.0
    for index, cut in enumerate(CUTS):
        folders = [Counts(*counts[index]) for counts in sums]
        f1 = sum_counts(folders).f1
        if f1 > best_f1 and all(_few_unrelated(counts) for counts in folders):
            best, best_f1 = cut, f1
    if best is None:
        raise DataError(
            f"every cut keeps more than {MAX_UNRELATED:.0%} of unrelated nodes or roots",
            fix="use another embedder",
        )
    return best


def predict(scored: ScoredPair, cut: float, slope: float = 1.0, intercept: float = 0.0) -> PredictedMatches:
    """Return the matches of a pair at a cut, with their probabilities."""
    rows, columns = assign(scored.cosines, cut)
    return PredictedMatches(
        rows, columns, match_probabilities(scored.cosines[rows, columns], slope, intercept)
    )


def fit_probability(pairs: Sequence[ScoredPair]) -> tuple[float, float]:
    """Return slope and intercept of a logistic regression on all assigned pairs, also those below the cut."""
    cosines, right = assigned_cosines(pairs)
    n_right, n_wrong = right.sum(), (1 - right).sum()
    # Platt's targets (1999) keep the slope finite when one cosine separates right from wrong pairs perfectly.
    targets = np.where(right, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))

    def loss(parameters: Floats) -> float:
        odds = parameters[0] * cosines + parameters[1]
        return float(np.sum(np.logaddexp(0, odds) - targets * odds))

    slope, intercept = minimize(loss, np.array([10.0, -4.0]), method="Nelder-Mead").x.tolist()
    if slope <= 0:
        raise DataError(
            "a larger cosine does not make a match more likely", fix="use another embedder or more readings"
        )
    return round(slope, 3), round(intercept, 3)


def assigned_cosines(pairs: Sequence[ScoredPair]) -> tuple[Floats, Floats]:
    """Return the cosine of every assigned pair of nodes in related pairs, and 1 for each that is right."""
    rows: list[tuple[float, bool]] = []
    for scored in pairs:
        if scored.pair.related:
            assigned = assign(scored.cosines, NO_MATCH)
            rows += check_matches(scored, PredictedMatches(*assigned, scored.cosines[assigned]))
    cosines, right = np.array(rows, np.float64).reshape(-1, 2).T
    return cosines, right


def leave_one_out(pairs: Sequence[ScoredPair]) -> dict[str, list[tuple[ScoredPair, PredictedMatches]]]:
    """Return the predictions for the pairs of each prompt, fitted without the prompt and its artifacts."""
    prompts = dict.fromkeys(scored.pair.prompt.id for scored in pairs)
    return {
        prompt: predict_all(pairs_of_prompt(prompt, pairs), fit(_without(pairs, prompt)))
        for prompt in prompts
    }


def pairs_of_prompt(prompt: str, pairs: Sequence[ScoredPair]) -> list[ScoredPair]:
    """Return the pairs whose source is this prompt's HSG."""
    return [scored for scored in pairs if scored.pair.prompt.id == prompt]


def predict_all(
    pairs: Sequence[ScoredPair], parameters: FittedParameters
) -> list[tuple[ScoredPair, PredictedMatches]]:
    """Return the predictions for pairs with these parameters."""
    cut, slope, intercept, _ = parameters
    return [(scored, predict(scored, cut, slope, intercept)) for scored in pairs]


def counts_by_prompt(predictions: dict[str, list[tuple[ScoredPair, PredictedMatches]]]) -> list[list[Counts]]:
    """Return the counts of every pair, prompt by prompt."""
    return [[count_matches(scored, matches) for scored, matches in pairs] for pairs in predictions.values()]


def _without(pairs: Sequence[ScoredPair], prompt: str) -> list[ScoredPair]:
    return [scored for scored in pairs if prompt not in (scored.pair.prompt.id, scored.pair.own_prompt)]


def _few_unrelated(counts: Counts) -> bool:
    return max(counts.unrelated_nodes_share, counts.unrelated_roots_share) <= MAX_UNRELATED


def _objects_share(pairs: Sequence[ScoredPair]) -> float:
    """Return the share of the nodes' cosine that the objects' cosine exceeds in most true matches."""
    shares = []
    for scored in pairs:
        for source, target in scored.pair.truth:
            row, column = scored.source.nodes.index(source), scored.target.nodes.index(target)
            objects = float(scored.source.objects[row] @ scored.target.objects[column])
            shares.append(objects / max(float(scored.cosines[row, column]), 1e-6))
    return round(float(np.clip(np.quantile(shares, FLAGGED_SHARE), 0, 1)), 3)
