"""JSON in and out: exact round trips, versions, ids, schemas."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from semiosis.values import (
    HSG,
    JSON_VERSION,
    KINDS,
    Answer,
    DataError,
    ImageSign,
    Recorded,
    Score,
    Span,
    UsageError,
    from_json,
    schema,
    text,
    to_json,
)
from tests.strategies import (
    a_reading,
    a_semiosis,
    a_text,
    a_verdict,
    an_evaluator,
    an_hsg,
    an_id,
    by_kind,
    grounds,
    recorded,
    unscored,
)


def test_there_is_a_strategy_for_every_kind() -> None:
    assert set(by_kind) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_every_value_is_restored_exactly(kind: str, data: st.DataObject) -> None:
    value = data.draw(by_kind[kind])
    line = to_json(value)
    back = from_json(line)
    assert back == value
    assert back.id == value.id
    assert to_json(back) == line
    assert back.kind == kind


@given(by_kind["hsg"])
def test_every_field_of_an_hsg_is_restored(hsg: HSG) -> None:
    back = from_json(to_json(hsg))
    assert isinstance(back, HSG)
    assert (back.sign, back.reading) == (hsg.sign, hsg.reading)
    assert list(back.semioses.items()) == list(hsg.semioses.items())
    assert back.relations == hsg.relations
    assert list(back.nodes(data=True)) == list(hsg.nodes(data=True))


@given(recorded)
def test_a_value_is_one_line_of_plain_json_in_utf_8(value: Any) -> None:
    line = to_json(value)
    assert "\n" not in line
    assert list(json.loads(line))[:3] == ["kind", "version", "id"]
    assert from_json(line.encode()) == value


def test_text_is_kept_readable_in_json() -> None:
    assert "百合 زنبق 👩\u200d🎨" in to_json(text("百合 زنبق 👩\u200d🎨"))


@pytest.mark.parametrize("kind", KINDS)
def test_json_follows_its_schema(kind: str) -> None:
    described = schema(kind)
    jsonschema.Draft202012Validator.check_schema(described)
    validator = jsonschema.Draft202012Validator(described)

    @given(by_kind[kind])
    def holds(value: Recorded) -> None:
        validator.validate(json.loads(to_json(value)))

    holds()


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_requires_the_version_and_describes_every_field(kind: str) -> None:
    described = schema(kind)
    assert {"kind", "version"} <= set(described["required"])
    for name, field in described["properties"].items():
        assert field.get("description"), f"{kind}.{name} says nothing"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"kind": kind, "version": JSON_VERSION, "surprise": 1}, described)


def test_the_schema_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="kinds are text, image"):
        schema("sculpture")


def changed(line: str, **fields: Any) -> str:
    return json.dumps({name: value for name, value in (json.loads(line) | fields).items() if value != ...})


LINE = to_json(a_text())


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "not JSON"),
        ('{"kind":"text"', "not JSON"),
        ("[" * 100_000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ('{"kind":"text","version":1,"text":"\\ud800"}', "not JSON"),
        (LINE.replace("1", "NaN", 1), "not JSON"),
        (LINE.replace('"round":0', '"round":' + "9" * 5000), "not JSON"),
        ("[]", "not a JSON object"),
        ('"text"', "not a JSON object"),
        (changed(LINE, kind=...), "unknown kind None"),
        (changed(LINE, kind="sculpture"), "unknown kind 'sculpture'"),
        (changed(LINE, kind=["text"]), "unknown kind"),
        (changed(LINE, version=2), "written by a newer Semiosis"),
        (changed(LINE, version=0), "version 0, not 1"),
        (changed(LINE, version=...), "version None, not 1"),
        (changed(LINE, version="1"), "version '1', not 1"),
        (changed(LINE, version=True), "version True, not 1"),
        (changed(LINE, version=1.0), "version 1.0, not 1"),
        (changed(LINE, id=an_id("other")), "the content does not match its id"),
        (changed(LINE, text="another text"), "the content does not match its id"),
        (changed(LINE, text=...), "not a valid text: text: Field required"),
        (changed(LINE, text=""), "not a valid text: text: String should have at least 1 character"),
        (changed(LINE, colour="red"), "colour: Extra inputs are not permitted"),
        (changed(LINE, a=1, b=2, c=3, d=4, e=5), r"\(and 2 more\)"),
    ],
    ids=lambda part: f"{part!r:.40}",
)
def test_a_bad_line_says_what_is_wrong_and_where(line: str | bytes, what: str) -> None:
    with pytest.raises(DataError, match=what) as caught:
        from_json(line, where="signs.jsonl:7")
    assert caught.value.where == "signs.jsonl:7"
    assert caught.value.fix


def test_an_id_may_be_left_out() -> None:
    assert from_json(changed(LINE, id=...)) == a_text()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"semioses": []}, "at least 1 item"),
        (
            {"relations": [{"whole": "root", "part": "n9", "relation": "supports"}]},
            "'n9', which does not exist",
        ),
        ({"relations": [{"whole": "root", "part": "n1", "relation": "denies"}]}, "'supports', 'elaborates'"),
    ],
)
def test_a_bad_hsg_names_the_file(change: dict[str, Any], what: str) -> None:
    with pytest.raises(DataError, match=what) as caught:
        from_json(changed(to_json(an_hsg()), id=..., **change), where="hsgs/run.jsonl:3")
    assert caught.value.where == "hsgs/run.jsonl:3"


def test_two_nodes_with_the_same_id_are_refused() -> None:
    fields = json.loads(to_json(an_hsg()))
    fields["semioses"].append(fields["semioses"][0])
    with pytest.raises(DataError, match="two nodes have the same id"):
        from_json(json.dumps(fields))


def test_half_a_surrogate_pair_is_refused_before_it_reaches_a_file() -> None:
    with pytest.raises(ValidationError, match="unicode"):
        text("x", title="\ud800")


# Strictness


PLACED = HSG(
    a_text("A lily"),
    {"root": a_semiosis(grounds=grounds(iconic=0.25), places=[Span(start=2, end=6, quote="lily")])},
    [],
    a_reading(),
)


@pytest.mark.parametrize("number", ["true", '" 2 "', '"1_000"', '"1.5"', '"2"', "null"])
@pytest.mark.parametrize(
    ("value", "field"),
    [
        (a_text(round=1), '"round":1'),
        (a_verdict(repeat=1), '"repeat":1'),
        (a_verdict(p_a=1.0), '"p_a":1.0'),
        (Answer(evaluator=an_evaluator(), question=an_id("q"), choice=1), '"choice":1'),
        (Score(evaluator=an_evaluator(), artifact=an_id("a"), value=1.0), '"value":1.0'),
        (an_hsg(), '"repeat":0'),
        (PLACED, '"start":2'),
        (PLACED, '"strength":0.25'),
    ],
    ids=["round", "repeat", "p_a", "choice", "value", "reading", "start", "strength"],
)
def test_only_numbers_are_read_as_numbers(value: Recorded, field: str, number: str) -> None:
    line = to_json(value)
    assert field in line
    changed = line.replace(field, field.partition(":")[0] + ":" + number)
    if field.startswith('"p_a"') and number == "null":
        return  # None is allowed: the probability was not stated
    with pytest.raises(DataError, match="not a valid"):
        from_json(changed)


@pytest.mark.parametrize("flag", ["1", '"yes"', '"true"'])
def test_only_true_and_false_are_read_as_booleans(flag: str) -> None:
    line = to_json(an_hsg())
    assert '"hierarchy":true' in line
    with pytest.raises(DataError, match="not a valid hsg"):
        from_json(line.replace('"hierarchy":true', f'"hierarchy":{flag}', 1))


def test_a_key_that_occurs_twice_is_refused() -> None:
    line = to_json(a_text())
    with pytest.raises(DataError, match="the key 'text' occurs twice"):
        from_json(line.replace('"text":"A', '"text":"x","text":"A'))


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\ufffe"])
def test_a_control_character_is_refused(character: str) -> None:
    line = to_json(a_text("lily", title="X"))
    with pytest.raises(DataError, match="title: a control character is not allowed in text"):
        from_json(line.replace('"title":"X"', '"title":' + json.dumps(f"a{character}b")))
    with pytest.raises(ValidationError):
        a_text(f"a{character}b")


def test_control_characters_in_a_reply_are_replaced() -> None:
    """A reply that was paid for is kept, whatever is in it."""
    assert unscored(raw="a\x00b", detail="\x1b[31m").raw == "a\N{REPLACEMENT CHARACTER}b"
    assert unscored(raw="a\ud800b", detail="\udc80").raw == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("field", ["round", "width"])
def test_an_integer_that_no_database_holds(field: str) -> None:
    sign = ImageSign(sha256="0" * 64, width=1, height=1, media_type="image/png")
    fields = json.loads(to_json(sign))
    with pytest.raises(DataError, match=f"{field}: Input should be less than or equal to 9007199254740991"):
        from_json(json.dumps(fields | {field: 2**53}))
    assert getattr(from_json(json.dumps(fields | {field: 2**53 - 1})), field) == 2**53 - 1
