"""Runs judges by name over a study, for use from Python."""

from collections.abc import Sequence

from semiosis.ask import Asker, Model, Runner, wait_for
from semiosis.study._registry import JudgeOptions, find_judge
from semiosis.study._run import run_judges
from semiosis.study._study import Study
from semiosis.values import Outcome


def run(
    study: Study,
    judges: Sequence[str] = ("semjudge",),
    *,
    model: str | Model | None = None,
    name: str = "run",
    asker: Asker | None = None,
) -> list[Outcome]:
    """Run judges on the comparisons of a study that they have not judged, and return the outcomes.

    `judges` are names that `semiosis run --list` shows. Readings and verdicts are recorded in the study's
    folder under `name` as they arrive, in the study's language, and replies are kept in its journal. Another
    call continues where this one stopped. Use `semiosis.study.run_judges` to stream the outcomes of a long
    run.
    """
    own = Asker(study.journal) if asker is None else asker
    options = JudgeOptions(
        own,
        None if model is None else Model.of(model),
        settings={"language": study.language_for()},
        study=study,
    )
    try:
        found = [find_judge(judge, options) for judge in judges]
        own.check(*(each for one in found for each in one.judge.models))
        return list(run_judges(study, found, run=name, runner=Runner(own)))
    finally:
        if asker is None:
            wait_for(own.close())
