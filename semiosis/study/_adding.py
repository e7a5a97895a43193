"""Adds values to a study once, all or none, and reports what was new."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from semiosis.files import write_error
from semiosis.study._study import Study
from semiosis.values import KINDS, DataError, ImageSign, Recorded, Unscored, to_json

_SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}


@dataclass(frozen=True)
class ImportResult:
    """What an import adds to a study."""

    study: Study
    """The study, with the new values unless it was a dry run."""
    new: tuple[Recorded, ...]
    """Values that the study did not have."""
    known: int
    """Values that the study had already."""
    notes: tuple[str, ...] = ()
    """What a person should know: duplicates, pictures that are read in another form."""

    @property
    def counts(self) -> dict[str, int]:
        """The number of new values of each kind."""
        return dict(Counter(value.kind for value in self.new))


def add_values(
    study: Study,
    values: Iterable[Recorded],
    run: str,
    *,
    notes: Iterable[str] = (),
    link: bool = False,
    dry_run: bool = False,
) -> ImportResult:
    """Append the values that a study lacks. If that fails, the folder is left as it was."""
    wanted = {value.id: value for value in values}
    new = tuple(value for value in wanted.values() if not _has(study, value))
    added = ImportResult(study, new, len(wanted) - len(new), tuple(notes))
    if dry_run or not new:
        return added
    images = [value for value in new if isinstance(value, ImageSign)]
    targets = [_target(study.folder, image) for image in images]
    made = [target for target in targets if not target.exists()]
    try:
        linked = _link(images, targets) if link else {}
        grown = study.add([linked.get(value.id, value) for value in new], run)
    except BaseException:  # Ctrl-C too must leave no pictures without a record
        for target in made:
            target.unlink(missing_ok=True)
        raise
    return ImportResult(grown, new, added.known, added.notes)


def content_text(value: Recorded) -> str:
    """Return what an observation says, as text that can be compared."""
    for name in ("winner", "choice", "value"):
        if hasattr(value, name):
            content = getattr(value, name)
            return content.reason if isinstance(content, Unscored) else str(content)
    return to_json(value.model_copy(update={"path": ""}) if isinstance(value, ImageSign) else value)


def recorded_value(study: Study, value: Recorded) -> Recorded | None:
    """Return the value with the same id in a study."""
    section: Mapping[str, Recorded] = getattr(study, KINDS[value.kind].section)
    return section.get(value.id)


def _has(study: Study, value: Recorded) -> bool:
    earlier = recorded_value(study, value)
    return earlier is not None and content_text(earlier) == content_text(value)


def _target(folder: Path, image: ImageSign) -> Path:
    return folder / "images" / f"{image.id}{_SUFFIX[image.media_type]}"


def _link(images: list[ImageSign], targets: list[Path]) -> dict[str, ImageSign]:
    """Link pictures into the study. Hard links, because a study refuses paths that lead outside."""
    linked = {}
    for image, target in zip(images, targets, strict=True):
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                os.link(image.path, target)
        except OSError as error:
            if error.errno in (1, 18, 95):  # not permitted, another file system, not supported
                fix = "leave out --link to copy the pictures"
                raise DataError(f"cannot link: {error.strerror}", where=image.path, fix=fix) from error
            raise write_error(error, target) from error
        linked[image.id] = image.model_copy(update={"path": f"images/{target.name}"})
    return linked
