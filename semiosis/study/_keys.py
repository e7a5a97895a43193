"""Refuses to publish a study whose record contains a key of a provider or a password."""

from pathlib import Path

from semiosis.ask import contains_key
from semiosis.files import STUDY_FILE, record_files
from semiosis.values import DataError


def require_no_keys(folder: Path) -> None:
    """Raise DataError if a line of the record contains a key. Reports and exports are made to be shared."""
    for file in (folder / STUDY_FILE, *record_files(folder)):
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if contains_key(line):
                    raise DataError(
                        "the text contains a key or a password",
                        where=f"{file}:{number}",
                        fix="remove the value that contains it: semiosis study remove STUDY ID",
                    )
