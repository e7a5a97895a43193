"""The work loop: manifests, and work that other processes compute."""

import json
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from semiosis.align import aligner_of
from semiosis.ask import Asker, Model, map_chunks, wait_for
from semiosis.judge import BASELINES
from semiosis.study import (
    EvaluatorOptions,
    ReadingRule,
    Study,
    StudyJudge,
    alignment_pairs,
    evaluators,
    find_judge,
    plan_alignments,
    plan_judging,
    read_manifests,
    read_study,
    run,
    run_judging,
    run_plan,
)
from semiosis.testing import StandIn, answers_from
from semiosis.values import Alignment, DataError
from tests.small import make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


@pytest.fixture
def provider(small: Study) -> Iterator[StandIn]:
    with StandIn(answers_from(small.hsgs.values())) as provider:
        yield provider


def test_a_manifest_has_settings_evaluators_and_times_but_no_server(
    small: Study, provider: StandIn, tmp_path: Path
) -> None:
    model = Model("anthropic/claude-sonnet-5", provider.url, {"temperature": 0.5})
    asker = Asker(tmp_path / "replies.sqlite")
    judge = find_judge("direct", EvaluatorOptions(asker, model, settings={"repeats": 2}, study=small))
    try:
        list(run_judging(small, plan_judging(small, [judge]), run="mine"))
    finally:
        wait_for(asker.close())
    (manifest,) = read_manifests(small.folder)
    assert (manifest.run, manifest.planned, manifest.scored, manifest.unscored) == ("mine", 12, 12, {})
    assert manifest.calls == len(provider.calls) == 3 * 2 * 2  # comparisons, orders, repeats
    assert manifest.completed
    assert manifest.ended is not None
    assert manifest.started <= manifest.ended
    (evaluator,) = manifest.evaluators
    assert evaluator.identity == judge.judge.evaluator.id
    assert evaluator.settings is not None
    assert evaluator.settings.command("en") == (
        "semiosis run STUDY --judge direct --model anthropic/claude-sonnet-5 --temperature 0.5 --repeats 2"
    )
    (file,) = (small.folder / "runs").iterdir()
    assert provider.url not in file.read_text()


def test_a_run_that_stops_early_says_so(small: Study) -> None:
    plan = plan_judging(small, [StudyJudge(BASELINES["baseline:coin"])])
    outcomes = run_judging(small, plan, run="coin")
    next(outcomes)
    outcomes.close()  # type: ignore[attr-defined]  # a generator
    (manifest,) = read_manifests(small.folder)
    assert not manifest.completed
    assert manifest.ended is not None
    assert manifest.evaluators[0].settings is None  # the registry did not make this judge


def test_a_run_with_nothing_to_do_or_record_writes_no_manifest(small: Study) -> None:
    run(small, ["baseline:coin"], record=False)
    assert list(read_manifests(small.folder)) == []
    run(small, ["baseline:coin"])
    run(read_study(small.folder), ["baseline:coin"])
    assert len(list(read_manifests(small.folder))) == 1


def test_a_damaged_manifest_is_named_and_other_files_are_left_alone(small: Study) -> None:
    run(small, ["baseline:coin"])
    (file,) = (small.folder / "runs").iterdir()
    (small.folder / "runs" / "notes.json").write_text("mine")
    file.write_text(json.dumps({**json.loads(file.read_text()), "endpoint": "http://example.org"}))
    with pytest.raises(DataError, match="endpoint") as damaged:
        list(read_manifests(small.folder))
    assert damaged.value.where == str(file)


def test_a_folder_of_manifests_that_leads_elsewhere_is_refused(small: Study, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (small.folder / "runs").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError, match="a link"):
        run(small, ["baseline:coin"])
    assert list((tmp_path / "elsewhere").iterdir()) == []


def aligned(study: Study, executor: Executor | None) -> list[Alignment]:
    plan = plan_alignments(study, aligner_of(), alignment_pairs(study, ReadingRule()))
    results = list(run_plan(study, plan, run="align", executor=executor, record=False))
    assert len(results) == len(plan) > 0
    return [result for result in results if isinstance(result, Alignment)]


def test_an_executor_gives_the_alignments_of_this_process(small: Study) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert aligned(small, executor) == aligned(small, None) != []


@pytest.mark.slow
def test_other_processes_align_what_they_read_from_files(small: Study) -> None:
    study = read_study(small.folder)
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        assert aligned(study, executor) == aligned(study, None) != []


def test_chunks_keep_their_order_and_stop_when_the_caller_does() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert [n for chunk in map_chunks(list, range(1_000), executor, size=7) for n in chunk] == list(
            range(1_000)
        )
        endless = map_chunks(list, iter(int, 1), executor, size=3)
        assert next(endless) == [0, 0, 0]
        endless.close()  # type: ignore[attr-defined]  # a generator


def test_every_type_of_evaluator_is_registered() -> None:
    for type_ in ("reader", "aligner", "judge", "examinee"):
        assert evaluators(type_)
