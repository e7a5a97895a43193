"""The papers' other tables: iconicity bias (SemJudge, table 2) and the ablation (SemJudge, table 3)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from semiosis.stats._arrays import Numbers, floats
from semiosis.stats._compare import Signs, compare, verdict_votes
from semiosis.stats._estimate import Estimate, FloatArray, Interval, Side, Unit
from semiosis.stats._iconicity import iconicity_gap
from semiosis.stats._judges import holm
from semiosis.stats._published import ABLATION, PUBLISHED_PRESET
from semiosis.stats._table import Cell, Table
from semiosis.stats._votes import Votes, majority_of, outcomes_of, pooled
from semiosis.values import Comparison, Observation, Question, Rating, Unscored, UsageError

SCALES = ("iconicity", "indexicality", "symbolism")
"""Names of the three scales on which signs are rated, in this order."""


@dataclass(frozen=True)
class BiasRow:
    """One evaluator's iconicity bias."""

    evaluator: str
    gap: Estimate
    """Δ with its interval and p; Cohen's d is beside it."""
    p_holm: float | None
    """p adjusted by Holm within the table."""


@dataclass(frozen=True)
class BiasTable:
    """Iconicity bias of several evaluators."""

    rows: tuple[BiasRow, ...]
    reference: tuple[str, ...]
    unit: Unit
    n_unrated: int
    """Comparisons with a reference that lack a rating of the prompt or of an artifact."""

    def __str__(self) -> str:
        return str(bias_table(self))


class AblationSetting(NamedTuple):
    """How a judge was run."""

    hsg: str
    """none, root-only, standard or complex."""
    builder: str
    """Who read the HSGs; empty without HSG."""
    judge: str
    """Who judged."""


def iconicity_bias(
    observations: Iterable[Observation] | Votes,
    *,
    reference: str | Sequence[str],
    comparisons: Iterable[Comparison] = (),
    iconicity: Numbers | None = None,
    scales: tuple[str, str, str] = SCALES,
    judges: Sequence[str] | None = None,
    unit: Unit = "prompt",
    permutations: int = 10_000,
    resamples: int = 10_000,
    level: float = 0.95,
    side: Side = "lower",
    seed: int = 0,
) -> BiasTable:
    """Δ, its interval, Cohen's d and p for each evaluator (SemJudge, table 2).

    ÑI of each comparison comes from the ratings of signs among the observations, on the three `scales`, or
    from `iconicity`, in the order of the comparisons. Repeats count as further instances of their prompt;
    `unit="pair"` takes their majority, because repeats of a pair are not independent.
    """
    comparisons = list(comparisons)
    said = [] if isinstance(observations, Votes) else list(observations)
    votes = observations if isinstance(observations, Votes) else verdict_votes(said, comparisons, ())
    if iconicity is None:
        iconicity = _rated_iconicity([r for r in said if isinstance(r, Rating)], comparisons, scales)
    values = floats(iconicity)
    if len(values) != len(votes.prompt):
        raise UsageError(
            f"{len(values)} iconicities for {len(votes.prompt)} comparisons", fix="give one for each"
        )
    referees = (reference,) if isinstance(reference, str) else tuple(reference)
    truth = pooled(votes, referees)[0]
    names = judges if judges is not None else [name for name in votes.evaluators if name not in referees]
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
    return BiasTable(rows, referees, unit, int((np.isnan(values) & ~np.isnan(truth)).sum()))


def bias_table(result: BiasTable) -> Table:
    """The iconicity bias as a table ready to print; stars mark p as in the paper."""
    columns = ("evaluator", "Δ", "Cohen's d", "p", "", "p (Holm)", "n", "unscored")
    rows = tuple(_bias_cells(row) for row in result.rows)
    moved = "whole prompts" if result.unit == "prompt" else "single pairs, as published"
    notes = [f"One-sided permutation of {moved}; * p < 0.05, ** p < 0.01 before Holm's correction."]
    if result.n_unrated:
        notes.append(f"{result.n_unrated:,} comparisons lack iconicity ratings and are left out.")
    return Table(
        f"Iconicity bias, agreement with {' + '.join(result.reference)}", columns, rows, tuple(notes)
    )


