"""The demo runs the full workflow, can run again, and leaves nothing behind when it fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.slow
def test_the_demo_runs_and_runs_again(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = run("demo")
    assert first.code == 0, first.err
    for column in ("score", "right", "tied", "wrong", "none", "people (5)"):
        assert column in first.out
    page = tmp_path / "semiosis-demo" / "comparison.html"
    assert f"page: {page.resolve()}" in first.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run("demo").out == first.out
    assert run("study", "check", "semiosis-demo").code == 0
    assert run("query", "unlocated", "--json").code == 0


def test_the_demo_never_removes_a_folder_that_it_did_not_create(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("three years of work")
    ran = run("demo", "--folder", tmp_path / "mine")
    assert ran.code == 2
    assert "files that this command did not write" in ran.err
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "three years of work"


@pytest.mark.slow
def test_a_demo_that_does_not_fit_leaves_nothing_behind(tmp_path: Path) -> None:
    """A limit on file size makes the system refuse writes as a full disk does."""
    script = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000));"
        "from semiosis.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "demo"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "the sample study cannot be copied: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_demo_where_no_folder_can_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = run("demo", "--folder", tmp_path / "file" / "demo")
    assert done.code == 1
    assert "demo: cannot write: Not a directory" in done.err.replace("\n", " ")


def test_an_interrupted_demo_leaves_nothing_behind(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copytree", interrupt)
        assert run("demo", "--folder", tmp_path / "demo").code == 130
    monkeypatch.setattr("semiosis.cli.demo._align", interrupt)
    assert run("demo", "--folder", tmp_path / "demo").code == 130
    assert not list(tmp_path.iterdir())
