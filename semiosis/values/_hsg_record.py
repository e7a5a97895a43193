"""The JSON form of HSGs: flat lists of nodes and relations."""

from typing import Literal, Self

from pydantic import Field

from semiosis.values._errors import DataError
from semiosis.values._hsg import HSG
from semiosis.values._reading import Absence, Reading
from semiosis.values._semiosis import Relation, Semiosis
from semiosis.values._sign import Sign
from semiosis.values._value import NodeId, Value, is_unset


class NodeRecord(Semiosis):
    """A semiosis with its node id."""

    id: NodeId
    """The id of the node in the HSG, such as `root` or `n2`."""


class HSGRecord(Value):
    """The JSON form of an HSG."""

    kind: Literal["hsg"] = "hsg"
    """The kind of value in JSON."""
    sign: Sign
    """What was read."""
    reading: Reading
    """Who read it, and how."""
    semioses: tuple[NodeRecord, ...] = Field(min_length=1)
    """The nodes, whole before part."""
    relations: tuple[Relation, ...]
    """The edges."""
    absences: tuple[Absence, ...] = Field(default=(), exclude_if=is_unset)
    """Nodes of the given HSGs that the sign does not show, or shows replaced."""

    @classmethod
    def of(cls, hsg: HSG) -> Self:
        """Return the record of an HSG."""
        nodes = tuple(NodeRecord(id=node, **dict(semiosis)) for node, semiosis in hsg.semioses.items())
        return cls(
            sign=hsg.sign,
            reading=hsg.reading,
            semioses=nodes,
            relations=hsg.relations,
            absences=hsg.absences,
        )

    def hsg(self) -> HSG:
        """Return the HSG, after checking it."""
        # The fields were validated with the record. `model_construct` drops the extra field, the id.
        semioses = {node.id: Semiosis.model_construct(**node.__dict__) for node in self.semioses}
        if len(semioses) != len(self.semioses):
            raise DataError("two nodes have the same id", fix="give each node of an HSG its own id")
        return HSG(self.sign, semioses, self.relations, self.reading, self.absences)
