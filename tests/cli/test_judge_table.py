"""The costs in the documentation's table of all judges."""

import re
import shutil
from pathlib import Path

import pytest

from semiosis.files import data
from tests.cli.conftest import Run

PAGE = Path(__file__).parents[2] / "docs" / "getting-data-in.md"


@pytest.mark.slow
def test_the_page_states_the_costs_that_a_dry_run_estimates(run: Run, tmp_path: Path) -> None:
    shutil.copytree(data("graphs/sample"), tmp_path / "sample")
    rows = [line.split("|")[1:-1] for line in PAGE.read_text(encoding="utf-8").splitlines() if "| $" in line]
    assert len(rows) == 7
    for names, _, _, cost, _ in rows:
        judge = names.split("`")[1]
        dry = run(
            "run", tmp_path / "sample", "--judge", judge, "--model", "anthropic/claude-sonnet-5", "--dry-run"
        )
        estimate = re.findall(r"\$([\d.]+) \(at most", dry.err)[-1]
        assert f"${float(estimate):.2f}" == cost.strip(), judge
