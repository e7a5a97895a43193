"""Bradley–Terry, Elo and Thurstone: by hand, against choix and evalica, and their properties."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special

from semiosis.stats import (
    Interval,
    bootstrap,
    bradley_terry,
    elo,
    generator_agreement,
    preference,
    rating_estimates,
    thurstone,
    win_counts,
)
from semiosis.values import DataError, Unscored, UsageError

Game = tuple[str, str, str]
game = st.tuples(st.sampled_from("wxyz"), st.sampled_from("wxyz"), st.sampled_from(["a", "b", "tie"]))
games_of_four = st.lists(game.filter(lambda g: g[0] != g[1]), min_size=6, max_size=40)


def round_robin(seed: int = 0, often: int = 12) -> list[Game]:
    """Games of five generators in which everyone wins and loses."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 0.7, 5)
    found: list[Game] = []
    for i, j in combinations(range(5), 2):
        for _ in range(often):
            wins = rng.random() < special.expit(strength[i] - strength[j])
            found.append((f"g{i}", f"g{j}", "a" if wins else "b"))
    return found


def test_two_generators_by_hand() -> None:
    # 3 wins to 1: θ = ln 3, on the Elo scale 400 · log10 3 apart, around 1000
    result = bradley_terry([("x", "y", "a")] * 3 + [("y", "x", "a")])
    assert result["x"] == pytest.approx(1000 + 200 * np.log10(3), abs=1e-9)
    assert result["x"] + result["y"] == pytest.approx(2000, abs=1e-9)
    assert result.converged


def test_ties_are_half_a_win_each() -> None:
    tied = bradley_terry([("x", "y", "tie"), ("x", "y", "a")])
    # 1.5 wins to 0.5
    assert tied["x"] - tied["y"] == pytest.approx(400 * np.log10(3), abs=1e-9)
    assert win_counts([("x", "y", "tie")])[1].tolist() == [[0, 0.5], [0.5, 0]]


@pytest.mark.slow
def test_bradley_terry_equals_choix() -> None:
    import choix

    games = round_robin()
    result = bradley_terry(games)
    data = [(int(a[1]), int(b[1])) if w == "a" else (int(b[1]), int(a[1])) for a, b, w in games]
    theta = choix.ilsr_pairwise(5, data, alpha=0, tol=1e-13, max_iter=10_000)
    expected = 1000 + 400 / np.log(10) * (theta - theta.mean())
    assert [result[f"g{i}"] for i in range(5)] == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_bradley_terry_equals_evalica_up_to_scale() -> None:
    import evalica

    games = round_robin(3)
    ours = bradley_terry(games)
    theirs = evalica.bradley_terry(
        [a for a, _, _ in games],
        [b for _, b, _ in games],
        [evalica.Winner.X if w == "a" else evalica.Winner.Y for _, _, w in games],
        tolerance=1e-14,
        limit=100_000,
    ).scores
    logs = np.log(np.array([theirs[f"g{i}"] for i in range(5)]))
    expected = 1000 + 400 / np.log(10) * (logs - logs.mean())
    assert [ours[f"g{i}"] for i in range(5)] == pytest.approx(expected, abs=1e-6)


def test_the_gradient_is_zero_at_the_maximum() -> None:
    names, wins = win_counts(round_robin(5))
    result = bradley_terry(wins, names=names)
    assert not isinstance(result.scores, Unscored)
    theta = (np.array(result.scores) - 1000) * np.log(10) / 400
    expected = ((wins + wins.T) * special.expit(theta[:, None] - theta[None, :])).sum(axis=1)
    assert wins.sum(axis=1) == pytest.approx(expected, abs=1e-9)


@given(games_of_four, st.randoms())
def test_the_order_of_games_does_not_matter(games: list[Game], random: object) -> None:
    shuffled = sorted(games, key=lambda _: random.random())  # type: ignore[attr-defined]  # hypothesis' Random
    one, other = bradley_terry(games, prior=0.5), bradley_terry(shuffled, prior=0.5)
    assert all(one[name] == pytest.approx(other[name], abs=1e-7) for name in one.names)


@given(games_of_four)
def test_exchanging_a_and_b_does_not_matter(games: list[Game]) -> None:
    turned = [(b, a, {"a": "b", "b": "a", "tie": "tie"}[w]) for a, b, w in games]
    one, other = bradley_terry(games, prior=0.5), bradley_terry(turned, prior=0.5)
    assert all(one[name] == pytest.approx(other[name], abs=1e-7) for name in one.names)


