"""`diff` and `diff_many`: alignments of one pair, and of a stream of pairs."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from itertools import islice
from pathlib import Path

from semiosis.align._aligner import HSGPair, aligner_of
from semiosis.align._embedder import DEFAULT_EMBEDDER
from semiosis.align._model_aligner import ModelAligner
from semiosis.values import HSG, Alignment, Embedder, from_json, to_json

_CHUNK = 256
"""The number of pairs that are aligned together."""
_MAX_WAITING_CHUNKS = 8
"""The number of chunks given to an executor before results are fetched, so that memory stays constant."""


def diff(
    source: HSG,
    target: HSG,
    *,
    embedder: str | Embedder = DEFAULT_EMBEDDER,
    weights: Path | None = None,
    cache: Path | None = None,
    aligner: str | ModelAligner | None = None,
) -> Alignment:
    """Return the alignment of two HSGs: what the target keeps of the source's meaning, loses and adds.

    `aligner` is a model that states the fates, such as `anthropic/claude-sonnet-5`; without one, an embedder
    compares the texts. `weights` is a file of the embedder's parameters; the default is the packaged file.
    `cache` is the folder that keeps vectors, such as a study's `.semiosis`; the default is the user's cache
    folder.
    """
    if aligner is not None:
        return (ModelAligner(aligner) if isinstance(aligner, str) else aligner).align(source, target)
    return aligner_of(embedder, weights=weights, cache=cache).diff((source, target))


def diff_many(
    pairs: Iterable[HSGPair],
    *,
    embedder: str | Embedder = DEFAULT_EMBEDDER,
    weights: Path | None = None,
    cache: Path | None = None,
    executor: Executor | None = None,
) -> Iterator[Alignment]:
    """Return the alignments of a stream of HSG pairs, in order and in constant memory.

    Pairs are aligned in chunks, in this process or on the workers of any `concurrent.futures.Executor`.
    Workers receive each HSG of a chunk once, as JSON, because pickling a graph takes longer than aligning it.
    """
    chunks = _chunks(pairs)
    if executor is None:
        aligner = aligner_of(embedder, weights=weights, cache=cache)
        for chunk in chunks:
            yield from aligner.diff_all(chunk)
        return
    waiting: deque[Future[list[Alignment]]] = deque()
    for chunk in chunks:
        hsgs = {hsg.id: to_json(hsg) for pair in chunk for hsg in pair}
        ids = [(source.id, target.id) for source, target in chunk]
        waiting.append(executor.submit(_diff_chunk, hsgs, ids, embedder, weights, cache))
        if len(waiting) >= _MAX_WAITING_CHUNKS:
            yield from waiting.popleft().result()
    for future in waiting:
        yield from future.result()


def _diff_chunk(
    hsgs: dict[str, str],
    pairs: Sequence[tuple[str, str]],
    embedder: str | Embedder,
    weights: Path | None,
    cache: Path | None,
) -> list[Alignment]:
    """Return the alignments of one chunk, on a worker."""
    parsed = {id_: _parse(line) for id_, line in hsgs.items()}
    aligner = aligner_of(embedder, weights=weights, cache=cache)
    return list(aligner.diff_all([(parsed[source], parsed[target]) for source, target in pairs]))


def _parse(line: str) -> HSG:
    hsg = from_json(line)
    if not isinstance(hsg, HSG):
        raise TypeError(f"expected an HSG, got {type(hsg).__name__}")
    return hsg


def _chunks(pairs: Iterable[HSGPair]) -> Iterator[list[HSGPair]]:
    stream = iter(pairs)
    while chunk := list(islice(stream, _CHUNK)):
        yield chunk
