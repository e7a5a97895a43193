"""The table of judges and people against a reference (SemJudge, table 1)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from semiosis.stats._arrow import ArrowExporter
from semiosis.stats._crowd import reliable_tasks
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, Interval, ResamplingUnit
from semiosis.stats._frames import Record, Result, field_record
from semiosis.stats._generators import RatingRule
from semiosis.stats._judges import paired_difference, require_equivalence, two_one_sided
from semiosis.stats._published import ABLATION, PUBLISHED_COMPARISONS, PUBLISHED_PRESET, PUBLISHED_QUESTIONS
from semiosis.stats._questions import question_accuracy
from semiosis.stats._ratings import RatingMethod
from semiosis.stats._replace import Replacement, replacement
from semiosis.stats._resample import Resampling
from semiosis.stats._rows import AnswerCounts, JudgeRow, RowSettings, answer_counts, judge_row
from semiosis.stats._score import Ruler, copied_annotator, mean_estimate, ruler_of, score_estimate
from semiosis.stats._second_unit import second_unit_variance
from semiosis.stats._votes import (
    OutcomeArrays,
    Votes,
    outcomes_of,
    pooled_majority,
    votes_of,
    votes_of_verdicts,
)
from semiosis.values import (
    Answer,
    AnySign,
    Comparison,
    Observation,
    Question,
    Unscored,
    UsageError,
    Verdict,
)

Signs = Iterable[AnySign]

COMPLETE_SHARE = 0.9
"""A repeat counts as interrupted if it has fewer than this share of the most complete one's comparisons."""


@dataclass(frozen=True)
class PersonRow(Result):
    """One annotator of the reference against the majority of the others."""

    person: str
    """The annotator's name."""
    score: Estimate
    """The score over the comparisons that this person and others judged."""
    counts: AnswerCounts
    """Right, tied, wrong and unanswered, where the others decide."""
    vqa: Estimate | None = None
    """The accuracy over all questions; None if this person answered none."""


@dataclass(frozen=True)
class JudgePair(Result):
    """Two judges on all comparisons that have a reference."""

    first: str
    second: str
    difference: Estimate
    """Score of the first minus that of the second; interval and p are adjusted over all pairs."""
    verdict: str
    """The difference in words."""
    equivalence: Estimate | None = None
    """Two one-sided tests within the margin, if one was given."""


