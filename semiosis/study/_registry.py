"""The registry of evaluators: readers, aligners, scorers, judges and examinees by short name."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from semiosis.align import Aligner, ModelAligner
from semiosis.ask import Asker, Model
from semiosis.judge import Examinee, Judge, ScoreJudge
from semiosis.read import Reader
from semiosis.score import REFUSED, Family, Scorer
from semiosis.study._cases import ReadingRule
from semiosis.study._judge_run import StudyJudge
from semiosis.study._score_judge import recorded_scores
from semiosis.study._settings import EvaluatorSettings, EvaluatorType, ModelSettings
from semiosis.study._study import Study
from semiosis.values import Primitive, UsageError

Need = Literal["model", "readings", "pictures", "weights", "scores", "questions"]
"""What an evaluator needs: a model that it asks; readings, pictures, scores or questions that the study has;
or the weights of a model that runs on this machine."""

NEEDS: dict[Need, str] = {
    "readings": "readings",
    "model": "a model",
    "pictures": "pictures",
    "weights": "weights of a model",
    "scores": "recorded scores",
    "questions": "questions",
}
"""Each need in words, in the order of tables."""


MODEL_ARGUMENT = "MODEL"
"""The argument of a name that is itself the model, which then needs no option."""


@dataclass(frozen=True)
class EvaluatorOptions:
    """The user's choices for the evaluators of a run."""

    asker: Asker | None = None
    """Asks the models."""
    model: Model | None = None
    """The model that is asked."""
    builder: Model | None = None
    """The model that reads; None for the model that judges."""
    rule: ReadingRule = field(default_factory=ReadingRule)
    """Which readings are used by evaluators that need existing ones."""
    settings: Mapping[str, Primitive] = field(default_factory=dict)
    """Other options, such as `repeats`, by the names that the evaluators use."""
    study: Study | None = None
    """The study, for evaluators that use its recorded scores."""

    def required_model(self, name: str, fix: str = "such as --model anthropic/claude-sonnet-5") -> Model:
        """Return the model, or raise a UsageError that names the evaluator."""
        if self.model is None:
            raise UsageError(f"{name!r} needs a model", fix=f"add --model provider/model, {fix}")
        return self.model

    def recorded(self, type_: EvaluatorType, name: str) -> EvaluatorSettings:
        """Return the settings of an evaluator that is made with these options, as a run records them."""
        return EvaluatorSettings(
            type=type_,
            name=name,
            model=ModelSettings.of(self.model) if self.model else None,
            builder=ModelSettings.of(self.builder) if self.builder else None,
            rule=self.rule,
            options=dict(self.settings),
        )


@dataclass(frozen=True)
class RegisteredEvaluator:
    """One entry of the registry."""

    type: EvaluatorType
    """Whether it reads, aligns, scores, judges or answers."""
    name: str
    """The short name, such as `semjudge:published`."""
    about: str
    """What it does."""
    make: Callable[[str, EvaluatorOptions], Any]
    """Makes the evaluator from the argument of its name and the user's options."""
    needs: frozenset[Need] = frozenset()
    """What it needs."""
    argument: str = ""
    """The argument that the name accepts, such as `EMBEDDER`; empty if it accepts none."""
    argument_required: bool = False
    """Whether the name is incomplete without its argument."""
    calls: str = "none"
    """The number of calls to a model. A reading is made once, for all comparisons that use it."""
    good_for: str = ""
    """The research question that it helps to answer."""
    questions: Literal["", "picture", "reading"] = ""
    """How its model answers questions in an experiment: from the picture, also from its reading, or not."""
    family: Family | None = None
    """How a scorer arrives at its number."""

    @property
    def form(self) -> str:
        """The name with its argument, in brackets if it may be left out, such as `align[:EMBEDDER]`."""
        if self.argument_required:
            return self.name + self._mark + self.argument
        return f"{self.name}[{self._mark}{self.argument}]" if self.argument else self.name

    def asks_for_model(self, spec: str) -> bool:
        """Return whether the user has to name a model beside this specification."""
        return "model" in self.needs and not (self.argument == MODEL_ARGUMENT and self.argument_of(spec))

    @property
    def needs_in_words(self) -> str:
        """What it needs, as text."""
        return ", ".join(words for need, words in NEEDS.items() if need in self.needs) or "nothing"

    def argument_of(self, spec: str) -> str | None:
        """Return the argument in a specification such as `align:minilm`; None for another evaluator's."""
        if spec == self.name:
            return ""
        argument = spec.removeprefix(self.name + self._mark)
        return argument if self.argument and argument not in ("", spec) else None

    @property
    def _mark(self) -> str:
        return "=" if ":" in self.name else ":"


