"""The statistics of one judge against the people of a reference, averaged over repeats.

The score rests on all comparisons that have a reference. The other statistics rest on those that the judge
answered, and state their n.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from semiosis.stats._agreement import position_bias
from semiosis.stats._concordance import (
    BOTH_TIE,
    METHODS,
    RIGHT,
    JudgedComparisons,
    PerPrompt,
    mean_columns,
    mean_over_prompts,
    prompt_bounds,
    prompt_half_credit,
    prompt_tau,
)
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, undefined
from semiosis.stats._frames import Result
from semiosis.stats._generators import RatingRule, agreement_of_codes
from semiosis.stats._probabilities import (
    ProbabilityCalibration,
    judge_probabilities,
    probability_calibration,
)
from semiosis.stats._repeats import SampleSizes, mean_bounds, mean_over_repeats, sample_sizes
from semiosis.stats._resample import Resampling
from semiosis.stats._score import Ruler
from semiosis.stats._tie_calibration import tie_calibrated_accuracy
from semiosis.stats._votes import OutcomeArrays, Votes
from semiosis.values import Unscored

MIN_STATED = 0.8
"""The minimum share of comparisons with a stated probability for calibration. With fewer, a judge would be
measured on the comparisons on which it was sure."""


@dataclass(frozen=True)
class AnswerCounts(Result):
    """The answers of a judge where the reference decides, as means over repeats."""

    right: float = 0.0
    tied: float = 0.0
    """Ties and opposite answers in the two orders."""
    wrong: float = 0.0
    unanswered: float = 0.0
    """Comparisons that were not scored, or never asked about."""


@dataclass(frozen=True)
class JudgeRow(Result):
    """One judge against the reference. Repeats are averaged; `related` of each estimate has their spread."""

    judge: str
    """The judge's name."""
    krcc: Estimate
    """The mean over prompts of τ-b. `related["prompts"]` is the number of prompts on which it is defined."""
    score: Estimate | None = None
    """The score over all comparisons with a reference, the number to report. None for published rows."""
    counts: AnswerCounts | None = None
    """Right, tied, wrong and unanswered, where the reference decides."""
    agreement: Estimate | None = None
    """The share of right verdicts among those that the judge gave."""
    half_credit: Estimate | None = None
    """The mean over prompts of (C−D)/n, on the comparisons that the judge scored."""
    alike: Estimate | None = None
    """The share of pairs of generators that judge and reference order alike."""
    srcc: Estimate | None = None
    """Spearman's ρ of the generators' ratings."""
    ccc: Estimate | None = None
    """Lin's ρc of the generators' ratings."""
    vqa: Estimate | None = None
    """The accuracy over all questions; None if no question was asked."""
    flips: Estimate | None = None
    """The share of comparisons with opposite verdicts, among those decided in both orders."""
    position_bias: Estimate | None = None
    """The share of verdicts for the artifact shown first minus that for the one shown second."""
    coverage: Estimate | None = None
    """Share of the comparisons with a reference that the judge scored."""
    repeats: int = 1
    """The number of repeats, which are averaged."""
    difference: Estimate | None = None
    """Score minus that of the baseline, with simultaneous interval and p."""
    equivalence: Estimate | None = None
    """Two one-sided tests against the baseline, if a margin was given."""
    verdict: str = ""
    """The comparison with the baseline in words: better, worse, equivalent within m, not shown to differ."""
    calibration: ProbabilityCalibration | None = None
    """Brier score, ECE and reliability table, if the judge states probabilities."""
    tie_calibrated: Estimate | None = None
    """Pairwise accuracy with calibrated ties, if the judge states probabilities."""
    copies: str = ""
    """The annotator of the reference whose verdicts the judge repeats. Such a judge is not ranked."""
    source: str = ""
    """The source of a published row; empty for a computed row."""
    other_readings: Mapping[str, Estimate] = field(default_factory=dict)
    """The score of the same judge with the readings of another reader, by reader."""


@dataclass(frozen=True)
class RowSettings:
    """The settings of all rows of a table."""

    resampling: Resampling
    rating: RatingRule | None
    """The rating of generators; None if SRCC and CCC are left out."""


def judge_row(
    name: str,
    outcomes: OutcomeArrays,
    ruler: Ruler,
    votes: Votes,
    settings: RowSettings,
    score: Estimate,
    vqa: Estimate | None,
) -> JudgeRow:
    """Return the row of one judge with all its statistics."""
    comparisons = judged_comparisons(outcomes, ruler)
    resampling = settings.resampling
    alike, srcc, ccc = _generators(outcomes, ruler, votes, settings.rating)
    return JudgeRow(
        judge=name,
        score=score,
        counts=answer_counts(outcomes, ruler.truth),
        half_credit=_concordance("half credit", comparisons, resampling),
        krcc=_concordance("KRCC", comparisons, resampling),
        agreement=_agreement(comparisons, resampling),
        alike=alike,
        srcc=srcc,
        ccc=ccc,
        vqa=vqa,
        flips=_flips(outcomes),
        position_bias=_position(name, ruler, votes, resampling),
        coverage=_coverage(outcomes, ruler.has_reference),
        repeats=len(outcomes.winner),
        calibration=_calibration(name, ruler, votes, resampling),
        tie_calibrated=_tie_calibrated(name, ruler, votes, resampling),
    )


