"""The table of projections: how the property graph represents each kind of value.

It has the same keys as the table of kinds in `semiosis.values`. A label is also listed in
`graphs/schema.cypher`, which has its uniqueness constraint.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from semiosis.store._graph import (
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
from semiosis.values import Recorded, replaced_id, to_json

_STUDY = "<-[:INCLUDES]-(:Study {id: $study})"
_OF_SIGN = f"(:Sign){_STUDY}"
_OF_HSG = f"(:HSG)<-[:READ_AS|WAS_READ_AS]-{_OF_SIGN}"


def _exists(path: str) -> str:
    return f"EXISTS {{ MATCH (n){path} }}"


def _of_comparison(path: str) -> str:
    """Return Cypher for whether all three signs of a comparison are in the study."""
    return f"COUNT {{ MATCH (n){path}-[:OF|WAS_OF]->{_OF_SIGN} }} = 3"


_RATING_IN_STUDY = " OR ".join(
    (
        _exists(f"-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}"),
        _exists(f"-[:ABOUT|WAS_ABOUT]->(:Semiosis)<-[:HAS_ROOT|HAS_NODE]-{_OF_HSG}"),
        _of_comparison("-[:ABOUT|WAS_ABOUT]->(:Verdict)-[:ON|WAS_ON]->(:Comparison)"),
    )
)


class Projection(NamedTuple):
    """How the property graph represents one kind of value."""

    label: str
    """The label of the node that carries the value's `json`."""
    rows: Callable[[Any, str], Iterator[GraphRow]]
    """The nodes and edges of a value, given the value and its JSON."""
    in_study: str
    """Cypher for whether a value `n` belongs to the study `$study`: the study has all signs that it is about.

    One sign is not enough, because two studies may share a prompt.
    """
    current_edges: tuple[str, ...] = ()
    """The types of the edges that start at a value and lead queries to it. They are renamed when the value is
    superseded."""


_SIGN = Projection("Sign", sign_rows, _exists(_STUDY))

PROJECTIONS: dict[str, Projection] = {
    "text": _SIGN,
    "image": _SIGN,
    "composite": _SIGN,
    "hsg": Projection("HSG", hsg_rows, _exists(f"<-[:READ_AS|WAS_READ_AS]-{_OF_SIGN}")),
    "alignment": Projection(
        "Alignment",
        alignment_rows,
        f"COUNT {{ MATCH (n)-[:FROM|TO|WAS_FROM|WAS_TO]->{_OF_HSG} }} = 2",
        ("FROM", "TO"),
    ),
    "comparison": Projection("Comparison", comparison_rows, _of_comparison(""), ("OF",)),
    "question": Projection(
        "Question", question_rows, _exists(f"-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}"), ("ABOUT",)
    ),
    "verdict": Projection(
        "Verdict", verdict_rows, _of_comparison("-[:ON|WAS_ON]->(:Comparison)"), ("ON", "BY")
    ),
    "rating": Projection("Rating", rating_rows, _RATING_IN_STUDY, ("ABOUT", "BY")),
    "answer": Projection(
        "Answer",
        answer_rows,
        _exists(f"-[:ABOUT|WAS_ABOUT]->(:Question)-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}"),
        ("ABOUT", "BY"),
    ),
    "score": Projection(
        "Score",
        score_rows,
        _exists(f"-[:ABOUT|WAS_ABOUT {{key: 'artifact'}}]->{_OF_SIGN}"),
        ("ABOUT", "BY"),
    ),
}
"""How each kind in `semiosis.values.KINDS` is represented. A kind comes after those to which it refers."""

LABELS = {kind: projection.label for kind, projection in PROJECTIONS.items()}
"""The label of each kind of value."""

BY_LABEL = {projection.label: projection for projection in PROJECTIONS.values()}
"""The projection of the values with each label."""


def project(value: Recorded, json: str | None = None) -> Iterator[GraphRow]:
    """Yield the nodes and edges of a value. `json` is its line of JSON, if it is known."""
    projection = PROJECTIONS[value.kind]
    yield from projection.rows(value, to_json(value) if json is None else json)
    if replaced := replaced_id(value):
        yield EdgeRow("SUPERSEDES", (projection.label, value.id), (projection.label, replaced), {})
