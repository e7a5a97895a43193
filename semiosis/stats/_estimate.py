"""Results: a number with its uncertainty, the number of items and the number of items left out."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from semiosis.stats._frames import Record, Result
from semiosis.values import DataError, Unscored

FloatArray = npt.NDArray[np.float64]
"""An array of floats."""
IntArray = npt.NDArray[np.intp]
BoolArray = npt.NDArray[np.bool_]
ResamplingUnit = Literal["prompt", "sign", "pair", "item", "prompt and generator", "prompt and annotator"]
IntervalSide = Literal["two", "lower", "upper"]
ParameterValue = str | float | int | bool | None

UNIT_NOTE: dict[ResamplingUnit, str] = {
    "prompt": "over prompts",
    "sign": "over signs",
    "pair": "over pairs, as in the papers",
    "item": "over items",
    "prompt and generator": "over prompts and generators",
    "prompt and annotator": "over prompts and annotators",
}

MIN_UNITS = 5
"""Below this number of prompts there is no interval."""

FEW_UNITS = 10
"""Below this number of prompts an interval is marked."""


@dataclass(frozen=True)
class Interval:
    """A range of plausible values, estimated from the observed prompts or items."""

    low: float
    """Lower end; −∞ for a one-sided upper interval."""
    high: float
    """Upper end; +∞ for a one-sided lower interval."""
    level: float = 0.95
    """The nominal coverage."""
    method: str = "percentile"
    """`t` (jackknife standard error and Student's t), `percentile`, `bca`, or an exact method such as `F`."""
    side: IntervalSide = "two"
    """`two` ends, or only the `lower` or the `upper` end."""
    dropped: int = 0
    """Resamples in which the statistic was undefined; they are left out of the interval."""
    units: int = 0
    """The number of prompts or items; 0 if the method does not count them."""

    @property
    def has_few_units(self) -> bool:
        """Whether there are so few prompts that the interval is wide and the study a pilot."""
        return 0 < self.units < FEW_UNITS

    def __str__(self) -> str:
        low = "−∞" if math.isinf(self.low) else format_number(self.low)
        high = "∞" if math.isinf(self.high) else format_number(self.high)
        return f"[{low}, {high}]"


@dataclass(frozen=True, kw_only=True)
class Estimate(Result):
    """One statistic with everything that is needed to interpret and recompute it.

    It can be formatted, rounded and compared like its value; without a value this raises DataError.

    >>> krcc = Estimate(name="KRCC", value=0.5, n=10, n_unscored=2)
    >>> print(krcc)
    KRCC 0.500, n = 10, 2 unscored
    >>> f"{krcc:.2f}", round(krcc, 1), krcc > 0.4
    ('0.50', 0.5, True)
    """

    name: str
    """The name of the statistic."""
    value: float | Unscored
    """The number, or the reason why there is none."""
    n: int
    """The number of items."""
    n_unscored: int = 0
    """Items left out because they could not be judged."""
    interval: Interval | Unscored | None = None
    """The interval, the reason why there is none, or None if none was requested."""
    p: float | None = None
    """The p value, if a test was made."""
    unit: ResamplingUnit = "pair"
    """What was resampled or permuted: whole prompts, single pairs (as in the papers), or single items."""
    bounds: tuple[float, float] | None = None
    """The value if every unscored item were wrong, and if every unscored item were right."""
    method: str = ""
    """The name of the formula or of the test."""
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    """The settings used."""
    seed: int | None = None
    """The seed of the random generator, if one was used."""
    converged: bool | None = None
    """Whether an iterative solver reached its tolerance."""
    related: Mapping[str, "float | Unscored | Interval | None"] = field(default_factory=dict)
    """Further numbers that help to interpret the value."""

    def __float__(self) -> float:
        if isinstance(self.value, Unscored):
            raise DataError(
                f"{self.name} has no value: {self.value.detail or self.value.reason}",
                fix="check `scored` before you convert it to a float",
            )
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __lt__(self, other: "Estimate | float") -> bool:
        return float(self) < float(other)

    def __le__(self, other: "Estimate | float") -> bool:
        return float(self) <= float(other)

    def __gt__(self, other: "Estimate | float") -> bool:
        return float(self) > float(other)

    def __ge__(self, other: "Estimate | float") -> bool:
        return float(self) >= float(other)

    @property
    def scored(self) -> bool:
        """Whether there is a number."""
        return not isinstance(self.value, Unscored)

    @property
    def few_units(self) -> str:
        """A warning if the interval has few units, such as "few prompts (8)"; empty otherwise."""
        if not isinstance(self.interval, Interval) or not self.interval.has_few_units:
            return ""
        return f"few {self.unit.replace(' and ', 's or ')}s ({self.interval.units})"

    def record(self) -> Record:
        """Return the estimate as one row of a DataFrame."""
        ends = self.interval if isinstance(self.interval, Interval) else None
        return {
            "name": self.name,
            "value": None if isinstance(self.value, Unscored) else self.value,
            "low": ends.low if ends else None,
            "high": ends.high if ends else None,
            "n": self.n,
            "unscored": self.n_unscored,
            "p": self.p,
        }

    def __str__(self) -> str:
        shown = [f"{self.name} {_format_value(self.value)}"]
        if isinstance(self.interval, Interval) and self.scored:
            shown[0] += f" {self.interval}"
        if isinstance(self.interval, Unscored) and self.scored:
            shown.append(f"no interval: {self.interval.detail or self.interval.reason}")
        if isinstance(self.interval, Interval):
            shown.append(f"{self.interval.level:.0%} {self.interval.method}, {UNIT_NOTE[self.unit]}")
        if self.few_units:
            shown.append(self.few_units)
        if self.p is not None:
            shown.append(f"p = {self.p:.4g}" + (" (pair level)" if self.unit == "pair" else ""))
        shown.append(f"n = {self.n:,}")
        if self.n_unscored:
            shown.append(f"{self.n_unscored:,} unscored")
        prompts, missing = (self.related.get(key) for key in ("prompts", "prompts_unscored"))
        if isinstance(prompts, int | float) and isinstance(missing, int | float) and missing:
            shown.append(f"defined on {prompts:.0f} of {prompts + missing:.0f} prompts")
        if self.bounds is not None and self.n_unscored:
            shown.append(f"bounds {format_number(self.bounds[0])} to {format_number(self.bounds[1])}")
        return ", ".join(shown)


def format_number(value: float, digits: int = 3) -> str:
    """Return a number as tables print it, with a minus sign instead of a hyphen; never a negative zero."""
    return f"{value:z.{digits}f}".replace("-", "−")


def undefined(detail: str) -> Unscored:
    """Return `Unscored` with the reason, for a statistic that the data do not define."""
    return Unscored(reason="undefined", detail=detail)


def defined(value: float, detail: str) -> float | Unscored:
    """Return the value, or unscored with this reason if it is not a finite number."""
    return float(value) if math.isfinite(value) else undefined(detail)


def as_dict(result: object) -> object:
    """Return a result as plain dicts, lists, numbers and text, ready for JSON."""
    if isinstance(result, Unscored):
        return {"unscored": result.reason, "detail": result.detail}
    if is_dataclass(result) and not isinstance(result, type):
        result = {part.name: getattr(result, part.name) for part in fields(result)}
    if isinstance(result, Mapping):
        return {str(key): as_dict(item) for key, item in result.items()}
    if isinstance(result, np.ndarray | np.generic):
        result = result.tolist()
    if isinstance(result, list | tuple):
        return [as_dict(item) for item in result]
    return None if isinstance(result, float) and not math.isfinite(result) else result


def as_json(result: object) -> str:
    """Return a result as JSON text; an infinite or missing number is null.

    >>> as_json({"low": 0.25, "high": float("inf")})
    '{"low": 0.25, "high": null}'
    """
    return json.dumps(as_dict(result), ensure_ascii=False, allow_nan=False)


def _format_value(value: float | Unscored) -> str:
    if isinstance(value, Unscored):
        return f"unscored ({value.detail or value.reason})"
    return format_number(value)
