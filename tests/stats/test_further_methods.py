"""Calibration of stated probabilities and of ties."""

import numpy as np
import pytest

from semiosis import stats
from semiosis.stats import Interval, compare, votes_of
from semiosis.stats._tie_calibration import best_epsilon
from semiosis.tables import judge_table
from semiosis.values import Unscored

# equivalence and all pairs


# calibration


@pytest.mark.slow
def test_brier_ece_and_reliability_equal_scikit_learn() -> None:
    from sklearn.calibration import calibration_curve
    from sklearn.metrics import brier_score_loss

    rng = np.random.default_rng(0)
    p = rng.random(400)
    won = rng.random(400) < p**2
    found = stats.probability_calibration(p, np.where(won, 1, -1), np.repeat(range(40), 10))
    assert float(found.brier) == pytest.approx(brier_score_loss(won, p))
    observed, stated = calibration_curve(won, p, n_bins=10)
    filled = [part for part in found.bins if part.n]
    assert [part.observed for part in filled] == pytest.approx(observed.tolist())
    assert [part.stated for part in filled] == pytest.approx(stated.tolist())
    share = np.array([part.n for part in filled]) / 400
    assert float(found.ece) == pytest.approx(float(share @ np.abs(observed - stated)))
    assert isinstance(found.brier.interval, Interval)
    assert "→" in str(found)


def test_reference_ties_have_no_outcome_and_missing_probabilities_are_unscored() -> None:
    found = stats.probability_calibration([0.9, 0.4, None, 1.0], ["a", "tie", "b", "a"], resamples=0)
    assert (found.brier.n, found.brier.n_unscored, found.brier.related["reference_ties"]) == (2, 1, 1)
    assert float(found.brier) == pytest.approx(0.01 / 2)
    assert isinstance(stats.probability_calibration([], []).ece.value, Unscored)


@pytest.mark.slow
def test_the_table_shows_calibration_where_a_judge_states_probabilities() -> None:
    from sklearn.metrics import brier_score_loss

    rng = np.random.default_rng(0)
    n = 60
    prompts, a, b = [f"p{i // 3}" for i in range(n)], ["x", "y", "z"] * 20, ["y", "z", "x"] * 20
    p = rng.random(n)
    truth = np.where(rng.random(n) < p, "a", "b").tolist()
    votes = votes_of(
        prompts * 2, a * 2, b * 2, ["human"] * n + ["judge"] * n,
        [*truth, *np.where(p > 0.5, "a", "b").tolist()],
        p_a=[None] * n + p.tolist(),
    )  # fmt: skip
    (row,) = compare(votes, reference="human").rows
    assert row.calibration is not None
    assert float(row.calibration.brier) == pytest.approx(brier_score_loss([w == "a" for w in truth], p))
    assert row.tie_calibrated is not None
    shown = judge_table(compare(votes, reference="human"), ["brier", "ece", "tie-calibrated"])
    assert shown.columns[-3:] == ("brier", "ece", "tie-calibrated")


@pytest.mark.parametrize("seed", range(5))
def test_tie_calibration_finds_the_best_threshold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.choice([1.0, -1.0, 0.0], 40)
    gap = np.round(truth + rng.normal(0, 0.8, 40), 1)  # with equal distances and zeros

    def right(epsilon: float) -> float:
        return float((np.where(np.abs(gap) <= epsilon, 0, np.sign(gap)) == truth).mean())

    best = max(right(epsilon) for epsilon in (0.0, *np.abs(gap)))
    assert right(best_epsilon(truth, gap)) == pytest.approx(best)
    found = stats.tie_calibrated_accuracy(truth, gap, np.repeat(range(10), 4))
    assert found.related["in_sample"] == pytest.approx(best)
    assert float(found) <= best + 1e-12  # on prompts that did not choose the threshold


# two crossed units


# Elo
