"""The order in which values can be written: what is referred to before what refers to it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from semiosis.store._graph import LABELS
from semiosis.values import (
    HSG,
    Alignment,
    Answer,
    Comparison,
    CompositeSign,
    ImageSign,
    Question,
    Rating,
    Recorded,
    Score,
    TextSign,
    Verdict,
    kind_of,
)

T = TypeVar("T")

_RANK = {kind: rank for rank, kind in enumerate(LABELS)}

_NEEDS: dict[type, Callable[[Any], Iterable[str | None]]] = {
    **dict.fromkeys((TextSign, ImageSign, CompositeSign), lambda sign: (sign.prompt,)),
    HSG: lambda hsg: (*hsg.reading.given, *hsg.reading.beside),
    Alignment: lambda alignment: (alignment.source.hsg, alignment.target.hsg),
    Comparison: lambda comparison: (comparison.prompt, comparison.a, comparison.b),
    Question: lambda question: (question.sign,),
    Verdict: lambda verdict: (verdict.comparison, *verdict.used, *(c.hsg for c in verdict.citations)),
    Rating: lambda rating: (rating.about.partition("/")[0],),
    Answer: lambda answer: (answer.question, *answer.used),
    Score: lambda score: (score.prompt, score.artifact, *score.used),
}


def needs(value: Recorded) -> set[str]:
    """The ids of the values this one refers to and does not carry along."""
    return {value_id for value_id in _NEEDS[type(value)](value) if value_id}


def in_order(values: Iterable[Recorded]) -> Iterator[Recorded]:
    """The values, each after those of them it refers to. One that comes too early waits until the end."""
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
    """The values grouped by kind: the fewer kinds in a transaction, the fewer statements it takes."""
    return sorted(values, key=lambda value: _RANK[kind_of(value)])


def pieces(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """So many at a time."""
    stream = iter(items)
    while piece := list(islice(stream, size)):
        yield piece


def _layers(values: list[Recorded]) -> Iterator[Recorded]:
    while values:
        waiting = {value.id for value in values}
        ready = [value for value in values if waiting.isdisjoint(needs(value))]
        yield from ready or values  # a circle: the store will say what is missing
        done = {value.id for value in ready or values}
        values = [value for value in values if value.id not in done]
