"""Plans the alignments of every prompt of a study with its artifacts, by an embedder or a model."""

import random
from collections.abc import Collection, Sequence
from functools import partial
from typing import overload

from semiosis.align import DEFAULT_EMBEDDER, EMBEDDER_METHOD, MODEL_METHOD, Aligner, HSGPair, ModelAligner
from semiosis.study._cases import ReadingRule, same_conditions
from semiosis.study._hsg_index import HSGPlace, hsg_at, place_of
from semiosis.study._manifest import PlannedEvaluator, alignment_identity
from semiosis.study._read_run import prompts_of
from semiosis.study._settings import EvaluatorSettings, ModelSettings
from semiosis.study._study import Study
from semiosis.study._work import Computation, LazyTasks, WorkPlan
from semiosis.values import Alignment, Unscored

PlacePair = tuple[HSGPlace, HSGPlace]


class HSGPairs(Sequence[HSGPair]):
    """Pairs of a study's HSGs. A pair is built each time it is needed, so that memory stays bounded."""

    def __init__(self, study: Study, ids: Sequence[tuple[str, str]], rule: ReadingRule | None = None) -> None:
        self.ids = ids
        """The ids of each pair's HSGs."""
        self.rule = rule or ReadingRule()
        """The rule that selected the readings."""
        self._study = study

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> HSGPair: ...
    @overload
    def __getitem__(self, index: slice) -> "HSGPairs": ...
    def __getitem__(self, index: int | slice) -> "HSGPair | HSGPairs":
        if isinstance(index, slice):
            return HSGPairs(self._study, self.ids[index], self.rule)
        source, target = self.ids[index]
        return self._study.hsgs[source], self._study.hsgs[target]

    def at(self, positions: Sequence[int]) -> "HSGPairs":
        """Return the pairs at these positions, in this order."""
        return HSGPairs(self._study, [self.ids[position] for position in positions], self.rule)

    def without(self, ids: Collection[tuple[str, str]]) -> "HSGPairs":
        """Return the other pairs, in the same order."""
        return HSGPairs(self._study, [pair for pair in self.ids if pair not in ids], self.rule)


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
    return HSGPairs(study, sorted(pairs), rule)


def draw_pairs(pairs: HSGPairs, size: int, seed: int) -> HSGPairs:
    """Return a random sample of the pairs, or all of them if there are fewer.

    A larger sample with the same seed contains the smaller one, so that an audit can be extended.
    """
    positions = list(range(len(pairs)))
    random.Random(seed).shuffle(positions)  # noqa: S311  # a sample, not a secret
    return pairs.at(positions[:size])


def plan_alignments(
    study: Study,
    aligner: Aligner | ModelAligner,
    pairs: HSGPairs,
    *,
    repeat: int = 0,
    limit: int | None = None,
    shuffle: int | None = None,
) -> WorkPlan[Alignment | Unscored]:
    """Return the plan of those of these pairs that the aligner has not aligned.

    `shuffle` is the seed of a random order, and `limit` the maximum number of pairs, counted in that order.
    An embedder leaves pairs in two languages or scripts unscored, because it cannot compare them.
    """
    missing = pairs.without(_aligned_ids(study, aligner, repeat))
    if shuffle is not None:
        missing = draw_pairs(missing, len(missing), shuffle)
    missing = missing[:limit]
    planned = (_planned(aligner, pairs.rule, repeat),)
    if isinstance(aligner, ModelAligner):
        tasks = LazyTasks(missing, lambda pair: aligner.task(*pair, repeat=repeat))
        return WorkPlan(tasks, evaluators=planned, asker=aligner.asker)
    places = [(place_of(study.hsgs, source), place_of(study.hsgs, target)) for source, target in missing.ids]
    computation = Computation(partial(align_places, aligner=aligner), places)
    return WorkPlan(computation=computation, evaluators=planned)


def align_places(pairs: Sequence[PlacePair], aligner: Aligner) -> list[Alignment | Unscored]:
    """Return the alignments of HSGs that are read from their places, in order.

    A worker reads the HSGs itself, because sending them takes longer than aligning them.
    """
    hsgs = {place.id: hsg_at(place) for pair in pairs for place in pair}
    built = [(hsgs[source.id], hsgs[target.id]) for source, target in pairs]
    refused, error = aligner.incomparable(built)
    refused_ids = {(source.id, target.id) for source, target in refused}
    comparable = [pair for pair in built if (pair[0].id, pair[1].id) not in refused_ids]
    alignments = aligner.diff_all(comparable) if comparable else iter(())
    unscored = Unscored(reason="undefined", detail=str(error))
    return [
        unscored if (source.id, target.id) in refused_ids else next(alignments) for source, target in built
    ]


def _planned(aligner: Aligner | ModelAligner, rule: ReadingRule, repeat: int) -> PlannedEvaluator:
    condition = "given" if rule.given else "blind"
    identity = alignment_identity(aligner.procedure, condition, repeat)
    if isinstance(aligner, ModelAligner):
        name, model = "model", ModelSettings.of(aligner.model)
    else:
        embedder = aligner.weights.embedder
        name, model = "embedder" if embedder == DEFAULT_EMBEDDER else f"embedder:{embedder}", None
    settings = EvaluatorSettings(
        type="aligner", name=name, model=model, rule=rule, options={"repeat": repeat}
    )
    return PlannedEvaluator(identity, aligner.aligned_by, settings)


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
