"""Input that has no meaning is refused with a message, and p values are never smaller than they can be."""

from collections.abc import Callable

import numpy as np
import pytest

from semiosis import probe, stats
from semiosis.stats import compare, votes_of
from semiosis.values import DataError, UsageError

INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.weighted_kappa([1, "1", 2], [1, 1, 2]), "number and as text"),
        (lambda: stats.krippendorff_alpha([[1, "1"], [2, 2]], "ordinal"), "number and as text"),
        (lambda: stats.weighted_kappa([1, 2, INF], [1, 1, 2]), "infinite"),
        (lambda: stats.cohen_kappa([INF, 1, 2], [INF, 1, 2]), "infinite"),
        (lambda: stats.krippendorff_alpha([[1, INF], [2, 2]], "interval"), "infinite"),
        (lambda: stats.fleiss_kappa([[0.5, 1.5], [1, 2]]), "whole number"),
        (lambda: stats.wilcoxon([1, 2, 3], prompts=["p", "q"]), "2 prompts for 3"),
        (lambda: stats.holm([5, 1]), "divide percentages by 100"),
    ],
)
def test_numbers_and_labels_without_meaning_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


@pytest.mark.parametrize("repeat", [-1, 0.5, INF, NAN, None])
def test_a_repeat_is_a_whole_number_from_0(repeat: float | None) -> None:
    with pytest.raises(DataError, match="not a whole number"):
        votes_of(["p"], ["x"], ["y"], ["judge"], ["a"], repeat=[repeat])  # type: ignore[list-item]  # wrong on purpose


@pytest.mark.parametrize(("effect", "spread"), [(NAN, 0.1), (0.1, INF), (INF, 0.1)])
def test_power_needs_finite_numbers(effect: float, spread: float) -> None:
    with pytest.raises(UsageError, match="finite"):
        stats.prompts_needed(effect=effect, spread=spread)


@pytest.mark.parametrize("margin", [0.0, -0.1, NAN, INF])
def test_a_margin_must_be_above_0(margin: float) -> None:
    reference, prompts = "ab" * 5, list(range(10))
    with pytest.raises(UsageError, match="margin"):
        stats.equivalence(reference, reference, "aa" * 5, prompts, margin=margin)
    votes = votes_of(
        [f"p{number}" for number in prompts] * 3, ["x"] * 30, ["y"] * 30,
        ["human"] * 10 + ["one"] * 10 + ["two"] * 10, reference + reference + "aa" * 5,
    )  # fmt: skip
    with pytest.raises(UsageError, match="margin"):
        compare(votes, reference="human", baseline="one", margin=margin)


def test_resamples_below_0_are_refused() -> None:
    with pytest.raises(UsageError, match="the number of resamples is -1"):
        stats.half_credit("ab", "ab", ["p", "q"], resamples=-1)


# p values


def test_spearman_has_no_p_below_two_of_all_orders() -> None:
    # ρ = 1 of 9 pairs: 2 of 9! orders are as far from 0; Student's t alone would say 5e-56
    assert stats.spearman(range(9), range(9)).p == pytest.approx(2 / 362_880)
    found = stats.spearman([1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 1, 4, 3, 6, 5, 8, 7, 9])
    assert found.p == pytest.approx(2.3e-3, rel=0.9)


def test_culture_gap_has_no_p_for_fewer_than_five_artworks() -> None:
    few = probe.culture_gap([5, 6, 5, 6], [1, 2, 1, 2, 3], x_items=range(4), y_items=range(5))
    assert (few.p, isinstance(few.interval, stats.Interval)) == (None, False)
    enough = probe.culture_gap([5, 6, 5, 6, 5], [1, 2, 1, 2, 3], x_items=range(5), y_items=range(5))
    assert enough.p is not None
    assert enough.p < 0.05


# people and crowd


def test_people_are_measured_on_the_comparisons_that_the_crowd_keeps() -> None:
    """Two prompts of four comparisons; the crowd of two disagrees throughout the second."""
    who = {"ann": "aaaabbbb", "bob": "aaaabbbb", "cat": "aaabaaaa", "dan": "aaaaaaaa", "eve": "aaaabbbb"}
    rows = [
        (prompt, f"x{i}", f"y{i}", name, winners[4 * place + i])
        for name, winners in who.items()
        for place, prompt in enumerate("pq")
        for i in range(4)
    ]
    votes = votes_of(*zip(*rows, strict=True))
    table = compare(votes, reference=["ann", "bob", "cat"], crowd=["dan", "eve"])
    assert table.n_reference == 4
    assert [person.score.n for person in table.people] == [4, 4, 4]
    cat = next(person for person in table.people if person.person == "cat")
    # prompt p only: three of four agree with ann and bob, one does not
    assert (cat.counts.right, cat.counts.wrong, float(cat.score)) == (3, 1, 0.5)


def test_an_annotator_who_repeats_is_one_annotator() -> None:
    """Four annotators are too few for an interval over annotators, however often one of them voted."""
    rng = np.random.default_rng(0)
    rows = [
        (f"p{prompt}", f"x{i}", f"y{i}", name, str(rng.choice(["a", "b"])), repeat)
        for name, repeats in (("ann", 3), ("bob", 1), ("cat", 1), ("dan", 1), ("judge", 1))
        for repeat in range(repeats)
        for prompt in range(6)
        for i in range(3)
    ]
    prompt, a, b, who, winner, repeat_ = zip(*rows, strict=True)
    votes = votes_of(prompt, a, b, who, winner, repeat=repeat_)
    table = compare(votes, reference=["ann", "bob", "cat", "dan"], unit="prompt and annotator")
    assert "6 prompts and 4 of the second unit; both need at least 5" in str(table.rows[0].score)
