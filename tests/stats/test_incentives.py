"""No strategy that is not better judgment gains: silence, ties, positions, halves, copies, league tables."""

from functools import cache

import numpy as np
import pytest

from semiosis.stats import JudgeRow, JudgeTable, compare, votes_of
from tests.stats.simulated import STRATEGIES, strategy_votes

STUDIES = 12
PEOPLE = ["person 0", "person 1", "person 2"]


@cache
def studies() -> list[JudgeTable]:
    """Simulated studies of 40 prompts, each judge tested against the honest one."""
    return [
        compare(strategy_votes(40, seed=seed), reference=PEOPLE, baseline="honest") for seed in range(STUDIES)
    ]


def row(table: JudgeTable, judge: str) -> JudgeRow:
    return next(row for row in table.rows if row.judge == judge)


def mean_score(judge: str) -> float:
    return float(np.mean([float(row(table, judge).score or 0) for table in studies()]))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in ("honest", "half")])
def test_a_strategy_gains_neither_score_nor_rank_nor_a_test(strategy: str) -> None:
    """`half` judges like `honest` and only states no probabilities, so its score is as good."""
    assert mean_score(strategy) < mean_score("honest")
    first = sum(table.ranked[0].judge == strategy for table in studies())
    assert first <= 2  # of 12; an equally good judge is first of the two in half of the studies
    verdicts = [row(table, strategy).verdict for table in studies()]
    assert "better" not in verdicts


@pytest.mark.slow
def test_silence_looks_better_only_on_what_it_answered() -> None:
    """The column on request has its coverage, and the table says what silence does to the order."""
    half = [
        (float(row(t, "silent").half_credit or 0), float(row(t, "honest").half_credit or 0))
        for t in studies()
    ]
    assert np.mean([silent > honest for silent, honest in half]) > 0.8
    coverage = row(studies()[0], "silent").coverage
    assert coverage is not None
    assert float(coverage) < 0.8


@pytest.mark.slow
def test_a_copy_of_an_annotator_is_flagged_and_not_ranked_and_nobody_else_is() -> None:
    for table in studies():
        assert row(table, "copy").copies == "person 0"
        assert "copy" not in {ranked.judge for ranked in table.ranked}
        assert row(table, "copy").difference is None
        assert all(not row(table, judge).copies for judge in STRATEGIES)


@pytest.mark.slow
def test_always_stating_a_half_gains_no_calibration() -> None:
    for table in studies():
        brier = {name: row(table, name).calibration for name in ("honest", "half")}
        assert brier["half"] is not None
        assert brier["honest"] is not None
        assert float(brier["half"].brier) == pytest.approx(0.25)
        assert float(brier["honest"].brier) < 0.25


@pytest.mark.slow
def test_one_more_person_as_a_judge_stands_among_the_people() -> None:
    """Against the majority of all three, such a judge topped every person in three of four studies."""
    tables = []
    for seed in range(40):
        votes = strategy_votes(20, people=4, seed=100 + seed)
        tables.append(compare(votes, reference=PEOPLE, judges=["person 3"]))
    above = [
        float(table.rows[0].score or 0) > max(float(person.score) for person in table.people)
        for table in tables
    ]
    gap = [
        float(table.rows[0].score or 0) - np.mean([float(person.score) for person in table.people])
        for table in tables
    ]
    assert np.mean(above) < 0.45  # chance is 1/4; sd of the share over 40 studies: .07
    assert abs(np.mean(gap)) < 2.5 * np.std(gap, ddof=1) / np.sqrt(len(gap))


def test_a_comparison_that_nobody_asked_the_judge_about_counts_like_one_it_left_out() -> None:
    pairs = [("p", "x", "y"), ("q", "x", "y")]
    votes = votes_of(
        *zip(
            *[(*pair, "human", "a") for pair in pairs],
            (*pairs[0], "asked once", "a"),
            (*pairs[0], "silent", "a"),
            (*pairs[1], "silent", ""),
            strict=True,
        )
    )
    scores = {row.judge: float(row.score or 0) for row in compare(votes, reference="human").rows}
    assert scores == {"asked once": 0.5, "silent": 0.5}


def test_probabilities_for_a_few_comparisons_are_no_calibration() -> None:
    rows: list[tuple[object, ...]] = [(f"p{n}", "x", "y", "human", "a", None) for n in range(10)]
    rows += [(f"p{n}", "x", "y", "judge", "a", 0.9 if n < 5 else None) for n in range(10)]
    prompt, a, b, who, winner, p_a = zip(*rows, strict=True)
    calibration = compare(votes_of(prompt, a, b, who, winner, p_a=p_a), reference="human").rows[0].calibration
    assert calibration is not None
    assert not calibration.brier.scored
    assert "probabilities stated for 5 of 10 comparisons" in str(calibration.brier)
