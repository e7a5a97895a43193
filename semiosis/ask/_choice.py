"""Computes the probability of each choice from the token probabilities of a model's answer."""

import math
import re
from collections.abc import Sequence

from semiosis.ask._decode import Token


def choice_probabilities(
    tokens: Sequence[Token], field: str, choices: Sequence[str]
) -> dict[str, float] | None:
    """Return the probability of each choice as the value of a string field of a JSON answer.

    The probabilities are those of the value's first token among the tokens that the provider lists, and sum
    to 1. A choice that is not listed gets 0. None if there are no token probabilities, if the field is not
    found, or if two choices begin with the same token.
    """
    text = "".join(token.text for token in tokens)
    fields = list(re.finditer(rf'"{re.escape(field)}"\s*:\s*"', text))
    if not fields:
        return None
    start, position = fields[-1].end(), 0
    for token in tokens:
        if position <= start < position + len(token.text):
            return _normalized(token, text[position:start], choices)
        position += len(token.text)
    return None


def _normalized(token: Token, before: str, choices: Sequence[str]) -> dict[str, float] | None:
    listed = {token.text: token.log_probability, **token.alternatives}
    masses = dict.fromkeys(choices, 0.0)
    for text, log_probability in listed.items():
        beginning = text.removeprefix(before)
        if not text.startswith(before) or not beginning:
            continue
        fitting = [choice for choice in choices if _begins(choice, beginning)]
        if len(fitting) > 1:
            return None
        for choice in fitting:
            masses[choice] += math.exp(log_probability)
    total = math.fsum(masses.values())
    return {choice: mass / total for choice, mass in masses.items()} if total else None


def _begins(choice: str, beginning: str) -> bool:
    return choice.startswith(beginning) or beginning.startswith(f'{choice}"') or beginning == choice
