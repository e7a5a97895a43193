"""The tables of iconicity bias (SemJudge, table 2) and of the ablation (SemJudge, table 3)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from semiosis.stats._arrays import Numbers, floats
from semiosis.stats._compare import Signs, compare, votes_of_observations
from semiosis.stats._estimate import Estimate, FloatArray, IntervalSide, ResamplingUnit
from semiosis.stats._frames import Record, Result
from semiosis.stats._iconicity import iconicity_gap, net_iconicity
from semiosis.stats._judges import holm
from semiosis.stats._rows import JudgeRow
from semiosis.stats._votes import Votes, majority_of, outcomes_of, pooled_majority
from semiosis.values import Comparison, Observation, Question, Rating, Unscored, UsageError

SCALES = ("iconicity", "indexicality", "symbolism")
"""Names of the three scales on which signs are rated, in this order."""


@dataclass(frozen=True)
class BiasRow(Result):
    """One evaluator's iconicity bias."""

    evaluator: str
    gap: Estimate
    """Δ with its interval and p. `related` has Cohen's d."""
    p_holm: float | None
    """p adjusted by Holm within the table."""


@dataclass(frozen=True)
class BiasTable(Result):
    """Iconicity bias of several evaluators."""

    table_rows = ("rows",)

    rows: tuple[BiasRow, ...]
    reference: tuple[str, ...]
    unit: ResamplingUnit
    n_unrated: int
    """Comparisons with a reference that lack a rating of the prompt or of an artifact."""

    def __str__(self) -> str:
        return "; ".join(f"{row.evaluator}: {row.gap}" for row in self.rows)


class AblationSetting(NamedTuple):
    """The HSGs that a judge was given, their builder, and the model."""

    hsg: str
    """none, root-only, standard or complex."""
    builder: str
    """The reader of the HSGs; empty if there are none."""
    judge: str
    """The model that judged."""


@dataclass(frozen=True)
class AblationResult(Result):
    """One judge of an ablation."""

    setting: AblationSetting
    """How the judge was run."""
    result: JudgeRow
    """Its statistics."""

    def record(self) -> Record:
        """Return the setting and the statistics as one row of a DataFrame."""
        return {**self.result.record(), **self.setting._asdict()}


@dataclass(frozen=True)
class Ablation(Result):
    """Judges by the HSG they were given."""

    table_rows = ("rows",)

    rows: tuple[AblationResult, ...]
    reference: tuple[str, ...]
    n_reference: int
    """Comparisons with a reference."""
    published: bool
    """Whether a judge was run with the published preset, so that published rows may be shown."""

    def __str__(self) -> str:
        return "; ".join(f"{', '.join(filter(None, row.setting))}: {row.result.krcc}" for row in self.rows)


