"""Collects imported observations, and rejects those that contradict an earlier one."""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from semiosis.study._adding import content_text
from semiosis.study._names import SignNames
from semiosis.study._study import Study
from semiosis.values import AgentKind, Comparison, Evaluator, Observation, Question, Recorded, UsageError


def choice_sides(choices: Mapping[str, str]) -> dict[str, str]:
    """Return the side that each word means, by the word in lower case; raise if one is not a, b or tie."""
    wrong = next((side for side in choices.values() if side not in ("a", "b", "tie")), None)
    if wrong is not None:
        raise UsageError(f"a choice cannot mean {wrong!r}", fix="let it mean a, b or tie")
    return {choice.casefold(): side for choice, side in choices.items()}


KINDS_OF_AGENT: tuple[AgentKind, ...] = get_args(AgentKind)


@dataclass(frozen=True)
class ImportOptions:
    """How the rows of a table are interpreted."""

    kind: AgentKind | None = None
    """The kind of evaluators, unless a `kind` column or `kinds` states it. None: scores are by programs, all
    other observations by people."""
    kinds: Mapping[str, AgentKind] = field(default_factory=dict)
    """The kinds of particular evaluators, by name."""
    evaluators: Sequence[str] = ()
    """The columns of a wide table that are evaluators; empty for all that have no other meaning."""
    scales: Sequence[str] = ()
    """The scale of ratings without a `scale` column; several for cells such as `[1, 0.5]`."""
    low: float | None = None
    """The lowest value of the scale, unless a `low` column or an earlier rating states it."""
    high: float | None = None
    """The highest value of the scale, unless a `high` column or an earlier rating states it."""
    by: str = ""
    """Who rated, if no column says so."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """What other words than a, b and tie mean in votes: a, b or tie, by the word."""


@dataclass
class ObservationCollector:
    """Collects the observations of a table, each once, with their lines."""

    study: Study
    reject: Callable[[int, str], None]
    """The function that notes the problem of a line."""
    options: ImportOptions = field(default_factory=ImportOptions)
    names: SignNames = field(init=False)
    values: dict[str, Recorded] = field(default_factory=dict)
    """The values to import, by id."""
    lines: dict[str, int] = field(default_factory=dict)
    """The line of each observation, by its id."""
    notes: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    """What to do about bad rows, other than to correct them."""
    choices: dict[str, str] = field(init=False)
    """What words in lower case mean: a, b or tie."""
    pairs: dict[tuple[str, str, str], Comparison] = field(default_factory=dict)
    """Known and new comparisons, by prompt, a and b."""
    questions: dict[str, list[Question]] = field(default_factory=dict)
    """Known and new questions, by text and by id."""
    evaluators: dict[tuple[str, str], Evaluator] = field(default_factory=dict)
    """Evaluators by name and kind."""
    usual_kind: AgentKind = "person"
    """The kind of evaluators that nothing else states."""

    def __post_init__(self) -> None:
        comparisons = self.study.comparisons.values()
        self.names = SignNames(self.study.signs.values(), comparisons)
        self.choices = choice_sides(self.options.choices)
        self.pairs = {(c.prompt, c.a, c.b): c for c in comparisons}
        for question in self.study.questions.values():
            self._index(question)

    def _index(self, question: Question) -> None:
        for name in (question.text, question.id):
            self.questions.setdefault(name, []).append(question)

    def add_question(self, question: Question) -> None:
        """Add a question that the study lacks."""
        self.values[question.id] = question
        self._index(question)

    def comparison(self, asked: Comparison) -> tuple[Comparison, bool]:
        """Return the comparison of two artifacts, and whether the study has it in the other order."""
        prompt, a, b = asked.prompt, asked.a, asked.b
        if swapped := self.pairs.get((prompt, b, a)):
            return swapped, True
        if (prompt, a, b) not in self.pairs:
            self.pairs[prompt, a, b] = asked
            self.values[asked.id] = asked
        return self.pairs[prompt, a, b], False

    def add(self, line: int, value: Observation) -> None:
        """Add an observation. Another one with the same id must say the same."""
        value_id, content = value.id, content_text(value)
        earlier, recorded = self.values.get(value_id), self.study.observations.get(value_id)
        if earlier is not None and content_text(earlier) == content:
            self.notes.append(f"line {line} repeats line {self.lines[value_id]}")
        elif earlier is not None:
            first = f"line {self.lines[value_id]} says {content_text(earlier)!r}"
            self.reject(line, f"says {content!r}, but {first}; number repeats in a repeat column")
        elif recorded is not None and content_text(recorded) != content:
            remove = f"semiosis study remove {self.study.folder} {value_id}"
            known = f"the study has {content_text(recorded)!r}"
            self.reject(line, f"says {content!r}, but {known}; to replace that, first run: {remove}")
        else:
            self.values[value_id], self.lines[value_id] = value, line

    def evaluator(self, name: str, kind: str = "") -> Evaluator:
        """Return the evaluator of this name."""
        if not name:
            raise ValueError("the evaluator is empty")
        kind = kind or self.options.kinds.get(name) or self.options.kind or self.usual_kind
        if kind not in KINDS_OF_AGENT:
            raise ValueError(f"kind {kind!r} is none of {', '.join(KINDS_OF_AGENT)}")
        if (name, kind) not in self.evaluators:
            self.evaluators[name, kind] = Evaluator(kind=kind, name=name)
        return self.evaluators[name, kind]

    @property
    def evaluator_notes(self) -> list[str]:
        """A note that counts the evaluators, if the name of a person looks like that of a program."""
        people = [name for name, kind in self.evaluators if kind == "person"]
        suspects = [(name, option) for name in people if (option := _likely_option(name))]
        if not suspects:
            return []
        counts = Counter(kind for _, kind in self.evaluators)
        count = ", ".join(f"{n} {_PLURALS[kind] if n > 1 else kind}" for kind, n in counts.items())
        names = " and ".join(name for name, _ in suspects)
        are = "is read as a person" if len(suspects) == 1 else "are read as people"
        options = " ".join(f"{option} {shlex.quote(name)}" for name, option in suspects)
        return [f"{count}; {names} {are}: {options}"]


_PLURALS = {"person": "people", "model": "models", "program": "programs"}
_MODELS = ("gpt", "claude", "gemini", "qwen", "llava", "llama", "internvl", "mistral", "deepseek", "grok")
_METRICS = (
    *("clip", "siglip", "blip", "aesthetic", "tifa", "dsg", "hps", "hpsv", "vnli", "deqa", "vqa"),
    *("lpips", "ssim", "fid", "bleu", "dino", "mplug", "alignment", "baseline", "length"),
)
_METRIC_ENDINGS = ("score", "reward", "metric", "iqa", "judge")


def _likely_option(name: str) -> str:
    """Return the option for an evaluator whose name is that of a metric or of a model; empty for a person.

    Words are compared, not parts of words: nobody called Clipperton is a metric.
    """
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    if any(word in _MODELS for word in words):
        return "--model"
    metric = any(word in _METRICS or word.endswith(_METRIC_ENDINGS) for word in words)
    return "--program" if metric else ""
