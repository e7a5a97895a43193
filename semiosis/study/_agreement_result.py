"""Results of `reader_agreement`: how far the readers of each sign, and of all signs, agree."""

from dataclasses import dataclass
from typing import Literal

from semiosis.align import AboveChance
from semiosis.study._reading_pairs import Scope
from semiosis.values import Condition, Unscored, brief_repr

AgreementUnit = Literal["prompt", "sign"]
"""The unit of intervals."""


@dataclass(frozen=True)
class SignValue:
    """One measure on one sign."""

    observed: float | Unscored
    """Agreement of the readers of the sign."""
    chance: float | Unscored
    """Agreement of readers of this sign with readers of other signs."""
    corrected: float | Unscored
    """(observed − chance) / (1 − chance)."""
    n: int
    """The number of nodes, or of pairs of matched nodes, that it is computed from."""


@dataclass(frozen=True)
class SignAgreement:
    """How far the readers of one sign agree."""

    __repr__ = brief_repr

    sign: str
    """The sign's id."""
    title: str
    """The title of the sign, or the start of its text."""
    pairs: int
    """The number of pairs of readings."""
    values: dict[str, SignValue]
    """Each measure: nodes, boxes, spans, relations, wholes, and grounds (the three together)."""
    same_place: int
    """The number of pairs of unmatched nodes at the same place with another object."""


@dataclass(frozen=True)
class GroupAgreement:
    """How far one pair of readers agrees, or all pairs of one kind."""

    __repr__ = brief_repr

    scope: Scope
    """Whether the pairs are of two readers, or of repeats by one reader (self-consistency)."""
    kinds: str
    """The kinds of the readers: `people`, `models`, `a model and a person`."""
    readers: tuple[str, ...]
    """The names of the readers."""
    pooled: bool
    """Whether the group contains several pairs of readers."""
    n_signs: int
    """The number of signs that at least two of the readers read."""
    n_pairs: int
    """The number of pairs of readings."""
    depths: tuple[str, ...]
    """The levels of detail of the readings. Two different levels limit the agreement."""
    measures: tuple[AboveChance, ...]
    """Nodes, boxes, spans, relations, wholes, and each ground."""
    signs: tuple[SignAgreement, ...]
    """Each sign, in the order of the study."""

    def measure(self, name: str) -> AboveChance:
        """Return one measure by name."""
        return next(measure for measure in self.measures if measure.name == name)


@dataclass(frozen=True)
class ReaderAgreement:
    """How far the readers of a study agree, from alignments by one procedure."""

    __repr__ = brief_repr

    groups: tuple[GroupAgreement, ...]
    """Different readers first, then repeats."""
    condition: Condition
    """Blind or given readings; the two are never pooled."""
    aligned_by: str
    """The aligner that matched the nodes."""
    procedure: str
    """The procedure of the alignments."""
    length_classes: str
    """How many pairs of readings each class of text length has, such as `28 short, 2 long`."""
    n_single: int
    """The number of signs with a single reading, which cannot be compared."""
    n_refused: int
    """The number of pairs of readings in two scripts, which the aligner cannot compare."""
    crossed: int
    """The maximum number of signs drawn for each pair to estimate chance."""
    unit: AgreementUnit
    """The unit of the intervals."""
    level: float
    """Level of the intervals."""
    seed: int
    """Seed of the draws."""
    notes: tuple[str, ...]
    """Statements of what is left out, and why."""
