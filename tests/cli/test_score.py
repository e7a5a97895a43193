"""`semiosis score`: every picture of a study, scored once by each scorer."""

from pathlib import Path

import pytest

from semiosis.study import Study, read_manifests, read_study
from semiosis.values import Score
from tests.cli.conftest import Run
from tests.small import make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def test_the_command_scores_lists_and_continues(small: Study, run: Run) -> None:
    first = run("score", small.folder, "--scorer", "baseline:size", "--limit", 2)
    assert (first.code, first.out) == (0, "baseline:size: 2 scores given, 0 unscored\n")
    (manifest,) = read_manifests(small.folder)
    assert manifest.evaluators[0].settings is not None
    command = "semiosis score STUDY --scorer baseline:size"
    assert manifest.evaluators[0].settings.command("en") == command
    assert command.replace("STUDY", str(small.folder)) in run("status", small.folder).out
    second = run("score", small.folder, "--scorer", "baseline:size")
    assert second.out == "baseline:size: 1 score given, 0 unscored\n"
    judged = run("run", small.folder, "--judge", "baseline:size")
    assert judged.out == "baseline:size: 3 comparisons judged, 0 unscored\n"
    assert len([s for s in read_study(small.folder).observations.values() if isinstance(s, Score)]) == 3
    unknown = run("score", small.folder, "--scorer", "semjudge")
    assert (unknown.code, "there is no scorer 'semjudge'" in unknown.err) == (2, True)
