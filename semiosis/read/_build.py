"""Builds an HSG from a model's reply.

Quotes become spans and boxes become fractions of the image. A place that does not resolve is kept as a claim.
"""

from collections.abc import Iterable, Iterator

from semiosis.ask import Profile
from semiosis.read._form import Graph
from semiosis.read._form_nodes import Frame, FreeRelation, Node, Quote
from semiosis.read._places import SCALE, box_edges
from semiosis.values import (
    HSG,
    Absence,
    AnySign,
    Box,
    Ground,
    Grounds,
    ImageSign,
    Reading,
    Relation,
    Semiosis,
    Span,
    TextSign,
    UnresolvedPlace,
    find_span,
    parts_of,
    printable,
)

_EDGES = 4

# HSG ids hash the reasons of unresolved places below. Rewording one would change the ids of later readings.


def build(graph: Graph, sign: AnySign, reading: Reading, profile: Profile, given: HSG | None = None) -> HSG:
    """Return the HSG that a model's graph describes."""
    semioses = {node.id: _semiosis(node, sign, profile) for node in graph.nodes}
    tree = [
        Relation(whole=node.parent, part=node.id, relation=node.relation, how=printable(node.how))
        for node in graph.nodes
        if node.id != "root"
    ]
    relations = [*tree, *_free_relations(graph.relations, tree)]
    return HSG(sign, semioses, relations, reading, _absences(graph, given))


def _absences(graph: Graph, given: HSG | None) -> Iterator[Absence]:
    """Yield the absences of a reading that was given the prompt.

    The strict form sends back an absence that names no node of the prompt. If the re-asks do not correct it,
    it is left out here. Of two absences for one node, the first counts.
    """
    known = set(given.semioses) if given is not None else set()
    for absent in getattr(graph, "absences", ()):
        node, by = absent.node.removeprefix("P."), _clean(absent.instead)
        if given is not None and node in known:
            known.remove(node)
            yield Absence(hsg=given.id, node=node, status="replaced" if by else "missing", by=by)


def _clean(text: str) -> str:
    """Return a model's text without control characters, which values refuse, and without outer spaces."""
    return printable(text).strip()


def _semiosis(node: Node, sign: AnySign, profile: Profile) -> Semiosis:
    found: list[Span | Box | UnresolvedPlace] = [_span(quote, sign) for quote in getattr(node, "quotes", ())]
    found += [_box(frame, sign, profile) for frame in getattr(node, "boxes", ())]
    places = tuple(dict.fromkeys(place for place in found if isinstance(place, Span | Box)))
    return Semiosis(
        label=_clean(node.label),
        sign=_clean(node.sign),
        object=_clean(node.object),
        interpretant=_clean(node.interpretant),
        dynamic_object=_clean(node.dynamic_object),
        grounds=Grounds(
            iconic=Ground(strength=node.iconic / 100, why=printable(node.iconic_why)),
            indexical=Ground(strength=node.indexical / 100, why=printable(node.indexical_why)),
            symbolic=Ground(strength=node.symbolic / 100, why=printable(node.symbolic_why)),
        ),
        importance=None if node.stated_importance is None else node.stated_importance / 100,
        places=places,
        unresolved=tuple(claim for claim in found if isinstance(claim, UnresolvedPlace)),
        nowhere="" if places else _clean(node.nowhere),
    )


def _span(quote: Quote, sign: AnySign) -> Span | UnresolvedPlace:
    part = _part_index(quote.item, sign, TextSign)
    if part is None:
        return UnresolvedPlace(claim=quote.quote, reason=f"item {quote.item} of the sign is not a text")
    text = parts_of(sign)[part]
    assert isinstance(text, TextSign)  # noqa: S101  # checked by _part_index
    span = find_span(text.text, quote.quote, occurrence=max(1, quote.occurrence), part=part)
    if quote.occurrence < 1 and isinstance(find_span(text.text, quote.quote, occurrence=2), Span):
        reason = "the text contains these words more than once"
        return UnresolvedPlace(part=part, claim=quote.quote, reason=reason)
    return span


def _box(frame: Frame, sign: AnySign, profile: Profile) -> Box | UnresolvedPlace:
    claim = " ".join(map(str, frame.box))
    part = _part_index(frame.item, sign, ImageSign)
    if part is None:
        return UnresolvedPlace(claim=claim, reason=f"item {frame.item} of the sign is not an image")
    edges = [edge for edge in frame.box if isinstance(edge, int)]
    if not len(edges) == len(frame.box) == _EDGES:
        return UnresolvedPlace(part=part, claim=claim, reason="a box needs four whole numbers")
    resolved = box_edges(edges, frame.order or profile.boxes)
    if isinstance(resolved, str):
        return UnresolvedPlace(part=part, claim=claim, reason=resolved)
    x0, y0, x1, y1 = (edge / SCALE for edge in resolved)
    return Box(part=part, x0=x0, y0=y0, x1=x1, y1=y1)


def _part_index(number: int, sign: AnySign, kind: type[TextSign | ImageSign]) -> int | None:
    """Return the index of the part that a model names by a number from 1, or None if it has another kind.

    The number is ignored if the sign has only one part.
    """
    parts = parts_of(sign)
    index = 0 if len(parts) == 1 else number - 1
    return index if 0 <= index < len(parts) and isinstance(parts[index], kind) else None


def _free_relations(relations: Iterable[FreeRelation], tree: list[Relation]) -> list[Relation]:
    """Return the free relations, at most one per ordered pair, without those that the tree contains."""
    pairs = {(relation.whole, relation.part) for relation in tree}
    free = []
    for relation in relations:
        pair = relation.whole, relation.part
        if relation.whole != relation.part and pair not in pairs:
            pairs.add(pair)
            free.append(
                Relation(
                    whole=relation.whole,
                    part=relation.part,
                    relation=relation.relation,
                    how=printable(relation.how),
                    hierarchy=False,
                )
            )
    return free
