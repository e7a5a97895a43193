"""The form in which models give HSGs.

The form is flat, because several providers refuse recursive schemas, and every field is required. Code checks
every requirement of the prompts that it can check. A reply that does not meet one is returned to the model
with the reason.
"""

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, create_model, model_validator

from semiosis.read._form_checks import absence_problems, relation_problems, tree_problems, unmet_requirements
from semiosis.read._form_nodes import (
    MAX_NODES,
    MAX_RELATIONS,
    TEXT_CHARACTERS,
    AbsentNode,
    CompositeNode,
    Form,
    FreeRelation,
    ImageNode,
    Node,
    TextNode,
    max_free_relations,
)
from semiosis.values import Detail


class Graph(Form):
    """A Hierarchical Semiosis Graph."""

    strict: ClassVar[bool] = False
    """Whether a graph with problems that code can repair is returned to the model as well."""
    known: ClassVar[frozenset[str]] = frozenset()
    """The ids of the prompt's nodes, for a reading that is given the prompt."""
    nodes: Annotated[list[Any], Field(min_length=1, max_length=MAX_NODES)]
    relations: Annotated[list[FreeRelation], Field(max_length=MAX_RELATIONS)]

    @model_validator(mode="after")
    def _check_requirements(self) -> Self:
        problems = [*tree_problems(self.nodes), *relation_problems(self.nodes, self.relations)]
        if self.strict:
            problems += unmet_requirements(self.nodes, self.relations)
            problems += absence_problems(getattr(self, "absences", ()), self.known)
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


class JointGraphs(Form):
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

    `sub_semioses` limits the nodes besides the root, `detail` the length of their texts. `known` has the ids
    of the prompt's nodes (`P.n1`) if the reading is given the prompt; the form then has a list of absences.
    The lenient form (`strict=False`) accepts what can be repaired. It applies only when no re-ask is left.
    """
    form, node = FORMS[kind], _NODES[kind]
    fields: dict[str, Any] = {}
    if strict:
        node = _limited_texts(node, TEXT_CHARACTERS[detail])
    if strict and sub_semioses == 0:
        root: dict[str, Any] = {name: (Literal[value], ...) for name, value in _ROOT.items()}
        node = create_model(f"Root{node.__name__}", __base__=node, **root)
    if strict:
        max_free = max_free_relations(sub_semioses)
        fields["relations"] = (Annotated[list[FreeRelation], Field(max_length=max_free)], ...)
    max_nodes = sub_semioses + 1 if strict else MAX_NODES
    fields["nodes"] = (Annotated[list[node], Field(min_length=1, max_length=max_nodes)], ...)
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


def _limited_texts(node: type[Node], max_length: int) -> type[Node]:
    """Return the form of a node whose texts have at most `max_length` characters."""
    limits: dict[str, Any] = {
        name: (
            Annotated[str, Field(min_length=0 if name == "dynamic_object" else 1, max_length=max_length)],
            ...,
        )
        for name in ("sign", "object", "dynamic_object", "interpretant")
    }
    return create_model(node.__name__, __base__=node, __doc__=node.__doc__, **limits)
