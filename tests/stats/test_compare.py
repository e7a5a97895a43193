"""The table of judges: the numbers that a user reads from it, and the functions that they come from."""

import json

import numpy as np
import pytest

from semiosis.stats import (
    AblationSetting,
    Votes,
    ablation,
    agreement,
    as_json,
    compare,
    compare_judges,
    elo,
    generator_agreement,
    half_credit,
    iconicity_bias,
    iconicity_gap,
    krcc,
    outcomes_of,
    score,
    votes_of,
    votes_of_verdicts,
)
from semiosis.tables import ablation_table, bias_table, judge_table, to_csv, to_latex, to_markdown, to_text
from semiosis.values import (
    Answer,
    Comparison,
    Evaluator,
    Observation,
    Question,
    Rating,
    TextSign,
    Unscored,
    UsageError,
    Verdict,
    outcomes,
    text,
)
from tests.stats.simulated import simulated_votes


def words(codes: np.ndarray) -> list[str]:
    return ["" if np.isnan(code) else {1.0: "a", -1.0: "b", 0.0: "tie"}[float(code)] for code in codes]


def settled(votes: Votes, name: str, repeat: int = 0) -> np.ndarray:
    """The outcomes of one evaluator as words: a, b, tie, flip or nothing."""
    found = outcomes_of(votes, name)
    return np.where(found.flip[repeat], "flip", words(found.winner[repeat]))


def test_a_row_is_the_plain_functions_on_what_the_judge_answered() -> None:
    votes = simulated_votes(judges=("good", "weak"), missing=0.03)
    row = compare(votes, reference="human", seed=7).rows[0]
    truth, good = (settled(votes, name) for name in ("human", "good"))
    assert row.judge == "good"
    assert row.score is not None
    whole = score(truth, good, votes.prompt)
    assert (row.score.value, row.score.interval) == (whole.value, whole.interval)
    alone = krcc(truth, good, votes.prompt, resamples=300)
    assert row.krcc.value == pytest.approx(float(alone), abs=1e-12)
    for name in ("pair_weighted", "prompts", "prompts_unscored", "pairs_per_prompt_min"):
        assert row.krcc.related[name] == pytest.approx(alone.related[name])
    assert row.krcc.n == int((good != "").sum())
    assert row.krcc.n_unscored == int((good == "").sum())
    assert row.krcc.bounds == pytest.approx(alone.bounds)
    assert row.half_credit is not None
    assert float(row.half_credit) == pytest.approx(float(half_credit(truth, good, votes.prompt, resamples=0)))
    assert row.agreement is not None
    assert row.agreement.value == agreement(truth, good, resamples=0).value
    both = generator_agreement(votes.a, votes.b, truth, good)
    assert row.srcc is not None
    assert row.srcc.value == pytest.approx(both.srcc.value)
    assert row.alike is not None
    assert row.alike.value == both.alike.value


def test_repeats_are_averaged_with_their_spread() -> None:
    votes = simulated_votes(judges=("weak",), repeats=3)
    table = compare(votes, reference="human")
    truth = settled(votes, "human")
    each = [
        float(krcc(truth, settled(votes, "weak", repeat), votes.prompt, resamples=0)) for repeat in range(3)
    ]
    row = table.rows[0]
    assert row.repeats == 3
    assert float(row.krcc) == pytest.approx(np.mean(each))
    assert row.krcc.related["spread_over_repeats"] == pytest.approx(np.std(each, ddof=1))
    assert row.score is not None
    assert "spread_over_repeats" in row.score.related
    assert "±" in to_text(judge_table(table))


def test_flips_and_position_bias_are_seen() -> None:
    # shown as a, b it says a; shown as b, a it says b: always the first
    prompts = [f"p{i}" for i in range(6)]
    votes = votes_of(
        prompts * 3,
        ["x"] * 18,
        ["y"] * 18,
        ["human"] * 6 + ["first"] * 12,
        ["a"] * 12 + ["b"] * 6,
        shown=["ab"] * 12 + ["ba"] * 6,
    )
    row = compare(votes, reference="human").rows[0]
    assert row.flips is not None
    assert float(row.flips) == 1
    assert row.position_bias is not None
    assert float(row.position_bias) == 1
    # a flip is not missing: it earns nothing and counts
    assert row.krcc.n == 6
    assert row.agreement is not None
    assert float(row.agreement) == 0


