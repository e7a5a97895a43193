"""Computes generator profiles: what each generator does to the meaning of its prompts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from semiosis.align import ratio_estimate
from semiosis.stats import Estimate
from semiosis.study._audit import audit_statement
from semiosis.study._study import Study
from semiosis.values import (
    CHANGED,
    FATES,
    HSG,
    KEPT,
    MATCHED,
    MODES,
    RECOVERABLE,
    Alignment,
    Fate,
    Mode,
    UsageError,
    brief_repr,
)

Counted = tuple[float, float, str]
"""The terms that a node or an artifact adds to a ratio's numerator and denominator, and its prompt."""


@dataclass(frozen=True)
class NodeShares:
    """The fates of a group of the prompts' nodes, as shares of the group."""

    __repr__ = brief_repr

    matched: Estimate
    """The share that is matched: kept, weakened, split or merged."""
    lost: Estimate
    """The share that is lost."""
    kept: Estimate | None
    """The share that is kept, split or merged; None for alignments by an embedder, which cannot state it."""
    recoverable: Estimate | None
    """The share that is matched or diffused; None for alignments by an embedder."""
    changed: Estimate | None
    """Share of nodes that are resignified or reversed; None for an embedder."""
    by_fate: dict[Fate, Estimate]
    """The share of each fate."""


@dataclass(frozen=True)
class GeneratorRow:
    """What one generator does to the meaning of its prompts. Shares are over nodes of prompts."""

    __repr__ = brief_repr

    generator: str
    """The name of the generator."""
    artifacts: int
    """The number of aligned artifacts."""
    shares: NodeShares
    """Shares of all nodes."""
    by_ground: dict[Mode, NodeShares]
    """Shares by ground, in which each node is weighted by the strength of the ground."""
    by_tradition: dict[str, NodeShares]
    """Shares by tradition of the prompt."""
    literal: Estimate
    """The share of symbols that turned literal: nodes whose strongest ground is symbolic in the prompt and
    iconic in the artifact, among the symbolic nodes whose sign recurs."""
    added: Estimate
    """The number of emergent nodes per artifact."""


@dataclass(frozen=True)
class GeneratorProfile:
    """The profiles of a study's generators, from alignments by one procedure."""

    __repr__ = brief_repr

    rows: tuple[GeneratorRow, ...]
    """One for each generator, the largest matched share first."""
    aligned_by: str
    """The aligner."""
    procedure: str
    """The procedure of the alignments."""
    readers: tuple[str, ...]
    """The interpreters of the prompts and artifacts."""
    condition: str
    """Whether the readings are blind or given."""
    n: int
    """The number of alignments used."""
    n_unaligned: int
    """The number of artifacts with a generator that have no such alignment."""
    audit: str = ""
    """A sentence on whether the embedder was audited on this study; empty for a model or a person."""

    @property
    def stated(self) -> bool:
        """Whether a model or a person stated the fates, so that all eight can occur."""
        return self.rows[0].shares.kept is not None if self.rows else False

    def __str__(self) -> str:
        rows = "; ".join(f"{row.generator}: {row.shares.matched}" for row in self.rows)
        return f"matched shares by {self.aligned_by}: {rows}"


def study_alignments(study: Study, aligner: str = "", condition: str = "blind") -> list[Alignment]:
    """Return the alignments of one procedure and one reader.

    Alignments by a person are preferred to those by a model, and these to those by an embedder, unless the
    person or model aligned only some of the pairs, as in an audit. `aligner` names a person, a model or an
    embedder. Alignments by different aligners, of blind and of given readings, of different readers or
    versions of the prompts, or in different languages are never pooled.
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
        reader, source = alignment.source.interpreter, study.reading(alignment.source.hsg)
        language = source.language if source else ""
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
    groups: dict[str, _GeneratorData] = {}
    for alignment in chosen:  # in the order of the record, so that a prompt's HSG is built once
        groups.setdefault(signs[alignment.target.sign].generator, _GeneratorData()).add(study, alignment)
    rows = [_row(name, made, level) for name, made in groups.items()]
    generated = {sign.id for sign in study.readable.values() if sign.generator}
    readers = {reading.interpreter.name for a in chosen if (reading := study.reading(a.source.hsg))}
    return GeneratorProfile(
        tuple(sorted(rows, key=lambda row: (-float(row.shares.matched), row.generator))),
        chosen[0].aligned_by,
        chosen[0].procedure,
        tuple(sorted(readers)),
        condition,
        len(chosen),
        len(generated - {alignment.target.sign for alignment in chosen}),
        audit_statement(study, chosen),
    )


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of a prompt with its fate in one artifact."""

    fate: Fate
    prompt: str
    tradition: str
    grounds: Mapping[Mode, float]
    weight: float
    """How much it counts; see `AlignedHSG.weights`."""


