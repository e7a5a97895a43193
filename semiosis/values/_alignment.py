"""Alignments: the fate of each node of one HSG in another, and the nodes that are new there."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from semiosis.values._fate import CHANGED, CREDIT, FATES, KEPT, MATCHED, RECOVERABLE, Fate, Match, NodeFate
from semiosis.values._hsg import HSG
from semiosis.values._observation import Evaluator
from semiosis.values._value import (
    Id,
    Integer,
    NodeId,
    ReadOnlyDict,
    Superseding,
    Text,
    UnitInterval,
    Value,
    is_none,
)

Condition = Literal["blind", "given"]
"""Whether both readings were blind. A reading that saw the prompt echoes it, so the two are never pooled."""

WEIGHTED = "nodes weighted by importance"
"""What a procedure states if the source's reader states how important its nodes are."""
AlignerKind = Literal["embedder", "model", "person"]
"""Who aligned. An embedder assigns only `kept` or `lost`; a model or a person can assign all eight fates."""


class NodeBrief(Value):
    """The part of a node that a diff shows."""

    label: Text
    """Its short name."""
    object: Text
    """What it stands for."""
    importance: UnitInterval | None = Field(default=None, exclude_if=is_none)
    """How much of the whole meaning would be lost without it; None if the reader states none."""


Briefs = Annotated[dict[NodeId, NodeBrief], AfterValidator(ReadOnlyDict)]


class AlignedHSG(Value):
    """One of the two HSGs of an alignment."""

    hsg: Id
    """The id of the HSG."""
    sign: Id
    """The sign it reads."""
    interpreter: Id
    """Who read it."""
    blind: StrictBool
    """Whether the reader saw only the sign."""
    nodes: Briefs
    """The label and object of each node."""
    iconicity: UnitInterval | None
    """Mean iconic share of its nodes' grounds (SemJudge, principle 5); None if no node has any ground."""

    @classmethod
    def of(cls, hsg: HSG) -> Self:
        """Return what an alignment stores about an HSG."""
        shares = [share for s in hsg.semioses.values() if (share := s.grounds.iconicity) is not None]
        return cls(
            hsg=hsg.id,
            sign=hsg.sign.id,
            interpreter=hsg.reading.interpreter.id,
            blind=hsg.blind,
            nodes={
                node: NodeBrief(label=s.label, object=s.object, importance=s.importance)
                for node, s in hsg.semioses.items()
            },
            iconicity=math.fsum(shares) / len(shares) if shares else None,
        )

    @property
    def states_importance(self) -> bool:
        """Whether its reader states how important nodes are, so that they do not all count alike."""
        return any(brief.importance for brief in self.nodes.values())

    @property
    def weights(self) -> dict[str, float]:
        """How much each node counts: its importance where the reader states any, else 1.

        A node without an importance in a reading that states some counts as their mean.
        """
        if not self.states_importance:
            return dict.fromkeys(self.nodes, 1.0)
        stated = [brief.importance for brief in self.nodes.values() if brief.importance is not None]
        mean = math.fsum(stated) / len(stated)
        return {
            node: mean if brief.importance is None else brief.importance for node, brief in self.nodes.items()
        }

    def brief(self, node: str) -> str:
        """Return a node's label and object as text."""
        return f"{self.nodes[node].label}: {self.nodes[node].object}"


