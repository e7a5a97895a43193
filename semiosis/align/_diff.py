"""`diff` and `diff_many`: alignments of HSGs."""

import gc
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from functools import lru_cache
from itertools import islice
from pathlib import Path

from semiosis.align._cache import VectorCache
from semiosis.align._embedder import DEFAULT
from semiosis.align._embedder import embedder as embedder_named
from semiosis.align._match import Scored, score
from semiosis.align._measures import kept
from semiosis.align._model_aligner import ModelAligner
from semiosis.align._result import aligned
from semiosis.align._script import refuse_two_scripts
from semiosis.align._view import View, views_of
from semiosis.align._weights import coefficients, read_weights, weights_of
from semiosis.values import HSG, Alignment, Embedder

HSGPair = tuple[HSG, HSG]

_VIEWS = 4096
"""HSGs whose arrays are kept in memory."""
_CHUNK = 2048
"""HSG pairs that are aligned together."""
_CELLS = 8192
"""Pairs of nodes that are scored together: few enough for the processor's cache."""
_AHEAD = 8
"""Chunks handed to an executor before the first result is fetched, so that memory stays constant."""


class Aligner:
    """Aligns HSGs with one embedder and its weights; keeps the arrays of HSGs it has seen."""

    def __init__(
        self, embedder: str | Embedder = DEFAULT, *, weights: Path | None = None, cache: Path | None = None
    ) -> None:
        chosen = embedder_named(embedder) if isinstance(embedder, str) else embedder
        self.weights = read_weights(weights) if weights else weights_of(chosen.name)
        self.embedder = VectorCache(chosen, cache)
        self._by = coefficients(self.weights)
        self._views: dict[str, View] = {}

    def diff(self, pair: HSGPair) -> Alignment:
        """The alignment of one pair."""
        return aligned(self._score(pair), self._by, self.weights)[0]

    def diff_all(self, pairs: Sequence[HSGPair]) -> Iterator[Alignment]:
        """The alignments of these pairs, in order.

        Nobody looks for garbage while they are made, for there is none; nor after that, if whoever takes them
        keeps none: nothing is made between the last alignment and the first that is handed over, or the
        search would begin there.
        """
        made: dict[int, Alignment] = {}
        in_order = map(made.pop, range(len(pairs)))
        collects = gc.isenabled()
        gc.disable()
        try:
            for indices, scored in self._score_all(pairs):
                made |= zip(indices, aligned(scored, self._by, self.weights), strict=True)
        finally:
            if collects:
                gc.enable()
        yield from in_order

    def kept(self, source: HSG, target: HSG) -> float:
        """How much of the source the target keeps, from 0 to 1."""
        return kept(self._score((source, target)), self.weights)

    def views(self, pair: HSGPair) -> tuple[View, View]:
        """The arrays of two HSGs, which are comparable."""
        source, target = self._see([pair])[0]
        if source.script != target.script:
            self._refuse_two_scripts(source, target)
        return source, target

    def _score(self, pair: HSGPair) -> Scored:
        return score([self.views(pair)], self._by)

    def _score_all(self, pairs: Sequence[HSGPair]) -> Iterator[tuple[list[int], Scored]]:
        """Every pair of nodes, scored together for HSG pairs of one size; with where those pairs stand."""
        views = self._see(pairs)
        by_size: dict[tuple[int, int], list[int]] = defaultdict(list)
        for index, (source, target) in enumerate(views):
            if source.script != target.script:
                self._refuse_two_scripts(source, target)
            by_size[len(source.nodes), len(target.nodes)].append(index)
        for (n, m), indices in by_size.items():
            block = max(_CELLS // (n * m), 1)
            for start in range(0, len(indices), block):
                some = indices[start : start + block]
                yield some, score([views[index] for index in some], self._by)

    def _refuse_two_scripts(self, source: View, target: View) -> None:
        if not self.embedder.multilingual:
            refuse_two_scripts(source.script, target.script, self.embedder.name)

    def _see(self, pairs: Sequence[HSGPair]) -> list[tuple[View, View]]:
        """The arrays of these HSGs; those not seen before take one call to the embedder."""
        if len(self._views) > _VIEWS:
            self._views.clear()
        new = {hsg.id: hsg for pair in pairs for hsg in pair if hsg.id not in self._views}
        if new:
            self._views |= views_of(new, self.embedder, joined=self.weights.joined)
        return [(self._views[source.id], self._views[target.id]) for source, target in pairs]


def diff(
    source: HSG,
    target: HSG,
    *,
    embedder: str | Embedder = DEFAULT,
    weights: Path | None = None,
    cache: Path | None = None,
    aligner: str | ModelAligner | None = None,
) -> Alignment:
    """What the target keeps of the source's meaning, what it loses and what it adds.

    `aligner` is a model that states the fates, such as `anthropic/claude-sonnet-5`; without one, an embedder
    compares the texts.

    `cache` is the folder that keeps vectors, such as a study's `.semiosis`; the user's cache folder
    if it is not given.
    """
    if aligner is not None:
        return (ModelAligner(aligner) if isinstance(aligner, str) else aligner).align(source, target)
    return aligner_of(embedder, weights=weights, cache=cache).diff((source, target))


def diff_many(
    pairs: Iterable[HSGPair],
    *,
    embedder: str | Embedder = DEFAULT,
    weights: Path | None = None,
    cache: Path | None = None,
    executor: Executor | None = None,
) -> Iterator[Alignment]:
    """The alignments of a stream of HSG pairs, in order and in constant memory.

    Pairs are aligned in chunks, here or on the workers of any `concurrent.futures.Executor`.
    """
    if executor is None:
        aligner = aligner_of(embedder, weights=weights, cache=cache)
        for chunk in _chunks(pairs):
            yield from aligner.diff_all(chunk)
        return
    waiting: deque[Future[list[Alignment]]] = deque()
    for chunk in _chunks(pairs):
        waiting.append(executor.submit(_diff_chunk, chunk, embedder, weights, cache))
        if len(waiting) >= _AHEAD:
            yield from waiting.popleft().result()
    for future in waiting:
        yield from future.result()


def _diff_chunk(
    chunk: Sequence[HSGPair], embedder: str | Embedder, weights: Path | None, cache: Path | None
) -> list[Alignment]:
    return list(aligner_of(embedder, weights=weights, cache=cache).diff_all(chunk))


def _chunks(pairs: Iterable[HSGPair]) -> Iterator[list[HSGPair]]:
    stream = iter(pairs)
    while chunk := list(islice(stream, _CHUNK)):
        yield chunk


def aligner_of(
    embedder: str | Embedder = DEFAULT, *, weights: Path | None = None, cache: Path | None = None
) -> Aligner:
    """An aligner; the one made before for an embedder's name, so that models load once."""
    if isinstance(embedder, str):
        return _named_aligner(embedder, weights, cache)
    return Aligner(embedder, weights=weights, cache=cache)


@lru_cache(maxsize=8)
def _named_aligner(embedder: str, weights: Path | None, cache: Path | None) -> Aligner:
    return Aligner(embedder, weights=weights, cache=cache)
