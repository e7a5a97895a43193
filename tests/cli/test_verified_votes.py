"""Every number that `semiosis stats votes.csv --json` prints, computed from the file a second time."""

import csv
import json
import math
import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.stats import second

Pair = tuple[str, str, str]
Row = tuple[str, str, str, str, second.Winner, int, str]
"""Prompt, a, b, evaluator, winner, repeat, order shown."""

SWAP = {"a": "b", "b": "a", "ab": "ba", "ba": "ab"}


def table(seed: int, *, both_orders: bool) -> list[Row]:
    """Return a table with uneven prompts, ties, gaps, and pairs named in both orders."""
    rng = random.Random(seed)
    words: list[second.Winner] = ["a", "b", "tie", None]
    rows: list[Row] = []
    for prompt in range(20):
        pairs = list(combinations(rng.sample([f"g{i}" for i in range(5)], 4), 2))
        for a, b in pairs[: rng.randint(1, 6)]:
            truth = rng.choices(words, [5, 4, 1, 0.5])[0]
            rows.append((f"p{prompt}", a, b, "human", truth, 0, "ab"))
            for judge in ("good", "weak"):
                for repeat in (0, 1) if both_orders else (0,):
                    for shown in ("ab", "ba") if both_orders else ("ab",):
                        sure = rng.random() < (0.8 if judge == "good" else 0.5)
                        winner = truth if sure else rng.choices(words, [5, 5, 1, 0.4])[0]
                        rows.append((f"p{prompt}", a, b, judge, winner, repeat, shown))
    return rows


OPPOSITE: dict[frozenset[second.Winner], str] = {frozenset({"a", "b"}): "flip"}


def turned(row: Row) -> Row:
    """Return the same verdict with a and b exchanged."""
    prompt, a, b, evaluator, winner, repeat, shown = row
    return prompt, b, a, evaluator, SWAP.get(str(winner), winner), repeat, SWAP[shown]


def resolved(rows: list[Row], evaluator: str, repeat: int) -> dict[Pair, second.Winner]:
    """Return the outcome of both orders: opposite winners are a flip, and a gap leaves the pair unscored."""
    winners: dict[Pair, list[second.Winner]] = {}
    for prompt, a, b, who, winner, when, _ in rows:
        if (who, when) == (evaluator, repeat):
            winners.setdefault((prompt, a, b), []).append(winner)
    return {
        pair: None
        if None in both
        else both[0]
        if len(set(both)) == 1
        else OPPOSITE.get(frozenset(both), "tie")
        for pair, both in winners.items()
    }


class ByHand:
    """One judge's row."""

    def __init__(self, rows: list[Row], judge: str) -> None:
        self.truth = {pair: w for pair, w in resolved(rows, "human", 0).items() if w is not None}
        self.repeats = sorted({row[5] for row in rows if row[3] == judge})
        self.winners = [resolved(rows, judge, repeat) for repeat in self.repeats]
        self.pairs = list(self.truth)

    def score(self) -> float:
        """Right +1, wrong −1, all else 0; mean over repeats, then in each prompt, then over prompts."""
        by_prompt: dict[str, list[float]] = {}
        for pair, truth in self.truth.items():
            earned = [
                0.0 if {truth, w.get(pair)} - {"a", "b"} else 1.0 if w[pair] == truth else -1.0
                for w in self.winners
            ]
            by_prompt.setdefault(pair[0], []).append(math.fsum(earned) / len(earned))
        return math.fsum(math.fsum(v) / len(v) for v in by_prompt.values()) / len(by_prompt)

    def mean_over_prompts(self, of: Any, pairs: list[Pair]) -> float:
        values = []
        for winners in self.winners:
            grouped = second.by_prompt(
                [self.truth[p] for p in pairs], [winners.get(p) for p in pairs], [p[0] for p in pairs]
            )
            values.append(second.mean([of(part) for part in grouped.values()]))
        found = second.mean(values)
        assert found is not None
        return found

    def agreement(self) -> float:
        values = []
        for winners in self.winners:
            judged = [p for p in self.pairs if winners.get(p) is not None]
            values.append(sum(winners[p] == self.truth[p] for p in judged) / len(judged))
        return math.fsum(values) / len(values)

    def generators(self) -> tuple[float, float]:
        srcc, ccc = [], []
        for winners in self.winners:
            rated = []
            for side in (self.truth, winners):
                played = [(p[1], p[2], side[p]) for p in self.pairs if winners.get(p) is not None]
                rated.append(second.bradley_terry(second.wins(played)[1]).tolist())
            ranks = [second.midranks([round(score, 6) for score in side]) for side in rated]
            srcc.append(second.pearson(*ranks))
            ccc.append(second.ccc(*rated))
        return math.fsum(srcc) / len(srcc), math.fsum(ccc) / len(ccc)