class Alignment(Superseding):
    """The fate of each node of a source HSG in a target HSG."""

    kind: Literal["alignment"] = "alignment"
    """The kind of value in JSON."""
    source: AlignedHSG
    """The HSG of what was meant, usually the prompt's."""
    target: AlignedHSG
    """The HSG of what is seen, usually the artifact's."""
    fates: tuple[NodeFate, ...]
    """The fate of each source node, exactly one entry per node."""
    distance: UnitInterval
    """Δo, from what was meant to what is seen (SemJudge, section 4). For an embedder: 1 minus the mean, over
    the source nodes, of the strongest probability that some target node carries the same meaning. For a model
    or a person: 1 minus the mean credit of the source nodes, 1 for kept, split and merged, ½ for weakened
    and diffused (a convention), 0 otherwise. Emergent nodes do not count."""
    method: Text
    """Name and version of the method."""
    embedder: Text = ""
    """Name of the embedder that compared the texts; empty if a model or a person aligned."""
    weights: Text = ""
    """Version of the embedder's weights."""
    evaluator: Evaluator | None = None
    """The model or person that aligned; None for an embedder. A model's parameters name its prompt
    version."""
    length_class: Text = ""
    """The class of text length whose cut an embedder used, such as `short`; empty for a model or a person."""
    repeat: Integer = Field(default=0, ge=0)
    """0 for the first alignment, 1 for an independent second one by the same evaluator, and so on."""

    served: Text = ""
    """The model that answered, as the provider named it."""

    @model_validator(mode="after")
    def _check_nodes(self) -> Self:
        if Counter(fate.node for fate in self.fates) != Counter(list(self.source.nodes)):
            raise ValueError(f"the fates must name each node of HSG {self.source.hsg} exactly once")
        if unknown := {target for fate in self.fates for target in fate.targets} - set(self.target.nodes):
            raise ValueError(f"HSG {self.target.hsg} has no node {min(unknown)!r}")
        return self

    @model_validator(mode="after")
    def _check_aligner(self) -> Self:
        if self.evaluator is None:
            self._check_embedder()
        elif self.evaluator.kind == "program":
            raise ValueError("the evaluator of an alignment must be a model or a person")
        elif abs(self.distance - distance_of_fates(self.fates, self.source.weights)) > 1e-6:
            raise ValueError("the distance does not agree with the fates")
        return self

    def _check_embedder(self) -> None:
        if other := sorted({fate.fate for fate in self.fates} - {"kept", "lost"}):
            raise ValueError(f"an embedder assigns only 'kept' or 'lost', not {other[0]!r}")
        if len(targets := [target for fate in self.fates for target in fate.targets]) != len(set(targets)):
            raise ValueError("an embedder matches nodes one to one, but a target node is matched twice")

    @property
    def id(self) -> str:
        """The hash of both HSGs, the method, the embedder, its weights and, if set, evaluator and repeat."""
        content: dict[str, object] = {
            "source": self.source.hsg,
            "target": self.target.hsg,
            "method": self.method,
            "embedder": self.embedder,
            "weights": self.weights,
        }
        if self.evaluator is not None:
            content["evaluator"] = self.evaluator.id
        if self.repeat:
            content["repeat"] = self.repeat
        return self._id("alignment", content)

    @property
    def aligner(self) -> AlignerKind:
        """The kind of aligner: an embedder, a model or a person."""
        if self.evaluator is None:
            return "embedder"
        return "model" if self.evaluator.kind == "model" else "person"

    @property
    def aligned_by(self) -> str:
        """The aligner's kind and name, such as `embedder wordllama`."""
        return f"{self.aligner} {self.embedder if self.evaluator is None else self.evaluator.name}"

    @property
    def procedure(self) -> str:
        """Everything that must agree before two alignments are pooled, as text."""
        weighted = (WEIGHTED,) if self.source.states_importance else ()
        return ", ".join((self.matching_procedure, *weighted))

    @property
    def matching_procedure(self) -> str:
        """How the nodes were matched, whether or not they count by importance, as text."""
        if self.evaluator is None:
            return ", ".join((self.method, self.embedder, self.weights))
        return stated_procedure(self.method, self.evaluator)

    @property
    def condition(self) -> Condition:
        """`blind` if both readings were blind, else `given`."""
        return "blind" if self.source.blind and self.target.blind else "given"

    @property
    def matches(self) -> tuple[Match, ...]:
        """The pairs of nodes with the same meaning, from kept, weakened, split and merged nodes."""
        return tuple(match for fate in self.fates for match in fate.matches)

    @property
    def matched(self) -> tuple[NodeId, ...]:
        """The source nodes whose meaning a target node carries: kept, weakened, split or merged."""
        return tuple(fate.node for fate in self.fates if fate.fate in MATCHED)

    @property
    def lost(self) -> tuple[NodeId, ...]:
        """The source nodes whose meaning no target node carries. Diffused, resignified and reversed nodes are
        neither lost nor matched."""
        return tuple(fate.node for fate in self.fates if fate.fate == "lost")

    @property
    def emergent(self) -> tuple[NodeId, ...]:
        """The target nodes that no fate names."""
        named = {target for fate in self.fates for target in fate.targets}
        return tuple(node for node in self.target.nodes if node not in named)

    def fate_of(self, node: str) -> NodeFate:
        """Return the fate of a source node."""
        return next(fate for fate in self.fates if fate.node == node)

    @property
    def matched_share(self) -> float:
        """Share of the source nodes that are kept, weakened, split or merged. Comparable across aligners."""
        return self._share(MATCHED)

    @property
    def kept_share(self) -> float | None:
        """Share of the source nodes that are kept, split or merged; None for an embedder, which cannot
        distinguish them."""
        return None if self.aligner == "embedder" else self._share(KEPT)

    @property
    def recoverable_share(self) -> float | None:
        """Share of the source nodes that are matched or diffused; None for an embedder, which finds no
        diffused nodes."""
        return None if self.aligner == "embedder" else self._share(RECOVERABLE)

    @property
    def changed_share(self) -> float | None:
        """Share of the source nodes that are resignified or reversed; None for an embedder, which cannot
        distinguish them from lost ones."""
        return None if self.aligner == "embedder" else self._share(CHANGED)

    def _share(self, counted: frozenset[Fate]) -> float:
        weights = self.source.weights
        shares = math.fsum(weights[fate.node] for fate in self.fates if fate.fate in counted)
        return shares / math.fsum(weights.values())

    def __str__(self) -> str:
        return "\n".join([self._summary(), *self._fate_lines(), *self._emergent_lines()])

    def _summary(self) -> str:
        return (
            f"Δo {self.distance:.2f} by {self.aligned_by}, {self.condition}: {count_fates(self)}, "
            f"{len(self.emergent)} emergent" + (f"; {WEIGHTED}" if self.source.states_importance else "")
        )

    def _fate_lines(self) -> list[str]:
        lines = []
        for fate in self.fates:
            p = "" if fate.p is None or self.aligner == "person" else f" {fate.p:.2f}"
            seen = " + ".join(map(self.target.brief, fate.targets))
            why = f"  ({fate.why})" if fate.why else ""
            lines.append(
                f"{fate.fate}{p}  {self.source.brief(fate.node)}{'  →  ' if seen else ''}{seen}{why}"
            )
        return lines

    def _emergent_lines(self) -> list[str]:
        return [f"emergent  {self.target.brief(node)}" for node in self.emergent]


def stated_procedure(method: str, evaluator: Evaluator) -> str:
    """Return how a model or a person aligned: method, name and settings."""
    settings = (f"{name} {value}" for name, value in sorted(evaluator.parameters.items()))
    return ", ".join((method, evaluator.name, *settings))


def distance_of_fates(fates: Sequence[NodeFate], weights: Mapping[str, float]) -> float:
    """Return Δo for a model or a person: 1 minus the weighted mean credit of the source nodes."""
    credit = math.fsum(weights[fate.node] * CREDIT[fate.fate] for fate in fates)
    return round(1 - credit / math.fsum(weights[fate.node] for fate in fates), 6)


def count_fates(alignment: Alignment) -> str:
    """Return how many source nodes have each fate, as text: `2 kept, 1 weakened, 0 lost`.

    The fates of an embedder are called matched and lost, because it cannot distinguish kept from weakened.
    """
    counts = Counter(fate.fate for fate in alignment.fates)
    if alignment.aligner == "embedder":
        return f"{counts['kept']} matched, {counts['lost']} lost"
    return ", ".join(f"{counts[fate]} {fate}" for fate in FATES if counts[fate] or fate in ("kept", "lost"))
