"""Outcomes of verdicts, with expected values derived by hand."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.values import (
    Outcome,
    Rule,
    Unscored,
    UsageError,
    Verdict,
    outcomes,
    resolve,
)
from tests.strategies import a_comparison, a_verdict, an_evaluator, unscored

REFUSED = unscored("refusal")
LATE = unscored("timeout")

ShownAnswer = tuple[Any, str] | tuple[Any, str, int]


def verdicts_of(*answers: ShownAnswer) -> list[Verdict]:
    """Return verdicts from (winner, order shown) or (winner, order shown, repeat)."""
    return [a_verdict(a[0], shown=a[1], repeat=a[2] if len(a) == 3 else 0) for a in answers]


@pytest.mark.parametrize(
    ("answers", "winner"),
    [
        ([("a", "ab"), ("a", "ba")], "a"),
        ([("b", "ab"), ("b", "ba")], "b"),
        ([("tie", "ab"), ("tie", "ba")], "tie"),
        # opposite answers in the two orders: the order decided, not the artifacts
        ([("a", "ab"), ("b", "ba")], "flip"),
        ([("b", "ab"), ("a", "ba")], "flip"),
        # a winner against a tie: the two orders do not agree on a winner
        ([("a", "ab"), ("tie", "ba")], "tie"),
        ([("tie", "ab"), ("b", "ba")], "tie"),
        # asked in both orders, answered in one: unscored
        ([("a", "ab"), (REFUSED, "ba")], REFUSED),
        ([(REFUSED, "ab"), (LATE, "ba")], REFUSED),
        # shown in one order only, as people are
        ([("a", "ab")], "a"),
        ([("b", "ba")], "b"),
        ([(REFUSED, "ab")], REFUSED),
        # several answers in one order: their majority counts
        ([("a", "ab"), ("a", "ab"), ("b", "ab"), ("a", "ba")], "a"),
        ([("a", "ab"), ("a", "ab"), ("b", "ab"), ("b", "ba")], "flip"),
        ([("a", "ab"), ("b", "ab"), ("a", "ba")], "tie"),
        ([("a", "ab"), (REFUSED, "ab"), ("a", "ba")], "a"),
    ],
)
def test_both_orders(answers: Sequence[ShownAnswer], winner: Any) -> None:
    outcome = resolve(verdicts_of(*answers))
    assert outcome.winner == winner
    assert outcome.winner_or_tie == ("tie" if winner == "flip" else winner)


@pytest.mark.parametrize(
    ("answers", "winner"),
    [
        ([("a", "ab"), ("b", "ba"), ("a", "ab")], "a"),
        ([("a", "ab"), ("b", "ba")], "tie"),  # as many for a as for b
        ([("a", "ab"), ("tie", "ba"), ("tie", "ba")], "tie"),
        ([("a", "ab"), (REFUSED, "ba")], "a"),  # only what was scored counts
        ([(REFUSED, "ab"), (LATE, "ba")], REFUSED),
    ],
)
def test_majority(answers: Sequence[ShownAnswer], winner: Any) -> None:
    assert resolve(verdicts_of(*answers), "majority").winner == winner


@pytest.mark.parametrize(
    ("answers", "winner"),
    [
        # repeat 0 says a, repeat 1 says a, repeat 2 flips: two of three
        (
            [("a", "ab", 0), ("a", "ba", 0), ("a", "ab", 1), ("a", "ba", 1), ("a", "ab", 2), ("b", "ba", 2)],
            "a",
        ),
        # two repeats flip, one says b
        (
            [("a", "ab", 0), ("b", "ba", 0), ("b", "ab", 1), ("a", "ba", 1), ("b", "ab", 2), ("b", "ba", 2)],
            "flip",
        ),
        ([("a", "ab", 0), ("a", "ba", 0), ("b", "ab", 1), ("b", "ba", 1)], "tie"),
        # an unscored repeat does not vote
        ([("a", "ab", 0), ("a", "ba", 0), (LATE, "ab", 1), ("b", "ba", 1)], "a"),
        ([(LATE, "ab", 0), (REFUSED, "ab", 1)], LATE),
    ],
)
def test_repeats_are_resolved_one_by_one_and_their_majority_counts(
    answers: Sequence[ShownAnswer], winner: Any
) -> None:
    outcome = resolve(verdicts_of(*answers))
    assert outcome.winner == winner
    assert outcome.repeat is None


def test_an_outcome_keeps_its_verdicts() -> None:
    verdicts = verdicts_of(("a", "ab", 3), ("b", "ba", 3))
    outcome = resolve(verdicts)
    assert outcome == Outcome(a_comparison().id, an_evaluator(), 3, "flip", tuple(verdicts))


@pytest.mark.parametrize(
    "verdicts",
    [
        [],
        [a_verdict(), a_verdict(evaluator=an_evaluator("Bo"))],
        [a_verdict(), a_verdict(comparison=a_comparison("other").id)],
    ],
)
def test_one_evaluator_and_one_comparison_at_a_time(verdicts: list[Verdict]) -> None:
    with pytest.raises(UsageError, match="group with outcomes"):
        resolve(verdicts)


def test_outcomes_group_by_evaluator_comparison_and_repeat() -> None:
    bo, other = an_evaluator("Bo"), a_comparison("other").id
    verdicts = [
        a_verdict("a", shown="ab"),
        a_verdict("b", shown="ab", evaluator=bo),
        a_verdict("b", shown="ba"),
        a_verdict("tie", comparison=other),
        a_verdict(REFUSED, repeat=1),
    ]
    found = [(o.evaluator.name, o.comparison == other, o.repeat, o.winner) for o in outcomes(verdicts)]
    assert found == [
        ("Ada Example", False, 0, "flip"),
        ("Bo", False, 0, "b"),
        ("Ada Example", True, 0, "tie"),
        ("Ada Example", False, 1, REFUSED),
    ]


def test_evaluators_with_one_name_and_different_settings_are_distinct() -> None:
    warm, cold = an_evaluator(parameters={"temperature": 1.0}), an_evaluator(parameters={"temperature": 0.0})
    assert len(list(outcomes([a_verdict(evaluator=warm), a_verdict(evaluator=cold)]))) == 2


winners = st.sampled_from(["a", "b", "tie", REFUSED])
SWAPPED = {"a": "b", "b": "a"}


@given(st.lists(st.tuples(winners, st.sampled_from(["ab", "ba"]), st.integers(0, 2)), min_size=1), st.data())
def test_outcomes_do_not_depend_on_names_or_on_the_order_of_verdicts(
    answers: list[tuple[Any, str, int]], data: st.DataObject
) -> None:
    def swapped(winner: Any) -> Any:
        return winner if isinstance(winner, Unscored) else SWAPPED.get(winner, winner)

    rule: Rule = data.draw(st.sampled_from(("both-orders", "majority")))
    winner = resolve(verdicts_of(*answers), rule).winner
    shuffled = data.draw(st.permutations(answers))
    assert resolve(verdicts_of(*shuffled), rule).winner == winner
    renamed = [(swapped(said_), shown, repeat) for said_, shown, repeat in answers]
    assert resolve(verdicts_of(*renamed), rule).winner == swapped(winner)
