"""The Hierarchical Semiosis Graph: a frozen NetworkX graph of semioses, and the reading that made it."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Self

import networkx as nx

from semiosis.values._errors import DataError
from semiosis.values._flat import (
    WORDS,
    Attributes,
    by_mode,
    check_name,
    flat_semiosis,
    relation_of,
    semiosis_of,
)
from semiosis.values._place import Box, Span
from semiosis.values._reading import Reading
from semiosis.values._semiosis import Relation, Semiosis
from semiosis.values._sign import CompositeSign, ImageSign, TextSign, parts_of
from semiosis.values._value import ReadOnlyDict, content_id

if TYPE_CHECKING:
    _Base = nx.DiGraph[str]
else:
    _Base = nx.DiGraph

_PLACE_FIELDS = {
    "span": ("kind", "part", "start", "end", "quote"),
    "box": ("kind", "part", "x0", "y0", "x1", "y1"),
}


class HSG(_Base):
    """A frozen, rooted graph of semioses (SemJudge, section 4).

    Edges run whole → part. `copy`, `subgraph`, `reverse` and the like give plain, editable
    `networkx.DiGraph`s; `HSG.from_graph` checks one back into an HSG. Two HSGs are equal when their ids are.
    """

    _node: dict[str, dict[str, Any]]
    _succ: dict[str, dict[str, dict[str, Any]]]
    _pred: dict[str, dict[str, dict[str, Any]]]
    frozen = True
    """What `networkx.is_frozen` asks for."""
    _sealed = False

    def __new__(cls, *args: object, **_kwargs: object) -> Self:
        # NetworkX builds results with `self.__class__()`. Without a sign that must be a plain graph.
        return super().__new__(cls) if args or _kwargs else nx.DiGraph()  # type: ignore[return-value]  # on purpose

    def __init__(
        self,
        sign: TextSign | ImageSign | CompositeSign,
        semioses: Mapping[str, Semiosis],
        relations: Iterable[Relation],
        reading: Reading,
    ) -> None:
        super().__init__()
        self.sign = sign
        self.semioses: Mapping[str, Semiosis] = ReadOnlyDict(semioses)
        self.relations = tuple(
            sorted(relations, key=lambda relation: (not relation.hierarchy, relation.whole))
        )
        self.reading = reading
        self.root = _root(self.semioses, self.relations)
        for node, semiosis in self.semioses.items():
            _check_places(node, semiosis, sign)
            self._node[node] = Attributes(flat_semiosis(semiosis))
            self._succ[node], self._pred[node] = {}, {}
        for relation in self.relations:
            attributes = Attributes(
                relation=relation.relation, how=relation.how, hierarchy=relation.hierarchy
            )
            self._succ[relation.whole][relation.part] = attributes
            self._pred[relation.part][relation.whole] = attributes
        # Not `id`: GraphML writers take an attribute of that name out of the graph.
        self.graph = Attributes(hsg=self.id, sign=sign.id, root=self.root)
        self._sealed = True

    @classmethod
    def from_graph(
        cls, graph: "nx.DiGraph[str]", *, sign: TextSign | ImageSign | CompositeSign, reading: Reading
    ) -> "HSG":
        """Check an edited graph back into an HSG of this sign, under this reading."""
        if not graph.is_directed():
            raise DataError("an HSG is a directed graph", fix="edit hsg.copy(), whose edges run whole → part")
        semioses = {node: semiosis_of(node, attributes) for node, attributes in graph.nodes(data=True)}
        relations = [relation_of(whole, part, given) for whole, part, given in graph.edges(data=True)]
        return cls(sign, semioses, relations, reading)

    @cached_property
    def id(self) -> str:
        """The hash of sign, interpreter, what it was shown, content and repeat."""
        return content_id(
            "hsg",
            {
                "sign": self.sign.id,
                "interpreter": self.reading.interpreter.id,
                "given": self.reading.given,
                "beside": self.reading.beside,
                "repeat": self.reading.repeat,
                "semioses": {node: _content(semiosis) for node, semiosis in self.semioses.items()},
                "relations": sorted(
                    (r.whole, r.part, r.relation, r.how, r.hierarchy) for r in self.relations
                ),
            },
        )

    @property
    def blind(self) -> bool:
        """Whether the interpreter saw nothing but this sign."""
        return self.reading.blind

    @property
    def tree(self) -> "nx.DiGraph[str]":
        """The hierarchy alone, as a plain graph: every node, and the edges from whole to part."""
        tree: nx.DiGraph[str] = nx.DiGraph()
        tree.add_nodes_from(self.semioses)
        tree.add_edges_from((r.whole, r.part) for r in self.relations if r.hierarchy)
        return tree

    @property
    def ungrounded(self) -> tuple[str, ...]:
        """The nodes that claim a place which does not resolve."""
        return tuple(node for node, semiosis in self.semioses.items() if semiosis.grounding == "ungrounded")

    def outline(self) -> Iterator[tuple[int, str]]:
        """Depth and node, whole before part, parts in the order they were written."""
        parts: dict[str, list[str]] = {}
        order = {node: index for index, node in enumerate(self.semioses)}
        for relation in self.relations:
            if relation.hierarchy:
                parts.setdefault(relation.whole, []).append(relation.part)
        todo = [(0, self.root)]
        while todo:
            depth, node = todo.pop()
            yield depth, node
            below = sorted(parts.get(node, ()), key=lambda part: order[part], reverse=True)
            todo.extend((depth + 1, part) for part in below)

    if TYPE_CHECKING:  # NetworkX gives plain graphs here; its stubs promise more HSGs

        def copy(self, as_view: bool = False) -> nx.DiGraph[str]: ...  # type: ignore[override]  # see above
        def reverse(self, copy: bool = True) -> nx.DiGraph[str]: ...  # type: ignore[override]  # see above
        def subgraph(self, nodes: Iterable[str]) -> nx.DiGraph[str]: ...  # type: ignore[override]  # see above

    def _frozen(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise nx.NetworkXError("an HSG is frozen; edit hsg.copy() and check it back with HSG.from_graph")

    add_node = add_nodes_from = remove_node = remove_nodes_from = _frozen
    add_edge = add_edges_from = add_weighted_edges_from = _frozen
    remove_edge = remove_edges_from = update = clear = clear_edges = _frozen

    def __setattr__(self, name: str, value: object) -> None:
        if self._sealed:
            self._frozen()
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return self.id == other.id if isinstance(other, HSG) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<HSG {self.id}: {len(self)} semioses of {self.sign.kind} {self.sign.id}>"

    __str__ = __repr__

    def __reduce__(self) -> tuple[type["HSG"], tuple[Any, ...]]:
        return type(self), (self.sign, dict(self.semioses), self.relations, self.reading)

    def __deepcopy__(self, _memo: dict[int, object]) -> "HSG":
        return self

    def __copy__(self) -> "HSG":
        return self


def _root(semioses: Mapping[str, Semiosis], relations: tuple[Relation, ...]) -> str:
    """The one node nothing stands above, once the graph is known to be a tree with free relations."""
    if not semioses:
        raise DataError("an HSG needs at least its root semiosis", fix="add a root")
    seen: set[tuple[str, str]] = set()
    wholes: dict[str, str] = {}
    for node in semioses:
        check_name(node)
    for relation in relations:
        _check_relation(relation, semioses, seen, wholes)
    roots = [node for node in semioses if node not in wholes]
    if len(roots) != 1:
        found = f"{len(roots)} roots ({', '.join(map(repr, roots))})" if roots else "a circle and no root"
        raise DataError(
            f"an HSG has exactly one root, this graph has {found}", fix="put every other node under a whole"
        )
    for node in semioses:
        _check_reaches(node, roots[0], wholes)
    return roots[0]


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


def _check_reaches(node: str, root: str, wholes: Mapping[str, str]) -> None:
    seen = {node}
    at = node
    while at != root:
        at = wholes[at]
        if at in seen:
            raise DataError(
                "its wholes run in a circle", node=node, fix="put one node of the circle under the root"
            )
        seen.add(at)


def _check_places(node: str, semiosis: Semiosis, sign: TextSign | ImageSign | CompositeSign) -> None:
    parts = parts_of(sign)
    for place in (*semiosis.places, *semiosis.unresolved):
        if place.part >= len(parts):
            raise DataError(
                f"it names part {place.part} of a sign with {len(parts)} part(s)",
                node=node,
                fix="parts count from 0",
            )
    for place in semiosis.places:
        part = parts[place.part]
        if isinstance(place, Span) and not _cuts(place, part):
            raise DataError(
                f"the span {place.start}–{place.end} does not cut {place.quote!r} from the text",
                node=node,
                fix="let find_span compute the span from the quote",
            )
        if isinstance(place, Box) and not isinstance(part, ImageSign):
            raise DataError(
                "a box needs an image, this part is text", node=node, fix="quote the text instead"
            )


def _cuts(span: Span, part: TextSign | ImageSign) -> bool:
    return isinstance(part, TextSign) and part.text[span.start : span.end] == span.quote


def _content(semiosis: Semiosis) -> dict[str, object]:
    """What the id hashes of a semiosis. Frozen: a field added later stays out, so that it renames nothing."""
    return {
        **{word: getattr(semiosis, word) for word in WORDS},
        "grounds": {
            mode: {"strength": ground.strength, "why": ground.why} for mode, ground in by_mode(semiosis)
        },
        "places": [
            {name: getattr(place, name) for name in _PLACE_FIELDS[place.kind]} for place in semiosis.places
        ],
        "unresolved": [
            {"part": claim.part, "claim": claim.claim, "reason": claim.reason}
            for claim in semiosis.unresolved
        ],
    }
