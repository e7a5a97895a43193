"""The Hierarchical Semiosis Graph: a frozen NetworkX graph of semioses, and the reading that made it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Self

import networkx as nx
from pydantic import TypeAdapter

from semiosis.values._errors import DataError
from semiosis.values._place import Box, Claim, Place, Span
from semiosis.values._reading import Reading
from semiosis.values._semiosis import MODES, Ground, Grounds, Relation, Semiosis
from semiosis.values._sign import CompositeSign, ImageSign, TextSign, parts_of
from semiosis.values._value import ReadOnlyDict, content_id

if TYPE_CHECKING:
    _Base = nx.DiGraph[str]
else:
    _Base = nx.DiGraph

_PLACES: TypeAdapter[tuple[Place, ...]] = TypeAdapter(tuple[Place, ...])
_CLAIMS: TypeAdapter[tuple[Claim, ...]] = TypeAdapter(tuple[Claim, ...])
_ID_FIELDS: dict[str, Any] = {  # frozen: a field added later stays out, so that it renames nothing
    **dict.fromkeys(("label", "sign", "object", "interpretant", "dynamic_object", "nowhere"), True),
    "grounds": {mode: {"strength": True, "why": True} for mode in MODES},
    "places": {
        "__all__": dict.fromkeys(("kind", "part", "start", "end", "quote", "x0", "y0", "x1", "y1"), True)
    },
    "unresolved": {"__all__": {"part": True, "claim": True, "reason": True}},
}
_WORDS = ("label", "sign", "object", "interpretant", "dynamic_object", "nowhere")


class HSG(_Base):
    """A frozen, rooted graph of semioses (SemJudge, section 4).

    Edges run whole → part. `copy`, `subgraph`, `reverse` and the like give plain, editable
    `networkx.DiGraph`s; `HSG.from_graph` checks one back into an HSG. Two HSGs are equal when their ids are.
    """

    _node: dict[str, dict[str, Any]]
    _succ: dict[str, dict[str, dict[str, Any]]]
    _pred: dict[str, dict[str, dict[str, Any]]]

    def __new__(cls, *args: object, **_kwargs: object) -> Self:
        # NetworkX builds results with `self.__class__()`. Without a sign that must be a plain graph.
        return super().__new__(cls) if args or _kwargs else nx.DiGraph()  # type: ignore[return-value]

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
            self._node[node] = ReadOnlyDict(_attributes(semiosis))
            self._succ[node], self._pred[node] = {}, {}
        for relation in self.relations:
            attributes = ReadOnlyDict(
                relation=relation.relation, how=relation.how, hierarchy=relation.hierarchy
            )
            self._succ[relation.whole][relation.part] = attributes
            self._pred[relation.part][relation.whole] = attributes
        self.graph = ReadOnlyDict(id=self.id, sign=sign.id, root=self.root)

    @classmethod
    def from_graph(
        cls, graph: "nx.DiGraph[str]", *, sign: TextSign | ImageSign | CompositeSign, reading: Reading
    ) -> "HSG":
        """Check an edited graph back into an HSG of this sign, under this reading."""
        semioses = {node: _semiosis(node, attributes) for node, attributes in graph.nodes(data=True)}
        relations = [Relation(whole=u, part=v, **attributes) for u, v, attributes in graph.edges(data=True)]
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
                "semioses": {
                    node: semiosis.model_dump(include=_ID_FIELDS) for node, semiosis in self.semioses.items()
                },
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

    def _frozen(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise nx.NetworkXError("an HSG is frozen; edit hsg.copy() and check it back with HSG.from_graph")

    add_node = add_nodes_from = remove_node = remove_nodes_from = _frozen
    add_edge = add_edges_from = add_weighted_edges_from = _frozen
    remove_edge = remove_edges_from = update = clear = clear_edges = _frozen

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


def _attributes(semiosis: Semiosis) -> dict[str, str | float]:
    """The node's attributes as flat primitives, which GraphML and every other exporter takes."""
    flat: dict[str, str | float] = {word: getattr(semiosis, word) for word in _WORDS}
    for mode in MODES:
        ground: Ground = getattr(semiosis.grounds, mode)
        flat[mode] = ground.strength
        flat[f"{mode}_why"] = ground.why
    flat["grounding"] = semiosis.grounding
    flat["places"] = _PLACES.dump_json(semiosis.places).decode()
    flat["unresolved"] = _CLAIMS.dump_json(semiosis.unresolved).decode()
    return flat


def _semiosis(node: str, attributes: Mapping[str, Any]) -> Semiosis:
    """The semiosis a graph's flat attributes spell."""
    try:
        grounds = {
            m: Ground(strength=attributes.get(m, 0.0), why=attributes.get(f"{m}_why", "")) for m in MODES
        }
        return Semiosis(
            **{word: attributes.get(word, "") for word in _WORDS},
            grounds=Grounds(**grounds),
            places=_PLACES.validate_python(json.loads(attributes.get("places", "[]"))),
            unresolved=_CLAIMS.validate_python(json.loads(attributes.get("unresolved", "[]"))),
        )
    except ValueError as error:
        raise DataError(
            f"its attributes do not make a semiosis: {error}", node=node, fix="see HSG.copy()"
        ) from error
