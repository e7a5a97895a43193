"""One bad judge: it can be left out, withdrawn and brought back, and its retried failures are history."""

from pathlib import Path

import pytest

from semiosis.store import open_store
from semiosis.study import (
    Study,
    check_study,
    read_study,
    restore,
    run,
    select_evaluators,
    summary,
    withdraw,
)
from semiosis.values import DataError, Evaluator, Rating, Score, Unscored, UsageError, Verdict
from tests.study.pictures import make_study, snapshot

ANN = Evaluator(kind="person", name="Ann")
ALIGN, COIN = (Evaluator(kind="program", name=name) for name in ("alignment (wordllama)", "coin"))
MISSING = Unscored(reason="missing", detail="there is no reading")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study in which Ann and a coin judged all comparisons, and one judge found no readings."""
    study = make_study(tmp_path)
    comparisons = list(study.comparisons)
    study.add([Verdict(evaluator=ANN, comparison=c, winner="a") for c in comparisons], "votes")
    study.add([Verdict(evaluator=COIN, comparison=c, winner="b") for c in comparisons], "coin")
    study.add([Verdict(evaluator=ALIGN, comparison=c, winner=MISSING) for c in comparisons], "align")
    return read_study(study.folder)


def names(study: Study) -> set[str]:
    return {value.evaluator.name for value in study.observations.values()}


def test_judges_are_selected_and_people_stay(study: Study) -> None:
    assert names(select_evaluators(study, ["coin"])) == {"Ann", "coin"}
    assert names(select_evaluators(study, without=["coin", "Ann"])) == {"alignment (wordllama)"}
    assert select_evaluators(study) is study
    with pytest.raises(UsageError, match=r"no evaluator is called 'con'.*\n.*alignment \(wordllama\), coin"):
        select_evaluators(study, ["con"])


def test_two_judges_of_one_name_are_named_by_their_labels(study: Study) -> None:
    other = Evaluator(kind="program", name="coin", parameters={"sides": 3})
    study = study.with_values([Verdict(evaluator=other, comparison=c, winner="a") for c in study.comparisons])
    with pytest.raises(DataError, match="2 evaluators are called 'coin'"):
        select_evaluators(study, ["coin"])
    label = next(label for id_, label in study.judge_labels.items() if id_ == other.id)
    selected = select_evaluators(study, without=[label])
    assert {v.evaluator for v in selected.verdicts if v.evaluator.name == "coin"} == {COIN}


def test_an_evaluator_is_withdrawn_from_everything_and_can_be_restored(study: Study) -> None:
    folder = study.folder
    rating = Rating(
        evaluator=ANN,
        about=next(v.id for v in study.verdicts if v.evaluator == ALIGN),
        about_kind="verdict",
        scale="depth",
        low=1,
        high=5,
        value=3.0,
    )
    study.add([rating], "ratings")
    before = read_study(folder)
    assert len(withdraw(folder, "alignment (wordllama)", dry_run=True).values) == 7
    assert read_study(folder).observations == before.observations
    withdrawal = withdraw(folder, "alignment (wordllama)")
    assert len(withdrawal.values) == 7  # six verdicts, and a rating of one of them
    assert names(read_study(folder)) == {"Ann", "coin"}
    assert check_study(folder) == []
    with open_store(folder) as store:
        rows = store.query("MATCH (v:Verdict)-[:BY]->(e:Evaluator) RETURN DISTINCT e.who AS who ORDER BY who")
        assert [row["who"] for row in rows] == ["Ann", "coin"]
    assert restore(folder, "alignment (wordllama)", dry_run=True).counts == {"verdict": 6, "rating": 1}
    restore(folder, "alignment (wordllama)")
    assert read_study(folder).observations == before.observations
    assert not withdrawal.file.exists()
    with pytest.raises(UsageError, match="nothing of 'coin' was withdrawn"):
        restore(folder, "coin")


def test_values_recorded_since_the_withdrawal_are_kept(study: Study) -> None:
    withdraw(study.folder, "coin")
    first = next(iter(study.comparisons))
    read_study(study.folder).add([Verdict(evaluator=COIN, comparison=first, winner="tie")], "again")
    restored = restore(study.folder, "coin")
    assert restored.counts == {"verdict": 5}
    assert restored.notes == ("1 values were recorded again since then, and stay as they are",)
    winners = {v.comparison: v.winner for v in restored.study.verdicts if v.evaluator == COIN}
    assert winners[first] == "tie"


def test_an_unknown_evaluator_changes_nothing(study: Study) -> None:
    before = snapshot(study.folder)
    with pytest.raises(UsageError, match="no evaluator is called 'rater3'"):
        withdraw(study.folder, "rater3")
    assert snapshot(study.folder) == before


# Failures that a retry replaced


def test_a_failure_is_history_as_soon_as_the_judge_has_judged(study: Study) -> None:
    """The id of a verdict contains the readings it used, so the retry has another id."""
    first = next(iter(study.comparisons))
    (failure,) = (v for v in study.verdicts if v.evaluator == ALIGN and v.comparison == first)
    retry = Verdict(evaluator=ALIGN, comparison=first, winner="b", used=("a" * 20,))
    for updated in (
        study.with_values([retry]),
        Study(study.folder, study.head).with_values([retry, failure]),
    ):
        assert [v.winner for v in updated.verdicts if v.evaluator == ALIGN and v.comparison == first] == ["b"]
        assert failure.id in updated.history
    (line,) = (count for count in summary(study.with_values([retry])) if count.what == "verdicts")
    assert (line.n, line.detail.partition(" ")[0]) == (18, "5")


def test_the_latest_of_several_failures_is_current(study: Study) -> None:
    first = next(iter(study.comparisons))
    refused = Verdict(evaluator=ALIGN, comparison=first, winner=Unscored(reason="refusal"), used=("a" * 20,))
    verdicts = [
        v for v in study.with_values([refused]).verdicts if v.evaluator == ALIGN and v.comparison == first
    ]
    assert [v.winner.reason for v in verdicts if isinstance(v.winner, Unscored)] == ["refusal"]


def test_other_orders_repeats_and_pictures_are_not_retries(study: Study) -> None:
    picture = next(c.a for c in study.comparisons.values())
    scores = [
        Score(evaluator=COIN, artifact=picture, value=MISSING),
        Score(evaluator=COIN, artifact=picture, value=1.0, repeat=1),
        Score(evaluator=COIN, prompt="a" * 20, artifact=picture, value=1.0),
    ]
    values = study.with_values(scores).observations
    assert all(score.id in values for score in scores)


# A judge without anything to judge


def test_a_judge_none_of_whose_inputs_exist_records_nothing(study: Study) -> None:
    before = snapshot(study.folder)
    with pytest.raises(UsageError) as caught:
        run(study, ["align", "baseline:coin"])
    assert "alignment (wordllama) has nothing to judge: no readings of prompt, a and b" in str(caught.value)
    assert f"semiosis read {study.folder} --model" in str(caught.value)
    assert snapshot(study.folder) == before


def test_scores_of_one_picture_only_are_nothing_to_compare(study: Study) -> None:
    picture = next(c.a for c in study.comparisons.values())
    scored = study.with_values([Score(evaluator=COIN, artifact=picture, value=0.5)])
    with pytest.raises(UsageError, match="coin has nothing to judge: no two scores to compare"):
        run(scored, ["recorded:coin"])


def test_a_study_that_does_not_exist_is_not_to_be_created(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no such folder\n.*correct the path"):
        read_study(tmp_path / "typo")