def ablation(
    observations: Iterable[Observation] | Votes,
    settings: Mapping[str, AblationSetting | tuple[str, str, str]],
    *,
    reference: str | Sequence[str],
    comparisons: Iterable[Comparison] = (),
    signs: Signs = (),
    questions: Iterable[Question] = (),
    resamples: int = 2_000,
    level: float = 0.95,
    seed: int = 0,
) -> Table:
    """KRCC and VQA by HSG, builder and judge (SemJudge, table 3).

    `settings` says for each evaluator which HSG it was given, who built it and who judged. Published rows
    stand below ours when an evaluator was run with the published preset.
    """
    result = compare(
        observations,
        reference=reference,
        comparisons=comparisons,
        signs=signs,
        questions=questions,
        judges=list(settings),
        resamples=resamples,
        level=level,
        seed=seed,
    )
    ours = [row for row in result.rows if not row.source]
    rows: list[tuple[Cell, ...]] = [
        (*settings[row.judge], row.krcc, row.vqa, row.krcc.n, row.krcc.n_unscored) for row in ours
    ]
    if any(name.startswith(PUBLISHED_PRESET) for name in settings):
        rows += [
            (f"{r.hsg} (published: {r.source})", r.builder, r.judge, r.krcc, r.vqa / 100, None, None)
            for r in ABLATION
        ]
    columns = ("HSG", "builder", "judge", "KRCC", "VQA", "n", "unscored")
    told = f"Judges are compared on the {result.n_common:,} comparisons that all of them scored."
    return Table(f"Ablation, agreement with {' + '.join(result.reference)}", columns, tuple(rows), (told,))


def _instances(votes: Votes, name: str, unit: Unit) -> FloatArray:
    winners = outcomes_of(votes, name).winner
    return winners if unit == "prompt" else majority_of(winners)[0][None]


def _bias_cells(row: BiasRow) -> tuple[Cell, ...]:
    effect, ends = row.gap.beside["cohen_d"], row.gap.beside["cohen_d_interval"]
    d: Cell = None
    if isinstance(effect, float):
        between = ends if isinstance(ends, Interval) else None
        d = Estimate(name="Cohen's d", value=effect, n=row.gap.n, interval=between, unit=row.gap.unit)
    p = row.gap.p
    stars = "" if p is None else "**" if p < 0.01 else "*" if p < 0.05 else ""
    return (row.evaluator, row.gap, d, p, stars, row.p_holm, row.gap.n, row.gap.n_unscored)


def _rated_iconicity(
    ratings: Sequence[Rating], comparisons: Sequence[Comparison], scales: tuple[str, str, str]
) -> FloatArray:
    """ÑI of each comparison; NaN where a sign was not rated on all three scales by anyone."""
    by_rater: dict[str, dict[tuple[str, int], dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for rating in ratings:
        if rating.about_kind == "sign" and not isinstance(rating.value, Unscored):
            by_rater[rating.about][rating.evaluator.id, rating.repeat][rating.scale] = rating.value
    net = {sign: _net(raters.values(), scales) for sign, raters in by_rater.items()}
    none = float("nan")
    return np.array(
        [net.get(c.prompt, none) + (net.get(c.a, none) + net.get(c.b, none)) / 2 for c in comparisons],
        dtype=np.float64,
    )


def _net(raters: Iterable[Mapping[str, float]], scales: tuple[str, str, str]) -> float:
    iconic, indexical, symbolic = scales
    whole = [r[iconic] - (r[indexical] + r[symbolic]) / 2 for r in raters if set(scales) <= r.keys()]
    return sum(whole) / len(whole) if whole else float("nan")
