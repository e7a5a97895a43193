"""Mistakes in hand-written readings: each error names the line and the fix."""

import os
from pathlib import Path

import pytest

from semiosis.files import image, parse_yaml, read_hsg
from semiosis.values import DataError
from tests.files.test_handwritten import COMPOSITE, PICTURE, WHOLE, placed

TEXT = '{text: "A white lily beside a skull, a lily"'
NOWHERE = "{nowhere: the whole picture says it}"
FREE = "- {part: lily, contrasts: skull"

MISTAKES = [
    ("semiosis: 1", "semiosis: 2", 1, ["not a version 1 reading", "semiosis: 1"]),
    ("reader: Ada Example\n", "", 1, ["'reader' is missing", "reader: …"]),
    ("reader: Ada Example", 'reader: ""', 3, ["this value is empty"]),
    ("reader: Ada Example", "reader: Ada\nauthor: Bo", 4, ["unknown field 'author'", "use one of"]),
    ("detail: complex", "detail: deep", 4, ["unknown detail 'deep'", "standard, complex"]),
    ("repeat: 1", "repeat: one", 5, ["'one' is not a whole number"]),
    ("repeat: 1", "repeat: -1", 5, ["'-1' is not a whole number"]),
    ("repeat: 1", f"repeat: {'9' * 5000}", 5, ["is not a whole number"]),
    ("repeat: 1", "given: [other.yaml]", 5, ["neither the id of an HSG nor a file", "its path"]),
    ("repeat: 1", "given: other.yaml", 5, ["expected a list", "'- '"]),
    ("sign: {text:", "sign: {tekst:", 2, ["unknown field 'tekst'", "did you mean 'text'?"]),
    (TEXT + ", ", "{", 2, ["one of text, image and parts"]),
    ("sign: {text:", "sign: {image: x.png, text:", 2, ["one of text, image and parts"]),
    ('"A white lily beside a skull, a lily"', '""', 2, ["at least 1 character"]),
    (TEXT, "{image: gone.png", 2, ["cannot read", "'gone.png'"]),
    (TEXT, "{parts: []", 2, ["at least 1 item"]),
    (TEXT, "{parts: [{text: a}, {text: a}]", 2, ["listed twice"]),
    (TEXT, "{parts: [{parts: [{text: a}]}]", 2, ["a part cannot have parts"]),
    ("  object: the short", "  objekt: the short", 9, ["unknown field 'objekt'", "did you mean 'object'?"]),
    ("  object: the shortness of life\n", "", 7, ["'object' is missing", "object: …"]),
    ("object: the shortness of life", "object:", 9, ["this value is empty", "write a few words"]),
    ("object: the shortness of life", "object: [life]", 9, ["expected text"]),
    ("object: the", "object: life\n  object: the", 10, ["'object' occurs twice"]),
    (
        "label: vanitas",
        "label: vanitas\n  supports: x",
        8,
        ["the root is not part of a whole", "remove this line"],
    ),
    ("iconic: 30%", "ikonic: 30%", 13, ["unknown field 'ikonic'", "did you mean 'iconic'?"]),
    ("iconic: 30%", "iconic: strong", 13, ["'strong' is not a ground", "0.8, because …"]),
    ("iconic: 30%", "iconic: 1.3", 13, ["'1.3' is not a ground", "from 0 to 1"]),
    ("iconic: 30%", "iconic: -0.3", 13, ["is not a ground"]),
    ("iconic: 30%", "iconic: 0.3.1", 13, ["is not a ground"]),
    ("iconic: 30%", "iconic: 0,3", 13, ["decimal comma", "write a point"]),
    (NOWHERE, '{nowhere: ""}', 16, ["this value is empty"]),
    (NOWHERE, "{nowhere: x, quote: lily}", 16, ["one of quote, box"]),
    (NOWHERE, "{nowhere: x, part: 1}", 16, ["unknown field 'part'"]),
    (NOWHERE, "{}", 16, ["one of quote, box", "10% 20% 40% 60%"]),
    (NOWHERE, "{box: 1% 2% 3% 4%}", 16, ["no image to draw a box in"]),
    (NOWHERE, "{quote: lily, part: 2}", 16, ["there is no part 2"]),
    (NOWHERE, "x\n  places: [x]", 7, ["both 'place' and 'places'"]),
    ("contrasts: life against bone", "denies: life", 19, ["unknown field 'denies'"]),
    (
        "      contrasts: life against bone\n",
        "",
        18,
        ["a part needs exactly one relation", "supports: …, elaborates"],
    ),
    ("contrasts: life", "supports: x\n      contrasts: life", 18, ["keep one of: supports: …, contrasts"]),
    ("- white LILY", "- a red rose", 24, ["does not contain these words: 'a red rose'", "quote words from"]),
    ("occurrence: 2", "occurrence: 3", 25, ["contains these words only 2 times"]),
    ("occurrence: 2", "occurrence: 0", 25, ["numbered from 1"]),
    ("occurrence: 2", "occurence: 2", 25, ["did you mean 'occurrence'?"]),
    ("parts:\n    - label: lily", "parts:\n      label: lily", 33, ["not YAML", "check the indentation"]),
    ("parts:\n        - label: petal", "parts:\n          label: petal", 27, ["expected a list"]),
    (FREE, "- {part: rose, contrasts: skull", 40, ["no node is labelled 'rose'", "use one of: vanitas"]),
    (FREE, "- {part: lily", 40, ["one relation word"]),
    (FREE, "- {part: skull, contrasts: skull", 40, ["cannot relate to itself"]),
    (FREE, "- {part: lily, supports: vanitas", 40, ["already have a relation"]),
    ("label: petal", "label: skull", 40, ["more than one node is labelled 'skull'"]),
    (FREE + ", how: white against bone}", "lily", 40, ["expected a list"]),
    ("place: {nowhere: it fell}", "places: []", 27, ["this node has no place", "nowhere: why it has none"]),
    ("          place: {nowhere: it fell}\n", "", 27, ["this node has no place"]),
    ("repeat: 1", "supersedes: first.yaml", 5, ["is not the id of an HSG"]),
    ("object: purity", "object: purity: of heart", 21, ["not YAML", "quote texts that contain ':'"]),
    ("object: purity", "object: pu\x07rity", 21, ["U+0007 is not allowed in YAML"]),
    ("reader: Ada Example", r'reader: "A\x1bda"', 3, ["a control character is not allowed in text"]),
    ("contrasts: life against bone", r'contrasts: "\0"', 19, ["a control character is not allowed in text"]),
    ("{nowhere: it fell}", r'{claim: "\ud800"}', 32, ["a control character is not allowed in text"]),
    ("object: purity", "\tobject: purity", 21, ["not YAML"]),
    ("object: purity", "object: *purity", 21, ["aliases and tags are not supported"]),
    ("object: purity", "object: !!python/name:os.system purity", 21, ["aliases and tags are not supported"]),
    ("object: purity", "object: !secret purity", 21, ["aliases and tags are not supported"]),
]
"""What is replaced, by what, the line that is wrong then, and words of the message."""


