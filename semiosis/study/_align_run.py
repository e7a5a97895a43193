"""Aligns every prompt of a study with its artifacts, with an embedder or a model. A run can be resumed."""

import random
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import overload

from semiosis.align import EMBEDDER_METHOD, MODEL_METHOD, Aligner, HSGPair, ModelAligner
from semiosis.ask import Runner
from semiosis.study._cases import ReadingRule, same_conditions
from semiosis.study._read_run import prompts_of
from semiosis.study._record_run import RunRecorder, run_recorded
from semiosis.study._study import Study
from semiosis.values import Alignment, Unscored, UsageError

_CHUNK = 256
"""The number of pairs that an embedder aligns together. They are recorded when the chunk is complete."""


class HSGPairs(Sequence[HSGPair]):
    """Pairs of a study's HSGs. A pair is built each time it is needed, so that memory stays bounded."""

    def __init__(self, study: Study, ids: Sequence[tuple[str, str]]) -> None:
        self.ids = ids
        """The ids of each pair's HSGs."""
        self._study = study

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> HSGPair: ...
    @overload
    def __getitem__(self, index: slice) -> "HSGPairs": ...
    def __getitem__(self, index: int | slice) -> "HSGPair | HSGPairs":
        if isinstance(index, slice):
            return HSGPairs(self._study, self.ids[index])
        source, target = self.ids[index]
        return self._study.hsgs[source], self._study.hsgs[target]

    def at(self, positions: Sequence[int]) -> "HSGPairs":
        """Return the pairs at these positions, in this order."""
        return HSGPairs(self._study, [self.ids[position] for position in positions])

    def without(self, ids: Collection[tuple[str, str]]) -> "HSGPairs":
        """Return the other pairs, in the same order."""
        return HSGPairs(self._study, [pair for pair in self.ids if pair not in ids])


@dataclass(frozen=True)
class AlignmentPlan:
    """The pairs of a study that an aligner has to align."""

    pairs: HSGPairs
    """Every pair that the caller asked for, aligned or not."""
    missing: HSGPairs
    """The pairs to align, in order."""
    refused: tuple[HSGPair, ...] = ()
    """Pairs in two languages or scripts, which the embedder cannot compare. They are not in `missing`."""
    refusal: UsageError | None = None
    """The error that states why they are refused and which readings to repeat."""


def plan_alignments(
    study: Study,
    aligner: Aligner | ModelAligner,
    pairs: HSGPairs,
    *,
    repeat: int = 0,
    limit: int | None = None,
    shuffle: int | None = None,
) -> AlignmentPlan:
    """Return which of these pairs the aligner has to align: those it has not aligned and can compare.

    `shuffle` is the seed of a random order, and `limit` the maximum number of pairs, counted in that order.
    """
    missing = pairs.without(_aligned_ids(study, aligner, repeat))
    refused: list[HSGPair] = []
    refusal = None
    if isinstance(aligner, Aligner):
        refused, refusal = aligner.incomparable(missing)
        missing = missing.without({(source.id, target.id) for source, target in refused})
    if shuffle is not None:
        missing = draw_pairs(missing, len(missing), shuffle)
    return AlignmentPlan(pairs, missing[:limit], tuple(refused), refusal)


def alignment_pairs(study: Study, rule: ReadingRule) -> HSGPairs:
    """Return every reading of a prompt with each comparable reading of its artifacts.

    Both readings have the same interpreter (and so the same version of the prompts), level of detail,
    language and repeat; the prompt's is blind. Without a named interpreter, the readings of all interpreters
    are paired. The order does not depend on the files.
    """
    pairs = [
        (source, target)
        for artifact, prompt in prompts_of(study).items()
        for source, read in study.conditions_of(prompt).items()
        if read.blind and rule.fits(read)
        for target, reading in study.conditions_of(artifact).items()
        if (reading.given == (source,) if rule.given else reading.blind) and same_conditions(read, reading)
    ]
    return HSGPairs(study, sorted(pairs))


def draw_pairs(pairs: HSGPairs, size: int, seed: int) -> HSGPairs:
    """Return a random sample of the pairs, or all of them if there are fewer.

    A larger sample with the same seed contains the smaller one, so that an audit can be extended.
    """
    positions = list(range(len(pairs)))
    random.Random(seed).shuffle(positions)  # noqa: S311  # a sample, not a secret
    return pairs.at(positions[:size])


def _aligned_ids(study: Study, aligner: Aligner | ModelAligner, repeat: int) -> set[tuple[str, str]]:
    return {
        (alignment.source.hsg, alignment.target.hsg)
        for alignment in study.alignments.values()
        if alignment.repeat == repeat and _is_by(alignment, aligner)
    }


def _is_by(alignment: Alignment, aligner: Aligner | ModelAligner) -> bool:
    if isinstance(aligner, ModelAligner):
        return (alignment.method, alignment.evaluator) == (MODEL_METHOD, aligner.evaluator)
    settings = (EMBEDDER_METHOD, aligner.weights.embedder, aligner.weights.version)
    recorded = (alignment.method, alignment.embedder, alignment.weights)
    return alignment.evaluator is None and recorded == settings


def run_alignments(
    study: Study,
    pairs: Sequence[HSGPair],
    aligner: Aligner | ModelAligner,
    *,
    run: str,
    runner: Runner | None = None,
    repeat: int = 0,
    record: bool = True,
) -> Iterator[Alignment | Unscored]:
    """Yield the alignments of pairs as they arrive. Each is recorded before it is yielded."""
    if isinstance(aligner, ModelAligner):
        return _align_by_model(study, pairs, aligner, runner or Runner(aligner.asker), run, repeat, record)
    return _align_by_embedder(study, pairs, aligner, run, record)


def _align_by_embedder(
    study: Study, pairs: Sequence[HSGPair], aligner: Aligner, run: str, record: bool
) -> Iterator[Alignment]:
    recorder = RunRecorder(study, run, record=record)
    for start in range(0, len(pairs), _CHUNK):
        alignments = list(aligner.diff_all(list(pairs[start : start + _CHUNK])))
        for alignment in alignments:
            recorder.add(alignment)
        recorder.flush()
        yield from alignments


def _align_by_model(
    study: Study,
    pairs: Sequence[HSGPair],
    aligner: ModelAligner,
    runner: Runner,
    run: str,
    repeat: int,
    record: bool,
) -> Iterator[Alignment | Unscored]:
    recorder = RunRecorder(study, run, record=record)
    tasks = (aligner.task(source, target, repeat=repeat) for source, target in pairs)
    with closing(run_recorded(recorder, runner, tasks)) as results:
        yield from (done.result for done in results)
