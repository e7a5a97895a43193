"""The judge that lets a model align: the artifact that keeps more of the prompt's meaning wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from semiosis.align import ModelAligner
from semiosis.ask import Asker, Model, Task, task_key
from semiosis.judge._alignment import aligned_evaluator, verdict_of
from semiosis.judge._judge import Judge, unscored_verdict
from semiosis.values import Alignment, ComparisonCase, Evaluator, Unscored, Verdict


@dataclass(frozen=True)
class ModelAlignmentJudge(Judge):
    """Lets a model align the prompt with both artifacts, and prefers the artifact with the smaller Δo.

    The model sees one artifact at a time, so no order is shown and there is one verdict.
    """

    aligner: ModelAligner
    """The aligner."""
    name: str = ""
    """The evaluator's name. The default names the model."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # a property, not a field
        """The aligner's asker."""
        return self.aligner.asker

    @property
    def models(self) -> tuple[Model, ...]:
        """The model that aligns."""
        return (self.aligner.model,)

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, equal to that of an `AlignmentJudge` with this model's alignments."""
        return aligned_evaluator(self.aligner.aligned_by, self.aligner.procedure, self.name)

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return the task that compares two alignments. The verdict is unscored if a reading is missing."""
        hsgs = case.hsgs()
        needs: tuple[Task[Alignment | Unscored], ...] = ()
        if not isinstance(hsgs, Unscored):
            prompt, a, b = hsgs
            needs = (self.aligner.task(prompt, a), self.aligner.task(prompt, b))
        return (AlignedVerdictTask(self, case, needs),)


@dataclass(frozen=True)
class AlignedVerdictTask:
    """Compares a model's alignments of a prompt with two artifacts."""

    judge: ModelAlignmentJudge
    """The judge."""
    case: ComparisonCase
    """The comparison and its readings."""
    needs: tuple[Task[Alignment | Unscored], ...]
    """The tasks that align the prompt with a and with b; none if readings are missing."""

    @cached_property
    def key(self) -> str:
        """The hash of the judge, the comparison and the alignments."""
        alignments = [task.key for task in self.needs]
        judge, comparison = self.judge.evaluator.id, self.case.comparison.id
        return task_key("verdict", judge=judge, comparison=comparison, alignments=alignments)

    def request(self, *_alignments: Alignment) -> None:
        """Return None, because the other tasks ask for the alignments."""

    def finish(self, reply: object, *alignments: Alignment) -> Verdict:
        """Return the verdict for the artifact that keeps more, or an unscored verdict with the reason."""
        hsgs = self.case.hsgs()
        if isinstance(hsgs, Unscored):
            return unscored_verdict(self.judge.evaluator, self.case, ("ab", 0), hsgs)
        if isinstance(reply, Unscored):
            used = tuple(hsg.id for hsg in hsgs)
            return unscored_verdict(self.judge.evaluator, self.case, ("ab", 0), reply, used)
        a, b = alignments
        return verdict_of(self.judge.evaluator, hsgs[0], a, b)
