"""Tables as spreadsheets save them."""

from pathlib import Path

import pytest

from semiosis.study._names import name_key
from semiosis.study._table import read_table, whole_number
from semiosis.values import DataError, UsageError


def test_a_line_that_names_the_separator_is_not_a_row(tmp_path: Path) -> None:
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


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b'prompt,a\nx,"y\nz,w\n', "line 2: the row that begins here does not end"),
        ("t.csv", b"prompt,a\nx\n", "line 2: 1 cell, but the first line has 2"),
        ("t.jsonl", b'{"prompt": "x", "Prompt": "y"}\n', "line 1: two fields are called 'prompt'"),
        pytest.param("t.jsonl", b'{"prompt": ' + b"[" * 100_000, "line 1: not a JSON object", id="deep"),
    ],
)
def test_rows_that_cannot_be_read_are_named_by_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_table(tmp_path / name, {"prompt": ()}, required=["prompt"]).raise_if_bad()


def test_empty_lines_and_rows_of_empty_cells_are_not_rows(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes(b"\xef\xbb\xbf\r\n;;\r\nprompt;a\r\n;\r\nx;y\r\n;;\r\n")
    read = read_table(table, {"prompt": ()}, encoding="utf-8")
    assert [(row.line, row.cells) for row in read.rows] == [(5, {"prompt": "x", "a": "y"})]
    assert not read.bad


def test_an_unknown_heading_or_encoding_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("prompt,id\nx,y\n")
    with pytest.raises(UsageError, match="the column 'id' is named twice"):
        read_table(table, {"prompt": (), "id": ()}, columns={"prompt": "id", "id": "id"})
    with pytest.raises(UsageError, match="unknown encoding"):
        read_table(table, {}, encoding="utf\0")


@pytest.mark.parametrize(("cell", "number"), [("2", 2), ("2.0", 2), ("0", 0)])
def test_whole_numbers_are_read_as_programs_write_them(cell: str, number: int) -> None:
    assert whole_number(cell, "repeat") == number
    for bad in ("-1", "1.5", "one", "", "\u00b2"):
        with pytest.raises(ValueError, match="is not a whole number"):
            whole_number(bad, "repeat")


def test_names_are_compared_without_suffix_case_and_leading_zeros() -> None:
    assert [name_key(name) for name in (" 007.PNG", "./P01/Flux.jpeg", "a\\b.webp", "0")] == [
        "7",
        "p01/flux",
        "a/b",
        "0",
    ]
    assert name_key("0" * 10_000 + "1") == "1"