@pytest.mark.parametrize(("old", "new", "line", "words"), MISTAKES, ids=[new[:40] for _, new, *_ in MISTAKES])
def test_a_mistake_shows_its_line_and_the_fix(old: str, new: str, line: int, words: list[str]) -> None:
    assert old in WHOLE
    with pytest.raises(DataError) as caught:
        parse_yaml(WHOLE.replace(old, new, 1), file="vanitas.yaml")
    message = str(caught.value)
    assert message.startswith(f"vanitas.yaml:{line}: "), message
    assert "\n  → " in message
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ("40 60 160 180", ["is not a box", "77 150 307 460 px"]),
        ("10% 20% 40%", ["is not a box"]),
        ("10% 20 40% 60%", ["is not a box"]),
        ("10% 20% 40% 60% px", ["is not a box"]),
        ("1.2.3% 20% 40% 60%", ["is not a box"]),
        ("left side", ["is not a box"]),
        ("10% 20% 40% 160%", ["does not lie in the image", "400 × 300 pixels"]),
        ("0 0 401 300 px", ["does not lie in the image", "400 × 300 pixels"]),
        ("40% 20% 10% 60%", ["does not lie in the image", "x0 < x1"]),
        ("-5 0 10 10 px", ["does not lie in the image"]),
    ],
)
def test_a_wrong_box_shows_its_line_and_the_size_of_the_image(
    folder: Path, box: str, words: list[str]
) -> None:
    with pytest.raises(DataError) as caught:
        placed(PICTURE.replace("10% 20% 40% 60%", box), folder)
    assert caught.value.where == f"{folder / 'reading.yaml'}:9"
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("place: white", ["does not say which part", "one of 1, 3"]),
        ("place: {quote: white, part: 2}", ["part 2 is not a text", "one of 1, 3"]),
        ("place: {box: 1% 2% 3% 4%, part: 1}", ["part 1 is not an image", "one of 2"]),
        ("place: {quote: white, part: 4}", ["there is no part 4", "3 part(s), counted from 1"]),
        ("place: {quote: white, part: 3}", ["does not contain these words"]),
    ],
)
def test_a_wrong_part(folder: Path, place: str, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        placed(COMPOSITE.replace("PLACE", place), folder)
    assert all(word in str(caught.value) for word in words)


def test_a_quote_needs_a_text(folder: Path) -> None:
    with pytest.raises(DataError, match="no text to quote"):
        placed(PICTURE.replace("{box: 10% 20% 40% 60%}", "lily"), folder)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "the file is empty"),
        ("# only a comment\n", "the file is empty"),
        ("- a list\n", "expected fields"),
        (WHOLE + "---\nsemiosis: 1\n", "another document"),
        ("semiosis: 1\nsign: " + "{a: " * 3000 + "1" + "}" * 3000, "nested more than 50 levels deep"),
        (r'"\UFFFFFFFF": 1', "an escape does not name a character"),
        (r'"\U00110000": 1', "an escape does not name a character"),
        ("a" * 1_000_001, "more than 1,000,000 bytes"),
    ],
    ids=["empty", "comment", "list", "documents", "deep", "int", "chr", "large"],
)
def test_a_file_without_a_reading_is_refused(source: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        parse_yaml(source)


def test_an_image_has_no_language(folder: Path) -> None:
    with pytest.raises(DataError, match="only a text has a language"):
        placed(PICTURE.replace("pictures/x.png", "pictures/x.png, language: en"), folder)


@pytest.mark.parametrize(
    "source",
    ["[" * 50_000, "{" * 50_000, "- " * 50_000, "[" + "a," * 100_000],
    ids=["brackets", "braces", "dashes", "items"],
)
def test_limits_apply_while_yaml_is_scanned(source: str) -> None:
    """Without the limits, 4,000 brackets take twelve seconds, and 50,000 do not end."""
    with pytest.raises(DataError, match=r"levels deep|entries"):
        parse_yaml(source)


def test_a_pipe_and_a_device_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    for name in ("pipe.yaml", "zero.yaml", "zero.json"):
        with pytest.raises(DataError, match="not a regular file"):
            read_hsg(tmp_path / name)
    with pytest.raises(DataError, match="not a regular file"):
        image(tmp_path / "pipe.yaml")


def test_a_large_json_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(10_000_001)
    with pytest.raises(DataError, match="more than 10,000,000 bytes"):
        read_hsg(tmp_path / "large.json")
