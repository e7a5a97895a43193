"""Generator profiles: what each generator does to the meaning of its prompts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats import Estimate, bootstrap
from semiosis.study._audit import audit_statement
from semiosis.study._study import Study
from semiosis.values import FATES, KEPT, MATCHED, MODES, RECOVERABLE, Alignment, Fate, Mode, UsageError

Counted = tuple[float, float, str]
"""How much of something counts, out of how much, in which prompt."""


@dataclass(frozen=True)
class GeneratorRow:
    """What one generator does to the meaning of its prompts. Shares are over nodes of prompts."""

    generator: str
    """Its name."""
    artifacts: int
    """Artifacts that are aligned."""
    matched: Estimate
    """Share of the prompts' nodes that an artifact carries: kept, weakened, split or merged."""
    lost: Estimate
    """Share that nothing carries."""
    kept: Estimate | None
    """Share that is there in full; None where an embedder aligned, which cannot tell."""
    recoverable: Estimate | None
    """Share that is matched or diffused; None where an embedder aligned."""
    by_ground: dict[Mode, Estimate]
    """Matched share by ground; each node counts with the strength of its ground."""
    by_tradition: dict[str, Estimate]
    """Matched share by tradition of the prompt."""
    by_fate: dict[Fate, Estimate]
    """Share of each fate."""
    literal: Estimate
    """Symbols turned literal: of the nodes whose strongest ground is symbolic and whose sign recurs, the
    share whose target node is most strongly iconic."""
    added: Estimate
    """Emergent nodes per artifact."""


@dataclass(frozen=True)
class GeneratorProfile:
    """The profiles of a study's generators, from alignments by one procedure."""

    rows: tuple[GeneratorRow, ...]
    """One for each generator, the largest matched share first."""
    aligned_by: str
    """Who aligned."""
    procedure: str
    """How."""
    readers: tuple[str, ...]
    """Who read the prompts and artifacts."""
    condition: str
    """Whether the readings were blind or given."""
    n: int
    """Alignments used."""
    n_unaligned: int
    """Artifacts with a generator that have no such alignment."""
    audit: str = ""
    """Whether the embedder was audited on this study, and with what result; empty if none aligned."""

    @property
    def stated(self) -> bool:
        """Whether a model or a person aligned, so that all eight fates can occur."""
        return self.rows[0].kept is not None if self.rows else False

    def __str__(self) -> str:
        rows = "; ".join(f"{row.generator}: {row.matched}" for row in self.rows)
        return f"matched shares by {self.aligned_by}: {rows}"


def study_alignments(study: Study, aligner: str = "", condition: str = "blind") -> list[Alignment]:
    """Return the alignments of one procedure and reader: those of a person before a model, an embedder last.

    A person or a model that aligned only some of the pairs, such as those of an audit, comes last of all.
    `aligner` names a person, a model or an embedder. Alignments by different aligners, of blind and of given
    readings, of different readers or versions of the prompts, or in different languages are never pooled.
    """
    found = [a for a in study.alignments.values() if a.condition == condition and a.repeat == 0]
    if aligner:
        found = [a for a in found if aligner in (a.aligned_by, a.aligned_by.partition(" ")[2])]
    if not found:
        known = ", ".join(sorted({a.aligned_by for a in study.alignments.values()})) or "none"
        raise UsageError(
            f"the study has no {condition} alignments" + (f" by {aligner!r}" if aligner else ""),
            where=str(study.folder),
            fix=f"run: semiosis align {study.folder}; aligners in this study: {known}",
        )
    rank = {"person": 0, "model": 1, "embedder": 2}
    groups: dict[tuple[int, str, str, str], list[Alignment]] = {}
    for alignment in found:
        # The version of the prompts is part of the interpreter.
        reader, source = alignment.source.interpreter, study.hsg(alignment.source.hsg)
        language = source.reading.language if source else ""
        key = (rank[alignment.aligner], alignment.procedure, reader, language)
        groups.setdefault(key, []).append(alignment)
    most = max(map(len, groups.values()))
    return min(groups.items(), key=lambda item: (len(item[1]) < most, item[0][0], -len(item[1])))[1]


