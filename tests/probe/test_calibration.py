"""Calibration of critiques' scores to human ones: VULCA's sigmoid and isotonic fits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from semiosis.probe import (
    CRITIQUES,
    IsotonicCalibration,
    SigmoidCalibration,
    calibrated_mean,
    fit_isotonic,
    fit_sigmoid,
)
from semiosis.stats import mae
from semiosis.values import DataError, Unscored


def test_calibration_reproduces_table_6() -> None:
    fit = SigmoidCalibration(1.273, -3.911)
    assert calibrated_mean(fit, [4.248]) == pytest.approx(CRITIQUES["Gemini-2.5-Pro"], abs=0.005)
    assert calibrated_mean(fit, [3.076]) == pytest.approx(
        CRITIQUES["DeepSeek"], abs=0.0055
    )  # a, b are rounded
    spread = [3.0, 5.0]
    assert calibrated_mean(fit, spread) != calibrated_mean(fit, spread, of="items")
    assert isinstance(calibrated_mean(fit, [None]), Unscored)
    with pytest.raises(DataError):
        calibrated_mean(fit, [1.0], of="model")


def test_a_sigmoid_is_recovered_from_noise() -> None:
    rng = np.random.default_rng(0)
    scores = rng.uniform(1, 5, 400)
    human = SigmoidCalibration(1.3, -4.0)(scores) + rng.normal(0, 0.1, 400)
    fit = fit_sigmoid(scores, human)
    assert isinstance(fit.a, float)
    assert isinstance(fit.b, float)
    assert (fit.a, fit.b) == pytest.approx((1.3, -4.0), abs=0.1)
    assert fit.converged
    # at the least squares solution the error is orthogonal to both derivatives
    wrong = fit(scores) - human
    slope = 4 * special.expit(fit.a * scores + fit.b) * (1 - special.expit(fit.a * scores + fit.b))
    assert [float((wrong * slope).sum()), float((wrong * slope * scores).sum())] == pytest.approx(
        [0, 0], abs=1e-5
    )
    assert float(mae(fit(scores), human)) < float(mae(scores, human))


@pytest.mark.parametrize(
    ("scores", "human", "why"),
    [
        ([1, 2, 3, 4], [1, 1, 5, 5], "perfectly"),  # any steeper curve is better
        ([1, 2, 3, 4, 5], [1, 1, 3, 5, 5], "perfectly"),  # the middle of the step is on the curve
        ([5, 4, 2, 1], [1, 1, 5, 5], "perfectly"),  # a falling step
        ([1, 2, 3], [5, 5, 5], "perfectly"),  # the end of the scale is reached nowhere
        ([1], [2], "different scores"),
        ([2, 2, None], [1, 4, 3], "different scores"),
    ],
)
def test_a_sigmoid_without_finite_fit_is_unscored(
    scores: list[float | None], human: list[float], why: str
) -> None:
    fit = fit_sigmoid(scores, human)
    assert isinstance(fit.a, Unscored)
    assert why in fit.a.detail
    assert not fit.converged
    assert calibrated_mean(fit, [3.0]) == fit.a
    with pytest.raises(DataError, match=why):
        fit([3.0])


def test_a_steep_sigmoid_is_scored() -> None:
    # two scores inside the scale fix the curve: logit(1/4) = −ln 3 at 2 and ln 3 at 3
    fit = fit_sigmoid([2, 3], [2.0, 4.0])
    assert fit.a == pytest.approx(2 * np.log(3), abs=1e-9)
    assert fit.b == pytest.approx(-5 * np.log(3), abs=1e-9)
    assert fit_sigmoid([1, 2, 3, 4], [3, 3, 3, 3])([1.0, 9.0]) == pytest.approx([3, 3])


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(1, 8).map(float), st.integers(1, 5).map(float)), min_size=1, max_size=30)
)
def test_isotonic_equals_scikit_learn(rows: list[tuple[float, float]]) -> None:
    from sklearn.isotonic import IsotonicRegression

    x, y = (list(column) for column in zip(*rows, strict=True))
    fit = fit_isotonic(x, y)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    where = np.linspace(0, 9, 50)
    assert fit(where) == pytest.approx(theirs.predict(where), abs=1e-9)
    assert list(fit.y) == sorted(fit.y)


def test_isotonic_without_data() -> None:
    with pytest.raises(DataError):
        fit_isotonic([], [])
    assert IsotonicCalibration((1.0, 2.0), (1.0, 3.0))([0.0, 1.5, 9.0]).tolist() == [1, 2, 3]
