"""Where commands write: to new paths, or over their own earlier output. Files of the user are kept.

A command that writes a folder leaves in it a list of its files with their digests. Only files that are listed
and unchanged are replaced. New output is complete before it takes the place of the earlier one.
"""

import ctypes
import hashlib
import os
import platform
import secrets
import shutil
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, ValidationError

from semiosis.files._study_file import STUDY_FILE
from semiosis.files._unfinished import HIDDEN_FOLDER
from semiosis.files._write import atomic_write, write_error
from semiosis.values import UsageError

OUTPUT_LISTING = "semiosis-export.json"
"""The file that lists the files of an output folder."""

ListedDigests = Mapping[str, Collection[str]]
"""The SHA-256 that each file of an output may have, by its path relative to the folder."""
ListingReader = Callable[[bytes], ListedDigests | None]
"""A function that returns what a listing states, or None if it is not a listing of the command."""

_MAX_LISTING_BYTES = 32_000_000
_MAX_ARCHIVE_BYTES = 4_000_000_000
_OVERWRITE = "add --overwrite to replace the files of the same names"
_RENAME_EXCHANGE = 2
"""The flag of `renameat2` on Linux and of `renamex_np` on macOS."""
_AT_FDCWD = -100


class _OutputListing(BaseModel):
    """The content of `semiosis-export.json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: str
    files: dict[str, str]
    """The SHA-256 of each file."""
    replaces: dict[str, str] = {}
    """The SHA-256 of each earlier file, while files are replaced one by one. A killed command leaves both."""


def output_file(target: str | Path, *, overwrite: bool = False) -> Path:
    """Return the path of a file to write, after creating its folder. An existing file needs `overwrite`."""
    file = Path(target)
    _refuse_study(file)
    if file.is_dir():
        raise UsageError("this is a folder", where=str(file), fix="give the name of a file")
    if os.path.lexists(file) and not overwrite:
        raise UsageError(
            "the file exists", where=str(file), fix="choose another name, or add --overwrite to replace it"
        )
    with _translate_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    return file


def output_archive(
    target: str | Path,
    command: str = "",
    *,
    overwrite: bool = False,
    listing: str = OUTPUT_LISTING,
    read: ListingReader | None = None,
) -> Path:
    """Return the path of a zip archive to write. An unchanged archive of the same command may be replaced."""
    is_own = _is_own_archive(Path(target), listing, read or _reader_of(command))
    return output_file(target, overwrite=overwrite or is_own)


@contextmanager
def output_folder(
    target: str | Path,
    command: str = "",
    *,
    overwrite: bool = False,
    listing: str = OUTPUT_LISTING,
    read: ListingReader | None = None,
) -> Iterator[Path]:
    """Yield an empty folder. Its files become the folder `target` if the block ends without an error.

    `target` may be new, empty, or the unchanged output of the same command. If it contains nothing else, the
    folders are exchanged in one step. Otherwise the other files stay, and each file is replaced in one step.
    `overwrite` also replaces files of the same names that are changed or not the command's own. A command
    whose listing has another form writes it itself, and passes its name and a function that reads it.
    """
    folder = Path(target).resolve()
    reader = read or _reader_of(command)
    _earlier_digests(folder, listing, reader, overwrite)  # refuses the target before the work begins
    draft = _draft_path(folder)
    try:
        with _translate_errors(folder):
            draft.mkdir(parents=True)
        yield draft
        with _translate_errors(folder):
            earlier = _earlier_digests(folder, listing, reader, overwrite)  # the work may have taken long
            if read is None:
                _write_listing(draft, _OutputListing(command=command, files=_digests(draft)))
            _publish(draft, folder, earlier, overwrite, listing)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def listed_files(folder: Path) -> list[str]:
    """Return the names of the files that a command wrote into a folder, the listing included."""
    listing = _OutputListing.model_validate_json((folder / OUTPUT_LISTING).read_bytes())
    return sorted((*listing.files, OUTPUT_LISTING))


@contextmanager
def _translate_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise write_error(error, folder) from error


def _refuse_study(path: Path) -> None:
    """Refuse a path in a study folder, whose files are the record."""
    for folder in path.resolve().parents:
        if (folder / STUDY_FILE).is_file():
            raise UsageError(
                f"the folder {folder.name!r} is a study, and output does not belong in its record",
                where=str(path),
                fix="choose a path outside the study",
            )


def _reader_of(command: str) -> ListingReader:
    def read(blob: bytes) -> ListedDigests | None:
        try:
            listing = _OutputListing.model_validate_json(blob)
        except (ValidationError, RecursionError):
            return None
        if listing.command != command:
            return None
        names = {*listing.files, *listing.replaces}
        return {name: {listing.files.get(name, ""), listing.replaces.get(name, "")} for name in names}

    return read


def _write_listing(folder: Path, listing: _OutputListing) -> None:
    text = listing.model_dump_json(indent=1, exclude_defaults=True)
    atomic_write(folder / OUTPUT_LISTING, f"{text}\n")


def _earlier_digests(folder: Path, listing: str, read: ListingReader, overwrite: bool) -> dict[str, str]:
    """Return the unchanged files of an earlier output, with its listing. Refuse a folder of other files."""
    _refuse_study(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is a file", where=str(folder), fix="give a folder")
    if not folder.exists() or not any(folder.iterdir()):
        return {}
    file = folder / listing
    listed = read(_read_bounded(file)) if file.is_file() else None
    if listed is None:
        _refuse_study(folder / listing)  # even to overwrite its files
        if overwrite:
            return {}
        raise UsageError(
            "the folder contains files that this command did not write",
            where=str(folder),
            fix=f"choose another folder, or {_OVERWRITE}",
        )
    present = _digests(folder, listed)
    changed = {name for name, digest in present.items() if digest not in listed[name]}
    if changed and not overwrite:
        raise UsageError(
            f"{min(changed)!r} was changed after the command wrote it",
            where=str(folder),
            fix=f"choose another folder, or {_OVERWRITE}",
        )
    unchanged = {name: digest for name, digest in present.items() if name not in changed}
    return unchanged | _digests(folder, {listing})


def _read_bounded(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(_MAX_LISTING_BYTES)


def _draft_path(folder: Path) -> Path:
    """Return the path of a new folder on the same file system: beside the folder, or in it if need be."""
    name = f".{folder.name}.{os.getpid()}-{secrets.token_hex(4)}.draft"
    is_fixed = os.path.ismount(folder) or (folder.exists() and not os.access(folder.parent, os.W_OK))
    return folder / name if is_fixed else folder.with_name(name)


def _file_names(folder: Path) -> Iterator[str]:
    """Yield the paths of all files and links below a folder. Links are not followed."""
    for parent, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        yield from ((Path(parent) / name).relative_to(folder).as_posix() for name in (*files, *links))


def _digests(folder: Path, names: Collection[str] | None = None) -> dict[str, str]:
    """Return the digests of the files with these names; by default, of all but the cache of a study."""
    digests = {}
    for name in sorted(_file_names(folder)):
        is_output = not name.startswith(f"{HIDDEN_FOLDER}/") if names is None else name in names
        if is_output and not (folder / name).is_symlink():
            with (folder / name).open("rb") as stream:
                digests[name] = hashlib.file_digest(stream, "sha256").hexdigest()
    return digests


def _publish(draft: Path, folder: Path, earlier: Mapping[str, str], overwrite: bool, listing: str) -> None:
    if not folder.exists():
        draft.rename(folder)
        return
    is_beside = draft.parent == folder.parent
    if is_beside and earlier.keys() >= set(_file_names(folder)):
        shutil.copymode(folder, draft)
        _exchange(draft, folder)
        return
    new = _digests(draft)
    _refuse_collisions(folder, new, earlier, overwrite)
    if listing == OUTPUT_LISTING:
        _write_listing(folder, _interim_listing(draft, earlier))
    for name in sorted(new, key=lambda name: name == listing):  # the listing is last
        if earlier.get(name) != new[name]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).replace(folder / name)
    for name in earlier.keys() - new.keys():
        (folder / name).unlink()
        _remove_empty_parents(folder, name)


def _interim_listing(draft: Path, earlier: Mapping[str, str]) -> _OutputListing:
    """Return a listing of new and earlier files. If this command is killed, the next one accepts both."""
    listing = _OutputListing.model_validate_json((draft / OUTPUT_LISTING).read_bytes())
    return listing.model_copy(
        update={"replaces": {name: digest for name, digest in earlier.items() if name != OUTPUT_LISTING}}
    )


def _refuse_collisions(folder: Path, new: Collection[str], earlier: Collection[str], overwrite: bool) -> None:
    """Refuse to replace other files before the first one is replaced."""
    for name in new:
        file = folder / name
        blocked = file.is_dir() or any(
            folder.joinpath(parent).is_file() for parent in PurePosixPath(name).parents
        )
        if blocked or (os.path.lexists(file) and name not in earlier and not overwrite):
            raise UsageError(
                f"{name!r} exists and was not written by this command",
                where=str(folder),
                fix="choose another folder" if blocked else f"choose another folder, or {_OVERWRITE}",
            )


def _remove_empty_parents(folder: Path, name: str) -> None:
    for parent in PurePosixPath(name).parents[:-1]:
        if any((folder / parent).iterdir()):
            return
        (folder / parent).rmdir()


def _exchange(draft: Path, folder: Path) -> None:
    """Exchange two folders, in one step where the system can do that."""
    if _exchange_in_one_step(draft, folder):
        return
    aside = draft.with_suffix(".earlier")
    folder.rename(aside)
    try:
        draft.rename(folder)
    except OSError:
        aside.rename(folder)
        raise
    aside.rename(draft)


def _exchange_in_one_step(first: Path, second: Path) -> bool:
    """Return whether the system exchanged the folders. Python has no function for it."""
    paths = os.fsencode(first), os.fsencode(second)
    if platform.system() not in {"Linux", "Darwin"}:
        return False
    library = ctypes.CDLL(None)
    if hasattr(library, "renameat2"):
        return bool(library.renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0)
    return hasattr(library, "renamex_np") and bool(library.renamex_np(*paths, _RENAME_EXCHANGE) == 0)


def _is_own_archive(file: Path, listing: str, read: ListingReader) -> bool:
    """Return whether an archive contains a listing of the command and exactly the files that it states."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _ends_with_directory(file) and _has_listed_files(archive, listing, read)
    except (OSError, zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError):
        return False


def _ends_with_directory(file: Path) -> bool:
    """Return whether nothing follows the directory of an archive. Its end has 22 bytes without a comment."""
    with file.open("rb") as stream:
        stream.seek(-22, os.SEEK_END)
        return stream.read(4) == b"PK\x05\x06"


def _has_listed_files(archive: zipfile.ZipFile, listing: str, read: ListingReader) -> bool:
    sizes = {member.filename: member.file_size for member in archive.infolist()}
    top = min((name for name in sizes if PurePosixPath(name).name == listing), key=len, default="")
    if not top or sizes[top] > _MAX_LISTING_BYTES or sum(sizes.values()) > _MAX_ARCHIVE_BYTES:
        return False
    listed = read(archive.read(top))
    prefix = top.removesuffix(listing)
    if listed is None or sizes.keys() != {top, *(f"{prefix}{name}" for name in listed)}:
        return False
    return all(_member_digest(archive, f"{prefix}{name}") in digests for name, digests in listed.items())


def _member_digest(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with archive.open(name) as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
