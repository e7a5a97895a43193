"""Studies: folders of plain files, and the values in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from semiosis.ask import DEFAULT_LANGUAGE, language_name
from semiosis.files import (
    HIDDEN_FOLDER,
    StudyFile,
    append_record,
    from_folder,
    new_folder,
    read_study_file,
    record_files,
    stream_record,
    torn_line,
    write_study_file,
)
from semiosis.study._hsg_index import HSGIndex, stored_hsgs
from semiosis.values import (
    HSG,
    KINDS,
    Alignment,
    Answer,
    AnySign,
    Comparison,
    DataError,
    MissingSign,
    Observation,
    Question,
    Reading,
    Recorded,
    Score,
    Unscored,
    UsageError,
    Verdict,
    brief_repr,
    evaluator_labels,
    replaced_id,
)

_SECTIONS = tuple(dict.fromkeys(kind.section for kind in KINDS.values()))


@dataclass(frozen=True)
class Study:
    """The latest values of a study's record, by id. Image paths are absolute."""

    __repr__ = brief_repr

    folder: Path
    """The study's folder."""
    head: StudyFile
    """The study's name, title, description, licence and language."""
    signs: dict[str, AnySign] = field(default_factory=dict)
    """Prompts and artifacts."""
    comparisons: dict[str, Comparison] = field(default_factory=dict)
    """Pairs of artifacts of one prompt."""
    questions: dict[str, Question] = field(default_factory=dict)
    """Multiple-choice questions."""
    hsgs: MutableMapping[str, HSG] = field(default_factory=dict)
    """Readings of the signs."""
    alignments: dict[str, Alignment] = field(default_factory=dict)
    """Alignments of the HSGs."""
    observations: dict[str, Observation] = field(default_factory=dict)
    """Verdicts, ratings, answers and scores."""
    history: dict[str, Recorded] = field(default_factory=dict)
    """Values that a later one supersedes, and the alignments of superseded HSGs. They stay in the record."""
    replaced: frozenset[str] = frozenset()
    """The ids of superseded values."""
    torn: tuple[str, ...] = ()
    """Record files whose last line is incomplete after a crash; that line is ignored."""

    @property
    def journal(self) -> Path:
        """The path of the study's reply journal."""
        return self.folder / HIDDEN_FOLDER / "replies.sqlite"

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The observations that are verdicts."""
        return tuple(value for value in self.observations.values() if isinstance(value, Verdict))

    @cached_property
    def readable(self) -> Mapping[str, AnySign]:
        """The signs that can be read, by id: all but missing pictures."""
        return {id_: sign for id_, sign in self.signs.items() if not isinstance(sign, MissingSign)}

    @cached_property
    def missing(self) -> tuple[MissingSign, ...]:
        """The pictures that generators failed to make."""
        return tuple(sign for sign in self.signs.values() if isinstance(sign, MissingSign))

    @cached_property
    def judge_labels(self) -> Mapping[str, str]:
        """The label of everyone who judged, by evaluator id, as tables, figures and pages show it."""
        return evaluator_labels(verdict.evaluator for verdict in self.verdicts)

    @cached_property
    def _conditions_by_sign(self) -> dict[str, dict[str, Reading]]:
        by_sign: dict[str, dict[str, Reading]] = {}
        for hsg_id, sign, reading in sorted(self.conditions(), key=lambda known: known[2].interpreter.merges):
            by_sign.setdefault(sign, {})[hsg_id] = reading
        return by_sign

    def readings(self, sign: str | AnySign) -> tuple[HSG, ...]:
        """Return the HSGs of a sign or of its id, in the order they were recorded; a consensus comes last."""
        sign_id = sign if isinstance(sign, str) else sign.id
        return tuple(self.hsgs[hsg_id] for hsg_id in self.conditions_of(sign_id))

    def conditions_of(self, sign: str) -> Mapping[str, Reading]:
        """Return the readings of a sign by HSG id, in the same order. No HSG is built."""
        return self._conditions_by_sign.get(sign, {})

    def conditions(self) -> Iterator[tuple[str, str, Reading]]:
        """Yield id, sign and reading of every HSG. No HSG is built."""
        if isinstance(self.hsgs, HSGIndex):
            return self.hsgs.conditions()
        return ((hsg_id, hsg.sign.id, hsg.reading) for hsg_id, hsg in self.hsgs.items())

    @cached_property
    def _reading_by_id(self) -> dict[str, Reading]:
        replaced = {value.id: value.reading for value in self.history.values() if isinstance(value, HSG)}
        return replaced | {hsg_id: reading for hsg_id, _, reading in self.conditions()}

    @cached_property
    def usual_model(self) -> str:
        """The name of the model with the most readings; empty if no model has read."""
        read = Counter(
            reading.interpreter.name
            for _, _, reading in self.conditions()
            if reading.interpreter.kind == "model"
        )
        return max(read, key=lambda name: (read[name], name), default="")

    def reading(self, hsg_id: str) -> Reading | None:
        """Return the reading of an HSG that a value names, even if it is superseded, without building it."""
        return self._reading_by_id.get(hsg_id)

    def hsg(self, hsg_id: str) -> HSG | None:
        """Return an HSG that a value names, even if it is superseded; None if the study has none."""
        named = self.hsgs.get(hsg_id) or self.history.get(hsg_id)
        return named if isinstance(named, HSG) else None

    def everything(self) -> dict[str, Recorded]:
        """Return every value by id, section by section, the superseded values of a section first."""
        found: dict[str, Recorded] = {}
        for name in _SECTIONS:
            found |= {id_: old for id_, old in self.history.items() if KINDS[old.kind].section == name}
            found |= getattr(self, name)
        return found

    def language_for(self, asked: str = "") -> str:
        """Return the language to read and judge in. A language other than the study's is refused.

        The study's language is the one that `study.toml` states, or else that of the readings it has.
        """
        read = {
            reading.language for _, _, reading in self.conditions() if reading.interpreter.kind == "model"
        }
        read.discard("")  # readings by people may state no language
        own = self.head.language or (read.pop() if len(read) == 1 else "")
        if own and asked not in ("", own):
            raise UsageError(
                f"the language of this study is {own!r}, not {asked!r}",
                where=str(self.folder),
                fix="leave --language out, or read in another study",
            )
        return own or asked or DEFAULT_LANGUAGE

    def add(self, values: Iterable[Recorded], run: str, *, link: bool = False) -> "Study":
        """Append values to the record under a run's name and return the study with them.

        The folder is not read again, so values that other processes have added since then are not included.
        Pictures are copied into the folder, or hard-linked with `link`.
        """
        written = append_record(self.folder, values, run, link=link)
        return self.with_values([from_folder(value, self.folder) for value in written])

    def with_values(self, values: Iterable[Recorded]) -> "Study":
        """Return the study with more values, without recording them."""
        signs = dict(self.signs)
        known = self.hsgs.copy(signs) if isinstance(self.hsgs, HSGIndex) else HSGIndex(self.folder, signs)
        study = Study(self.folder, self.head, signs, hsgs=known, replaced=self.replaced, torn=self.torn)
        for section in {*_SECTIONS, "history"} - {"signs", "hsgs"}:
            getattr(study, section).update(getattr(self, section))
        if not isinstance(self.hsgs, HSGIndex):
            known.update(self.hsgs)
        return _insert(study, sorted(values, key=lambda value: not isinstance(value, AnySign)))


def read_study(folder: str | Path) -> Study:
    """Return the study in a folder. An HSG has the study's own description of its sign, with title and tags.

    HSGs are built and checked when they are needed, so that a study with many readings opens quickly.
    """
    home = Path(folder)
    head, files = read_study_file(home), record_files(home)
    signs: dict[str, AnySign] = {}
    hsgs = HSGIndex(home, signs)
    for file in (file for file in files if file.parent.name == "hsgs"):
        for hsg_id, entry in stored_hsgs(file):
            hsgs.store(hsg_id, entry)
    corrected = {old for _, _, reading in hsgs.conditions() if (old := reading.supersedes)}
    others = (file for file in files if file.parent.name != "hsgs")
    values = (from_folder(line.value, home) for file in others for line in stream_record(file))
    torn = tuple(str(file) for file in files if torn_line(file))
    return _insert(Study(home, head, signs, hsgs=hsgs, replaced=frozenset(corrected), torn=torn), values)


def _insert(study: Study, values: Iterable[Recorded]) -> Study:
    """Add values to a new study, signs first. A later value replaces an earlier one with the same id."""
    replaced = set(study.replaced)
    for value in values:
        section: MutableMapping[str, Recorded] = getattr(study, KINDS[value.kind].section)
        section[value.id] = _with_known_sign(study, value)
        if old := replaced_id(value):
            replaced.add(old)
    _move_to_history(study, replaced | _retried(study.observations.values()))
    return replace(study, replaced=frozenset(replaced))


def _with_known_sign(study: Study, value: Recorded) -> Recorded:
    return value.with_sign(study.signs.get(value.sign.id, value.sign)) if isinstance(value, HSG) else value


_RETRIED_KINDS = ("verdict", "rating", "answer", "score")
"""The observations that an evaluator may fail to give. Other kinds have no value to retry."""


def _retried(observations: Iterable[Observation]) -> set[str]:
    """Return the ids of observations without a value that a later attempt at the same item replaces.

    The id of a verdict contains the readings it used, so a retry with a reading that was missing differs.
    """
    attempts: dict[tuple[object, ...], list[Observation]] = {}
    observations = [value for value in observations if value.kind in _RETRIED_KINDS]
    for value in observations:
        if isinstance(_content(value), Unscored):
            attempts.setdefault(_item(value), []).append(value)
    if not attempts:
        return set()
    scored = {
        item
        for value in observations
        if not isinstance(_content(value), Unscored) and (item := _item(value)) in attempts
    }
    return {
        value.id for item, values in attempts.items() for value in (values if item in scored else values[:-1])
    }


def _content(value: Observation) -> object:
    return (
        value.winner
        if isinstance(value, Verdict)
        else value.choice
        if isinstance(value, Answer)
        else value.value
    )


def _item(value: Observation) -> tuple[object, ...]:
    """Return who was asked what, in which order and repeat."""
    if isinstance(value, Verdict):
        return value.evaluator, value.comparison, value.shown, value.repeat
    if isinstance(value, Answer):
        return value.evaluator, value.question, value.repeat
    if isinstance(value, Score):
        return value.evaluator, value.prompt, value.artifact, value.repeat
    return value.evaluator, value.about, value.scale, value.repeat


def _move_to_history(study: Study, replaced: set[str]) -> None:
    if not replaced:
        return
    sections: list[MutableMapping[str, Recorded]] = [getattr(study, section) for section in _SECTIONS]
    for values in sections:
        study.history.update((value_id, values.pop(value_id)) for value_id in replaced & values.keys())
    stale = [a.id for a in study.alignments.values() if {a.source.hsg, a.target.hsg} & replaced]
    study.history.update((value_id, study.alignments.pop(value_id)) for value_id in stale)


def new_study(
    folder: str | Path,
    *,
    name: str = "",
    title: str = "",
    about: str = "",
    licence: str = "",
    language: str = "",
) -> Study:
    """Create an empty study in a folder without a study. `language` is a BCP 47 tag, English if empty."""
    home = new_folder(folder)
    if (home / "study.toml").exists():
        raise UsageError("this folder is already a study", where=str(home), fix="choose another folder")
    if language:
        language_name(language)
    try:
        head = StudyFile(
            name=name or home.resolve().name, title=title, about=about, licence=licence, language=language
        )
    except ValueError as error:
        raise DataError(
            f"{name or home.resolve().name!r} is not a valid study name",
            where=str(home),
            fix="use letters, digits, '-', '_' and '.': semiosis study new FOLDER --name NAME",
        ) from error
    write_study_file(home, head)
    return Study(home, head)
