"""The settings of an evaluator, with which it can be made again. They name no server and no key."""

import shlex
from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from semiosis.ask import STRUCTURED, Model
from semiosis.study._cases import ReadingRule
from semiosis.values import Parameters, Primitive, Text, Value

EvaluatorType = Literal["reader", "aligner", "scorer", "judge", "examinee"]
"""Who makes readings, alignments, scores, verdicts or answers."""

_COMMANDS: dict[EvaluatorType, str] = {
    "reader": "read",
    "aligner": "align",
    "scorer": "score",
    "judge": "run",
    "examinee": "answer",
}
_MODEL_OPTIONS = ("max_tokens", "temperature")
"""Settings of a model for which the command line has options."""


class ModelSettings(Value):
    """A model and the settings of its calls, without its address, which only the user can give."""

    name: Text
    """The full name, such as `anthropic/claude-sonnet-5`."""
    parameters: Parameters = Field(default={}, validate_default=True)
    """Settings of every call."""
    structured: str = ""
    """How the answer's schema reaches the model; empty for the default."""

    @classmethod
    def of(cls, model: Model) -> "ModelSettings":
        """Return the settings of a model."""
        return cls(name=model.full_name, parameters=dict(model.parameters), structured=model.structured or "")

    def model(self) -> Model:
        """Return the model at its provider's own address."""
        structured = next((form for form in STRUCTURED if form == self.structured), None)
        return Model(self.name, "", self.parameters, structured)


class EvaluatorSettings(Value):
    """How an evaluator was made: its name in the registry, and the user's options."""

    type: EvaluatorType
    """Whether it reads, aligns, scores, judges or answers."""
    name: Text
    """Its name in the registry with its argument, such as `align:minilm`."""
    model: ModelSettings | None = None
    """The model that it asks."""
    builder: ModelSettings | None = None
    """The model that reads, if it is another one."""
    rule: ReadingRule = ReadingRule()
    """Which existing readings it uses."""
    options: Parameters = Field(default={}, validate_default=True)
    """Its other options, such as `repeats`."""

    def command(self, language: str) -> str:
        """Return the command that continues its work, for a study that is read in this language.

        Some settings of an experiment, such as two models with different temperatures, have no options on the
        command line. The experiment continues such work.
        """
        if not self._fits_command_line:
            return "semiosis experiment STUDY FILE.toml"
        own = {name: value for name, value in self.options.items() if value != _DEFAULTS.get(name)}
        own.pop("language", None)
        options = {**self._name_options, **self._model_options, **self._rule_options(language), **own}
        rendered = [_rendered(name, value) for name, value in options.items() if _is_set(value)]
        return " ".join((f"semiosis {_COMMANDS[self.type]} STUDY", *rendered))

    @property
    def _fits_command_line(self) -> bool:
        reading, judging = self.builder, self.model
        same = reading is None or judging is None or reading.parameters == judging.parameters
        return same and not (judging and judging.parameters.keys() - set(_MODEL_OPTIONS))

    @property
    def _name_options(self) -> dict[str, Primitive]:
        argument = self.name.partition(":")[2]
        if self.type == "aligner":
            return {"embedder": argument} if argument else {}
        return {self.type: self.name} if self.type in ("judge", "scorer") else {}

    @property
    def _model_options(self) -> dict[str, Primitive]:
        if self.model is None:
            return {}
        builder: Mapping[str, Primitive] = {"builder": self.builder.name} if self.builder else {}
        structured = {"structured": self.model.structured} if self.model.structured else {}
        return {"model": self.model.name, **builder, **structured, **self.model.parameters}

    def _rule_options(self, language: str) -> dict[str, Primitive]:
        rule, stated = self.rule, self.options.get("language", self.rule.language)
        return {
            "interpreter": rule.interpreter,
            "detail": rule.detail or "",
            "language": "" if stated == language else stated,
            "given": rule.given,
        }


_DEFAULTS: dict[str, Primitive] = {"detail": "standard", "repeat": 0}
"""Values of options that the command line has without being told."""


def _is_set(value: Primitive) -> bool:
    return value is not False and value != ""


def _rendered(name: str, value: Primitive) -> str:
    """Return an option of the command line as text."""
    option = f"--{name.replace('_', '-')}"
    return option if value is True else f"{option} {shlex.quote(str(value))}"
