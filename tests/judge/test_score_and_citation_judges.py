"""Judges that use scores or citations, and the report on the quality of citations."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from semiosis.judge import CitationJudge, HSGJudge, ScoreJudge, citation_verdict
from semiosis.score import LocalScorer
from semiosis.stats import citation_report
from semiosis.values import (
    HSG,
    ArtifactCase,
    Citation,
    Comparison,
    DroppedCitation,
    Evaluator,
    Score,
    Stance,
    Unscored,
    Verdict,
    Winner,
)
from tests.read.conftest import Garden

WHO = Evaluator(kind="model", name="judge", parameters={"model": "x/y"})


@dataclass(frozen=True)
class Table(LocalScorer):
    """A scorer that returns given scores."""

    scores: dict[str, float | Unscored]

    family = "reward"

    @property
    def evaluator(self) -> Evaluator:
        return Evaluator(kind="program", name="table")

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        signs = [case.artifact.id for case in cases]
        return [
            self.recorded(case, self.scores[sign], used=(case.readings[sign].id,))
            for case, sign in zip(cases, signs, strict=True)
        ]


@pytest.mark.parametrize(
    ("one", "two", "tie_within", "winner"),
    [(0.7, 0.2, 0.0, "a"), (0.2, 0.7, 0.0, "b"), (0.5, 0.5, 0.0, "tie"), (0.50, 0.52, 0.05, "tie")],
)
def test_the_higher_score_wins(
    one: float, two: float, tie_within: float, winner: Winner, garden: Garden
) -> None:
    judge = ScoreJudge(Table({garden.a.id: one, garden.b.id: two}), tie_within)
    outcome = judge.compare(*garden.hsgs)
    assert outcome.winner == winner
    assert outcome.verdicts[0].used == (garden.hsgs[1].id, garden.hsgs[2].id)
    assert outcome.evaluator.name == "table"


def test_a_failed_score_is_not_a_loss(garden: Garden) -> None:
    failed = Unscored(reason="missing")
    tables: list[dict[str, float | Unscored]] = [
        {garden.a.id: failed, garden.b.id: 0.1},
        {garden.a.id: 0.1, garden.b.id: failed},
    ]
    for scores in tables:
        assert ScoreJudge(Table(scores)).compare(*garden.hsgs).winner == failed


def verdict(garden: Garden, winner: Winner | Unscored, *stances: Stance, dropped: int = 0) -> Verdict:
    prompt, a, b = garden.hsgs
    comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
    cited = {"a": (a, "n1"), "b": (b, "n1"), "neutral": (prompt, "n2")}
    citations = tuple(
        Citation(hsg=cited[s][0].id, node=cited[s][1], stance=s, rationale="so") for s in stances
    )
    unresolved = DroppedCitation(claim="A.n9", stance="a", rationale="so", reason="no such node")
    return Verdict(
        evaluator=WHO,
        comparison=comparison.id,
        winner=winner,
        citations=citations,
        dropped=(unresolved,) * dropped,
        used=tuple(hsg.id for hsg in garden.hsgs),
    )


@dataclass(frozen=True)
class Fixed(HSGJudge):
    """A judge that always gives the same verdict."""

    verdict: Verdict

    @property
    def evaluator(self) -> Evaluator:
        return WHO

    def judge_hsgs(self, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        return self.verdict


@pytest.mark.parametrize(
    ("stances", "winner"), [(("a", "a", "b"), "a"), (("b", "neutral"), "b"), (("a", "b", "neutral"), "tie")]
)
def test_the_citations_of_a_verdict_decide(
    stances: tuple[Stance, ...], winner: Winner, garden: Garden
) -> None:
    cited = verdict(garden, "b", *stances)
    outcome = CitationJudge(Fixed(cited)).compare(*garden.hsgs)
    assert outcome.winner == winner
    assert outcome.evaluator.name == "citations of judge"
    assert outcome.verdicts[0].citations == cited.citations


def test_citations_without_a_side_are_unscored_and_an_unscored_verdict_stays_so(garden: Garden) -> None:
    neutral = citation_verdict(verdict(garden, "a", "neutral"), WHO)
    assert isinstance(neutral.winner, Unscored)
    assert neutral.winner.reason == "undefined"
    refusal = Unscored(reason="refusal")
    assert citation_verdict(verdict(garden, refusal), WHO).winner == refusal


def test_the_report_on_citations(garden: Garden) -> None:
    verdicts = [
        verdict(garden, "a", "a", "b", "neutral", dropped=1),
        verdict(garden, "b", "b"),
        verdict(garden, "tie", "a"),
        verdict(garden, Unscored(reason="refusal"), "a"),
    ]
    report = citation_report(verdicts, {hsg.id: hsg for hsg in garden.hsgs})
    assert (report.n_verdicts, report.n_unscored, report.n_citations, report.n_dropped) == (3, 1, 5, 1)
    assert report.validity == 5 / 6
    # The HSGs have 3 + 2 + 2 = 7 nodes; the verdicts cite 3, 1 and 1 of them.
    assert report.coverage == pytest.approx((3 / 7 + 1 / 7 + 1 / 7) / 3)
    # Nodes n1 have boxes; the prompt's n2 is a manner and has no place.
    assert report.located == 4 / 5
    # For a or b under a winner: a and b under "a", b under "b": 2 of 3. A tie has no side to agree with.
    assert report.agreement == 2 / 3


def test_a_share_of_nothing_is_unscored(garden: Garden) -> None:
    report = citation_report([], {})
    for share in (report.validity, report.coverage, report.located, report.agreement):
        assert isinstance(share, Unscored)