def test_a_baseline_adds_paired_differences_adjusted_for_all_of_them() -> None:
    votes = simulated_votes()
    table = compare(votes, reference="human", baseline="weak")
    rows = {row.judge: row for row in table.rows}
    assert rows["weak"].difference is None
    difference = rows["good"].difference
    assert difference is not None
    better, worse = rows["good"].score, rows["weak"].score
    assert better is not None
    assert worse is not None
    assert float(difference) == pytest.approx(float(better) - float(worse))
    truth, good, weak = (settled(votes, name) for name in ("human", "good", "weak"))
    alone = compare_judges(truth, good, weak, votes.prompt, tests=2)
    assert (difference.p, difference.interval) == (alone.p, alone.interval)
    assert rows["good"].verdict == "better"
    with pytest.raises(UsageError, match="is not a judge"):
        compare(votes, reference="human", baseline="nobody")


def test_several_annotators_are_taken_by_majority() -> None:
    votes = votes_of(
        ["p"] * 8,
        ["x", "x"] * 4,
        ["y", "z"] * 4,
        ["ann", "ann", "bob", "bob", "cy", "cy", "judge", "judge"],
        ["a", "a", "a", "b", "b", "", "a", "tie"],
    )
    # x against y: a, a, b → a; x against z: a, b → tie
    table = compare(votes, reference=["ann", "bob", "cy"])
    row = table.rows[0]
    assert row.agreement is not None
    assert float(row.agreement) == 1
    assert "How far judges agree with ann + bob + cy" in to_text(judge_table(table))


def test_a_crowd_filters_the_comparisons_and_is_judged_itself() -> None:
    good, split = ["a", "a", "a"], ["a", "b", "tie"]
    pairs = [("p", "x", f"y{i}") for i in range(5)]
    rows = [
        (*pair, f"c{voter}", vote)
        for pair, said in zip(pairs, [good, good, good, good, split], strict=True)
        for voter, vote in enumerate(said)
    ]
    rows += [(*pair, who, "a") for pair in pairs for who in ("expert", "judge")]
    prompt, a, b, who, winner = zip(*rows, strict=True)
    votes = votes_of(prompt, a, b, who, winner)
    table = compare(votes, reference="expert", crowd=["c0", "c1", "c2"])
    assert table.n_reference == 4
    assert [row.judge for row in table.rows] == ["judge", "crowd majority of 3"]


def test_a_silent_judge_is_shown_and_scores_nothing() -> None:
    votes = votes_of(
        ["p", "q"] * 3,
        ["x"] * 6,
        ["y"] * 6,
        ["human"] * 2 + ["judge"] * 2 + ["mute"] * 2,
        ["a", "b", "a", "a", "", ""],
    )
    table = compare(votes, reference="human")
    mute = table.rows[1]
    assert isinstance(mute.krcc.value, Unscored)
    assert float(mute.score or 1) == 0
    shown = to_text(judge_table(table, ["krcc"]))
    assert "mute did not answer 2 of 2, which count 0." in shown
    assert "no value (–): no prompt has judged pairs that define it (krcc: mute)" in shown


def test_evaluators_must_exist() -> None:
    with pytest.raises(UsageError, match="no evaluator 'hmuan'"):
        compare(simulated_votes(4), reference="hmuan")
    with pytest.raises(UsageError, match="no verdicts"):
        compare([], reference="human")


