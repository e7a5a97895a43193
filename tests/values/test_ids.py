"""Ids: pinned values, which hash only content, in the canonical form of RFC 8785."""

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from semiosis.values import (
    HSG,
    MODES,
    Alignment,
    Answer,
    CompositeSign,
    DataError,
    Interpreter,
    Question,
    Rating,
    Score,
    to_json,
)
from semiosis.values._value import canonical, content_id
from tests.strategies import (
    a_comparison,
    a_match,
    a_missing_picture,
    a_reading,
    a_text,
    a_verdict,
    aligned,
    an_alignment,
    an_evaluator,
    an_hsg,
    an_id,
    an_image,
    finite,
    hsgs,
    unscored,
    words,
)

BLIND = an_hsg()
GIVEN = an_hsg(
    an_image(path="a.png"), ("whole", "lily"), reading=a_reading("Bo", given=(BLIND.id,), repeat=1)
)
SERVED = Interpreter(
    kind="model",
    name="m",
    model="a/b",
    served="b-1",
    parameters={"seed": 7, "temperature": 0.5},
    prompt_version="read/3",
)
CLIP = an_evaluator("clip", kind="program", parameters={"model": "b32", "t": 0.1})

GOLDEN: dict[str, Any] = {
    "559df9dcfb9ef734944a": a_text(),
    "eef6d13759ddf6ade062": an_image(),
    "765840e6fb40dc06b5c7": an_image(instance="p2_sdxl"),
    "ffa25d401758bee89f2e": a_missing_picture(),
    "33a37437676897cb182c": CompositeSign(parts=(a_text(), an_image())),
    "34275f99a625dd5bbf7e": BLIND,
    "3c77f80ccfd1ff662eba": GIVEN,
    "87c4dea638e3caf65559": an_alignment(BLIND, GIVEN),
    "8cd65eb768ad54f5ca93": a_comparison(),
    "8add2ab8afe3347d3070": Question(sign=an_id("s"), text="What?", choices=("a", "b"), correct=1),
    "0d36697e9052504ddc8a": a_verdict(),
    "f47dc379b798f1ec2aeb": a_verdict(unscored(), shown="ba", repeat=2, used=(BLIND.id,)),
    "68f932c405fd28e83642": Rating(
        evaluator=an_evaluator(),
        about=an_id("s"),
        about_kind="sign",
        scale="iconicity",
        low=1,
        high=5,
        value=3,
    ),
    "30531908af82c9754e3a": Answer(evaluator=an_evaluator(), question=an_id("q"), choice=0),
    "0541664b16264930d284": Score(evaluator=CLIP, prompt=an_id("p"), artifact=an_id("a"), value=0.25),
    "194aa32844ce3ab679c7": SERVED,
    "207406d1d37e5d997355": an_evaluator(),
}
"""Ids as they were in version 1. They must not change, because people already have these values."""


@pytest.mark.parametrize("pinned", GOLDEN)
def test_ids_stay_as_they_were(pinned: str) -> None:
    assert GOLDEN[pinned].id == pinned


def test_the_id_of_an_hsg_with_places_stays_as_it_was(full_hsg: HSG) -> None:
    assert full_hsg.id == "f28b4a7fa202f7a96749"


def test_an_id_can_be_recomputed_with_nothing_but_a_hash() -> None:
    by_hand = '{"idv":1,"kind":"text","text":"A white lily beside a skull"}'
    assert a_text().id == hashlib.sha256(by_hand.encode()).hexdigest()[:20]


# What an id hashes


def test_line_ends_do_not_change_a_text() -> None:
    assert a_text("one\r\ntwo").id == a_text("one\ntwo").id
    assert a_text("one\rtwo").id != a_text("one\ntwo").id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (a_text(), a_text(title="T", tradition="christian", tags=("x",), generator="g", round=3)),
        (an_image(), an_image(width=1, height=1, path="elsewhere.png", title="T")),
        (an_image(), an_image(seed="7")),
        (a_missing_picture(), a_missing_picture(reason="filtered", title="p01_sdxl", round=1)),
        (a_verdict("a"), a_verdict("b", p_a=0.1, rationale="because")),
        (a_verdict("a"), a_verdict(unscored())),
    ],
)
def test_what_is_not_part_of_an_id(one: Any, other: Any) -> None:
    assert one.id == other.id
    assert one != other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (a_text("lily"), a_text("Lily")),
        (a_text("e\u0301"), a_text("é")),
        (an_image("a"), an_image("b")),
        (an_image(), an_image(instance="p02_sdxl")),
        (a_missing_picture(), a_missing_picture("flux")),
        (a_missing_picture(), a_missing_picture(seed="7")),
        (a_missing_picture(), a_missing_picture(round=2)),
        (CompositeSign(parts=(a_text(), an_image())), CompositeSign(parts=(an_image(), a_text()))),
        (an_hsg(), an_hsg(reading=a_reading(repeat=1))),
        (an_hsg(), an_hsg(reading=a_reading("Bo"))),
        (an_hsg(), an_hsg(reading=a_reading(given=(an_id("x"),)))),
        (an_hsg(), an_hsg(reading=a_reading(beside=(an_id("x"),)))),
        (an_hsg(), an_hsg(labels=("whole", "rose", "skull"))),
        (a_comparison(a="a", b="b"), a_comparison(a="b", b="a")),
        (a_verdict(shown="ab"), a_verdict(shown="ba")),
        (a_verdict(repeat=0), a_verdict(repeat=1)),
        (an_evaluator(parameters={"t": 1}), an_evaluator(parameters={"t": "1"})),
    ],
)
def test_what_is_part_of_an_id(one: Any, other: Any) -> None:
    assert one.id != other.id


