"""`study.toml`: what a study is called and what it is about."""

import json
import secrets
import shutil
import tomllib
from pathlib import Path

from pydantic import Field, ValidationError

from semiosis.files._write import atomic_write, write_error
from semiosis.values import DataError, Value, format_error

STUDY_FILE = "study.toml"


class StudyFile(Value):
    """The head of a study. It holds words only: no endpoint, key, model path or template can stand in it."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    """Short name; the id of the study's node in the graph."""
    version: int = Field(default=1, ge=1, le=1)
    """Version of the folder's layout."""
    title: str = ""
    """Name for people."""
    about: str = ""
    """What the study is about, in a paragraph."""
    licence: str = ""
    """Under which terms its content may be used."""
    language: str = Field(default="", pattern=r"^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$")
    """The language of its graphs and rationales, as a BCP 47 tag; empty for English."""


def read_study_file(folder: Path) -> StudyFile:
    """The head of the study in this folder."""
    file = folder / STUDY_FILE
    try:
        return StudyFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise DataError(
            "this folder is not a study", where=str(folder), fix=f"run: semiosis study new {folder}"
        ) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=str(file), fix="restore the file") from error
    except ValidationError as error:
        raise DataError(
            format_error(error),
            where=str(file),
            fix="a study file holds name, title, about, licence and language",
        ) from error


def create_study(folder: Path, head: StudyFile) -> None:
    """Create a study folder, unless another process creates it first.

    The folder is renamed into place with its study file in it, so no process ever sees it without one.
    """
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.draft")
    try:
        write_study_file(draft, head)
        draft.rename(folder)
    except OSError:  # the folder exists: another process was faster, or it holds only other files
        if not (folder / STUDY_FILE).exists():
            write_study_file(folder, head)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_study_file(folder: Path, head: StudyFile) -> None:
    """Make the folder a study, unless it is one already."""
    # TOML spells strings as JSON does, but for the one control character that JSON leaves as it is.
    spelled = {field: json.dumps(value, ensure_ascii=False) for field, value in head if value != ""}
    lines = [f"{field} = {value}".replace("\x7f", "\\u007f") for field, value in spelled.items()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(error, folder) from error
    atomic_write(folder / STUDY_FILE, "\n".join(lines) + "\n")
