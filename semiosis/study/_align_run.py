"""Aligns every prompt of a study with its artifacts, with an embedder or a model; resumable."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from semiosis.align import EMBEDDER_METHOD, MODEL_METHOD, Aligner, ModelAligner
from semiosis.ask import Runner
from semiosis.study._cases import ReadingRule
from semiosis.study._read_run import prompts_of
from semiosis.study._record_run import RunRecorder
from semiosis.study._study import Study
from semiosis.values import HSG, Alignment, Reading, Unscored, UsageError

HSGPair = tuple[HSG, HSG]

_CHUNK = 256
"""Pairs that an embedder aligns together; the record has them when a chunk is complete."""


@dataclass(frozen=True)
class AlignmentPlan:
    """The pairs of a study that an aligner has to align."""

    pairs: tuple[HSGPair, ...]
    """Every pair that was asked for, aligned or not."""
    missing: tuple[HSGPair, ...]
    """The pairs to align, in this order."""
    refused: tuple[HSGPair, ...] = ()
    """Pairs in two languages or scripts, which the embedder cannot compare. They are not in `missing`."""
    refusal: UsageError | None = None
    """Why they are refused, and which readings to make again."""


def plan_alignments(
    study: Study,
    aligner: Aligner | ModelAligner,
    pairs: Sequence[HSGPair],
    *,
    repeat: int = 0,
    limit: int | None = None,
    shuffle: int | None = None,
) -> AlignmentPlan:
    """Return which of these pairs the aligner has to align: those it has not aligned and can compare.

    `limit` takes the first so many, `shuffle` puts them into a random order by a seed.
    """
    missing = _missing_pairs(study, pairs, aligner, repeat)
    refused: list[HSGPair] = []
    refusal = None
    if isinstance(aligner, Aligner):
        refused, refusal = aligner.incomparable(missing)
        left_out = set(refused)
        missing = [pair for pair in missing if pair not in left_out]
    if shuffle is not None:
        missing = draw_pairs(missing, len(missing), shuffle)
    return AlignmentPlan(tuple(pairs), tuple(missing[:limit]), tuple(refused), refusal)


def alignment_pairs(study: Study, rule: ReadingRule) -> list[HSGPair]:
    """Return every reading of a prompt with each comparable reading of its artifacts.

    Both readings are by one interpreter (and so with one version of the prompts), at one depth, in one
    language and in one repeat; the prompt's is blind. Without a named interpreter, the readings of all
    interpreters are paired. The order does not depend on the files.
    """
    pairs = [
        (source, target)
        for artifact, prompt in prompts_of(study).items()
        for source in study.readings(prompt)
        for target in study.readings(artifact)
        if _fits(source, target, rule)
    ]
    return sorted(pairs, key=lambda pair: (pair[0].id, pair[1].id))


def _fits(source: HSG, target: HSG, rule: ReadingRule) -> bool:
    given = target.reading.given == (source.id,) if rule.given else target.blind
    return (
        source.blind
        and given
        and rule.fits(source)
        and _made_alike(source.reading) == _made_alike(target.reading)
    )


def _made_alike(reading: Reading) -> tuple[object, ...]:
    """Return what two readings share if they can be aligned."""
    return reading.interpreter, reading.detail, reading.language, reading.repeat


def draw_pairs(pairs: Sequence[HSGPair], many: int, seed: int) -> list[HSGPair]:
    """Return a random sample of the pairs by a seed; all of them if there are not so many.

    A larger sample by the same seed contains the smaller one, so that an audit can be extended.
    """
    order = list(pairs)
    random.Random(seed).shuffle(order)  # noqa: S311  # a sample, not a secret
    return order[:many]


def _missing_pairs(
    study: Study, pairs: Sequence[HSGPair], aligner: Aligner | ModelAligner, repeat: int
) -> list[HSGPair]:
    known = {
        (found.source.hsg, found.target.hsg)
        for found in study.alignments.values()
        if _is_by(found, aligner) and found.repeat == repeat
    }
    return [pair for pair in pairs if (pair[0].id, pair[1].id) not in known]


def _is_by(found: Alignment, aligner: Aligner | ModelAligner) -> bool:
    if isinstance(aligner, ModelAligner):
        return (found.method, found.evaluator) == (MODEL_METHOD, aligner.evaluator)
    made = (EMBEDDER_METHOD, aligner.weights.embedder, aligner.weights.version)
    return found.evaluator is None and (found.method, found.embedder, found.weights) == made


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
    """Align pairs and yield the results as they arrive; alignments are recorded first."""
    if isinstance(aligner, ModelAligner):
        return _by_model(study, pairs, aligner, runner or Runner(aligner.asker), run, repeat, record)
    return _by_embedder(study, pairs, aligner, run, record)


def _by_embedder(
    study: Study, pairs: Sequence[HSGPair], aligner: Aligner, run: str, record: bool
) -> Iterator[Alignment]:
    recorder = RunRecorder(study, run, record=record)
    for start in range(0, len(pairs), _CHUNK):
        found = list(aligner.diff_all(pairs[start : start + _CHUNK]))
        for alignment in found:
            recorder.add(alignment)
        recorder.flush()
        yield from found


def _by_model(
    study: Study,
    pairs: Sequence[HSGPair],
    aligner: ModelAligner,
    runner: Runner,
    run: str,
    repeat: int,
    record: bool,
) -> Iterator[Alignment | Unscored]:
    recorder = RunRecorder(study, run, record=record)
    executing = runner.run(aligner.task(source, target, repeat=repeat) for source, target in pairs)
    try:
        with closing(executing):
            for done in executing:
                recorder.add(done.result)
                yield done.result
    finally:
        recorder.flush()
