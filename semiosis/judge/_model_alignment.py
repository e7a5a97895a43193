"""A model's alignments as a judge: the artifact that keeps more of the prompt's meaning wins."""

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
    """Lets a model align the prompt with both artifacts, and prefers the one with the smaller Δo.

    The model sees one artifact at a time, so no order is shown and there is one verdict.
    """

    aligner: ModelAligner
    """The model."""
    name: str = ""
    """Who signs; by default the model's name."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # the aligner's
        """The aligner's asker."""
        return self.aligner.asker

    @property
    def models(self) -> tuple[Model, ...]:
        """The model that aligns."""
        return (self.aligner.model,)

    @cached_property
    def evaluator(self) -> Evaluator:
        """The same evaluator as that of an `AlignmentJudge` that goes by this model's alignments."""
        return aligned_evaluator(self.aligner.aligned_by, self.aligner.procedure, self.name)

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return the task that compares two alignments; without readings the verdict is unscored."""
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
    """What is compared."""
    needs: tuple[Task[Alignment | Unscored], ...]
    """The tasks that align the prompt with a and with b; none if readings are missing."""

    @cached_property
    def key(self) -> str:
        """The hash of judge, comparison and alignments."""
        alignments = [need.key for need in self.needs]
        comparison = self.case.comparison.id
        who = self.judge.evaluator.id
        return task_key("verdict", judge=who, comparison=comparison, alignments=alignments)

    def request(self, *_alignments: Alignment) -> None:
        """Ask nothing: the alignments are asked for."""

    def finish(self, reply: object, *alignments: Alignment) -> Verdict:
        """Return the verdict for the artifact that keeps more, or why there is none."""
        hsgs = self.case.hsgs()
        if isinstance(hsgs, Unscored):
            return unscored_verdict(self.judge.evaluator, self.case, ("ab", 0), hsgs)
        if isinstance(reply, Unscored):
            used = tuple(hsg.id for hsg in hsgs)
            return unscored_verdict(self.judge.evaluator, self.case, ("ab", 0), reply, used)
        a, b = alignments
        return verdict_of(self.judge.evaluator, hsgs[0], a, b)
