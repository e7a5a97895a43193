"""The fit of an embedder's parameters on annotated readings, and predictions for prompts left out."""

from collections import defaultdict
from collections.abc import Sequence
from math import ceil
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
MAX_UNRELATED_UNANNOTATED = MAX_UNRELATED / 2
"""The same for readings by two readers. Nothing but this limit holds their cut down, so that it lies exactly
at the limit on the signs it was fitted on, and beyond it on about half of all new signs."""
FLAGGED_SHARE = 0.05
"""The share of true matches whose objects the fitted parameter flags as different."""
_MEAN_DIGITS = 5
"""Decimal places of the mean vector, more than the vectors' own precision is worth."""


Predictions = dict[str, list[tuple[ScoredPair, PredictedMatches]]]
"""The pairs of each prompt with the matches predicted for them."""


class LengthCut(NamedTuple):
    """The cut for pairs up to a mean length of texts. `LengthClass` describes the fields."""

    name: str
    up_to: float
    cut: float


class FittedParameters(NamedTuple):
    """The parameters that are fitted. `Weights` describes them."""

    mean: tuple[float, ...]
    lengths: tuple[LengthCut, ...]
    slope: float
    intercept: float
    objects: float

    def cut(self, length: float) -> float:
        """Return the cut for pairs of this length."""
        return next((row.cut for row in self.lengths if length <= row.up_to), self.lengths[-1].cut)


def score_pairs(pairs: Sequence[AnnotatedPair], embedder: Embedder) -> list[ScoredPair]:
    """Return annotated pairs with cosines, without pairs in two scripts that the embedder cannot compare."""
    hsgs = {hsg.id: hsg for pair in pairs for hsg in (pair.prompt, pair.artifact)}
    embedded = embed_hsgs(hsgs, embedder)
    scored = []
    for pair in pairs:
        source, target = embedded[pair.prompt.id], embedded[pair.artifact.id]
        if source.writing.script == target.writing.script or embedder.multilingual:
            scored.append(ScoredPair(pair, source, target, _cosines(source, target)))
    return scored


def _cosines(source: EmbeddedHSG, target: EmbeddedHSG) -> Floats:
    return match_nodes(source, target, NO_MATCH).cosines


def fit(pairs: Sequence[ScoredPair], *, centre: bool = True, by_length: bool = True) -> FittedParameters:
    """Return the parameters for these pairs.

    Without `centre`, no mean vector is subtracted and the cosines of the pairs are used as they are. Without
    `by_length`, one cut serves all pairs.
    """
    mean = mean_vector(pairs) if centre else ()
    scored = list(map(with_counts, centred_pairs(pairs, mean)))
    annotated = [pair for pair in scored if pair.pair.truth is not None]
    lengths = _length_cuts(scored, annotated) if by_length else (_length_cut("all", scored, scored),)
    slope, intercept = fit_probability(annotated, lengths[0].cut)
    return FittedParameters(mean, lengths, slope, intercept, _objects_share(annotated))


def mean_vector(pairs: Sequence[ScoredPair]) -> tuple[float, ...]:
    """Return the mean vector of the nodes, in which each folder counts alike."""
    folders: dict[str, dict[str, EmbeddedHSG]] = defaultdict(dict)
    for scored in pairs:
        for hsg in (scored.source, scored.target):
            folders[scored.pair.folder][hsg.side.hsg] = hsg
    means = [np.concatenate([hsg.vectors for hsg in hsgs.values()]).mean(0) for hsgs in folders.values()]
    return tuple(np.mean(means, axis=0).round(_MEAN_DIGITS).tolist())


def centred_pairs(pairs: Sequence[ScoredPair], mean: Sequence[float]) -> list[ScoredPair]:
    """Return the pairs with cosines after this mean is subtracted."""
    if not mean:
        return list(pairs)
    hsgs = {hsg.side.hsg: hsg for scored in pairs for hsg in (scored.source, scored.target)}
    hsgs = {id_: hsg.with_mean(mean) for id_, hsg in hsgs.items()}
    centred = []
    for scored in pairs:
        source, target = hsgs[scored.source.side.hsg], hsgs[scored.target.side.hsg]
        centred.append(ScoredPair(scored.pair, source, target, _cosines(source, target)))
    return centred


def with_counts(scored: ScoredPair) -> ScoredPair:
    """Return the pair with its counts at every cut that the fit tries."""
    if scored.at_cuts.size:
        return scored
    return scored._replace(at_cuts=np.array([_counts_at(scored, cut) for cut in CUTS]))


def _counts_at(scored: ScoredPair, cut: float) -> Counts:
    rows, columns = assign(scored.cosines, cut)
    return count_matches(scored, PredictedMatches(rows, columns, np.ones(len(rows))))


def _length_cuts(scored: Sequence[ScoredPair], annotated: Sequence[ScoredPair]) -> tuple[LengthCut, ...]:
    """Return the cut of annotated readings and, if two readers read long ones, the cut of these."""
    readers = [pair for pair in scored if pair.pair.truth is None]
    if not readers:
        return (_length_cut("short", annotated, annotated),)
    shortest, longest = min(pair.length for pair in readers), max(pair.length for pair in annotated)
    if np.mean([pair.length for pair in readers]) <= longest:
        raise DataError(
            "the readings by two readers are not longer than the annotated ones",
            fix="fit without --readers, or give readings that are longer",
        )
    short, long = _length_cut("short", annotated, annotated), _length_cut("long", readers, readers)
    return short._replace(up_to=round((shortest + longest) / 2)), long


