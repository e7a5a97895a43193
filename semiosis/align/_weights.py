"""The alignment parameters of each embedder, with the data they were fitted on and their measured quality."""

import hashlib
import json
from functools import cache
from pathlib import Path

from pydantic import Field, ValidationError

from semiosis.files import data, read_text
from semiosis.values import DataError, UnitInterval, UsageError, Value, format_error, json_object

EMBEDDER_METHOD = "one centred cosine and a cut by length, version 7"
"""The name and version of the method, which every alignment states."""

_MAX_WEIGHTS_BYTES = 1_000_000
"""The largest file of weights that is read. One has a few kilobytes."""


class FittingData(Value):
    """A folder of annotated readings that parameters were fitted on."""

    name: str
    """The folder's name."""
    sha256: dict[str, str]
    """SHA-256 of each file."""
    prompts: int
    """The number of prompts used."""
    pairs: int
    """Pairs of a prompt and one of its own artifacts."""


class MeasuredQuality(Value):
    """Quality on prompts that were not used to fit the parameters."""

    prompts: int
    """The number of prompts measured."""
    pairs: int
    """Pairs of a prompt and one of its own artifacts."""
    unrelated_pairs: int
    """Pairs of a prompt and another prompt's artifact."""
    f1: UnitInterval
    """F1 of matches."""
    f1_interval: tuple[UnitInterval, UnitInterval] | None
    """95% interval that resamples prompts; None for a single prompt."""
    precision: UnitInterval
    """Share of matches that are right."""
    recall: UnitInterval
    """Share of true matches that were found."""
    lost_f1: UnitInterval
    """F1 of lost nodes."""
    unrelated_nodes: UnitInterval | None
    """Share of the nodes of unrelated pairs that were matched; the right answer is none."""
    unrelated_roots: UnitInterval | None
    """Share of the roots of unrelated pairs that were matched."""
    stated: UnitInterval
    """Mean stated probability of matches."""
    right: UnitInterval
    """Share of these matches that are right."""


class MeasuredReaders(Value):
    """Quality on signs that were not used to fit, read by two readers whose matches nobody annotated."""

    signs: int
    """The number of signs measured."""
    nodes: int
    """Nodes that two readings of one sign could match: those of the smaller reading."""
    same_sign_nodes: UnitInterval
    """Share of these nodes that were matched."""
    unrelated_pairs: int
    """Pairs of readings of different signs."""
    unrelated_nodes: UnitInterval
    """Share of the nodes of unrelated pairs that were matched; the right answer is none."""
    unrelated_roots: UnitInterval
    """Share of the roots of unrelated pairs that were matched."""


class LengthClass(Value):
    """The cut for pairs of readings with texts of a certain length, and its measured quality."""

    name: str
    """The name that alignments and their summaries state, such as `short`."""
    up_to: float = Field(gt=0)
    """The largest mean length of a node's text in a pair, in UTF-8 bytes. For the last class, the longest
    pair that was measured."""
    cut: float = Field(ge=-1, le=1)
    """Pairs of nodes with a cosine above this may match."""
    measured: MeasuredQuality | MeasuredReaders
    """Quality of pairs of this length in one script, leaving one prompt or sign out at a time."""


class Weights(Value):
    """The alignment parameters of one embedder, made by `python -m semiosis.align.fit`."""

    embedder: str
    """Name of the embedder whose cosines these parameters are for."""
    languages: tuple[str, ...]
    """Languages in which the embedder was measured, as ISO 639-1 codes."""
    mean: tuple[float, ...] = ()
    """The mean vector of the readings used, which is subtracted before the cosine; empty for none."""
    lengths: tuple[LengthClass, ...] = Field(min_length=1)
    """The cuts, from short to long texts."""
    slope: float = Field(gt=0)
    """The stated probability is σ(slope · (cosine - cut) + intercept)."""
    intercept: float
    """The intercept of the stated probability; see `slope`."""
    objects: float = Field(ge=0, le=1)
    """A match is flagged if the cosine of the objects is below this share of the nodes' cosine."""
    fitted_on: tuple[FittingData, ...]
    """The readings that the parameters were fitted on."""
    across_scripts: MeasuredQuality | None = None
    """Quality of a multilingual embedder on pairs in different scripts."""

    @property
    def version(self) -> str:
        """A hash of the parameters, part of every alignment."""
        cuts = [[length.up_to, length.cut] for length in self.lengths]
        numbers = [self.mean, cuts, self.slope, self.intercept, self.objects]
        return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:12]

    def length_class(self, length: float) -> LengthClass:
        """Return the class for a mean length of texts; texts longer than all classes get the last one."""
        return next((row for row in self.lengths if length <= row.up_to), self.lengths[-1])

    @property
    def quality(self) -> MeasuredQuality:
        """The quality on annotated readings of prompts and artifacts."""
        return next(row.measured for row in self.lengths if isinstance(row.measured, MeasuredQuality))

    @property
    def longest_measured(self) -> float:
        """The largest mean length of node texts that was measured, in UTF-8 bytes."""
        return self.lengths[-1].up_to


def read_weights(path: Path) -> Weights:
    """Return the parameters in a file."""
    try:
        source = read_text(path, _MAX_WEIGHTS_BYTES)
        json_object(source)  # refuses repeated keys
        return Weights.model_validate_json(source, strict=True)
    except (DataError, ValidationError) as error:
        what = error.what if isinstance(error, DataError) else format_error(error)
        raise DataError(
            f"the alignment weights cannot be used: {what}",
            where=str(path),
            fix="make the file with python -m semiosis.align.fit",
        ) from error


@cache
def weights_of(embedder: str) -> Weights:
    """Return the packaged parameters of an embedder. Those of another embedder are never used instead."""
    path = data("graphs/alignment") / f"{slug(embedder)}.json"
    if not path.is_file():
        raise UsageError(
            f"no alignment weights were fitted for the embedder {embedder!r}",
            fix=f"make them with python -m semiosis.align.fit --embedder {embedder} --readings DIR "
            "--out FILE, then use --weights FILE",
        )
    return read_weights(path)


def slug(embedder: str) -> str:
    """Return an embedder's name as a file name."""
    return "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in embedder)