_REGISTRY: dict[tuple[EvaluatorType, str], RegisteredEvaluator] = {}


def register(entry: RegisteredEvaluator) -> RegisteredEvaluator:
    """Add an evaluator to the registry and return its entry. Two evaluators of a type cannot share a name."""
    if (entry.type, entry.name) in _REGISTRY:
        raise UsageError(
            f"there is already a {entry.type} named {entry.name!r}", fix="register it under another name"
        )
    _REGISTRY[entry.type, entry.name] = entry
    return entry


def evaluators(type_: EvaluatorType) -> dict[str, RegisteredEvaluator]:
    """Return the registered evaluators of a type by name, in the order of their registration."""
    return {name: entry for (registered_type, name), entry in _REGISTRY.items() if registered_type == type_}


def find_entry(type_: EvaluatorType, spec: str) -> RegisteredEvaluator:
    """Return the entry that a specification such as `align:minilm` names, or raise a UsageError."""
    entries = evaluators(type_)
    return _fitting_entry(entries, spec) or _refuse(type_, spec, entries)


def _fitting_entry(entries: Mapping[str, RegisteredEvaluator], spec: str) -> RegisteredEvaluator | None:
    fitting = [entry for entry in entries.values() if entry.argument_of(spec) is not None]
    return max(fitting, key=lambda entry: len(entry.name), default=None)


def _refuse(type_: EvaluatorType, spec: str, names: Iterable[str]) -> NoReturn:
    if reason := REFUSED.get(spec.casefold()):
        problem, _, alternative = reason.partition("; ")
        raise UsageError(f"{spec!r} is not supported: {problem}", fix=alternative)
    raise UsageError(
        f"there is no {type_} {spec!r}",
        fix=f"choose one of {', '.join(names)}; semiosis run --list describes them",
    )


def make_evaluator(type_: EvaluatorType, spec: str, options: EvaluatorOptions) -> Any:
    """Return the evaluator of a type that a specification names."""
    entry = find_entry(type_, spec)
    argument = entry.argument_of(spec) or ""
    if entry.argument_required and not argument:
        raise UsageError(
            f"the {type_} {spec!r} is incomplete", fix=f"write {entry.form}, with your own {entry.argument}"
        )
    return entry.make(argument, options)


def find_judge(spec: str, options: EvaluatorOptions) -> StudyJudge:
    """Return the judge that a specification such as `align:minilm` names.

    >>> find_judge("align", EvaluatorOptions()).judge.evaluator.kind
    'program'
    """
    if find_judging_entry(spec).type == "scorer":
        judging = _score_judge(spec, options)
    else:
        made: Judge | StudyJudge = make_evaluator("judge", spec, options)
        judging = made if isinstance(made, StudyJudge) else StudyJudge(made)
    return StudyJudge(judging.judge, judging.rule, options.recorded("judge", spec))


def _score_judge(spec: str, options: EvaluatorOptions) -> StudyJudge:
    """Return the judge that prefers the artifact to which a scorer gives the higher score."""
    scorer = find_scorer(spec, options)
    scores = {} if options.study is None else recorded_scores(options.study, scorer.evaluator)
    rule = options.rule if "readings" in find_entry("scorer", spec).needs else None
    return StudyJudge(ScoreJudge(scorer, scores=scores), rule)


def judging_entries() -> dict[str, RegisteredEvaluator]:
    """Return what can judge, by name: the judges, and the scorers, each of which is a judge too."""
    judges = evaluators("judge")
    return {**judges, **{name: entry for name, entry in evaluators("scorer").items() if name not in judges}}


def find_judging_entry(spec: str) -> RegisteredEvaluator:
    """Return the entry of the judge, or of the scorer that judges, that a specification names."""
    entries = judging_entries()
    return _fitting_entry(entries, spec) or _refuse("judge", spec, entries)


def find_scorer(spec: str, options: EvaluatorOptions) -> Scorer:
    """Return the scorer that a specification such as `recorded:clip` names."""
    scorer: Scorer = make_evaluator("scorer", spec, options)
    return scorer


def find_reader(options: EvaluatorOptions) -> Reader:
    """Return the reader that asks the model of the options."""
    reader: Reader = make_evaluator("reader", "model", options)
    return reader


def find_aligner(spec: str, options: EvaluatorOptions) -> Aligner | ModelAligner:
    """Return the aligner that a specification such as `embedder:minilm` or `model` names."""
    aligner: Aligner | ModelAligner = make_evaluator("aligner", spec, options)
    return aligner


def find_examinee(options: EvaluatorOptions) -> Examinee:
    """Return the examinee that asks the model of the options."""
    examinee: Examinee = make_evaluator("examinee", "vqa", options)
    return examinee
