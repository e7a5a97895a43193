"""The table of value kinds: how each kind is recorded, what its values refer to, and how a graph shows them.

To add a kind of value, add its class to `Recorded` (an observation to `Observation`) and an entry to `KINDS`.
The record of a study, its checks and both stores use nothing else.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from semiosis.values._alignment import Alignment
from semiosis.values._hsg import HSG
from semiosis.values._hsg_record import HSGRecord
from semiosis.values._observation import Answer, Comparison, Observation, Question, Rating, Score, Verdict
from semiosis.values._rows import (
    EdgeRow,
    GraphRow,
    alignment_rows,
    answer_rows,
    comparison_rows,
    hsg_rows,
    question_rows,
    rating_rows,
    score_rows,
    sign_rows,
    verdict_rows,
)
from semiosis.values._sign import AnySign, CompositeSign, ImageSign, MissingSign, TextSign
from semiosis.values._value import Value
from semiosis.values._write_json import to_json

Recorded = AnySign | HSG | Alignment | Comparison | Question | Observation
"""A value that has its own line in a study's record."""

RecordSection = Literal["signs", "comparisons", "questions", "hsgs", "alignments", "observations"]
"""The sections of a study's record: files or folders of files."""


class Reference(NamedTuple):
    """A reference from one value to another."""

    kind: str
    """What it points to: a `noun` of the table of kinds, or `node`."""
    id: str
    """The id of what it points to; that of a node is `<HSG id>/<node>`."""
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
    noun: str
    """What references and messages call its values. Kinds that share a noun share a label."""
    section: RecordSection
    """The section of a study's record that contains its values."""
    find_references: Callable[[Any], Iterator[Reference]]
    """A function that yields the references of a value, except the one to the value it supersedes."""
    label: str
    """The label of the graph's node that carries the value's `json`."""
    rows: Callable[[Any, str], Iterator[GraphRow]]
    """A function that yields the graph's nodes and edges of a value, given the value and its JSON."""
    about: tuple[str, ...] = ()
    """The types of the edges from a value to what it is about. A store follows them to the value's signs, and
    renames them when the value is superseded."""
    other_edges: tuple[str, ...] = ()
    """The types of its other edges."""

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


def _sign_kind(model: type[Value]) -> Kind:
    others = ("MADE", "PROMPTED", "HAS_PART")
    return Kind(model, "sign", "signs", _sign_references, "Sign", sign_rows, other_edges=others)


KINDS: dict[str, Kind] = {
    "text": _sign_kind(TextSign),
    "image": _sign_kind(ImageSign),
    "composite": _sign_kind(CompositeSign),
    "missing": _sign_kind(MissingSign),
    "hsg": Kind(
        HSGRecord,
        "HSG",
        "hsgs",
        _hsg_references,
        "HSG",
        hsg_rows,
        other_edges=(
            *("READ_AS", "READ_BY", "GIVEN", "BESIDE", "LACKS", "MERGES"),
            *(
                "HAS_ROOT",
                "HAS_NODE",
                "LOCATED_IN",
                "TAKES_UP",
                "HAS_PART",
                "SUPPORTS",
                "ELABORATES",
                "CONTRASTS",
            ),
        ),
    ),
    "alignment": Kind(
        Alignment,
        "alignment",
        "alignments",
        _alignment_references,
        "Alignment",
        alignment_rows,
        about=("FROM", "TO"),
        other_edges=("BY", "EMERGENT", "LOST", "REALIZED_AS"),
    ),
    "comparison": Kind(
        Comparison,
        "comparison",
        "comparisons",
        _comparison_references,
        "Comparison",
        comparison_rows,
        about=("OF",),
    ),
    "question": Kind(
        Question, "question", "questions", _question_references, "Question", question_rows, about=("ABOUT",)
    ),
    "verdict": Kind(
        Verdict,
        "verdict",
        "observations",
        _verdict_references,
        "Verdict",
        verdict_rows,
        about=("ON",),
        other_edges=("BY", "USED", "CITES"),
    ),
    "rating": Kind(
        Rating,
        "rating",
        "observations",
        _rating_references,
        "Rating",
        rating_rows,
        about=("ABOUT",),
        other_edges=("BY",),
    ),
    "answer": Kind(
        Answer,
        "answer",
        "observations",
        _answer_references,
        "Answer",
        answer_rows,
        about=("ABOUT",),
        other_edges=("BY", "USED"),
    ),
    "score": Kind(
        Score,
        "score",
        "observations",
        _score_references,
        "Score",
        score_rows,
        about=("ABOUT",),
        other_edges=("BY", "USED"),
    ),
}
"""Every kind of value, by its name in JSON. A kind comes after those to which it refers."""


def references(value: Recorded) -> list[Reference]:
    """Return the references of a value: to the values it is about or uses, and to the one it supersedes."""
    kind = KINDS[value.kind]
    found = list(kind.find_references(value))
    if replaced := replaced_id(value):
        found.append(Reference(kind.noun, replaced))
    return found


def replaced_id(value: Recorded) -> str | None:
    """Return the id of the value that this one supersedes; None if there is none. Signs never supersede."""
    return getattr(value, "supersedes", None)


def project(value: Recorded, json: str | None = None) -> Iterator[GraphRow]:
    """Yield the graph's nodes and edges of a value. `json` is its line of JSON, if it is known."""
    kind = KINDS[value.kind]
    yield from kind.rows(value, to_json(value) if json is None else json)
    if replaced := replaced_id(value):
        yield EdgeRow("SUPERSEDES", (kind.label, value.id), (kind.label, replaced), {})
