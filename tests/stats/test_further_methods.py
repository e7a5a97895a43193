"""Models of ties, equivalence, all pairs of judges, calibration, crossed units, the order of Elo games."""

import numpy as np
import pytest
from scipy import optimize

from semiosis import stats
from semiosis.stats import Interval, compare, votes_of
from semiosis.stats._elo_orders import relevant_games
from semiosis.stats._judged_pairs import numbered_pairs
from semiosis.stats._solvers import EloRule, play_elo
from semiosis.stats._tie_calibration import best_epsilon
from semiosis.tables import judge_table, pairs_table, to_text
from semiosis.values import Unscored, UsageError
from tests.stats.simulated import simulated_votes

# Davidson


def games_with_ties(seed: int, size: int = 5, count: int = 300) -> list[tuple[int, int, str]]:
    rng = np.random.default_rng(seed)
    worth = np.exp(rng.normal(0, 0.7, size))
    games = []
    for _ in range(count):
        i, j = rng.choice(size, 2, replace=False)
        shares = np.array([worth[i], worth[j], 0.8 * np.sqrt(worth[i] * worth[j])])
        games.append((int(i), int(j), str(rng.choice(["a", "b", "tie"], p=shares / shares.sum()))))
    return games


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_davidson_is_the_maximum_of_its_likelihood(seed: int) -> None:
    games = games_with_ties(seed)

    def loss(p: np.ndarray) -> float:
        theta, total = np.append(p[:4], -p[:4].sum()), 0.0
        for i, j, winner in games:
            parts = {"a": theta[i], "b": theta[j], "tie": p[4] + (theta[i] + theta[j]) / 2}
            total += parts[winner] - np.log(np.exp(list(parts.values())).sum())
        return -total

    best = optimize.minimize(loss, np.zeros(5), tol=1e-12).x
    found = stats.davidson(games)
    expected = 1000 + 400 / np.log(10) * np.append(best[:4], -best[:4].sum())
    assert [found[i] for i in range(5)] == pytest.approx(expected.tolist(), abs=0.01)
    assert found.parameters["nu"] == pytest.approx(float(np.exp(best[4])), rel=1e-4)
    assert found.converged


def test_davidson_without_ties_is_bradley_terry_and_needs_a_finite_maximum() -> None:
    games = [(i, j, "a" if winner == "tie" else winner) for i, j, winner in games_with_ties(0)]
    assert stats.davidson(games).scores == stats.bradley_terry(games).scores
    undefeated = stats.davidson([("x", "y", "a"), ("x", "z", "a"), ("y", "z", "tie")])
    assert isinstance(undefeated.scores, Unscored)
    assert isinstance(stats.davidson([("x", "y", "tie")] * 3).scores, Unscored)
    # π_x/π_y = wins/losses = 1/0, although neither was beaten through every chain
    assert isinstance(
        stats.davidson([("x", "y", "tie"), ("x", "y", "a"), ("y", "x", "tie")]).scores, Unscored
    )


def test_a_table_with_ties_shows_davidson_next_to_half_a_win() -> None:
    votes = simulated_votes(20, judges=("weak",))  # opposite answers in the two orders are ties
    row = compare(votes, reference="human", prior=0.5, resamples=0).rows[0]
    assert row.srcc is not None
    assert isinstance(row.srcc.related["davidson"], float | Unscored)


# equivalence and all pairs


@pytest.mark.slow
def test_equivalence_equals_statsmodels_ttost_over_prompts() -> None:
    from statsmodels.stats.weightstats import ttost_paired

    votes = simulated_votes(30, judges=("good", "weak"))
    truth, good, weak = (stats.outcomes_of(votes, name).winner[0] for name in ("human", "good", "weak"))
    found = stats.equivalence(truth, good, weak, votes.prompt, margin=0.6)
    prompts = np.array(votes.prompt)
    names = list(dict.fromkeys(votes.prompt))
    each = [
        [float(stats.half_credit(truth[prompts == p], said[prompts == p], resamples=0)) for p in names]
        for said in (good, weak)
    ]
    p, _, _ = ttost_paired(np.array(each[0]), np.array(each[1]), -0.6, 0.6)
    assert found.p == pytest.approx(float(p), abs=1e-9)
    assert float(found) == pytest.approx(np.mean(each[0]) - np.mean(each[1]))
    assert isinstance(found.interval, Interval)
    inside = found.interval.low > -0.6 and found.interval.high < 0.6
    assert found.p is not None
    assert inside == (found.p < 0.05)
    with pytest.raises(UsageError, match="not above 0"):
        stats.equivalence(truth, good, weak, votes.prompt, margin=0)


def test_a_small_study_without_a_difference_is_not_equivalence() -> None:
    rng = np.random.default_rng(0)
    truth, one, two = (rng.choice([1, -1], 24) for _ in range(3))
    found = stats.equivalence(truth, one, two, np.repeat(range(6), 4), margin=0.1)
    assert found.p is not None
    assert found.p > 0.05


