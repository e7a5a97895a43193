"""Probabilities of choices from token probabilities."""

import math

import pytest

from semiosis.ask import Token, choice_probabilities


def _tokens(*texts: str, at: int, **alternatives: float) -> list[Token]:
    """Tokens with probability 1, except that the one at this position has these alternatives."""
    listed = {text: math.log(p) for text, p in alternatives.items()}
    return [
        Token(text, listed.get(text, 0.0) if number == at else 0.0, listed if number == at else {})
        for number, text in enumerate(texts)
    ]


def test_the_probability_of_each_choice() -> None:
    tokens = _tokens('{"', "winner", '": "', "A", '"}', at=3, A=0.6, B=0.2, tie=0.1)
    # 0.6 / (0.6 + 0.2) = 0.75: the third token is not a choice
    assert choice_probabilities(tokens, "winner", ["A", "B"]) == pytest.approx({"A": 0.75, "B": 0.25})


def test_the_value_may_begin_inside_a_token() -> None:
    tokens = [Token('{"winner":', 0.0, {}), Token(' "A', math.log(0.9), {' "B': math.log(0.1)})]
    assert choice_probabilities(tokens, "winner", ["A", "B"]) == pytest.approx({"A": 0.9, "B": 0.1})


def test_a_choice_of_several_tokens_is_known_by_its_first() -> None:
    tokens = _tokens('{"winner": "', "fir", 'st"}', at=1, fir=0.8, sec=0.2)
    assert choice_probabilities(tokens, "winner", ["first", "second"]) == pytest.approx(
        {"first": 0.8, "second": 0.2}
    )


def test_the_last_field_of_that_name_counts() -> None:
    quoted = Token('{"rationale": "not \\"winner\\": here", "winner": "', 0.0, {})
    tokens = [quoted, Token("B", math.log(0.5), {"A": math.log(0.5)})]
    assert choice_probabilities(tokens, "winner", ["A", "B"]) == pytest.approx({"A": 0.5, "B": 0.5})


def test_probabilities_that_cannot_be_known_are_none() -> None:
    tokens = _tokens('{"winner": "', "A", '"}', at=1, A=1.0)
    assert choice_probabilities([], "winner", ["A", "B"]) is None
    assert choice_probabilities(tokens, "loser", ["A", "B"]) is None
    assert choice_probabilities(tokens, "winner", ["A1", "A2"]) is None
    assert choice_probabilities(tokens, "winner", ["X", "Y"]) is None
    assert choice_probabilities(tokens[:1], "winner", ["A", "B"]) is None
