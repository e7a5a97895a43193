"""The table of value kinds: where a kind is recorded, and what its values refer to.

A new kind of value is one entry here, one member of `Recorded`, and one entry in the store's table of
projections, which has the same keys.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from semiosis.values._alignment import Alignment
from semiosis.values._hsg import HSG
from semiosis.values._hsg_record import HSGRecord
from semiosis.values._observation import Answer, Comparison, Question, Rating, Score, Verdict
from semiosis.values._sign import CompositeSign, ImageSign, TextSign
from semiosis.values._value import Value

Recorded = (
    TextSign
    | ImageSign
    | CompositeSign
    | HSG
    | Alignment
    | Comparison
    | Question
    | Verdict
    | Rating
    | Answer
    | Score
)
"""A value with a line of its own in a study's record."""

Noun = Literal[
    "sign", "HSG", "node", "alignment", "comparison", "question", "verdict", "rating", "answer", "score"
]
"""What a reference can name. A node is named `<HSG id>/<node>`."""

Shelf = Literal["signs", "comparisons", "questions", "hsgs", "alignments", "observations"]
"""The parts of a study's record."""


class Reference(NamedTuple):
    """A value that another value names."""

    noun: Noun
    """What is named."""
    id: str
    """Its id."""
    included: bool = False
    """Whether the value that names it also holds a copy, as an HSG holds its sign."""

    @property
    def value_id(self) -> str:
        """The id of the value to look for: for a node, of its HSG."""
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Kind:
    """What the project needs to know about one kind of value."""

    model: type[Value]
    """The pydantic model that reads and writes its JSON."""
    noun: Noun
    """What references call it."""
    shelf: Shelf
    """The part of a study's record that holds it."""
    refers: Callable[[Any], Iterator[Reference]]
    """What one of its values names, apart from the value it supersedes."""

    @property
    def per_run(self) -> bool:
        """Whether each run writes a file of its own."""
        return self.shelf in ("hsgs", "alignments", "observations")


def _of_sign(sign: TextSign | ImageSign | CompositeSign) -> Iterator[Reference]:
    if sign.prompt:
        yield Reference("sign", sign.prompt)


def _of_hsg(hsg: HSG) -> Iterator[Reference]:
    yield Reference("sign", hsg.sign.id, included=True)
    yield from (Reference("HSG", given) for given in hsg.reading.given)
    yield from (Reference("sign", beside) for beside in hsg.reading.beside)
    yield from (Reference("node", f"{absence.hsg}/{absence.node}") for absence in hsg.absences)
    yield from (
        Reference("node", source) for semiosis in hsg.semioses.values() for source in semiosis.sources
    )


def _of_alignment(alignment: Alignment) -> Iterator[Reference]:
    yield from (Reference("HSG", side.hsg) for side in (alignment.source, alignment.target))


def _of_comparison(comparison: Comparison) -> Iterator[Reference]:
    yield from (Reference("sign", sign) for sign in (comparison.prompt, comparison.a, comparison.b))


def _of_question(question: Question) -> Iterator[Reference]:
    yield Reference("sign", question.sign)


def _of_verdict(verdict: Verdict) -> Iterator[Reference]:
    yield Reference("comparison", verdict.comparison)
    yield from (Reference("HSG", used) for used in verdict.used)
    yield from (Reference("node", f"{citation.hsg}/{citation.node}") for citation in verdict.citations)


def _of_rating(rating: Rating) -> Iterator[Reference]:
    yield Reference(rating.about_kind, rating.about)


def _of_answer(answer: Answer) -> Iterator[Reference]:
    yield Reference("question", answer.question)
    yield from (Reference("HSG", used) for used in answer.used)


def _of_score(score: Score) -> Iterator[Reference]:
    yield from (Reference("sign", sign) for sign in (score.prompt, score.artifact) if sign)
    yield from (Reference("HSG", used) for used in score.used)


KINDS: dict[str, Kind] = {
    "text": Kind(TextSign, "sign", "signs", _of_sign),
    "image": Kind(ImageSign, "sign", "signs", _of_sign),
    "composite": Kind(CompositeSign, "sign", "signs", _of_sign),
    "hsg": Kind(HSGRecord, "HSG", "hsgs", _of_hsg),
    "alignment": Kind(Alignment, "alignment", "alignments", _of_alignment),
    "comparison": Kind(Comparison, "comparison", "comparisons", _of_comparison),
    "question": Kind(Question, "question", "questions", _of_question),
    "verdict": Kind(Verdict, "verdict", "observations", _of_verdict),
    "rating": Kind(Rating, "rating", "observations", _of_rating),
    "answer": Kind(Answer, "answer", "observations", _of_answer),
    "score": Kind(Score, "score", "observations", _of_score),
}
"""Every kind of value, by its name in JSON."""


def references(value: Recorded) -> list[Reference]:
    """Return what a value names: the values it is about or rests on, and the value it supersedes."""
    kind = KINDS[value.kind]
    named = list(kind.refers(value))
    if replaced := replaced_id(value):
        named.append(Reference(kind.noun, replaced))
    return named


def replaced_id(value: Recorded) -> str | None:
    """Return the id of the value that this one supersedes. A sign supersedes none: its id is its content."""
    return getattr(value, "supersedes", None)
