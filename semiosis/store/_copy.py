"""Copies a study from one store to another, with its images if the target is a folder."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from semiosis.files import STUDY_FILE, StudyFile, create_study, from_folder, is_file, output_file
from semiosis.store._cypher_file import write_cypher_file
from semiosis.store._embedded_store import EmbeddedStore
from semiosis.store._neo4j_store import Neo4jStore
from semiosis.store._open import is_url
from semiosis.store._references import chunks, in_order
from semiosis.values import (
    AnySign,
    DataError,
    ImageSign,
    Recorded,
    UsageError,
    parts_of,
    study_rows,
)

_VALUES_PER_CHUNK = 2_000


def copy_study(
    source: str, target: str, *, study: str = "", images: Path | None = None, mirror: bool = False
) -> int:
    """Copy a study and return the number of its values. Copying it again changes nothing.

    ``study`` chooses one of several studies on a Neo4j server. ``images`` is the folder of the image files if
    the source is Neo4j, which does not store them. ``mirror`` also removes values that the source lacks from
    the target study.
    """
    with _open_store(source) as store:
        name, about, values = _choose_study(store, study)
        if isinstance(store, EmbeddedStore):
            images = store.folder
        if is_url(target):
            return _into_neo4j(values, target, name, about, mirror)
        return _into_folder(values, Path(target), StudyFile(name=name, about=about), images, mirror)


def export_cypher(source: str, file: Path, *, study: str = "", overwrite: bool = False) -> int:
    """Write a study as a `.cypher` file and return the number of its statements."""
    output_file(file, overwrite=overwrite)
    with _open_store(source) as store:
        name, about, values = _choose_study(store, study)
        return write_cypher_file(file, values, name, about)


def _open_store(address: str) -> EmbeddedStore | Neo4jStore:
    return Neo4jStore(address) if is_url(address) else EmbeddedStore(address)


def _choose_study(store: EmbeddedStore | Neo4jStore, study: str) -> tuple[str, str, Iterator[Recorded]]:
    """Return the name of the study to copy, what it is about, and its values."""
    if isinstance(store, EmbeddedStore):
        return study or store.head.name, store.head.about, _check_paths(store.values(), store.folder)
    known = store.studies()
    name = study or (next(iter(known)) if len(known) == 1 else "")
    if name not in known:
        raise UsageError(
            f"the server has no study {name!r}" if name else f"the server has {len(known)} studies, not one",
            where=store.address,
            fix=f"choose one with --study: {', '.join(known)}" if known else "save a study there first",
        )
    return name, known[name], _check_paths(store.values(name), Path(store.address))


def _check_paths(values: Iterator[Recorded], folder: Path) -> Iterator[Recorded]:
    """Yield the values unchanged. An image path that leads outside the study is refused."""
    for value in values:
        from_folder(value, folder)
        yield value


def _into_neo4j(values: Iterator[Recorded], url: str, name: str, about: str, mirror: bool) -> int:
    with Neo4jStore(url) as target:
        copied: set[str] = set()
        for chunk in chunks(in_order(values), _VALUES_PER_CHUNK):
            target.save(*chunk, study=name)
            copied |= {value.id for value in chunk}
        target.merge(study_rows(name, about, []))
        if mirror:
            extra = {value.id for value in target.values(name)} - copied
            target.remove_from_study(name, extra)
        return len(copied)


def _into_folder(
    values: Iterator[Recorded], folder: Path, head: StudyFile, images: Path | None, mirror: bool
) -> int:
    if not (folder / STUDY_FILE).exists():
        _refuse_files(folder)
        create_study(folder, head)
    with EmbeddedStore(folder) as target:
        copied: set[str] = set()
        for chunk in chunks(in_order(values), _VALUES_PER_CHUNK):
            for value in chunk:
                _copy_images(value, folder, images)
            target.save(*chunk)
            copied |= {value.id for value in chunk}
        if mirror:
            extra = {value.id for value in target.values()} - copied
            target.remove(*extra)
        return len(copied)


def _refuse_files(folder: Path) -> None:
    """Refuse to make a study of a folder with other files, one of which may have the name of a record."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            "this folder is not empty and is no study", where=str(folder), fix="choose another folder"
        )


def _copy_images(value: Recorded, folder: Path, images: Path | None) -> None:
    """Copy the images of a sign to the paths in its record."""
    for part in _images(value):
        if is_file(folder / part.path):
            continue
        file = Path(from_folder(part, images or folder).path)
        if not is_file(file):
            raise DataError(
                f"the image {part.path!r} is missing",
                where=str(images or folder),
                fix="name the folder that contains it: --images FOLDER",
            )
        target = Path(from_folder(part, folder).path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)


def _images(value: Recorded) -> Iterable[ImageSign]:
    signs = parts_of(value) if isinstance(value, AnySign) else ()
    return (part for part in signs if isinstance(part, ImageSign) and part.path)
