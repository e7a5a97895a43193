"""Boxes: area, overlap, containment and position words."""

import pytest
from hypothesis import given

from semiosis.values import Box
from tests.strategies import boxes


def box(x0: float, y0: float, x1: float, y1: float) -> Box:
    return Box(x0=x0, y0=y0, x1=x1, y1=y1)


def overlap_by_hand(a: Box, b: Box) -> float:
    """Intersection over union from corners alone."""
    across = max(0.0, min(a.x1, b.x1) - max(a.x0, b.x0))
    down = max(0.0, min(a.y1, b.y1) - max(a.y0, b.y0))
    one, other = ((r.x1 - r.x0) * (r.y1 - r.y0) for r in (a, b))
    union = one + other - across * down
    return across * down / union if union else float(a == b)


def test_area() -> None:
    assert box(0.1, 0.2, 0.4, 0.6).area == pytest.approx(0.3 * 0.4)
    assert box(0, 0, 1, 1).area == 1


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (box(0, 0, 1, 1), box(0, 0, 1, 1), 1),
        (box(0, 0, 0.5, 1), box(0.5, 0, 1, 1), 0),  # they touch
        (box(0, 0, 0.2, 0.2), box(0.8, 0.8, 1, 1), 0),
        # 0.25 × 0.5 shared of 0.25 + 0.25 - 0.125
        (box(0, 0, 0.5, 0.5), box(0.25, 0, 0.75, 0.5), 1 / 3),
        # a quarter inside the whole
        (box(0, 0, 1, 1), box(0.25, 0.25, 0.75, 0.75), 0.25),
    ],
)
def test_overlap(one: Box, other: Box, expected: float) -> None:
    assert one.overlap(other) == pytest.approx(expected)


def test_boxes_too_thin_to_have_an_area() -> None:
    thin = box(0, 0, 5e-324, 5e-324)
    assert thin.overlap(thin) == 1
    assert thin.overlap(box(0, 0, 5e-324, 1e-300)) == 0


@given(boxes(), boxes())
def test_overlap_against_a_second_implementation(one: Box, other: Box) -> None:
    assert one.overlap(other) == pytest.approx(overlap_by_hand(one, other), abs=1e-9)
    assert one.overlap(other) == pytest.approx(other.overlap(one), abs=1e-9)
    assert one.overlap(one) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (box(0, 0, 0.3, 0.3), "upper left"),
        (box(0.4, 0, 0.6, 0.2), "upper"),
        (box(0.7, 0, 1, 0.3), "upper right"),
        (box(0, 0.4, 0.2, 0.6), "left"),
        (box(0.4, 0.4, 0.6, 0.6), "centre"),
        (box(0.8, 0.4, 1, 0.6), "right"),
        (box(0, 0.7, 0.3, 1), "lower left"),
        (box(0.4, 0.8, 0.6, 1), "lower"),
        (box(0.7, 0.7, 1, 1), "lower right"),
        (box(0, 0, 1, 1), "whole image"),
        (box(0, 0, 1, 0.81), "whole image"),  # 81% of it
        (box(0, 0, 1, 0.5), "upper"),  # centre at 0.25, in the upper third
    ],
)
def test_position_words(where: Box, words: str) -> None:
    assert where.position == words


@given(boxes())
def test_every_box_has_a_position(where: Box) -> None:
    assert where.position
    assert 0 <= where.area <= 1
