"""The commands that add and import data."""

from pathlib import Path

from semiosis.study import read_study
from tests.cli.conftest import Run
from tests.study.pictures import make_folder, snapshot


def test_from_a_folder_and_votes_to_the_table_of_judges(run: Run, tmp_path: Path) -> None:
    source, study = make_folder(tmp_path / "source"), tmp_path / "study"
    refused = run("study", "add", study, source / "prompts.csv", source / "images")
    assert (refused.code, "there is no such folder" in refused.err) == (2, True)
    assert run("study", "new", study).code == 0
    dry = run("study", "add", study, source / "prompts.csv", source / "images", "--dry-run")
    assert "would add 14 values; 0 already in the study" in dry.err  # 2 prompts, 6 pictures, 6 comparisons
    assert run("study", "add", study, source / "prompts.csv", source / "images").code == 0
    votes, scores = tmp_path / "votes.csv", tmp_path / "scores.csv"
    votes.write_text("Item,a,b,Ann\np01,dalle,flux,a\np02,dalle,flux,b\n")
    scores.write_text(
        "prompt,file,clip\n" + "".join(f"p0{n},{g},{n}\n" for n in (1, 2) for g in ("dalle", "flux"))
    )
    assert run("import", "votes", study, votes, "--column", "prompt=Item").code == 0
    assert run("import", "scores", study, scores).code == 0
    assert "2 scores" not in run("study", "check", study).err
    table = run("stats", study)
    assert table.code == 0, table.err
    assert "clip" in table.out


def test_a_mistake_is_one_message_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    source, study = make_folder(tmp_path / "source"), tmp_path / "study"
    run("study", "new", study)
    run("study", "add", study, source / "prompts.csv", source / "images")
    before = snapshot(study)
    votes = tmp_path / "votes.csv"
    votes.write_text("prompt,a,b,Ann\np01,dalle,flux,a\np01,dalle,p02_flux,a\n")
    failed = run("import", "votes", study, votes)
    assert failed.code == 1
    assert "line 3: 'p02_flux' is a picture of another prompt" in failed.err
    assert run("import", "votes", study, votes, "--column", "prompt").code == 2
    assert run("import", "votes", study, tmp_path / "nothing.csv").code == 1
    assert snapshot(study) == before


def test_curating(run: Run, tmp_path: Path) -> None:
    source, study = make_folder(tmp_path / "source"), tmp_path / "study"
    run("study", "new", study)
    run("study", "add", study, source / "prompts.csv", source / "images", "--link", "--pairs", "none")
    assert run("study", "subset", study, tmp_path / "part", "--prompt", "p01").code == 0
    assert len(read_study(tmp_path / "part").signs) == 4
    assert "added 4 values" in run("study", "merge", tmp_path / "part", study).err
    assert run("study", "check", tmp_path / "part").code == 0
