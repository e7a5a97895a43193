"""The table of judges against a reference (SemJudge, table 1)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats._crowd import reliable_tasks
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray
from semiosis.stats._judges import COLUMNS, holm, judge_difference
from semiosis.stats._published import ABLATION, PUBLISHED_COMPARISONS, PUBLISHED_PRESET, PUBLISHED_QUESTIONS
from semiosis.stats._questions import question_accuracy
from semiosis.stats._ratings import RatingMethod
from semiosis.stats._resample import Resampling
from semiosis.stats._rows import JudgeRow, Task, judge_row, pairs_of
from semiosis.stats._votes import Outcomes, Votes, outcomes_of, pooled, votes_from
from semiosis.values import (
    Answer,
    Comparison,
    CompositeSign,
    ImageSign,
    Observation,
    Question,
    TextSign,
    UsageError,
    Verdict,
)

Signs = Iterable[TextSign | ImageSign | CompositeSign]


@dataclass(frozen=True)
class JudgeTable:
    """Judges against a reference, with what must be said about it."""

    rows: tuple[JudgeRow, ...]
    reference: tuple[str, ...]
    n_reference: int
    """Comparisons with a reference winner or tie."""
    n_common: int
    """Comparisons that every judge scored, in every repeat."""
    common: bool
    """Whether the judges are compared on those only."""
    rating: str
    prior: float
    baseline: str | None
    seed: int
    resamples: int
    level: float
    notes: tuple[str, ...] = ()

    @property
    def published(self) -> bool:
        """Whether published rows are shown, because a judge was run with the published preset."""
        return any(row.source for row in self.rows)

    def __str__(self) -> str:
        judges = ", ".join(f"{row.judge} {row.krcc}" for row in self.rows) or "no judge"
        return f"judges against {' + '.join(self.reference)}: {judges}"


def compare(
    observations: Iterable[Observation] | Votes,
    *,
    reference: str | Sequence[str],
    comparisons: Iterable[Comparison] = (),
    signs: Signs = (),
    questions: Iterable[Question] = (),
    judges: Sequence[str] | None = None,
    crowd: Sequence[str] = (),
    baseline: str | None = None,
    common: bool = True,
    rating: RatingMethod = "bradley-terry",
    prior: float = 0.0,
    resamples: int = 2_000,
    level: float = 0.95,
    seed: int = 0,
) -> JudgeTable:
    """Judges against a reference: KRCC, half credit, SRCC, CCC, VQA, agreement, flips, n and unscored.

    `reference` names one evaluator or several, whose majority is then the reference. Verdicts need their
    `comparisons`; SRCC and CCC also need `signs`, which tell who made each artifact; VQA needs `questions`.
    By default judges are compared on the comparisons that all of them scored. With a `crowd` of annotators,
    its quality control filters the reference (SemJudge, appendix A) and its majority is one of the judges.

    >>> from semiosis.stats import votes_of
    >>> votes = votes_of(
    ...     list("ppqq") * 2, list("wxwx") * 2, list("yzyz") * 2, ["human"] * 4 + ["judge"] * 4, "abababaa"
    ... )
    >>> table = compare(votes, reference="human", resamples=0)
    >>> [(row.judge, float(row.krcc), float(row.agreement)) for row in table.rows]
    [('judge', 0.5, 0.75)]
    """
    signs = list(signs)
    said = [] if isinstance(observations, Votes) else list(observations)
    votes = observations if isinstance(observations, Votes) else verdict_votes(said, comparisons, signs)
    referees = (reference,) if isinstance(reference, str) else tuple(reference)
    names = judges if judges is not None else [e for e in votes.evaluators if e not in (*referees, *crowd)]
    outcomes = {name: outcomes_of(votes, name) for name in names}
    truth = pooled(votes, referees)[0]
    if crowd:
        truth, outcomes[f"crowd majority of {len(crowd)}"] = _crowd(votes, crowd, truth)
    mutual = _common(outcomes, truth)
    how = Resampling(resamples=resamples, level=level, seed=seed)
    task = Task.of(votes, truth, mutual if common else ~np.isnan(truth), how, rating, prior=prior)
    answers = question_accuracy(
        [a for a in said if isinstance(a, Answer)],
        list(questions),
        signs,
        resamples=resamples,
        level=level,
        seed=seed,
    )
    rows = [judge_row(name, found, task, answers.get(name)) for name, found in outcomes.items()]
    return JudgeTable(
        rows=(*_with_differences(rows, outcomes, task, baseline), *_published(list(names))),
        reference=referees,
        n_reference=int((~np.isnan(truth)).sum()),
        n_common=int(mutual.sum()),
        common=common,
        rating=rating,
        prior=prior,
        baseline=baseline,
        seed=seed,
        resamples=resamples,
        level=level,
        notes=_silent(outcomes, truth),
    )


def _with_differences(
    rows: Sequence[JudgeRow], outcomes: Mapping[str, Outcomes], task: Task, baseline: str | None
) -> list[JudgeRow]:
    """Rows with their difference in KRCC to the baseline, on common comparisons, p adjusted by Holm."""
    if baseline is None:
        return list(rows)
    if baseline not in outcomes:
        raise UsageError(
            f"the baseline {baseline!r} is not a judge", fix=f"judges are {', '.join(map(repr, outcomes))}"
        )
    others = [name for name in outcomes if name != baseline]
    found = {name: _difference(outcomes[name], outcomes[baseline], task) for name in others}
    adjusted = dict(zip(others, holm([found[name].p for name in others]), strict=True))
    return [
        replace(row, difference=replace(found[row.judge], p=adjusted[row.judge]))
        if row.judge in found
        else row
        for row in rows
    ]


def _difference(first: Outcomes, second: Outcomes, task: Task) -> Estimate:
    """Difference in KRCC, each judge averaged over its repeats."""
    both = task.used & ~np.isnan(first.winner).any(axis=0) & ~np.isnan(second.winner).any(axis=0)
    sides = [[COLUMNS["krcc"](pairs) for pairs in pairs_of(side, task, both)] for side in (first, second)]
    columns = [np.mean(side, axis=0) for side in sides]
    found = judge_difference(columns[0], columns[1], task.how, permutations=max(task.how.resamples, 1_000))
    return replace(found, name="difference in KRCC", n=int(both.sum()))


def _published(names: Sequence[str]) -> tuple[JudgeRow, ...]:
    """Published rows, which stand only beside judges run with the published preset."""
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


def _silent(outcomes: Mapping[str, Outcomes], truth: FloatArray) -> tuple[str, ...]:
    """Judges that scored nothing: they are shown, and left out of what all judges scored."""
    if not outcomes:
        return ("There is no judge besides the reference.",)
    wanted = ~np.isnan(truth)
    silent = [name for name, found in outcomes.items() if np.isnan(found.winner[:, wanted]).all()]
    return tuple(f"{name} scored no comparison that has a reference." for name in silent)


def verdict_votes(said: Sequence[Observation], comparisons: Iterable[Comparison], signs: Signs) -> Votes:
    """The votes among observations."""
    verdicts = [verdict for verdict in said if isinstance(verdict, Verdict)]
    if not verdicts:
        raise UsageError("there are no verdicts to compare", fix="run a judge over the study first")
    return votes_from(verdicts, comparisons, signs)


def _crowd(votes: Votes, crowd: Sequence[str], truth: FloatArray) -> tuple[FloatArray, Outcomes]:
    """The reference without unreliable comparisons, and the crowd's majority as one more judge."""
    winner, share, _ = pooled(votes, crowd)
    kept, _ = reliable_tasks(share, votes.prompt, 0.60, 4)
    never = np.zeros((1, len(winner)), dtype=np.bool_)
    return np.where(kept, truth, np.nan), Outcomes(winner[None], never, never)


def _common(outcomes: Mapping[str, Outcomes], truth: FloatArray) -> BoolArray:
    """Comparisons with a reference that every judge scored in every repeat; silent judges do not count."""
    mutual = ~np.isnan(truth)
    for outcome in outcomes.values():
        scored = ~np.isnan(outcome.winner)
        if scored.any():
            mutual = mutual & scored.all(axis=0)
    return mutual
