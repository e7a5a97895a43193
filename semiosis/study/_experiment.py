"""Experiment files, which list the judges, models, repeats and ablations of an experiment.

An experiment file belongs to the user. It names models and settings; it cannot contain keys or endpoints.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, ValidationError

from semiosis.ask import STRUCTURED, Model, hide_keys_in
from semiosis.files import MAX_TOML_BYTES, parse_toml, read_bytes, resolve_path
from semiosis.study._registry import find_judging_entry
from semiosis.values import DataError, Detail, Primitive, UsageError, Value, format_error

HSGSetting = Literal["none", "root-only", "standard", "complex"]
"""The HSGs that a judge of an ablation sees."""

_SECRET_NAME = re.compile(r"key|token(?!s)|secret|password|credential", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"\b(sk|pk|key|hf|ghp|xai|gsk|AIza)[-_]?[A-Za-z0-9_-]{16,}|\bBearer +\S{8,}|\beyJ[\w-]{10,}\.[\w-]+"
)
_ENDPOINT_NAME = re.compile(r"url|endpoint|host", re.IGNORECASE)


class ModelEntry(Value):
    """A model of an experiment, with its settings."""

    name: str
    """The full name, such as `anthropic/claude-sonnet-5`."""
    temperature: StrictFloat | None = None
    """The temperature of every call; the provider's default if it is left out."""
    max_tokens: StrictInt | None = Field(default=None, ge=1)
    """The maximum length of an answer in tokens; the provider's default if it is left out."""
    structured: str = ""
    """How the schema reaches the model: tools, schema or native; the provider's default if empty."""


class JudgeEntry(Value):
    """A judge of an experiment; several if it lists several models."""

    judge: str
    """A name that `semiosis run --list` shows."""
    model: str | tuple[str, ...] = ()
    """The model or models that judge, by full name or by a name from `models`."""
    builder: str = ""
    """Another model that reads; empty for the model that judges. A judge that uses existing readings, such as
    `align`, uses the blind readings of this model, and the experiment makes those that the study lacks."""
    detail: Detail = "standard"
    """The level of detail of the readings."""
    repeats: StrictInt | None = Field(default=None, ge=1)
    """How often everything is asked; the experiment's number if it is left out."""


class AblationEntry(Value):
    """A row of the ablation."""

    hsg: HSGSetting
    """Which HSGs the judge sees."""
    model: str | tuple[str, ...]
    """The model or models that judge."""
    builder: str = ""
    """Another model that reads; empty for the model that judges."""
    repeats: StrictInt | None = Field(default=None, ge=1)
    """How often everything is asked; the experiment's number if it is left out."""
    preset: Literal["", "published"] = ""
    """`published` for the form of published rows: pictures in one call, one order, three repeats."""


class ExperimentFile(Value):
    """The content of an experiment file."""

    title: str = ""
    """The title of the tables."""
    reference: tuple[str, ...] = ()
    """The evaluators whose majority is the reference; empty for the people of the study."""
    crowd: tuple[str, ...] = ()
    """Annotators whose agreement filters the comparisons."""
    repeats: StrictInt | None = Field(default=None, ge=1)
    """How often every judge asks; each judge's default if it is left out."""
    questions: StrictBool = True
    """Whether models also answer the study's questions."""
    seed: StrictInt = 0
    """The seed of the intervals."""
    resamples: StrictInt = Field(default=2_000, ge=0)
    """The number of resamples; 0 for no intervals."""
    scales: tuple[str, str, str] = ("iconicity", "indexicality", "symbolism")
    """The names of the three scales on which signs are rated."""
    models: dict[str, str | ModelEntry] = Field(default_factory=dict)
    """Short names for models, with their settings."""
    judges: tuple[JudgeEntry, ...] = ()
    """The judges of the first two tables."""
    ablation: tuple[AblationEntry, ...] = ()
    """The rows of the third table."""


@dataclass(frozen=True)
class ExperimentRow:
    """One judge of an experiment, with its settings."""

    judge: str
    """The name in the registry."""
    model: Model | None = None
    """The model that judges."""
    builder: Model | None = None
    """The model that reads; None for the model that judges."""
    detail: Detail = "standard"
    """The level of detail of the readings."""
    repeats: int | None = None
    """How often everything is asked."""
    hsg: HSGSetting | None = None
    """Which HSGs the judge sees, for a row of the ablation."""

    @property
    def reader(self) -> Model | None:
        """The model whose blind readings are shown with questions; None if questions show no HSG."""
        shows_reading = find_judging_entry(self.judge).questions == "reading"
        return self.builder or self.model if shows_reading else None


_ABLATED: dict[HSGSetting, tuple[str, Detail]] = {
    "none": ("direct", "standard"),
    "root-only": ("root-only", "standard"),
    "standard": ("semjudge", "standard"),
    "complex": ("semjudge", "complex"),
}
"""The judge and the level of detail for each row of the ablation."""
_PUBLISHED = {"direct": "direct:published", "semjudge": "semjudge:published"}
"""The judges whose verdicts stand beside published rows."""


def read_experiment(path: str | Path, study: str | Path = "") -> ExperimentFile:
    """Return the content of an experiment file. A file inside the study, or with a key, is refused."""
    file = Path(path)
    if study and resolve_path(file).is_relative_to(resolve_path(Path(study))):
        raise UsageError(
            "the experiment file is inside the study",
            where=str(file),
            fix="move it to another folder: a study may come from others, and an experiment causes costs",
        )
    text = read_bytes(file, MAX_TOML_BYTES, "the experiment file").decode("utf-8-sig", errors="replace")
    content = parse_toml(text, str(file))
    _refuse_secrets(text, content, file)
    try:
        found = ExperimentFile.model_validate_json(json.dumps(content, default=str))
    except ValidationError as error:
        raise DataError(
            format_error(error), where=str(file), fix="docs/getting-data-in.md describes the fields"
        ) from error
    models = [entry if isinstance(entry, str) else entry.name for entry in found.models.values()]
    if any("://" in name for name in (*models, *_model_names(found), *(each.judge for each in found.judges))):
        raise _endpoint_error(file)
    return found


