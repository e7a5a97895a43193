"""The outcomes, verdicts and citations that a comparison page shows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from semiosis.report._node_views import GraphView, NodeView
from semiosis.values import Citation, Outcome, Unscored, Verdict, evaluator_labels, outcomes

OUTCOME_WORDS = {"a": "A", "b": "B", "tie": "tie", "flip": "tie by flip", "unscored": "unscored"}
"""The label of each outcome."""
GROUPS = {"person": "People", "model": "Models", "program": "Programs"}
"""The heading of the outcomes by each kind of evaluator."""
ORDERS = {"ab": "A, then B", "ba": "B, then A"}
"""The orders in which the artifacts can be shown."""
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
    order: str
    """The order in which the artifacts were shown, in words; empty if it is unknown."""
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
class JudgmentGroup:
    """The outcomes of the comparison by one kind of evaluator."""

    kind: str
    """The kind: person, model or program."""
    views: tuple[OutcomeView, ...]
    """One per evaluator and repeat."""

    @property
    def title(self) -> str:
        """The heading of the group."""
        return GROUPS[self.kind]

    @property
    def is_counted(self) -> bool:
        """Whether the outcomes are counted together.

        Those of people are. A count over several models, metrics and coin tosses would mean nothing.
        """
        return self.kind == "person"

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
    verdicts: Sequence[Verdict], panels: Sequence[GraphView], labels: Mapping[str, str] | None = None
) -> tuple[JudgmentGroup, ...]:
    """Return the outcomes by kind of evaluator, with each citation resolved to its node on the page.

    `labels` name the evaluators, by id; by default they are told apart among those of these verdicts.
    """
    names = labels or evaluator_labels(verdict.evaluator for verdict in verdicts)
    nodes = {(graph.hsg.id, node): view for graph in panels for node, view in graph.views.items()}
    views = [_outcome_view(outcome, names[outcome.evaluator.id], nodes) for outcome in outcomes(verdicts)]
    groups = (
        JudgmentGroup(kind, tuple(view for view in views if view.outcome.evaluator.kind == kind))
        for kind in GROUPS
    )
    return tuple(group for group in groups if group.views)


def _outcome_view(outcome: Outcome, judge: str, nodes: dict[tuple[str, str], NodeView]) -> OutcomeView:
    views = tuple(
        VerdictView(
            verdict,
            _result(verdict.winner),
            order_shown(verdict, outcome),
            tuple(CitationView(c, nodes.get((c.hsg, c.node))) for c in verdict.citations),
        )
        for verdict in outcome.verdicts
    )
    return OutcomeView(outcome, judge, _result(outcome.winner), views)


def order_shown(verdict: Verdict, outcome: Outcome) -> str:
    """Return the order in which the artifacts were shown, in words; empty if it is unknown.

    A program with verdicts in one order computed them from both artifacts, so that neither came first.
    """
    orders = {verdict.shown for verdict in outcome.verdicts}
    is_computed = verdict.evaluator.kind == "program" and len(orders) == 1
    return "" if is_computed or verdict.order_unknown else ORDERS[verdict.shown]


def _result(winner: str | Unscored) -> str:
    return "unscored" if isinstance(winner, Unscored) else winner
