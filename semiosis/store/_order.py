"""Orders values for writing: each value comes after the values to which it refers."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from semiosis.values import KINDS, Recorded, references

T = TypeVar("T")


def needs(value: Recorded) -> set[str]:
    """Return the ids of the values that this one refers to and does not include."""
    return {reference.value_id for reference in references(value) if not reference.included}


def in_order(values: Iterable[Recorded]) -> Iterator[Recorded]:
    """Yield the values, each after those to which it refers. A value that comes too early is deferred."""
    seen: set[str] = set()
    early: list[Recorded] = []
    for value in values:
        if needs(value) <= seen:
            seen.add(value.id)
            yield value
        else:
            early.append(value)
    yield from _layers(early)


def by_kind(values: Iterable[Recorded]) -> list[Recorded]:
    """Return the values grouped by kind, because a transaction needs fewer statements for fewer kinds."""
    rank = {kind: rank for rank, kind in enumerate(KINDS)}
    return sorted(values, key=lambda value: rank[value.kind])


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of at most `size`."""
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def _layers(values: list[Recorded]) -> Iterator[Recorded]:
    while values:
        waiting = {value.id for value in values}
        ready = [value for value in values if waiting.isdisjoint(needs(value))]
        yield from ready or values  # if references form a cycle, the store reports what is missing
        done = {value.id for value in ready or values}
        values = [value for value in values if value.id not in done]
