"""The form in which models give HSGs (prompts of version 2): flat, every field required, checked.

The form is never recursive, because several providers refuse recursive schemas. Numbers are integers, which
models keep within bounds more often than fractions. Bounds on places are stated and not checked: a wrong
place is a finding to count, not a reply to pay for again. Every other demand of the prompts is checked here,
so that a reply that breaks one is returned to the model with the reason.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from semiosis.read._numbers import Coordinate, Ordinal, Rounded
from semiosis.values import Detail, RelationWord

MOST_NODES = 40
MOST_PLACES = 4
MOST_RELATIONS = 8
TEXT_CHARACTERS = {"standard": 400, "complex": 1200}
PHRASE_CHARACTERS = 200
LABEL_CHARACTERS = 60
_LONGEST_TEXT = max(TEXT_CHARACTERS.values())

Text = Annotated[str, Field(min_length=1, max_length=_LONGEST_TEXT)]
Phrase = Annotated[str, Field(max_length=PHRASE_CHARACTERS)]
Strength = Annotated[int, Field(ge=0, le=100), Rounded]
NodeName = Annotated[str, Field(pattern="^(root|n[0-9]{1,2})$")]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Quote(_Form):
    """Words of a text."""

    item: Ordinal
    quote: Annotated[str, Field(json_schema_extra={"maxLength": _LONGEST_TEXT})]
    occurrence: Ordinal

    @property
    def part(self) -> int:
        """The item, under the name that the values and version 1 use."""
        return self.item


class Frame(_Form):
    """A rectangle of an image: four integers from 0 to 1000."""

    item: Ordinal
    box: Annotated[list[Coordinate], Field(json_schema_extra={"minItems": 4, "maxItems": 4})]

    @property
    def part(self) -> int:
        """The item, under the name that the values and version 1 use."""
        return self.item


class FreeRelation(_Form):
    """A relation between two nodes of which neither is the parent of the other."""

    source: NodeName
    relation: RelationWord
    target: NodeName
    how: Phrase

    @property
    def part(self) -> str:
        """The source, under the name that the values and version 1 use."""
        return self.source

    @property
    def whole(self) -> str:
        """The target, under the name that the values and version 1 use."""
        return self.target


class AbsentNode(_Form):
    """A node of the prompt that the picture does not show."""

    node: Annotated[str, Field(pattern="^P\\.(root|n[0-9]{1,2})$")]
    state: Literal["missing", "replaced"]
    instead: Phrase


class Node(_Form):
    """One semiosis."""

    id: NodeName
    parent: Annotated[str, Field(pattern="^(root|n[0-9]{1,2})?$")]
    relation: Literal["root", "supports", "elaborates", "contrasts"]
    how: Phrase
    label: Annotated[str, Field(min_length=1, max_length=LABEL_CHARACTERS)]
    sign: Text
    object: Text
    dynamic_object: Annotated[str, Field(max_length=_LONGEST_TEXT)]
    interpretant: Text
    iconic: Strength
    iconic_why: Phrase
    indexical: Strength
    indexical_why: Phrase
    symbolic: Strength
    symbolic_why: Phrase
    nowhere: Phrase

    @property
    def places(self) -> list[Quote | Frame]:
        """The quotes and boxes that the node claims."""
        return [*getattr(self, "quotes", ()), *getattr(self, "boxes", ())]


class TextNode(Node):
    """A node of a text's HSG."""

    quotes: Annotated[list[Quote], Field(json_schema_extra={"maxItems": MOST_PLACES})]


class ImageNode(Node):
    """A node of an image's HSG."""

    boxes: Annotated[list[Frame], Field(json_schema_extra={"maxItems": MOST_PLACES})]


class CompositeNode(TextNode, ImageNode):
    """A node of a composite sign's HSG."""


class Graph(_Form):
    """A Hierarchical Semiosis Graph."""

    strict: ClassVar[bool] = False
    """Whether what can be repaired is returned to the model too."""
    known: ClassVar[frozenset[str]] = frozenset()
    """The ids of the prompt's nodes, for a reading that is given the prompt."""
    nodes: Annotated[list[Any], Field(min_length=1, max_length=MOST_NODES)]
    relations: Annotated[list[FreeRelation], Field(max_length=MOST_RELATIONS)]

    @model_validator(mode="after")
    def _follows_the_prompt(self) -> Self:
        problems = [*_tree_problems(self.nodes), *_relation_problems(self.nodes, self.relations)]
        if self.strict:
            problems += [*_demands(self.nodes, self.relations), *self._absence_problems()]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _absence_problems(self) -> Iterator[str]:
        for absence in getattr(self, "absences", ()):
            if absence.node not in self.known:
                yield f"absences name {absence.node}, which is not a node of the prompt"
            if (absence.state == "replaced") != bool(absence.instead.strip()):
                yield f"absence {absence.node}: 'instead' is filled exactly if the state is 'replaced'"


class TextGraph(Graph):
    """The HSG of a text."""

    nodes: Annotated[list[TextNode], Field(min_length=1, max_length=MOST_NODES)]


class ImageGraph(Graph):
    """The HSG of an image."""

    nodes: Annotated[list[ImageNode], Field(min_length=1, max_length=MOST_NODES)]


class CompositeGraph(Graph):
    """The HSG of a composite sign."""

    nodes: Annotated[list[CompositeNode], Field(min_length=1, max_length=MOST_NODES)]


class JointGraphs(_Form):
    """The HSGs of two pictures."""

    a: Graph
    b: Graph


