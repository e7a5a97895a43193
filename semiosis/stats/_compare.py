"""The table of judges against a reference (SemJudge, table 1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from semiosis.stats._arrays import group_codes
from semiosis.stats._arrow import ArrowExporter
from semiosis.stats._crossed import crossed_units
from semiosis.stats._differences import JudgePair, all_judge_pairs, with_differences
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, ResamplingUnit
from semiosis.stats._frames import Record, Result, field_record
from semiosis.stats._people import crowd_majority, people_rows, reference_of
from semiosis.stats._published import ABLATION, PUBLISHED_COMPARISONS, PUBLISHED_PRESET, PUBLISHED_QUESTIONS
from semiosis.stats._questions import question_accuracy
from semiosis.stats._ratings import RatingMethod
from semiosis.stats._resample import Resampling
from semiosis.stats._resampled_ratings import RatingRule
from semiosis.stats._rows import JudgeRow, ReferenceSet, judge_row
from semiosis.stats._subsets import common_comparisons, complete_repeats, subset_notes
from semiosis.stats._votes import Outcomes, Votes, outcomes_of, votes_of, votes_of_verdicts
from semiosis.values import (
    Answer,
    AnySign,
    Comparison,
    Observation,
    Question,
    UsageError,
    Verdict,
)

Signs = Iterable[AnySign]


@dataclass(frozen=True)
class JudgeTable(Result):
    """Judges against a reference, in order of half credit, with notes."""

    rows: tuple[JudgeRow, ...]
    """One row per judge."""
    people: tuple[JudgeRow, ...]
    """Each annotator of the reference against the majority of the others: how well people agree."""
    pairs: tuple[JudgePair, ...]
    """Every judge against every other, if `all_pairs` was set."""
    reference: tuple[str, ...]
    """The annotators of the reference."""
    n_reference: int
    """Comparisons with a reference winner or tie."""
    n_common: int
    """Comparisons that every judge scored, in every repeat."""
    common: bool
    """Whether the judges are compared on these comparisons only."""
    rating: str
    """The method that rates generators."""
    prior: float
    """The prior of the ratings."""
    baseline: str | None
    """The judge that all others are compared with, if any."""
    margin: float | None
    """The largest difference in half credit that is harmless; None if equivalence was not tested."""
    unit: ResamplingUnit
    """The unit of the intervals of half credit, KRCC and agreement."""
    seed: int
    """The seed of the random generator."""
    resamples: int
    """The number of resamples; 0 if there are no intervals."""
    level: float
    """The level of the intervals."""
    notes: tuple[str, ...] = ()
    examinees: Mapping[str, Estimate] = field(default_factory=dict)
    """VQA of the evaluators that answered questions and have no row of their own, by name."""

    @property
    def published(self) -> bool:
        """Whether published rows are shown, because a judge was run with the published preset."""
        return any(row.source for row in self.rows)

    def records(self) -> list[Record]:
        """Return one row per judge and per annotator. `against` states what it is compared with."""
        judges = [{**row.record(), "against": "the reference"} for row in self.rows]
        people = [{**row.record(), "against": "the other annotators"} for row in self.people]
        examinees = [{"judge": name, **field_record("vqa", vqa)} for name, vqa in self.examinees.items()]
        return judges + people + examinees

    def __str__(self) -> str:
        judges = "; ".join(f"{row.judge}: {row.half_credit or row.krcc}" for row in self.rows) or "no judge"
        return f"judges against {' + '.join(self.reference)}: {judges}"


def compare(
    observations: Iterable[Observation] | Votes | ArrowExporter | Mapping[str, Sequence[object]],
    *,
    reference: str | Sequence[str],
    comparisons: Iterable[Comparison] = (),
    signs: Signs = (),
    questions: Iterable[Question] = (),
    columns: Mapping[str, str] | None = None,
    judges: Sequence[str] | None = None,
    crowd: Sequence[str] = (),
    baseline: str | None = None,
    all_pairs: bool = False,
    margin: float | None = None,
    common: bool = True,
    unit: ResamplingUnit = "prompt",
    rating: RatingMethod = "bradley-terry",
    prior: float = 0.0,
    resamples: int = 2_000,
    level: float = 0.95,
    seed: int = 0,
) -> JudgeTable:
    """Compare judges with a reference by half credit, KRCC, agreement, SRCC, CCC, VQA and flips.

    `observations` may also be votes, or a table of votes as `votes_of` takes it, with its `columns`.
    `reference` names one evaluator, or several whose majority is the reference. Verdicts need their
    `comparisons`; SRCC and CCC also need `signs`, which name the generator of each artifact; VQA needs
    `questions`. By default, judges are compared on the comparisons that all of them scored. With a `crowd` of
    annotators, its quality control filters the reference (SemJudge, appendix A) and its majority is a judge.

    `baseline` names a judge that each other judge is tested against; `all_pairs` tests every judge against
    every other; with `margin`, they are also tested for equivalence. `unit` is the unit of the intervals:
    `prompt`, `prompt and generator` for conclusions about other generators, or `prompt and annotator` for
    conclusions about other annotators.

    >>> from semiosis.stats import votes_of
    >>> votes = votes_of(
    ...     list("ppqq") * 2, list("wxwx") * 2, list("yzyz") * 2, ["human"] * 4 + ["judge"] * 4, "abababaa"
    ... )
    >>> table = compare(votes, reference="human", resamples=0)
    >>> [(row.judge, float(row.half_credit), float(row.agreement)) for row in table.rows]
    [('judge', 0.5, 0.75)]
    """
    signs = list(signs)
    observed, votes = _observed(
        observations, comparisons, signs, columns, _table_judges(reference, judges, crowd)
    )
    judged = _resolve_votes(votes, reference, judges, crowd)
    in_common = common_comparisons(judged.outcomes, judged.truth)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    reference_set = ReferenceSet(
        votes,
        judged.truth,
        in_common if common else ~np.isnan(judged.truth),
        *group_codes(votes.prompt, len(votes.prompt)),
        resampling,
        RatingRule(rating, prior, seed=seed),
        crossed_units(unit, votes, judged.annotators),
    )
    answers = question_accuracy(
        [observation for observation in observed if isinstance(observation, Answer)],
        list(questions),
        signs,
        resamples=resamples,
        level=level,
        seed=seed,
    )
    rows = [
        judge_row(name, found, reference_set, answers.get(name)) for name, found in judged.outcomes.items()
    ]
    rows = with_differences(rows, judged.outcomes, reference_set, baseline, margin)
    rows = sorted(rows, key=_half_credit if common else _half_credit_of_all, reverse=True)
    ranked = [row.judge for row in rows]
    people = people_rows(votes, judged.annotators, reference_set, answers)
    compared = {row.judge for row in (*rows, *people)}
    return JudgeTable(
        rows=(*rows, *_published(ranked)),
        people=people,
        pairs=all_judge_pairs(ranked, judged.outcomes, reference_set, margin) if all_pairs else (),
        reference=judged.annotators,
        n_reference=int((~np.isnan(judged.truth)).sum()),
        n_common=int(in_common.sum()),
        common=common,
        rating=rating,
        prior=prior,
        baseline=baseline,
        margin=margin,
        unit=unit,
        seed=seed,
        resamples=resamples,
        level=level,
        notes=(*judged.notes, *subset_notes(judged.outcomes, judged.truth, common=common)),
        examinees={name: vqa for name, vqa in answers.items() if judges is None and name not in compared},
    )


@dataclass(frozen=True, eq=False)
class ResolvedVotes:
    """The judges of a table and the reference that they are measured against."""

    annotators: tuple[str, ...]
    """The annotators of the reference."""
    truth: FloatArray
    """The reference winner of each comparison; NaN if there is none, or if the crowd's filter removes it."""
    outcomes: Mapping[str, Outcomes]
    """The outcomes of each judge, without interrupted repeats."""
    notes: tuple[str, ...]
    """Notes on what was left out, and why."""


