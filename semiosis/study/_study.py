"""A study: a folder of plain files, read whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from semiosis.files import (
    StudyFile,
    append_record,
    from_folder,
    read_study_file,
    record_files,
    stream_record,
    torn_line,
    write_study_file,
)
from semiosis.values import (
    HSG,
    Alignment,
    Comparison,
    CompositeSign,
    DataError,
    ImageSign,
    Observation,
    Question,
    Recorded,
    TextSign,
    UsageError,
    Verdict,
    kind_of,
)

AnySign = TextSign | ImageSign | CompositeSign


@dataclass(frozen=True)
class Study:
    """Everything a study's record holds, by id. Paths of images can be opened."""

    folder: Path
    """Where it is."""
    head: StudyFile
    """Its name and what it is about."""
    signs: dict[str, AnySign] = field(default_factory=dict)
    """Prompts and artifacts."""
    comparisons: dict[str, Comparison] = field(default_factory=dict)
    """Pairs of artifacts of one prompt."""
    questions: dict[str, Question] = field(default_factory=dict)
    """Multiple-choice questions."""
    hsgs: dict[str, HSG] = field(default_factory=dict)
    """Readings of the signs."""
    alignments: dict[str, Alignment] = field(default_factory=dict)
    """Diffs between HSGs."""
    observations: dict[str, Observation] = field(default_factory=dict)
    """What evaluators said."""
    torn: tuple[str, ...] = ()
    """Record files whose last line a crash cut off; that line is left out."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The observations that are verdicts."""
        return tuple(said for said in self.observations.values() if isinstance(said, Verdict))

    def readings(self, sign: str) -> Iterator[HSG]:
        """The HSGs of a sign, in the order they were recorded."""
        return (hsg for hsg in self.hsgs.values() if hsg.sign.id == sign)

    def add(self, values: Iterable[Recorded], run: str) -> "Study":
        """Append values to the record under a run's name; returns the study with them."""
        append_record(self.folder, values, run)
        return read_study(self.folder)


_SHELVES = {
    **dict.fromkeys(("text", "image", "composite"), "signs"),
    "comparison": "comparisons",
    "question": "questions",
    "hsg": "hsgs",
    "alignment": "alignments",
    **dict.fromkeys(("verdict", "rating", "answer", "score"), "observations"),
}


def read_study(folder: str | Path) -> Study:
    """The study in a folder. An HSG whose sign is recorded gets that sign and all that is known about it."""
    home = Path(folder)
    shelves: dict[str, dict[str, Any]] = {shelf: {} for shelf in _SHELVES.values()}
    head, files = read_study_file(home), record_files(home)
    for file in files:
        for line in stream_record(file):
            value = from_folder(line.value, home)
            shelves[_SHELVES[kind_of(value)]][value.id] = value
    shelves["hsgs"] = {id_: _with_known_sign(hsg, shelves["signs"]) for id_, hsg in shelves["hsgs"].items()}
    torn = tuple(str(file) for file in files if torn_line(file))
    return Study(home, head, **shelves, torn=torn)


def _with_known_sign(hsg: HSG, signs: dict[str, AnySign]) -> HSG:
    known = signs.get(hsg.sign.id)
    return hsg if known is None else HSG(known, hsg.semioses, hsg.relations, hsg.reading)


def new_study(
    folder: str | Path, *, name: str = "", title: str = "", about: str = "", licence: str = ""
) -> Study:
    """Make an empty study in a folder that is not one yet."""
    home = Path(folder)
    if (home / "study.toml").exists():
        raise UsageError("there is a study already", where=str(home), fix="choose another folder")
    try:
        head = StudyFile(name=name or home.resolve().name, title=title, about=about, licence=licence)
    except ValueError as error:
        raise DataError(
            f"{name or home.resolve().name!r} cannot name a study",
            where=str(home),
            fix="use letters, digits, '-', '_' and '.': semiosis study new FOLDER --name NAME",
        ) from error
    write_study_file(home, head)
    return Study(home, head)