FORMS: dict[str, type[Graph]] = {"text": TextGraph, "image": ImageGraph, "composite": CompositeGraph}
_NODES: dict[str, type[Node]] = {"text": TextNode, "image": ImageNode, "composite": CompositeNode}
_ROOT = {"id": "root", "parent": "", "relation": "root", "how": ""}


@lru_cache(maxsize=256)
def graph_form(
    kind: str, sub_semioses: int, known: frozenset[str], detail: Detail = "complex", *, strict: bool
) -> type[Graph]:
    """Return the form for one kind of sign.

    `sub_semioses` limits the nodes beside the root, `detail` the length of their texts. `known` holds the ids
    of the prompt's nodes (`P.n1`) if the reading is given the prompt; the form then has a list of absences.
    The lenient form (`strict=False`) accepts what can be repaired and is used only when the re-asks are used
    up.
    """
    form, node = FORMS[kind], _NODES[kind]
    fields: dict[str, Any] = {}
    if strict:
        node = _limited_texts(node, TEXT_CHARACTERS[detail])
    if strict and sub_semioses == 0:
        root: dict[str, Any] = {name: (Literal[value], ...) for name, value in _ROOT.items()}
        node = create_model(f"Root{node.__name__}", __base__=node, **root)
        fields["relations"] = (Annotated[list[FreeRelation], Field(max_length=0)], ...)
    most = sub_semioses + 1 if strict else MOST_NODES
    fields["nodes"] = (Annotated[list[node], Field(min_length=1, max_length=most)], ...)
    if known:
        fields["absences"] = (Annotated[list[AbsentNode], Field(max_length=len(known))], ...)
    about = {"strict": strict, "known": known, "__doc__": form.__doc__, "__module__": __name__}
    base: type[Graph] = type(form.__name__, (form,), about)
    return create_model(form.__name__, __base__=base, __doc__=form.__doc__, **fields)


@lru_cache(maxsize=64)
def joint_form(
    sub_semioses: int, known: frozenset[str], detail: Detail = "complex", *, strict: bool
) -> type[JointGraphs]:
    """Return the form for two pictures read in one call."""
    form = graph_form("image", sub_semioses, known, detail, strict=strict)
    return create_model(
        "JointGraphs", __base__=JointGraphs, __doc__=JointGraphs.__doc__, a=(form, ...), b=(form, ...)
    )


def _limited_texts(node: type[Node], most: int) -> type[Node]:
    """Return the form of a node whose texts have at most so many characters."""
    limits: dict[str, Any] = {
        name: (Annotated[str, Field(min_length=0 if name == "dynamic_object" else 1, max_length=most)], ...)
        for name in ("sign", "object", "dynamic_object", "interpretant")
    }
    return create_model(node.__name__, __base__=node, __doc__=node.__doc__, **limits)


def _tree_problems(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield what makes the nodes no tree: an HSG cannot be built from it."""
    counts = Counter(node.id for node in nodes)
    yield from (f"two nodes have the id {name}" for name, count in sorted(counts.items()) if count > 1)
    if nodes[0].id != "root" or nodes[0].parent:
        yield "the first node must be the root, without a parent"
    earlier: set[str] = set()
    for node in nodes:
        if node.id != "root":
            if node.parent not in earlier:
                yield f"node {node.id}: the parent {node.parent!r} is not an earlier node"
            if node.relation == "root":
                yield f"node {node.id}: only the root has the relation 'root'"
        blank = [
            name for name in ("label", "sign", "object", "interpretant") if not getattr(node, name).strip()
        ]
        if blank:
            yield f"node {node.id}: {', '.join(blank)} must not be blank"
        earlier.add(node.id)


def _relation_problems(nodes: Sequence[Node], relations: Sequence[FreeRelation]) -> Iterator[str]:
    names = {node.id for node in nodes}
    for relation in relations:
        for name in sorted({relation.source, relation.target} - names):
            yield f"a relation names {name}, which is not a node"


def _demands(nodes: Sequence[Node], relations: Sequence[FreeRelation]) -> Iterator[str]:
    """Yield the demands of the prompt that the nodes do not meet, though an HSG could be built."""
    labels = Counter(node.label.strip().casefold() for node in nodes)
    yield from (f"two nodes have the label {label!r}" for label, count in sorted(labels.items()) if count > 1)
    for node in nodes:
        yield from _place_demands(node)
        if (node.id == "root") == bool(node.how.strip()):
            yield f"node {node.id}: 'how' is empty for the root and for no other node"
        without = [
            name for name in ("iconic", "indexical", "symbolic") if not getattr(node, f"{name}_why").strip()
        ]
        if without:
            yield f"node {node.id}: give a reason for {', '.join(without)}, also when it is 0"
    wanted = ["root", *(f"n{number}" for number in range(1, len(nodes)))]
    if [node.id for node in nodes] != wanted:
        yield f"the ids must be {', '.join(wanted)}, in this order"
    kin = {frozenset((node.id, node.parent)) for node in nodes}
    for relation in relations:
        pair = frozenset((relation.source, relation.target))
        if len(pair) == 1 or pair in kin:
            yield f"relations: {relation.source} and {relation.target} are parent and child, or the same node"
        if not relation.how.strip():
            yield f"relations: {relation.source} to {relation.target} needs a 'how'"


def _place_demands(node: Node) -> Iterator[str]:
    if node.id == "root":
        if node.places or not node.nowhere.strip():
            yield "the root has no place, and its 'nowhere' says that it is the whole"
    elif bool(node.places) == bool(node.nowhere.strip()):
        yield f"node {node.id}: give either a place or a reason in 'nowhere'"
