"""The shares of source nodes that are matched, kept and recoverable, by group."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from semiosis.align._alignment_audit import ratio_estimate
from semiosis.stats.tools import Estimate, FloatArray
from semiosis.values import (
    CHANGED,
    HSG,
    KEPT,
    MATCHED,
    MODES,
    RECOVERABLE,
    Alignment,
    AnySign,
    Condition,
    Fate,
    Semiosis,
)

GroupedBy = Literal["all", "generator", "ground"]
"""How source nodes are grouped."""


class _Node(NamedTuple):
    """A source node."""

    alignment: Alignment
    fate: Fate
    weight: float
    """How much it counts; see `AlignedHSG.weights`."""


@dataclass(frozen=True)
class FateShares:
    """The shares of one group of source nodes, aligned by one procedure."""

    grouped_by: GroupedBy
    """The kind of group."""
    group: str
    """The generator or the leading ground; `all` for every node."""
    aligned_by: str
    """The kind and name of the aligner."""
    procedure: str
    """The procedure of the alignments. Alignments by different procedures are never pooled."""
    reader: str
    """The reader, and the language if it is stated. Readings by different readers are never pooled."""
    condition: Condition
    """Blind or given readings. The two are never pooled."""
    prompts: int
    """The number of prompts. Intervals are over prompts."""
    alignments: int
    """The number of alignments."""
    nodes: int
    """The number of source nodes."""
    matched: Estimate
    """Share of nodes that are kept, weakened, split or merged, weighted by importance where the readings of
    prompts state it. Comparable across aligners."""
    kept: Estimate | None
    """Share of nodes that are kept, split or merged; None for an embedder, which cannot state these fates."""
    recoverable: Estimate | None
    """Share of nodes that are matched or diffused; None for an embedder, which cannot state these fates."""
    lost: Estimate
    """Share of nodes that are lost. An embedder calls every node lost that it does not match."""
    changed: Estimate | None
    """Share of nodes that are resignified or reversed; None for an embedder, which calls them lost."""


def fate_shares(
    alignments: Iterable[Alignment],
    *,
    signs: Mapping[str, AnySign],
    hsgs: Mapping[str, HSG],
    by: GroupedBy = "all",
) -> list[FateShares]:
    """Return the shares for each combination of group, procedure, reader and condition.

    Alignments of two readings of one sign are left out, because they compare readers and not an artifact with
    its prompt. A node's group is its strongest ground, or `mixed` if there is no single strongest one.
    Repeated alignments do not count. Intervals are Student's t over prompts, for at least five prompts.
    """
    groups: dict[tuple[str, ...], list[_Node]] = {}
    for alignment in alignments:
        if alignment.source.sign == alignment.target.sign or alignment.repeat:
            continue
        reader = _reader(alignment, hsgs)
        weights = alignment.source.weights
        for fate in alignment.fates:
            group = _group(alignment, fate.node, by, signs, hsgs)
            key = alignment.procedure, alignment.source.interpreter, reader, alignment.condition, group
            groups.setdefault(key, []).append(_Node(alignment, fate.fate, weights[fate.node]))
    return [_shares(by, key[-1], key[2], nodes) for key, nodes in sorted(groups.items())]


def _reader(alignment: Alignment, hsgs: Mapping[str, HSG]) -> str:
    hsg = hsgs.get(alignment.source.hsg)
    if hsg is None:
        return alignment.source.interpreter
    return ", ".join(filter(None, (hsg.reading.interpreter.name, hsg.reading.language)))


def leading_ground(semiosis: Semiosis) -> str:
    """Return the strongest ground of a node, or `mixed` if there is no single one."""
    strengths = semiosis.grounds.strengths
    most = max(strengths)
    if not most or strengths.count(most) > 1:
        return "mixed"
    return MODES[strengths.index(most)]


def _group(
    alignment: Alignment, node: str, by: GroupedBy, signs: Mapping[str, AnySign], hsgs: Mapping[str, HSG]
) -> str:
    if by == "generator":
        target = signs.get(alignment.target.sign)
        return (target.generator if target else "") or "unknown"
    if by == "ground":
        source = hsgs.get(alignment.source.hsg)
        return leading_ground(source.semioses[node]) if source else "unknown"
    return "all"


def _shares(by: GroupedBy, group: str, reader: str, nodes: list[_Node]) -> FateShares:
    first = nodes[0][0]
    prompts = list(dict.fromkeys(node.alignment.source.sign for node in nodes))
    stated = first.aligner != "embedder"
    total = _per_prompt(prompts, nodes, frozenset({node.fate for node in nodes}))

    def share(name: str, counted: frozenset[Fate]) -> Estimate:
        return ratio_estimate(name, _per_prompt(prompts, nodes, counted), total, len(nodes))

    return FateShares(
        grouped_by=by,
        group=group,
        aligned_by=first.aligned_by,
        procedure=first.procedure,
        reader=reader,
        condition=first.condition,
        prompts=len(prompts),
        alignments=len({node.alignment.id for node in nodes}),
        nodes=len(nodes),
        matched=share("matched", MATCHED),
        kept=share("kept", KEPT) if stated else None,
        recoverable=share("recoverable", RECOVERABLE) if stated else None,
        lost=share("lost", frozenset({"lost"})),
        changed=share("changed", CHANGED) if stated else None,
    )


def _per_prompt(prompts: list[str], nodes: list[_Node], counted: frozenset[Fate]) -> FloatArray:
    counts = dict.fromkeys(prompts, 0.0)
    for node in nodes:
        counts[node.alignment.source.sign] += node.weight * (node.fate in counted)
    return np.array(list(counts.values()))
