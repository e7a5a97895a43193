"""Measure the speed of alignments with cached vectors and of POT's fused Gromov–Wasserstein.

    python -m benchmarks.alignment_speed --planted DIR [--embedder NAME]

Times are processor times on one thread. Ratios depend on the machine and are not targets.
"""

import argparse
import resource
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from threadpoolctl import threadpool_limits

from benchmarks.peers import fused
from benchmarks.planted import grafted, read_pairs
from semiosis.align import DEFAULT_EMBEDDER, HSGPair, VectorCache, aligner_of, diff, diff_many
from semiosis.align import embedder as embedder_named
from semiosis.align._embedded import embed_hsgs
from semiosis.align._fit import score_pairs
from semiosis.align._measure import ScoredPair
from semiosis.values import HSG

STREAM = 100_000
HSGS = 256
"""The number of HSGs with which the vector cache is measured."""


def main() -> None:
    """Read the arguments, measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--planted", type=Path, required=True, metavar="DIR")
    parser.add_argument("--embedder", default=DEFAULT_EMBEDDER)
    options = parser.parse_args()
    with threadpool_limits(1):
        measure(options.planted, options.embedder)


def measure(folder: Path, embedder: str) -> None:
    """Print milliseconds per pair, the memory of a long stream, and the time for two large graphs."""
    aligner = aligner_of(embedder)
    cases = read_pairs(folder)
    for size in ("small", "large"):
        some = [case for case in cases if case.folder == size]
        pairs = [(case.prompt, case.artifact) for case in some]
        scored = score_pairs(some, aligner.embedder)
        list(aligner.diff_all(pairs))
        ours = best(partial(_diff_each, pairs, embedder)) / len(pairs)
        pot = best(partial(_fuse_each, scored)) / len(pairs)
        print(f"{size}: diff {ours * 1e3:.2f} ms per pair; fused Gromov–Wasserstein {pot * 1e3:.2f} ms")
    print(stream([(case.prompt, case.artifact) for case in cases if case.folder == "small"], embedder))
    source, target = (
        grafted([getattr(case, side) for case in cases], 200) for side in ("prompt", "artifact")
    )
    aligner.diff((source, source))
    list(aligner.diff_all([(target, target)]))
    print(f"200 nodes with 200 nodes: {best(lambda: aligner.diff((source, target))):.3f} s")
    print(cached([case.prompt for case in cases][:HSGS], embedder))


def cached(prompts: list[HSG], name: str) -> str:
    """Return the times to embed HSGs with distinct texts: without a cache, with an empty and a full cache."""
    hsgs = {hsg.id: hsg for hsg in (with_own_words(hsg, number) for number, hsg in enumerate(prompts))}
    plain = embedder_named(name)
    plain.embed(["loads the model"])
    times = []
    for _ in range(3):
        with TemporaryDirectory() as folder:
            cache = VectorCache(plain, Path(folder))
            times.append([seconds(lambda: embed_hsgs(hsgs, by)) for by in (plain, cache, cache)])  # noqa: B023
    without, new, known = (min(column) * 1e3 / len(hsgs) for column in zip(*times, strict=True))
    return f"vectors of an HSG: {without:.2f} ms without the cache, {new:.2f} ms new, {known:.2f} ms known"


def with_own_words(hsg: HSG, number: int) -> HSG:
    """Return the HSG with texts that differ from those of every other HSG."""
    semioses = {
        node: one.model_copy(update={"object": f"{one.object} {number} {node}"})
        for node, one in hsg.semioses.items()
    }
    return HSG(hsg.sign, semioses, hsg.relations, hsg.reading)


def stream(pairs: list[tuple[HSG, HSG]], embedder: str) -> str:
    """Return the time of a stream, and the peak memory after a tenth of it and at its end."""
    found = diff_many((pairs[i % len(pairs)] for i in range(STREAM)), embedder=embedder)
    start = time.process_time()
    peaks = []
    for count in (STREAM // 10, STREAM):
        for _ in islice(found, count):
            pass
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    took = time.process_time() - start
    early, late = peaks
    return f"{STREAM:,} pairs: {took:.0f} s; peak memory {early} MB after a tenth, {late} MB at the end"


def _diff_each(pairs: Iterable[HSGPair], embedder: str) -> None:
    for pair in pairs:
        diff(*pair, embedder=embedder)


def _fuse_each(scored: Iterable[ScoredPair]) -> None:
    for pair in scored:
        fused(pair)


def best(run: Callable[[], object], times: int = 3) -> float:
    """Return the processor seconds of the fastest of a few runs."""
    return min(seconds(run) for _ in range(times))


def seconds(run: Callable[[], object]) -> float:
    """Return the processor seconds of one run."""
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
