"""The statistics of one judge against a reference, averaged over repeats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from semiosis.stats._agreement import position_bias
from semiosis.stats._concordance import (
    METHODS,
    Pairs,
    PerPrompt,
    mean_over_prompts,
    overall_half_credit,
    prompt_bounds,
    prompt_half_credit,
    prompt_tau,
    ratio,
)
from semiosis.stats._crossed import CrossedUnits, crossed_interval
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, IntArray, undefined
from semiosis.stats._frames import Result
from semiosis.stats._generator_rows import generator_estimates
from semiosis.stats._judges import COLUMNS, RANGES, AgreementName
from semiosis.stats._probabilities import (
    ProbabilityCalibration,
    judge_probabilities,
    probability_calibration,
)
from semiosis.stats._repeats import mean_bounds, mean_over_repeats, sample_sizes
from semiosis.stats._resample import Resampling
from semiosis.stats._resampled_ratings import RatingRule
from semiosis.stats._tie_calibration import tie_calibrated_accuracy
from semiosis.stats._votes import Outcomes, Votes
from semiosis.values import Unscored

METHOD_NAMES: dict[AgreementName, str] = {
    "half credit": "half credit",
    "krcc": "KRCC",
    "agreement": "agreement",
}
PER_PROMPT: dict[AgreementName, PerPrompt] = {"half credit": prompt_half_credit, "krcc": prompt_tau}


@dataclass(frozen=True)
class JudgeRow(Result):
    """One judge against the reference. Repeats are averaged; `related` of each estimate has their spread."""

    judge: str
    """The judge's name."""
    krcc: Estimate
    """The mean over prompts of τ-b. `related["prompts"]` is the number of prompts on which it is defined."""
    half_credit: Estimate | None = None
    """The mean over prompts of (C−D)/n, the number to report. None for published rows."""
    agreement: Estimate | None = None
    """The share of right verdicts on the comparisons used. `related["over_all"]` divides by all comparisons
    that were asked and have a reference."""
    srcc: Estimate | None = None
    """Spearman's ρ of the generators' ratings."""
    ccc: Estimate | None = None
    """Lin's ρc of the generators' ratings."""
    vqa: Estimate | None = None
    """The accuracy over all questions; None if no question was asked."""
    flips: Estimate | None = None
    """The share of comparisons with opposite verdicts in the two orders."""
    position_bias: Estimate | None = None
    """The share of verdicts for the artifact shown first minus that for the one shown second."""
    coverage: Estimate | None = None
    """Share of the comparisons with a reference that the judge scored."""
    repeats: int = 1
    """The number of repeats, which are averaged."""
    difference: Estimate | None = None
    """Half credit minus that of the baseline. p is adjusted by Holm within the table."""
    equivalence: Estimate | None = None
    """Two one-sided tests against the baseline, if a margin was given."""
    calibration: ProbabilityCalibration | None = None
    """Brier score, ECE and reliability table, if the judge states probabilities."""
    tie_calibrated: Estimate | None = None
    """Pairwise accuracy with calibrated ties, if the judge states probabilities."""
    source: str = ""
    """The source of a published row; empty for a computed row."""
    other_readings: Mapping[str, Estimate] = field(default_factory=dict)
    """Half credit of the same judge with the readings of another reader, by reader."""


@dataclass(frozen=True, eq=False)
class ReferenceSet:
    """The reference that every judge of a table is measured against, and the settings."""

    votes: Votes
    truth: FloatArray
    """The reference winner of each comparison."""
    used: BoolArray
    """The comparisons that the statistics use."""
    prompt: IntArray
    """The number of each comparison's prompt."""
    prompts: int
    resampling: Resampling
    rating: RatingRule | None
    """The rating of generators; None if SRCC and CCC are left out."""
    crossed: CrossedUnits | None = None
    """The second unit, if intervals are also over generators or annotators."""


