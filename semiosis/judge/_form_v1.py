"""The forms of judgments and answers with version 1 of the prompts.

Their schemas are part of the keys of requests of version 1, so they do not change.
"""

from functools import lru_cache
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from semiosis.judge._form import Side

MAX_RATIONALE_CHARACTERS = 3000

RationaleText = Annotated[str, Field(max_length=MAX_RATIONALE_CHARACTERS)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CitedNode(_Form):
    """A rationale that points at a node."""

    node: Annotated[str, Field(min_length=1, max_length=60)]
    stance: Literal["A", "B", "neutral"]
    rationale: Annotated[str, Field(min_length=1, max_length=MAX_RATIONALE_CHARACTERS)]


class Judgment(_Form):
    """A judgment between two pictures, with its evidence."""

    known: ClassVar[frozenset[str]] = frozenset()
    chain_a: RationaleText
    chain_b: RationaleText
    citations: Annotated[list[CitedNode], Field(max_length=40)]
    rationale: RationaleText
    winner: Side

    @model_validator(mode="after")
    def _check_citations(self) -> Self:
        if not self.known:
            return self
        unknown = sorted({citation.node for citation in self.citations} - self.known)
        if unknown:
            raise ValueError(f"no such node: {', '.join(unknown)}; nodes are {', '.join(sorted(self.known))}")
        if not self.citations:
            raise ValueError("cite at least one node of each picture")
        return self


class DirectJudgment(_Form):
    """A judgment between two pictures."""

    rationale: RationaleText
    winner: Side


class Choice(_Form):
    """The answer to a multiple-choice question."""

    choices: ClassVar[int] = 0
    rationale: RationaleText
    choice: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _check_choice(self) -> Self:
        if self.choices and self.choice > self.choices:
            raise ValueError(f"there is no choice {self.choice}; choices run from 1 to {self.choices}")
        return self


@lru_cache(maxsize=128)
def judgment_form(known: frozenset[str]) -> type[Judgment]:
    """Return the form that refuses a citation of a node that does not exist."""
    about = {"known": known, "__doc__": Judgment.__doc__, "__module__": __name__}
    return type("Judgment", (Judgment,), about)


@lru_cache(maxsize=32)
def choice_form(choices: int) -> type[Choice]:
    """Return the form that refuses a choice that the question does not have."""
    return type("Choice", (Choice,), {"choices": choices, "__doc__": Choice.__doc__, "__module__": __name__})
