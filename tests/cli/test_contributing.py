"""The first change that CONTRIBUTING.md describes works as described."""

import json
import re
import shutil
import textwrap
from pathlib import Path

import pytest

from semiosis.files import data
from tests.cli.conftest import Run
from tests.documentation import ROOT
from tests.small import make_study

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_first_change_works(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The query that CONTRIBUTING.md tells new contributors to add can be read, run and ordered."""
    query = re.search(r"`graphs/queries/([\w-]+)\.cypher`:\n\n +```text\n(.*?)```", CONTRIBUTING, re.DOTALL)
    assert query
    shutil.copytree(data("graphs/queries"), tmp_path / "queries")
    (tmp_path / "queries" / f"{query[1]}.cypher").write_text(textwrap.dedent(query[2]), encoding="utf-8")
    monkeypatch.setattr("semiosis.store._library.data", lambda _: tmp_path / "queries")
    study = make_study(tmp_path / "study")
    done = run("query", query[1], "--store", study.folder, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)
