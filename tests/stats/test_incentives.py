"""No column rewards a judge for ties, flips or silence, or for preferring the artifact shown first."""

from itertools import combinations

import numpy as np
import pytest

from semiosis.stats import Estimate, JudgeRow, JudgeTable, Votes, compare, votes_of
from semiosis.tables import judge_table, to_text

WHEN_UNSURE = ("tie", "coin", "first", "silent")


def unsure_judges(orders: tuple[str, ...], prompts: int = 300, seed: int = 0) -> Votes:
    """Votes of four judges with the same evidence on some pairs. Without evidence, one ties, one tosses a
    coin, one names the artifact shown first, and one says nothing. People tie a fifth of the pairs."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, str, str, str, str]] = []
    for prompt in range(prompts):
        for a, b in combinations("uvwx", 2):
            truth = str(rng.choice(["a", "b", "tie"], p=[0.4, 0.4, 0.2]))
            evidence = "" if rng.random() < 0.5 else truth if rng.random() < 0.8 else "a"
            rows.append((f"p{prompt}", a, b, "human", truth, "ab"))
            for shown in orders:
                unsure = {"tie": "tie", "coin": str(rng.choice(["a", "b"])), "first": shown[0], "silent": ""}
                rows += [(f"p{prompt}", a, b, name, evidence or unsure[name], shown) for name in WHEN_UNSURE]
    prompt_, a_, b_, who, winner, shown_ = zip(*rows, strict=True)
    return votes_of(prompt_, a_, b_, who, winner, shown=shown_)


def value(row: JudgeRow, column: str) -> float:
    found = getattr(row, column)
    assert isinstance(found, Estimate)
    return float(found)


def by_name(table: JudgeTable) -> dict[str, JudgeRow]:
    return {row.judge: row for row in table.rows}


@pytest.mark.slow
@pytest.mark.parametrize("column", ["half_credit", "krcc", "agreement", "srcc"])
def test_naming_the_first_one_when_unsure_gains_nothing(column: str) -> None:
    votes = unsure_judges(("ab", "ba"))
    rows = by_name(compare(votes, reference="human", judges=["tie", "first"], prior=0.5, resamples=0))
    assert value(rows["first"], column) <= value(rows["tie"], column) + 1e-12
    assert value(rows["first"], "flips") > 0.3
    assert value(rows["first"], "position_bias") > 0.3


def test_in_one_order_neither_a_coin_nor_the_first_gains_half_credit_or_krcc() -> None:
    # in one order, naming the first artifact equals a coin toss: its gain is 0 on average, ± 0.02
    rows = by_name(compare(unsure_judges(("ab",)), reference="human", judges=WHEN_UNSURE[:3], resamples=0))
    for name in ("coin", "first"):
        assert value(rows[name], "half_credit") == pytest.approx(value(rows["tie"], "half_credit"), abs=0.04)
        assert value(rows[name], "krcc") < value(rows["tie"], "krcc")


@pytest.mark.slow
def test_silence_gains_nothing_next_to_the_same_judge_that_answers() -> None:
    rows = by_name(compare(unsure_judges(("ab", "ba")), reference="human", resamples=0))
    for column in ("half_credit", "krcc", "agreement"):
        assert value(rows["silent"], column) == pytest.approx(value(rows["tie"], column))
    for name in ("tie", "silent"):
        half = rows[name].half_credit
        assert half is not None
        # 0.4 of the pairs are decided by people with evidence; what the judge leaves out earns nothing
        assert half.related["over_all"] == pytest.approx(rows["tie"].half_credit.related["over_all"])  # type: ignore[union-attr]  # checked above


def test_a_prompt_that_is_tied_throughout_counts_as_zero() -> None:
    votes = votes_of(
        list("pppqqq") * 2,
        list("uvuuvu") * 2,
        list("vwwvww") * 2,
        ["human"] * 6 + ["judge"] * 6,
        [*"aaaaaa", *"aaa", "tie", "tie", "tie"],
    )
    (row,) = compare(votes, reference="human", resamples=0).rows
    assert row.half_credit is not None
    assert (float(row.half_credit), float(row.krcc)) == (0.5, 1.0)
    shown = to_text(judge_table(compare(votes, reference="human", resamples=0)))
    assert "1 of 2" in shown
    assert shown.index("half credit") < shown.index("KRCC")


def test_rows_are_in_order_of_half_credit() -> None:
    table = compare(unsure_judges(("ab",), prompts=40), reference="human", resamples=0)
    found = [float(row.half_credit) for row in table.rows if row.half_credit is not None]
    assert found == sorted(found, reverse=True)
