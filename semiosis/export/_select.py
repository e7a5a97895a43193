"""The selection of the part of a study that a bundle contains: everything about some signs."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from semiosis.files import append_record, write_study_file
from semiosis.store import QueryResult, library_query, open_store
from semiosis.study import Study, read_study
from semiosis.values import HSG, Alignment, AnySign, Comparison, Question, Recorded, UsageError, references

_ID = re.compile(r"[0-9a-f]{8,64}")


@dataclass(frozen=True)
class EvidenceQuery:
    """A query of the library with its parameters."""

    name: str
    """The name of the query, such as `lost-intent`."""
    parameters: Mapping[str, str]
    """The values of its parameters, such as the prompt."""

    def rows(self, study: Path) -> QueryResult:
        """Return the rows of the query for a study folder."""
        with open_store(study) as store:
            return library_query(self.name).run(store, self.parameters)


def comparison_signs(study: Study, comparison_id: str) -> set[str]:
    """Return the signs of a comparison, which may be named by the start of its id."""
    found = [c for id_, c in study.comparisons.items() if id_.startswith(comparison_id)]
    if len(found) != 1:
        count = f"{len(found)} comparisons start" if found else "no comparison starts"
        raise UsageError(
            f"{count} with {comparison_id!r}",
            where=str(study.folder),
            fix="give the id of one of the comparisons in comparisons.jsonl",
        )
    return {found[0].prompt, found[0].a, found[0].b}


def row_signs(study: Study, rows: QueryResult) -> set[str]:
    """Return the signs of the values whose ids are in the rows of a query."""
    values = study.everything()
    named = {
        id_ for row in rows for cell in row.values() if isinstance(cell, str) for id_ in _ID.findall(cell)
    }
    return {sign for id_ in named & values.keys() for sign in _signs_of(values[id_], values)}


def _signs_of(value: Recorded, values: Mapping[str, Recorded]) -> set[str]:
    if isinstance(value, HSG):
        return {value.sign.id}
    if isinstance(value, Alignment):
        return {value.source.sign, value.target.sign}
    if isinstance(value, Comparison):
        return {value.prompt, value.a, value.b}
    if isinstance(value, Question):
        return {value.sign}
    if isinstance(value, AnySign):
        return {value.id}
    named = [values[r.value_id] for r in references(value) if r.value_id in values]
    return {sign for other in named for sign in _signs_of(other, values)}


def about_signs(study: Study, signs: set[str]) -> list[Recorded]:
    """Return the values that are only about these signs, and every value that they refer to."""
    values = study.everything()
    kept = {
        id_: value
        for id_, value in values.items()
        if id_ not in study.history and (about := _signs_of(value, values)) and about <= signs
    }
    pending = list(kept.values())
    while pending:
        for reference in references(pending.pop()):
            if reference.value_id in values and reference.value_id not in kept:
                kept[reference.value_id] = values[reference.value_id]
                pending.append(values[reference.value_id])
    return [value for id_, value in values.items() if id_ in kept]


def write_part(study: Study, values: Iterable[Recorded], folder: Path) -> Study:
    """Write values as a new study folder and return the study. File names do not depend on the machine."""
    write_study_file(folder, study.head)
    append_record(folder, values, "evidence")
    return read_study(folder.resolve())


def with_relative_paths(study: Study, prefix: str) -> Study:
    """Return the study with image paths relative to the bundle instead of paths of this machine."""
    home = study.folder.resolve()

    def relative(sign: object) -> object:
        parts = getattr(sign, "parts", None)
        if parts:
            return sign.model_copy(update={"parts": tuple(map(relative, parts))})  # type: ignore[attr-defined]  # a CompositeSign
        path = getattr(sign, "path", "")
        if not path:
            return sign
        name = Path(path).relative_to(home).as_posix()
        return sign.model_copy(update={"path": f"{prefix}{name}"})  # type: ignore[attr-defined]  # an ImageSign

    signs = {id_: relative(sign) for id_, sign in study.signs.items()}
    hsgs = {id_: hsg.with_sign(relative(hsg.sign)) for id_, hsg in study.hsgs.items()}  # type: ignore[arg-type]  # a sign stays a sign
    return replace(study, signs=signs, hsgs=hsgs)  # type: ignore[arg-type]  # a sign stays a sign
