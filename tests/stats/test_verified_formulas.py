"""Every statistic against a second implementation, on data with ties, gaps, repeats and uneven prompts."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
from scipy import stats as scipy_stats

from semiosis import probe, stats
from semiosis.stats import Estimate
from semiosis.values import DataError, Unscored
from tests.stats import second

CLOSE = 1e-9
SEEDS = range(6)


def same(found: object, expected: float | None) -> None:
    """Check that the value equals the expected one to 1e-9; None means unscored."""
    value = found.value if isinstance(found, Estimate) else found
    if expected is None:
        assert isinstance(value, Unscored)
    else:
        assert isinstance(value, int | float)
        assert value == pytest.approx(expected, abs=CLOSE, rel=CLOSE)


def votes(seed: int, prompts: int = 12) -> tuple[list[str], list[second.Winner], list[second.Winner]]:
    """Prompts of 1 to 8 pairs, winners of people and of a judge, with ties and gaps."""
    rng = np.random.default_rng(seed)
    prompt = [f"p{p}" for p in range(prompts) for _ in range(rng.integers(1, 9))]
    choices: list[second.Winner] = ["a", "b", "tie", None]
    truth = [choices[i] for i in rng.choice(4, len(prompt), p=[0.4, 0.3, 0.2, 0.1])]
    said = [t if rng.random() < 0.5 else choices[rng.integers(0, 4)] for t in truth]
    return prompt, truth, said


def games(seed: int, size: int, often: int) -> list[second.Game]:
    rng = np.random.default_rng(seed)
    worth = rng.normal(0, 0.7, size)
    found: list[second.Game] = []
    for _ in range(often):
        i, j = rng.choice(size, 2, replace=False)
        chance = rng.random()
        winner = "tie" if chance < 0.1 else None if chance < 0.15 else ""
        better = rng.random() < 1 / (1 + math.exp(worth[j] - worth[i]))
        found.append((f"g{i}", f"g{j}", ("a" if better else "b") if winner == "" else winner))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_krcc_and_half_credit(seed: int) -> None:
    prompt, truth, said = votes(seed)
    pairs = second.by_prompt(truth, said, prompt)
    taus = {p: second.tau_b(part) for p, part in pairs.items()}
    judged = {p: sum(t is not None and s is not None for t, s in part) for p, part in pairs.items()}
    found = stats.krcc(truth, said, prompt, resamples=0)
    same(found, second.mean(list(taus.values())))
    same(found.related["half_credit"], second.mean([second.half_credit(part) for part in pairs.values()]))
    weighted = [(tau, judged[p]) for p, tau in taus.items() if tau is not None]
    same(found.related["pair_weighted"], sum(t * n for t, n in weighted) / sum(n for _, n in weighted))
    assert found.related["prompts_unscored"] == sum(tau is None for tau in taus.values())
    assert found.related["pairs_per_prompt_min"] == min(judged.values())
    assert found.related["pairs_per_prompt_median"] == np.median(list(judged.values()))
    assert found.n == sum(judged.values())
    same(stats.half_credit(truth, said, prompt, resamples=0), found.related["half_credit"])  # type: ignore[arg-type]  # a number here
    same(stats.tau_b(truth, said), second.tau_b(list(zip(truth, said, strict=True))))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_called_a_does_not_matter(seed: int) -> None:
    prompt, truth, said = votes(seed)
    turned = np.random.default_rng(seed).random(len(prompt)) < 0.5
    swap = {"a": "b", "b": "a"}
    flip = [
        [swap.get(str(w), w) if t else w for w, t in zip(side, turned, strict=True)] for side in (truth, said)
    ]
    plain, other = (
        stats.krcc(truth, said, prompt, resamples=0),
        stats.krcc(flip[0], flip[1], prompt, resamples=0),
    )
    same(other, float(plain))


@pytest.mark.parametrize("seed", SEEDS)
def test_correlations_with_ties_and_gaps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x: list[float | None] = [float(v) for v in rng.integers(0, 6, 30)]
    y: list[float | None] = [float(v) / 2 for v in rng.integers(0, 9, 30)]
    x[3], y[7] = None, None
    both = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    first, other = [a for a, _ in both], [b for _, b in both]
    same(stats.spearman(x, y), second.pearson(second.midranks(first), second.midranks(other)))
    same(stats.pearson(x, y), second.pearson(first, other))
    same(stats.ccc(x, y), second.ccc(first, other))
    same(stats.mae(x, y), math.fsum(abs(a - b) for a, b in both) / len(both))
    assert stats.ccc(x, y).n_unscored == 2


def test_ccc_is_undefined_only_where_its_denominator_is_0() -> None:
    same(stats.ccc([1, 1, 1], [1, 2, 3]), 0)
    same(stats.ccc([1, 1, 1], [2, 2, 2]), 0)  # 2·0/(0 + 0 + 1)
    same(stats.ccc([0.1, 0.1, 0.1], [0.1, 0.1, 0.1]), None)


@pytest.mark.parametrize(("size", "often"), [(2, 9), (5, 60), (16, 900)])
@pytest.mark.parametrize("seed", range(3))
def test_ratings(seed: int, size: int, often: int) -> None:
    played = games(seed, size, often)
    names, table = second.wins(played)
    found = stats.bradley_terry(played)
    assert found.names == tuple(names)
    assert found.scores == pytest.approx(second.bradley_terry(table), rel=1e-11)
    assert stats.thurstone(played).scores == pytest.approx(second.thurstone(table), abs=CLOSE)
    assert stats.bradley_terry(table).scores == pytest.approx(found.scores, rel=1e-12)
    ordered = stats.elo(played, shuffles=0)
    assert isinstance(ordered.scores, tuple)
    assert dict(zip(ordered.names, ordered.scores, strict=True)) == pytest.approx(
        second.elo(played), rel=1e-12
    )


def test_a_lopsided_bradley_terry_is_exact() -> None:
    # two generators: θ₁ − θ₂ = ln(10⁶), so ±200·6 around 1000
    assert stats.bradley_terry([[0, 1e6], [1, 0]]).scores == pytest.approx((2200, -200), abs=CLOSE)
    assert stats.bradley_terry([[0, 1e12], [1, 0]]).scores == pytest.approx((3400, -1400), abs=1e-8)
    # a chain: neighbours differ by 400·log10(1000)
    chain = np.zeros((6, 6))
    for i in range(5):
        chain[i, i + 1], chain[i + 1, i] = 1000, 1
    assert np.diff(stats.bradley_terry(chain).scores) == pytest.approx([-1200] * 5, abs=1e-8)  # type: ignore[arg-type]  # there are scores


def test_games_and_counts_come_in_any_plain_form() -> None:
    played = [("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a"), ("x", "z", "a")]
    for rate in (stats.bradley_terry, stats.thurstone, stats.elo):
        expected = rate(played).scores
        for form in ([list(game) for game in played], tuple(played), np.array(played)):
            assert rate(form).scores == expected
        assert rate([*played, ("w", "x", None)]).scores == expected  # an unscored game changes nothing
        assert isinstance(rate([]).scores, Unscored)
    for rate in (stats.bradley_terry, stats.thurstone):
        assert rate(((0, 3), (2, 0))).scores == rate(np.array([[0, 3], [2, 0]])).scores
    assert stats.elo(iter(played)).scores == stats.elo(played).scores  # type: ignore[arg-type]  # any iterable will do


@pytest.mark.parametrize("seed", range(3))
def test_srcc_and_ccc_of_generators(seed: int) -> None:
    played = games(seed, 6, 150)
    a, b, truth = zip(*played, strict=True)
    rng = np.random.default_rng(seed)
    said = [w if rng.random() < 0.7 else ("a", "b", "tie", None)[rng.integers(0, 4)] for w in truth]
    judged = [i for i in range(len(a)) if truth[i] is not None and said[i] is not None]
    names, rated = second.wins(played)[0], []
    for side in (truth, said):
        names, table = second.wins([(a[i], b[i], side[i]) for i in judged])
        rated.append(second.bradley_terry(table).tolist())
    found = stats.generator_agreement(a, b, truth, said)
    order = [found.reference.names.index(name) for name in names]
    assert isinstance(found.reference.scores, tuple)
    assert [found.reference.scores[i] for i in order] == pytest.approx(rated[0], rel=1e-11)
    same(found.srcc, second.pearson(second.midranks(rated[0]), second.midranks(rated[1])))
    same(found.ccc, second.ccc(*rated))


def test_generators_rated_alike_have_neither_srcc_nor_ccc() -> None:
    a, b = ("x", "y", "z", "x", "y", "z", "x"), ("y", "z", "x", "y", "z", "x", "z")
    found = stats.generator_agreement(a, b, ["tie"] * 7, ["a", "a", "a", "b", "b", "b", "tie"])
    same(found.srcc, None)
    same(found.ccc, None)


@pytest.mark.parametrize("seed", SEEDS)
def test_kappas_and_alphas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, 25)
    table: list[list[float | None]] = [
        [None if rng.random() < 0.15 else float(np.clip(t + rng.integers(-1, 2), 1, 5)) for _ in range(4)]
        for t in truth
    ]
    columns = list(zip(*table, strict=True))
    same(stats.cohen_kappa(columns[0], columns[1]), second.cohen_kappa(columns[0], columns[1]))
    both = [(x, y) for x, y in zip(columns[0], columns[1], strict=True) if x is not None and y is not None]
    expected = second.quadratic_kappa([x for x, _ in both], [y for _, y in both])
    same(stats.weighted_kappa(columns[0], columns[1]), expected)
    pairwise = [second.cohen_kappa(columns[i], columns[j]) for i in range(4) for j in range(i + 1, 4)]
    same(stats.mean_pairwise_kappa(table), second.mean(pairwise))
    counts = [[sum(label == k for label in row) for k in range(1, 6)] for row in table]
    same(stats.fleiss_kappa(counts), second.fleiss_kappa(counts))
    same(stats.krippendorff_alpha(table), second.krippendorff_alpha(table, second.nominal))
    same(stats.krippendorff_alpha(table, "ordinal"), second.krippendorff_alpha(table, second.ordinal))
    same(stats.krippendorff_alpha(table, "interval"), second.krippendorff_alpha(table, second.interval))


@pytest.mark.parametrize("seed", SEEDS)
def test_icc_with_its_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = (rng.normal(0, 1, (9, 1)) + rng.normal(0, 1, (1, 3)) + rng.normal(0, 0.8, (9, 3))).tolist()
    found = stats.icc21(table)
    value, low, high = second.icc21(table)
    same(found, value)
    assert isinstance(found.interval, stats.Interval)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=CLOSE)


def test_icc_of_ratings_without_noise() -> None:
    same(stats.icc21([[0.1, 0.1, 0.1]] * 5), None)  # rounding once gave 0.077
    # one rater is always 1 higher: MSE = 0, and McGraw and Wong's interval is still defined
    shifted = [[1, 2], [3, 4], [5, 6]]
    found, expected = stats.icc21(shifted), second.icc21(shifted)
    assert isinstance(found.interval, stats.Interval)
    assert (float(found), found.interval.low, found.interval.high) == pytest.approx(expected, abs=CLOSE)
    crossed = stats.icc21([[1, 5], [5, 1]])  # MSR + (k−1)·MSE + k(MSC−MSE)/n = 0
    same(crossed, None)
    assert crossed.interval is None


@pytest.mark.parametrize("unit", ["pair", "prompt"])
def test_permutation_p_approaches_the_exact_one(unit: Literal["pair", "prompt"]) -> None:
    values = [0.3, 2.0, 1.1, -0.4, 2.7, 1.6, 0.2, 1.9, 0.9]
    label = [0, 1, 0, 0, 1, 1, 0, 1, 1]
    found = stats.iconicity_gap(values, label, list("abcdefghi"), unit=unit, permutations=40_000, seed=5)
    ones = [v for v, one in zip(values, label, strict=True) if one]
    others = [v for v, one in zip(values, label, strict=True) if not one]
    same(found, math.fsum(ones) / len(ones) - math.fsum(others) / len(others))
    assert found.p == pytest.approx(second.exact_p(values, label), abs=0.002)
    assert found.p is not None
    assert (found.p * 40_001) % 1 == pytest.approx(0, abs=1e-6)  # (1 + #)/(1 + N)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e6])
def test_cohen_d_keeps_its_digits_far_from_0(far: float) -> None:
    x, y = [0.0, 1.0, 2.0, 3.5], [far, far + 1, far + 2.25]
    within = np.var(x) * 4 + np.var([0, 1, 2.25]) * 3
    same(stats.cohen_d(x, y), (1.625 - far - 3.25 / 3) / math.sqrt(within / 5))


@pytest.mark.parametrize("seed", range(3))
def test_bca(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.exponential(1, 20).round(2).tolist()
    found = stats.bootstrap(lambda x: float(np.mean(x)), values, method="bca", resamples=800, seed=seed)
    again = np.random.default_rng(seed)
    drawn = [float(np.mean(np.array(values)[again.integers(0, 20, 20)])) for _ in range(800)]
    assert isinstance(found.interval, stats.Interval)
    ends = found.interval.low, found.interval.high
    assert ends == pytest.approx(second.bca(values, drawn, 0.95), abs=1e-6)


def test_sigmoid_and_logistic_reach_the_minimum() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(1, 5, 60)
    y = np.clip(1 + 4 / (1 + np.exp(3.6 - 1.2 * x)) + rng.normal(0, 0.45, 60), 1, 5)
    fit = probe.fit_sigmoid(x, y)
    s = (fit(x) - 1) / 4
    pull = (1 + 4 * s - y) * s * (1 - s)  # the normal equations: Σ pull = 0 and Σ pull·x = 0
    assert (pull.sum(), pull @ x) == pytest.approx((0, 0), abs=1e-12)
    curve = probe.fit_logistic(x, y)
    part = 1 / (1 + np.exp(-(x - curve.middle) / curve.width))
    rest = curve(x) - y
    bent = rest * part * (1 - part)
    assert (rest.sum(), rest @ part, bent.sum(), bent @ x) == pytest.approx((0, 0, 0, 0), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_isotonic(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, 20).astype(float).tolist()
    y = (np.array(x) / 3 + rng.normal(0, 1, 20)).tolist()
    fit, expected = probe.fit_isotonic(x, y), second.isotonic(x, y)
    assert dict(zip(fit.x, fit.y, strict=True)) == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("seed", range(3))
def test_preference_correlation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = rng.normal(0, 1, 8)
    score = 50 + 10 * q + rng.normal(0, 3, 8)
    first, other = zip(*[(i, j) for i in range(8) for j in range(i)], strict=True)
    curve = probe.fit_logistic(score, q)
    fitted = [curve.floor + curve.rise / (1 + math.exp(-(s - curve.middle) / curve.width)) for s in score]
    said = [scipy_stats.norm.cdf(fitted[i] - fitted[j]) for i, j in zip(first, other, strict=True)]
    truth = [scipy_stats.norm.cdf(q[i] - q[j]) for i, j in zip(first, other, strict=True)]
    same(probe.preference_correlation(score, q, first, other), second.pearson(said, truth))


SCORES = {
    "spearman": stats.spearman,
    "pearson": stats.pearson,
    "ccc": stats.ccc,
    "kendall": stats.kendall,
    "mae": stats.mae,
    "wilcoxon": stats.wilcoxon,
}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("nothing", [None, math.nan, "", Unscored(reason="timeout")])
def test_every_spelling_of_a_missing_winner_is_missing(name: str, nothing: object) -> None:
    x: Sequence[object] = [1, 2, 3, 4, nothing]
    found = SCORES[name](x, [2, 1, 3, 5, 4])  # type: ignore[arg-type]  # what a caller might pass
    same(found, float(SCORES[name]([1, 2, 3, 4], [2, 1, 3, 5])))
    assert (found.n, found.n_unscored) == (4, 1)


def test_unscored_in_tables() -> None:
    hole = Unscored(reason="refusal")
    same(stats.icc21([[1, 2], [3, hole], [5, 6], [4, 4]]), second.icc21([[1, 2], [5, 6], [4, 4]])[0])  # type: ignore[list-item]  # what a caller might pass
    for level in ("ordinal", "interval"):
        table = [[1, 2, hole], [2, 2, 3], [1, 1, 1]]
        plain = [[1, 2, None], [2, 2, 3], [1, 1, 1]]
        expected = stats.krippendorff_alpha(plain, level)  # type: ignore[arg-type]  # one of the levels
        same(stats.krippendorff_alpha(table, level), float(expected))  # type: ignore[arg-type]  # one of the levels
    assert stats.net_iconicity([6, hole], [2, 2], [3, 1]) == 3.5  # type: ignore[arg-type]  # what a caller might pass


def test_true_and_false_are_not_winners() -> None:
    with pytest.raises(DataError, match="True"):
        stats.krcc([True, False], ["a", "b"], ["p", "p"])


def test_categories_find_their_aspect_in_any_spelling() -> None:
    one = probe.semvar(
        aa=[0.9, 0.9], vv=[0.8] * 2, ii=[0.9] * 2, va=[0.3, 0.7], av=[0.4] * 2, ia=[0.9] * 2, ai=[0.9] * 2
    )
    found = probe.variation_table(one, ["Absolute_Location", ("Color", "size")], resamples=0).aspects
    same(found["relation"]["kappa"], 1.0)  # |.4 − .9| + |.8 − .3|
    same(found["attribute value"]["kappa"], 0.6)  # |.4 − .9| + |.8 − .7|


def test_lqs_depends_on_length_and_sentences() -> None:
    text = "Ink on silk. The void breathes! 留白。"
    same(probe.lqs(text), len(text) / 2000 * 3 / 6)


def test_a_culture_gap_without_scores_is_unscored() -> None:
    same(probe.culture_gap([math.nan], [None], x_items=[1], y_items=[2]), None)
