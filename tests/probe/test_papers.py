"""The worked examples and published numbers of DIVA, AIGI-VC, VULCA and SemVarBench."""

import numpy as np
import pytest
from scipy import special
from scipy import stats as scipy_stats

from semiosis.probe import (
    ASPECTS,
    CRITIQUES,
    GAPS,
    PREFERENCES,
    VARIATIONS,
    TierOne,
    alignment_gap,
    cds,
    choice_score,
    confidence_score,
    cosine_score,
    count_sentences,
    covered_dimensions,
    csa,
    culture_gap,
    dcr,
    fit_logistic,
    gap,
    human_gap,
    interpret_kappa,
    is_decisive,
    level_of,
    literal_bias,
    lqs,
    mean_over_tasks,
    open_score,
    order_consistency,
    preference_accuracy,
    preference_correlation,
    random_pairings,
    rescale,
    semvar,
    summarise_variation,
    textual_variation,
    tier_one,
    tier_two,
    tokens,
    training_pairs,
    variation_table,
)
from semiosis.stats import ABLATION, Estimate, Interval
from semiosis.values import DataError, Unscored, UsageError

SAMPLES = {
    # figures 19, 20 and 25: aa vv ii va av ia ai → S̄ γ_w γ_wo κ
    "19a": ((0.98, 0.95, 0.98, 0.45, 0.55, 0.98, 0.95), (0.97, 0.93, 0.03, 0.90)),
    "19b": ((0.96, 0.82, 1.00, 0.35, 0.65, 1.00, 1.00), (0.93, 0.78, 0.04, 0.74)),
    "19c": ((0.93, 0.95, 0.98, 0.55, 0.59, 0.95, 0.98), (0.95, 0.74, 0.08, 0.66)),
    "20a": ((0.95, 0.94, 1.00, 0.66, 0.55, 0.95, 0.95), (0.96, 0.68, 0.05, 0.63)),
    "20b": ((0.93, 0.75, 0.93, 0.65, 0.33, 1.00, 0.95), (0.87, 0.70, 0.09, 0.61)),
    "25a": ((0.65, 0.45, 1.00, 0.35, 0.45, 0.30, 0.95), (0.70, 0.30, 1.00, -0.70)),
    "25b": ((0.95, 0.40, 0.30, 1.00, 1.00, 1.00, 0.60), (0.55, 0.65, 1.05, -0.40)),
    "25c": ((0.55, 0.98, 0.10, 0.80, 0.93, 0.55, 0.00), (0.54, 0.56, 1.00, -0.44)),
}
NAMES = ("aa", "vv", "ii", "va", "av", "ia", "ai")


def columns(*keys: str) -> dict[str, list[float]]:
    """The scores of some samples, by name."""
    return {name: [SAMPLES[key][0][place] for key in keys] for place, name in enumerate(NAMES)}


# DIVA


def test_night_owl() -> None:
    assert float(literal_bias(0.92, 0.55)) == pytest.approx(0.37)
    assert float(alignment_gap(0.92, 0.55)) == pytest.approx(0.37)
    assert float(alignment_gap(0.68, 0.61)) == pytest.approx(0.07)


def test_gap_by_hand() -> None:
    # b = 0.2, −0.1, 0.3, missing: Δ mean 0.2, SD (n − 1) of 0.2 0.1 0.3 = 0.1, median b 0.2, two of three > 0
    found = gap([0.9, 0.4, 0.8, None], [0.7, 0.5, 0.5, 0.1], family="cosine")
    assert float(found.mean) == pytest.approx(0.2)
    assert found.sd == pytest.approx(0.1)
    assert found.median_bias == pytest.approx(0.2)
    assert found.mean_bias == pytest.approx(0.4 / 3)
    assert found.literal_share == pytest.approx(2 / 3)
    assert (found.n, found.n_unscored) == (3, 1)
    assert "cosine" in str(found)
    nothing = gap([None], [0.1], resamples=0)
    assert isinstance(nothing.mean.value, Unscored)
    assert isinstance(nothing.sd, Unscored)
    assert isinstance(gap([0.1, 0.2], [0.2, 0.3], prompts=["p", "q"]).mean.interval, Unscored)
    six = gap(np.arange(6) / 10, [0.2] * 6, prompts=list("pqrstu"))
    assert isinstance(six.mean.interval, Interval)