def study() -> tuple[list[Observation], list[Comparison], list[TextSign], list[Question]]:
    """Four prompts, three artifacts each, a person, a judge in both orders, questions and ratings."""
    rng = np.random.default_rng(0)
    person, judge = Evaluator(kind="person", name="Ada"), Evaluator(kind="model", name="semjudge:published")
    signs: list[TextSign] = []
    comparisons, questions = [], []
    said: list[Observation] = []
    for number in range(4):
        prompt = text(f"prompt {number}")
        made = [
            text(f"artifact {number} {g}").model_copy(update={"generator": g, "prompt": prompt.id})
            for g in "xyz"
        ]
        signs += [prompt, *made]
        for sign in (prompt, *made):
            said += [
                Rating(
                    evaluator=person,
                    about=sign.id,
                    about_kind="sign",
                    scale=scale,
                    low=1,
                    high=7,
                    value=float(rng.integers(1, 8)),
                )
                for scale in ("iconicity", "indexicality", "symbolism")
            ]
        for i, j in ((0, 1), (1, 2), (2, 0)):
            comparison = Comparison(prompt=prompt.id, a=made[i].id, b=made[j].id)
            comparisons.append(comparison)
            said.append(Verdict(evaluator=person, comparison=comparison.id, winner="a"))
            first = "a" if rng.random() < 0.8 else "b"
            said.append(Verdict(evaluator=judge, comparison=comparison.id, shown="ab", winner=first))
            other = Unscored(reason="refusal") if number == 3 and i == 2 else first
            said.append(Verdict(evaluator=judge, comparison=comparison.id, shown="ba", winner=other))
        question = Question(sign=made[0].id, text="What is it?", choices=("this", "that"), correct=0)
        questions.append(question)
        said.append(Answer(evaluator=judge, question=question.id, choice=number % 2))
    return said, comparisons, signs, questions


def test_observations_give_the_same_outcomes_as_resolve() -> None:
    said, comparisons, signs, _ = study()
    verdicts = [v for v in said if isinstance(v, Verdict)]
    votes = votes_of_verdicts(verdicts, comparisons, signs)
    found = outcomes_of(votes, "semjudge:published").winner[0]
    place = {comparison.id: number for number, comparison in enumerate(comparisons)}
    for outcome in outcomes(v for v in verdicts if v.evaluator.kind == "model"):
        code = found[place[outcome.comparison]]
        if isinstance(outcome.winner, Unscored):
            assert np.isnan(code)
        else:
            assert words(np.array([code])) == [outcome.winner_or_tie]


def test_the_answers_of_annotators_are_in_their_own_rows() -> None:
    said, comparisons, signs, questions = study()
    ben = Evaluator(kind="person", name="Ben")
    said += [Verdict(evaluator=ben, comparison=comparison.id, winner="a") for comparison in comparisons]
    said += [Answer(evaluator=ben, question=question.id, choice=0) for question in questions]
    table = compare(said, reference=["Ada", "Ben"], comparisons=comparisons, signs=signs, questions=questions)
    assert {row.person: row.vqa and row.vqa.value for row in table.people} == {"Ada": None, "Ben": 1.0}
    assert table.examinees == {}
    # A single reference has no row among the people, so its answers have a row of their own.
    alone = compare(said, reference="Ben", comparisons=comparisons, signs=signs, questions=questions)
    assert {name: vqa.value for name, vqa in alone.examinees.items()} == {"Ben": 1.0}


def test_observations_of_a_study() -> None:
    said, comparisons, signs, questions = study()
    table = compare(said, reference="Ada", comparisons=comparisons, signs=signs, questions=questions)
    ours = table.rows[0]
    assert ours.krcc.n_unscored == 1
    assert ours.vqa is not None
    assert float(ours.vqa) == 0.5
    assert ours.srcc is not None
    assert ours.srcc.n == 11
    # published rows are shown beside the published preset
    assert len(table.rows) == 10
    assert all(row.source == "SemJudge, table 3" for row in table.rows[1:])
    shown = to_text(judge_table(table))
    assert "published: SemJudge, table 3" in shown
    assert "did not answer 1 of 12, which counts 0." in shown


def test_published_rows_are_shown_with_no_other_judge() -> None:
    table = compare(simulated_votes(5), reference="human")
    assert all(not row.source for row in table.rows)


def test_generators_must_be_known_for_srcc() -> None:
    said, comparisons, _, _ = study()
    row = compare(said, reference="Ada", comparisons=comparisons).rows[0]
    assert row.srcc is not None
    assert isinstance(row.srcc.value, Unscored)
    assert "generators are unknown" in row.srcc.value.detail
    with pytest.raises(UsageError, match="pass comparisons"):
        compare(said, reference="Ada")


