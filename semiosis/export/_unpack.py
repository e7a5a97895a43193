"""Unpacks bundles of unknown origin. Nothing is unpacked before the whole bundle is checked."""

import os
import re
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from semiosis.values import DataError, UsageError

MAX_FILES = 100_000
"""The maximum number of files in a bundle."""
MAX_BUNDLE_BYTES = 4_000_000_000
"""The maximum size of a bundle."""
MAX_MANIFEST_BYTES = 32_000_000
"""The maximum size of a manifest."""
MANIFEST = "manifest.json"

_NAME = re.compile(r"[^\x00-\x1f\x7f\\:]{1,200}")


def refusal(what: str, bundle: Path, fix: str = "get a new copy of the bundle") -> DataError:
    """Return the error for a bundle that is refused."""
    return DataError(what, where=str(bundle), fix=f"{fix}; nothing was unpacked")


def unpack(bundle: Path, folder: Path) -> None:
    """Copy a bundle, a folder or a zip archive, into a new folder. Raises DataError for an unsafe bundle."""
    if bundle.is_dir():
        _copy_folder(bundle, folder)
        return
    if not bundle.is_file():
        raise UsageError("there is no such bundle", where=str(bundle), fix="give a folder or a .zip file")
    try:
        with zipfile.ZipFile(bundle) as archive:
            _refuse_unsafe(archive, bundle)
            for member in archive.infolist():
                _write(folder, member.filename, _read_member(archive, member, bundle))
    except (zipfile.BadZipFile, NotImplementedError, EOFError, UnicodeDecodeError, ValueError) as error:
        raise refusal(f"the archive cannot be read: {error}", bundle) from error


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, bundle: Path) -> bytes:
    # The archive's checksum is not checked, because the hash in the manifest shows which file was changed.
    with archive.open(member) as stream:
        stream._expected_crc = None  # type: ignore[attr-defined]  # zipfile has no public option for this
        blob = stream.read(member.file_size + 1)
    if len(blob) != member.file_size:
        raise refusal(f"the file {member.filename!r} is incomplete", bundle)
    return blob


def _write(folder: Path, name: str, blob: bytes) -> None:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(blob)


def _refuse_unsafe(archive: zipfile.ZipFile, bundle: Path) -> None:
    members = archive.infolist()
    _refuse_names([member.filename for member in members], bundle)
    for member in members:
        if what := _unsafe_member(member):
            raise refusal(f"the bundle has {what}: {member.filename[:200]!r}", bundle)
    _refuse_sizes({member.filename: member.file_size for member in members}, bundle)
    if sum(member.file_size for member in members) > bundle.stat().st_size:
        raise refusal("the files in the archive are larger than the archive", bundle)


def _refuse_names(names: list[str], bundle: Path) -> None:
    if len(names) > MAX_FILES:
        raise refusal(f"the bundle has {len(names):,} files; the limit is {MAX_FILES:,}", bundle)
    for name in names:
        path = PurePosixPath(name)
        if not _NAME.fullmatch(name) or path.is_absolute() or ".." in path.parts or str(path) != name:
            raise refusal(
                f"the bundle has a file outside its folder or with a bad name: {name[:200]!r}", bundle
            )
    if len({name.casefold() for name in names}) < len(names):
        raise refusal("the bundle has two files with the same name", bundle)
    if MANIFEST not in names:
        raise refusal(f"the bundle has no {MANIFEST}", bundle)


def _unsafe_member(member: zipfile.ZipInfo) -> str:
    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
        return "a link or something else that is not a file"
    if member.flag_bits & 1:
        return "an encrypted file"
    if member.compress_type != zipfile.ZIP_STORED or member.compress_size != member.file_size:
        return "a compressed file, which could unpack to any size"
    return ""


def _refuse_sizes(sizes: dict[str, int], bundle: Path) -> None:
    if sum(sizes.values()) > MAX_BUNDLE_BYTES:
        raise refusal(f"the bundle is larger than {MAX_BUNDLE_BYTES:,} bytes", bundle)
    if sizes[MANIFEST] > MAX_MANIFEST_BYTES:
        raise refusal(f"{MANIFEST} is larger than {MAX_MANIFEST_BYTES:,} bytes", bundle)


def _copy_folder(bundle: Path, folder: Path) -> None:
    sizes = dict(_folder_files(bundle))
    _refuse_names(list(sizes), bundle)
    _refuse_sizes(sizes, bundle)
    for name, size in sizes.items():
        # O_NOFOLLOW: a link that has replaced the file since the check is not followed.
        with os.fdopen(os.open(bundle / name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as stream:
            _write(folder, name, stream.read(size + 1))


def _folder_files(bundle: Path) -> Iterator[tuple[str, int]]:
    for parent, folders, files in os.walk(bundle):
        for name in (*folders, *files):
            found = Path(parent) / name
            about = found.lstat()
            inside = found.relative_to(bundle).as_posix()
            if stat.S_ISDIR(about.st_mode):
                continue
            if not stat.S_ISREG(about.st_mode):
                raise refusal(
                    f"the bundle has a link or something else that is not a file: {inside!r}", bundle
                )
            if about.st_nlink > 1:
                raise refusal(
                    f"the bundle has a hard link: {inside!r}", bundle, fix="verify a copy of it (cp -r)"
                )
            yield inside, about.st_size
