"""Fates: what became of each source node, and the target nodes involved."""

from collections.abc import Iterable
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, StrictBool, StrictFloat, model_validator
from pydantic.dataclasses import dataclass

from semiosis.values._value import (
    STRICT,
    NodeId,
    ReplyText,
    Text,
    UnitInterval,
    Value,
)

Fate = Literal["kept", "weakened", "split", "merged", "diffused", "resignified", "reversed", "lost"]
"""What became of a source node.

`kept`: a target node has the same object. `weakened`: the same object, only partly recoverable. `split`:
divided over several target nodes. `merged`: shares its target with another source node that fits better.
`diffused`: only the target's root implies it. `resignified`: the sign recurs but stands for another object.
`reversed`: the sign recurs and stands for the opposite. `lost`: nothing in the target carries it.
"""
FATES: tuple[Fate, ...] = get_args(Fate)
"""Every fate."""

MATCHED: frozenset[Fate] = frozenset({"kept", "weakened", "split", "merged"})
"""Fates of a node whose meaning some target node carries. Every kind of aligner can distinguish these from
other fates."""
KEPT: frozenset[Fate] = frozenset({"kept", "split", "merged"})
"""Fates of a node whose full meaning is present."""
RECOVERABLE: frozenset[Fate] = MATCHED | {"diffused"}
"""Fates of a node whose meaning a viewer can still recover."""
CHANGED: frozenset[Fate] = frozenset({"resignified", "reversed"})
"""Fates of a node whose sign recurs with another meaning. It is neither matched nor lost."""

CREDIT: dict[Fate, float] = (
    dict.fromkeys(FATES, 0.0) | dict.fromkeys(KEPT, 1.0) | {"weakened": 0.5, "diffused": 0.5}
)
"""How much of a node's meaning counts as present in the distance Δo. The values of ½ are a convention."""

DOUBTFUL = 0.5
"""A match or fate with a lower probability is more likely wrong than right, and is marked."""

Difference = Annotated[StrictFloat, Field(ge=-1, le=1)]
"""A number from -1 to 1."""


# These are dataclasses because an alignment makes many of them, and a pydantic model takes more than twice as
# long to create.


@dataclass(frozen=True, kw_only=True, slots=True, config=STRICT)
class Shift:
    """The change of the grounds from source to target: target minus source."""

    iconic: Difference
    """Change of the iconic strength."""
    indexical: Difference
    """Change of the indexical strength."""
    symbolic: Difference
    """Change of the symbolic strength."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class TargetLink:
    """One target node that a source node's fate names."""

    target: NodeId
    """Node of the target HSG."""
    ground_shift: Shift
    """The change of the grounds."""
    spatial: Text = ""
    """How the two places compare, in words, if both have boxes."""
    objects_differ: StrictBool = False
    """Whether the objects are far less similar than the rest of the two nodes: the same sign may stand for
    something else."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Match:
    """A source node and a target node that carries its meaning, in full or in part."""

    source: NodeId
    """Node of the source HSG."""
    target: NodeId
    """Node of the target HSG."""
    p: UnitInterval
    """Probability that the two have the same meaning."""
    ground_shift: Shift
    """The change of the grounds."""
    spatial: Text = ""
    """How the two places compare, in words, if both have boxes."""
    objects_differ: StrictBool = False
    """Whether the objects are far less similar than the rest of the two nodes: the same sign may stand for
    something else."""
    fate: Fate = "kept"
    """The fate of the source node."""
    why: ReplyText = ""
    """The aligner's reason, if it gave one."""


class NodeFate(Value):
    """The fate of one source node."""

    node: NodeId
    """Node of the source HSG."""
    fate: Fate
    """What became of it. An embedder assigns only `kept` or `lost`."""
    links: tuple[TargetLink, ...] = ()
    """The target nodes involved: none for `lost`, at least two for `split`, one for every other fate."""
    p: UnitInterval | None = None
    """Probability that the fate is right, as the aligner states it. An embedder states none for `lost`. If
    a person states none, 1 is recorded."""
    why: ReplyText = ""
    """The aligner's reason in one sentence; an embedder gives none."""

    @model_validator(mode="after")
    def _check_targets(self) -> Self:
        if problem := wrong_targets(self.fate, self.targets):
            raise ValueError(f"{self.node}: {problem}")
        if self.links and self.p is None:
            raise ValueError(f"{self.node}: a fate that names target nodes needs a probability")
        return self

    @property
    def targets(self) -> tuple[NodeId, ...]:
        """The ids of the target nodes involved."""
        return tuple(link.target for link in self.links)

    @property
    def matches(self) -> tuple[Match, ...]:
        """The matches of this node: one per target, or none if no target node carries its meaning."""
        if self.fate not in MATCHED or self.p is None:
            return ()
        p, fate, why = self.p, self.fate, self.why
        return tuple(Match(source=self.node, p=p, fate=fate, why=why, **vars(link)) for link in self.links)


def wrong_targets(fate: Fate, targets: Iterable[str]) -> str:
    """Return the reason why this fate cannot name these targets; empty if it can.

    >>> wrong_targets("split", ["n1"])
    "'split' names at least two target nodes, not 1"
    >>> wrong_targets("lost", [])
    ''
    """
    named = list(targets)
    if len(set(named)) != len(named):
        return "a target node is named twice"
    if fate == "lost":
        return "'lost' names no target node" if named else ""
    if fate == "split":
        return "" if len(named) > 1 else f"'split' names at least two target nodes, not {len(named)}"
    return "" if len(named) == 1 else f"{fate!r} names exactly one target node, not {len(named)}"