def judged_comparisons(outcomes: OutcomeArrays, ruler: Ruler) -> list[JudgedComparisons]:
    """Return the comparisons that have a reference, with the judge's answers, in each repeat."""
    used = ruler.has_reference
    return [
        JudgedComparisons(ruler.truth[used], winner[used], ruler.prompt[used], ruler.prompts, flip[used])
        for winner, flip in zip(outcomes.winner, outcomes.flip, strict=True)
    ]


def answer_counts(outcomes: OutcomeArrays, truth: FloatArray) -> AnswerCounts:
    """Return the numbers of right, tied, wrong and missing answers where the reference decides."""
    decided = np.abs(truth) == 1
    winner, wanted = outcomes.winner[:, decided], truth[decided]
    repeats = len(winner)
    return AnswerCounts(
        right=int((winner == wanted).sum()) / repeats,
        tied=int((winner == 0).sum()) / repeats,
        wrong=int((winner == -wanted).sum()) / repeats,
        unanswered=int(np.isnan(winner).sum()) / repeats,
    )


_PER_PROMPT: dict[str, PerPrompt] = {"half credit": prompt_half_credit, "KRCC": prompt_tau}


def _concordance(name: str, comparisons: Sequence[JudgedComparisons], resampling: Resampling) -> Estimate:
    per_prompt = _PER_PROMPT[name]
    ends = [end for repeat in comparisons if (end := prompt_bounds(repeat, per_prompt)) is not None]
    columns = [mean_columns(per_prompt(repeat.table)) for repeat in comparisons]
    reason = "no prompt has judged pairs that define it"
    estimate = mean_over_repeats(name, columns, resampling, reason, (-1.0, 1.0))
    return replace(
        estimate,
        **sample_sizes(comparisons),
        bounds=mean_bounds(ends),
        method=f"mean over prompts of {METHODS[name]}",
        related={**estimate.related, **_prompt_by_prompt(per_prompt, comparisons)},
    )


def _prompt_by_prompt(
    per_prompt: PerPrompt, comparisons: Sequence[JudgedComparisons]
) -> dict[str, float | Unscored]:
    """Return further numbers over prompts with a reference, such as the number of prompts with a value."""
    asked = np.bincount(comparisons[0].prompt, minlength=comparisons[0].prompts) > 0
    tables = [repeat.table[asked] for repeat in comparisons]
    values = [per_prompt(table) for table in tables]
    weighted = [
        mean_over_prompts(row, "", table.sum(axis=1)) for row, table in zip(values, tables, strict=True)
    ]
    scored = [value for value in weighted if not isinstance(value, Unscored)]
    defined = (~np.isnan(values)).any(axis=0)
    judged = np.any([repeat.kind >= 0 for repeat in comparisons], axis=0)
    sizes = np.bincount(comparisons[0].prompt[judged], minlength=comparisons[0].prompts)[asked]
    return {
        "pair_weighted": float(np.mean(scored)) if scored else undefined("no prompt has a value"),
        "prompts": int(defined.sum()),
        "prompts_unscored": int((~defined).sum()),
        "pairs_per_prompt_min": float(sizes.min()) if len(sizes) else 0.0,
        "pairs_per_prompt_median": float(np.median(sizes)) if len(sizes) else 0.0,
    }


def _agreement(comparisons: Sequence[JudgedComparisons], resampling: Resampling) -> Estimate:
    columns = [_agreement_columns(repeat) for repeat in comparisons]
    estimate = mean_over_repeats("agreement", columns, resampling, "no judged comparison", (0.0, 1.0))
    ends = [end for repeat in comparisons if (end := _agreement_bounds(repeat)) is not None]
    return replace(
        estimate,
        **sample_sizes(comparisons),
        bounds=mean_bounds(ends),
        method="right / judged; a tie agrees with a tie, a flip with nothing",
    )


def _agreement_columns(comparisons: JudgedComparisons) -> FloatArray:
    """Return numerator and denominator per prompt: agreeing and all judged comparisons."""
    table = comparisons.table
    return np.stack([table[:, RIGHT] + table[:, BOTH_TIE], table.sum(axis=1)], axis=1)


def _agreement_bounds(comparisons: JudgedComparisons) -> tuple[float, float] | None:
    """Return the agreement if every unscored pair were wrong, and if every unscored pair were right."""
    hits, judged = _agreement_columns(comparisons).sum(axis=0)
    size = judged + comparisons.n_unscored
    return (float(hits / size), float((hits + size - judged) / size)) if size else None