def test_an_undefeated_generator_has_no_rating_without_a_prior() -> None:
    games = [("x", "y", "a"), ("y", "z", "a"), ("z", "y", "a"), ("x", "z", "a")]
    result = bradley_terry(games)
    assert isinstance(result.scores, Unscored)
    assert "x never lost" in result.scores.detail
    assert "unscored" in str(result)
    with pytest.raises(DataError, match="no finite maximum"):
        _ = result["x"]
    assert bradley_terry(games, prior=0.5)["x"] > 1000
    assert bradley_terry(games, prior=0.5).parameters["prior"] == 0.5


def test_groups_that_never_met_have_no_common_scale() -> None:
    games = [("w", "x", "a"), ("x", "w", "a"), ("y", "z", "a"), ("z", "y", "a")]
    assert isinstance(bradley_terry(games).scores, Unscored)
    assert isinstance(bradley_terry([]).scores, Unscored)


def test_lopsided_games_converge() -> None:
    games = [("x", "y", "a")] * 5000 + [("y", "x", "a"), ("y", "z", "a"), ("z", "x", "a"), ("z", "y", "a")]
    result = bradley_terry(games)
    assert result.converged


def test_elo_by_hand() -> None:
    # 1000 against 1000: expected ½, so ± 16. Then x (1016) loses to y (984):
    # expected 1/(1 + 10^(−32/400)) = 0.545921…
    result = elo([("x", "y", "a"), ("x", "y", "b")], shuffles=0)
    expected = 1016 - 32 / (1 + 10 ** (-32 / 400))
    assert result["x"] == pytest.approx(expected, abs=1e-9)
    assert result["x"] + result["y"] == pytest.approx(2000, abs=1e-9)


@pytest.mark.slow
def test_elo_in_one_order_equals_evalica() -> None:
    import evalica

    games = [*round_robin(7), ("g0", "g1", "tie"), ("g3", "g4", "tie")]
    ours = elo(games, shuffles=0)
    names = {"a": evalica.Winner.X, "b": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    theirs = evalica.elo(
        [a for a, _, _ in games], [b for _, b, _ in games], [names[w] for _, _, w in games], k=32
    ).scores
    assert all(ours[name] == pytest.approx(theirs[name], abs=1e-9) for name in ours.names)


def test_elo_averages_over_orders_and_reports_their_spread() -> None:
    games = round_robin(1)
    result = elo(games, shuffles=50, seed=3)
    assert result == elo(games, shuffles=50, seed=3)
    assert result != elo(games, shuffles=50, seed=4)
    assert result.spread is not None
    assert all(spread > 0 for spread in result.spread)
    assert not isinstance(result.scores, Unscored)
    assert sum(result.scores) == pytest.approx(5000, abs=1e-6)
    assert isinstance(elo([]).scores, Unscored)


def test_thurstone_maximises_the_posterior() -> None:
    # a second implementation: maximise the log posterior of equation 1 numerically
    wins = np.array([[0, 7, 4, 9], [3, 0, 5, 6], [6, 5, 0, 8], [1, 4, 2, 0]], dtype=float)

    def loss(q: np.ndarray) -> float:
        return float(-(wins * special.log_ndtr(q[:, None] - q[None, :])).sum() + (q**2).sum() / 2)

    expected = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-10}).x
    result = thurstone(wins)
    assert result.scores == pytest.approx(tuple(expected), abs=1e-6)
    assert not isinstance(result.scores, Unscored)
    assert sum(result.scores) == pytest.approx(0, abs=1e-9)


def test_thurstone_two_items_by_hand() -> None:
    # n wins to 0: q = (t, −t) with n·φ(2t)/Φ(2t) = t
    result = thurstone([[0, 3], [0, 0]])
    t = result[0]
    phi = np.exp(-2 * t * t) / np.sqrt(2 * np.pi)
    assert 3 * phi / special.ndtr(2 * t) == pytest.approx(t, abs=1e-9)
    with pytest.raises(UsageError):
        thurstone([[0, 1], [1, 0]], prior=0)


def test_a_partial_design_recovers_strong_preferences() -> None:
    from semiosis.probe import random_pairings

    rng = np.random.default_rng(0)
    q = np.linspace(-1.5, 1.5, 5)
    counts = np.zeros((5, 5))
    for voter in range(20):
        for i, j in random_pairings(5, rounds=4, seed=voter):
            first = rng.random() < special.ndtr(q[i] - q[j])
            counts[(i, j) if first else (j, i)] += 1
    result = thurstone(counts)
    assert not isinstance(result.scores, Unscored)
    assert list(np.argsort(result.scores)) == [0, 1, 2, 3, 4]


