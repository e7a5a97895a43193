"""The repr of values and results fits a screen, however much they contain."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from semiosis.align import drift
from semiosis.files import data
from semiosis.stats import votes_of
from semiosis.study import (
    ReadingRule,
    Study,
    compare_study,
    comparison_case,
    generator_profile,
    generator_ratings,
    picture_grid,
    read_study,
    reader_agreement,
)
from semiosis.tables import judge_table
from semiosis.values import Cascade, Verdict, brief_repr, outcomes
from tests.strategies import verdicts

SCREEN = 80 * 24


@dataclass(frozen=True)
class Everything:
    """A dataclass with a field of each sort."""

    name: str
    path: Path = Path("study")
    few: tuple[int, ...] = ()
    many: tuple[object, ...] = ()
    table: dict[str, float] = field(default_factory=dict)
    array: object = None

    __repr__ = brief_repr


def test_short_fields_are_written_out_and_long_ones_counted() -> None:
    made = Everything("a" * 100, few=(1, 2), many=tuple(range(1000)), array=np.zeros(5000))
    shown = repr(made)
    assert shown == (
        f"Everything(name='{'a' * 79}…', few=(1, 2), many=<1,000 × int>, table={{}}, array=<ndarray of 5000>)"
    )


def test_fields_with_their_defaults_are_left_out() -> None:
    assert repr(Everything("x")) == "Everything(name='x', table={})"


def test_items_of_two_classes_are_named_and_of_more_are_not() -> None:
    assert "many=<5 × float or int>" in repr(Everything("x", many=(1, 2.0, 3, 4, 5)))
    assert "many=<5 × item>" in repr(Everything("x", many=(1, 2.0, "3", None, 5)))


@given(verdict=verdicts)
def test_every_verdict_fits(verdict: Verdict) -> None:
    assert len(repr(verdict)) <= SCREEN
    assert repr(verdict).startswith("Verdict(kind='verdict', evaluator=")


@pytest.fixture(scope="module")
def sample() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


@pytest.mark.slow
def test_everything_that_a_notebook_shows_fits_a_screen(sample: Study) -> None:
    readings = list(sample.hsgs.values())
    comparison = next(iter(sample.comparisons.values()))
    judges = compare_study(sample)
    shown = [
        sample,
        *sample.alignments.values(),
        *list(sample.signs.values())[:5],
        judges,
        *judges.rows,
        judge_table(judges),
        generator_profile(sample),
        generator_ratings(sample, prior=0.5),
        reader_agreement(sample, crossed=2),
        picture_grid(sample),
        comparison_case(sample, comparison, ReadingRule()),
        drift(Cascade(tuple(readings[:3]))),
        next(outcomes(sample.verdicts)),
        votes_of(["p"] * 500, ["x"] * 500, ["y"] * 500, [f"e{n}" for n in range(500)], ["a"] * 500),
    ]
    assert max(len(repr(value)) for value in shown) <= SCREEN
    assert not any("\n" in repr(value) for value in shown)
    assert "signs=<31 × item>" in repr(sample)
