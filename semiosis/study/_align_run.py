"""Aligns every prompt of a study with its artifacts, and audits the embedder against a model or a person."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing

from semiosis.align import METHOD, MODEL_METHOD, Aligner, ModelAligner
from semiosis.ask import Runner
from semiosis.stats import Audit, audit_alignments
from semiosis.study._cases import ReadingRule
from semiosis.study._read_run import prompts_of
from semiosis.study._record_run import RunRecorder
from semiosis.study._study import Study
from semiosis.values import HSG, Alignment, Reading, Unscored

HSGPair = tuple[HSG, HSG]

_CHUNK = 256


def alignment_pairs(study: Study, rule: ReadingRule) -> list[HSGPair]:
    """Return every reading of a prompt with each reading of its artifacts that is comparable.

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
    """Return a random sample of the pairs by a seed; all of them if there are not so many."""
    return random.Random(seed).sample(list(pairs), min(many, len(pairs)))  # noqa: S311  # a sample, not a secret


def missing_pairs(
    study: Study, pairs: Sequence[HSGPair], aligner: Aligner | ModelAligner, *, repeat: int = 0
) -> list[HSGPair]:
    """Return the pairs that this aligner has not aligned yet."""
    known = {
        (found.source.hsg, found.target.hsg)
        for found in study.alignments.values()
        if _is_by(found, aligner) and found.repeat == repeat
    }
    return [pair for pair in pairs if (pair[0].id, pair[1].id) not in known]


def _is_by(found: Alignment, aligner: Aligner | ModelAligner) -> bool:
    if isinstance(aligner, ModelAligner):
        return (found.method, found.evaluator) == (MODEL_METHOD, aligner.evaluator)
    made = (METHOD, aligner.weights.embedder, aligner.weights.version)
    return found.evaluator is None and (found.method, found.embedder, found.weights) == made


def align_by_embedder(
    study: Study, pairs: Sequence[HSGPair], aligner: Aligner, *, run: str
) -> Iterator[Alignment]:
    """Align pairs with an embedder and yield the alignments; they are recorded chunk by chunk."""
    for start in range(0, len(pairs), _CHUNK):
        recorder = RunRecorder(study, run)
        found = list(aligner.diff_all(pairs[start : start + _CHUNK]))
        for alignment in found:
            recorder.add(alignment)
        recorder.flush()
        yield from found


def align_by_model(
    study: Study,
    pairs: Sequence[HSGPair],
    aligner: ModelAligner,
    runner: Runner,
    *,
    run: str,
    repeat: int = 0,
    record: bool = True,
) -> Iterator[Alignment | Unscored]:
    """Let a model align pairs and yield results as they arrive; alignments are recorded first."""
    recorder = RunRecorder(study, run, record=record)
    executing = runner.run([aligner.task(source, target, repeat=repeat) for source, target in pairs])
    try:
        with closing(executing):
            for done in executing:
                recorder.add(done.result)
                yield done.result
    finally:
        recorder.flush()


def study_audits(study: Study, *, seed: int = 0) -> list[Audit]:
    """Return how each embedder of a study agrees with each model or person that aligned the same pairs.

    Nothing of an audit is stored but the alignments: the figures are computed from them. Blind and given
    readings are never pooled; only blind ones count here.
    """
    blind = [found for found in study.alignments.values() if found.condition == "blind" and not found.repeat]
    groups: dict[str, list[Alignment]] = {}
    for found in blind:
        groups.setdefault(found.procedure, []).append(found)
    embedders = [group for group in groups.values() if group[0].aligner == "embedder"]
    references = [group for group in groups.values() if group[0].aligner != "embedder"]
    audits = [audit_alignments(one, other, seed=seed) for one in embedders for other in references]
    return [audit for audit in audits if audit is not None]


def audit_statement(study: Study, alignments: Sequence[Alignment]) -> str:
    """Return whether these alignments were audited on this study, and with what result."""
    screened = dict.fromkeys(found.procedure for found in alignments if found.aligner == "embedder")
    if not screened:
        return ""
    audits = [audit for audit in study_audits(study) if audit.embedder in screened]
    if not audits:
        return (
            "The embedder's alignments were not audited on this study: "
            "semiosis align STUDY --audit 30 --model PROVIDER/MODEL"
        )
    return " ".join(f"The embedder was {audit}." for audit in audits)