@dataclass(frozen=True)
class JudgeTable(Result):
    """Judges and people against a reference, in order of score."""

    rows: tuple[JudgeRow, ...]
    """One row per judge, the highest score first. Judges that are not ranked and published rows come last."""
    people: tuple[PersonRow, ...]
    """Each annotator of the reference against the majority of the others, the highest score first."""
    pairs: tuple[JudgePair, ...]
    """Every judge against every other, if `all_pairs` was set."""
    replacements: tuple[Replacement, ...]
    """The alternative-annotator test of each judge, if `epsilon` was given."""
    reference: tuple[str, ...]
    """The annotators of the reference."""
    n_reference: int
    """Comparisons with a reference winner or tie."""
    n_reference_ties: int
    """Comparisons that the reference ties, on which no answer earns anything."""
    prompts: int
    """Prompts with a reference."""
    best: float
    """The highest score that answers to all comparisons can have."""
    rating: str
    """The method that rates generators."""
    prior: float
    """The prior of the ratings."""
    baseline: str | None
    """The judge that all others are compared with, if any."""
    margin: float | None
    """The largest difference in score that is harmless; None if equivalence was not tested."""
    unit: ResamplingUnit
    """The unit of the intervals of scores."""
    seed: int
    """The seed of the random generator."""
    level: float
    """The level of the intervals."""
    notes: tuple[str, ...] = ()
    """What was left out, and why."""
    examinees: Mapping[str, Estimate] = field(default_factory=dict)
    """VQA of the evaluators that answered questions and have no row of their own, by name."""

    @property
    def ranked(self) -> tuple[JudgeRow, ...]:
        """The judges in order of score, without published rows and copies of an annotator."""
        return tuple(row for row in self.rows if not row.source and not row.copies)

    @property
    def people_range(self) -> tuple[float, float, float] | None:
        """The lowest, the mean and the highest score of people; None if there are fewer than two."""
        scores = [float(person.score) for person in self.people if person.score.scored]
        return (min(scores), float(np.mean(scores)), max(scores)) if len(scores) > 1 else None

    @property
    def published(self) -> bool:
        """Whether published rows are shown, because a judge was run with the published preset."""
        return any(row.source for row in self.rows)

    def records(self) -> list[Record]:
        """Return one row per judge and per annotator. `against` states what it is compared with."""
        judges = [{**row.record(), "against": "the reference"} for row in self.rows]
        people = [
            {"judge": person.person, **field_record("score", person.score), "against": "the other annotators"}
            for person in self.people
        ]
        examinees = [{"judge": name, **field_record("vqa", vqa)} for name, vqa in self.examinees.items()]
        return judges + people + examinees

    def __str__(self) -> str:
        judges = "; ".join(f"{row.judge}: {row.score or row.krcc}" for row in self.rows) or "no judge"
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
    epsilon: float | None = None,
    unit: ResamplingUnit = "prompt",
    rating: RatingMethod = "bradley-terry",
    prior: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> JudgeTable:
    """Compare judges and people by score: right +1, wrong −1, tie or no answer 0, mean over prompts.

    `observations` may also be votes, or a table of votes as `votes_of` takes it, with its `columns`.
    `reference` names one evaluator, or several people. With several, each judge and each person is measured
    against the majority of the others, with each person left out in turn. Verdicts need their `comparisons`;
    SRCC and CCC also need `signs`, which name the generator of each artifact; VQA needs `questions`. With a
    `crowd` of annotators, its quality control filters the reference (SemJudge, appendix A) and its majority
    is a judge.

    `baseline` names a judge that each other judge is tested against; `all_pairs` tests every judge against
    every other; with `margin`, they are also tested for equivalence. `epsilon` requests the
    alternative-annotator test. `unit` is the unit of the intervals of scores: `prompt`, `prompt and
    generator` for conclusions about other generators, or `prompt and annotator` for those about other people.

    >>> from semiosis.stats import votes_of
    >>> votes = votes_of(
    ...     list("ppqq") * 2, list("wxwx") * 2, list("yzyz") * 2, ["human"] * 4 + ["judge"] * 4, "abababaa"
    ... )
    >>> table = compare(votes, reference="human")
    >>> [(row.judge, float(row.score), row.counts.right) for row in table.rows]
    [('judge', 0.5, 3.0)]
    """
    signs = list(signs)
    selected = _table_judges(reference, judges, crowd)
    observed, votes = _observed(observations, comparisons, signs, columns, selected)
    judged = _resolve_votes(votes, reference, judges, crowd)
    ruler, outcomes = judged.ruler, judged.outcomes
    answers = question_accuracy(
        [observation for observation in observed if isinstance(observation, Answer)],
        list(questions),
        signs,
        level=level,
        seed=seed,
    )
    settings = RowSettings(Resampling(level=level, seed=seed), RatingRule(rating, prior, seed=seed))
    rows = []
    for name, own in outcomes.items():
        estimate = score_estimate(
            ruler, own, level=level, unit=unit, extra=second_unit_variance(unit, ruler, votes, own)
        )
        row = judge_row(name, own, ruler, votes, settings, estimate, answers.get(name))
        rows.append(replace(row, copies=copied_annotator(ruler, own)))
    rows.sort(key=_rank, reverse=True)
    ranked = [row.judge for row in rows if not row.copies]
    tested = _Tests(ruler, outcomes, margin, level)
    rows = tested.with_differences(rows, baseline, ranked)
    people = people_rows(ruler, answers, level)
    compared = {*outcomes, *(person.person for person in people)}
    return JudgeTable(
        rows=(*rows, *_published(list(outcomes))),
        people=people,
        pairs=tested.pairs(list(combinations(ranked, 2))) if all_pairs else (),
        replacements=()
        if epsilon is None
        else tuple(replacement(row.judge, outcomes[row.judge], ruler, epsilon) for row in rows),
        reference=ruler.annotators,
        n_reference=int(ruler.has_reference.sum()),
        n_reference_ties=int((ruler.truth == 0).sum()),
        prompts=len(np.unique(ruler.prompt[ruler.has_reference])),
        best=ruler.best,
        rating=rating,
        prior=prior,
        baseline=baseline,
        margin=margin,
        unit=unit,
        seed=seed,
        level=level,
        notes=judged.notes,
        examinees={name: vqa for name, vqa in answers.items() if judges is None and name not in compared},
    )