def check(found: dict[str, Any], hand: ByHand) -> None:
    everything = list(hand.truth)
    assert found["krcc"]["value"] == pytest.approx(hand.mean_over_prompts(second.tau_b, hand.pairs), abs=1e-9)
    half = hand.mean_over_prompts(second.half_credit, hand.pairs)
    assert found["half_credit"]["value"] == pytest.approx(half, abs=1e-9)
    assert found["score"]["value"] == pytest.approx(hand.score(), abs=1e-9)
    assert found["agreement"]["value"] == pytest.approx(hand.agreement(), abs=1e-9)
    srcc, ccc = hand.generators()
    assert found["srcc"]["value"] == pytest.approx(srcc, abs=1e-9)
    assert found["ccc"]["value"] == pytest.approx(ccc, abs=1e-9)
    judged = {p for p in hand.pairs if any(winners.get(p) is not None for winners in hand.winners)}
    gaps = {p for p in everything if any(winners.get(p) is None for winners in hand.winners)}
    assert (found["krcc"]["n"], found["krcc"]["n_unscored"]) == (len(judged), len(gaps))
    assert (found["srcc"]["n"], found["srcc"]["n_unscored"]) == (len(judged), len(gaps))
    sizes = Counter(p[0] for p in judged)
    prompts = {p[0] for p in everything}
    related = found["krcc"]["related"]
    assert related["prompts"] + related["prompts_unscored"] == len(prompts)
    assert related["pairs_per_prompt_min"] == min(sizes.get(p, 0) for p in prompts)
    scored = sum(winners.get(p) is not None for winners in hand.winners for p in everything)
    assert found["coverage"]["value"] == pytest.approx(
        scored / (len(everything) * len(hand.winners)), abs=1e-9
    )


def flips_by_hand(rows: list[Row], judge: str) -> float:
    by_order: dict[tuple[Pair, int], list[second.Winner]] = {}
    for prompt, a, b, who, winner, repeat, _ in rows:
        if who == judge:
            by_order.setdefault(((prompt, a, b), repeat), []).append(winner)
    both = [winners for winners in by_order.values() if len(winners) == 2 and None not in winners]
    return sum(set(winners) == {"a", "b"} for winners in both) / len(both)


@pytest.mark.parametrize("seed", range(3))
def test_wide(run: Run, tmp_path: Path, seed: int) -> None:
    rows = table(seed, both_orders=False)
    file = tmp_path / "votes.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["Motif", "left one", "right one", "human", "good", "weak"])
        for start in range(0, len(rows), 3):
            prompt, a, b = rows[start][:3]
            writer.writerow([prompt, a, b, *(row[4] or "" for row in rows[start : start + 3])])
    names = [
        word for column in ("prompt=Motif", "a=left one", "b=right one") for word in ("--column", column)
    ]
    ran = run("stats", file, "--reference", "human", "--json", *names)
    found = json.loads(ran.out)
    for row in found["rows"]:
        check(row, ByHand(rows, row["judge"]))


@pytest.mark.parametrize("seed", range(3))
def test_long_with_orders_repeats_and_turned_pairs(run: Run, tmp_path: Path, seed: int) -> None:
    rows = table(seed, both_orders=True)
    rng = random.Random(seed)
    written = [turned(row) if row[3] != "human" and rng.random() < 0.4 else row for row in rows]
    rest = [row for row in written if row[3] != "human"]
    rng.shuffle(rest)
    file = tmp_path / "votes.csv"
    with file.open("w", encoding="utf-8-sig", newline="") as out:  # a byte order mark, semicolons and CRLF
        writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
        writer.writerow(["prompt", "a", "b", "evaluator", "winner", "repeat", "shown"])
        writer.writerows([*(row for row in written if row[3] == "human"), *rest])
    ran = run("stats", file, "--reference", "human", "--json")
    found = json.loads(ran.out)
    assert found["n_reference"] == sum(row[3] == "human" and row[4] is not None for row in rows)
    for row in found["rows"]:
        check(row, ByHand(rows, row["judge"]))
        assert row["flips"]["value"] == pytest.approx(flips_by_hand(rows, row["judge"]), abs=1e-9)
        decided = [r for r in rows if r[3] == row["judge"] and r[4] in ("a", "b")]
        first = sum(r[4] == r[6][0] for r in decided) / len(decided)
        assert row["position_bias"]["related"]["first"] == pytest.approx(first, abs=1e-9)
