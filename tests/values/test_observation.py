"""Observations, alignments and cascades: the values they refuse, and their properties."""

from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from semiosis.values import (
    HSG,
    AlignedHSG,
    Alignment,
    Cascade,
    Comparison,
    DataError,
    Grounds,
    Interpreter,
    Match,
    NodeFate,
    Question,
    Rating,
    Score,
    Unscored,
    Verdict,
    to_json,
)
from tests.strategies import (
    a_match,
    a_reading,
    a_semiosis,
    a_text,
    a_verdict,
    aligned,
    an_alignment,
    an_evaluator,
    an_hsg,
    an_id,
    an_image,
    grounds,
    hsgs,
    unscored,
)


def test_unscored_is_neither_true_nor_false() -> None:
    for careless in (bool, lambda value: value or 0.0, lambda value: not value):
        with pytest.raises(TypeError, match="test isinstance"):
            careless(unscored())


def test_nan_and_infinity_are_refused() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValidationError, match="finite"):
            Score(evaluator=an_evaluator(), artifact=an_id("a"), value=value)


def test_an_unknown_price_is_not_zero() -> None:
    assert '"usage":null' in to_json(a_verdict())


def a_question(**fields: Any) -> Question:
    return Question(
        **{"sign": an_id("s"), "text": "What?", "choices": ("a skull", "a lily"), "correct": 0, **fields}
    )


def a_rating(**fields: Any) -> Rating:
    about = {"evaluator": an_evaluator(), "about": an_id("s"), "about_kind": "sign", "scale": "iconicity"}
    return Rating(**{**about, "low": 1, "high": 5, "value": 3, **fields})


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: Comparison(prompt=an_id("p"), a=an_id("a"), b=an_id("a")), "two different artifacts"),
        (lambda: a_question(correct=2), "there are only 2 choices, counted from 0"),
        (lambda: a_question(choices=("a", "a")), "the same choice is listed twice"),
        (lambda: a_question(choices=("a",)), "at least 2 items"),
        (lambda: a_rating(value=6), "6.0 is not on the scale from 1.0 to 5.0"),
        (lambda: a_rating(low=5, high=1), "must be less than `high`"),
        (lambda: Verdict.model_validate({**a_verdict().model_dump(), "winner": "c"}), "'a', 'b' or 'tie'"),
        (lambda: Unscored.model_validate({"reason": "sulking"}), "'refusal', 'timeout'"),
        (lambda: a_verdict(comparison="not an id"), "should match pattern"),
        (lambda: a_verdict(p_a=1.1), "less than or equal to 1"),
        (lambda: an_evaluator(parameters={"seed": 2**63}), "write it as text: '9223372036854775808'"),
        (lambda: an_evaluator(parameters={"nested": {"a": 1}}), "parameters.nested"),
        (lambda: Interpreter(kind="model", name=""), "at least 1 character"),
    ],
)
def test_invalid_observations_are_refused(make: Any, what: str) -> None:
    with pytest.raises(ValidationError, match=what):
        make()


def test_a_rating_may_lie_on_the_ends_of_its_scale() -> None:
    assert [a_rating(value=value).value for value in (1, 5)] == [1, 5]
    assert isinstance(a_rating(value=unscored()).value, Unscored)


def test_settings_cannot_be_changed_afterwards() -> None:
    evaluator = an_evaluator(parameters={"t": 1})
    with pytest.raises(TypeError, match="frozen"):
        evaluator.parameters["t"] = 2
    assert evaluator.parameters.copy() == {"t": 1}
    assert hash(evaluator) == hash(an_evaluator(parameters={"t": 1}))


# Grounds


def test_iconicity_is_the_iconic_share_of_all_strength() -> None:
    assert grounds(0.2, 0.1, 0.7).iconicity == pytest.approx(0.2)
    assert grounds(0.5, 0.5, 1).iconicity == pytest.approx(0.25)
    # 0.1 + 0.2 + 0.3 is 0.6000000000000001 in the `sum` of Python 3.11, and 0.6 in that of 3.12.
    assert grounds(0.1, 0.2, 0.3).iconicity == 0.1 / 0.6
    assert Grounds().iconicity is None  # no ground at all: undefined, not 0


# Alignments

PROMPT = an_hsg()
ARTIFACT = an_hsg(an_image(), ("whole", "rose"))


def test_a_side_averages_over_the_nodes_that_have_a_ground() -> None:
    semioses = {"root": a_semiosis("a", grounds=grounds(1, 0, 0)), "n1": a_semiosis("b", grounds=Grounds())}
    hsg = HSG(a_text(), semioses, PROMPT.relations[:1], a_reading())
    assert AlignedHSG.of(hsg).iconicity == 1
    assert AlignedHSG.of(HSG(a_text(), {"root": semioses["n1"]}, [], a_reading())).iconicity is None


def test_an_alignment_prints_as_a_diff() -> None:
    assert str(an_alignment(PROMPT, ARTIFACT, [("root", "root")], p=0.9)).splitlines() == [
        "Δo 0.70 by embedder test, blind: 1 matched, 2 lost, 1 emergent",  # 1 - 0.9 / 3
        "kept 0.90  whole: what whole stands for  →  whole: what whole stands for",
        "lost  lily: what lily stands for",
        "lost  skull: what skull stands for",
        "emergent  rose: what rose stands for",
    ]


def test_one_given_reading_makes_the_alignment_given() -> None:
    shown = an_hsg(an_image(), ("whole",), reading=a_reading(given=(PROMPT.id,)))
    assert an_alignment(PROMPT, ARTIFACT).condition == "blind"
    assert an_alignment(PROMPT, shown).condition == "given"
    assert an_alignment(shown, PROMPT).condition == "given"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"fates": (NodeFate(node="root", fate="lost"),)}, "each node of HSG"),
        ({"fates": (NodeFate(node="root", fate="lost"),) * 4}, "each node of HSG"),
        ({"distance": 1.5}, "less than or equal to 1"),
    ],
)
def test_an_alignment_accounts_for_every_node_once(change: dict[str, Any], what: str) -> None:
    with pytest.raises(ValidationError, match=what):
        aligned(AlignedHSG.of(PROMPT), AlignedHSG.of(ARTIFACT), (a_match("root", "root"),), **change)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"p": 1.5}, "less than or equal to 1"),
        ({"p": float("nan")}, "finite number"),
        ({"certain": True}, "certain"),
        ({"source": "no name"}, "match pattern"),
        ({"ground_shift": {"iconic": 2, "indexical": 0, "symbolic": 0}}, "less than or equal to 1"),
        (
            {"parts": {"sign": 1, "object": 1, "interpretant": 1, "ground": 1, "structure": 1, "mood": 1}},
            "mood",
        ),
    ],
)
def test_a_match_is_strict_and_frozen(change: dict[str, Any], what: str) -> None:
    match = a_match("root", "root")
    with pytest.raises(ValidationError, match=what):
        Match(**{**vars(match), **change})
    with pytest.raises(AttributeError):
        match.p = 0.0  # type: ignore[misc]  # what mypy refuses too


@given(hsgs(max_nodes=3))
def test_an_hsg_aligned_with_itself_keeps_everything(hsg: HSG) -> None:
    alignment: Alignment = an_alignment(hsg, hsg, [(node, node) for node in hsg], p=1)
    assert (alignment.lost, alignment.emergent, alignment.distance) == ((), (), 0)


def test_a_cascade_has_two_rounds_or_more() -> None:
    assert len(Cascade((PROMPT, ARTIFACT)).hsgs) == 2
    with pytest.raises(DataError, match="at least two HSGs"):
        Cascade((PROMPT,))
