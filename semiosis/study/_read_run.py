"""Plans the readings that a study lacks: blind, given the prompt's HSG, or both."""

import random
from collections.abc import Collection
from typing import Literal

from semiosis.read import Reader, ReadingTask
from semiosis.study._manifest import PlannedEvaluator, reading_identity
from semiosis.study._settings import EvaluatorSettings, ModelSettings
from semiosis.study._study import Study
from semiosis.study._work import WorkPlan
from semiosis.values import HSG, Detail, Unscored

ReadingView = Literal["blind", "given", "both"]
"""Whether artifacts are read blind, given their prompt's HSG, or both."""


def plan_readings(
    study: Study,
    reader: Reader,
    *,
    view: ReadingView = "blind",
    detail: Detail = "standard",
    repeat: int = 0,
    signs: Collection[str] | None = None,
    limit: int | None = None,
    shuffle: int | None = None,
) -> WorkPlan[HSG | Unscored]:
    """Return the plan of the readings by this reader that a study lacks, of these signs or of all."""
    tasks = [
        task
        for task in _reading_tasks(study, reader, view, detail, repeat)
        if (signs is None or task.sign.id in signs) and not _is_read(study, task)
    ]
    if shuffle is not None:
        random.Random(shuffle).shuffle(tasks)  # noqa: S311  # an order of work, not a secret
    settings = EvaluatorSettings(
        type="reader",
        name="model",
        model=ModelSettings.of(reader.model),
        options={"view": view, "detail": detail, "repeat": repeat, "language": reader.language},
    )
    identities = dict.fromkeys(map(_identity, tasks))
    planned = (PlannedEvaluator(identity, reader.model.full_name, settings) for identity in identities)
    return WorkPlan(tasks[:limit], evaluators=tuple(planned), asker=reader.asker)


def prompts_of(study: Study) -> dict[str, str]:
    """Return the prompt of each artifact, from the artifact itself or from a comparison."""
    own = {sign.id: sign.prompt for sign in study.readable.values() if sign.prompt in study.signs}
    compared = {
        artifact: comparison.prompt
        for comparison in study.comparisons.values()
        for artifact in (comparison.a, comparison.b)
        if comparison.prompt in study.signs
    }
    return {**compared, **own}


def _reading_tasks(
    study: Study, reader: Reader, view: ReadingView, detail: Detail, repeat: int
) -> list[ReadingTask]:
    prompts = prompts_of(study)
    tasks = []
    for sign in study.readable.values():
        blind = reader.task(sign, detail=detail, repeat=repeat)
        if sign.id not in prompts:
            tasks += [blind] if view != "given" else []
            continue
        if view != "given":
            tasks.append(blind)
        if view != "blind":
            given = reader.task(study.signs[prompts[sign.id]], detail=detail, repeat=repeat)
            tasks.append(reader.task(sign, given=given, detail=detail, repeat=repeat))
    return tasks


def _is_read(study: Study, task: ReadingTask) -> bool:
    """Return whether the study has this reading. The served version of the model does not matter."""
    return any(
        (reading.detail, reading.repeat) == (task.settings.detail, task.settings.repeat)
        and bool(reading.given) == (task.given is not None)
        and reading.language == task.language
        and not reading.beside
        and reading.interpreter.equals_except_served(task.interpreter)
        for reading in study.conditions_of(task.sign.id).values()
    )


def _identity(task: ReadingTask) -> str:
    view = "blind" if task.given is None else "given"
    settings = task.settings
    return reading_identity(task.interpreter, settings.detail, settings.repeat, task.language, view)