def _length_cut(name: str, pairs: Sequence[ScoredPair], measured: Sequence[ScoredPair]) -> LengthCut:
    return LengthCut(name, ceil(max(pair.length for pair in measured)), choose_cut(pairs))


def choose_cut(pairs: Sequence[ScoredPair]) -> float:
    """Return the best cut that keeps few unrelated nodes and roots.

    The limit applies to each folder of readings separately, because the nodes of some kinds of readings are
    more similar than those of others.
    """
    by_folder: dict[str, list[Floats]] = defaultdict(list)
    for scored in map(with_counts, pairs):
        by_folder[scored.pair.folder].append(scored.at_cuts)
    sums = [np.sum(counts, axis=0) for counts in by_folder.values()]
    best, best_quality = None, -1.0
    for index, cut in enumerate(CUTS):
        folders = [Counts(*counts[index]) for counts in sums]
        quality = _quality(sum_counts(folders))
        limit = MAX_UNRELATED if sum_counts(folders).true else MAX_UNRELATED_UNANNOTATED
        if quality > best_quality and all(_few_unrelated(counts, limit) for counts in folders):
            best, best_quality = cut, quality
    if best is None:
        raise DataError(
            f"every cut keeps more than {MAX_UNRELATED:.0%} of unrelated nodes or roots",
            fix="use another embedder",
        )
    return best


def _quality(counts: Counts) -> float:
    """Return F1 of matches or, where nobody annotated them, how far related and unrelated signs differ."""
    return counts.f1 if counts.true else counts.same_sign_share - counts.unrelated_nodes_share


def predict(scored: ScoredPair, parameters: FittedParameters) -> PredictedMatches:
    """Return the matches of a pair whose cosines are those of these parameters, with their probabilities."""
    cut = parameters.cut(scored.length)
    rows, columns = assign(scored.cosines, cut)
    p = match_probabilities(scored.cosines[rows, columns], cut, parameters.slope, parameters.intercept)
    return PredictedMatches(rows, columns, p)


def fit_probability(pairs: Sequence[ScoredPair], cut: float) -> tuple[float, float]:
    """Return slope and intercept of a logistic regression on all assigned pairs, also those below the cut."""
    cosines, right = assigned_cosines(pairs)
    margins = cosines - cut
    n_right, n_wrong = right.sum(), (1 - right).sum()
    # Platt's targets (1999) keep the slope finite when one cosine separates right from wrong pairs perfectly.
    targets = np.where(right, (n_right + 1) / (n_right + 2), 1 / (n_wrong + 2))

    def loss(parameters: Floats) -> float:
        odds = parameters[0] * margins + parameters[1]
        return float(np.sum(np.logaddexp(0, odds) - targets * odds))

    slope, intercept = minimize(loss, np.array([10.0, 0.0]), method="Nelder-Mead").x.tolist()
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


def leave_one_out(pairs: Sequence[ScoredPair], *, centre: bool = True, by_length: bool = True) -> Predictions:
    """Return the predictions for the pairs of each prompt, fitted without the prompt and its artifacts.

    For signs that two readers read, "prompt" is the sign of the first reading of a pair.
    """
    prompts = dict.fromkeys(scored.pair.prompt.id for scored in pairs)
    return {
        prompt: predict_all(
            pairs_of_prompt(prompt, pairs),
            fit(_without(pairs, prompt), centre=centre, by_length=by_length),
        )
        for prompt in prompts
    }


def pairs_of_prompt(prompt: str, pairs: Sequence[ScoredPair]) -> list[ScoredPair]:
    """Return the pairs whose source is this prompt's HSG."""
    return [scored for scored in pairs if scored.pair.prompt.id == prompt]


def predict_all(
    pairs: Sequence[ScoredPair], parameters: FittedParameters
) -> list[tuple[ScoredPair, PredictedMatches]]:
    """Return the predictions for pairs with these parameters."""
    return [(scored, predict(scored, parameters)) for scored in centred_pairs(pairs, parameters.mean)]


def counts_by_prompt(predictions: Predictions) -> list[list[Counts]]:
    """Return the counts of every pair, prompt by prompt."""
    return [[count_matches(scored, matches) for scored, matches in pairs] for pairs in predictions.values()]


def _without(pairs: Sequence[ScoredPair], prompt: str) -> list[ScoredPair]:
    return [scored for scored in pairs if prompt not in (scored.pair.prompt.id, scored.pair.own_prompt)]


def _few_unrelated(counts: Counts, limit: float) -> bool:
    return max(counts.unrelated_nodes_share, counts.unrelated_roots_share) <= limit


def _objects_share(pairs: Sequence[ScoredPair]) -> float:
    """Return the share of the nodes' cosine that the objects' cosine exceeds in most true matches."""
    shares = []
    for scored in pairs:
        for source, target in scored.pair.truth or ():
            row, column = scored.source.nodes.index(source), scored.target.nodes.index(target)
            objects = float(scored.source.objects[row] @ scored.target.objects[column])
            nodes = float(scored.source.vectors[row] @ scored.target.vectors[column])
            shares.append(objects / max(nodes, 1e-6))
    return round(float(np.clip(np.quantile(shares, FLAGGED_SHARE), 0, 1)), 3)