def judge_row(name: str, outcomes: Outcomes, reference: ReferenceSet, vqa: Estimate | None) -> JudgeRow:
    """Return the row of one judge with all its statistics."""
    used = pairs_of(outcomes, reference, reference.used)
    every = pairs_of(outcomes, reference, ~np.isnan(reference.truth))
    srcc, ccc = _generators(used, every, reference)
    resampling = reference.resampling
    half = _concordance("half credit", used, every, resampling)
    return JudgeRow(
        judge=name,
        half_credit=_crossed("half credit", half, used, reference),
        krcc=_crossed("krcc", _concordance("krcc", used, every, resampling), used, reference),
        agreement=_crossed("agreement", _agreement(used, every, resampling), used, reference),
        srcc=srcc,
        ccc=ccc,
        vqa=vqa,
        flips=_flips(outcomes),
        position_bias=_position(name, reference),
        coverage=_coverage(every, outcomes, reference),
        repeats=len(outcomes.winner),
        calibration=_calibration(name, reference),
        tie_calibrated=_tie_calibrated(name, reference),
    )


def pairs_of(outcomes: Outcomes, reference: ReferenceSet, used: BoolArray) -> list[Pairs]:
    """Return the pairs of these comparisons in each repeat. A comparison never asked has no reference."""
    return [
        Pairs(
            np.where(asked, reference.truth, np.nan)[used],
            winner[used],
            reference.prompt[used],
            reference.prompts,
            flip[used],
        )
        for winner, flip, asked in zip(outcomes.winner, outcomes.flip, outcomes.asked, strict=True)
    ]


def _concordance(
    name: AgreementName, used: Sequence[Pairs], every: Sequence[Pairs], resampling: Resampling
) -> Estimate:
    per_prompt = PER_PROMPT[name]
    ends = [end for pairs in every if (end := prompt_bounds(pairs, per_prompt)) is not None]
    columns = [COLUMNS[name](pairs) for pairs in used]
    reason = "no prompt has judged pairs that define it"
    estimate = mean_over_repeats(METHOD_NAMES[name], columns, resampling, reason, RANGES[name])
    over_all = {"over_all": _mean([overall_half_credit(pairs) for pairs in every])}
    return replace(
        estimate,
        **sample_sizes(used, every),
        bounds=mean_bounds(ends),
        method=f"mean over prompts of {METHODS[estimate.name]}",
        related={
            **estimate.related,
            "on_its_own": _on_its_own(name, every),
            **(over_all if name == "half credit" else {}),
            **_prompt_by_prompt(per_prompt, used, every),
        },
    )


def _crossed(
    name: AgreementName, estimate: Estimate, used: Sequence[Pairs], reference: ReferenceSet
) -> Estimate:
    """Return the estimate with an interval over prompts and a second unit, if one was requested."""
    units, resampling = reference.crossed, reference.resampling
    if units is None or not resampling.resamples or isinstance(estimate.value, Unscored):
        return estimate
    ends = crossed_interval(name, estimate.value, used, reference.used, units, resampling)
    settings = {**estimate.parameters, "unit": units.name}
    return replace(estimate, interval=ends, unit=units.name, parameters=settings)


def _on_its_own(name: AgreementName, every: Sequence[Pairs]) -> float | Unscored:
    """Return the statistic over everything this judge scored, not only the common comparisons."""
    each = np.array([float(ratio(COLUMNS[name](pairs).sum(axis=0))) for pairs in every])
    return mean_over_prompts(each, "the judge scored nothing that defines this statistic")


def _mean(values: Sequence[float | Unscored]) -> float | Unscored:
    scored = [value for value in values if not isinstance(value, Unscored)]
    return float(np.mean(scored)) if scored else undefined("no comparison with a reference")


def _prompt_by_prompt(
    per_prompt: PerPrompt, used: Sequence[Pairs], every: Sequence[Pairs]
) -> dict[str, float | Unscored]:
    """Return further numbers over prompts with a reference, such as the number of prompts with a value."""
    asked = np.bincount(every[0].prompt, minlength=every[0].prompts) > 0
    tables = [pairs.table[asked] for pairs in used]
    values = [per_prompt(table) for table in tables]
    weighted = [
        mean_over_prompts(row, "", table.sum(axis=1)) for row, table in zip(values, tables, strict=True)
    ]
    scored = [value for value in weighted if not isinstance(value, Unscored)]
    defined = (~np.isnan(values)).any(axis=0)
    judged = np.any([pairs.kind >= 0 for pairs in used], axis=0)
    sizes = np.bincount(used[0].prompt[judged], minlength=used[0].prompts)[asked]
    return {
        "pair_weighted": float(np.mean(scored)) if scored else undefined("no prompt has a value"),
        "prompts": int(defined.sum()),
        "prompts_unscored": int((~defined).sum()),
        "pairs_per_prompt_min": float(sizes.min()) if len(sizes) else 0.0,
        "pairs_per_prompt_median": float(np.median(sizes)) if len(sizes) else 0.0,
    }


