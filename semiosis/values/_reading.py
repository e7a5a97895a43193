"""Who read a sign, and under which conditions."""

from typing import Literal, get_args

from pydantic import Field

from semiosis.values._value import Id, Parameters, Value, content_id

AgentKind = Literal["model", "person", "program"]
"""What can read or judge: a model, a person, or a program such as the alignment."""

Detail = Literal["standard", "complex"]
"""How deep a reading goes: at most 3 sub-semioses, or at most 5 (SemJudge, section 6.1)."""
DETAILS: tuple[Detail, ...] = get_args(Detail)
SUB_SEMIOSES = {"standard": 3, "complex": 5}
"""The most sub-semioses a reader is asked for. The root is not counted. A request, not a law of the value."""


_ID_FIELDS = {
    "kind",
    "name",
    "model",
    "served",
    "parameters",
    "prompt_version",
}  # frozen, whatever is added later


class Interpreter(Value):
    """Who read."""

    kind: AgentKind
    """A model, a person, or a program."""
    name: str = Field(min_length=1)
    """What people call it."""
    model: str = ""
    """The model asked for, such as `anthropic/claude-sonnet-4-5`."""
    served: str = ""
    """The model that answered, as the provider named it."""
    parameters: Parameters = Field(default={}, validate_default=True)
    """Settings of the call: temperature, seed, schema mode."""
    prompt_version: str = ""
    """Name and version of the prompt file it was asked with."""

    @property
    def id(self) -> str:
        """The hash of all that tells interpreters apart."""
        return content_id("interpreter", self.model_dump(include=_ID_FIELDS))


class Reading(Value):
    """The conditions under which an HSG was read."""

    interpreter: Interpreter
    """Who read."""
    given: tuple[Id, ...] = ()
    """Ids of the HSGs the interpreter was shown."""
    beside: tuple[Id, ...] = ()
    """Ids of other signs it saw in the same call."""
    detail: Detail = "standard"
    """How deep it was asked to go."""
    repeat: int = Field(default=0, ge=0)
    """0 for the first reading, 1 for the second of the same sign by the same interpreter, and so on."""

    @property
    def blind(self) -> bool:
        """Whether the interpreter saw nothing but the sign."""
        return not self.given and not self.beside
