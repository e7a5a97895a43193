"""`store remove`, `study remove` and `store copy --mirror`, as a user types them."""

from pathlib import Path

import pytest

from semiosis.study import Study, check_study, read_study
from tests.cli.conftest import Run
from tests.small import make_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Return a study that a test may change."""
    return make_study(tmp_path / "study")


@pytest.mark.parametrize("command", ["study", "store"])
def test_a_value_is_removed_with_its_dependents(run: Run, study: Study, command: str) -> None:
    cited = next(hsg for verdict in study.verdicts for hsg in verdict.used)
    refused = run(command, "remove", study.folder, cited)
    assert refused.code == 1
    assert "other values refer to the values to remove: verdict" in refused.err
    assert "--dependents" in refused.err
    tried = run(command, "remove", study.folder, cited, "--dependents", "--dry-run")
    assert "would remove 2 values" in tried.err
    assert cited in read_study(study.folder).hsgs
    done = run(command, "remove", study.folder, cited, "--dependents")
    assert done.out == tried.out
    assert f"hsg {cited}" in done.out.splitlines()
    assert "removed 2 values" in done.err
    left = read_study(study.folder)
    assert len(left.hsgs) == len(study.hsgs) - 1
    assert len(left.verdicts) == len(study.verdicts) - 1
    assert check_study(study.folder) == []
    rows = run("query", "readings", "--store", study.folder, "--json").out
    assert cited not in rows


def test_an_unknown_id_is_named_and_nothing_is_removed(run: Run, study: Study) -> None:
    hsg = next(iter(study.hsgs))
    refused = run("study", "remove", study.folder, hsg, "f00", "--dependents")
    assert refused.code == 1
    assert "no value has the id 'f00'" in refused.err
    assert read_study(study.folder).hsgs.keys() == study.hsgs.keys()


def test_a_torn_line_survives_a_removal(run: Run, study: Study) -> None:
    file = next((study.folder / "observations").glob("*.jsonl"))
    file.write_bytes(file.read_bytes() + b'{"kind": "verdict", "versi')
    verdict = study.verdicts[0].id
    assert run("study", "remove", study.folder, verdict).code == 0
    assert file.read_bytes().endswith(b'\n{"kind": "verdict", "versi')
    assert verdict not in {left.id for left in read_study(study.folder).verdicts}


def test_remove_takes_ids_or_a_study(run: Run, study: Study) -> None:
    for words in ([], ["--study", "study", "f00"]):
        refused = run("store", "remove", study.folder, *words)
        assert refused.code == 2
        assert "remove needs either ids or --study" in refused.err
    refused = run("store", "remove", study.folder, "--study", "study")
    assert refused.code == 2
    assert "--study works with Neo4j only" in refused.err
    assert "delete the study folder" in refused.err


def test_removing_from_a_missing_folder_creates_nothing(run: Run, tmp_path: Path) -> None:
    assert run("store", "remove", tmp_path / "nothere", "f00").code == 2
    assert run("study", "remove", tmp_path / "nothere", "f00").code == 2
    assert not (tmp_path / "nothere").exists()


def test_copying_with_mirror_repeats_removals(run: Run, study: Study, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    run("store", "copy", study.folder, copy)
    run("study", "remove", study.folder, study.verdicts[0].id)
    run("store", "copy", study.folder, copy)
    assert len(read_study(copy).verdicts) == len(study.verdicts)
    assert run("store", "copy", study.folder, copy, "--mirror").code == 0
    assert len(read_study(copy).verdicts) == len(study.verdicts) - 1
