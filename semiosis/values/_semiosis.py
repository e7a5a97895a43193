"""The triad and its grounds: one node of a Hierarchical Semiosis Graph."""

import math
from typing import Literal, get_args

from pydantic import Field, StrictBool

from semiosis.values._place import Place, UnresolvedPlace
from semiosis.values._value import (
    NodeId,
    NodeRef,
    Text,
    UnitInterval,
    Value,
    is_none,
    is_unset,
)

Mode = Literal["iconic", "indexical", "symbolic"]
"""How a sign stands for its object: by resemblance, by cause or trace, by convention."""
MODES: tuple[Mode, ...] = get_args(Mode)
"""Every mode: iconic, indexical, symbolic."""

RelationWord = Literal["supports", "elaborates", "contrasts"]
"""How one semiosis relates to another (SemJudge, section 4)."""
RELATION_WORDS: tuple[RelationWord, ...] = get_args(RelationWord)
"""Every relation: supports, elaborates, contrasts."""

Location = Literal["located", "global", "absent", "unlocated"]
"""Whether a semiosis has a place in its sign, is of the whole sign (a style, a mood), is an absence that the
reader states on purpose, or claimed a place that does not resolve."""


class Ground(Value):
    """How strongly a sign stands for its object in one mode, and why. A ground never means a place."""

    strength: UnitInterval = 0.0
    """The strength, from 0 (not at all) to 1."""
    why: Text = ""
    """The reason, in a phrase."""


class Grounds(Value):
    """The grounds on which a sign stands for its object (SemJudge, section 3.1).

    Peirce's modes are graded and not exclusive: the three strengths are independent and need not sum to 1.
    """

    iconic: Ground = Ground()
    """The ground by resemblance."""
    indexical: Ground = Ground()
    """The ground by cause, context or trace."""
    symbolic: Ground = Ground()
    """The ground by convention."""

    @property
    def strengths(self) -> tuple[float, float, float]:
        """The iconic, indexical and symbolic strength."""
        return self.iconic.strength, self.indexical.strength, self.symbolic.strength

    @property
    def iconicity(self) -> float | None:
        """The iconic share of all strength (α in SemJudge, principle 5); None if every strength is 0."""
        total = math.fsum(self.strengths)
        return self.iconic.strength / total if total else None


class Semiosis(Value):
    """One act of meaning: a sign that stands for an object to an interpretant (SemJudge, section 3.1)."""

    label: Text = Field(min_length=1)
    """A short name for people, unique in hand-written HSGs."""
    sign: Text = Field(min_length=1)
    """What is perceived, before interpretation: a white lily in a vase (Panofsky's first level)."""
    object: Text = Field(min_length=1)
    """What the sign stands for, as it presents it to a viewer who knows the conventions: a motif or meaning,
    such as Mary's purity. This is Peirce's immediate object (CP 4.536) and Panofsky's second level. A cup of
    coffee may stand for a cup of coffee."""
    interpretant: Text = Field(min_length=1)
    """What it brings to mind in this reader."""
    dynamic_object: Text = ""
    """What lies outside the sign and drives it, with the collateral knowledge that shows it: a title, a
    commission, history, the author of a prompt. Usually empty; never a second theme."""
    grounds: Grounds = Grounds()
    """The grounds on which it stands for the object."""
    places: tuple[Place, ...] = ()
    """Where it is in the sign."""
    unresolved: tuple[UnresolvedPlace, ...] = ()
    """Places that were claimed and do not resolve."""
    nowhere: Text = ""
    """Why it has no place, for example because it is a style, a mood or a genre. For an absence, why one
    expects the sign."""

    absent: StrictBool = Field(default=False, exclude_if=is_unset)
    """Whether the sign is an absence that the reader states on purpose: the candle is not there."""
    takes_up: NodeId | None = Field(default=None, exclude_if=is_unset)
    """The node of this HSG whose interpretant is the sign of this one, so that meanings can be chained
    (Peirce, CP 2.303)."""
    importance: UnitInterval | None = Field(default=None, exclude_if=is_none)
    """How much of the whole meaning would be lost without it, from 0 to 1; None if the reader states none."""
    share: UnitInterval | None = Field(default=None, exclude_if=is_unset)
    """The share of the merged readings that have this node, in a consensus."""
    sources: tuple[NodeRef, ...] = Field(default=(), exclude_if=is_unset)
    """The nodes that this one represents in a consensus, one from each reading that has it. All other fields
    are those of the first."""

    @property
    def location(self) -> Location:
        """`located` if it has a place, `absent` if its absence is meant, `unlocated` if every claimed place
        fails, else `global`."""
        if self.places:
            return "located"
        if self.absent:
            return "absent"
        return "unlocated" if self.unresolved else "global"


class Relation(Value):
    """An edge of an HSG. It runs whole → part and is read "part *relation* whole"."""

    whole: NodeId
    """The node above, or the node a free relation points at."""
    part: NodeId
    """The node below, or the node a free relation starts from."""
    relation: RelationWord
    """How the part relates to the whole."""
    how: Text = ""
    """The way in which it relates, in a phrase."""
    hierarchy: StrictBool = True
    """Whether it is an edge of the tree; free relations are not."""
