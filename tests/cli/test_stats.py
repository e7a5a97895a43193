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
    done = run("stats", votes, "--reference", "human")
    assert (done.code, done.err) == (0, "")
    assert "How far judges agree with human" in done.out
    assert "6 comparisons of 2 prompts, judged by human. A pilot: intervals are wide." in done.out
    assert "judge did not answer 1 of 6, which counts 0." in done.out


def test_the_default_table_of_the_sample_fits_a_terminal(run: Run) -> None:
    lines = run("stats", data("graphs/sample")).out.splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 82  # the longest name has 24 letters
    assert any(line.startswith(" people (5)") and "0.44 to 0.81" in line for line in lines)


def test_unscored_answers_to_questions_are_counted_below_the_table(run: Run) -> None:
    done = run("stats", data("graphs/sample"), "--columns", "vqa")
    (note,) = (
        line for line in done.out.splitlines() if line.startswith("Citing judge (synthetic): questions")
    )
    # 29 of 30 questions have an answer, and 28 of them are right: (28 + 1) / 30.
    assert note.endswith(
        "questions without an answer: 1 of 30; VQA would be 0.967 if all these answers were right."
    )


def test_a_column_is_explained_without_a_table(run: Run) -> None:
    done = run("stats", "nothing", "--explain", "krcc")
    assert (done.code, done.out.startswith("krcc: Kendall's τ-b")) == (0, True)
    wrong = run("stats", "nothing", "--explain", "kraken")
    assert (wrong.code, "columns: score, right" in wrong.err) == (2, True)


def test_further_columns_and_tests_on_request(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--columns", "coverage,flips,alike")
    assert {"coverage", "alike"} <= set(done.out.split())
    tested = run("stats", votes, "--reference", "human", "--baseline", "clip")
    assert "against clip" in tested.out
    assert "not tested" in tested.out  # two prompts


def test_whether_a_judge_may_stand_in_for_a_person(run: Run) -> None:
    done = run("stats", data("graphs/sample"), "--replace", "--epsilon", "0.1")
    assert "May a judge stand in for a person?" in done.out
    assert "ε = 0.1" in " ".join(done.out.split())
    few = run("stats", data("graphs/sample"), "--replace", "--reference", "Annotator A (synthetic)")
    assert (few.code, "needs at least 3 people" in few.err) == (2, True)


@pytest.mark.slow
def test_the_scores_are_drawn_for_a_paper(run: Run, tmp_path: Path) -> None:
    done = run("stats", data("graphs/sample"), "--figure", tmp_path / "scores.pdf")
    assert done.code == 0
    assert (tmp_path / "scores.pdf").read_bytes().startswith(b"%PDF")


def test_json_for_scripts(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--json", "--baseline", "clip")
    table = json.loads(done.out)
    assert [row["judge"] for row in table["rows"]] == ["judge", "clip"]
    assert table["rows"][0]["difference"]["name"] == "difference in score"


@pytest.mark.parametrize(
    ("form", "sign"), [("markdown", "| judge |"), ("latex", r"\toprule"), ("csv", "judge,score,")]
)
def test_other_formats(run: Run, votes: Path, form: str, sign: str) -> None:
    done = run("stats", votes, "--reference", "human", "--format", form)
    assert sign in done.out


def test_csv_out_can_be_read_again(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["judge"] for row in rows} == {"clip", "judge"}
    assert "6 comparisons of 2 prompts, judged by human" in done.err
    assert "at least 5 prompts (or items); there are only 2 (score)" in done.err


def test_a_table_without_judges_says_so(run: Run, votes: Path) -> None:
    everyone = [word for name in ("human", "clip", "judge") for word in ("--reference", name)]
    done = run("stats", votes, *everyone)
    assert "There is no judge other than the reference." in done.out


def test_chosen_judges_only(run: Run, votes: Path) -> None:
    done = run("stats", votes, "--reference", "human", "--judge", "clip", "--json")
    assert [row["judge"] for row in json.loads(done.out)["rows"]] == ["clip"]


def test_bad_rows_can_be_left_out(run: Run, votes: Path) -> None:
    votes.write_text(VOTES + "p3,sd,sd,a,a,a\n")
    refused = run("stats", votes, "--reference", "human")
    assert refused.code == 1
    assert "line 8: 'sd' is compared with itself" in refused.err
    done = run("stats", votes, "--reference", "human", "--skip-bad-rows")
    assert done.code == 0
    assert "left out: line 8" in done.err


def test_mistakes_say_what_to_do(run: Run, votes: Path) -> None:
    without = run("stats", votes)
    assert (without.code, "add --reference COLUMN" in without.err) == (2, True)
    wrong = run("stats", votes, "--reference", "humans")
    assert wrong.code == 2
    assert "'human', 'clip', 'judge'" in wrong.err


def test_a_study(run: Run, small: Study) -> None:
    done = run("stats", small.folder)
    assert done.code == 0
    assert "How far judges agree with people" in done.out


def test_a_study_without_verdicts_names_the_import(run: Run, tmp_path: Path) -> None:
    run("study", "new", tmp_path / "new")
    done = run("stats", tmp_path / "new")
    assert done.code == 2
    assert "semiosis import votes" in done.err
    assert "judges: none" not in done.err
