"""The form of a node, of its places and of free relations.

Numbers are integers, because models keep integers within bounds more often than fractions. The schema states
the bounds of places but nothing checks them: a wrong place is a finding to count, not a reason to pay again.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from semiosis.read._numbers import Coordinate, Ordinal, Rounded
from semiosis.read._places import box_fields, place_list, quote_fields, with_place_fields
from semiosis.values import RelationWord

MAX_NODES = 40
MAX_PLACES = 4
MAX_RELATIONS = 8
TEXT_CHARACTERS = {"standard": 400, "complex": 1200}
PHRASE_CHARACTERS = 200
LABEL_CHARACTERS = 60
MAX_TEXT_CHARACTERS = max(TEXT_CHARACTERS.values())


def max_free_relations(sub_semioses: int) -> int:
    """Return how many free relations a graph with this many nodes besides the root may have.

    n + 1 nodes have n (n + 1) / 2 pairs, of which n are parent and child.
    """
    return min(MAX_RELATIONS, sub_semioses * (sub_semioses - 1) // 2)


NodeText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARACTERS)]
Phrase = Annotated[str, Field(max_length=PHRASE_CHARACTERS)]
Strength = Annotated[int, Field(ge=0, le=100), Rounded]
_PLACES = Field(json_schema_extra={"maxItems": MAX_PLACES})
NodeName = Annotated[str, Field(pattern="^(root|n[0-9]{1,2})$")]


class Form(BaseModel):
    """A part of an answer. It is frozen and accepts no other fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Quote(Form):
    """Words of a text."""

    item: Ordinal
    quote: Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_TEXT_CHARACTERS})]
    occurrence: Ordinal

    @model_validator(mode="before")
    @classmethod
    def _repair(cls, value: Any) -> Any:
        return quote_fields(value)

    @property
    def part(self) -> int:
        """The item, under the name that the values use."""
        return self.item


class Frame(Form):
    """A rectangle of an image: four integers from 0 to 1000."""

    item: Ordinal
    box: Annotated[list[Coordinate], Field(json_schema_extra={"minItems": 4, "maxItems": 4})]
    order: SkipJsonSchema[Literal["", "xyxy", "yxyx", "named"]] = ""
    """The order of the edges, if the reply names it; otherwise it is that of the provider."""

    @model_validator(mode="before")
    @classmethod
    def _repair(cls, value: Any) -> Any:
        return box_fields(value)

    @property
    def part(self) -> int:
        """The item, under the name that the values use."""
        return self.item


class FreeRelation(Form):
    """A relation between two nodes of which neither is the parent of the other."""

    source: NodeName
    relation: RelationWord
    target: NodeName
    how: Phrase

    @property
    def part(self) -> str:
        """The source, under the name that the values use."""
        return self.source

    @property
    def whole(self) -> str:
        """The target, under the name that the values use."""
        return self.target


class AbsentNode(Form):
    """A node of the prompt that the picture does not show."""

    node: Annotated[str, Field(pattern="^P\\.(root|n[0-9]{1,2})$")]
    state: Literal["missing", "replaced"]
    instead: Phrase


class Node(Form):
    """One semiosis."""

    id: NodeName
    parent: Annotated[str, Field(pattern="^(root|n[0-9]{1,2})?$")]
    relation: Literal["root", "supports", "elaborates", "contrasts"]
    how: Phrase
    label: Annotated[str, Field(min_length=1, max_length=LABEL_CHARACTERS)]
    sign: NodeText
    object: NodeText
    dynamic_object: Annotated[str, Field(max_length=MAX_TEXT_CHARACTERS)]
    interpretant: NodeText
    iconic: Strength
    iconic_why: Phrase
    indexical: Strength
    indexical_why: Phrase
    symbolic: Strength
    symbolic_why: Phrase
    nowhere: Phrase

    @model_validator(mode="before")
    @classmethod
    def _repair(cls, value: Any) -> Any:
        return with_place_fields(value, tuple({"quotes", "boxes"} & cls.model_fields.keys()))

    @property
    def stated_importance(self) -> int | None:
        """The importance of the node, from 0 to 100; None for a node of an image, which states none."""
        return getattr(self, "importance", None)

    @property
    def places(self) -> list[Quote | Frame]:
        """The quotes and boxes that the node claims."""
        return [*getattr(self, "quotes", ()), *getattr(self, "boxes", ())]


class TextNode(Node):
    """A node of a text's HSG."""

    importance: Strength
    quotes: Annotated[
        list[Quote], BeforeValidator(place_list), Field(json_schema_extra={"maxItems": MAX_PLACES})
    ]


class ImageNode(Node):
    """A node of an image's HSG."""

    boxes: Annotated[
        list[Frame], BeforeValidator(place_list), Field(json_schema_extra={"maxItems": MAX_PLACES})
    ]


class CompositeNode(TextNode, ImageNode):
    """A node of a composite sign's HSG."""
