"""`diff` and `diff_many`: alignments of one pair, and of a stream of pairs."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from semiosis.align._aligner import HSGPair, aligner_of
from semiosis.align._embedder import DEFAULT_EMBEDDER
from semiosis.align._model_aligner import ModelAligner
from semiosis.ask import map_chunks
from semiosis.values import HSG, Alignment, Embedder


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

    Pairs are aligned in chunks, in this process or on the workers of any `concurrent.futures.Executor`. Each
    HSG of a chunk is sent to a worker once.
    """
    function = partial(_diff_chunk, embedder=embedder, weights=weights, cache=cache)
    for alignments in map_chunks(function, pairs, executor):
        yield from alignments


def _diff_chunk(
    pairs: Sequence[HSGPair], *, embedder: str | Embedder, weights: Path | None, cache: Path | None
) -> list[Alignment]:
    return list(aligner_of(embedder, weights=weights, cache=cache).diff_all(pairs))