def test_evaluators_of_one_name_are_distinguished() -> None:
    comparison = Comparison(prompt="0" * 20, a="1" * 20, b="2" * 20)
    verdicts = [
        Verdict(
            evaluator=Evaluator(kind="model", name="m", parameters={"t": t}),
            comparison=comparison.id,
            winner="a",
        )
        for t in (0, 1)
    ]
    votes = votes_of_verdicts(verdicts, [comparison])
    assert len(votes.evaluators) == 2
    assert all(name.startswith("m (") for name in votes.evaluators)


def test_iconicity_bias_from_ratings() -> None:
    said, comparisons, _, _ = study()
    table = iconicity_bias(said, reference="Ada", comparisons=comparisons, permutations=500, resamples=200)
    row = table.rows[0]
    assert row.evaluator == "semjudge:published"
    assert row.gap.n + row.gap.n_unscored == len(comparisons)
    assert row.p_holm == row.gap.p
    assert "Cohen's d" in to_text(bias_table(table))
    pair = iconicity_bias(said, reference="Ada", comparisons=comparisons, unit="pair", permutations=200)
    assert "as published" in to_markdown(bias_table(pair))


def test_iconicity_bias_from_numbers_is_iconicity_gap() -> None:
    votes = simulated_votes(20, judges=("weak",))
    iconicity = np.random.default_rng(0).normal(size=len(votes.prompt))
    table = iconicity_bias(votes, reference="human", iconicity=iconicity, permutations=300, resamples=0)
    truth, weak = (outcomes_of(votes, name).winner[0] for name in ("human", "weak"))
    alone = iconicity_gap(iconicity, truth == weak, votes.prompt, permutations=300, resamples=0)
    assert (table.rows[0].gap.value, table.rows[0].gap.p) == (alone.value, alone.p)
    with pytest.raises(UsageError, match="values of iconicity for"):
        iconicity_bias(votes, reference="human", iconicity=[1.0])


def test_unrated_signs_are_reported() -> None:
    votes = simulated_votes(20, judges=("weak",))
    iconicity = np.random.default_rng(0).normal(size=len(votes.prompt))
    iconicity[:5] = np.nan
    table = iconicity_bias(votes, reference="human", iconicity=iconicity, permutations=0, resamples=0)
    assert table.n_unrated == 5
    assert "5 comparisons without iconicity ratings are left out" in to_text(bias_table(table))


def test_ablation_has_the_papers_columns() -> None:
    said, comparisons, signs, questions = study()
    settings = {"semjudge:published": AblationSetting("complex", "Gemini", "Qwen")}
    result = ablation(
        said,
        settings,
        reference="Ada",
        comparisons=comparisons,
        signs=signs,
        questions=questions,
    )
    table = ablation_table(result)
    assert "\n" not in str(result)
    assert table.columns[:6] == ("HSG", "builder", "judge", "score", "KRCC", "VQA")
    assert table.rows[0][:3] == ("complex", "Gemini", "Qwen")
    assert len(table.rows) == 10
    assert "published" in str(table)


def test_every_format_contains_the_numbers() -> None:
    votes = simulated_votes(judges=("good", "weak"))
    table = compare(votes, reference="human")
    shown = judge_table(table, ["krcc"])
    value = f"{float(table.rows[0].krcc):.3f}"
    assert all(value in render(shown) for render in (to_text, to_markdown, to_latex))
    assert repr(float(table.rows[0].krcc)) in to_csv(shown)
    assert json.loads(as_json(table))["rows"][0]["krcc"]["value"] == table.rows[0].krcc.value


def test_the_same_votes_give_the_same_table() -> None:
    votes: Votes = simulated_votes(judges=("good",))
    assert compare(votes, reference="human") == compare(votes, reference="human")


def test_elo_is_the_mean_over_orders_and_its_spread_that_of_the_mean() -> None:
    """The spread of one order is about ten times that of the mean over 100 orders."""
    games = [("x", "y", "a"), ("y", "z", "b"), ("z", "x", "tie"), ("x", "z", "b")] * 5
    few, many = (elo(games, shuffles=shuffles).spread for shuffles in (25, 2500))
    assert few is not None
    assert many is not None
    assert few[0] / many[0] == pytest.approx(10, rel=0.4)