def iconicity_bias(
    observations: Iterable[Observation] | Votes,
    *,
    reference: str | Sequence[str],
    comparisons: Iterable[Comparison] = (),
    iconicity: Numbers | None = None,
    scales: tuple[str, str, str] = SCALES,
    judges: Sequence[str] | None = None,
    unit: ResamplingUnit = "prompt",
    permutations: int = 10_000,
    resamples: int = 10_000,
    level: float = 0.95,
    side: IntervalSide = "lower",
    seed: int = 0,
) -> BiasTable:
    """Return Δ, its interval, Cohen's d and p for each evaluator (SemJudge, table 2).

    ÑI of each comparison comes from the ratings of signs among the observations, on the three `scales`, or
    from `iconicity`, in the order of the comparisons. Repeats count as further instances of their prompt;
    with `unit="pair"` their majority counts, because repeats of a pair are not independent.
    """
    comparisons = list(comparisons)
    observed = [] if isinstance(observations, Votes) else list(observations)
    votes = (
        observations if isinstance(observations, Votes) else votes_of_observations(observed, comparisons, ())
    )
    if iconicity is None:
        iconicity = _rated_iconicity([r for r in observed if isinstance(r, Rating)], comparisons, scales)
    values = floats(iconicity)
    if len(values) != len(votes.prompt):
        raise UsageError(
            f"{len(values)} values of iconicity for {len(votes.prompt)} comparisons",
            fix="give one per comparison",
        )
    annotators = (reference,) if isinstance(reference, str) else tuple(reference)
    truth = pooled_majority(votes, annotators)[0]
    names = judges if judges is not None else [name for name in votes.evaluators if name not in annotators]
    found = []
    for name in names:
        instances = _instances(votes, name, unit)
        agrees = np.where(np.isnan(truth) | np.isnan(instances), np.nan, truth == instances)
        wanted = np.tile(~np.isnan(truth), len(instances))
        gap = iconicity_gap(
            np.tile(values, len(instances))[wanted],
            agrees.ravel()[wanted],
            [prompt for prompt, keep in zip(votes.prompt * len(instances), wanted, strict=True) if keep],
            unit=unit,
            permutations=permutations,
            resamples=resamples,
            level=level,
            side=side,
            seed=seed,
        )
        found.append((name, gap))
    adjusted = holm([gap.p for _, gap in found])
    rows = tuple(BiasRow(name, gap, p) for (name, gap), p in zip(found, adjusted, strict=True))
    return BiasTable(rows, annotators, unit, int((np.isnan(values) & ~np.isnan(truth)).sum()))


def ablation(
    observations: Iterable[Observation] | Votes,
    settings: Mapping[str, AblationSetting | tuple[str, str, str]],
    *,
    reference: str | Sequence[str],
    comparisons: Iterable[Comparison] = (),
    signs: Signs = (),
    questions: Iterable[Question] = (),
    level: float = 0.95,
    seed: int = 0,
) -> Ablation:
    """Return score, KRCC and VQA by HSG, builder and judge (SemJudge, table 3).

    `settings` states for each evaluator which HSG it was given, who built it and who judged. Published rows
    are shown below the computed rows if an evaluator was run with the published preset.
    """
    result = compare(
        observations,
        reference=reference,
        comparisons=comparisons,
        signs=signs,
        questions=questions,
        judges=list(settings),
        level=level,
        seed=seed,
    )
    rows = tuple(
        AblationResult(AblationSetting(*settings[row.judge]), row) for row in result.rows if not row.source
    )
    return Ablation(rows, result.reference, result.n_reference, published=result.published)


def _instances(votes: Votes, name: str, unit: ResamplingUnit) -> FloatArray:
    winners = outcomes_of(votes, name).winner
    return winners if unit == "prompt" else majority_of(winners)[0][None]


def _rated_iconicity(
    ratings: Sequence[Rating], comparisons: Sequence[Comparison], scales: tuple[str, str, str]
) -> FloatArray:
    """Return ÑI of each comparison, NaN if nobody rated one of its signs on all three scales."""
    net = sign_iconicity(ratings, scales)
    missing = float("nan")
    return np.array(
        [
            net.get(c.prompt, missing) + (net.get(c.a, missing) + net.get(c.b, missing)) / 2
            for c in comparisons
        ],
        dtype=np.float64,
    )


def sign_iconicity(ratings: Iterable[Rating], scales: tuple[str, str, str] = SCALES) -> dict[str, float]:
    """Return NI of each sign, by id: the mean over the raters who used all three scales."""
    by_rater: dict[str, dict[tuple[str, int], dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for rating in ratings:
        if rating.about_kind == "sign" and not isinstance(rating.value, Unscored):
            by_rater[rating.about][rating.evaluator.id, rating.repeat][rating.scale] = rating.value
    net = {}
    for sign, raters in by_rater.items():
        complete = [
            [values[scale] for scale in scales] for values in raters.values() if set(scales) <= values.keys()
        ]
        if complete:
            net[sign] = float(net_iconicity(*np.transpose(complete)))
    return net
