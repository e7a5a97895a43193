"""Tables as spreadsheets save them."""

from pathlib import Path

import pytest

from semiosis.files import whole_number
from semiosis.study._names import name_key
from semiosis.study._table import read_table
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


def test_naming_a_column_selects_one_of_two_headings(tmp_path: Path) -> None:
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
    for bad in ("-1", "1.5", "one", "", "\u00b2", "9" * 20, "9" * 5000):
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


def test_excels_unicode_text_is_a_table_and_plain_lines_are_prompts(tmp_path: Path) -> None:
    table = tmp_path / "t.txt"
    table.write_bytes(b"\xff\xfe" + "Prompt ID\tPrompt\r\np1\tA lily\r\n".encode("utf-16-le"))
    known = {"prompt": (), "id": ("prompt_id",)}
    assert read_table(table, known, lines=True).rows[0].cells == {"id": "p1", "prompt": "A lily"}
    table.write_text("A lily, white\nA skull\n")
    assert [row.cells for row in read_table(table, known, lines=True).rows] == [
        {"prompt": "A lily, white"},
        {"prompt": "A skull"},
    ]
    table.write_text("a,b\nx,y\n")  # votes are never plain lines
    assert read_table(table, {"a": ()}, required=["a"]).rows[0].get("a") == "x"


def test_headings_are_found_with_spaces_and_dashes(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("File Name,Image-Path\nx.png,y\n")
    assert read_table(table, {"file": ("file_name",)}).rows[0].get("file") == "x.png"
    with pytest.raises(DataError, match="both 'File Name' and 'Image-Path' may be the column 'file'"):
        read_table(table, {"file": ("file_name", "image_path")}, required=["file"])


@pytest.mark.parametrize(
    ("name", "content", "encoding", "message"),
    [
        ("t.csv", b"\n\n", "", "the file is empty"),
        ("t.jsonl", b"", "", "the file is empty"),
        ("t.json", b'[\n{"prompt": "x"}]', "", "this is one JSON list, not one JSON object per line"),
        ("t.csv", b"\xef\xbb\xbfprompt\nx\n", "cp1252", "begins with the mark of UTF-8, so it is not cp1252"),
        ("t.csv", b"prompt\rx\r\xe9\r", "", "line 3: the text is not UTF-8"),
        ("t.csv", b"prompt\nx\n", "utf-16", "leave --encoding out, or name another one"),
    ],
)
def test_files_without_a_table_are_refused_with_a_reason(
    tmp_path: Path, name: str, content: bytes, encoding: str, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_table(tmp_path / name, {"prompt": ()}, encoding=encoding)
    assert message in str(caught.value)


def test_empty_cells_after_the_last_column_are_no_cells(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("prompt,a\nx,y,,\nx,y,,z\n")
    read = read_table(table, {"prompt": ()})
    assert [row.cells for row in read.rows] == [{"prompt": "x", "a": "y"}]
    assert read.bad == {3: "4 cells, but the first line has 2"}
