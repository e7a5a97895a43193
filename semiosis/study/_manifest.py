"""Manifests: one file per run in the folder `runs`, with its settings, evaluators, times and costs."""

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, ValidationError

from semiosis.ask import Asker
from semiosis.files import atomic_write, read_bytes
from semiosis.study._settings import EvaluatorSettings
from semiosis.values import DataError, Detail, Interpreter, Text, Value, format_error

RUNS_FOLDER = "runs"
"""The folder of a study that has the manifests."""

_MAX_BYTES = 1 << 20
_NAME = re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}\.json")


class PlannedEvaluator(NamedTuple):
    """An evaluator that a plan names, with the settings that make it again."""

    identity: str
    """What its results state: the id of an evaluator, or the conditions of a reading or an alignment."""
    name: str
    """Its name in tables."""
    settings: EvaluatorSettings | None = None
    """The settings; None for an evaluator that was not made by the registry."""


class ManifestEvaluator(Value):
    """An evaluator of a run."""

    identity: Text
    """What its results state: the id of an evaluator, or the conditions of a reading or an alignment."""
    name: Text
    """Its name in tables."""
    settings: EvaluatorSettings | None = None
    """The settings that make it again; None for an evaluator that was not made by the registry."""


class RunManifest(Value):
    """What one run did, with which settings, and when."""

    run: Text
    """The name of the run in the record."""
    evaluators: tuple[ManifestEvaluator, ...] = ()
    """The evaluators that did the work."""
    planned: int = Field(ge=0)
    """The number of results that the run was to give."""
    scored: int = Field(default=0, ge=0)
    """The number of results with a value."""
    unscored: dict[str, int] = Field(default={})
    """The number of results without a value, by reason."""
    started: datetime
    """When the run started."""
    ended: datetime | None = None
    """When it ended; None if it is still running or was killed."""
    completed: bool = False
    """Whether it gave all results; False after an error, Ctrl-C or a kill."""
    calls: int = Field(default=0, ge=0)
    """The number of calls to models that this run paid for."""
    cost: float | None = None
    """The cost of these calls in US dollars; None if it is not known."""


def reading_identity(interpreter: Interpreter, detail: Detail, repeat: int, language: str, view: str) -> str:
    """Return the identity of a reader under these conditions, whichever version of the model was served."""
    requested = interpreter.model_copy(update={"served": ""})
    text = "\n".join((requested.model_dump_json(), detail, str(repeat), language, view))
    return f"reading {hashlib.sha256(text.encode()).hexdigest()[:20]}"


def alignment_identity(procedure: str, condition: str, repeat: int) -> str:
    """Return the identity of an aligner of blind or given readings."""
    return f"alignment {procedure}, {condition}, repeat {repeat}"


class RunLog:
    """Writes the manifest of one run when it starts, and again when it ends."""

    def __init__(
        self,
        folder: Path,
        run: str,
        evaluators: tuple[PlannedEvaluator, ...],
        planned: int,
        asker: Asker | None,
    ) -> None:
        self.completed = False
        self._asker = asker
        self._states = Counter[str]()
        self._file: Path | None = None
        self._folder = folder / RUNS_FOLDER
        self._before = asker.budget.spent if asker else None
        described = tuple(ManifestEvaluator(**evaluator._asdict()) for evaluator in evaluators)
        started = datetime.now(UTC).replace(microsecond=0)
        self._manifest = RunManifest(run=run, evaluators=described, planned=planned, started=started)

    def start(self) -> None:
        """Write the manifest."""
        stamp = f"{self._manifest.started:%Y%m%dT%H%M%S}"
        if self._folder.is_symlink():  # a study by others could make this run write elsewhere
            raise DataError(
                "the folder of the manifests is a link", where=str(self._folder), fix="remove the link"
            )
        self._folder.mkdir(exist_ok=True)
        self._file = self._folder / f"{stamp}-{secrets.token_hex(3)}.json"
        self._write(self._manifest)

    def count(self, reason: str) -> None:
        """Count a result by the reason why it is unscored; the reason is empty if it is scored."""
        self._states[reason] += 1

    def end(self) -> None:
        """Write the manifest again, with the results, the end and the cost."""
        if self._file is None:
            return
        unscored = {reason: n for reason, n in sorted(self._states.items()) if reason}
        update = {
            "scored": self._states[""],
            "unscored": unscored,
            "ended": datetime.now(UTC).replace(microsecond=0),
            "completed": self.completed,
            **self._spent(),
        }
        self._write(self._manifest.model_copy(update=update))

    def _spent(self) -> dict[str, float | int | None]:
        if self._asker is None or self._before is None:
            return {"cost": 0.0}
        before, after = self._before, self._asker.budget.spent
        cost = None if after.cost is None else round(after.cost - (before.cost or 0.0), 6)
        return {"calls": after.calls - before.calls, "cost": cost}

    def _write(self, manifest: RunManifest) -> None:
        if self._file is not None:
            atomic_write(self._file, manifest.model_dump_json(indent=1) + "\n")


def read_manifests(folder: Path) -> Iterator[RunManifest]:
    """Yield the manifests of a study, the latest run first."""
    files = [file for file in (folder / RUNS_FOLDER).glob("*.json") if _NAME.fullmatch(file.name)]
    for file in sorted(files, reverse=True):
        try:
            yield RunManifest.model_validate_json(read_bytes(file, _MAX_BYTES, "the manifest"))
        except ValidationError as error:
            raise DataError(
                format_error(error), where=str(file), fix="delete the file; it is needed only for estimates"
            ) from error
