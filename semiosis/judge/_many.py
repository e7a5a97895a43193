"""Many comparisons at once, in order, with as many calls in flight as the judge's asker allows."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from semiosis.ask import stream
from semiosis.judge._semjudge import SemJudge
from semiosis.values import HSG, CompositeSign, ImageSign, Judge, Outcome, TextSign

What = TypeVar("What", bound=HSG | TextSign | ImageSign | CompositeSign)


def compare_many(judge: Judge, cases: Iterable[tuple[What, What, What]]) -> Iterator[Outcome]:
    """The outcome of each (prompt, a, b), in order, each as soon as it and those before it are there.

    A SemJudge takes signs or HSGs and works on many at once; other judges take HSGs, one after the other.
    """
    if isinstance(judge, SemJudge):
        work = (judge.attempt(*case) for case in cases)
        return stream(work, ahead=judge.asker.ahead)
    return (judge.compare(*case) for case in cases)  # type: ignore[arg-type]  # other judges take HSGs only