@pytest.mark.slow
def test_all_pairs_are_adjusted_together() -> None:
    table = compare(simulated_votes(), reference="human", all_pairs=True, margin=0.2, resamples=500)
    assert len(table.pairs) == 3
    alone = [
        compare(
            simulated_votes(),
            reference="human",
            judges=[pair.first, pair.second],
            all_pairs=True,
            resamples=500,
        )
        .pairs[0]
        .difference.p
        for pair in table.pairs
    ]
    assert [pair.difference.p for pair in table.pairs] == pytest.approx(stats.holm(alone))
    shown = to_text(pairs_table(table))
    assert "good − weak" in shown
    assert "p (equivalent)" in shown


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
    (row,) = compare(votes, reference="human", resamples=100).rows
    assert row.calibration is not None
    assert float(row.calibration.brier) == pytest.approx(brier_score_loss([w == "a" for w in truth], p))
    assert row.tie_calibrated is not None
    shown = to_text(judge_table(compare(votes, reference="human", resamples=100)))
    assert all(column in shown for column in ("Brier", "ECE", "tie-calibrated"))


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


@pytest.mark.slow
def test_intervals_over_generators_too_are_wider_when_generators_differ() -> None:
    rng = np.random.default_rng(0)
    easy = rng.random(8) < 0.5  # pairs of two easy generators are judged well, others by chance
    rows = []
    for prompt in range(60):
        for _ in range(4):
            i, j = rng.choice(8, 2, replace=False)
            right = rng.random() < (0.95 if easy[i] and easy[j] else 0.5)
            rows += [(f"p{prompt}", f"g{i}", f"g{j}", who, "a" if who == "human" or right else "b")
                     for who in ("human", "judge")]  # fmt: skip
    votes = votes_of(*zip(*dict.fromkeys(rows), strict=True))
    found = [compare(votes, reference="human", unit=unit, resamples=300).rows[0].half_credit
             for unit in ("prompt", "prompt and generator")]  # fmt: skip
    widths = [f.interval.high - f.interval.low for f in found if f and isinstance(f.interval, Interval)]
    assert len(widths) == 2
    assert widths[1] > 1.3 * widths[0]
    assert found[1] is not None
    assert (found[1].unit, found[1].value) == ("prompt and generator", found[0].value if found[0] else None)


@pytest.mark.slow
def test_intervals_over_annotators_too_are_wider_when_annotators_disagree() -> None:
    rng = np.random.default_rng(1)
    people = [f"person {number}" for number in range(5)]
    rows = []
    for prompt in range(40):
        for pair in ("xy", "yz", "zx"):
            rows += [(f"p{prompt}", *pair, who, str(rng.choice(["a", "b"], p=[0.6, 0.4]))) for who in people]
            rows.append((f"p{prompt}", *pair, "judge", "a"))
    votes = votes_of(*zip(*rows, strict=True))
    found = [compare(votes, reference=people, unit=unit, resamples=300).rows[0].half_credit
             for unit in ("prompt", "prompt and annotator")]  # fmt: skip
    widths = [f.interval.high - f.interval.low for f in found if f and isinstance(f.interval, Interval)]
    assert len(widths) == 2
    assert widths[1] > 1.3 * widths[0]


def test_too_few_generators_have_no_crossed_interval() -> None:
    votes = simulated_votes(12, generators=4, judges=("good",))
    row = compare(votes, reference="human", unit="prompt and generator", resamples=50).rows[0]
    assert row.half_credit is not None
    assert isinstance(row.half_credit.interval, Unscored)
    assert "12 prompts and 4 generators" in row.half_credit.interval.detail


# Elo


def test_the_spread_of_elo_over_orders_is_in_the_table() -> None:
    table = compare(simulated_votes(20, judges=("weak",)), reference="human", rating="elo", resamples=100)
    (row,) = table.rows
    assert row.srcc is not None
    spread = row.srcc.related["spread_over_orders"]
    assert isinstance(spread, float)
    assert spread > 0
    assert "± order" in to_text(judge_table(table))


@pytest.mark.slow
@pytest.mark.parametrize("spread", [100, 400])
def test_the_last_games_determine_elo(spread: float) -> None:
    rng = np.random.default_rng(0)
    quality, games = rng.normal(0, spread, 6), 12_000
    a = rng.integers(0, 6, games)
    b = (a + rng.integers(1, 6, games)) % 6
    won = np.where(rng.random(games) < 1 / (1 + 10 ** ((quality[b] - quality[a]) / 400)), 1.0, -1.0)
    pairs = numbered_pairs((a, b, np.arange(games)), tuple(range(6)), won, won)
    scores = (np.stack([won, won]) + 1) / 2
    last = relevant_games(pairs, scores, EloRule(), seed=0)
    order = rng.permutation(games)
    ends = [play_elo(a, b, scores, order[-n:, None], EloRule()) for n in (games, last)]
    assert np.abs(ends[0] - ends[1]).max() < 0.1
    if spread == 100:
        assert last < games
