"""Cascades: chains of signs, each made from the one before it."""

from dataclasses import dataclass

from semiosis.values._brief import brief_repr
from semiosis.values._errors import DataError
from semiosis.values._hsg import HSG


@dataclass(frozen=True, slots=True)
class Cascade:
    """A chain of HSGs, prompt → artifact or longer (SemJudge, section 3.2)."""

    __repr__ = brief_repr

    hsgs: tuple[HSG, ...]
    """The rounds, in order."""

    def __post_init__(self) -> None:
        if len(self.hsgs) < 2:
            raise DataError(
                "a cascade needs at least two HSGs", fix="give the prompt's HSG and an artifact's"
            )
