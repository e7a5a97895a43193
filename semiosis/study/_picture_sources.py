"""Finds the tables and the folders among the sources of an import of pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from semiosis.study._table import TABLES
from semiosis.values import UsageError

METADATA = ("metadata.csv", "metadata.jsonl")
"""The tables of a Hugging Face ImageFolder."""


@dataclass(frozen=True)
class PictureSources:
    """The tables and the folders of an import."""

    tables: dict[Path, str]
    """Each table with the folder of its split, such as `train/`; empty if there is one table."""
    folders: list[Path]
    metadata: bool
    """Whether the tables are those of an image folder, which always name files."""


def picture_sources(sources: Sequence[str | Path]) -> PictureSources:
    """Return the tables and the folders of pictures among the sources."""
    paths = [Path(source) for source in sources]
    folders = [path for path in paths if path.is_dir()]
    tables = [path for path in paths if path not in folders]
    for path in tables:
        _check_table(path)
    if len(tables) > 1:
        raise _several(tables)
    if tables:
        return PictureSources({tables[0]: ""}, folders, metadata=False)
    splits = {table: split for folder in folders for table, split in _metadata(folder).items()}
    if not splits:
        raise UsageError(
            "there is no table of prompts",
            fix="run: semiosis study add STUDY prompts.csv images/, or give a folder with metadata.csv",
        )
    if len({table.parent for table in splits}) < len(splits) or (len(folders) > 1 and len(splits) > 1):
        raise _several(list(splits))
    return PictureSources(splits if len(splits) > 1 else dict.fromkeys(splits, ""), folders, metadata=True)


def _check_table(path: Path) -> None:
    if not path.exists():
        raise UsageError("there is no such file or folder", where=str(path), fix="check the path")
    if path.suffix.lower() not in TABLES:
        raise UsageError(
            "this is neither a folder nor a table",
            where=str(path),
            fix=f"give a table that ends in {', '.join(TABLES)}",
        )


def _several(tables: Sequence[Path]) -> UsageError:
    return UsageError(
        f"there are {len(tables)} tables: {', '.join(map(str, tables))}", fix="add one table at a time"
    )


def _metadata(folder: Path) -> dict[Path, str]:
    """Return the tables of an image folder, with their splits: its own, or else those of folders in it."""
    own = [folder / name for name in METADATA if (folder / name).is_file()]
    found = own or sorted(table for name in METADATA for table in folder.rglob(name))
    places = {table: table.parent.relative_to(folder) for table in found}
    return {
        table: "" if place == Path() else f"{place.as_posix()}/"
        for table, place in places.items()
        if not any(part.startswith(".") for part in place.parts)
    }
