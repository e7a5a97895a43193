"""Runs judges over a study, for use from Python."""

from collections.abc import Sequence

from semiosis.ask import Asker, Model, Runner, wait_for
from semiosis.judge import Judge
from semiosis.study._judge_run import StudyJudge, plan_judging, require_inputs, run_judging
from semiosis.study._registry import EvaluatorOptions, find_judge
from semiosis.study._study import Study
from semiosis.values import Outcome


def run(
    study: Study,
    judges: Sequence[str | Judge | StudyJudge] = ("semjudge",),
    *,
    model: str | Model | None = None,
    name: str = "run",
    asker: Asker | None = None,
    record: bool = True,
) -> list[Outcome]:
    """Run judges on the comparisons of a study that they have not judged, and return the outcomes.

    `judges` are names that `semiosis run --list` shows, or judges. Readings and verdicts are recorded in the
    study's folder under `name` as they arrive, in the study's language, and replies are kept in its journal.
    Another call continues where this one stopped. Without `record`, nothing is written but the journal. Use
    `semiosis.study.run_judging` to stream the outcomes of a long run.
    """
    own = Asker(study.journal) if asker is None else asker
    options = EvaluatorOptions(
        own,
        None if model is None else Model.of(model),
        settings={"language": study.language_for()},
        study=study,
    )
    try:
        judging = [_study_judge(judge, options) for judge in judges]
        own.check(*(asked for study_judge in judging for asked in study_judge.judge.models))
        require_inputs(study, judging)
        plan = plan_judging(study, judging)
        return list(run_judging(study, plan, run=name, runner=Runner(own), record=record))
    finally:
        if asker is None:
            wait_for(own.close())


def _study_judge(judge: str | Judge | StudyJudge, options: EvaluatorOptions) -> StudyJudge:
    if isinstance(judge, str):
        return find_judge(judge, options)
    return judge if isinstance(judge, StudyJudge) else StudyJudge(judge)
