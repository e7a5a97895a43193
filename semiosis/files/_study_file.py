"""`study.toml`: the name and description of a study."""

import json
import secrets
import shutil
from pathlib import Path

from pydantic import Field, StrictInt, ValidationError

from semiosis.files._read import MAX_TOML_BYTES, parse_toml, read_text
from semiosis.files._write import atomic_write, write_error
from semiosis.values import DataError, Text, UsageError, Value, format_error

STUDY_FILE = "study.toml"
"""The name of the file that describes a study."""


class StudyFile(Value):
    """The description of a study. It cannot name an endpoint, a key, a model path or a template."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    """The short name. It is also the id of the study's node in the graph."""
    version: StrictInt = Field(default=1, ge=1, le=1)
    """The version of the folder layout."""
    title: Text = ""
    """A human-readable title."""
    about: Text = ""
    """What the study is about, in a paragraph."""
    licence: Text = ""
    """The licence of its content."""
    language: str = Field(default="", pattern=r"^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$")
    """The language of its graphs and rationales, as a BCP 47 tag; empty for English."""


def read_study_file(folder: Path) -> StudyFile:
    """Return the description of the study in this folder."""
    file = folder / STUDY_FILE
    if not folder.exists():
        raise UsageError("there is no such folder", where=str(folder), fix="correct the path of the study")
    if not file.exists():
        raise DataError(
            "this folder is not a study", where=str(folder), fix=f"run: semiosis study new {folder}"
        )
    try:
        return StudyFile.model_validate(parse_toml(read_text(file, MAX_TOML_BYTES), str(file)))
    except DataError as error:
        raise DataError(error.what, where=str(file), fix="restore the file") from error
    except ValidationError as error:
        raise DataError(
            format_error(error),
            where=str(file),
            fix="a study file may have name, title, about, licence and language",
        ) from error


def create_study(folder: Path, head: StudyFile) -> None:
    """Create a study folder, unless another process creates it first.

    A folder that already contains the study file is renamed into place, so no process sees it without one.
    """
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.draft")
    try:
        write_study_file(draft, head)
        draft.rename(folder)
    except OSError:  # the folder exists: another process created it, or it contains other files
        if not (folder / STUDY_FILE).exists():
            write_study_file(folder, head)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_study_file(folder: Path, head: StudyFile) -> None:
    """Write the study file, and create the folder if it is missing."""
    # A JSON string is a TOML string, except for one control character that JSON does not escape.
    spelled = {field: json.dumps(value, ensure_ascii=False) for field, value in head if value != ""}
    lines = [f"{field} = {value}".replace("\x7f", "\\u007f") for field, value in spelled.items()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(error, folder) from error
    atomic_write(folder / STUDY_FILE, "\n".join(lines) + "\n")
