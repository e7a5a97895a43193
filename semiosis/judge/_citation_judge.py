"""The judge that counts another judge's citations: the artifact that more of them support wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from semiosis.ask import Asker, Model, Task, task_key
from semiosis.judge._judge import Judge, Presentation
from semiosis.values import Citation, ComparisonCase, Evaluator, Unscored, Verdict, Winner


@dataclass(frozen=True)
class CitationJudge(Judge):
    """Prefers the artifact that more citations of another judge support.

    The verdicts of a judge and its citations may disagree. A comparison of the two judges shows how often
    (SemJudge, eq. 10).
    """

    judge: Judge
    """The judge whose citations are counted."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # a property, not a field
        """The other judge's asker."""
        return self.judge.asker

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that the other judge asks."""
        return self.judge.models

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator `citations of …`, with the other judge's parameters."""
        cited = self.judge.evaluator
        return Evaluator(kind=cited.kind, name=f"citations of {cited.name}", parameters=cited.parameters)

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """The other judge's orders and repeats."""
        return self.judge.presentations

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task for each verdict of the other judge."""
        return [CitationTask(self.evaluator, (task,)) for task in self.judge.tasks(case)]


@dataclass(frozen=True)
class CitationTask:
    """Counts the citations of a verdict."""

    evaluator: Evaluator
    """The evaluator of the new verdict."""
    needs: tuple[Task[Verdict], ...]
    """The task that gives the verdict."""

    @cached_property
    def key(self) -> str:
        """The hash of the judge and the verdict."""
        return task_key("verdict", judge=self.evaluator.id, of=self.needs[0].key)

    def request(self, _verdict: Verdict) -> None:
        """Return None, because no model is asked."""

    def finish(self, _reply: object, verdict: Verdict) -> Verdict:
        """Return the verdict that the citations give."""
        return citation_verdict(verdict, self.evaluator)


def citation_verdict(verdict: Verdict, evaluator: Evaluator) -> Verdict:
    """Return the verdict that a verdict's citations give. It is unscored if none supports a or b."""
    winner = verdict.winner if isinstance(verdict.winner, Unscored) else _majority(verdict.citations)
    return Verdict(
        evaluator=evaluator,
        comparison=verdict.comparison,
        shown=verdict.shown,
        repeat=verdict.repeat,
        winner=winner,
        citations=verdict.citations,
        dropped=verdict.dropped,
        used=verdict.used,
    )


def _majority(citations: tuple[Citation, ...]) -> Winner | Unscored:
    stances = [citation.stance for citation in citations]
    a, b = stances.count("a"), stances.count("b")
    if not a and not b:
        return Unscored(reason="undefined", detail="no citation supports a or b")
    if a == b:
        return "tie"
    return "a" if a > b else "b"
