"""Places: where in a sign a meaning is. Spans, boxes, and claims that do not resolve."""

from typing import Annotated, Literal, Self

import shapely
from pydantic import Field, model_validator

from semiosis.values._value import (
    Integer,
    ReplyText,
    Text,
    UnitInterval,
    Value,
)

_THIRD = 1 / 3
_COLUMNS = ("left", "", "right")
_ROWS = ("upper", "", "lower")
_WHOLE = 0.8
"""A box that covers more than this share of the image is called the whole image."""


class Span(Value):
    """A stretch of text, in code points."""

    kind: Literal["span"] = "span"
    """The kind of place in JSON."""
    part: Integer = Field(default=0, ge=0)
    """The part of the sign, counted from 0."""
    start: Integer = Field(ge=0)
    """The first code point."""
    end: Integer = Field(gt=0)
    """One past the last code point."""
    quote: Text = Field(min_length=1)
    """The text between start and end."""

    @model_validator(mode="after")
    def _check_length(self) -> Self:
        if self.end - self.start != len(self.quote):
            raise ValueError(
                f"a span of {self.end - self.start} code points cannot contain the quote {self.quote!r}"
            )
        return self


class Box(Value):
    """A rectangle in an image, as fractions of its width and height after EXIF rotation, from the upper left.

    >>> Box(x0=0, y0=0, x1=0.3, y1=0.25).position
    'upper left'
    """

    kind: Literal["box"] = "box"
    """The kind of place in JSON."""
    part: Integer = Field(default=0, ge=0)
    """The part of the sign, counted from 0."""
    x0: UnitInterval
    """Left edge."""
    y0: UnitInterval
    """Upper edge."""
    x1: UnitInterval
    """Right edge."""
    y1: UnitInterval
    """Lower edge."""

    @model_validator(mode="after")
    def _check_corners(self) -> Self:
        if self.x0 >= self.x1 or self.y0 >= self.y1:
            raise ValueError("a box runs from its upper left to its lower right corner: x0 < x1 and y0 < y1")
        return self

    @property
    def shape(self) -> shapely.Polygon:
        """The box as a shapely polygon."""
        return shapely.box(self.x0, self.y0, self.x1, self.y1)

    @property
    def area(self) -> float:
        """The share of the image that it covers."""
        return float(self.shape.area)

    def overlap(self, other: "Box") -> float:
        """Return the intersection over union with another box."""
        shared = float(self.shape.intersection(other.shape).area)
        union = self.area + other.area - shared
        return shared / union if union else float(self == other)  # a box may be too thin to have an area

    @property
    def position(self) -> str:
        """The position in words: `upper left`, `centre`, `whole image`."""
        if self.area > _WHOLE:
            return "whole image"
        centre = self.shape.centroid
        words = (_ROWS[_third(centre.y)], _COLUMNS[_third(centre.x)])
        return " ".join(word for word in words if word) or "centre"


Place = Annotated[Span | Box, Field(discriminator="kind")]
"""A place in a sign: a span of its text or a box in its image."""


class UnresolvedPlace(Value):
    """A claimed place that does not resolve. It is kept, shown and counted."""

    part: Integer = Field(default=0, ge=0)
    """The part of the sign that the claim is about, counted from 0."""
    claim: ReplyText
    """The quote or box as it was given."""
    reason: ReplyText
    """Why the claim does not resolve."""


def _third(coordinate: float) -> int:
    return min(int(coordinate / _THIRD), 2)