def test_scorers() -> None:
    assert float(cosine_score([1.0, 0.0], [1.0, 1.0])) == pytest.approx(np.sqrt(0.5))
    assert float(open_score(2.0, 0.0)) == pytest.approx(np.exp(2) / (np.exp(2) + 1))
    assert confidence_score([0, 50, 100]).tolist() == [0, 0.5, 1]
    with pytest.raises(DataError, match="outside 0 to 100"):
        confidence_score([101])
    assert choice_score([[1, 0], [1, 1]]).tolist() == [0.5, 1]
    assert human_gap([[5, 4, 3]], [[1, 2, 3]]).tolist() == [2]


# AIGI-VC


def test_preference_accuracy_and_consistency_by_hand() -> None:
    found = preference_accuracy([0.9, 0.4, 0.5, 0.8], [1, 0, 1, None], resamples=0)
    # people are evenly divided on the third, which is left out; the fourth is unscored
    assert float(found) == 1
    assert found.related["over_all"] == pytest.approx(2 / 3)
    consistent = order_consistency([1, 0, 1, None], [0, 0, 0, 1])
    assert float(consistent) == pytest.approx(2 / 3)
    assert consistent.bounds == pytest.approx((0.5, 0.75))
    assert isinstance(order_consistency([], []).value, Unscored)
    assert is_decisive([0.29, 0.3, 0.7, 0.71]) == [True, False, False, True]


def test_overall_is_the_plain_mean_of_the_tasks() -> None:
    assert mean_over_tasks(0.8395, 0.6755) == pytest.approx(0.7575)
    unscored = Estimate(name="α", value=Unscored(reason="undefined"), n=0)
    assert isinstance(mean_over_tasks(0.5, unscored), Unscored)
    assert mean_over_tasks(Estimate(name="α", value=0.5, n=1), 0.7) == pytest.approx(0.6)


def test_preference_correlation_of_a_perfect_scorer() -> None:
    q = np.linspace(-1, 1, 9)
    first, second = np.triu_indices(9, 1)
    # any rising logistic function of q is inverted exactly
    warped = special.expit(1.5 * q) * 7 + 3
    found = preference_correlation(q, q, first.tolist(), second.tolist())
    assert float(found) > 0.999
    straight = preference_correlation(warped, warped, first.tolist(), second.tolist(), fit="none")
    assert float(straight) == pytest.approx(1)
    human = special.ndtr(q[first] - q[second])
    given_ = preference_correlation(q, q, first.tolist(), second.tolist(), human, fit="none")
    assert float(given_) == pytest.approx(1)


def test_a_scorer_that_prefers_the_worse_is_not_reversed() -> None:
    q = np.linspace(-1, 1, 9)
    first, second = np.triu_indices(9, 1)
    found = preference_correlation(-q, q, first.tolist(), second.tolist())
    assert isinstance(found.value, Unscored) or found.value < 0.5
    assert fit_logistic(-q, q).rise == pytest.approx(0, abs=1e-6)
    with pytest.raises(DataError, match="2 different"):
        fit_logistic([1, 1], [0, 1])


def test_random_pairings_use_every_item_in_every_round() -> None:
    pairs = random_pairings(5, rounds=4, seed=1)
    assert len(pairs) == 12
    assert all(i != j for i, j in pairs)
    assert {item for pair in pairs[:3] for item in pair} == set(range(5))


# VULCA


def test_tier_one_parts_by_hand() -> None:
    assert dcr(30, 30) == 1
    assert cds(range(1, 6)) == pytest.approx(1)
    assert cds([3, 3]) == pytest.approx(0.2)
    assert lqs(4000, 9) == pytest.approx(0.75)
    assert rescale(-1) == 1
    with pytest.raises(DataError):
        dcr(31, 30)
    with pytest.raises(DataError):
        cds([6])


@pytest.mark.slow
def test_csa_equals_scikit_learns_tf_idf_cosine() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vocabularies = {
        "cn": "ink wash brush mist mountain void",
        "we": "oil canvas perspective brush light",
        "jp": "ink woodblock wave season",
    }
    critique = "The ink wash leaves a void; the brush follows mountain and mist, ink upon ink."
    vectoriser = TfidfVectorizer(token_pattern=r"(?u)\b\w\w+\b").fit(vocabularies.values())
    said, own = (
        vectoriser.transform([critique]).toarray()[0],
        vectoriser.transform([vocabularies["cn"]]).toarray()[0],
    )
    assert csa(critique, vocabularies, "cn") == pytest.approx(float(said @ own), abs=1e-9)
    assert csa("nothing of the kind", vocabularies, "cn") == 0
    assert isinstance(csa(" … ", vocabularies, "cn"), Unscored)
    with pytest.raises(DataError, match="no vocabulary"):
        csa("x", vocabularies, "xx")


