"""Ranked generators, and correlations with ratings, from a study with values worked out by hand."""

from pathlib import Path

import pytest

from semiosis.stats import as_dict
from semiosis.study import (
    Study,
    check_study,
    derive_votes,
    rank_generators,
    rating_results,
    select_evaluators,
)
from semiosis.tables import ranking_table, rating_table, to_latex
from semiosis.values import (
    Comparison,
    Evaluator,
    ImageSign,
    MissingSign,
    Observation,
    Rating,
    Score,
    TextSign,
    Unscored,
    UsageError,
    Verdict,
)
from tests.study.pictures import make_study

ANN, BOB = (Evaluator(kind="person", name=name) for name in ("Ann", "Bob"))
CLIP = Evaluator(kind="program", name="clip")
COIN = Evaluator(kind="program", name="coin")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path, prompts=6)


def pictures(study: Study) -> dict[tuple[int, str], str]:
    """Return the ids of the pictures by the number of the prompt and the generator."""
    return {
        (int(study.signs[sign.prompt or ""].title[1:]), sign.generator): sign.id
        for sign in study.signs.values()
        if isinstance(sign, ImageSign)
    }


def rated(study: Study, who: Evaluator, values: dict[str, list[float]], scale: str = "quality") -> Study:
    """Return the study with the ratings of a person: one number for each prompt, by generator."""
    ids = pictures(study)
    new: list[Observation] = [
        Rating(evaluator=who, about=ids[n, g], about_kind="sign", scale=scale, low=1, high=5, value=float(v))
        for g, numbers in values.items()
        for n, v in enumerate(numbers, start=1)
    ]
    return study.with_values(new)


def test_ratings_rank_generators_by_the_mean_over_prompts(study: Study) -> None:
    study = rated(study, ANN, {"sdxl": [5, 4, 5, 4, 5, 4], "flux": [1, 2, 1, 2, 1, 2], "dalle": [3] * 6})
    study = rated(study, BOB, {"sdxl": [5] * 6})
    (ranking,) = rank_generators(study)
    assert (ranking.measure, ranking.evaluators, ranking.prompts) == ("rating:quality", ("Ann", "Bob"), 6)
    # sdxl: prompts have (5 + 5)/2 and (4 + 5)/2 in turn, so 4.75.
    assert [(row.generator, float(row.value)) for row in ranking.rows] == [
        ("sdxl", 4.75),
        ("dalle", 3.0),
        ("flux", 1.5),
    ]
    assert [str(row.ranks) for row in ranking.rows] == ["1", "2", "3"]
    text = str(ranking_table([ranking]))
    assert "Generators by people's ratings of quality" in text
    assert "sdxl" in to_latex(ranking_table([ranking]))


def test_votes_count_as_the_share_of_comparisons_won(study: Study) -> None:
    ids = pictures(study)
    votes = []
    for comparison in study.comparisons.values():
        names = {id_: name for (_, name), id_ in ids.items()}
        sides = names[comparison.a], names[comparison.b]
        winner = "tie" if "sdxl" not in sides else "a" if sides[0] == "sdxl" else "b"
        votes.append(Verdict(evaluator=ANN, comparison=comparison.id, winner=winner))
    (ranking,) = rank_generators(study.with_values(votes))
    # sdxl wins both of its comparisons; flux and dalle lose one and tie one: 1/4.
    assert (ranking.rows[0].generator, float(ranking.rows[0].value)) == ("sdxl", 1.0)
    assert {float(row.value) for row in ranking.rows[1:]} == {0.25}
    assert ranking.measure == "votes"


def test_groups_of_prompts_and_missing_pictures(study: Study) -> None:
    study = rated(study, ANN, {"sdxl": [5, 4, 3, 4, 5, 4], "flux": [1, 2, 1, 2, 1, 2]})
    prompts = [sign for sign in study.signs.values() if isinstance(sign, TextSign)]
    tagged = [
        prompt.model_copy(update={"tags": ("category:people" if n % 2 else "category:things",)})
        for n, prompt in enumerate(prompts)
    ]
    lost = MissingSign(prompt=prompts[0].id, generator="wan", reason="filtered")
    refused = MissingSign(prompt=prompts[1].id, generator="flux", reason="refused")
    study = study.with_values([*tagged, lost, refused])
    rankings = rank_generators(study, by="tag:category")
    assert [ranking.group for ranking in rankings] == ["people", "things"]
    assert [len(rank_generators(study, by=by)) for by in ("category", "tag", "tradition")] == [2, 2, 1]
    people = {row.generator: row for row in rankings[0].rows}
    assert dict(people["flux"].missing) == {"refused": 1}
    assert float(people["sdxl"].value) == 4  # prompts 2, 4 and 6
    assert "1 refused" in str(ranking_table(rankings))
    with pytest.raises(UsageError, match=r"no prompt of this study has a 'tag:style'.*\n.*--by tag:category"):
        rank_generators(study, by="tag:style")
    with pytest.raises(UsageError, match="there is no measure 'votes'"):
        rank_generators(study, "votes")


