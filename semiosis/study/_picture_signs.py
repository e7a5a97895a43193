"""Collects the prompts and pictures of a table, row by row."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import get_args
from unicodedata import normalize

from semiosis.files import image, image_bytes, is_file, resolve_path, whole_number
from semiosis.study._study import Study
from semiosis.study._table import InputRow, InputTable, problem_text
from semiosis.values import (
    AnySign,
    CompositeSign,
    DataError,
    ImageSign,
    MissingReason,
    MissingSign,
    TextSign,
    UsageError,
)

_REASONS: tuple[MissingReason, ...] = get_args(MissingReason)
_REASON_WORDS: dict[str, MissingReason] = {
    **{reason: reason for reason in _REASONS},
    **dict.fromkeys(("refusal", "declined"), "refused"),
    **dict.fromkeys(("filter", "safety", "blocked", "nsfw", "content filter"), "filtered"),
    **dict.fromkeys(("failed", "failure", "timeout", "crash"), "error"),
}
"""The reasons for a missing picture, by the words that a table may use."""


def missing_reason(word: str) -> MissingReason:
    """Return the reason that a word states; raise ValueError if it states none."""
    reason = _REASON_WORDS.get(word.strip().casefold())
    if reason is None:
        raise ValueError(f"the reason {word!r} is none of {', '.join(_REASONS)}")
    return reason


@dataclass
class PictureOptions:
    """What the user states about pictures that generators failed to make."""

    missing: str = ""
    """The reason for pictures that a table or a folder lacks; empty if none are recorded."""
    placeholders: Mapping[str, str] = field(default_factory=dict)
    """Reasons by the SHA-256 of a placeholder: its copies are recorded as missing pictures."""

    @classmethod
    def of(cls, missing: str, placeholders: Sequence[str | Path]) -> "PictureOptions":
        """Return the options, with placeholders named by their files."""
        try:
            reason = missing_reason(missing) if missing else ""
        except ValueError as error:
            raise UsageError(str(error), fix="add --missing refused, filtered or error") from error
        digests = (hashlib.sha256(image_bytes(image(file))).hexdigest() for file in placeholders)
        return cls(reason, dict.fromkeys(digests, "filtered"))


@dataclass
class PictureSigns:
    """The signs that a table describes."""

    study: Study
    table: InputTable
    folders: Sequence[Path]
    options: PictureOptions
    split: str = ""
    """The folder of the table if an image folder has several, such as `train/`; part of the titles."""
    elsewhere: Mapping[str, ImageSign] = field(default_factory=dict)
    """The pictures of tables before this one."""
    files: dict[str, ImageSign] = field(default_factory=dict)
    """Pictures by path, so that each file is decoded once."""
    lines: dict[str, int] = field(default_factory=dict)
    """The first line with a sign, by the sign's id."""
    titles: dict[str, int] = field(default_factory=dict)
    """The first line with a prompt's id, by that id."""
    prompts: dict[str, AnySign] = field(default_factory=dict)
    artifacts: dict[str, ImageSign] = field(default_factory=dict)
    missing: dict[str, MissingSign] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _by_bytes: dict[str, list[ImageSign]] = field(default_factory=dict)
    """The artifacts with the same bytes, by SHA-256."""

    def add_prompt(self, row: InputRow, number: int | None = None) -> AnySign:
        """Add the prompt of a row, with its reference pictures if it has any, and return it."""
        if not row.get("prompt"):
            raise ValueError("the prompt is empty")
        sign = self._prompt(row, number)
        if sign.id in self.prompts:
            sign = self._merged(self.prompts[sign.id], sign, row.line)
        elif row.get("id") and (first := self.titles.setdefault(row.get("id"), row.line)) != row.line:
            self.notes.append(
                f"line {row.line}: the prompt of line {first} has the same id, {row.get('id')!r}"
            )
        self.lines.setdefault(sign.id, row.line)
        self.prompts[sign.id] = sign
        return sign

    def _prompt(self, row: InputRow, number: int | None) -> AnySign:
        about = {
            "title": row.get("id") or (str(number) if number else ""),
            "tradition": row.get("tradition"),
            "tags": (*_list(row.get("tags")), *(f"category:{name}" for name in _list(row.get("category")))),
            "round": _round(row) - 1,
        }
        if row.get("from"):
            about["prompt"] = self._file_of("from", row.get("from")).id
        text = TextSign(text=row.get("prompt"), language=row.get("language"))
        references = [self._file_of("references", name) for name in _list(row.get("references"))]
        sign: AnySign = CompositeSign(parts=(text, *references)) if references else text
        return sign.model_copy(update=about)

    def _file_of(self, column: str, name: str) -> ImageSign:
        """Return the picture that a column names. An error states the heading, which may be a wrong guess."""
        try:
            return self.file(name)
        except ValueError as error:
            heading = self.table.heading(column)
            off = f" (if {heading!r} means something else, add --column {column}=)" if heading else ""
            raise ValueError(f"column {heading or column!r}: {error}{off}") from error

    def _merged(self, earlier: AnySign, sign: AnySign, line: int) -> AnySign:
        """Return the prompt of an earlier row, with its empty fields filled from a later row."""
        first = self.lines[earlier.id]
        if earlier.prompt and sign.prompt and earlier.prompt != sign.prompt:
            raise ValueError(
                f"the prompt follows a different picture than on line {first}; name the picture as a "
                "reference too, so that the two prompts differ"
            )
        for name in ("title", "tradition", "tags"):
            before, now = getattr(earlier, name), getattr(sign, name)
            if before and now and before != now:
                self.notes.append(
                    f"line {line}: {name} {now!r}, but the prompt keeps {before!r} of line {first}"
                )
        fields = ("title", "tradition", "tags", "prompt")
        return earlier.model_copy(
            update={name: getattr(sign, name) for name in fields if not getattr(earlier, name)}
        )

    def add_artifact(self, line: int, picture: ImageSign, prompt: AnySign, row: InputRow) -> None:
        """Add a picture of a prompt, or note that it is missing if it is the copy of a placeholder."""
        about = {
            "generator": row.get("generator") or picture.generator,
            "seed": row.get("seed") or picture.seed,
            "tradition": row.get("tradition"),
            "prompt": prompt.id,
            "round": _round(row),
        }
        artifact = picture.model_copy(update=about)
        if reason := self.options.placeholders.get(picture.sha256):
            self._add_missing(line, artifact, reason)
            return
        artifact = self._distinguished(line, artifact)
        if artifact.id not in self.artifacts:
            self.artifacts[artifact.id] = artifact
            self.lines.setdefault(artifact.id, line)

    def add_missing(self, row: InputRow, prompt: AnySign) -> None:
        """Add the missing picture of a row without a file."""
        reason = row.get("missing") or self.options.missing
        if not reason:
            raise ValueError(
                "the file name is empty; if the generator made no picture, say why in a column 'missing' "
                "(refused, filtered or error), or with --missing"
            )
        if not row.get("generator"):
            raise ValueError("a missing picture needs its generator; add a column 'generator'")
        title = "/".join(filter(None, (prompt.title, row.get("generator"), row.get("seed"))))
        about = {"title": title, "tradition": row.get("tradition"), "seed": row.get("seed")}
        self.record_missing(row.line, prompt.id, row.get("generator"), _round(row), reason, about)

    def record_missing(
        self, line: int, prompt: str, generator: str, round_: int, reason: str, about: Mapping[str, str]
    ) -> None:
        """Record that a generator made no picture of a prompt."""
        sign = MissingSign(
            prompt=prompt, generator=generator, round=round_, reason=missing_reason(reason), **about
        )
        self.missing.setdefault(sign.id, sign)
        self.lines.setdefault(sign.id, line)

    def _add_missing(self, line: int, placeholder: ImageSign, reason: str) -> None:
        if not placeholder.generator:
            raise ValueError(f"{placeholder.title!r} is a placeholder, but its generator is not known")
        about = {name: getattr(placeholder, name) for name in ("title", "tradition", "seed")}
        prompt, round_ = placeholder.prompt or "", placeholder.round
        self.record_missing(line, prompt, placeholder.generator, round_, reason, about)

    def _distinguished(self, line: int, artifact: ImageSign) -> ImageSign:
        """Return the artifact, with an instance if another artifact has the same bytes.

        Artifacts with the same bytes differ in prompt, generator, seed or round.
        """
        same_bytes = self._by_bytes.setdefault(artifact.sha256, self._recorded.get(artifact.sha256, [])[:])
        recorded = self._same_artifact(line, artifact, same_bytes)
        if recorded is not None:
            return artifact.model_copy(update={"instance": recorded.instance})
        for sign in same_bytes:
            if sign.title == artifact.title and sign.prompt and sign.prompt != artifact.prompt:
                raise ValueError(self._moved(sign))
        # A picture without a prompt was read on its own; now its prompt is known.
        if same_bytes and same_bytes[0].prompt:
            self.notes.append(
                f"{artifact.title!r} has the same bytes as {same_bytes[0].title!r}; both are kept. If they "
                "are the placeholder of a content filter, --placeholder FILE records them as missing"
            )
            name = "/".join((artifact.prompt or "", artifact.generator, artifact.seed, str(artifact.round)))
            artifact = artifact.model_copy(update={"instance": name})
        same_bytes.append(artifact)
        return artifact

    def _same_artifact(
        self, line: int, artifact: ImageSign, same_bytes: Sequence[ImageSign]
    ) -> ImageSign | None:
        """Return the artifact that this one repeats or corrects; raise if it is a copy under another name."""
        for sign in same_bytes:
            if _origin(sign) == _origin(artifact):
                self._check_same_file(line, sign, artifact)
                return sign
        recorded = (sign for sign in same_bytes if sign.id not in {**self.artifacts, **self.elsewhere})
        same_name = (sign for sign in recorded if sign.title == artifact.title)
        return next((sign for sign in same_name if sign.prompt == artifact.prompt), None)

    @cached_property
    def _recorded(self) -> dict[str, list[ImageSign]]:
        """The artifacts of the study and of earlier tables, by their bytes."""
        by_bytes: dict[str, list[ImageSign]] = {}
        for sign in {**self.study.signs, **self.elsewhere}.values():
            if isinstance(sign, ImageSign):
                by_bytes.setdefault(sign.sha256, []).append(sign)
        return by_bytes

    def _check_same_file(self, line: int, recorded: ImageSign, artifact: ImageSign) -> None:
        first = self.lines.get(recorded.id)
        if recorded.title == artifact.title and recorded.id in self.artifacts:
            self.notes.append(f"line {line} repeats line {first}")
        elif recorded.id in self.artifacts or recorded.id in self.elsewhere:
            where = f" on line {first}" if first else ""
            raise ValueError(
                f"{artifact.title!r} is the same picture as {recorded.title!r}{where}; keep one of them, or "
                "name the generator or the seed of each"
            )

    def _moved(self, sign: ImageSign) -> str:
        """Return why a picture cannot belong to a second prompt under the same name."""
        if sign.id in self.artifacts:
            first = self.lines[sign.id]
            return (
                f"{sign.title!r} is already a picture of the prompt on line {first}; a picture has one prompt"
            )
        return (
            f"{sign.title!r} is in the study as a picture of another prompt; to move it, first run: "
            f"semiosis study remove {self.study.folder} {sign.id} --dependents"
        )

    def file(self, name: str) -> ImageSign:
        """Return the picture of this name in one of the folders."""
        if name not in self.files:
            path = _path(self.folders, name)
            try:
                title = self.split + Path(name.replace("\\", "/")).with_suffix("").as_posix()
                self.files[name] = image(path, title=title)
            except DataError as error:
                raise ValueError(f"{name!r}: {problem_text(error)}") from error
        return self.files[name]


def _origin(sign: ImageSign) -> tuple[str | None, str, str, int]:
    return sign.prompt, sign.generator, sign.seed, sign.round


def _round(row: InputRow) -> int:
    return whole_number(row.get("round") or "1", "round", at_least=1)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in re.split(r"[;|]", cell) if item.strip())


def _path(folders: Sequence[Path], name: str) -> Path:
    # Windows writes a backslash, and an archive made on macOS holds decomposed letters.
    slashed = [name, name.replace("\\", "/")]
    spellings = dict.fromkeys([*slashed, *(normalize(form, slashed[1]) for form in ("NFC", "NFD"))])
    files = [
        (base, base / spelling) for base in folders for spelling in spellings if is_file(base / spelling)
    ]
    # A downloaded table must not copy pictures from elsewhere on this machine into the study.
    inside = [path for base, path in files if resolve_path(path).is_relative_to(resolve_path(base))]
    if not inside:
        searched = ", ".join(str(base) for base in dict.fromkeys(folders))
        if files:
            raise ValueError(f"the picture {name!r} is outside of {searched}; name its folder as well")
        raise ValueError(f"there is no picture {name!r} in {searched}")
    return inside[0]
