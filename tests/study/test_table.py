"""Tables as spreadsheets save them."""

from pathlib import Path

import pytest

from semiosis.study._table import read_table
from semiosis.values import DataError, UsageError


def test_a_line_that_names_the_separator_is_no_row(tmp_path: Path) -> None:
    table = tmp_path / "excel.csv"
    table.write_bytes(b"\xef\xbb\xbfsep=;\r\nfile;evaluator;value\r\n\r\nx;Ann;?\r\n")
    read = read_table(table, {"file": (), "evaluator": (), "value": ()})
    assert [(row.line, row.get("evaluator")) for row in read.rows] == [(4, "Ann")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"prompt,Prompt,a,b\n", "line 1: two columns are called 'prompt'"),
        (b"left,image_a,b,evaluator,winner\n", "line 1: both 'left' and 'image_a' may be the column 'a'"),
        (b"PK\x03\x04\x00\x00", "this is not a text file"),
    ],
)
def test_headings_and_files_that_are_unclear_are_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    table = tmp_path / "votes.csv"
    table.write_bytes(content)
    known = {"prompt": ("text",), "a": ("left", "image_a"), "b": ()}
    with pytest.raises((DataError, UsageError), match=message):
        read_table(table, known, required=["a"])


def test_naming_a_column_settles_which_is_meant(tmp_path: Path) -> None:
    table = tmp_path / "votes.csv"
    table.write_text("left,image_a\nx,y\n")
    read = read_table(table, {"a": ("left", "image_a")}, required=["a"], columns={"a": "image_a"})
    assert read.rows[0].get("a") == "y"