def test_preferences_add_up_to_one() -> None:
    p = preference([0.3, -0.2, 1.0])
    assert p + p.T == pytest.approx(np.ones((3, 3)))
    assert p[0, 1] == pytest.approx(special.ndtr(0.5))


def test_unscored_games_are_counted_and_left_out() -> None:
    games = round_robin()
    result = bradley_terry([*games, ("g0", "g1", ""), ("g2", "g1", "")])
    assert result.n_unscored == 2
    assert result.scores == bradley_terry(games).scores
    with pytest.raises(DataError, match="plays against itself"):
        bradley_terry([("x", "x", "a")])
    with pytest.raises(DataError, match="2 × 3, not square"):
        bradley_terry(np.zeros((2, 3)))


def test_the_ratings_of_a_perfect_evaluator_agree_perfectly() -> None:
    games = round_robin(2)
    a, b, w = (list(column) for column in zip(*games, strict=True))
    for rating in ("bradley-terry", "elo", "thurstone"):
        found = generator_agreement(a, b, w, w, rating=rating)
        assert float(found.srcc) == pytest.approx(1)
        assert float(found.ccc) == pytest.approx(1)
        assert float(found.alike) == 1


def test_generator_agreement_is_spearman_and_ccc_of_the_two_ratings() -> None:
    from semiosis.stats import ccc, spearman

    games, other = round_robin(2), round_robin(9)
    a, b, w = (list(column) for column in zip(*games, strict=True))
    said = [v for _, _, v in other]
    found = generator_agreement(a, b, w, said)
    x, y = found.reference.scores, found.evaluator.scores
    assert not isinstance(x, Unscored)
    assert not isinstance(y, Unscored)
    assert found.srcc.value == pytest.approx(float(spearman(x, y)), abs=1e-9)
    assert found.ccc.value == pytest.approx(float(ccc(x, y)), abs=1e-9)
    same_order = [(x[i] > x[j]) == (y[i] > y[j]) for i in range(len(x)) for j in range(i)]
    assert found.alike.value == pytest.approx(np.mean(same_order))
    assert found.srcc.interval is None
    with pytest.raises(UsageError, match="unknown rating"):
        generator_agreement(a, b, w, said, rating="glicko")  # type: ignore[arg-type]  # a typo, caught at run time


def test_artifacts_in_place_of_generators_are_recognised() -> None:
    a, b = [f"x{i}" for i in range(600)], [f"y{i}" for i in range(600)]
    found = generator_agreement(a, b, ["a"] * 600, ["a"] * 600)
    assert isinstance(found.srcc.value, Unscored)
    assert "artifacts, not generators" in found.srcc.value.detail


@pytest.mark.parametrize("prior", [0.0, 0.5])
@pytest.mark.parametrize("rare", [False, True])
def test_intervals_of_ratings_are_those_of_the_jackknife_over_games(prior: float, rare: bool) -> None:
    """The second implementation rates the games again, leaving out one prompt at a time."""
    games = [*round_robin(3), *([("g0", "rare", "a"), ("rare", "g0", "a")] if rare else [])]
    prompts = [f"p{number % 9}" for number in range(120)] + ["p8", "p8"] * rare
    rated = rating_estimates(games, prompts, prior=prior, level=0.9)
    assert list(rated) == list(bradley_terry(games).names)

    def rating(name: str, rows: np.ndarray) -> float:
        found = bradley_terry([games[row] for row in rows], prior=prior)
        return found[name] if name in found.names and not isinstance(found.scores, Unscored) else np.nan

    for name, estimate in rated.items():
        places = np.arange(len(games))
        slow = bootstrap(lambda rows, n=name: rating(n, rows), places, prompts=prompts, method="t", level=0.9)
        assert float(estimate) == pytest.approx(float(slow))
        assert estimate.n == sum(name in row[:2] for row in games)
        assert type(estimate.interval) is type(slow.interval)
        if isinstance(slow.interval, Interval) and isinstance(estimate.interval, Interval):
            ends = slow.interval.low, slow.interval.high
            assert (estimate.interval.low, estimate.interval.high) == pytest.approx(ends, abs=1e-6)
            assert estimate.interval.units == 9


def test_ratings_without_a_maximum_or_with_few_prompts_have_no_interval() -> None:
    unbeaten = rating_estimates([("x", "y", "a")] * 6, [f"p{n}" for n in range(6)])
    assert not unbeaten["x"].scored
    assert isinstance(unbeaten["x"].interval, Unscored)
    few = rating_estimates(round_robin(), ["p1", "p2"] * 60)
    assert all(estimate.scored and isinstance(estimate.interval, Unscored) for estimate in few.values())
    assert rating_estimates([], []) == {}
