"""Hand-written readings: a complete one, every kind of place, images and references to other files."""

from pathlib import Path

import pytest

from semiosis.files import parse_yaml, read_hsg
from semiosis.values import (
    HSG,
    Box,
    CompositeSign,
    DataError,
    ImageSign,
    Relation,
    Span,
    TextSign,
    UnresolvedPlace,
    to_json,
)
from tests.strategies import a_text

WHOLE = """\
semiosis: 1
sign: {text: "A white lily beside a skull, a lily", title: Vanitas, tradition: christian, language: en}
reader: Ada Example
detail: complex
repeat: 1
root:
  label: vanitas
  sign: a still life
  object: the shortness of life
  interpretant: remember that you will die
  dynamic_object: a warning to the rich
  grounds:
    iconic: 30%
    indexical: 0.1
    symbolic: 0.8, because the genre is a convention
  place: {nowhere: the whole picture says it}
  parts:
    - label: lily
      contrasts: life against bone
      sign: a white lily
      object: purity
      interpretant: a vow
      places:
        - white LILY
        - {quote: lily, occurrence: 2}
      parts:
        - label: petal
          elaborates: ""
          sign: a petal
          object: fading
          interpretant: haste
          place: {nowhere: it fell}
    - label: skull
      supports: it says death outright
      sign: a skull
      object: death
      interpretant: fear
      place: skull
relations:
  - {part: lily, contrasts: skull, how: white against bone}
"""


def test_a_whole_reading() -> None:
    hsg = parse_yaml(WHOLE)
    assert isinstance(hsg.sign, TextSign)
    assert (hsg.sign.title, hsg.sign.tradition, hsg.sign.language) == ("Vanitas", "christian", "en")
    assert hsg.reading.interpreter.name == "Ada Example"
    assert (hsg.reading.interpreter.kind, hsg.reading.detail, hsg.reading.repeat) == ("person", "complex", 1)
    labels = {node: semiosis.label for node, semiosis in hsg.semioses.items()}
    assert labels == {"root": "vanitas", "n1": "lily", "n2": "petal", "n3": "skull"}
    assert set(hsg.relations) == {
        Relation(whole="root", part="n1", relation="contrasts", how="life against bone"),
        Relation(whole="n1", part="n2", relation="elaborates"),
        Relation(whole="root", part="n3", relation="supports", how="it says death outright"),
        Relation(whole="n3", part="n1", relation="contrasts", how="white against bone", hierarchy=False),
    }
    root = hsg.semioses["root"]
    assert root.grounds.strengths == (0.3, 0.1, 0.8)
    assert (root.grounds.iconic.why, root.grounds.symbolic.why) == ("", "the genre is a convention")
    assert root.dynamic_object == "a warning to the rich"
    assert (root.nowhere, root.location) == ("the whole picture says it", "global")
    assert hsg.semioses["n1"].places == (
        Span(start=2, end=12, quote="white lily"),
        Span(start=31, end=35, quote="lily"),
    )
    assert hsg.semioses["n2"].location == "global"


@pytest.mark.parametrize(
    ("written", "strength", "why"),
    [
        ("0.8, because it is so", 0.8, "it is so"),
        ("0.8; it is so", 0.8, "it is so"),
        ("0.8 — it is so", 0.8, "it is so"),
        ("80%, because: a colon", 0.8, "because: a colon"),
        ("1", 1, ""),
        (".5", 0.5, ""),
        ("0", 0, ""),
    ],
)
def test_ways_to_write_a_ground(written: str, strength: float, why: str) -> None:
    source = WHOLE.replace("symbolic: 0.8, because the genre is a convention", f"symbolic: '{written}'")
    ground = parse_yaml(source).semioses["root"].grounds.symbolic
    assert (ground.strength, ground.why) == (strength, why)


def test_a_claim_is_kept_as_unlocated() -> None:
    hsg = parse_yaml(WHOLE.replace("place: skull", "place: {claim: a candle, reason: no candle is named}"))
    assert hsg.semioses["n3"].unresolved == (UnresolvedPlace(claim="a candle", reason="no candle is named"),)
    assert hsg.unlocated == ("n3",)


# Images and composite signs

PICTURE = """\
semiosis: 1
sign: {image: pictures/x.png}
reader: Ada
root:
  label: lily
  sign: a lily
  object: purity
  interpretant: a vow
  place: {box: 10% 20% 40% 60%}
"""


def placed(source: str, folder: Path) -> HSG:
    file = folder / "reading.yaml"
    file.write_text(source, encoding="utf-8")
    return read_hsg(file)


@pytest.mark.parametrize(
    "box",
    [
        "10% 20% 40% 60%",
        "40 60 160 180 px",
        "40 60 160 180px",
        "[10%, 20%, 40%, 60%]",
        "'10%, 20%, 40%, 60%'",
    ],
)
def test_boxes_in_percent_and_pixels(folder: Path, box: str) -> None:
    hsg = placed(PICTURE.replace("10% 20% 40% 60%", box), folder)
    assert isinstance(hsg.sign, ImageSign)
    assert hsg.sign.path == str(folder / "pictures" / "x.png")
    (place,) = hsg.semioses["root"].places
    assert isinstance(place, Box)
    assert (place.x0, place.y0, place.x1, place.y1) == (0.1, 0.2, 0.4, 0.6)