@dataclass(frozen=True, eq=False)
class ResolvedVotes:
    """The judges of a table and the ruler that they are measured with."""

    ruler: Ruler
    """The annotators, and what they leave for judges and for one another to agree with."""
    outcomes: Mapping[str, OutcomeArrays]
    """The outcomes of each judge, without interrupted repeats."""
    notes: tuple[str, ...]
    """Notes on what was left out, and why."""


def _resolve_votes(
    votes: Votes, reference: str | Sequence[str], judges: Sequence[str] | None, crowd: Sequence[str]
) -> ResolvedVotes:
    """Return the ruler, and each judge's outcomes."""
    listed = (reference,) if isinstance(reference, str) else tuple(reference)
    annotators = tuple(dict.fromkeys(listed))
    notes = [
        f"{name} is listed {count} times in the reference and counts once."
        for name, count in Counter(listed).items()
        if count > 1
    ]
    ruler = ruler_of(votes, annotators)
    names = other_evaluators(votes, annotators, crowd) if judges is None else judges
    notes += _own_reference(judges or (), annotators)
    outcomes: dict[str, OutcomeArrays] = {}
    for name in dict.fromkeys(name for name in names if name not in annotators):
        outcomes[name], left_out = complete_repeats(name, outcomes_of(votes, name), ruler.has_reference)
        notes += left_out
    notes += _without_reference(outcomes, ruler.truth)
    if crowd:
        label = f"crowd majority of {len(set(crowd))}"
        used, outcomes[label], filtered = crowd_majority(votes, crowd, ruler.truth, annotators)
        ruler = ruler_of(votes, annotators, used)
        notes += filtered
    if not outcomes:
        notes.append("There is no judge other than the reference.")
    return ResolvedVotes(ruler, outcomes, tuple(notes))


def complete_repeats(
    name: str, outcomes: OutcomeArrays, wanted: BoolArray
) -> tuple[OutcomeArrays, list[str]]:
    """Return the outcomes without interrupted repeats, and a note for each repeat left out."""
    asked = (outcomes.asked & wanted).sum(axis=1)
    most_asked = int(asked.max(initial=0))
    complete: BoolArray = np.asarray(asked >= COMPLETE_SHARE * most_asked)
    notes = [
        f"{name}: repeat {number} covers only {count:,} of {most_asked:,} comparisons and is left out."
        for number, count, is_complete in zip(outcomes.repeats, asked.tolist(), complete, strict=True)
        if not is_complete
    ]
    return outcomes.select_repeats(complete), notes


def crowd_majority(
    votes: Votes, crowd: Sequence[str], truth: FloatArray, annotators: Sequence[str]
) -> tuple[BoolArray, OutcomeArrays, list[str]]:
    """Return the reliable comparisons, the crowd's majority as a judge, and notes."""
    winner, share, _ = pooled_majority(votes, tuple(dict.fromkeys(crowd)))
    kept, reliable = reliable_tasks(share, votes.prompt, 0.60, 4)
    wanted = ~np.isnan(truth)
    lost, unreliable = int((wanted & ~kept).sum()), int((wanted & ~reliable).sum())
    note = (
        f"The crowd's quality control leaves out {lost:,} of {int(wanted.sum()):,} comparisons: "
        f"{unreliable:,} on which fewer than 60% agree, and {lost - unreliable:,} in prompts with fewer "
        "than 4 left."
    )
    none = np.zeros((1, len(winner)), dtype=np.bool_)
    outcomes = OutcomeArrays(winner[None], none, none, ~np.isnan(winner)[None])
    notes = [
        f"{name} is in the crowd and in the reference: the crowd's majority is partly compared with itself."
        for name in dict.fromkeys(crowd)
        if name in annotators
    ]
    return kept, outcomes, [note, *notes]


