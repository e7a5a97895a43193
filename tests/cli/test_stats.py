"""`semiosis stats`, as a new user types it."""

import csv
import io
import json
from pathlib import Path

import pytest

from semiosis.files import data
from semiosis.study import Study
from tests.cli.conftest import Run

VOTES = """\
prompt,a,b,human,clip,judge
p1,sd,flux,a,a,a
p1,flux,dalle,a,b,a
p1,dalle,sd,a,b,tie
p2,sd,flux,b,a,b
p2,flux,dalle,b,a,
p2,dalle,sd,b,b,b
"""


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    file = tmp_path / "votes.csv"
    file.write_text(VOTES)
    return file


def test_a_csv_gives_a_table(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--resamples", 200)
    assert (done.code, done.err) == (0, "")
    assert "Judges against human" in done.out
    assert "judges are compared on the 5 that all of them scored" in done.out


def test_unscored_answers_to_questions_are_counted_below_the_table(run: Run) -> None:
    done = run("stats", data("graphs/sample"), "--resamples", 0)
    (note,) = (
        line for line in done.out.splitlines() if line.startswith("Citing judge (synthetic): questions")
    )
    # 29 of 30 questions have an answer, and 28 of them are right: (28 + 1) / 30.
    assert note.endswith(
        "questions without an answer: 1 of 30; VQA would be 0.967 if all these answers were right."
    )


def test_json_for_scripts(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--json", "--baseline", "clip", "--resamples", 100)
    table = json.loads(done.out)
    assert [row["judge"] for row in table["rows"]] == ["judge", "clip"]
    assert table["rows"][0]["difference"]["name"] == "difference in half credit"


@pytest.mark.parametrize(
    ("form", "sign"), [("markdown", "| judge |"), ("latex", r"\toprule"), ("csv", "judge,half credit,")]
)
def test_other_formats(run: Run, votes: Path, form: str, sign: str) -> None:
    done = run("stats", votes, "--reference", "human", "--format", form, "--resamples", 0)
    assert sign in done.out


def test_csv_out_can_be_read_again(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--format", "csv", "--resamples", 50)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["judge"] for row in rows} == {"clip", "judge"}
    assert "judges are compared on the 5 that all of them scored" in done.err
    assert "at least 5 prompts (or items); there are only 2 (half credit, KRCC, agreement)" in done.err


def test_a_table_without_judges_says_so(run: Run, votes: Path) -> None:
    everyone = [word for name in ("human", "clip", "judge") for word in ("--reference", name)]
    done = run("stats", votes, *everyone, "--resamples", 0)
    assert "There is no judge other than the reference." in done.out


def test_chosen_judges_only(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--judge", "clip", "--json", "--resamples", 0)
    assert [row["judge"] for row in json.loads(done.out)["rows"]] == ["clip"]


def test_bad_rows_can_be_left_out(run: Run, votes: Path) -> None:
    votes.write_text(VOTES + "p3,sd,sd,a,a,a\n")
    refused = run("stats", votes, "--reference", "human")
    assert refused.code == 1
    assert "line 8: 'sd' is compared with itself" in refused.err
    done = run("stats", votes, "--reference", "human", "--skip-bad-rows", "--resamples", 0)
    assert done.code == 0
    assert "left out: line 8" in done.err


def test_mistakes_say_what_to_do(run: Run, votes: Path) -> None:
    without = run("stats", votes)
    assert (without.code, "add --reference COLUMN" in without.err) == (2, True)
    wrong = run("stats", votes, "--reference", "humans")
    assert wrong.code == 2
    assert "'human', 'clip', 'judge'" in wrong.err


def test_a_study(run: Run, small: Study) -> None:
    done = run("stats", small.folder, "--resamples", 50)
    assert done.code == 0
    assert "Judges against" in done.out


def test_a_study_without_verdicts_names_the_import(run: Run, tmp_path: Path) -> None:
    run("study", "new", tmp_path / "new")
    done = run("stats", tmp_path / "new")
    assert done.code == 2
    assert "semiosis import votes" in done.err
    assert "judges: none" not in done.err