def generator_profile(
    study: Study, *, aligner: str = "", condition: str = "blind", level: float = 0.95
) -> GeneratorProfile:
    """Return what each generator of a study does to the meaning of its prompts.

    Intervals are Student's t over whole prompts; fewer than five prompts have none.
    """
    signs = study.signs
    chosen = [
        alignment
        for alignment in study_alignments(study, aligner, condition)
        if alignment.target.sign in signs and signs[alignment.target.sign].generator
    ]
    if not chosen:
        raise UsageError("no aligned artifact names its generator", fix="set `generator` on the signs")
    groups: dict[str, list[Alignment]] = {}
    for alignment in chosen:
        groups.setdefault(signs[alignment.target.sign].generator, []).append(alignment)
    rows = [_row(study, name, those, level) for name, those in groups.items()]
    made = {sign.id for sign in signs.values() if sign.generator}
    readers = {hsg.reading.interpreter.name for a in chosen if (hsg := study.hsg(a.source.hsg))}
    return GeneratorProfile(
        tuple(sorted(rows, key=lambda row: (-float(row.matched), row.generator))),
        chosen[0].aligned_by,
        chosen[0].procedure,
        tuple(sorted(readers)),
        condition,
        len(chosen),
        len(made - {alignment.target.sign for alignment in chosen}),
        audit_statement(study, chosen),
    )


def _row(study: Study, generator: str, alignments: Sequence[Alignment], level: float) -> GeneratorRow:
    def share(name: str, counted: Iterable[Counted]) -> Estimate:
        return _ratio(name, list(counted), level)

    def fates(wanted: Iterable[Fate]) -> list[Counted]:
        chosen = frozenset(wanted)
        return [(float(f.fate in chosen), 1.0, a.source.sign) for a in alignments for f in a.fates]

    stated = alignments[0].aligner != "embedder"
    traditions = dict.fromkeys(_tradition(study, a) for a in alignments)
    return GeneratorRow(
        generator,
        len(alignments),
        matched=share("matched", fates(MATCHED)),
        lost=share("lost", fates(["lost"])),
        kept=share("kept", fates(KEPT)) if stated else None,
        recoverable=share("recoverable", fates(RECOVERABLE)) if stated else None,
        by_ground={mode: share(mode, _of_ground(study, alignments, mode)) for mode in MODES},
        by_tradition={
            tradition: share(
                tradition,
                (
                    (float(f.fate in MATCHED), 1.0, a.source.sign)
                    for a in alignments
                    if _tradition(study, a) == tradition
                    for f in a.fates
                ),
            )
            for tradition in traditions
            if tradition
        },
        by_fate={fate: share(fate, fates([fate])) for fate in FATES},
        literal=share("symbols turned literal", _literal(study, alignments)),
        added=share("emergent per artifact", ((len(a.emergent), 1.0, a.source.sign) for a in alignments)),
    )


def _tradition(study: Study, alignment: Alignment) -> str:
    sign = study.signs.get(alignment.source.sign)
    return sign.tradition if sign else ""


def _of_ground(study: Study, alignments: Sequence[Alignment], mode: Mode) -> Iterable[Counted]:
    for alignment in alignments:
        hsg = study.hsg(alignment.source.hsg)
        for fate in alignment.fates if hsg else ():
            strength = getattr(hsg.semioses[fate.node].grounds, mode).strength if hsg else 0.0
            if strength:
                yield strength * (fate.fate in MATCHED), strength, alignment.source.sign


def _literal(study: Study, alignments: Sequence[Alignment]) -> Iterable[Counted]:
    for alignment in alignments:
        source, target = study.hsg(alignment.source.hsg), study.hsg(alignment.target.hsg)
        if source is None or target is None:
            continue
        for fate in alignment.fates:
            if fate.targets and _strongest(source.semioses[fate.node].grounds.strengths) == "symbolic":
                after = target.semioses[fate.targets[0]].grounds.strengths
                yield float(_strongest(after) == "iconic"), 1.0, alignment.source.sign


def _strongest(strengths: tuple[float, float, float]) -> Mode | None:
    """The mode that is stronger than both others; None where two are equally strong."""
    best = max(strengths)
    return MODES[strengths.index(best)] if strengths.count(best) == 1 else None


def _ratio(name: str, counted: Sequence[Counted], level: float) -> Estimate:
    statistic: Callable[..., float] = lambda hits, of: float(hits.sum() / of.sum()) if of.sum() else np.nan  # noqa: E731  # short
    found = bootstrap(
        statistic,
        [hit for hit, _, _ in counted],
        [of for _, of, _ in counted],
        prompts=[prompt for _, _, prompt in counted],
        method="t",
        level=level,
    )
    return replace(found, name=name, method="sum over nodes / sum over nodes; t over prompts", seed=None)