def people_rows(ruler: Ruler, answers: Mapping[str, Estimate], level: float) -> tuple[PersonRow, ...]:
    """Return each annotator against the majority of the others, the highest score first."""
    if len(ruler.annotators) < 2:
        return ()
    rows = []
    for number, name in enumerate(ruler.annotators):
        others, votes = ruler.others[number], ruler.people[number]
        none = np.zeros((1, len(votes)), dtype=np.bool_)
        own = OutcomeArrays(votes[None], none, none, ~none)
        values = ruler.person_values(number)
        estimate = mean_estimate("score", values, n=int((~np.isnan(others)).sum()), level=level)
        rows.append(PersonRow(name, estimate, answer_counts(own, others), answers.get(name)))
    return tuple(sorted(rows, key=lambda row: float(row.score) if row.score.scored else -2, reverse=True))


@dataclass(frozen=True)
class _Tests:
    """Tests of judges against one another on all comparisons with a reference."""

    ruler: Ruler
    outcomes: Mapping[str, OutcomeArrays]
    margin: float | None
    level: float

    def pairs(self, names: Sequence[tuple[str, str]]) -> tuple[JudgePair, ...]:
        """Return the difference of each pair of judges, adjusted for the number of pairs."""
        return tuple(self._pair(first, second, len(names)) for first, second in names)

    def with_differences(
        self, rows: Sequence[JudgeRow], baseline: str | None, ranked: Sequence[str]
    ) -> list[JudgeRow]:
        """Return the rows with their difference from the baseline."""
        if baseline is None:
            return list(rows)
        if baseline not in ranked:
            raise UsageError(
                f"the baseline {baseline!r} is not a judge that is ranked",
                fix=f"choose one of {', '.join(map(repr, ranked))}",
            )
        others = [(name, baseline) for name in ranked if name != baseline]
        pairs = {pair.first: pair for pair in self.pairs(others)}
        return [
            replace(row, difference=pair.difference, equivalence=pair.equivalence, verdict=pair.verdict)
            if (pair := pairs.get(row.judge))
            else row
            for row in rows
        ]

    def _pair(self, first: str, second: str, tests: int) -> JudgePair:
        sides = [self.ruler.score_values(self.outcomes[name]) for name in (first, second)]
        n = int(self.ruler.has_reference.sum())
        difference = paired_difference(*sides, name="difference in score", n=n, tests=tests, level=self.level)
        equivalence = None
        if self.margin is not None:
            require_equivalence(self.margin, len(sides[0]))
            alpha = 1 - self.level
            equivalence = two_one_sided(
                *sides, margin=self.margin, name="equivalence in score", n=n, alpha=alpha, tests=tests
            )
        return JudgePair(
            first, second, difference, _in_words(difference, equivalence, self.level), equivalence
        )


def _in_words(difference: Estimate, equivalence: Estimate | None, level: float) -> str:
    """Return what a difference shows. It never contradicts the interval or p."""
    ends = difference.interval
    if isinstance(ends, Unscored):
        return "same score in every prompt" if float(difference) == 0 else "not tested"
    if isinstance(ends, Interval) and ends.low > 0:
        return "better"
    if isinstance(ends, Interval) and ends.high < 0:
        return "worse"
    if equivalence is not None and equivalence.p is not None and equivalence.p < 1 - level:
        return f"equivalent within {equivalence.related['margin']:g}"
    return "not shown to differ"


def _rank(row: JudgeRow) -> tuple[bool, float]:
    """Return the sort key of a judge: copies of an annotator come last."""
    value = row.score.value if row.score else None
    return not row.copies, value if isinstance(value, float) else -np.inf


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


def _own_reference(judges: Sequence[str], annotators: Sequence[str]) -> list[str]:
    both = [name for name in dict.fromkeys(judges) if name in annotators]
    if both and len(annotators) == 1:
        raise UsageError(f"{both[0]!r} is the reference", fix="compare it with another reference")
    return [
        f"{name} is one of the {len(annotators)} annotators of the reference and is compared with the others."
        for name in both
    ]


def _without_reference(outcomes: Mapping[str, OutcomeArrays], truth: FloatArray) -> list[str]:
    judged: BoolArray = np.zeros(len(truth), dtype=np.bool_)
    for own in outcomes.values():
        judged |= own.asked.any(axis=0)
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
