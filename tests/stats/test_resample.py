"""Bootstrap intervals: against scipy, fair draws, undefined resamples."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from semiosis.stats import Interval, as_json, bootstrap, krcc
from semiosis.stats._resample import Resampling, _random_units, bootstrap_interval, interval, resampled_sums
from semiosis.values import Unscored, UsageError


def mean_of(values: np.ndarray) -> np.ndarray:
    return np.stack([values, np.ones(len(values))], axis=1)


def ratio(sums: np.ndarray) -> np.ndarray:
    return np.asarray(sums[..., 0] / sums[..., 1])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_of_a_mean_equal_scipy_up_to_chance(method: str) -> None:
    values = np.random.default_rng(0).exponential(size=60)
    found = interval(mean_of(values), ratio, Resampling(resamples=20_000, method=method))
    theirs = scipy_stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=20_000,
        method="BCa" if method == "bca" else "percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert isinstance(found, Interval)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)


@pytest.mark.parametrize("units", [2, 7, 187, 1870, 40_000])
def test_draws_are_fair(units: int) -> None:
    places = _random_units(units, 200_000, np.random.default_rng(0))
    assert places.min() >= 0
    assert places.max() < units
    # mean (units − 1)/2, standard error units/√12/√200000
    assert places.mean() == pytest.approx((units - 1) / 2, abs=5 * units / np.sqrt(12 * 200_000))


def test_every_resample_draws_as_many_units_as_there_are() -> None:
    assert (resampled_sums(np.ones((37, 1)), 500, seed=1) == 37).all()


def test_the_same_seed_gives_the_same_interval_and_another_does_not() -> None:
    values = np.random.default_rng(0).normal(size=30)
    one, same, other = (
        interval(mean_of(values), ratio, Resampling(resamples=500, method="percentile", seed=seed))
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_resamples_without_a_value_are_dropped_and_counted() -> None:
    how = Resampling(resamples=4)
    found = bootstrap_interval(np.array([1.0, 2.0, 3.0, np.nan]), how, units=12)
    assert isinstance(found, Interval)
    assert found.dropped == 1
    assert isinstance(bootstrap_interval(np.array([1.0, np.nan, np.nan, np.nan]), how, units=12), Unscored)


def test_the_default_interval_of_a_mean_is_students_t() -> None:
    values = np.random.default_rng(0).exponential(size=12)
    found = interval(mean_of(values), ratio, Resampling())
    theirs = scipy_stats.ttest_1samp(values, 0).confidence_interval()
    assert isinstance(found, Interval)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert (found.method, found.units, found.has_few_units) == ("t", 12, False)


def test_the_interval_of_a_ratio_equals_the_textbook_interval() -> None:
    # a ratio of sums r = Σy/Σx, linearised: s² = n/(n − 1) · Σ(y − r·x)²/(Σx)² (Cochran 1977, 6.10)
    rng = np.random.default_rng(1)
    x = rng.integers(4, 7, 400).astype(float)
    y = rng.binomial(x.astype(int), 0.7).astype(float)
    r = y.sum() / x.sum()
    error = np.sqrt(400 / 399 * ((y - r * x) ** 2).sum()) / x.sum()
    found = interval(np.stack([y, x], axis=1), ratio, Resampling())
    assert isinstance(found, Interval)
    assert found.high - r == pytest.approx(scipy_stats.t.ppf(0.975, 399) * error, rel=2e-3)


@pytest.mark.parametrize("units", [1, 2, 4])
def test_fewer_than_five_prompts_have_no_interval(units: int) -> None:
    prompts = [f"p{number}" for number in range(units) for _ in range(2)]
    result = krcc(["a", "b"] * units, ["a", "a"] * units, prompts)
    assert isinstance(result.interval, Unscored)
    assert f"only {units}" in str(result)
    assert "at least 5" in str(result)


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_no_interval_has_zero_width(method: str) -> None:
    result = krcc(["a", "b"] * 12, ["a", "b"] * 12, np.repeat(range(12), 2), method=method)
    assert float(result) == 1
    assert isinstance(result.interval, Unscored)


def test_few_prompts_are_marked() -> None:
    values = np.random.default_rng(0).normal(size=9)
    assert getattr(interval(mean_of(values), ratio, Resampling()), "has_few_units", None) is True


@pytest.mark.slow
@pytest.mark.parametrize("prompts", [6, 10, 20])
def test_t_intervals_cover_where_percentile_intervals_do_not(prompts: int) -> None:
    """400 simulated tables of half credit, true value 0.4; standard error of a coverage of .95 is .011."""
    rng = np.random.default_rng(prompts)
    covered = {"t": 0, "percentile": 0}
    for _ in range(400):
        level = np.clip(0.7 + rng.normal(0, 0.15, prompts), 0, 1)
        values = 2 * rng.binomial(6, level) / 6 - 1
        for method in covered:
            how = Resampling(resamples=300, method=method)
            found = interval(mean_of(values), ratio, how)
            covered[method] += isinstance(found, Interval) and found.low <= 0.4 <= found.high
    assert covered["t"] / 400 >= 0.92
    assert covered["t"] > covered["percentile"]


def test_settings_are_checked() -> None:
    with pytest.raises(UsageError, match="unknown interval method"):
        Resampling(method="basic")
    with pytest.raises(UsageError, match="not between 0 and 1"):
        Resampling(level=95)
    with pytest.raises(UsageError, match="whole prompts"):
        krcc(["a", "b"], ["a", "b"], ["p", "q"], unit="pair", method="bca")


def test_bca_says_when_it_cannot_be_computed() -> None:
    result = krcc(["a", "b"], ["a", "b"], ["p", "q"], method="bca")
    assert isinstance(result.interval, Unscored)


def test_any_statistic_can_be_bootstrapped_by_prompt() -> None:
    x = np.repeat([0.0, 0.0, 1.0, 2.0, 9.0, 9.0], 5)
    whole = bootstrap(lambda v: float(np.median(v)), x, prompts=np.repeat(range(6), 5), resamples=400)
    single = bootstrap(lambda v: float(np.median(v)), x, resamples=400, method="bca")
    assert float(whole) == float(single) == 1.5
    assert isinstance(whole.interval, Interval)
    assert whole.interval.high == 9.0
    assert (whole.unit, single.unit) == ("prompt", "item")
    assert isinstance(bootstrap(np.mean, [1.0]).interval, Unscored)


def test_an_open_end_is_null_in_json() -> None:
    assert '"high": null' in as_json(Interval(0.1, float("inf"), side="lower"))
