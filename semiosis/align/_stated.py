"""Alignments from stated fates: what a model answered or a person wrote, as an `Alignment`."""

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
    distance_of_fates,
)

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class StatedFate:
    """What an aligner said about one source node."""

    node: str
    """Node of the source."""
    fate: Fate
    """What became of it."""
    targets: tuple[str, ...] = ()
    """Nodes of the target concerned."""
    why: str = ""
    """The reason in one sentence."""
    p: float = 1.0
    """How sure the aligner is."""


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
    """Return the alignment that a model or a person stated, with ground shifts and Δo computed from it."""
    by_node = {said.node: said for said in stated}
    fates = tuple(_fate(source, target, by_node[node]) for node in source.semioses if node in by_node)
    return Alignment(
        source=AlignedHSG.of(source),
        target=AlignedHSG.of(target),
        fates=fates,
        distance=distance_of_fates(fates),
        method=method,
        evaluator=evaluator,
        repeat=repeat,
        served=served,
    )


def _fate(source: HSG, target: HSG, said: StatedFate) -> NodeFate:
    before = source.semioses[said.node]
    links = tuple(link(before, target.semioses[name], name) for name in said.targets)
    return NodeFate(node=said.node, fate=said.fate, links=links, p=said.p, why=said.why)


def link(before: Semiosis, after: Semiosis, target: str) -> TargetLink:
    """Return the link to a target node: how the grounds moved, and how the two places compare."""
    moved = zip(MODES, before.grounds.strengths, after.grounds.strengths, strict=True)
    shift = Shift(**{mode: round(new - old, _DIGITS) for mode, old, new in moved})
    return TargetLink(target=target, ground_shift=shift, spatial=_compare_places(before, after))


def _compare_places(before: Semiosis, after: Semiosis) -> str:
    """How the first boxes of two nodes compare, in words; empty unless both have boxes."""
    here, there = _first_box(before), _first_box(after)
    if here is None or there is None:
        return ""
    same = here.position == there.position
    where = here.position if same else f"{here.position} → {there.position}"
    return f"{where}, overlap {here.overlap(there):.2f}"


def _first_box(node: Semiosis) -> Box | None:
    return next((place for place in node.places if isinstance(place, Box)), None)
