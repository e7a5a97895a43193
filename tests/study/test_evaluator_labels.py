"""Two judges of one name have the same two labels in every table, figure, page and cost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.export import TABLES
from semiosis.report._judgments import judgments
from semiosis.study import Study, compare_study, generator_ratings, judge_costs, summary
from semiosis.tables import judge_table
from semiosis.values import Evaluator, Usage, Verdict, evaluator_labels
from tests.small import make_study

LABELS = {"semjudge m (detail standard)", "semjudge m (detail complex)"}


def judge(**parameters: str) -> Evaluator:
    """Return a judge of one name with these settings."""
    return Evaluator(kind="model", name="semjudge m", parameters=parameters)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Return a study that the same model judged with standard graphs for 1 cent and complex ones for 5."""
    small = make_study(Path(tmp_path_factory.mktemp("labels")) / "study")
    verdicts = [
        Verdict(
            evaluator=judge(detail=detail, prompt="judge/2"),
            comparison=comparison,
            winner="a",
            usage=Usage(calls=1, cost=cost),
        )
        for detail, cost in (("standard", 0.01), ("complex", 0.05))
        for comparison in small.comparisons
    ]
    return small.add(verdicts, run="judged")


def test_the_costs_of_two_judges_of_one_name_are_not_added(study: Study) -> None:
    assert judge_costs(study) == {
        "semjudge m (detail standard)": pytest.approx(0.01),
        "semjudge m (detail complex)": pytest.approx(0.05),
    }


def test_the_generators_are_rated_by_the_label_that_the_table_prints(study: Study) -> None:
    rows = {row.judge for row in compare_study(study).rows}
    assert rows > LABELS
    for label in LABELS:
        assert generator_ratings(study, [label], prior=0.5).evaluators == (label,)


def test_tables_pages_and_exports_have_the_same_labels(study: Study) -> None:
    printed = {row[0] for row in judge_table(compare_study(study)).rows}
    comparison = next(iter(study.comparisons))
    groups = judgments([v for v in study.verdicts if v.comparison == comparison], (), study.judge_labels)
    exported = {row["evaluator"] for row in TABLES["verdicts"].rows(study)}
    assert printed >= LABELS
    assert {view.judge for group in groups for view in group.views} >= LABELS
    assert exported >= LABELS


def test_the_summary_counts_the_ratings_of_two_evaluators_of_one_name_apart(study: Study) -> None:
    ratings = [value for value in study.observations.values() if value.kind == "rating"]
    again = [
        rating.model_copy(update={"evaluator": judge(detail=detail)})
        for rating in ratings[:1]
        for detail in ("standard", "complex")
    ]
    counts = {count.what: count.detail for count in summary(study.with_values(again))}
    assert all(f"1 {label}" in counts["ratings"] for label in LABELS)


def test_labels_name_only_what_tells_evaluators_apart() -> None:
    """Two settings are needed for the first two; the kind tells the person apart, and an id the others."""
    judges = [
        judge(detail="standard", prompt="judge/1", stage2="joint"),
        judge(detail="standard", prompt="judge/2", stage2="joint"),
        judge(detail="complex", prompt="judge/2", stage2="joint"),
        Evaluator(kind="person", name="semjudge m"),
        Evaluator(kind="program", name="clip", parameters={"weights": "a" * 64}),
        Evaluator(kind="program", name="clip", parameters={"weights": "b" * 64}),
    ]
    clips = [f"clip ({evaluator.id[:6]})" for evaluator in judges[4:]]
    assert list(evaluator_labels(judges).values()) == [
        "semjudge m (detail standard, prompts 1)",
        "semjudge m (detail standard, prompts 2)",
        "semjudge m (detail complex)",
        "semjudge m (person)",
        *clips,
    ]


EVALUATORS = st.builds(
    Evaluator,
    kind=st.sampled_from(["model", "person", "program"]),
    name=st.sampled_from(["m", "m (detail x)", "n"]),
    parameters=st.dictionaries(st.sampled_from(["detail", "prompt", "z"]), st.sampled_from(["x", "y"])),
)


@given(st.lists(EVALUATORS, max_size=8))
def test_every_evaluator_has_a_label_of_its_own(evaluators: list[Evaluator]) -> None:
    labels = evaluator_labels(evaluators)
    assert labels.keys() == {evaluator.id for evaluator in evaluators}
    assert len(set(labels.values())) == len(labels)
