"""Bootstrap intervals: against scipy, fair draws, undefined resamples."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from semiosis.stats import Interval, as_json, bootstrap, krcc
from semiosis.stats._resample import Resampling, _places, from_draws, interval, resampled_sums
from semiosis.values import Unscored, UsageError


def mean_of(values: np.ndarray) -> np.ndarray:
    return np.stack([values, np.ones(len(values))], axis=1)


def ratio(sums: np.ndarray) -> np.ndarray:
    return np.asarray(sums[..., 0] / sums[..., 1])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_of_a_mean_are_scipys_up_to_chance(method: str) -> None:
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
    places = _places(units, 200_000, np.random.default_rng(0))
    assert places.min() >= 0
    assert places.max() < units
    # mean (units − 1)/2, standard error units/√12/√200000
    assert places.mean() == pytest.approx((units - 1) / 2, abs=5 * units / np.sqrt(12 * 200_000))


def test_every_resample_draws_as_many_units_as_there_are() -> None:
    assert (resampled_sums(np.ones((37, 1)), 500, seed=1) == 37).all()


def test_the_same_seed_gives_the_same_interval_and_another_does_not() -> None:
    values = np.random.default_rng(0).normal(size=30)
    one, same, other = (
        interval(mean_of(values), ratio, Resampling(resamples=500, seed=seed)) for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_resamples_without_a_value_are_dropped_and_counted() -> None:
    how = Resampling(resamples=4)
    found = from_draws(np.array([1.0, 2.0, 3.0, np.nan]), how)
    assert isinstance(found, Interval)
    assert found.dropped == 1
    assert isinstance(from_draws(np.array([1.0, np.nan, np.nan, np.nan]), how), Unscored)


def test_one_prompt_has_no_interval() -> None:
    result = krcc(["a", "b"], ["a", "b"], ["p", "p"])
    assert isinstance(result.interval, Unscored)
    assert "at least 2" in str(result)


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
    x = np.repeat([0.0, 1.0, 2.0, 9.0], 5)
    whole = bootstrap(lambda v: float(np.median(v)), x, prompts=np.repeat(range(4), 5), resamples=400)
    single = bootstrap(lambda v: float(np.median(v)), x, resamples=400, method="bca")
    assert float(whole) == float(single) == 1.5
    assert isinstance(whole.interval, Interval)
    assert whole.interval.high == 9.0
    assert (whole.unit, single.unit) == ("prompt", "item")
    assert isinstance(bootstrap(np.mean, [1.0]).interval, Unscored)


def test_an_open_end_is_null_in_json() -> None:
    assert '"high": null' in as_json(Interval(0.1, float("inf"), side="lower"))
