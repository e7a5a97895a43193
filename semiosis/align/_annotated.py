"""Annotated readings, which state the node of an artifact that has the meaning of each node of its prompt."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from semiosis.values import HSG, DataError, from_json

READINGS_FILES = ("prompts.jsonl", "artifacts-blind.jsonl", "matches.jsonl")
"""The files of a folder of annotated readings: HSGs of prompts, blind HSGs of artifacts, and annotations."""
READERS_FILES = ("reader1.jsonl", "reader2.jsonl")
"""The files of a folder with two readings of each sign."""


@dataclass(frozen=True, eq=False)
class AnnotatedPair:
    """A prompt's HSG, an artifact's HSG, and the matches that annotators made."""

    folder: str
    """The name of its folder, which holds one kind of readings."""
    prompt: HSG
    """The HSG of the prompt."""
    artifact: HSG
    """The HSG of the artifact."""
    own_prompt: str
    """The id of the HSG of the prompt that the artifact was made from."""
    truth: frozenset[tuple[str, str]] | None = frozenset()
    """Pairs of nodes with the same meaning; None if nobody annotated them."""
    disputed: frozenset[str] = frozenset()
    """Nodes of the prompt that annotators disagree on; they are not scored."""

    @property
    def related(self) -> bool:
        """Whether the artifact was made from this prompt. If not, the right answer is no match at all."""
        return self.own_prompt == self.prompt.id


def read_annotated(folder: Path) -> list[AnnotatedPair]:
    """Return the annotated pairs of a folder, then every prompt with the artifacts of every other prompt."""
    prompts, artifacts = (_hsgs(folder / name) for name in READINGS_FILES[:2])
    pairs = [_pair(folder, line, prompts, artifacts) for line in _lines(folder / READINGS_FILES[2])]
    own_prompts = {pair.artifact.id: pair.own_prompt for pair in pairs}
    return pairs + [
        AnnotatedPair(folder.name, prompt, artifacts[id_], own_prompt)
        for prompt in prompts.values()
        for id_, own_prompt in own_prompts.items()
        if own_prompt != prompt.id
    ]


def read_two_readers(folder: Path) -> list[AnnotatedPair]:
    """Return every reading of the first reader with every reading of the second.

    Two readings of one sign are related; which of their nodes have the same meaning is not annotated.
    """
    firsts, seconds = (_hsgs(folder / name).values() for name in READERS_FILES)
    by_sign = {hsg.sign.id: hsg.id for hsg in firsts}
    return [
        AnnotatedPair(
            folder.name,
            first,
            second,
            by_sign.get(second.sign.id, second.id),
            truth=None,
        )
        for first in firsts
        for second in seconds
    ]


def file_hashes(folder: Path, names: Sequence[str] = READINGS_FILES) -> dict[str, str]:
    """Return the SHA-256 of files of a folder."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def _pair(
    folder: Path, line: dict[str, Any], prompts: dict[str, HSG], artifacts: dict[str, HSG]
) -> AnnotatedPair:
    prompt, artifact = prompts.get(line["prompt"]), artifacts.get(line["artifact"])
    if prompt is None or artifact is None:
        raise DataError(
            f"pair {line['id']!r} names an HSG that is not in {READINGS_FILES[0]} or {READINGS_FILES[1]}",
            where=str(folder / READINGS_FILES[2]),
            fix="add the HSG, or remove the line",
        )
    return AnnotatedPair(
        folder.name,
        prompt,
        artifact,
        prompt.id,
        frozenset((source, target) for source, target in line["truth"]),
        frozenset(line.get("disputed", ())),
    )


def _hsgs(file: Path) -> dict[str, HSG]:
    values = [from_json(json.dumps(line)) for line in _lines(file)]
    return {value.id: value for value in values if isinstance(value, HSG)}


def _lines(file: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        files = READERS_FILES if file.name in READERS_FILES else READINGS_FILES
        raise DataError(
            f"the annotated readings cannot be read: {error}",
            where=str(file),
            fix=f"give a folder with {', '.join(files)}",
        ) from error