def test_chinese_text_is_counted() -> None:
    assert tokens("气韵生动") == ["气韵", "韵生", "生动"]
    assert csa("气韵生动的山水", {"cn": ["气韵生动", "山水"], "we": ["透视"]}, "cn") != 0
    assert count_sentences("气韵生动。山水！") == 2
    assert covered_dimensions("A void, 留白.", {"CN_L1_D1": ["留白"], "CN_L2_D1": ["avoid"]}) == ["CN_L1_D1"]
    assert level_of("IN_L5_D3") == 5
    with pytest.raises(DataError, match="does not name its level"):
        level_of("IN-5-3")


def test_tier_one_is_the_mean_of_the_rescaled_indicators() -> None:
    keywords = {"CN_L1_D1": ["ink"], "CN_L3_D1": ["purity"], "CN_L5_D1": ["dao", "道"]}
    vocabularies = {"cn": "ink purity dao", "we": "oil"}
    found = tier_one("Ink and purity. It flows.", keywords, vocabularies, "cn")
    assert isinstance(found, TierOne)
    assert (found.dcr, found.cds) == pytest.approx((2 / 3, 4 / 15))
    assert found.lqs == pytest.approx(25 / 2000 * 2 / 5)
    assert found.score == pytest.approx(
        np.mean([1 + 4 * m for m in (found.dcr, found.csa, found.cds, found.lqs)])
    )
    assert str(found).startswith("S_I")
    assert isinstance(tier_one("", keywords, vocabularies, "cn"), Unscored)


def test_tier_two_fills_in_no_missing_score() -> None:
    assert float(tier_two({"coverage": 5, "alignment": 4, "depth": 3, "accuracy": 4, "quality": 4})) == 4
    found = tier_two([5, 4, None, 4, 4])
    assert isinstance(found.value, Unscored)
    assert "depth" in found.value.detail
    with pytest.raises(DataError, match="there are 2 scores"):
        tier_two([1, 2])
    with pytest.raises(DataError, match="outside 1 to 5"):
        tier_two([1, 2, 0, 4, 5])


def test_culture_gap_by_hand_and_by_artwork() -> None:
    rng = np.random.default_rng(0)
    works = np.repeat(np.arange(20), 6)
    x = 3.4 + rng.normal(0, 0.3, 20)[works] + rng.normal(0, 0.2, 120)
    y = 3.8 + rng.normal(0, 0.3, 20)[works] + rng.normal(0, 0.2, 120)
    each = range(120)
    alone = culture_gap(x, y, x_items=each, y_items=each)
    by_work = culture_gap(x, y, x_items=works, y_items=works)
    assert [float(alone), float(by_work)] == pytest.approx([x.mean() - y.mean()] * 2)
    assert isinstance(alone.interval, Interval)
    assert isinstance(by_work.interval, Interval)
    assert by_work.interval.high - by_work.interval.low > 1.5 * (alone.interval.high - alone.interval.low)
    assert by_work.p is not None
    assert by_work.p < 0.05
    assert isinstance(culture_gap([], [1.0], x_items=[], y_items=[1]).value, Unscored)
    few = culture_gap([1.0], [2.0, 3.0], x_items=[1], y_items=[2, 3])
    assert isinstance(few.interval, Unscored)
    assert few.p is None
    with pytest.raises(UsageError, match="the artwork of each score"):
        culture_gap([1.0, 2.0], [2.0, 3.0])


@pytest.mark.slow
@pytest.mark.parametrize(("works", "spread"), [((8, 16), (2.0, 1.0)), ((10, 10), (1.0, 1.0))])
def test_the_culture_gap_holds_its_level(works: tuple[int, int], spread: tuple[float, float]) -> None:
    """No gap, the smaller group spread twice as wide, four scores per artwork: p < .05 in 5% of samples."""
    rng = np.random.default_rng(5)
    alarms = 0
    for seed in range(300):
        x, y = (
            np.repeat(rng.normal(0, sd, n), 4) + rng.normal(0, 0.5, 4 * n)
            for n, sd in zip(works, spread, strict=True)
        )
        items = [np.repeat(range(n), 4) for n in works]
        p = culture_gap(x, y, x_items=items[0], y_items=items[1], resamples=0, permutations=200, seed=seed).p
        alarms += p is not None and p < 0.05
    assert alarms <= 300 * 0.05 + 2.6 * np.sqrt(300 * 0.05 * 0.95)


