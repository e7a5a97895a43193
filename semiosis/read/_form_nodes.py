"""The form of a node, of its places and of free relations (prompts of version 2).

Numbers are integers, which models keep within bounds more often than fractions. Bounds on places are stated
and not checked: a wrong place is a finding to count, not a reply to pay for again.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from semiosis.read._numbers import Coordinate, Ordinal, Rounded
from semiosis.values import RelationWord

MOST_NODES = 40
MOST_PLACES = 4
MOST_RELATIONS = 8
TEXT_CHARACTERS = {"standard": 400, "complex": 1200}
PHRASE_CHARACTERS = 200
LABEL_CHARACTERS = 60
LONGEST_TEXT = max(TEXT_CHARACTERS.values())


def most_relations(sub_semioses: int) -> int:
    """Return the most free relations in a graph with so many nodes beside the root.

    n + 1 nodes have n (n + 1) / 2 pairs, of which n are parent and child.
    """
    return min(MOST_RELATIONS, sub_semioses * (sub_semioses - 1) // 2)


FormText = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Phrase = Annotated[str, Field(max_length=PHRASE_CHARACTERS)]
Strength = Annotated[int, Field(ge=0, le=100), Rounded]
NodeName = Annotated[str, Field(pattern="^(root|n[0-9]{1,2})$")]


class Form(BaseModel):
    """A part of an answer: no field beyond those named, and nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Quote(Form):
    """Words of a text."""

    item: Ordinal
    quote: Annotated[str, Field(json_schema_extra={"minLength": 1, "maxLength": LONGEST_TEXT})]
    occurrence: Ordinal

    @property
    def part(self) -> int:
        """The item, under the name that the values and version 1 use."""
        return self.item


class Frame(Form):
    """A rectangle of an image: four integers from 0 to 1000."""

    item: Ordinal
    box: Annotated[list[Coordinate], Field(json_schema_extra={"minItems": 4, "maxItems": 4})]

    @property
    def part(self) -> int:
        """The item, under the name that the values and version 1 use."""
        return self.item


class FreeRelation(Form):
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
    sign: FormText
    object: FormText
    dynamic_object: Annotated[str, Field(max_length=LONGEST_TEXT)]
    interpretant: FormText
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
