"""Checks of an HSG: its relations form one tree, and every place lies in its sign."""

from collections.abc import Mapping

from semiosis.values._errors import DataError
from semiosis.values._flat import check_node_id
from semiosis.values._place import Box, Span
from semiosis.values._reading import Absence, Reading
from semiosis.values._semiosis import Relation, Semiosis
from semiosis.values._sign import AnySign, ImageSign, MissingSign, TextSign, parts_of

_ROUNDING = 1e-4
"""Shares have six digits, so a share times the number of readings may differ from an integer by this much."""


def find_root(semioses: Mapping[str, Semiosis], relations: tuple[Relation, ...]) -> str:
    """Return the root, after checking that the graph is a tree with free relations."""
    if not semioses:
        raise DataError("an HSG needs at least its root semiosis", fix="add a root")
    seen: set[tuple[str, str]] = set()
    wholes: dict[str, str] = {}
    for node in semioses:
        check_node_id(node)
    for relation in relations:
        _check_relation(relation, semioses, seen, wholes)
    roots = [node for node in semioses if node not in wholes]
    if len(roots) != 1:
        found = f"{len(roots)} roots ({', '.join(map(repr, roots))})" if roots else "a cycle and no root"
        raise DataError(
            f"an HSG has exactly one root, but this graph has {found}",
            fix="make every other node part of a whole",
        )
    for node in semioses:
        _check_path_to_root(node, roots[0], wholes)
    return roots[0]


def check_sign(sign: AnySign) -> None:
    """Refuse a reading of a picture that was never made."""
    if isinstance(sign, MissingSign):
        raise DataError(f"a missing picture ({sign.reason}) has no reading", fix="read the prompt instead")


def _check_relation(
    relation: Relation, semioses: Mapping[str, Semiosis], seen: set[tuple[str, str]], wholes: dict[str, str]
) -> None:
    pair = relation.whole, relation.part
    for node in pair:
        if node not in semioses:
            raise DataError(
                f"a relation names {node!r}, which does not exist",
                node=node,
                fix=f"nodes are {', '.join(semioses)}",
            )
    if relation.whole == relation.part:
        raise DataError("a semiosis cannot relate to itself", node=relation.part, fix="remove the relation")
    if pair in seen:
        raise DataError(
            f"two relations run from {relation.whole!r} to it",
            node=relation.part,
            fix="keep one per ordered pair",
        )
    seen.add(pair)
    if relation.hierarchy:
        if relation.part in wholes:
            raise DataError(
                f"it is part of both {wholes[relation.part]!r} and {relation.whole!r}",
                node=relation.part,
                fix="keep one whole; make the other a free relation (hierarchy=False)",
            )
        wholes[relation.part] = relation.whole


def _check_path_to_root(node: str, root: str, wholes: Mapping[str, str]) -> None:
    seen = {node}
    at = node
    while at != root:
        at = wholes[at]
        if at in seen:
            raise DataError(
                "it is part of itself through a cycle of wholes",
                node=node,
                fix="make one node of the cycle part of the root",
            )
        seen.add(at)


def check_places(node: str, semiosis: Semiosis, sign: AnySign) -> None:
    parts = parts_of(sign)
    for place in (*semiosis.places, *semiosis.unresolved):
        if place.part >= len(parts):
            raise DataError(
                f"it names part {place.part} of a sign with {len(parts)} part(s)",
                node=node,
                fix="count parts from 0",
            )
    for place in semiosis.places:
        part = parts[place.part]
        if isinstance(place, Span) and not _quotes(place, part):
            raise DataError(
                f"the text at {place.start}–{place.end} is not {place.quote!r}",
                node=node,
                fix="compute the span from the quote with find_span",
            )
        if isinstance(place, Box) and not isinstance(part, ImageSign):
            raise DataError(
                "a box needs an image, but this part is text", node=node, fix="quote the text instead"
            )


def _quotes(span: Span, part: TextSign | ImageSign) -> bool:
    return isinstance(part, TextSign) and part.text[span.start : span.end] == span.quote


def check_sources(node: str, semiosis: Semiosis, reading: Reading) -> None:
    """Refuse a share or sources that do not agree with the merged readings."""
    if semiosis.share is None and not semiosis.sources:
        return
    merged, many = [source.partition("/")[0] for source in semiosis.sources], len(reading.given)
    if (
        not reading.interpreter.merges
        or len(set(merged)) < len(merged)
        or not set(merged) <= set(reading.given)
    ):
        raise DataError(
            "its sources are not nodes of different merged readings",
            node=node,
            fix="name at most one node of each HSG in `given`; only a consensus has sources",
        )
    if semiosis.share is None or abs(semiosis.share * many - len(merged)) > _ROUNDING:
        raise DataError(
            f"its share is {semiosis.share}, but {len(merged)} of {many} merged readings have it",
            node=node,
            fix="divide the number of sources by the number of merged readings",
        )


def check_takes_up(semioses: Mapping[str, Semiosis]) -> None:
    """Refuse a node that takes up the interpretant of an unknown node, or its own through a chain."""
    for node in (node for node, semiosis in semioses.items() if semiosis.takes_up is not None):
        chain = [node]
        while (taken := semioses[chain[-1]].takes_up) is not None:
            if taken not in semioses:
                raise DataError(
                    f"it takes up the interpretant of {taken!r}, which does not exist",
                    node=chain[-1],
                    fix=f"nodes are {', '.join(semioses)}",
                )
            if taken in chain:
                raise DataError(
                    "it takes up its own interpretant, through a cycle",
                    node=node,
                    fix="remove takes_up from one node of the cycle",
                )
            chain.append(taken)


def check_absences(absences: tuple[Absence, ...], reading: Reading) -> None:
    """Refuse an absence that names an HSG the interpreter was not given, or a node twice."""
    seen: set[tuple[str, str]] = set()
    for absence in absences:
        if absence.hsg not in reading.given:
            raise DataError(
                f"an absence names HSG {absence.hsg}, which the reader was not given",
                node=absence.node,
                fix="name a node of an HSG in `given`; a blind reading has no absences",
            )
        if (absence.hsg, absence.node) in seen:
            raise DataError("the same node is absent twice", node=absence.node, fix="keep one absence")
        seen.add((absence.hsg, absence.node))
