"""Stated probabilities in a CSV file of votes."""

from pathlib import Path

import pytest

from semiosis.stats import compare
from semiosis.study import read_votes
from semiosis.tables import judge_table
from semiosis.values import DataError

HEAD = "prompt,a,b,evaluator,winner,p_a\n"


def test_stated_probabilities_are_read_and_calibrated(tmp_path: Path) -> None:
    pairs = [("p", "x", "y"), ("p", "x", "z"), ("q", "y", "x"), ("q", "z", "y")]
    human = [",".join([*pair, "human", "a", ""]) for pair in pairs]
    judge = [
        ",".join([*pair, "judge", "a", p]) for pair, p in zip(pairs, ("0.9", "1", "0.6", "0.8"), strict=True)
    ]
    file = tmp_path / "votes.csv"
    file.write_text(HEAD + "\n".join([*human, *judge]) + "\n")
    table = compare(read_votes(file).votes, reference="human")
    calibration = table.rows[0].calibration
    assert calibration is not None
    assert float(calibration.brier) == pytest.approx((0.01 + 0 + 0.16 + 0.04) / 4)
    assert {"brier", "ece"} <= set(judge_table(table, ["brier", "ece"]).columns)


@pytest.mark.parametrize("stated", ["85", "-0.1", "likely", "nan", "0_1"])
def test_an_invalid_probability_is_named_by_its_line(tmp_path: Path, stated: str) -> None:
    file = tmp_path / "votes.csv"
    file.write_text(HEAD + f"p,x,y,judge,a,{stated}\n")
    with pytest.raises(DataError, match=f"line 2: p_a '{stated}' is not a probability from 0 to 1"):
        read_votes(file)
