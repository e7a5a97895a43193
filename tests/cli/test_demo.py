"""The demo runs the whole road, twice, and every number in it comes from the run."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.slow
def test_the_demo_runs_and_runs_again(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = run("demo")
    assert first.code == 0, first.err
    for column in ("KRCC", "half credit", "agreement", "n", "unscored"):
        assert column in first.out
    page = tmp_path / "semiosis-demo" / "comparison.html"
    assert f"page: {page.resolve()}" in first.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run("demo").out == first.out
    assert run("study", "check", "semiosis-demo").code == 0
    assert run("query", "ungrounded", "--json").code == 0


def test_the_demo_never_removes_what_it_did_not_make(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("three years of work")
    ran = run("demo", "--folder", tmp_path / "mine")
    assert ran.code == 2
    assert "exists and is not a demo" in ran.err
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "three years of work"
