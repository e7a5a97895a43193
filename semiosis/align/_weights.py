"""The method as data: one file of calibrated weights per embedder."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, ValidationError

from semiosis.align._features import AROUND, CONTEXT, LIKENESS, ONE, ROWS, TEXT
from semiosis.align._view import Floats
from semiosis.files import data
from semiosis.values import (
    DataError,
    Share,
    UsageError,
    Value,
)

MEASURES = ("believed", "objects taken together")
"""Names of the measures of how much of the source the target keeps."""


def _named(*names: str) -> AfterValidator:
    def check(weights: dict[str, float]) -> dict[str, float]:
        if set(weights) != set(names):
            raise ValueError(f"there must be one weight each for {', '.join(names)}")
        return weights

    return AfterValidator(check)


class Calibration(Value):
    """From log-odds to probability: σ(slope · log-odds + intercept)."""

    slope: float
    """Below 1 where the log-odds are too sure of themselves."""
    intercept: float
    """Moves every probability."""


class Weights(Value):
    """How one embedder's likenesses become matches, as `benchmarks/fit_alignment.py` fitted it.

    The weighted sum of features is the log-odds that two nodes match.
    """

    embedder: str
    """Name of the embedder whose cosines these weights are for."""
    version: str
    """Which fit this is; part of every alignment."""
    method: str
    """Name and version of the method the weights belong to."""
    joined: bool
    """Whether this embedder also reads sign and object, and object and interpretant, as one text."""
    root: Annotated[dict[str, float], _named(*LIKENESS, ONE)]
    """For the pair of roots: texts alone."""
    first: Annotated[dict[str, float], _named(*TEXT, ONE)]
    """First stage, for any other pair: texts and grounds alone."""
    lean: float
    """Added to every log-odds of the first stage to ask who stands in the place of whom, lost or not."""
    second: Annotated[dict[str, float], _named(*TEXT, *CONTEXT, ONE)]
    """Second stage: the same again, with what the first believes of the nodes around, and how closely the
    graphs are told."""
    cut: float
    """Added to the last log-odds: where the sum is not positive, a node is lost or emergent."""
    root_calibration: Calibration
    """Of the pair of roots."""
    node_calibration: Calibration
    """Of any other pair."""
    adjudicated: Share
    """Probability of a match that an adjudicator chose."""
    kept: Annotated[dict[str, float], _named(*MEASURES)]
    """Log-odds that one target keeps more than another, per unit of difference in each measure."""
    expected: dict[str, float]
    """What cross-validation on planted graphs measured: F1 of matches in small and large graphs, of lost and
    emergent nodes, calibration error, 2AFC accuracy."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """The weights as arrays in the order of the evidence."""

    first: Floats
    """Of the first stage, the second with its cut, roots for either, nodes and roots with the lean."""
    around: Floats
    """Of what only the second stage knows."""
    slopes: Floats
    """Of the calibration of roots, and of other nodes."""
    intercepts: Floats
    """Of the same, for log-odds that the cut is included in."""


def coefficients(weights: Weights) -> Coefficients:
    """The weights as arrays."""
    lean, cut = weights.lean, weights.cut
    sums = (
        (weights.first, 0.0),
        (weights.second, cut),
        (weights.root, 0.0),
        (weights.root, cut),
        (weights.first, lean),
        (weights.root, lean),
    )
    stages = [stage | {ONE: stage[ONE] + more} for stage, more in sums]
    calibrations = weights.root_calibration, weights.node_calibration
    return Coefficients(
        first=np.array([[stage.get(name, 0.0) for name in ROWS] for stage in stages]),
        around=np.array([weights.second[name] for name in AROUND]),
        slopes=np.array([of.slope for of in calibrations]),
        intercepts=np.array([of.intercept - of.slope * cut for of in calibrations]),
    )


def read_weights(path: Path) -> Weights:
    """The weights in a file."""
    try:
        return Weights.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise DataError(
            f"these alignment weights cannot be used: {error}",
            where=str(path),
            fix="make them with benchmarks/fit_alignment.py",
        ) from error


@cache
def weights_of(embedder: str) -> Weights:
    """The packaged weights of an embedder; they are never borrowed from another one."""
    path = data("graphs/alignment") / f"{slug(embedder)}.json"
    if not path.is_file():
        raise UsageError(
            f"no alignment weights were fitted for the embedder {embedder!r}",
            fix=f"fit them with benchmarks/fit_alignment.py --embedder {embedder} [--joined] --out FILE, "
            "then pass weights=FILE",
        )
    return read_weights(path)


def slug(embedder: str) -> str:
    """An embedder's name as a file name."""
    return "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in embedder)
