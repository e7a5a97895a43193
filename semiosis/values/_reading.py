"""Readings: who read a sign, and under which conditions."""

from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from semiosis.values._value import (
    Id,
    Integer,
    NodeId,
    Parameters,
    Text,
    Value,
    content_id,
    is_unset,
)

AgentKind = Literal["model", "person", "program"]
"""What can read or judge: a model, a person, or a program such as the alignment."""

Detail = Literal["standard", "complex"]
"""The level of detail of a reading: at most 3 sub-semioses, or at most 5 (SemJudge, section 6.1)."""
DETAILS: tuple[Detail, ...] = get_args(Detail)
"""Every level of detail."""
SUB_SEMIOSES = {"standard": 3, "complex": 5}
"""The maximum number of sub-semioses that a reader is asked for, without the root. An HSG may have more."""


CONSENSUS = "consensus"
"""The name of the program that merges readings. Its parameter `condition` says whether it merged blind or
given readings."""

_ID_FIELDS = {"kind", "name", "model", "served", "parameters", "prompt_version"}
"""The fields that the id hashes. A field added later is left out, so that ids do not change."""


_REQUESTED_FIELDS = ("kind", "name", "model", "parameters", "prompt_version")
"""The fields of an interpreter that are known before it reads."""


class Interpreter(Value):
    """Who read."""

    kind: AgentKind
    """A model, a person, or a program."""
    name: Text = Field(min_length=1)
    """Its name in tables."""
    model: Text = ""
    """The model requested, such as `anthropic/claude-sonnet-4-5`."""
    served: Text = ""
    """The model that answered, as the provider named it."""
    parameters: Parameters = Field(default={}, validate_default=True)
    """Settings of the call: temperature, seed, schema mode."""
    prompt_version: Text = ""
    """Name and version of the prompt file."""

    @property
    def id(self) -> str:
        """The hash of kind, name, model, served model, parameters and prompt version."""
        return content_id("interpreter", self.model_dump(include=_ID_FIELDS))

    def equals_except_served(self, other: "Interpreter") -> bool:
        """Return whether another interpreter equals this one, apart from the model version that was served.

        A provider may start to serve another version in the middle of a study.
        """
        return all(getattr(self, name) == getattr(other, name) for name in _REQUESTED_FIELDS)

    @property
    def merges(self) -> bool:
        """Whether it merges the readings of others instead of reading the sign."""
        return self.kind == "program" and self.name == CONSENSUS


class Reading(Value):
    """The conditions under which an HSG was read."""

    interpreter: Interpreter
    """Who read."""
    given: tuple[Id, ...] = ()
    """Ids of the HSGs that the interpreter was shown."""
    beside: tuple[Id, ...] = ()
    """Ids of other signs shown in the same call."""
    detail: Detail = "standard"
    """The level of detail that was asked for."""
    repeat: Integer = Field(default=0, ge=0)
    """0 for the first reading, 1 for the second of the same sign by the same interpreter, and so on."""

    language: Text = Field(default="", exclude_if=is_unset)
    """BCP 47 tag of the language the interpreter was asked to write in; empty if none was asked for."""
    supersedes: Id | None = Field(default=None, exclude_if=is_unset)
    """The id of the HSG that this one replaces, for example to correct a mistake."""

    @property
    def blind(self) -> bool:
        """Whether the interpreter saw only the sign.

        A consensus is blind if the readings that it merges are blind.
        """
        if self.interpreter.merges:
            return self.interpreter.parameters.get("condition") == "blind"
        return not self.given and not self.beside


AbsenceStatus = Literal["missing", "replaced"]
"""Whether a node of the prompt is missing from an artifact or replaced."""


class Absence(Value):
    """A node of a given HSG that the sign does not show, or shows replaced by something else."""

    hsg: Id
    """The given HSG that has the node."""
    node: NodeId
    """The node."""
    status: AbsenceStatus
    """Whether it is missing, or replaced by something else."""
    by: Text = ""
    """What replaces it, in a phrase; empty if it is missing."""

    @model_validator(mode="after")
    def _check_replacement(self) -> Self:
        if (self.status == "replaced") != bool(self.by):
            raise ValueError("`by` says what replaces the node: required if it is replaced, else empty")
        return self