# SemVarBench


@pytest.mark.parametrize("key", SAMPLES)
def test_semvar_reproduces_the_figures(key: str) -> None:
    found = semvar(**columns(key))
    values = (found.alignment, found.gamma_w, found.gamma_wo, found.kappa)
    assert [float(value[0]) for value in values] == pytest.approx(SAMPLES[key][1], abs=0.0051)


def test_training_pairs_of_the_paper() -> None:
    scores = columns("19a", "19b", "19c", "20a", "20b")
    chosen = training_pairs(aa=scores["aa"], vv=scores["vv"], va=scores["va"], av=scores["av"])
    assert chosen == [False, False, True, False, False]
    assert training_pairs(aa=[0.9], vv=[float("nan")], va=[0.1], av=[0.1]) == [False]


def test_textual_variation_and_interpretation() -> None:
    assert float(textual_variation(aa=0.9, pp=0.7, ap=0.2, pa=0.4)) == pytest.approx(1.0)
    assert [interpret_kappa(k) for k in (0.51, 0.5, 0.01, 0.0)] == [
        "sensitive",
        "insensitive",
        "insensitive",
        "random",
    ]


def test_categories_and_aspects() -> None:
    found = semvar(**columns("19a", "19b", "25a"))
    table = variation_table(found, ["color", ["color", "size"], "size"], resamples=200)
    # color: (.90 + .74)/2, size: (.74 − .70)/2; each aspect has one category here
    assert float(table.categories["color"].kappa) == pytest.approx(0.82)
    assert float(table.categories["size"].kappa) == pytest.approx(0.02)
    assert table.aspects["attribute value"]["kappa"] == pytest.approx(0.82)
    assert isinstance(table.aspects["relation"]["kappa"], Unscored)
    assert float(table.overall.kappa) == pytest.approx((0.9 + 0.74 - 0.7) / 3)
    assert sum(len(names) for names in ASPECTS.values()) == 20
    with pytest.raises(DataError):
        variation_table(found, ["color"])


def test_aspect_means_do_not_weigh_categories_by_their_size() -> None:
    found = semvar(**columns("19a", "19a", "19a", "25a"))
    table = variation_table(found, ["color", "color", "color", "shape"], resamples=0)
    assert table.aspects["attribute value"]["kappa"] == pytest.approx((0.9 - 0.7) / 2)


def test_a_sample_without_all_scores_is_unscored() -> None:
    scores = columns("19a", "19b")
    scores["ai"][1] = float("nan")
    summary = summarise_variation(semvar(**scores), resamples=0)
    assert (summary.kappa.n, summary.kappa.n_unscored, summary.gamma_w.n) == (1, 1, 2)
    assert str(summary).startswith("κ")


# the published tables, as data


def test_published_tables_are_complete() -> None:
    assert [len(rows) for rows in (ABLATION, GAPS, PREFERENCES, CRITIQUES, VARIATIONS)] == [9, 8, 7, 15, 13]
    assert [row.krcc for row in ABLATION if row.hsg == "none"] == [0.48, -0.04, 0.28]
    # κ is γ_w − γ_wo up to rounding of each
    assert all(abs(row.gamma_w - row.gamma_wo - row.kappa) < 0.0151 for row in VARIATIONS)
    assert all(row.source for row in (*ABLATION, *GAPS, *PREFERENCES, *VARIATIONS))


def test_the_interval_of_the_culture_gap_equals_welchs_when_each_artwork_has_one_score() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(0, 1, 8), rng.normal(1, 3, 15)
    found = culture_gap(x, y, x_items=range(8), y_items=range(15), permutations=0).interval
    expected = scipy_stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.95)
    assert isinstance(found, Interval)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.slow
def test_the_interval_of_the_culture_gap_covers_the_true_difference() -> None:
    rng = np.random.default_rng(4)
    inside = 0
    for _ in range(300):  # three scores for each artwork; the smaller group is more spread out
        x, y = np.repeat(rng.normal(0, 2, 8), 3), np.repeat(rng.normal(0, 1, 20), 3)
        works = (np.repeat(range(8), 3), np.repeat(range(20), 3))
        found = culture_gap(x, y, x_items=works[0], y_items=works[1], permutations=0, resamples=10).interval
        inside += isinstance(found, Interval) and found.low <= 0 <= found.high
    assert 0.92 <= inside / 300 <= 0.98
