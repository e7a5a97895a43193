"""Adds values to a study, all of them or none, and reports which are new."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from semiosis.study._study import Study
from semiosis.values import KINDS, CompositeSign, ImageSign, Recorded, TextSign, Unscored, brief_repr, to_json


@dataclass(frozen=True)
class ImportResult:
    """What an import adds to a study."""

    __repr__ = brief_repr

    study: Study
    """The study, with the new values unless it was a dry run."""
    new: tuple[Recorded, ...]
    """Values that the study did not have."""
    known: int
    """Values that the study already had."""
    notes: tuple[str, ...] = ()
    """Notes for the user: duplicates, changes, columns that are not used."""

    @property
    def counts(self) -> dict[str, int]:
        """The number of new values of each kind."""
        return dict(Counter(value.kind for value in self.new))


def add_values(
    study: Study,
    values: Mapping[str, Recorded] | Iterable[Recorded],
    run: str,
    *,
    notes: Iterable[str] = (),
    link: bool = False,
    dry_run: bool = False,
) -> ImportResult:
    """Append the values that a study lacks. If that fails, the folder is left as it was.

    The keys of a mapping are the ids of its values, so that they are not computed again.
    """
    wanted = dict(values) if isinstance(values, Mapping) else {value.id: value for value in values}
    new = tuple(value for value_id, value in wanted.items() if not _has(study, value_id, value))
    added = ImportResult(study, new, len(wanted) - len(new), tuple(notes))
    if dry_run or not new:
        return added
    return ImportResult(study.add(new, run, link=link), new, added.known, added.notes)


def content_text(value: Recorded) -> str:
    """Return the content of a value as text, without its id and the paths of its pictures."""
    for name in ("winner", "choice", "value"):
        if hasattr(value, name):
            content = getattr(value, name)
            return content.reason if isinstance(content, Unscored) else str(content)
    return to_json(_without_paths(value) if isinstance(value, ImageSign | CompositeSign) else value)


def _without_paths(sign: ImageSign | CompositeSign) -> Recorded:
    """Return a sign without the paths of its pictures, which differ inside and outside a study."""
    if isinstance(sign, ImageSign):
        return sign.model_copy(update={"path": ""})
    parts = tuple(part if isinstance(part, TextSign) else _without_paths(part) for part in sign.parts)
    return sign.model_copy(update={"parts": parts})


def recorded_value(study: Study, value: Recorded, value_id: str = "") -> Recorded | None:
    """Return the value with the same id in a study."""
    section: Mapping[str, Recorded] = getattr(study, KINDS[value.kind].section)
    return section.get(value_id or value.id)


def _has(study: Study, value_id: str, value: Recorded) -> bool:
    earlier = recorded_value(study, value, value_id)
    return earlier is not None and content_text(earlier) == content_text(value)
