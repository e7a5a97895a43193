"""Builds an HSG from a reply: quotes become spans, boxes are scaled, what does not resolve stays a claim."""

from collections.abc import Iterable, Iterator

from semiosis.ask import Profile
from semiosis.read import _form_nodes, _form_v1
from semiosis.read._request import AnyGraph
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

# The reasons of claims are part of the ids of existing HSGs: do not reword them.
_THOUSAND = 1000


def build(
    graph: AnyGraph, sign: AnySign, reading: Reading, profile: Profile, given: HSG | None = None
) -> HSG:
    """Return the HSG that a model's graph describes."""
    semioses = {node.id: _semiosis(node, sign, profile) for node in graph.nodes}
    tree = [
        Relation(whole=node.parent, part=node.id, relation=node.relation, how=printable(node.how))
        for node in graph.nodes
        if node.id != "root"
    ]
    relations = [*tree, *_free(graph.relations, tree)]
    return HSG(sign, semioses, relations, reading, _absences(graph, given))


def _absences(graph: AnyGraph, given: HSG | None) -> Iterator[Absence]:
    """Yield the absences of a reading that was given the prompt.

    The strict form sends back an absence that names no node of the prompt. One that is still there after the
    re-asks is left out, because nothing was asked for that it could concern. Of two for one node, the first
    counts.
    """
    known = set(given.semioses) if given is not None else set()
    for absent in getattr(graph, "absences", ()):
        node, by = absent.node.removeprefix("P."), _words(absent.instead)
        if given is not None and node in known:
            known.remove(node)
            yield Absence(hsg=given.id, node=node, status="replaced" if by else "missing", by=by)


def _words(text: str) -> str:
    """Return a model's text without control characters, which values refuse, and surrounding white space."""
    return printable(text).strip()


def _semiosis(
    node: _form_v1.TextNode | _form_v1.ImageNode | _form_nodes.Node, sign: AnySign, profile: Profile
) -> Semiosis:
    found: list[Span | Box | UnresolvedPlace] = [_span(quote, sign) for quote in getattr(node, "quotes", ())]
    found += [_box(frame, sign, profile) for frame in getattr(node, "boxes", ())]
    places = tuple(dict.fromkeys(place for place in found if isinstance(place, Span | Box)))
    return Semiosis(
        label=_words(node.label),
        sign=_words(node.sign),
        object=_words(node.object),
        interpretant=_words(node.interpretant),
        dynamic_object=_words(node.dynamic_object),
        grounds=Grounds(
            iconic=Ground(strength=node.iconic / 100, why=printable(node.iconic_why)),
            indexical=Ground(strength=node.indexical / 100, why=printable(node.indexical_why)),
            symbolic=Ground(strength=node.symbolic / 100, why=printable(node.symbolic_why)),
        ),
        places=places,
        unresolved=tuple(claim for claim in found if isinstance(claim, UnresolvedPlace)),
        nowhere="" if places else _words(node.nowhere),
    )


def _span(quote: _form_v1.Quote | _form_nodes.Quote, sign: AnySign) -> Span | UnresolvedPlace:
    part = _part(quote.part, sign, TextSign)
    if part is None:
        return UnresolvedPlace(claim=quote.quote, reason=f"part {quote.part} is no text of this sign")
    text = parts_of(sign)[part]
    assert isinstance(text, TextSign)  # noqa: S101  # checked by _part
    return find_span(text.text, quote.quote, occurrence=quote.occurrence, part=part)


def _box(frame: _form_v1.Frame | _form_nodes.Frame, sign: AnySign, profile: Profile) -> Box | UnresolvedPlace:
    claim = " ".join(map(str, frame.box))
    part = _part(frame.part, sign, ImageSign)
    if part is None:
        return UnresolvedPlace(claim=claim, reason=f"part {frame.part} is no image of this sign")
    edges = [edge for edge in frame.box if isinstance(edge, int)]
    if not len(edges) == len(frame.box) == 4:
        return UnresolvedPlace(part=part, claim=claim, reason="a box has four edges")
    x0, y0, x1, y1 = edges if profile.boxes == "xyxy" else [edges[i] for i in (1, 0, 3, 2)]
    if not all(0 <= edge <= _THOUSAND for edge in edges):
        return UnresolvedPlace(part=part, claim=claim, reason="the box does not lie in the image")
    if x0 >= x1 or y0 >= y1:
        return UnresolvedPlace(part=part, claim=claim, reason="the box has no inside")
    return Box(part=part, x0=x0 / _THOUSAND, y0=y0 / _THOUSAND, x1=x1 / _THOUSAND, y1=y1 / _THOUSAND)


def _part(number: int, sign: AnySign, kind: type[TextSign | ImageSign]) -> int | None:
    """Return the position of a part, which models count from 1. A sign with one part has only that one."""
    parts = parts_of(sign)
    position = 0 if len(parts) == 1 else number - 1
    return position if 0 <= position < len(parts) and isinstance(parts[position], kind) else None


def _free(
    relations: Iterable[_form_v1.FreeRelation | _form_nodes.FreeRelation], tree: list[Relation]
) -> list[Relation]:
    """Return the free relations, at most one per ordered pair, without those that the tree contains."""
    taken = {(relation.whole, relation.part) for relation in tree}
    free = []
    for relation in relations:
        pair = relation.whole, relation.part
        if relation.whole != relation.part and pair not in taken:
            taken.add(pair)
            how = {"relation": relation.relation, "how": printable(relation.how), "hierarchy": False}
            free.append(Relation(whole=relation.whole, part=relation.part, **how))
    return free
