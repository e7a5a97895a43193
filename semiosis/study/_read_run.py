"""Reads all signs of a study: prompts blind, artifacts blind, given their prompt's HSG, or both."""

import random
from collections.abc import Iterator
from contextlib import closing
from typing import Literal

from semiosis.ask import Runner
from semiosis.read import Reader, ReadingTask
from semiosis.study._record_run import RunRecorder, run_recorded
from semiosis.study._study import Study
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
    limit: int | None = None,
    shuffle: int | None = None,
) -> list[ReadingTask]:
    """Return the tasks for the readings by this reader that a study lacks."""
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
    missing = [task for task in tasks if not _is_read(study, task)]
    if shuffle is not None:
        random.Random(shuffle).shuffle(missing)  # noqa: S311  # an order of work, not a secret
    return missing[:limit]


def run_readings(
    study: Study, tasks: list[ReadingTask], runner: Runner, *, run: str, record: bool = True
) -> Iterator[HSG | Unscored]:
    """Yield the results of the tasks as they arrive. Each HSG is recorded before it is yielded."""
    recorder = RunRecorder(study, run, record=record)
    with closing(run_recorded(recorder, runner, tasks)) as results:
        yield from (done.result for done in results if done.requested)


def prompts_of(study: Study) -> dict[str, str]:
    """Return the prompt of each artifact, from the artifact itself or from a comparison."""
    known = {sign.id: sign.prompt for sign in study.readable.values() if sign.prompt in study.signs}
    compared = {
        artifact: comparison.prompt
        for comparison in study.comparisons.values()
        for artifact in (comparison.a, comparison.b)
        if comparison.prompt in study.signs
    }
    return {**compared, **known}


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
