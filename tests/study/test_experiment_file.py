"""Experiment files: the judges that the rows of an ablation name."""

from pathlib import Path

import pytest

from semiosis.study import ExperimentFile, read_experiment
from semiosis.study._experiment import experiment_rows
from semiosis.values import UsageError

ABLATION = """
repeats = 1

[[ablation]]
hsg = "{hsg}"
model = "anthropic/claude-sonnet-5"
builder = "anthropic/claude-haiku-4-5"
preset = "{preset}"
"""


def ablation(folder: Path, hsg: str, preset: str) -> ExperimentFile:
    (folder / "experiment.toml").write_text(ABLATION.format(hsg=hsg, preset=preset))
    return read_experiment(folder / "experiment.toml")


@pytest.mark.parametrize(
    ("hsg", "preset", "judge", "repeats", "has_builder"),
    [
        ("none", "", "direct", 1, False),
        ("none", "published", "direct:published", None, False),  # None: the three repeats of the preset
        ("standard", "published", "semjudge:published", None, True),
        ("complex", "published", "semjudge:published", None, True),
        ("complex", "", "semjudge", 1, True),
    ],
)
def test_a_row_of_the_ablation_can_have_the_published_form(
    hsg: str, preset: str, judge: str, repeats: int | None, has_builder: bool, tmp_path: Path
) -> None:
    (row,) = experiment_rows(ablation(tmp_path, hsg, preset), {})
    assert (row.judge, row.repeats, row.builder is not None) == (judge, repeats, has_builder)
    assert row.hsg == hsg


def test_a_row_without_a_published_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'root-only' has no published form"):
        experiment_rows(ablation(tmp_path, "root-only", "published"), {})
