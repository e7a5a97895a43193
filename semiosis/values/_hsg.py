"""The Hierarchical Semiosis Graph: a frozen NetworkX graph of semioses, and the reading that made it."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Self

import networkx as nx

from semiosis.values._errors import DataError, UsageError
from semiosis.values._flat import (
    OPTIONAL_FIELDS,
    TEXT_FIELDS,
    Attributes,
    flat_semiosis,
    grounds_by_mode,
    is_set,
    relation_of,
    semiosis_of,
)
from semiosis.values._hsg_checks import (
    check_absences,
    check_places,
    check_sign,
    check_sources,
    check_takes_up,
    find_root,
)
from semiosis.values._reading import Absence, Reading
from semiosis.values._semiosis import Relation, Semiosis
from semiosis.values._sign import AnySign
from semiosis.values._value import ReadOnlyDict, content_id

if TYPE_CHECKING:
    _Base = nx.DiGraph[str]
else:
    _Base = nx.DiGraph

_PLACE_FIELDS = {
    "span": ("kind", "part", "start", "end", "quote"),
    "box": ("kind", "part", "x0", "y0", "x1", "y1"),
}


_SHARED = (
    "semioses",
    "relations",
    "reading",
    "absences",
    "root",
    "_node",
    "_succ",
    "_pred",
    "_adj",
    "graph",
)
"""The attributes that an HSG and its copy with other metadata of the sign have in common."""


class HSG(_Base):
    """A frozen, rooted graph of semioses (SemJudge, section 4).

    Edges run from whole to part. `copy`, `subgraph`, `reverse` and similar methods return plain, editable
    `networkx.DiGraph`s; `HSG.from_graph` checks one and returns an HSG. Two HSGs with the same id are equal.
    """

    kind = "hsg"
    """The kind of value in JSON."""
    _node: dict[str, dict[str, Any]]
    _succ: dict[str, dict[str, dict[str, Any]]]
    _pred: dict[str, dict[str, dict[str, Any]]]
    frozen = True
    """Read by `networkx.is_frozen`."""
    _sealed = False

    def __new__(cls, *args: object, **_kwargs: object) -> Self:
        # NetworkX builds results with `self.__class__()`. Without a sign, the result must be a plain graph.
        return super().__new__(cls) if args or _kwargs else nx.DiGraph()  # type: ignore[return-value]  # on purpose

    def __init__(
        self,
        sign: AnySign,
        semioses: Mapping[str, Semiosis],
        relations: Iterable[Relation],
        reading: Reading,
        absences: Iterable[Absence] = (),
    ) -> None:
        ordered = tuple(sorted(relations, key=lambda relation: (not relation.hierarchy, relation.whole)))
        root = find_root(semioses, ordered)
        check_sign(sign)
        for node, semiosis in semioses.items():
            check_places(node, semiosis, sign)
            check_sources(node, semiosis, reading)
        check_takes_up(semioses)
        check_absences(absent := tuple(absences), reading)
        self._fill(sign, semioses, ordered, reading, absent, root)
        # The attribute is not named `id`, because GraphML writers remove an attribute of that name.
        self.graph = Attributes(hsg=self.id, sign=sign.id, root=root)
        self._sealed = True

    def _fill(
        self,
        sign: AnySign,
        semioses: Mapping[str, Semiosis],
        relations: tuple[Relation, ...],
        reading: Reading,
        absences: tuple[Absence, ...],
        root: str,
    ) -> None:
        super().__init__()
        self.sign = sign
        self.semioses: Mapping[str, Semiosis] = ReadOnlyDict(semioses)
        self.relations = relations
        self.reading = reading
        self.absences = absences
        self.root = root
        for node, semiosis in self.semioses.items():
            self._node[node] = Attributes(flat_semiosis(semiosis))
            self._succ[node], self._pred[node] = {}, {}
        for relation in relations:
            attributes = Attributes(
                relation=relation.relation, how=relation.how, hierarchy=relation.hierarchy
            )
            self._succ[relation.whole][relation.part] = attributes
            self._pred[relation.part][relation.whole] = attributes

    @classmethod
    def _restore(cls, hsg_id: str, *state: Any) -> "HSG":
        """Return a pickled HSG. It was valid before, so it is neither checked nor hashed again."""
        hsg: HSG = super().__new__(cls)
        hsg._fill(*state)
        hsg.__dict__["id"] = hsg_id
        hsg.graph = Attributes(hsg=hsg_id, sign=hsg.sign.id, root=hsg.root)
        hsg._sealed = True
        return hsg

    def with_sign(self, sign: AnySign) -> "HSG":
        """Return this HSG with other metadata of the same sign, such as its title, path or tags."""
        if sign.id != self.sign.id:
            raise UsageError(
                f"HSG {self.id} is a reading of sign {self.sign.id}, not of {sign.id}", fix="read that sign"
            )
        if sign == self.sign:
            return self
        hsg: HSG = HSG.__new__(HSG, sign)
        nx.DiGraph.__init__(hsg)
        # The graph is shared, because building it again takes five times as long and every image needs this
        # when its path becomes absolute.
        for name in _SHARED:
            hsg.__dict__[name] = self.__dict__[name]
        hsg.__dict__.update(id=self.id, sign=sign, _sealed=True)
        return hsg

    @classmethod
    def from_graph(
        cls,
        graph: "nx.DiGraph[str]",
        *,
        sign: AnySign,
        reading: Reading,
        absences: Iterable[Absence] = (),
    ) -> "HSG":
        """Return the HSG of an edited graph, after checking it."""
        if not graph.is_directed():
            raise DataError("the graph is undirected", fix="edit hsg.copy(), whose edges run whole → part")
        semioses = {node: semiosis_of(node, attributes) for node, attributes in graph.nodes(data=True)}
        relations = [relation_of(whole, part, given) for whole, part, given in graph.edges(data=True)]
        return cls(sign, semioses, relations, reading, absences)

    @cached_property
    def id(self) -> str:
        """The hash of the sign, the interpreter, what it was shown, the content and the repeat.

        Optional fields are hashed only if they are set.
        """
        reading = self.reading
        content: dict[str, object] = {
            "sign": self.sign.id,
            "interpreter": reading.interpreter.id,
            "given": reading.given,
            "beside": reading.beside,
            "repeat": reading.repeat,
            "semioses": {node: _hashed_fields(semiosis) for node, semiosis in self.semioses.items()},
            "relations": sorted((r.whole, r.part, r.relation, r.how, r.hierarchy) for r in self.relations),
        }
        optional = {"language": reading.language, "supersedes": reading.supersedes}
        content |= {name: value for name, value in optional.items() if value}
        if self.absences:
            content["absences"] = sorted((a.hsg, a.node, a.status, a.by) for a in self.absences)
        return content_id("hsg", content)

    @property
    def supersedes(self) -> str | None:
        """The id of the HSG that this one replaces."""
        return self.reading.supersedes

    @property
    def blind(self) -> bool:
        """Whether the interpreter saw only this sign."""
        return self.reading.blind

    @property
    def tree(self) -> "nx.DiGraph[str]":
        """The hierarchy alone, as a plain graph: every node, and the edges from whole to part."""
        tree: nx.DiGraph[str] = nx.DiGraph()
        tree.add_nodes_from(self.semioses)
        tree.add_edges_from((r.whole, r.part) for r in self.relations if r.hierarchy)
        return tree

    @property
    def unlocated(self) -> tuple[str, ...]:
        """The nodes whose claimed places do not resolve."""
        return tuple(node for node, semiosis in self.semioses.items() if semiosis.location == "unlocated")

    def outline(self) -> Iterator[tuple[int, str]]:
        """Yield the depth and id of each node: wholes before their parts, parts in the order of the nodes."""
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

    if TYPE_CHECKING:  # NetworkX returns plain graphs here, but its stubs say HSGs

        def copy(self, as_view: bool = False) -> nx.DiGraph[str]: ...  # type: ignore[override]  # see above
        def reverse(self, copy: bool = True) -> nx.DiGraph[str]: ...  # type: ignore[override]  # see above
        def subgraph(self, nodes: Iterable[str]) -> nx.DiGraph[str]: ...  # type: ignore[override]  # see above

    def _frozen(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise nx.NetworkXError("an HSG is frozen; edit hsg.copy() and convert it with HSG.from_graph")

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

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        state = (self.sign, dict(self.semioses), self.relations, self.reading, self.absences, self.root)
        return HSG._restore, (self.id, *state)

    def __deepcopy__(self, _memo: dict[int, object]) -> "HSG":
        return self

    def __copy__(self) -> "HSG":
        return self


def _hashed_fields(semiosis: Semiosis) -> dict[str, object]:
    """Return the fields of a semiosis that the id hashes. An optional field is hashed only if it is set."""
    optional = {"share": semiosis.share, "sources": semiosis.sources} if semiosis.sources else {}
    optional |= {name: getattr(semiosis, name) for name in OPTIONAL_FIELDS if is_set(semiosis, name)}
    return {
        **{name: getattr(semiosis, name) for name in TEXT_FIELDS},
        "grounds": {
            mode: {"strength": ground.strength, "why": ground.why}
            for mode, ground in grounds_by_mode(semiosis)
        },
        "places": [
            {name: getattr(place, name) for name in _PLACE_FIELDS[place.kind]} for place in semiosis.places
        ],
        "unresolved": [
            {"part": claim.part, "claim": claim.claim, "reason": claim.reason}
            for claim in semiosis.unresolved
        ],
        **optional,
    }
