"""Runs a SemJudge over a study's comparisons, resumable: what is in the record is not asked for again."""

from collections.abc import Iterable, Iterator

from semiosis.files import append_record
from semiosis.judge import SemJudge, compare_many
from semiosis.study._study import AnySign, Study
from semiosis.values import (
    Comparison,
    DataError,
    Outcome,
    Recorded,
    Unscored,
    Verdict,
)


def unjudged(study: Study, judge: SemJudge) -> list[Comparison]:
    """The comparisons on which this judge has not said all it is going to say."""
    who, wanted = judge.evaluator.id, judge.cases
    said: dict[str, set[tuple[str, int]]] = {}
    for verdict in study.verdicts:
        if verdict.evaluator.id == who and not isinstance(verdict.winner, Unscored):
            said.setdefault(verdict.comparison, set()).add((verdict.shown, verdict.repeat))
    return [
        comparison
        for comparison in study.comparisons.values()
        if not wanted <= said.get(comparison.id, set())
    ]


def run_judge(study: Study, judge: SemJudge, *, run: str, record: bool = True) -> Iterator[Outcome]:
    """Reads and judges every comparison that is not judged yet; its HSGs and verdicts are recorded first.

    A comparison for which there was no budget is not recorded: the next run takes it up.
    """
    todo = unjudged(study, judge)
    known = set(study.hsgs)
    for outcome in compare_many(judge, (_signs(study, comparison) for comparison in todo)):
        if record:
            append_record(study.folder, _new(outcome.verdicts, judge, known), run)
        yield outcome


def _signs(study: Study, comparison: Comparison) -> tuple[AnySign, AnySign, AnySign]:
    try:
        return study.signs[comparison.prompt], study.signs[comparison.a], study.signs[comparison.b]
    except KeyError as error:
        raise DataError(
            f"comparison {comparison.id} names a sign that is not in the study: {error}",
            where=str(study.folder),
            fix="run semiosis study check",
        ) from error


def _new(verdicts: Iterable[Verdict], judge: SemJudge, known: set[str]) -> list[Recorded]:
    """The verdicts worth keeping, after the HSGs they use that the record does not have yet."""
    kept = [verdict for verdict in verdicts if not _out_of_budget(verdict)]
    used = dict.fromkeys(id_ for verdict in kept for id_ in verdict.used if id_ not in known)
    known.update(used)
    return [*(judge.readings[id_] for id_ in used), *kept]


def _out_of_budget(verdict: Verdict) -> bool:
    return isinstance(verdict.winner, Unscored) and verdict.winner.reason == "budget"
