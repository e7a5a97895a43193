"""Chooses the readings a comparison is judged on: blind by default, one interpreter for all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from semiosis.study._study import Study
from semiosis.values import HSG, Comparison, Detail, Unscored


@dataclass(frozen=True)
class Choice:
    """Which readings to take."""

    interpreter: str = ""
    """The reader's name; empty for the first that read everything needed."""
    detail: Detail | None = None
    """How deep; None for the first that fits."""
    given: bool = False
    """Whether artifacts are read given the prompt's HSG. Blind and given never pool."""
    repeat: int = 0
    """Which repeat."""


class Trio(NamedTuple):
    """The HSGs of a comparison."""

    prompt: HSG
    a: HSG
    b: HSG


def trio(study: Study, comparison: Comparison, choice: Choice = Choice()) -> Trio | Unscored:  # noqa: B008  # frozen
    """The HSGs of a comparison's prompt and artifacts, all by one interpreter in one depth."""
    for prompt in _blind(study, comparison.prompt, choice):
        a = _artifact(study, comparison.a, prompt, choice)
        b = _artifact(study, comparison.b, prompt, choice)
        if a is not None and b is not None:
            return Trio(prompt, a, b)
    wanted = "given the prompt" if choice.given else "blind"
    return Unscored(reason="missing", detail=f"no interpreter read prompt, a and b ({wanted})")


def _blind(study: Study, sign: str, choice: Choice) -> Iterator[HSG]:
    for hsg in study.readings(sign):
        reading = hsg.reading
        named = not choice.interpreter or reading.interpreter.name == choice.interpreter
        deep = choice.detail is None or reading.detail == choice.detail
        if named and deep and hsg.blind and reading.repeat == choice.repeat:
            yield hsg


def _artifact(study: Study, sign: str, prompt: HSG, choice: Choice) -> HSG | None:
    wanted = prompt.reading
    for hsg in study.readings(sign):
        reading = hsg.reading
        alike = (reading.interpreter, reading.detail, reading.repeat)
        if alike != (wanted.interpreter, wanted.detail, choice.repeat):
            continue
        if hsg.blind if not choice.given else reading.given == (prompt.id,):
            return hsg
    return None
