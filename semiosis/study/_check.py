"""Checks every line, reference, image and citation of a study."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from semiosis.files import (
    decode_sign,
    from_folder,
    image_bytes,
    is_file,
    read_study_file,
    record_files,
    stream_record,
    torn_line,
)
from semiosis.values import (
    HSG,
    KINDS,
    Answer,
    AnySign,
    Comparison,
    CompositeSign,
    DataError,
    ImageSign,
    MissingSign,
    Question,
    Recorded,
    Reference,
    TextSign,
    parts_of,
    references,
)


@dataclass(frozen=True)
class Problem:
    """A problem in a study."""

    where: str
    """The file, and the line or value."""
    what: str
    """What is wrong."""


@dataclass
class _Known:
    """The values that a study defines, without their content."""

    ids: dict[str, set[str]] = field(default_factory=dict)
    """The ids by kind of value."""
    nodes: set[str] = field(default_factory=set)
    choices: dict[str, int] = field(default_factory=dict)
    """The number of choices of each question."""
    readings: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """The sign of each HSG, and whether it is blind."""
    details: dict[str, str] = field(default_factory=dict)
    """The level of detail of each HSG."""
    missing: set[str] = field(default_factory=set)
    """The ids of missing pictures."""

    def add(self, value: Recorded) -> None:
        self.ids.setdefault(KINDS[value.kind].noun, set()).add(value.id)
        if isinstance(value, HSG):
            self.nodes |= {f"{value.id}/{node}" for node in value.semioses}
            self.readings[value.id] = value.sign.id, value.blind
            self.details.setdefault(value.id, value.reading.detail)
        if isinstance(value, Question):
            self.choices[value.id] = len(value.choices)
        if isinstance(value, MissingSign):
            self.missing.add(value.id)
        if isinstance(value, CompositeSign):
            self.ids["sign"] |= {part.id for part in value.parts}

    def has(self, kind: str, value_id: str) -> bool:
        return value_id in (self.nodes if kind == "node" else self.ids.get(kind, ()))


def check_study(folder: str | Path) -> list[Problem]:
    """Return the problems of a study, or an empty list.

    Only ids are kept in memory, and references to values that come later.
    """
    home = Path(folder)
    read_study_file(home)
    problems: list[Problem] = []
    known = _Known()
    claims: list[tuple[str, Reference]] = []
    answers: list[tuple[str, str, int]] = []
    merged: list[tuple[str, str, tuple[str, ...]]] = []
    compared: list[tuple[str, str]] = []
    for file in record_files(home):
        for where, value in _values_of(file, home, problems):
            known.add(value)
            if isinstance(value, HSG) and known.details[value.id] != value.reading.detail:
                what = "the complex reading equals the standard reading, which is used instead"
                problems.append(Problem(where, what))
            # Most references are to earlier lines; the others are looked up again when everything is known.
            claims.extend(
                (where, named) for named in references(value) if not known.has(named.kind, named.id)
            )
            problems.extend(Problem(where, what) for what in _image_problems(value, home))
            if isinstance(value, Answer) and isinstance(value.choice, int):
                answers.append((where, value.question, value.choice))
            if isinstance(value, Comparison):
                compared.extend((where, artifact) for artifact in (value.a, value.b))
            if isinstance(value, HSG) and value.reading.interpreter.merges:
                merged.append((where, value.id, value.reading.given))
    problems.extend(_unresolved(claims, known))
    problems.extend(_wrongly_merged(merged, known))
    problems.extend(_without_picture(compared, known))
    for where, question, choice in answers:
        problems.extend(Problem(where, what) for what in _choice_problem(choice, known.choices.get(question)))
    return problems


def _unresolved(claims: list[tuple[str, Reference]], known: _Known) -> Iterator[Problem]:
    for where, named in claims:
        if not known.has(named.kind, named.id):
            what = f"names the {named.kind} {named.id}, which the study does not have"
            yield Problem(where, what)


def _wrongly_merged(merged: list[tuple[str, str, tuple[str, ...]]], known: _Known) -> Iterator[Problem]:
    """Yield each consensus that merges readings of another sign, or blind and given readings."""
    for where, hsg, given in merged:
        if any(known.readings.get(each, known.readings[hsg]) != known.readings[hsg] for each in given):
            view = "blind" if known.readings[hsg][1] else "given"
            what = f"a consensus of {view} readings merges a reading that is not a {view} reading of its sign"
            yield Problem(where, what)


def _without_picture(compared: list[tuple[str, str]], known: _Known) -> Iterator[Problem]:
    """Yield each comparison with a picture that its generator failed to make: nobody can judge it."""
    for where, artifact in compared:
        if artifact in known.missing:
            yield Problem(where, f"compares the missing picture {artifact}, which nobody can judge")


def _values_of(file: Path, home: Path, problems: list[Problem]) -> Iterator[tuple[str, Recorded]]:
    """Yield the values of a file with their positions, and stop at the first bad line."""
    name = file.relative_to(home).as_posix()
    try:
        for line in stream_record(file):
            yield f"{name}: {line.value.kind} {line.value.id}", line.value
    except DataError as error:
        problems.append(Problem(error.where or name, f"{error.what} → {error.fix}"))
    problems.extend(_torn_problem(file, name))


def _torn_problem(file: Path, name: str) -> Iterator[Problem]:
    try:
        torn = torn_line(file)
    except DataError:  # a line that is too long, which is a problem already
        return
    if torn:
        yield Problem(name, f"the last line is incomplete ({len(torn)} bytes); it is left out")


def _image_problems(value: Recorded, home: Path) -> Iterator[str]:
    try:
        placed = from_folder(value, home)
    except DataError as error:
        yield f"{error.what} → {error.fix}"
        return
    for part in parts_of(placed) if isinstance(placed, AnySign) else ():
        yield from _image_problem(part)


def _image_problem(sign: TextSign | ImageSign) -> Iterator[str]:
    """Yield the problem of an image. It is decoded, so that a bad file is found before a paid run."""
    if isinstance(sign, TextSign):
        return
    name = Path(sign.path).name or sign.id
    if not sign.path or not is_file(Path(sign.path)):
        yield f"the image {name} is missing"
        return
    try:
        decode_sign(sign, image_bytes(sign))
    except DataError as error:
        yield f"the image {name}: {error.what}"


def _choice_problem(choice: int, choices: int | None) -> Iterator[str]:
    if choices is not None and not 0 <= choice < choices:
        yield f"answers choice {choice} of a question with {choices} choices"