@dataclass
class _GeneratorData:
    """What is counted for one generator."""

    alignments: list[Alignment] = field(default_factory=list)
    nodes: list[_Node] = field(default_factory=list)
    literal: list[Counted] = field(default_factory=list)

    def add(self, study: Study, alignment: Alignment) -> None:
        """Count the nodes of the prompt that an artifact was made from."""
        source, target = study.hsg(alignment.source.hsg), study.hsg(alignment.target.hsg)
        self.alignments.append(alignment)
        self.nodes += _nodes(study, alignment, source)
        self.literal += _literal(alignment, source, target)


def _row(generator: str, made: _GeneratorData, level: float) -> GeneratorRow:
    alignments, nodes = made.alignments, made.nodes
    stated = alignments[0].aligner != "embedder"

    def shares(chosen: Sequence[_Node], weight: Callable[[_Node], float]) -> NodeShares:
        return _shares([(node, weight(node)) for node in chosen if weight(node)], level, stated=stated)

    traditions = dict.fromkeys(node.tradition for node in nodes if node.tradition)
    emergent = [(len(a.emergent), 1.0, a.source.sign) for a in alignments]
    return GeneratorRow(
        generator,
        len(alignments),
        shares=shares(nodes, _weight),
        by_ground={mode: shares(nodes, _strength(mode)) for mode in MODES},
        by_tradition={
            name: shares([node for node in nodes if node.tradition == name], _weight) for name in traditions
        },
        literal=_ratio("symbols turned literal", made.literal, level),
        added=_ratio("emergent per artifact", emergent, level, highest=np.inf),
    )


def _strength(mode: Mode) -> Callable[[_Node], float]:
    return lambda node: node.weight * node.grounds[mode]


def _weight(node: _Node) -> float:
    return node.weight


def _nodes(study: Study, alignment: Alignment, hsg: HSG | None) -> Iterable[_Node]:
    sign = study.signs.get(alignment.source.sign)
    weights = alignment.source.weights
    for fate in alignment.fates:
        strengths = hsg.semioses[fate.node].grounds.strengths if hsg else (0.0, 0.0, 0.0)
        grounds = dict(zip(MODES, strengths, strict=True))
        yield _Node(
            fate.fate, alignment.source.sign, sign.tradition if sign else "", grounds, weights[fate.node]
        )


def _shares(nodes: Sequence[tuple[_Node, float]], level: float, *, stated: bool) -> NodeShares:
    def share(name: str, fates: Iterable[Fate]) -> Estimate:
        chosen = frozenset(fates)
        counted = [(weight * (node.fate in chosen), weight, node.prompt) for node, weight in nodes]
        return _ratio(name, counted, level)

    return NodeShares(
        matched=share("matched", MATCHED),
        lost=share("lost", ["lost"]),
        kept=share("kept", KEPT) if stated else None,
        recoverable=share("recoverable", RECOVERABLE) if stated else None,
        changed=share("changed", CHANGED) if stated else None,
        by_fate={fate: share(fate, [fate]) for fate in FATES},
    )


def _literal(alignment: Alignment, source: HSG | None, target: HSG | None) -> Iterable[Counted]:
    """Yield, for each symbolic node of the source that recurs, whether it is iconic in the target."""
    if source is None or target is None:
        return
    for fate in alignment.fates:
        if fate.targets and _strongest(source.semioses[fate.node].grounds.strengths) == "symbolic":
            after = target.semioses[fate.targets[0]].grounds.strengths
            yield float(_strongest(after) == "iconic"), 1.0, alignment.source.sign


def _strongest(strengths: tuple[float, float, float]) -> Mode | None:
    """Return the ground that is stronger than both others; None if two are equally strong."""
    best = max(strengths)
    return MODES[strengths.index(best)] if strengths.count(best) == 1 else None


def _ratio(name: str, counted: Sequence[Counted], level: float, highest: float = 1.0) -> Estimate:
    sums: dict[str, list[float]] = {}
    for numerator, denominator, prompt in counted:
        terms = sums.setdefault(prompt, [0.0, 0.0])
        terms[0] += numerator
        terms[1] += denominator
    numerators, denominators = np.array(list(sums.values())).reshape(-1, 2).T
    estimate = ratio_estimate(
        name, numerators, denominators, len(counted), level=level, limits=(0.0, highest)
    )
    return replace(estimate, method="sum over nodes / sum over nodes; t over prompts")
