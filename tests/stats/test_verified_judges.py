"""Judges, crowds and critiques against a second implementation, on data with ties, gaps, uneven prompts."""

import math
from collections.abc import Hashable

import numpy as np
import pytest
from scipy import stats as scipy_stats

from semiosis import probe, stats
from semiosis.values import DataError, Unscored, UsageError
from tests.stats import second
from tests.stats.test_verified_formulas import SEEDS, same, votes

VOCABULARIES = {
    "cn": ["ink", "mist", "brush", "气韵", "留白", "void"],
    "we": ["oil", "canvas", "brush", "light"],
    "jp": ["ink", "wave", "season", "余白"],
    "kr": ["moon", "jar", "void"],
    "is": ["tile", "geometry", "light"],
    "in": ["rasa", "mudra", "season"],
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("culture", VOCABULARIES)
def test_csa_of_bilingual_critiques(seed: int, culture: str) -> None:
    rng = np.random.default_rng(seed)
    known = sorted({word for words in VOCABULARIES.values() for word in words})
    said = [str(rng.choice([*known, "elsewhere"])) for _ in range(rng.integers(1, 30))]
    found = probe.csa(", ".join(said), VOCABULARIES, culture)
    assert found == pytest.approx(second.csa(said, VOCABULARIES, culture), abs=1e-9)


def test_tier_one_from_its_parts() -> None:
    # 3 of 4 dimensions on levels 1, 3 and 5; 3 sentences; "voids" is another word than "void"
    critique = "Ink upon ink! The voids stay, 留白. Its rasa is calm…"
    keywords = {"CN_L1_D1": ["ink"], "CN_L3_D1": ["空", "留白"], "CN_L4_D1": ["void"], "CN_L5_D1": ["Rasa"]}
    found = probe.tier_one(critique, keywords, VOCABULARIES, "cn")
    assert isinstance(found, probe.TierOne)
    aligned = second.csa(["ink", "ink", "留白", "rasa"], VOCABULARIES, "cn")
    quality = len(critique) / 2000 * 3 / 6
    parts = (3 / 4, aligned, (1 + 3 + 5) / 15, quality)
    assert (found.dcr, found.csa, found.cds, found.lqs) == pytest.approx(parts, abs=1e-9)
    assert found.score == pytest.approx(1 + sum(parts), abs=1e-9)  # four parts, each 1 + 4·m, over four


def test_decisive_pairs_lie_outside_a_closed_range() -> None:
    shares = [k / 20 for k in range(21)]
    assert probe.is_decisive(shares) == [k < 6 or k > 14 for k in range(21)]
    assert probe.is_decisive([float("nan"), 0.1]) == [False, True]


@pytest.mark.parametrize("seed", SEEDS)
def test_quality_control(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prompts = [f"p{p}" for p in range(12) for _ in range(rng.integers(2, 9))]
    choices: list[second.Winner] = ["a", "b", "tie", None]
    rows = [[choices[i] for i in rng.choice(4, 15, p=rng.dirichlet([1, 1, 0.3, 0.3]))] for _ in prompts]
    rows[0] = [None] * 15
    found = stats.quality_control([["" if v is None else v for v in row] for row in rows], prompts)
    assert list(found.kept) == second.kept_tasks(rows, prompts)
    assert found.n_unvoted == sum(all(vote is None for vote in row) for row in rows)
    assert found.n_thin == sum(sum(vote is not None for vote in row) < 13 for row in rows)
    assert len(found.kept) - sum(found.kept) == found.n_unreliable + found.n_sparse + found.n_unvoted


def test_quality_control_keeps_exactly_three_in_five() -> None:
    three_in_five, one_in_two = ["a"] * 9 + ["b"] * 6, ["a"] * 7 + ["b"] * 7 + [""]
    found = stats.quality_control([three_in_five] * 4 + [one_in_two] + [three_in_five] * 3, list("ppppqqqq"))
    assert found.kept == (True,) * 4 + (False,) * 4
    assert (found.n_unreliable, found.n_sparse, found.prompts_dropped) == (1, 3, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_compare_judges_on_all_comparisons_with_a_reference(seed: int) -> None:
    from scipy.stats import ttest_rel
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

    prompts, truth, first = votes(seed)
    other = [*votes(seed + 100)[2], *first][: len(first)]
    earned: dict[str, list[list[float]]] = {"score": [], "agreement": []}
    for said in (first, other):
        by_prompt: dict[Hashable, list[tuple[float, float]]] = {}
        for prompt, winner, answer in zip(prompts, truth, said, strict=True):
            if winner is not None:
                decided = winner in ("a", "b") and answer in ("a", "b")
                credit = (1.0 if winner == answer else -1.0) if decided else 0.0
                by_prompt.setdefault(prompt, []).append((credit, float(winner == answer)))
        for place, name in enumerate(("score", "agreement")):
            earned[name].append([second.mean([v[place] for v in each]) or 0.0 for each in by_prompt.values()])
    for name, (ours, theirs) in earned.items():
        found = stats.compare_judges(truth, first, other, prompts, statistic=name)  # type: ignore[arg-type]  # a name
        same(found, (second.mean(ours) or 0) - (second.mean(theirs) or 0))
        assert found.n == sum(winner is not None for winner in truth)
        if found.p is not None:
            assert found.p == pytest.approx(ttest_rel(ours, theirs).pvalue, abs=1e-9)
        right = [
            [a == b for a, b in zip(truth, said, strict=True) if a is not None] for said in (first, other)
        ]
        table = [
            [sum(a is x and b is y for a, b in zip(*right, strict=True)) for y in (True, False)]
            for x in (True, False)
        ]
        p = found.related["mcnemar_p_pair_level"]
        assert p == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_a_culture_gap_approaches_the_exact_p(far: float) -> None:
    x, y = [3.1, 2.4, 3.9, 2.8, 3.3, 2.4], [3.6, 4.1, 3.9, 4.4, 3.0]
    exact = second.exact_group_p(x, y)
    found = probe.culture_gap(
        [v + far for v in x],
        [v + far for v in y],
        x_items=range(6),
        y_items=range(5),
        resamples=0,
        permutations=40_000,
    )
    assert found.p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 40_000))
    # Student's t with pooled variance is d/√(1/6 + 1/5)
    d = float(scipy_stats.ttest_ind(x, y).statistic * math.sqrt(1 / 6 + 1 / 5))
    assert found.related["cohen_d"] == pytest.approx(d, abs=1e-9 if far == 0 else 1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_literal_gap_and_its_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    photo, icon = (rng.uniform(0, 1, (2, 25)).round(1) for _ in range(2))
    photo[0, 3] = np.nan
    bias = [float(a - b) for a, b in zip(*photo, strict=True) if not math.isnan(a)]
    found = probe.gap(photo[0], photo[1], resamples=0)
    size = [abs(b) for b in bias]
    same(found.mean, sum(size) / 24)
    same(found.sd, math.sqrt(sum((s - sum(size) / 24) ** 2 for s in size) / 23))
    same(found.median_bias, (sorted(bias)[11] + sorted(bias)[12]) / 2)
    same(found.literal_share, sum(b > 0 for b in bias) / 24)
    sides = [probe.alignment_gap(*side) for side in (photo, icon)]
    test = stats.wilcoxon(sides[0], sides[1])
    judge = scipy_stats.wilcoxon(np.delete(sides[0], 3), np.delete(sides[1], 3))
    same(test, float(judge.statistic))
    assert test.p == pytest.approx(float(judge.pvalue), abs=1e-9)
    assert (test.n, test.n_unscored) == (24, 1)


def test_undefined_results_are_unscored() -> None:
    assert isinstance(probe.preference_correlation([1, 1, 1], [0, 1, 2], [0, 1], [1, 2]).value, Unscored)
    assert isinstance(probe.mean_over_tasks(), Unscored)
    assert isinstance(probe.csa("ink", {"cn": "", "we": "oil"}, "cn"), Unscored)
    assert (stats.fleiss_kappa([]).n, stats.fleiss_kappa([]).n_unscored) == (0, 0)
    assert stats.icc21([]).n == 0
    assert str(probe.gap([], [])) == "Δ unscored (no item with both scores), n = 0, family: unnamed"


def test_agreement_must_be_0_or_1() -> None:
    with pytest.raises(DataError, match="neither 0 nor 1"):
        stats.iconicity_gap([1, 2, 3], [1, 0, 0.5], unit="pair")
    with pytest.raises(UsageError, match="cannot be paired"):
        probe.random_pairings(1, rounds=4)
