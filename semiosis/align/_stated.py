"""Alignments made of the fates that a model or a person states."""

from collections.abc import Iterable
from dataclasses import dataclass

from semiosis.values import (
    HSG,
    MODES,
    AlignedHSG,
    Alignment,
    Box,
    Evaluator,
    Fate,
    NodeFate,
    Semiosis,
    Shift,
    TargetLink,
    UsageError,
    distance_of_fates,
)

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class StatedFate:
    """The fate that an aligner states for one source node."""

    node: str
    """Node of the source."""
    fate: Fate
    """Its fate."""
    targets: tuple[str, ...] = ()
    """The nodes of the target that the fate concerns."""
    why: str = ""
    """The reason in one sentence."""
    p: float = 1.0
    """The probability that the aligner states."""


def alignment_of_fates(
    source: HSG,
    target: HSG,
    stated: Iterable[StatedFate],
    *,
    evaluator: Evaluator,
    method: str,
    repeat: int = 0,
    served: str = "",
) -> Alignment:
    """Return the alignment with these fates. Ground shifts and Δo are computed from them."""
    by_node = {fate.node: fate for fate in stated}
    _check_nodes(source, target, by_node)
    fates = tuple(_node_fate(source, target, by_node[node]) for node in source.semioses)
    side = AlignedHSG.of(source)
    return Alignment(
        source=side,
        target=AlignedHSG.of(target),
        fates=fates,
        distance=distance_of_fates(fates, side.weights),
        method=method,
        evaluator=evaluator,
        repeat=repeat,
        served=served,
    )


def _check_nodes(source: HSG, target: HSG, by_node: dict[str, StatedFate]) -> None:
    """Refuse fates of unknown nodes, unknown targets and nodes without a fate."""
    nodes = ", ".join(source.semioses)
    if unknown := sorted(by_node.keys() - source.semioses.keys()):
        raise UsageError(f"the source has no node {unknown[0]!r}", where=source.id, fix=f"nodes are {nodes}")
    if missing := [node for node in source.semioses if node not in by_node]:
        raise UsageError(
            f"no fate is stated for {', '.join(missing)}",
            where=source.id,
            fix="state one for every node of the source; 'lost' is one",
        )
    named = {target_node for fate in by_node.values() for target_node in fate.targets}
    if unknown := sorted(named - target.semioses.keys()):
        nodes = ", ".join(target.semioses)
        raise UsageError(f"the target has no node {unknown[0]!r}", where=target.id, fix=f"nodes are {nodes}")


def _node_fate(source: HSG, target: HSG, stated: StatedFate) -> NodeFate:
    before = source.semioses[stated.node]
    links = tuple(link(before, target.semioses[name], name) for name in stated.targets)
    return NodeFate(node=stated.node, fate=stated.fate, links=links, p=stated.p, why=stated.why)


def link(before: Semiosis, after: Semiosis, target: str) -> TargetLink:
    """Return the link to a target node, with the shift of the grounds and a comparison of the places."""
    strengths = zip(MODES, before.grounds.strengths, after.grounds.strengths, strict=True)
    shift = Shift(**{mode: round(new - old, _DIGITS) for mode, old, new in strengths})
    return TargetLink(target=target, ground_shift=shift, spatial=_compare_places(before, after))


def _compare_places(before: Semiosis, after: Semiosis) -> str:
    """Return a comparison of the first boxes of two nodes in words, or "" unless both have boxes."""
    source, target = _first_box(before), _first_box(after)
    if source is None or target is None:
        return ""
    same = source.position == target.position
    where = source.position if same else f"{source.position} → {target.position}"
    return f"{where}, overlap {source.overlap(target):.2f}"


def _first_box(node: Semiosis) -> Box | None:
    return next((place for place in node.places if isinstance(place, Box)), None)
