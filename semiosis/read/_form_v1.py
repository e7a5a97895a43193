"""The form in which models give HSGs with version 1 of the prompts.

Its schema is part of the keys of requests of version 1, so it does not change.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from semiosis.read._numbers import Coordinate, Ordinal, Rounded
from semiosis.values import RelationWord

MAX_NODES = 40
_LONG = 1500
_SHORT = 300

NodeText = Annotated[str, Field(min_length=1, max_length=_LONG)]
Phrase = Annotated[str, Field(max_length=_SHORT)]
Strength = Annotated[int, Field(ge=0, le=100), Rounded]
NodeName = Annotated[str, Field(pattern="^(root|n[0-9]{1,2})$")]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Quote(_Form):
    """Words of a text."""

    part: Ordinal
    quote: Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": _LONG})]
    occurrence: Ordinal


class Frame(_Form):
    """A rectangle of an image: four integers from 0 to 1000."""

    part: Ordinal
    box: Annotated[list[Coordinate], Field(json_schema_extra={"minItems": 4, "maxItems": 4})]


class _Node(_Form):
    id: NodeName
    parent: Annotated[str, Field(pattern="^(root|n[0-9]{1,2})?$")]
    relation: Literal["root", "supports", "elaborates", "contrasts"]
    how: Phrase
    label: Annotated[str, Field(min_length=1, max_length=80)]
    sign: NodeText
    object: NodeText
    dynamic_object: Annotated[str, Field(max_length=_LONG)]
    interpretant: NodeText
    iconic: Strength
    iconic_why: Phrase
    indexical: Strength
    indexical_why: Phrase
    symbolic: Strength
    symbolic_why: Phrase
    nowhere: Phrase

    @model_validator(mode="after")
    def _has_no_blank_field(self) -> Self:
        blank = [
            name for name in ("label", "sign", "object", "interpretant") if not getattr(self, name).strip()
        ]
        if blank:
            raise ValueError(f"node {self.id} says nothing in {', '.join(blank)}")
        return self


class TextNode(_Node):
    """A node of a text's HSG."""

    quotes: Annotated[list[Quote], Field(json_schema_extra={"maxItems": 4})]


class ImageNode(_Node):
    """A node of an image's HSG."""

    boxes: Annotated[list[Frame], Field(json_schema_extra={"maxItems": 4})]


class CompositeNode(TextNode, ImageNode):
    """A node of a composite sign's HSG."""


class FreeRelation(_Form):
    """A relation between nodes that are not parent and child."""

    part: NodeName
    relation: RelationWord
    whole: NodeName
    how: Phrase


class Graph(_Form):
    """A Hierarchical Semiosis Graph."""

    nodes: Annotated[list[Any], Field(min_length=1, max_length=MAX_NODES)]
    relations: Annotated[list[FreeRelation], Field(max_length=8)]

    @model_validator(mode="after")
    def _is_a_tree(self) -> Self:
        problems = _problems(self.nodes, self.relations)
        if problems:
            raise ValueError("; ".join(problems))
        return self


class TextGraph(Graph):
    """The HSG of a text."""

    nodes: Annotated[list[TextNode], Field(min_length=1, max_length=MAX_NODES)]


class ImageGraph(Graph):
    """The HSG of an image."""

    nodes: Annotated[list[ImageNode], Field(min_length=1, max_length=MAX_NODES)]


class CompositeGraph(Graph):
    """The HSG of a composite sign."""

    nodes: Annotated[list[CompositeNode], Field(min_length=1, max_length=MAX_NODES)]


class JointGraphs(_Form):
    """The HSGs of two pictures."""

    a: ImageGraph
    b: ImageGraph


FORMS: dict[str, type[Graph]] = {"text": TextGraph, "image": ImageGraph, "composite": CompositeGraph}
NODES: dict[str, type[_Node]] = {"text": TextNode, "image": ImageNode, "composite": CompositeNode}
_ROOT = {"id": "root", "parent": "", "relation": "root"}


@lru_cache
def limited_form(kind: str, sub_semioses: int) -> type[Graph]:
    """Return the form for one kind of sign that refuses a graph with more sub-semioses than asked for."""
    form, node = FORMS[kind], NODES[kind]
    more: dict[str, Any] = {}
    if sub_semioses == 0:
        root: dict[str, Any] = {name: (Literal[value], ...) for name, value in _ROOT.items()}
        node = create_model(f"Root{node.__name__}", __base__=node, **root)
        more["relations"] = (Annotated[list[FreeRelation], Field(max_length=0)], ...)
    nodes = Annotated[list[node], Field(min_length=1, max_length=sub_semioses + 1)]
    return create_model(form.__name__, __base__=form, __doc__=form.__doc__, nodes=(nodes, ...), **more)


@lru_cache
def limited_joint_form(sub_semioses: int) -> type[JointGraphs]:
    """Return the joint form with a limit for both graphs."""
    form = limited_form("image", sub_semioses)
    return create_model("JointGraphs", __base__=JointGraphs, a=(form, ...), b=(form, ...))


def _problems(nodes: Sequence[_Node], relations: Sequence[FreeRelation]) -> list[str]:
    names = [node.id for node in nodes]
    found = [f"node {name} stands there twice" for name in sorted(set(names)) if names.count(name) > 1]
    if names.count("root") != 1:
        found.append("exactly one node must be root")
    parents = {node.id: node.parent for node in nodes}
    for node in nodes:
        found += _node_problems(node, parents)
    for relation in relations:
        unknown = {relation.part, relation.whole} - set(names)
        found += [f"a relation names {name}, which is no node" for name in sorted(unknown)]
    return found


def _node_problems(node: _Node, parents: dict[str, str]) -> list[str]:
    if node.id == "root":
        return [] if not node.parent else ["the root has no parent"]
    if node.parent not in parents:
        return [f"node {node.id} has the parent {node.parent or 'nobody'}, which is no node"]
    if node.relation == "root":
        return [f"node {node.id} must support, elaborate or contrast its parent"]
    seen, at = {node.id}, node.parent
    while at in parents and at not in seen:
        seen.add(at)
        at = parents[at]
    return [] if "root" in seen else [f"node {node.id} does not lead up to the root"]