def experiment_rows(file: ExperimentFile, endpoints: Mapping[str, str]) -> list[ExperimentRow]:
    """Return every judge of an experiment, those of the ablation last.

    `endpoints` has the base URL of a model by its full name. It comes from the user, never from a file.
    """
    known = {_model(file, name, endpoints).full_name for name in _model_names(file)}
    if unknown := set(endpoints) - known:
        raise UsageError(
            f"--base-url names {min(unknown)!r}, which the experiment does not use",
            fix=f"models: {', '.join(sorted(known)) or 'none'}",
        )
    for judge in file.judges:
        _check_judge(judge)
    rows = [
        _row(file, endpoints, name, entry, entry.judge, entry.detail)
        for entry in file.judges
        for name in _models_of(entry.model) or [""]
    ]
    rows += [
        _row(file, endpoints, name, entry, *_ablated(entry), entry.hsg)
        for entry in file.ablation
        for name in _models_of(entry.model)
    ]
    if not rows:
        raise UsageError("the experiment names no judge", fix="add [[judges]] or [[ablation]]")
    return rows


def _row(
    file: ExperimentFile,
    endpoints: Mapping[str, str],
    model: str,
    entry: JudgeEntry | AblationEntry,
    judge: str,
    detail: Detail,
    hsg: HSGSetting | None = None,
) -> ExperimentRow:
    judging = _model(file, model, endpoints) if model else None
    reads = _model(file, entry.builder, endpoints) if entry.builder and _reads(judge) else None
    builder = None if reads == judging and not _uses_readings(judge) else reads
    own_repeats = judge in _PUBLISHED.values()  # the published form is asked three times
    repeats = entry.repeats or (None if own_repeats else file.repeats)
    return ExperimentRow(judge, judging, builder, detail, repeats, hsg)


def _ablated(entry: AblationEntry) -> tuple[str, Detail]:
    """Return the judge and the level of detail of a row of the ablation."""
    judge, detail = _ABLATED[entry.hsg]
    if not entry.preset:
        return judge, detail
    if judge not in _PUBLISHED:
        raise UsageError(
            f"an ablation with hsg = {entry.hsg!r} has no published form", fix='remove preset = "published"'
        )
    return _PUBLISHED[judge], detail


def _check_judge(entry: JudgeEntry) -> None:
    asks = find_judging_entry(entry.judge).asks_for_model(entry.judge)
    if asks != bool(entry.model):
        problem = "needs a model" if asks else "takes no model"
        raise UsageError(f"the judge {entry.judge!r} {problem}", fix="see semiosis run --list")


def _reads(judge: str) -> bool:
    """Return whether a judge sees readings, so that another model can build them."""
    return find_judging_entry(judge).questions != "picture"


def _uses_readings(judge: str) -> bool:
    """Return whether a judge uses the readings that a study has, and makes none."""
    return "readings" in find_judging_entry(judge).needs


def _models_of(model: str | tuple[str, ...]) -> list[str]:
    return [model] if isinstance(model, str) else list(model)


def _model_names(file: ExperimentFile) -> list[str]:
    entries: list[JudgeEntry | AblationEntry] = [*file.judges, *file.ablation]
    return [name for entry in entries for name in (*_models_of(entry.model), entry.builder) if name]


def _model(file: ExperimentFile, name: str, endpoints: Mapping[str, str]) -> Model:
    """Return a model by its short or full name."""
    entry = file.models.get(name, name)
    if isinstance(entry, str):
        entry = ModelEntry(name=entry)
    if "/" not in entry.name:
        known = ", ".join(file.models) or "none"
        raise UsageError(
            f"there is no model {name!r}; models: {known}", fix="write provider/model, or add it to [models]"
        )
    settings: dict[str, Primitive] = {}
    if entry.temperature is not None:
        settings["temperature"] = entry.temperature
    if entry.max_tokens is not None:
        settings["max_tokens"] = entry.max_tokens
    structured = next((form for form in STRUCTURED if form == entry.structured), None)
    if entry.structured and structured is None:
        raise UsageError(
            f"the model {name!r} has the unknown setting structured = {entry.structured!r}",
            fix=f"choose {', '.join(STRUCTURED)}",
        )
    return Model(entry.name, endpoints.get(entry.name, ""), settings, structured)


def _refuse_secrets(text: str, content: object, file: Path) -> None:
    """Raise if the file has a field for a key or an endpoint, or a value that is a key."""
    names = set(_field_names(content))
    if (
        hide_keys_in(text.encode()) != text.encode()
        or _SECRET_VALUE.search(text)
        or any(map(_SECRET_NAME.search, names))
    ):
        raise DataError(
            "an experiment file cannot contain keys",
            where=str(file),
            fix="remove it, and set ANTHROPIC_API_KEY, OPENAI_API_KEY or SEMIOSIS_API_KEY in the environment",
        )
    if any(map(_ENDPOINT_NAME.search, names)):
        raise _endpoint_error(file)


def _endpoint_error(file: Path) -> DataError:
    return DataError(
        "an experiment file cannot name an endpoint",
        where=str(file),
        fix="remove it, and add --base-url PROVIDER/MODEL=URL to the command",
    )


def _field_names(content: object) -> list[str]:
    if isinstance(content, dict):
        return [*content, *(name for value in content.values() for name in _field_names(value))]
    if isinstance(content, list):
        return [name for value in content for name in _field_names(value)]
    return []