def _resolve_votes(
    votes: Votes, reference: str | Sequence[str], judges: Sequence[str] | None, crowd: Sequence[str]
) -> ResolvedVotes:
    """Return the reference, and each judge's outcomes on the comparisons that have one."""
    annotators, truth, notes = reference_of(votes, reference)
    names = other_evaluators(votes, annotators, crowd) if judges is None else judges
    notes += _own_reference(judges or (), annotators)
    outcomes: dict[str, Outcomes] = {}
    for name in dict.fromkeys(name for name in names if name not in annotators):
        outcomes[name], left_out = complete_repeats(name, outcomes_of(votes, name), ~np.isnan(truth))
        notes += left_out
    notes += _without_reference(outcomes, truth)
    if crowd:
        label = f"crowd majority of {len(set(crowd))}"
        truth, outcomes[label], filtered = crowd_majority(votes, crowd, truth, annotators)
        notes += filtered
    return ResolvedVotes(annotators, truth, outcomes, tuple(notes))


def _observed(
    observations: Iterable[Observation] | Votes | ArrowExporter | Mapping[str, Sequence[object]],
    comparisons: Iterable[Comparison],
    signs: Signs,
    columns: Mapping[str, str] | None,
    judges: Sequence[str] | None,
) -> tuple[list[Observation], Votes]:
    """Return the observations and their votes. There are no observations if votes were given."""
    if isinstance(observations, Votes):
        return [], observations
    if isinstance(observations, ArrowExporter | Mapping):
        return [], votes_of(observations, columns=columns, judges=judges)
    if not isinstance(observations, Iterable):
        raise UsageError(
            f"{type(observations).__name__} contains neither observations nor votes",
            fix="pass observations, votes_of(…), or a table that exports Arrow; collect a lazy table first",
        )
    observed = list(observations)
    return observed, votes_of_observations(observed, comparisons, signs)


