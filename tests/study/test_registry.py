"""The registry of judges: the calls that each one makes, and the judges that need no model."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from semiosis.ask import Asker, Model, Runner
from semiosis.files import image
from semiosis.judge import BASELINES, PRESETS
from semiosis.score import colourfulness
from semiosis.study import (
    EvaluatorOptions,
    RegisteredEvaluator,
    Study,
    evaluators,
    find_judge,
    import_observations,
    judging_entries,
    plan_judging,
    read_study,
    register,
    run,
    run_judging,
)
from semiosis.values import Score, Unscored, UsageError, Verdict
from tests.small import make_study
from tools.scorer_tables import PAGE, page_with_tables

# The small study has one prompt, three pictures and three comparisons.
CALLS = {
    "semjudge": 1 + 3 + 2 * 3,
    "semjudge:blind": 1 + 3 + 2 * 3,
    "semjudge:published": 3 * 1 + 6 * 3,
    "direct": 2 * 3,
    "direct:published": 3 * 3,
    "root-only": 1 + 3 + 2 * 3,
}


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def judged(study: Study, spec: str) -> list[Verdict]:
    judge = find_judge(spec, EvaluatorOptions(study=study))
    run(study, [judge])
    return [v for v in read_study(study.folder).verdicts if v.evaluator == judge.judge.evaluator]


def test_every_preset_and_baseline_is_registered() -> None:
    judges = judging_entries()
    assert set(PRESETS) | set(BASELINES) | {"align", "citations", "recorded"} <= set(judges)
    assert all(entry.good_for and entry.calls for entry in judges.values())


def test_an_evaluator_is_registered_once() -> None:
    with pytest.raises(UsageError, match="already a judge named 'align'"):
        register(
            RegisteredEvaluator("judge", "align", "", lambda _name, _options: BASELINES["baseline:coin"])
        )


def test_only_a_stated_argument_reaches_an_evaluator(small: Study) -> None:
    other = find_judge("align:model=anthropic/claude-haiku-4-5", EvaluatorOptions(study=small))
    assert [model.full_name for model in other.judge.models] == ["anthropic/claude-haiku-4-5"]
    for spec in ("align:", "direct:x", "semjudge:unknown", "nothing"):
        with pytest.raises(UsageError, match="there is no judge"):
            find_judge(spec, EvaluatorOptions(study=small))


@pytest.mark.parametrize("name", CALLS)
def test_the_stated_calls_are_those_of_a_dry_run(small: Study, name: str, tmp_path: Path) -> None:
    asker = Asker(tmp_path / "replies.sqlite", dry_run=True)
    judge = find_judge(name, EvaluatorOptions(asker, Model("anthropic/claude-sonnet-5"), study=small))
    plan = plan_judging(small, [judge])
    list(run_judging(small, plan, run="test", runner=Runner(asker), record=False))
    assert asker.budget.spent.calls == CALLS[name]


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_judge_every_comparison_without_a_model_and_repeat_their_verdicts(
    small: Study, name: str
) -> None:
    first = judged(small, name)
    assert len(first) == 3
    assert not any(isinstance(verdict.winner, Unscored) for verdict in first)
    assert judged(read_study(small.folder), name) == first


def test_the_coin_is_fair_enough() -> None:
    coin = BASELINES["baseline:coin"]
    winners = [coin.rule(f"{number:032x}") for number in range(2_000)]  # type: ignore[attr-defined]  # a RuleJudge
    # 1,000 expected; five standard deviations of a fair coin are 5 × √500 ≈ 112.
    assert abs(winners.count("a") - 1_000) < 112


def test_colourfulness_is_that_of_the_paper(tmp_path: Path) -> None:
    # Half red, half green. rg is 255 and -255: mean 0, deviation 255. yb is 127.5 everywhere.
    # M3 = √(255² + 0²) + 0.3 √(0² + 127.5²) = 255 + 38.25.
    halves = np.zeros((2, 2, 3), np.uint8)
    halves[0, :, 0] = halves[1, :, 1] = 255
    Image.fromarray(halves).save(tmp_path / "halves.png")
    assert colourfulness(image(tmp_path / "halves.png")) == pytest.approx(255 + 38.25)
    Image.new("RGB", (4, 4), (90, 90, 90)).save(tmp_path / "grey.png")
    assert colourfulness(image(tmp_path / "grey.png")) == 0


def test_a_missing_picture_is_unscored(small: Study) -> None:
    gone = next(iter((small.folder / "images").iterdir()))
    gone.unlink()
    verdicts = judged(read_study(small.folder), "baseline:size")
    missing = [v.winner.reason for v in verdicts if isinstance(v.winner, Unscored)]
    assert missing == ["missing", "missing"]


def test_recorded_scores_judge_later_comparisons_under_the_name_of_the_import(
    small: Study, tmp_path: Path
) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("file,clip\nliteral,0.3\nsymbolist,0.5\n")
    import_observations(small.folder, "scores", table)
    study = read_study(small.folder)
    imported = [v for v in study.verdicts if v.evaluator.name == "clip"]
    assert [verdict.winner for verdict in imported] == ["b"]
    verdicts = judged(study, "recorded:clip")
    assert imported[0] in verdicts  # the same verdict, not a second one
    details = [v.winner.detail for v in verdicts if isinstance(v.winner, Unscored)]
    assert len(details) == 2
    assert "semiosis import scores" in details[0]
    table.write_text("file,clip\nbroken,0.4\n")
    import_observations(small.folder, "scores", table)
    imported_again = {v.comparison: v.winner for v in judged(read_study(small.folder), "recorded:clip")}
    # literal .3 against symbolist .5, literal .3 against broken .4, symbolist .5 against broken .4
    assert [imported_again[comparison] for comparison in study.comparisons] == ["b", "b", "a"]


def test_unknown_scorers_are_refused_and_the_known_ones_are_named(small: Study) -> None:
    with pytest.raises(UsageError, match=r"no scores by 'clip'; scorers: none"):
        find_judge("recorded:clip", EvaluatorOptions(study=small))
    with pytest.raises(UsageError, match="recorded:NAME"):
        find_judge("recorded", EvaluatorOptions(study=small))


def test_scores_of_baselines_are_recorded_too(small: Study) -> None:
    judged(small, "baseline:size")
    scores = [score for score in read_study(small.folder).observations.values() if isinstance(score, Score)]
    sizes = sorted(file.stat().st_size for file in (small.folder / "images").iterdir())
    assert sorted(score.value for score in scores if isinstance(score.value, float)) == sizes


def test_the_documentation_lists_every_judge_with_what_it_needs_and_costs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "getting-data-in.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if "|" in line]
    listed = {
        row[0].split("`")[1].partition(":NAME")[0]: row for row in rows if len(row) == 5 and "`" in row[0]
    }
    for name, entry in judging_entries().items():
        if entry.type == "scorer" and name not in listed:  # docs/scorers.md
            continue
        _, needs, calls, cost, good_for = listed[name]
        assert (needs, calls, good_for) == (entry.needs_in_words, entry.calls, entry.good_for)
        assert (cost == "free") == (entry.calls == "none")


def test_the_page_on_scorers_has_the_tables_of_the_registry() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == page_with_tables(page)
    for name in evaluators("scorer"):
        assert f"| `{name}" in page
