"""The table of value kinds: where each kind is recorded, and what its values refer to.

To add a kind of value, add a member to `Recorded` and an entry to `KINDS` here, and an entry to the table of
projections in `semiosis.store`, which has the same keys.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from semiosis.values._alignment import Alignment
from semiosis.values._hsg import HSG
from semiosis.values._hsg_record import HSGRecord
from semiosis.values._observation import Answer, Comparison, Question, Rating, Score, Verdict
from semiosis.values._sign import AnySign, CompositeSign, ImageSign, TextSign
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
"""A value that has its own line in a study's record."""

ReferenceKind = Literal[
    "sign", "HSG", "node", "alignment", "comparison", "question", "verdict", "rating", "answer", "score"
]
"""What a reference can point to. The id of a node is `<HSG id>/<node>`."""

RecordSection = Literal["signs", "comparisons", "questions", "hsgs", "alignments", "observations"]
"""The sections of a study's record: files or folders of files."""


class Reference(NamedTuple):
    """A reference from one value to another."""

    kind: ReferenceKind
    """What it points to."""
    id: str
    """The id of what it points to."""
    included: bool = False
    """Whether the referring value also contains a copy, as an HSG contains its sign."""

    @property
    def value_id(self) -> str:
        """The id of the value; for a node, that of its HSG."""
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Kind:
    """The properties of one kind of value."""

    model: type[Value]
    """The pydantic model that reads and writes its JSON."""
    reference_kind: ReferenceKind
    """The `kind` of references to its values."""
    section: RecordSection
    """The section of a study's record that contains its values."""
    find_references: Callable[[Any], Iterator[Reference]]
    """A function that yields the references of a value, except the one to the value it supersedes."""

    @property
    def per_run(self) -> bool:
        """Whether each run writes its own file."""
        return self.section in ("hsgs", "alignments", "observations")


def _sign_references(sign: AnySign) -> Iterator[Reference]:
    if sign.prompt:
        yield Reference("sign", sign.prompt)


def _hsg_references(hsg: HSG) -> Iterator[Reference]:
    yield Reference("sign", hsg.sign.id, included=True)
    yield from (Reference("HSG", given) for given in hsg.reading.given)
    yield from (Reference("sign", beside) for beside in hsg.reading.beside)
    yield from (Reference("node", f"{absence.hsg}/{absence.node}") for absence in hsg.absences)
    yield from (
        Reference("node", source) for semiosis in hsg.semioses.values() for source in semiosis.sources
    )


def _alignment_references(alignment: Alignment) -> Iterator[Reference]:
    yield from (Reference("HSG", side.hsg) for side in (alignment.source, alignment.target))


def _comparison_references(comparison: Comparison) -> Iterator[Reference]:
    yield from (Reference("sign", sign) for sign in (comparison.prompt, comparison.a, comparison.b))


def _question_references(question: Question) -> Iterator[Reference]:
    yield Reference("sign", question.sign)


def _verdict_references(verdict: Verdict) -> Iterator[Reference]:
    yield Reference("comparison", verdict.comparison)
    yield from (Reference("HSG", used) for used in verdict.used)
    yield from (Reference("node", f"{citation.hsg}/{citation.node}") for citation in verdict.citations)


def _rating_references(rating: Rating) -> Iterator[Reference]:
    yield Reference(rating.about_kind, rating.about)


def _answer_references(answer: Answer) -> Iterator[Reference]:
    yield Reference("question", answer.question)
    yield from (Reference("HSG", used) for used in answer.used)


def _score_references(score: Score) -> Iterator[Reference]:
    yield from (Reference("sign", sign) for sign in (score.prompt, score.artifact) if sign)
    yield from (Reference("HSG", used) for used in score.used)


KINDS: dict[str, Kind] = {
    "text": Kind(TextSign, "sign", "signs", _sign_references),
    "image": Kind(ImageSign, "sign", "signs", _sign_references),
    "composite": Kind(CompositeSign, "sign", "signs", _sign_references),
    "hsg": Kind(HSGRecord, "HSG", "hsgs", _hsg_references),
    "alignment": Kind(Alignment, "alignment", "alignments", _alignment_references),
    "comparison": Kind(Comparison, "comparison", "comparisons", _comparison_references),
    "question": Kind(Question, "question", "questions", _question_references),
    "verdict": Kind(Verdict, "verdict", "observations", _verdict_references),
    "rating": Kind(Rating, "rating", "observations", _rating_references),
    "answer": Kind(Answer, "answer", "observations", _answer_references),
    "score": Kind(Score, "score", "observations", _score_references),
}
"""Every kind of value, by its name in JSON."""


def references(value: Recorded) -> list[Reference]:
    """Return the references of a value: to the values it is about or uses, and to the one it supersedes."""
    kind = KINDS[value.kind]
    found = list(kind.find_references(value))
    if replaced := replaced_id(value):
        found.append(Reference(kind.reference_kind, replaced))
    return found


def replaced_id(value: Recorded) -> str | None:
    """Return the id of the value that this one supersedes; None if there is none. Signs never supersede."""
    return getattr(value, "supersedes", None)
