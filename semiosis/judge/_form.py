"""The forms of judgments and answers. Reasons come before the decision."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

MIN_CITATIONS, MAX_CITATIONS = 2, 10
MAX_RATIONALE_CHARACTERS = 2000

RationaleText = Annotated[str, Field(min_length=1, max_length=MAX_RATIONALE_CHARACTERS)]
Side = Literal["A", "B"]
"""The name of a picture in a request. A is shown first and B second, whichever is a in the comparison."""
Closeness = Annotated[int, Field(ge=1, le=5)]

P_WINNER = {1: 0.95, 2: 0.85, 3: 0.75, 4: 0.65, 5: 0.55}
"""The probability of the winner for each closeness: a convention, in equal steps."""


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CitedNode(_Form):
    """A rationale that points at a node."""

    node: Annotated[str, Field(min_length=1, max_length=60)]
    stance: Literal["A", "B", "neutral"]
    rationale: RationaleText


class Judgment(_Form):
    """A judgment between two pictures, with its evidence."""

    known: ClassVar[frozenset[str]] = frozenset()
    """The nodes that can be cited. It is empty in the lenient form, which does not check citations."""
    chain_a: RationaleText
    chain_b: RationaleText
    citations: Annotated[
        list[CitedNode],
        Field(max_length=MAX_CITATIONS, json_schema_extra={"minItems": MIN_CITATIONS}),
    ]
    rationale: RationaleText
    closeness: Closeness
    winner: Side

    @model_validator(mode="after")
    def _check_demands(self) -> Self:
        problems = list(self._problems()) if self.known else []
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _problems(self) -> Iterator[str]:
        cited = [citation.node for citation in self.citations]
        unknown = sorted(set(cited) - self.known)
        if unknown:
            yield f"no such node: {', '.join(unknown)}; the nodes are {', '.join(sorted(self.known))}"
        if len(cited) < MIN_CITATIONS:
            yield f"give at least {MIN_CITATIONS} citations"
        for side in ("A", "B"):
            if not any(node.startswith(f"{side}.") for node in cited):
                yield f"cite at least one node of {side}"


class DirectJudgment(_Form):
    """A judgment between two pictures."""

    rationale: RationaleText
    closeness: Closeness
    winner: Side


class Choice(_Form):
    """The answer to a multiple-choice question."""

    choices: ClassVar[int] = 0
    """The number of choices of the question. It is 0 in the form that does not check the choice."""
    rationale: RationaleText
    choice: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _check_choice(self) -> Self:
        if self.choices and self.choice > self.choices:
            raise ValueError(f"there is no choice {self.choice}; the choices are 1 to {self.choices}")
        return self


@lru_cache(maxsize=128)
def judgment_form(known: frozenset[str]) -> type[Judgment]:
    """Return the form that refuses a citation of a node that does not exist."""
    about = {"known": known, "__doc__": Judgment.__doc__, "__module__": __name__}
    return type("Judgment", (Judgment,), about)


@lru_cache(maxsize=32)
def choice_form(choices: int) -> type[Choice]:
    """Return the form that refuses a choice that the question does not have."""
    about = {"choices": choices, "__doc__": Choice.__doc__, "__module__": __name__}
    return type("Choice", (Choice,), about)
