"""Measures how far the readers of a study agree about each sign, compared with readers of different signs."""

from collections.abc import Sequence

from semiosis.align import Aligner, aligner_of, count_length_classes
from semiosis.study._agreement_measures import agreement_groups
from semiosis.study._agreement_result import AgreementUnit, GroupAgreement, ReaderAgreement
from semiosis.study._cases import ReadingRule
from semiosis.study._reading_pairs import draw_unrelated, reading_pairs
from semiosis.study._study import Study
from semiosis.study._tallies import tallies
from semiosis.values import UsageError

MAX_CROSSED = 20_000
"""The maximum number of pairs of different signs in one table. A larger study draws fewer for each pair."""


def reader_agreement(
    study: Study,
    *,
    aligner: Aligner | None = None,
    rule: ReadingRule | None = None,
    readers: Sequence[str] = (),
    unit: AgreementUnit = "prompt",
    crossed: int = 10,
    level: float = 0.95,
    seed: int = 0,
) -> ReaderAgreement:
    """Return how far the readers of a study agree, per sign and overall, compared with chance.

    Chance is the agreement of readers of two different signs with the same medium and different prompts. For
    each pair of readings, `crossed` other signs are drawn with the seed. The unit of the intervals is a
    prompt with its artifacts, or a sign. A sign without a prompt is a unit of its own.
    """
    rule, aligner = rule or ReadingRule(), aligner or aligner_of()
    found = reading_pairs(study, rule, readers)
    pairs = [pair for pair in found.pairs if aligner.can_compare(pair.first, pair.second)]
    if not pairs:
        raise UsageError(
            "no sign has two readings that can be compared",
            where=str(study.folder),
            fix="read the signs again with another reader, or with --repeat 1",
        )
    drawn = max(1, min(crossed, MAX_CROSSED // len(pairs)))
    groups: list[GroupAgreement] = []
    for scope, kinds in sorted({(pair.scope, pair.kinds) for pair in pairs}):
        same_kind = [pair for pair in pairs if (pair.scope, pair.kinds) == (scope, kinds)]
        counted = list(tallies(same_kind, draw_unrelated(same_kind, drawn, seed, aligner), aligner))
        groups += agreement_groups(counted, unit, level)
    return ReaderAgreement(
        groups=tuple(groups),
        condition="given" if rule.given else "blind",
        aligned_by=f"embedder {aligner.weights.embedder}",
        procedure=aligner.procedure,
        length_classes=count_length_classes(aligner.length_class(pair.first, pair.second) for pair in pairs),
        n_single=found.n_single,
        n_refused=len(found.pairs) - len(pairs),
        crossed=drawn,
        unit=unit,
        level=level,
        seed=seed,
        notes=found.notes,
    )