def test_floats_are_hashed_to_the_sixth_decimal() -> None:
    assert content_id("x", {"p": 0.1 + 0.2}) == content_id("x", {"p": 0.3})
    assert content_id("x", {"p": 0.3}) != content_id("x", {"p": 0.300001})
    assert content_id("x", {"p": 1.0}) == content_id("x", {"p": 1})
    assert content_id("x", {"p": -0.0}) == content_id("x", {"p": 0})


def test_the_id_of_an_alignment_hashes_its_hsgs_method_embedder_and_weights() -> None:
    def alignment(**fields: Any) -> Alignment:
        one = an_alignment(BLIND, GIVEN)
        return aligned(one.source, one.target, (a_match("root", "root", 0.5),), **fields)

    assert alignment().id == an_alignment(BLIND, GIVEN).id
    assert len({alignment(**{name: "2"}).id for name in ("method", "embedder", "weights")}) == 3


# The canonical form, against the library for RFC 8785 and the plain projection

contents = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), finite, words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4)),
)


def rounded(content: Any) -> Any:
    """Return the content with its floats rounded to six digits."""
    if isinstance(content, float):
        return round(content, 6)
    if isinstance(content, dict):
        return {name: rounded(item) for name, item in content.items()}
    return [rounded(item) for item in content] if isinstance(content, list) else content


@given(contents)
def test_the_canonical_form_is_that_of_rfc_8785(content: Any) -> None:
    assert canonical(content) == rfc8785.dumps(rounded(content))


@pytest.mark.parametrize(
    ("number", "spelled"),
    [
        (0.0001, b"0.0001"),
        (0.00009, b"0.00009"),  # Python writes 9e-05
        (1e-6, b"0.000001"),
        (4e-7, b"0"),
        (-0.0, b"0"),
        (1e15, b"1000000000000000"),
        (9007199254740994.0, b"9007199254740994"),
        (1e16, b"10000000000000000"),
        (1e21, b"1e+21"),
        (1.5e300, b"1.5e+300"),
        (2**53 - 1, b"9007199254740991"),
    ],
)
def test_numbers_as_ecmascript_writes_them(number: float, spelled: bytes) -> None:
    assert canonical(number) == rfc8785.dumps(round(number, 6)) == spelled


def test_keys_are_in_the_order_of_their_utf_16_form() -> None:
    # U+1F600 is written D83D DE00 in UTF-16, so it sorts before U+FB33, although its code point is higher.
    assert canonical({"\ufb33": 1, "\U0001f600": 2, "a": 3}) == '{"a":3,"\U0001f600":2,"\ufb33":1}'.encode()


@pytest.mark.parametrize("content", [float("nan"), float("inf"), 2**53, {1: 2}, {1, 2}, b"x", "\ud800"])
def test_what_json_cannot_hold_has_no_canonical_form(content: object) -> None:
    with pytest.raises(DataError, match="cannot be written as JSON"):
        canonical({"content": content})


PROJECTION: dict[str, Any] = {
    **dict.fromkeys(("label", "sign", "object", "interpretant", "dynamic_object", "nowhere"), True),
    **dict.fromkeys(("absent", "takes_up", "importance"), True),  # dumped only if they are set
    "grounds": {mode: {"strength": True, "why": True} for mode in MODES},
    "places": {
        "__all__": dict.fromkeys(("kind", "part", "start", "end", "quote", "x0", "y0", "x1", "y1"), True)
    },
    "unresolved": {"__all__": {"part": True, "claim": True, "reason": True}},
}


@given(hsgs())
def test_the_id_of_any_hsg_by_a_second_implementation(hsg: HSG) -> None:
    line = json.loads(to_json(hsg))
    projection = {
        "idv": 1,
        "kind": "hsg",
        "sign": hsg.sign.id,
        "interpreter": hsg.reading.interpreter.id,
        "given": line["reading"]["given"],
        "beside": line["reading"]["beside"],
        "repeat": line["reading"]["repeat"],
        "semioses": {node: s.model_dump(mode="json", include=PROJECTION) for node, s in hsg.semioses.items()},
        "relations": sorted(
            [r["whole"], r["part"], r["relation"], r["how"], r["hierarchy"]] for r in line["relations"]
        ),
    }
    assert hsg.id == hashlib.sha256(rfc8785.dumps(rounded(projection))).hexdigest()[:20]
