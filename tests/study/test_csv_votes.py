"""CSV files of votes that other programs wrote."""

import os
from pathlib import Path

import pytest

from semiosis.stats import compare, outcomes_of
from semiosis.study import Study, compare_study, read_votes
from semiosis.values import DataError, UsageError
from tests.small import make_study

WIDE = """\
prompt,a,b,human,clip,judge
p1,sd,flux,a,a,a
p1,sd,dalle,A,b,tie
p2,flux,dalle,b,,b
"""
LONG = """\
prompt;a;b;evaluator;winner;repeat;shown
p1;sd;flux;human;a;;
p1;sd;flux;judge;a;0;ab
p1;sd;flux;judge;b;0;ba
p1;sd;flux;judge;a;1;ab
"""


def written(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    file = folder / "votes.csv"
    file.write_text(content, encoding=encoding)
    return file


def test_wide(tmp_path: Path) -> None:
    votes = read_votes(written(tmp_path, WIDE)).votes
    assert votes.evaluators == ("human", "clip", "judge")
    assert (votes.prompt, votes.a) == (("p1", "p1", "p2"), ("sd", "sd", "flux"))
    assert outcomes_of(votes, "human").winner.tolist() == [[1, 1, -1]]
    assert str(outcomes_of(votes, "clip").winner.tolist()) == "[[1.0, -1.0, nan]]"


def test_long_with_repeats_and_orders(tmp_path: Path) -> None:
    votes = read_votes(written(tmp_path, LONG)).votes
    found = outcomes_of(votes, "judge")
    # The first repeat flips, and the second is shown in one order only.
    assert found.winner.tolist() == [[0], [1]]
    assert found.flip.tolist() == [[True], [False]]


def test_a_pair_in_the_other_order_is_the_same_comparison(tmp_path: Path) -> None:
    content = "prompt,a,b,human,judge\np,x,y,a,a\np,y,x,,a\n"
    votes = read_votes(written(tmp_path, content)).votes
    assert len(votes.prompt) == 1
    # The winner is x in the order x, y, and y in the order y, x: opposite winners.
    assert outcomes_of(votes, "judge").flip.tolist() == [[True]]


def test_a_byte_order_mark_semicolons_and_spaces_are_read(tmp_path: Path) -> None:
    content = WIDE.replace(",", " ; ")
    votes = read_votes(written(tmp_path, content, "utf-8-sig")).votes
    assert votes.evaluators == ("human", "clip", "judge")
    assert read_votes(written(tmp_path, WIDE.replace(",", "\t"))).votes.prompt == votes.prompt


def test_columns_can_have_other_names_and_others_are_ignored(tmp_path: Path) -> None:
    content = "case,one,two,note,me,it\n7,x,y,nice,a,b\n8,x,y,poor,b,b\n"
    names = {"prompt": "case", "a": "one", "b": "two"}
    votes = read_votes(written(tmp_path, content), columns=names, judges=["me", "it"]).votes
    assert votes.prompt == ("7", "8")
    with pytest.raises(UsageError, match="did you mean 'me'"):
        read_votes(written(tmp_path, content), columns=names, judges=["mee"])
    with pytest.raises(DataError, match="--column prompt=HEADING"):
        read_votes(written(tmp_path, content))


def test_usual_headings_are_recognised(tmp_path: Path) -> None:
    content = "prompt_id,left,right,annotator,vote\n7,x,y,Ann,left\n8,x,y,Ann,y\n"
    votes = read_votes(written(tmp_path, content)).votes
    assert (votes.evaluators, votes.winner.tolist()) == (("Ann",), [1, -1])


def test_a_foreign_column_gives_one_message_that_says_how_to_name_the_judges(tmp_path: Path) -> None:
    rows = "".join(f"p{n},x,y,{'ab'[n % 2]},{'ba'[n % 2]},{n % 5}\n" for n in range(40))
    file = written(tmp_path, "prompt,a,b,human,tifa,votes_a\n" + rows)
    for skip in (False, True):
        with pytest.raises(DataError) as caught:
            read_votes(file, skip_bad_rows=skip)
        message = str(caught.value)
        assert "column without votes: 'votes_a', such as '0' in line 2" in message
        assert "name the judges and the reference: --judge 'human' --judge 'tifa'" in message
        assert "bad rows" not in message
    assert read_votes(file, judges=["human", "tifa"]).votes.evaluators == ("human", "tifa")


def test_a_row_that_repeats_a_vote_counts_once_and_is_reported(tmp_path: Path) -> None:
    file = written(tmp_path, "prompt,a,b,human\np,x,y,a\np,x,y,a\n")
    read = read_votes(file)
    assert (len(read.votes.winner), read.notes) == (1, ("line 3 repeats line 2",))


def test_bad_rows_are_named_by_line(tmp_path: Path) -> None:
    content = 'prompt,a,b,human\np,x,y,a\np,"x\ny",z,middle\n\np,x,x,a\np,,y,b\np,x\np,x,y,b\n'
    with pytest.raises(DataError) as caught:
        read_votes(written(tmp_path, content))
    message = str(caught.value)
    # The second row spans lines 3 and 4, and line 5 is empty.
    assert "5 bad rows" in message
    assert "line 3: the winner 'middle' of 'human' is not" in message
    assert "line 6: 'x' is compared with itself" in message
    assert "line 7: 'a' is empty" in message
    assert "line 8: 2 cells, but the first line has 4" in message
    assert "line 9: line 2 has a vote on this pair" in message
    kept = read_votes(written(tmp_path, content), skip_bad_rows=True)
    assert [row.line for row in kept.bad] == [3, 6, 7, 8, 9]
    assert len(kept.votes.prompt) == 1


def test_bad_rows_of_a_long_file(tmp_path: Path) -> None:
    head = "prompt,a,b,evaluator,winner,repeat,shown\n"
    bad = "p,x,y,,a,0,ab\np,x,y,j,a,first,ab\np,x,y,j,a,0,left\np,x,y,j,c,0,ab\n"
    rows = bad + "p,x,y,j,a,0,ab\np,y,x,j,a,,ba\n" + f"p,x,y,j,a,{'9' * 20},ab\np,x,y,j,a,{'9' * 5000},ab\n"
    with pytest.raises(DataError) as caught:
        read_votes(written(tmp_path, head + rows))
    message = str(caught.value)
    assert "line 2: 'evaluator' is empty" in message
    assert "line 3: repeat 'first'" in message
    assert "line 4: order shown 'left'" in message
    assert "line 5: the winner 'c' of 'j' is not" in message
    # (y, x) in the order ba is (x, y) in the order ab, so the row repeats a vote.
    assert "line 7: line 6 has a vote on this pair" in message
    assert f"line 8: repeat '{'9' * 20}' is not a whole number" in message  # no array holds it
    assert "line 9: repeat '999" in message


def test_many_bad_rows_are_counted_not_all_listed(tmp_path: Path) -> None:
    content = "prompt,a,b,human\n" + "".join(f"p,x,y{i},?\n" for i in range(50))
    with pytest.raises(DataError, match="and 40 more"):
        read_votes(written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"prompt,a,b,h\n", "there are no votes"),
        (b"prompt,a,b\np,x,y\n", "no column holds"),
        (b"prompt,a,b,h,h\np,x,y,a,b\n", "two columns are called 'h'"),
        (b"prompt,a,b,h\np,x,\xff,a\n", "not UTF-8"),
        (b'prompt,a,b,h\np,x,"y,a\n', "check the quotation marks"),
    ],
)
def test_files_that_are_not_votes(tmp_path: Path, content: bytes, what: str) -> None:
    file = tmp_path / "votes.csv"
    file.write_bytes(content)
    with pytest.raises(DataError, match=what):
        read_votes(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read the table: No such file"):
        read_votes(tmp_path / "nothing.csv")


def test_a_pipe_and_a_device_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", Path("/dev/zero")):
        with pytest.raises(DataError, match="not a regular file"):
            read_votes(path)


@pytest.mark.slow
def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    rows = "".join(f"p{i // 10},g{i % 7},h{i % 5},{'ab'[i % 2]},{'ab'[i % 3 % 2]}\n" for i in range(100_000))
    votes = read_votes(written(tmp_path, "prompt,a,b,human,judge\n" + rows), skip_bad_rows=True).votes
    table = compare(votes, reference="human")
    assert table.n_reference == len(votes.prompt)


def test_a_study_is_compared_with_its_people(tmp_path: Path) -> None:
    study: Study = make_study(tmp_path / "small")
    table = compare_study(study)
    people = {v.evaluator.name for v in study.verdicts if v.evaluator.kind == "person"}
    assert set(table.reference) == people
    assert all(row.judge not in people for row in table.rows)