def _generators(
    outcomes: OutcomeArrays, ruler: Ruler, votes: Votes, rule: RatingRule | None
) -> tuple[Estimate | None, Estimate | None, Estimate | None]:
    """Return pairs ordered alike, SRCC and CCC, averaged over repeats; None without a rule."""
    if rule is None:
        return None, None, None
    repeats = [agreement_of_codes(votes.a, votes.b, ruler.truth, winner, rule) for winner in outcomes.winner]
    sizes = sample_sizes(judged_comparisons(outcomes, ruler))
    alike, srcc, ccc = (
        _mean_of_repeats([getattr(repeat, name) for repeat in repeats], sizes)
        for name in ("alike", "srcc", "ccc")
    )
    return alike, srcc, ccc


def _mean_of_repeats(repeats: Sequence[Estimate], sizes: SampleSizes) -> Estimate:
    """Return the mean of an estimate over repeats, or the reason why one of them has no value."""
    values = [repeat.value for repeat in repeats]
    missing = next((value for value in values if isinstance(value, Unscored)), None)
    scored = [value for value in values if not isinstance(value, Unscored)]
    related = dict(repeats[0].related)
    if "alike" in related:
        related["alike"] = float(np.mean([float(repeat.related["alike"] or 0) for repeat in repeats]))  # type: ignore[arg-type]  # a number
    value = float(np.mean(scored)) if missing is None else missing
    return replace(repeats[0], value=value, related=related, **sizes)


def _flips(outcomes: OutcomeArrays) -> Estimate:
    n, flips = int(outcomes.both.sum()), int(outcomes.flip.sum())
    return Estimate(
        name="flip rate",
        value=flips / n if n else undefined("no comparison was judged in both orders"),
        n=n,
        method="opposite verdicts in the two orders / comparisons judged in both",
        related={"flips": flips},
    )


def _position(name: str, ruler: Ruler, votes: Votes, resampling: Resampling) -> Estimate:
    selected = votes.evaluator == (votes.evaluators.index(name) if name in votes.evaluators else -1)
    shown = votes.shown[selected]
    if len(np.unique(shown)) < 2:
        return Estimate(
            name="position bias", value=undefined("only one order was shown"), n=int(selected.sum())
        )
    prompts = ruler.prompt[votes.comparison[selected]]
    orders = np.where(shown == 0, "ab", "ba")
    return position_bias(
        orders, votes.winner[selected], prompts, resamples=resampling.resamples, level=resampling.level
    )


def _coverage(outcomes: OutcomeArrays, wanted: BoolArray) -> Estimate:
    scored = (~np.isnan(outcomes.winner) & wanted).sum()
    total = int(wanted.sum()) * len(outcomes.winner)
    return Estimate(
        name="coverage",
        value=float(scored / total) if total else undefined("no comparison with a reference"),
        n=total,
        n_unscored=int(total - scored),
        method="scored / all with a reference",
        related={"not_asked": int((wanted & ~outcomes.asked.any(axis=0)).sum())},
    )


def _stated(name: str, ruler: Ruler, votes: Votes) -> tuple[FloatArray, Unscored | None] | None:
    """Return the probabilities of a judge, and the reason if it stated too few; None if it stated none."""
    stated = judge_probabilities(votes, name)
    if stated is None:
        return None
    decided = np.abs(ruler.truth) == 1
    given, wanted = int((decided & ~np.isnan(stated)).sum()), int(decided.sum())
    few = undefined(f"probabilities stated for {given:,} of {wanted:,} comparisons; 80 % are needed")
    return stated, few if given < MIN_STATED * wanted else None


def _calibration(
    name: str, ruler: Ruler, votes: Votes, resampling: Resampling
) -> ProbabilityCalibration | None:
    stated = _stated(name, ruler, votes)
    if stated is None:
        return None
    used = ruler.has_reference
    calibration = probability_calibration(
        stated[0][used],
        ruler.truth[used],
        ruler.prompt[used],
        resamples=resampling.resamples,
        level=resampling.level,
    )
    if stated[1] is None:
        return calibration
    brier, ece = (
        replace(estimate, value=stated[1], interval=None) for estimate in (calibration.brier, calibration.ece)
    )
    return replace(calibration, brier=brier, ece=ece)


def _tie_calibrated(name: str, ruler: Ruler, votes: Votes, resampling: Resampling) -> Estimate | None:
    stated, used = _stated(name, ruler, votes), ruler.has_reference
    if stated is None:
        return None
    estimate = tie_calibrated_accuracy(
        ruler.truth[used], stated[0][used] - 0.5, ruler.prompt[used], seed=resampling.seed
    )
    return estimate if stated[1] is None else replace(estimate, value=stated[1])
