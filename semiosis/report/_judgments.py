"""The outcomes, verdicts and citations that a comparison page shows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from semiosis.report._nodes import GraphView, NodeView
from semiosis.values import Citation, Outcome, Unscored, Verdict, evaluator_labels, outcomes

OUTCOME_WORDS = {"a": "A", "b": "B", "tie": "tie", "flip": "tie by flip", "unscored": "unscored"}
"""The label of each outcome."""
_BAR_ORDER = ("a", "tie", "flip", "b", "unscored")


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation and the node it points at."""

    citation: Citation
    """The citation."""
    view: NodeView | None
    """The node, or None if it belongs to a reading that the page does not show."""


@dataclass(frozen=True, slots=True)
class VerdictView:
    """A verdict with its citations resolved."""

    verdict: Verdict
    """The verdict."""
    result: str
    """Its result in one word."""
    citations: tuple[CitationView, ...]
    """Its citations."""


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """The outcome of one evaluator."""

    outcome: Outcome
    """The outcome."""
    judge: str
    """The label of the evaluator."""
    result: str
    """Its result in one word: a, b, tie, flip or unscored."""
    verdicts: tuple[VerdictView, ...]
    """The verdicts from which the outcome is resolved."""

    @property
    def words(self) -> str:
        """The label of the result."""
        return OUTCOME_WORDS[self.result]


@dataclass(frozen=True, slots=True)
class Judgments:
    """All outcomes of the comparison."""

    views: tuple[OutcomeView, ...]
    """One per evaluator and repeat."""

    @property
    def counts(self) -> tuple[tuple[str, str, int], ...]:
        """Each result that occurs, with its label and count, in the order of the bar."""
        count = Counter(view.result for view in self.views)
        return tuple((result, OUTCOME_WORDS[result], count[result]) for result in _BAR_ORDER if count[result])

    @property
    def n(self) -> int:
        """Number of scored outcomes."""
        return len(self.views) - self.unscored

    @property
    def unscored(self) -> int:
        """Number of unscored outcomes."""
        return sum(view.result == "unscored" for view in self.views)


def judgments(
    verdicts: Sequence[Verdict], shown: Sequence[GraphView], labels: Mapping[str, str] | None = None
) -> Judgments:
    """Return the outcomes of the verdicts, with each citation resolved to its node on the page.

    `labels` name the evaluators, by id; by default they are told apart among those of these verdicts.
    """
    names = labels or evaluator_labels(verdict.evaluator for verdict in verdicts)
    nodes = {(graph.hsg.id, node): view for graph in shown for node, view in graph.views.items()}
    return Judgments(
        tuple(_outcome_view(outcome, names[outcome.evaluator.id], nodes) for outcome in outcomes(verdicts))
    )


def _outcome_view(outcome: Outcome, judge: str, nodes: dict[tuple[str, str], NodeView]) -> OutcomeView:
    views = tuple(
        VerdictView(
            verdict,
            _result(verdict.winner),
            tuple(CitationView(c, nodes.get((c.hsg, c.node))) for c in verdict.citations),
        )
        for verdict in outcome.verdicts
    )
    return OutcomeView(outcome, judge, _result(outcome.winner), views)


def _result(winner: str | Unscored) -> str:
    return "unscored" if isinstance(winner, Unscored) else winner