def _table_judges(
    reference: str | Sequence[str], judges: Sequence[str] | None, crowd: Sequence[str]
) -> list[str] | None:
    """Return the columns of winners in a wide table: all named ones if judges are named, else None."""
    annotators = [reference] if isinstance(reference, str) else reference
    return [*annotators, *judges, *crowd] if judges else None


def other_evaluators(votes: Votes, annotators: Sequence[str], crowd: Sequence[str]) -> list[str]:
    """Return the evaluators that belong neither to the annotators of the reference nor to the crowd."""
    return [name for name in votes.evaluators if name not in (*annotators, *crowd)]


def votes_of_observations(
    observed: Sequence[Observation], comparisons: Iterable[Comparison], signs: Signs
) -> Votes:
    """Return the votes among observations."""
    verdicts = [verdict for verdict in observed if isinstance(verdict, Verdict)]
    if not verdicts:
        raise UsageError("there are no verdicts to compare", fix="run a judge over the study first")
    return votes_of_verdicts(verdicts, comparisons, signs)


def _half_credit(row: JudgeRow) -> float:
    value = row.half_credit.value if row.half_credit else None
    return value if isinstance(value, float) else -np.inf


def _half_credit_of_all(row: JudgeRow) -> float:
    """Return half credit with unscored comparisons as 0, so that an unscored one cannot raise the rank."""
    value = row.half_credit.related["over_all"] if row.half_credit else None
    return value if isinstance(value, float) else -np.inf


def _own_reference(judges: Sequence[str], annotators: Sequence[str]) -> list[str]:
    both = [name for name in dict.fromkeys(judges) if name in annotators]
    if both and len(annotators) == 1:
        raise UsageError(f"{both[0]!r} is the reference", fix="compare it with another reference")
    return [
        f"{name} is one of the {len(annotators)} annotators of the reference and is compared with the others."
        for name in both
    ]


def _without_reference(outcomes: Mapping[str, Outcomes], truth: FloatArray) -> list[str]:
    judged: BoolArray = np.zeros(len(truth), dtype=np.bool_)
    for found in outcomes.values():
        judged |= found.asked.any(axis=0)
    count = int((judged & np.isnan(truth)).sum())
    if not count:
        return []
    has, is_ = ("comparison has", "is") if count == 1 else ("comparisons have", "are")
    return [f"{count:,} {has} verdicts but no reference and {is_} left out."]


def _published(names: Sequence[str]) -> tuple[JudgeRow, ...]:
    """Return the published rows if a judge was run with the published preset, and none otherwise."""
    if not any(name.startswith(PUBLISHED_PRESET) for name in names):
        return ()
    return tuple(
        JudgeRow(
            judge=row.label,
            krcc=Estimate(name="KRCC", value=row.krcc, n=PUBLISHED_COMPARISONS, method="published"),
            vqa=Estimate(name="VQA", value=row.vqa / 100, n=PUBLISHED_QUESTIONS, method="published"),
            source=row.source,
        )
        for row in ABLATION
    )