def test_a_comparison_with_a_missing_picture_is_a_problem(study: Study) -> None:
    assert check_study(study.folder) == []
    ids = pictures(study)
    prompt = study.signs[ids[1, "sdxl"]].prompt or ""
    refused = MissingSign(prompt=prompt, generator="imagen", reason="refused")
    study.add([refused, Comparison(prompt=prompt, a=ids[1, "sdxl"], b=refused.id)], "ada")
    (problem,) = check_study(study.folder)
    assert problem.what == f"compares the missing picture {refused.id}, which nobody can judge"


def test_a_study_without_values_cannot_rank(study: Study) -> None:
    with pytest.raises(UsageError, match="nobody has voted on, rated or scored"):
        rank_generators(study)
    with pytest.raises(UsageError, match="nobody has rated pictures"):
        rating_results(study)


def test_scorers_judges_and_people_are_compared_with_ratings(study: Study) -> None:
    ids = pictures(study)
    ann: dict[str, list[float]] = {
        "sdxl": [5, 4, 5, 4, 5, 4],
        "flux": [1, 2, 1, 2, 1, 2],
        "dalle": [3] * 6,
    }
    alone = rated(study, ANN, ann)
    study = rated(alone, BOB, {name: [6 - v for v in numbers] for name, numbers in ann.items()})
    scores = [
        Score(evaluator=CLIP, artifact=ids[n, name], value=float(value))
        for name, numbers in ann.items()
        for n, value in enumerate(numbers, start=1)
        if (n, name) != (1, "sdxl")
    ]
    unscored = Score(evaluator=CLIP, artifact=ids[1, "sdxl"], value=Unscored(reason="missing"))
    verdicts = [Verdict(evaluator=COIN, comparison=c.id, winner="tie") for c in study.comparisons.values()]
    (results,) = rating_results(alone.with_values([*scores, unscored, *verdicts]))
    rows = {row.name: row for row in results.scorers}
    assert float(rows["clip"].spearman) == pytest.approx(1)
    assert (rows["clip"].spearman.n, rows["clip"].spearman.n_unscored) == (17, 1)
    assert isinstance(rows["coin"].spearman.value, Unscored)  # all of its win shares are a half
    assert results.compared == ("coin",)
    assert "clip left pictures without a value" in str(rating_table(results))
    (both,) = rating_results(study)
    assert {row.name: round(float(row.spearman), 9) for row in both.people} == {"Ann": -1, "Bob": -1}
    assert float(both.alpha) < 0
    assert (both.low, both.high, both.n, both.prompts) == (1, 5, 18, 6)
    assert isinstance(as_dict(both), dict)


def test_one_scorer_can_be_chosen_or_left_out(study: Study) -> None:
    ids = pictures(study)
    study = rated(study, ANN, {"sdxl": [5, 4, 5, 4, 5, 4], "flux": [1, 2, 1, 2, 1, 2]})
    study = study.with_values(
        Score(evaluator=who, artifact=id_, value=float(n))
        for (n, _), id_ in ids.items()
        for who in (CLIP, COIN)
    )
    (only,) = rating_results(select_evaluators(study, ["clip"]))
    (without,) = rating_results(select_evaluators(study, without=["clip"]))
    assert [row.name for row in (*only.scorers, *without.scorers)] == ["clip", "coin"]
    assert only.raters == ("Ann",)
    with pytest.raises(UsageError, match="no evaluator is called 'clop'"):
        select_evaluators(study, without=["clop"])
    with pytest.raises(UsageError, match="nobody used the scale 'beauty'"):
        rating_results(study, ["beauty"])


def test_votes_are_derived_from_ratings_by_a_recorded_rule(study: Study) -> None:
    ids = pictures(study)
    ann: dict[str, list[float]] = {"sdxl": [5, 4, 1, 1, 1, 1], "flux": [1, 4, 1, 1, 1, 1]}
    style: dict[str, list[float]] = {"sdxl": [1], "flux": [5]}
    for values, scale in ((ann, "quality"), (style, "style")):
        study.add(rated(study, ANN, values, scale).observations.values(), scale)
    added = derive_votes(study.folder, ["quality"])
    assert added.counts == {"verdict": 6}
    winners = {v.comparison: v for v in added.study.verdicts}
    pair = {ids[1, "sdxl"], ids[1, "flux"]}
    first = next(c for c in added.study.comparisons.values() if {c.a, c.b} == pair)
    assert winners[first.id].winner == ("a" if first.a == ids[1, "sdxl"] else "b")
    assert [v.winner for v in winners.values()].count("tie") == 5
    assert winners[first.id].evaluator.parameters == {
        "rule": "higher rating",
        "scales": "quality",
        "tie_within": 0.0,
    }
    assert derive_votes(study.folder, ["quality"]).new == ()
    # (5 − 1)/4 = 1 and (1 − 1)/4 = 0 on quality, 0 and 1 on style: a mean of a half, a geometric mean of 0.
    both = derive_votes(study.folder, ["quality", "style"], combine="geometric")
    assert [v.winner for v in both.new if isinstance(v, Verdict)] == ["tie"]
    with pytest.raises(UsageError, match="nobody used the scale 'beauty'"):
        derive_votes(study.folder, ["beauty"])
