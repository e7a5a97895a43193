"""Copies a study from one store to another, and pictures along with it where both are folders."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from semiosis.files import StudyFile, create_study, from_folder
from semiosis.store._cypher_file import write_cypher_file
from semiosis.store._embedded import EmbeddedStore
from semiosis.store._graph import study_rows
from semiosis.store._neo4j import Neo4jStore
from semiosis.store._open import is_url
from semiosis.store._order import in_order, pieces
from semiosis.values import (
    CompositeSign,
    DataError,
    ImageSign,
    Recorded,
    TextSign,
    UsageError,
    parts_of,
)

Sign = TextSign | ImageSign | CompositeSign
_AT_ONCE = 2_000


def copy_study(source: str, target: str, *, study: str = "", images: Path | None = None) -> int:
    """Copy a study and give the number of its values; a second copy changes nothing.

    ``study`` chooses one of several in a Neo4j; ``images`` is the folder its pictures lie in when the source
    is a Neo4j, which keeps words only.
    """
    with _opened(source) as origin:
        name, about, values = _study(origin, study)
        if isinstance(origin, EmbeddedStore):
            images = origin.folder
        if is_url(target):
            return _into_neo4j(values, target, name, about)
        return _into_folder(values, Path(target), StudyFile(name=name, about=about), images)


def export_cypher(source: str, file: Path, *, study: str = "") -> int:
    """Write a study as a `.cypher` file and give the number of its statements."""
    with _opened(source) as origin:
        name, about, values = _study(origin, study)
        return write_cypher_file(file, values, name, about)


def _opened(address: str) -> EmbeddedStore | Neo4jStore:
    return Neo4jStore(address) if is_url(address) else EmbeddedStore(address)


def _study(origin: EmbeddedStore | Neo4jStore, study: str) -> tuple[str, str, Iterator[Recorded]]:
    """The name of the study to copy, what it is about, and its values."""
    if isinstance(origin, EmbeddedStore):
        return study or origin.head.name, origin.head.about, _inside(origin.values(), origin.folder)
    known = origin.studies()
    name = study or (next(iter(known)) if len(known) == 1 else "")
    if name not in known:
        raise UsageError(
            f"no study {name!r} in this Neo4j" if name else "this Neo4j does not hold exactly one study",
            where=origin.address,
            fix=f"choose one with --study: {', '.join(known) or 'there is none'}",
        )
    return name, known[name], _inside(origin.values(name), Path(origin.address))


def _inside(values: Iterator[Recorded], home: Path) -> Iterator[Recorded]:
    """Yield the values unchanged. An image path that leads outside the study is refused."""
    for value in values:
        from_folder(value, home)
        yield value


def _into_neo4j(values: Iterator[Recorded], url: str, name: str, about: str) -> int:
    with Neo4jStore(url) as target:
        count = 0
        for piece in pieces(in_order(values), _AT_ONCE):
            target.save(*piece, study=name)
            count += len(piece)
        target.merge(study_rows(name, about, []))
        return count


def _into_folder(values: Iterator[Recorded], folder: Path, head: StudyFile, images: Path | None) -> int:
    if not folder.exists():
        create_study(folder, head)
    with EmbeddedStore(folder) as target:
        count = 0
        for piece in pieces(in_order(values), _AT_ONCE):
            for value in piece:
                _bring_pictures(value, folder, images)
            target.save(*piece)
            count += len(piece)
        return count


def _bring_pictures(value: Recorded, folder: Path, images: Path | None) -> None:
    """Put the pictures of a sign where its record says they are."""
    for part in _pictures(value):
        if (folder / part.path).is_file():
            continue
        file = Path(from_folder(part, images or folder).path)
        if not file.is_file():
            raise DataError(
                f"the picture {part.path!r} is not there",
                where=str(images or folder),
                fix="name the folder the pictures lie in: --images FOLDER",
            )
        target = Path(from_folder(part, folder).path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)


def _pictures(value: Recorded) -> Iterable[ImageSign]:
    signs = parts_of(value) if isinstance(value, Sign) else ()
    return (part for part in signs if isinstance(part, ImageSign) and part.path)
