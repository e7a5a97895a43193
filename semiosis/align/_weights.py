"""The alignment parameters of each embedder, with the data they were fitted on and their measured quality."""

import hashlib
import json
from functools import cache
from pathlib import Path

from pydantic import Field, ValidationError

from semiosis.files import data, read_text
from semiosis.values import DataError, UnitInterval, UsageError, Value, format_error, json_object

EMBEDDER_METHOD = "one cosine and one cut, version 6"
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


class Weights(Value):
    """The alignment parameters of one embedder, made by `python -m semiosis.align.fit`."""

    embedder: str
    """Name of the embedder whose cosines these parameters are for."""
    languages: tuple[str, ...]
    """Languages in which the embedder was measured, as ISO 639-1 codes."""
    cut: float = Field(ge=-1, le=1)
    """Pairs of nodes with a cosine above this may match."""
    slope: float = Field(gt=0)
    """The stated probability is σ(slope · cosine + intercept)."""
    intercept: float
    """The intercept of the stated probability; see `slope`."""
    objects: float = Field(ge=0, le=1)
    """A match is flagged if the cosine of the objects is below this share of the nodes' cosine."""
    fitted_on: tuple[FittingData, ...]
    """The readings that the parameters were fitted on."""
    measured: MeasuredQuality
    """Quality in one script, leaving one prompt out at a time."""
    across_scripts: MeasuredQuality | None = None
    """Quality of a multilingual embedder on pairs in different scripts."""

    @property
    def version(self) -> str:
        """A hash of the parameters, part of every alignment."""
        numbers = [self.cut, self.slope, self.intercept, self.objects]
        return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:12]


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
