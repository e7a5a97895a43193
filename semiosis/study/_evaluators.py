"""Selects evaluators of a study by the names that tables print, withdraws and restores what they said."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from semiosis.files import atomic_write
from semiosis.store import EmbeddedStore
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._study import Study, read_study
from semiosis.values import (
    DataError,
    Evaluator,
    Observation,
    Recorded,
    UsageError,
    evaluator_labels,
    from_json,
    to_json,
)

_FOLDER = "withdrawn"
"""The folder of a study with the observations of withdrawn evaluators. No command but `restore` reads it."""


def select_evaluators(study: Study, judges: Sequence[str] = (), without: Sequence[str] = ()) -> Study:
    """Return the study without the observations of some evaluators.

    `judges` are the only models and programs to keep; people stay. `without` are evaluators to leave out,
    people included. Both are named as tables name them.
    """
    if not judges and not without:
        return study
    kept, left_out = _ids(study, judges), _ids(study, without)

    def is_selected(evaluator: Evaluator) -> bool:
        chosen = not judges or evaluator.kind == "person" or evaluator.id in kept
        return chosen and evaluator.id not in left_out

    observations = {
        value_id: value for value_id, value in study.observations.items() if is_selected(value.evaluator)
    }
    history = {
        value_id: value
        for value_id, value in study.history.items()
        if not isinstance(value, Observation) or is_selected(value.evaluator)
    }
    return replace(study, observations=observations, history=history)


@dataclass(frozen=True)
class Withdrawal:
    """The observations of an evaluator that were withdrawn from a study."""

    values: tuple[Recorded, ...]
    """The withdrawn values, including those that refer to them."""
    file: Path
    """The file with the values, from which they can be restored."""


def withdraw(folder: str | Path, evaluator: str, *, dry_run: bool = False) -> Withdrawal:
    """Move the observations of an evaluator out of the record, into a file of the study.

    Values that refer to them, such as ratings of verdicts, are moved too. `restore` undoes it.
    """
    study = read_study(folder)
    ids = _ids(study, [evaluator])
    everything = {**study.observations, **study.history}
    chosen = [
        value_id
        for value_id, value in everything.items()
        if isinstance(value, Observation) and value.evaluator.id in ids
    ]
    file = _free_file(study.folder, next(iter(ids)))
    with EmbeddedStore(study.folder) as store:
        gone = store.remove(*chosen, dependents=True, dry_run=True)
        if not dry_run:
            file.parent.mkdir(exist_ok=True)
            atomic_write(file, "".join(f"{to_json(value)}\n" for value in gone))
            store.remove(*chosen, dependents=True)
    return Withdrawal(tuple(gone), file)


def restore(folder: str | Path, evaluator: str, *, dry_run: bool = False) -> ImportResult:
    """Add the withdrawn observations of an evaluator to the record again.

    A value that was recorded again since then is kept as it is now.
    """
    study = read_study(folder)
    withdrawn = {file: _read_values(file) for file in sorted((study.folder / _FOLDER).glob("*.jsonl"))}
    chosen = {file: values for file, values in withdrawn.items() if _name(file, values) == evaluator}
    if not chosen:
        names = sorted({_name(file, values) for file, values in withdrawn.items()})
        raise UsageError(
            f"nothing of {evaluator!r} was withdrawn",
            where=str(study.folder),
            fix=f"name one of {', '.join(names)}" if names else "there is nothing to restore",
        )
    values = {value.id: value for recorded in chosen.values() for value in recorded}
    current = study.everything()
    new = {value_id: value for value_id, value in values.items() if value_id not in current}
    again = len(values) - len(new)
    notes = [f"{again:,} values were recorded again since then, and stay as they are"] if again else []
    result = add_values(study, new, "restored", notes=notes, dry_run=dry_run)
    if not dry_run:
        for file in chosen:
            file.unlink()
    return result


def _evaluators(study: Study) -> list[Evaluator]:
    return list(dict.fromkeys(value.evaluator for value in study.observations.values()))


def _ids(study: Study, names: Sequence[str]) -> set[str]:
    """Return the ids of the evaluators with these names or labels. Raises for unknown and ambiguous names."""
    evaluators = _evaluators(study)
    labels = evaluator_labels(evaluators)
    ids = set()
    for name in names:
        labelled = {id_ for id_, label in {**labels, **study.judge_labels}.items() if label == name}
        named = {evaluator.id for evaluator in evaluators if evaluator.name == name}
        chosen = labelled or named
        if not chosen:
            known = ", ".join(sorted(set(labels.values()))) or "none"
            raise UsageError(
                f"no evaluator is called {name!r}", where=str(study.folder), fix=f"evaluators: {known}"
            )
        if len(chosen) > 1:
            options = ", ".join(sorted(repr(labels[id_]) for id_ in chosen))
            raise DataError(
                f"{len(chosen)} evaluators are called {name!r}",
                where=str(study.folder),
                fix=f"name {options}",
            )
        ids |= chosen
    return ids


def _read_values(file: Path) -> list[Recorded]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [from_json(line, where=str(file)) for line in lines]


def _name(file: Path, values: Sequence[Recorded]) -> str:
    """Return the name of the evaluator whose observations a file contains. The file is named by its id."""
    id_ = file.stem.partition("-")[0]
    evaluators = (value.evaluator for value in values if isinstance(value, Observation))
    return next((evaluator.name for evaluator in evaluators if evaluator.id == id_), id_)


def _free_file(folder: Path, evaluator_id: str) -> Path:
    """Return the path of a new file for the observations of an evaluator."""
    taken = len(list((folder / _FOLDER).glob(f"{evaluator_id}-*.jsonl")))
    return folder / _FOLDER / f"{evaluator_id}-{taken + 1}.jsonl"