COMPOSITE = PICTURE.replace(
    "{image: pictures/x.png}",
    "{parts: [{text: A white lily}, {image: pictures/x.png}, {text: beside a skull}]}",
).replace("place: {box: 10% 20% 40% 60%}", "PLACE")


@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("place: {box: 10% 20% 40% 60%}", 1),  # only one part is an image
        ("place: {box: 10% 20% 40% 60%, part: 2}", 1),
        ("place: {quote: white, part: 1}", 0),
        ("place: {quote: skull, part: 3}", 2),
        ("place: {claim: a candle, part: 3}", 2),
    ],
)
def test_parts_of_a_composite_sign_are_counted_from_1(folder: Path, place: str, part: int) -> None:
    hsg = placed(COMPOSITE.replace("PLACE", place), folder)
    assert isinstance(hsg.sign, CompositeSign)
    root = hsg.semioses["root"]
    assert [where.part for where in (*root.places, *root.unresolved)] == [part]


# Files


def test_a_reading_given_another(folder: Path) -> None:
    first = placed(WHOLE, folder)
    (folder / "first.yaml").write_text(WHOLE)
    (folder / "first.json").write_text(to_json(first))
    for given in ("first.yaml", "first.json", first.id):
        second = placed(PICTURE.replace("root:", f"given: [{given}]\nroot:"), folder)
        assert second.reading.given == (first.id,)
        assert not second.blind


def test_a_reading_given_itself(folder: Path) -> None:
    with pytest.raises(DataError, match="given to itself") as caught:
        placed(PICTURE.replace("root:", "given: [reading.yaml]\nroot:"), folder)
    assert caught.value.where.endswith("reading.yaml:4")


def test_reading_a_file(folder: Path) -> None:
    hsg = placed(WHOLE, folder)
    assert read_hsg(folder / "reading.yaml") == hsg
    (folder / "hsg.json").write_text(to_json(hsg), encoding="utf-8")
    assert read_hsg(folder / "hsg.json") == hsg
    (folder / "bom.yaml").write_text(WHOLE, encoding="utf-8-sig")
    assert read_hsg(folder / "bom.yaml") == hsg


@pytest.mark.parametrize("name", ["reading.yaml", "reading.json"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="cannot read the file"):
        read_hsg(tmp_path / name)
    (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="cannot read the file"):
        read_hsg(tmp_path / name)


def test_json_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "sign.json").write_text(to_json(a_text()))
    with pytest.raises(DataError, match="contains a text, not an HSG"):
        read_hsg(tmp_path / "sign.json")


CHAIN = """\
semiosis: 1
sign: {text: "A white lily beside a chandelier"}
reader: Ada Example
root:
  label: room
  sign: a room
  object: a house of prayer
  interpretant: one lowers the voice
  importance: 1
  place: {nowhere: it is the whole}
  parts:
    - label: lily
      supports: ""
      sign: a white lily
      object: purity
      interpretant: a promise kept
      importance: 60%
      grounds: {symbolic: 0.9，由于传统}
      place: white lily
    - label: promise
      elaborates: ""
      takes_up: lily
      sign: a promise kept
      object: the virgin birth
      interpretant: nothing is forced
    - label: candle
      contrasts: ""
      sign: no candle burns
      object: the presence of God has gone
      interpretant: the room has been left
      place: {absent: a chandelier has candles}
"""


def test_importance_chains_and_absences_are_read() -> None:
    hsg = parse_yaml(CHAIN)
    assert [hsg.semioses[node].importance for node in ("root", "n1", "n2")] == [1.0, 0.6, None]
    assert hsg.semioses["n2"].takes_up == "n1"
    assert [hsg.semioses[node].location for node in hsg.semioses] == ["global", "located", "global", "absent"]
    assert hsg.semioses["n3"].nowhere == "a chandelier has candles"
    assert hsg.unlocated == ()
    assert hsg.semioses["n1"].grounds.symbolic.why == "由于传统"  # after a full-width comma


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("takes_up: lily", "takes_up: rose", 22, ["no node is labelled 'rose'"]),
        ("takes_up: lily", "takes_up: promise", 22, ["its own interpretant", "cycle"]),
        ("importance: 60%", "importance: 60", 17, ["'60' is not an importance", "from 0 to 1"]),
        ("object: purity", "immediate object: purity", 15, ["unknown field", "the field 'object'"]),
        (
            "{symbolic: 0.9，由于传统}",
            "{symbolic: 0.9, because of tradition}",
            18,
            ["quote the ground within braces"],
        ),
        ("place: {absent: a chandelier", "place: {absence: a chandelier", 31, ["did you mean 'absent'"]),
    ],
)
def test_mistakes_in_optional_fields_are_explained(old: str, new: str, line: int, words: list[str]) -> None:
    assert CHAIN.count(old) == 1
    with pytest.raises(DataError) as raised:
        parse_yaml(CHAIN.replace(old, new))
    assert f"reading.yaml:{line}" in str(raised.value)
    for word in words:
        assert word in str(raised.value)