def _agreement(used: Sequence[Pairs], every: Sequence[Pairs], resampling: Resampling) -> Estimate:
    columns = [COLUMNS["agreement"](pairs) for pairs in used]
    estimate = mean_over_repeats(
        "agreement", columns, resampling, "no judged comparison", RANGES["agreement"]
    )
    bounds = mean_bounds([ends for pairs in every if (ends := _agreement_bounds(pairs)) is not None])
    return replace(
        estimate,
        **sample_sizes(used, every),
        bounds=bounds,
        method="right / judged; a tie agrees with a tie, a flip with nothing",
        related={
            **estimate.related,
            "on_its_own": _on_its_own("agreement", every),
            "over_all": bounds[0] if bounds else undefined("no comparison with a reference"),
        },
    )


def _agreement_bounds(pairs: Pairs) -> tuple[float, float] | None:
    """Return the agreement if every unscored pair were wrong, and if every unscored pair were right."""
    hits, judged = COLUMNS["agreement"](pairs).sum(axis=0)
    size = judged + pairs.n_unscored
    return (float(hits / size), float((hits + size - judged) / size)) if size else None


def _generators(
    used: Sequence[Pairs], every: Sequence[Pairs], reference: ReferenceSet
) -> tuple[Estimate | None, Estimate | None]:
    if reference.rating is None:
        return None, None
    votes, wanted = reference.votes, ~np.isnan(reference.truth)
    return generator_estimates(
        votes, (reference.used, used), (wanted, every), reference.rating, reference.resampling
    )


def _flips(outcomes: Outcomes) -> Estimate:
    n = int(outcomes.both.sum())
    flips = int(outcomes.flip.sum())
    return Estimate(
        name="flip rate",
        value=flips / n if n else undefined("no comparison was judged in both orders"),
        n=n,
        method="opposite verdicts in the two orders / comparisons judged in both",
        related={"flips": flips},
    )


def _position(name: str, reference: ReferenceSet) -> Estimate:
    votes, resampling = reference.votes, reference.resampling
    selected = votes.evaluator == (votes.evaluators.index(name) if name in votes.evaluators else -1)
    shown = votes.shown[selected]
    if len(np.unique(shown)) < 2:
        return Estimate(
            name="position bias", value=undefined("only one order was shown"), n=int(selected.sum())
        )
    prompts = reference.prompt[votes.comparison[selected]]
    orders = np.where(shown == 0, "ab", "ba")
    return position_bias(
        orders, votes.winner[selected], prompts, resamples=resampling.resamples, level=resampling.level
    )


def _coverage(every: Sequence[Pairs], outcomes: Outcomes, reference: ReferenceSet) -> Estimate:
    wanted = ~np.isnan(reference.truth)
    total = int(wanted.sum()) * len(every)
    scored, unscored = (sum(getattr(pairs, count) for pairs in every) for count in ("n", "n_unscored"))
    return Estimate(
        name="coverage",
        value=scored / total if total else undefined("no comparison with a reference"),
        n=total,
        n_unscored=unscored,
        method="scored / all with a reference",
        related={"not_asked": int((wanted & ~outcomes.asked).sum())},
    )


def _calibration(name: str, reference: ReferenceSet) -> ProbabilityCalibration | None:
    stated = judge_probabilities(reference.votes, name)
    if stated is None:
        return None
    used, resampling = reference.used, reference.resampling
    return probability_calibration(
        stated[used],
        reference.truth[used],
        reference.prompt[used],
        resamples=resampling.resamples,
        level=resampling.level,
    )


def _tie_calibrated(name: str, reference: ReferenceSet) -> Estimate | None:
    stated, used = judge_probabilities(reference.votes, name), reference.used
    if stated is None:
        return None
    return tie_calibrated_accuracy(
        reference.truth[used], stated[used] - 0.5, reference.prompt[used], seed=reference.resampling.seed
    )
