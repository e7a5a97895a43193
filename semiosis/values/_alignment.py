"""Alignments: what two HSGs share, what was lost on the way, and what was added."""

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic.dataclasses import dataclass

from semiosis.values._hsg import HSG
from semiosis.values._value import STRICT, Id, NodeId, ReadOnlyDict, Share, Value, content_id

Condition = Literal["blind", "given"]
"""Whether both readings were blind. A reading that saw the prompt echoes it, so the two never pool."""

Difference = Annotated[float, Field(ge=-1, le=1)]
"""A number from -1 to 1."""


class NodeBrief(Value):
    """As much of a node as a diff shows."""

    label: str
    """Its short name."""
    object: str
    """What it stands for."""


Briefs = Annotated[dict[NodeId, NodeBrief], AfterValidator(ReadOnlyDict)]


class Side(Value):
    """One of the two HSGs of an alignment."""

    hsg: Id
    """Its id."""
    sign: Id
    """The sign it reads."""
    interpreter: Id
    """Who read it."""
    blind: bool
    """Whether the reader saw nothing but the sign."""
    nodes: Briefs
    """Its nodes, in short."""
    iconicity: Share | None
    """Mean iconic share of its nodes' grounds (SemJudge, principle 5); None where no node has any ground."""

    @classmethod
    def of(cls, hsg: HSG) -> Self:
        """The side an HSG takes in an alignment."""
        shares = [share for s in hsg.semioses.values() if (share := s.grounds.iconicity) is not None]
        return cls(
            hsg=hsg.id,
            sign=hsg.sign.id,
            interpreter=hsg.reading.interpreter.id,
            blind=hsg.blind,
            nodes={node: NodeBrief(label=s.label, object=s.object) for node, s in hsg.semioses.items()},
            iconicity=sum(shares) / len(shares) if shares else None,
        )


# A match and its two parts are dataclasses: a stream of alignments makes some fifteen of them for each, and a
# model takes more than twice as long to make. The parts, made column by column, have slots; a match is faster
# without.


@dataclass(frozen=True, kw_only=True, slots=True, config=STRICT)
class Parts:
    """What a match rests on: the likeness of each pair of fields, from 0 to 1."""

    sign: Share
    """Of what is perceived."""
    object: Share
    """Of what it stands for."""
    interpretant: Share
    """Of what it brings to mind."""
    ground: Share
    """Of the three grounds: 1 minus half the L1 distance of their shares."""
    structure: Share
    """Of the places the two nodes hold in their graphs: how surely the wholes they are part of, or their own
    parts, stand for each other, whichever is surer; 1 for two roots."""


@dataclass(frozen=True, kw_only=True, slots=True, config=STRICT)
class Shift:
    """How the grounds moved from source to target: target minus source."""

    iconic: Difference
    """Change of the iconic strength."""
    indexical: Difference
    """Change of the indexical strength."""
    symbolic: Difference
    """Change of the symbolic strength."""


@dataclass(frozen=True, kw_only=True, config=STRICT)
class Match:
    """A node of the source and the node of the target that carries the same meaning."""

    source: NodeId
    """Node of the source HSG."""
    target: NodeId
    """Node of the target HSG."""
    p: Share
    """Probability that the two are the same meaning."""
    parts: Parts | None = None
    """What the probability rests on, in alignments by methods that compared the fields one by one."""
    ground_shift: Shift
    """How the grounds moved."""
    adjudicated: bool = False
    """Whether a model settled it, in alignments made by earlier versions."""
    spatial: str = ""
    """How the two places compare, in words, where both have boxes."""
    objects_differ: bool = False
    """Whether the objects are far less alike than the rest of the two nodes: the same sign may stand for
    something else."""


class Alignment(Value):
    """HSG × HSG → what survived, what was lost, what emerged."""

    kind: Literal["alignment"] = "alignment"
    """Tells values apart in JSON."""
    source: Side
    """What was meant: most often the prompt's HSG."""
    target: Side
    """What is seen: most often the artifact's HSG."""
    matches: tuple[Match, ...]
    """Nodes that carry the same meaning, one to one."""
    lost: tuple[NodeId, ...]
    """Source nodes with no match: meant, not realised."""
    emergent: tuple[NodeId, ...]
    """Target nodes with no match: added."""
    distance: Share
    """Δo, the distance in object space (SemJudge, section 4) from what was meant to what is seen: 1 minus the
    mean, over the source's nodes, of the strongest probability that some node of the target says the same, by
    the texts and grounds of the two alone. 0 where all that was meant is there; what was added does not
    count, so the way back is another distance. A node taken from the target never lowers it."""
    method: str
    """Name and version of the method."""
    embedder: str
    """Name of the embedder that compared the texts."""
    weights: str
    """Version of the weights."""

    @model_validator(mode="after")
    def _accounts_for_every_node(self) -> Self:
        for side, nodes in (
            (self.source, [m.source for m in self.matches] + list(self.lost)),
            (self.target, [m.target for m in self.matches] + list(self.emergent)),
        ):
            if Counter(nodes) != Counter(list(side.nodes)):
                raise ValueError(f"an alignment names each node of HSG {side.hsg} exactly once")
        return self

    @property
    def id(self) -> str:
        """The hash of both HSGs, method, embedder and weights."""
        return content_id(
            "alignment",
            {
                "source": self.source.hsg,
                "target": self.target.hsg,
                "method": self.method,
                "embedder": self.embedder,
                "weights": self.weights,
            },
        )

    @property
    def condition(self) -> Condition:
        """Blind if both readings were, else given."""
        return "blind" if self.source.blind and self.target.blind else "given"

    def __str__(self) -> str:
        return "\n".join([self._summary(), *map(self._matched, self.matches), *self._unmatched()])

    def _summary(self) -> str:
        return (
            f"Δo {self.distance:.2f}: {len(self.matches)} matched, {len(self.lost)} lost, "
            f"{len(self.emergent)} emergent ({self.condition}, {self.embedder})"
        )

    def _matched(self, match: Match) -> str:
        source, target = self.source.nodes[match.source], self.target.nodes[match.target]
        return f"= {match.p:.2f}  {source.label}: {source.object}  →  {target.label}: {target.object}"

    def _unmatched(self) -> list[str]:
        lost = [f"- lost  {self.source.nodes[n].label}: {self.source.nodes[n].object}" for n in self.lost]
        return lost + [
            f"+ emergent  {self.target.nodes[n].label}: {self.target.nodes[n].object}" for n in self.emergent
        ]
