"""The order in which values can be written: what is referred to before what refers to it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from semiosis.store._graph import LABELS
from semiosis.values import HSG, Rating, Recorded, kind_of

_RANK = {label: rank for rank, label in enumerate(dict.fromkeys(LABELS.values()))}
"""`LABELS` lists the kinds of values so that each comes after what it refers to."""


def in_order(values: Iterable[Recorded]) -> list[Recorded]:
    """The values by kind; an HSG after those it was given, a rating after the verdict it is about."""
    ranked = sorted(values, key=lambda value: _RANK[LABELS[kind_of(value)]])
    waiting = {value.id for value in ranked}
    ordered: list[Recorded] = []
    while ranked:
        ready = [value for value in ranked if waiting.isdisjoint(_before(value))]
        ready = ready or ranked  # a circle: the store will say what is missing
        ordered += ready
        waiting -= {value.id for value in ready}
        ranked = [value for value in ranked if value.id in waiting]
    return ordered


def pieces(values: Iterable[Recorded], size: int) -> Iterator[list[Recorded]]:
    """The values, so many at a time."""
    stream = iter(values)
    while piece := list(islice(stream, size)):
        yield piece


def _before(value: Recorded) -> tuple[str, ...]:
    if isinstance(value, HSG):
        return value.reading.given
    return (value.about,) if isinstance(value, Rating) else ()
