"""The method as data: one file of calibrated weights per embedder."""

import json
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ValidationError

from semiosis.align._features import FEATURES
from semiosis.align._measures import MEASURES
from semiosis.values import DataError, UsageError, Value, data


def _known(weights: dict[str, float]) -> dict[str, float]:
    if unknown := sorted(set(weights) - set(FEATURES)):
        raise ValueError(f"no such feature: {', '.join(unknown)}")
    return weights


def _known_measure(weights: dict[str, float]) -> dict[str, float]:
    if set(weights) != set(MEASURES):
        raise ValueError(f"measures are {', '.join(MEASURES)}")
    return weights


Linear = Annotated[dict[str, float], AfterValidator(_known)]
"""Weights of named features; their sum is a log-odds."""


class Stage(Value):
    """One look at all pairs of nodes."""

    root: Linear
    """Weights for the pair of roots."""
    node: Linear
    """Weights for any other pair."""


class Calibration(Value):
    """From log-odds to probability: σ(slope · log-odds + intercept)."""

    slope: float
    """Below 1 where the stages are too sure of themselves."""
    intercept: float
    """Moves every probability."""


class Weights(Value):
    """How one embedder's likenesses become matches, as `benchmarks/fit_alignment.py` fitted it."""

    embedder: str
    """Name of the embedder whose cosines these weights are for."""
    version: str
    """Which fit this is; part of every alignment."""
    method: str
    """Name and version of the method the weights belong to."""
    first: Stage
    """Texts and grounds alone."""
    second: Stage
    """The same again, with what the first stage believes of the nodes around."""
    lean: float
    """Added to every log-odds of the first stage to ask who stands in the place of whom, lost or not."""
    cut: float
    """Added to the last log-odds: where the sum is not positive, a node is lost or emergent."""
    root: Calibration
    """Of the pair of roots."""
    node: Calibration
    """Of any other pair."""
    adjudicated: float
    """Probability of a match that an adjudicator chose."""
    kept: Annotated[dict[str, float], AfterValidator(_known_measure)]
    """Weights of the measures of how much of the source the target keeps: log-odds that one target keeps
    more than another, per unit of difference."""


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
            fix=f"fit them with benchmarks/fit_alignment.py --embedder {embedder} --out FILE, "
            "then pass weights=FILE",
        )
    return read_weights(path)


def slug(embedder: str) -> str:
    """An embedder's name as a file name."""
    return "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in embedder)
