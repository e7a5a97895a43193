"""Observations: what one evaluator said once. Statistics read only observations."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, StrictFloat, model_validator

from semiosis.values._reading import AgentKind
from semiosis.values._value import (
    MAX_INT,
    Id,
    Integer,
    NodeId,
    Parameters,
    ReplyText,
    Superseding,
    Text,
    UnitInterval,
    Value,
    content_id,
    is_unset,
)

UnscoredReason = Literal[
    "refusal", "timeout", "cut-off", "empty", "malformed", "provider", "missing", "budget", "undefined"
]
"""Why there is no value. `missing`: there is no reply, reading or image.
`undefined`: the number does not exist, such as a correlation with a constant."""

Winner = Literal["a", "b", "tie"]
"""Who won a comparison. It refers to the comparison's a and b, whichever order was shown."""

Order = Literal["ab", "ba"]
"""The order in which the two artifacts were shown."""

Stance = Literal["a", "b", "neutral"]
"""Which artifact a citation supports."""


class Unscored(Value):
    """The reason why there is no value. It never becomes 0, a tie or a guess."""

    reason: UnscoredReason
    """What went wrong, in one word."""
    detail: ReplyText = ""
    """What went wrong, in a sentence."""
    raw: ReplyText = ""
    """The reply as received, if there was one."""

    def __bool__(self) -> bool:
        # `if verdict.winner` and `score or 0` would quietly turn a failure into a value.
        raise TypeError("Unscored is neither true nor false; test isinstance(value, Unscored)")


class Evaluator(Value):
    """Who judges, rates, answers or scores."""

    kind: AgentKind
    """A model, a person, or a program."""
    name: Text = Field(min_length=1)
    """The name of the evaluator in tables."""
    parameters: Parameters = Field(default={}, validate_default=True)
    """The settings of the evaluator."""

    @property
    def id(self) -> str:
        """The hash of kind, name and settings."""
        return content_id("evaluator", {"kind": self.kind, "name": self.name, "parameters": self.parameters})


LABEL_SETTINGS = ("detail", "builder", "readings", "prompt", "language")
"""The settings that distinguish two evaluators of one name first. All others follow in alphabetical order."""
MAX_LABEL_VALUE = 40
"""Settings with longer values are not used in labels."""


def evaluator_labels(evaluators: Iterable[Evaluator]) -> dict[str, str]:
    """Return the label of each evaluator among the others, by id: its name, if no other has the same.

    Evaluators that share a name are told apart by the settings in which they differ, or by the start of
    their ids. Every table, figure, page and cost names evaluators by these labels.

    >>> settings = [{"detail": "standard"}, {"detail": "complex"}]
    >>> judges = [Evaluator(kind="model", name="m", parameters=each) for each in settings]
    >>> list(evaluator_labels(judges).values())
    ['m (detail standard)', 'm (detail complex)']
    """
    by_id = {evaluator.id: evaluator for evaluator in evaluators}
    by_name: dict[str, list[Evaluator]] = {}
    for evaluator in by_id.values():
        by_name.setdefault(evaluator.name, []).append(evaluator)
    labels: dict[str, str] = {}
    for evaluator_id, evaluator in by_id.items():
        namesakes = by_name[evaluator.name]
        distinction = ", ".join(_distinguishing_settings(evaluator, namesakes))
        labels[evaluator_id] = f"{evaluator.name} ({distinction})" if distinction else evaluator.name
    counts = Counter(labels.values())
    return {
        evaluator_id: label if counts[label] == 1 else f"{by_id[evaluator_id].name} ({evaluator_id[:6]})"
        for evaluator_id, label in labels.items()
    }


def _distinguishing_settings(evaluator: Evaluator, namesakes: Sequence[Evaluator]) -> list[str]:
    """Return the first settings that tell an evaluator apart from all others of its name."""
    settings = {item.id: {**item.parameters, "kind": item.kind} for item in namesakes}
    own = settings.pop(evaluator.id)
    usual = dict.fromkeys((*LABEL_SETTINGS, *sorted(own), *sorted(set().union(*settings.values()))))
    # The kind, and settings that only a namesake has, count last: "no detail" says little.
    names = sorted(usual, key=lambda name: 1 if name == "kind" else 0 if name in own else 2)
    distinction = []
    for name in names:
        same = {item: others for item, others in settings.items() if others.get(name) == own.get(name)}
        text = _setting_text(name, own.get(name))
        if len(same) < len(settings) and len(text) <= MAX_LABEL_VALUE + len(name):
            distinction.append(text)
            settings = same
    return [] if settings else distinction


def _setting_text(name: str, value: object) -> str:
    if name == "kind":
        return str(value)
    if name == "prompt":
        return f"prompts {str(value).rpartition('/')[2]}"
    return f"no {name}" if value is None else f"{name} {value}"


class Usage(Value):
    """What an observation cost."""

    calls: Integer = Field(default=0, ge=0)
    """Model calls, failed attempts included."""
    input_tokens: Integer = Field(default=0, ge=0)
    """Tokens sent, cached ones included."""
    output_tokens: Integer = Field(default=0, ge=0)
    """Tokens received."""
    cache_read_tokens: Integer = Field(default=0, ge=0)
    """Tokens sent that the provider read from its cache."""
    cache_write_tokens: Integer = Field(default=0, ge=0)
    """Tokens sent that the provider wrote to its cache."""
    cost: StrictFloat | None = None
    """The cost in US dollars; None if a price is unknown."""


class Comparison(Value):
    """One prompt and two artifacts made from it."""

    kind: Literal["comparison"] = "comparison"
    """The kind of value in JSON."""
    prompt: Id
    """The prompt's sign."""
    a: Id
    """One artifact's sign."""
    b: Id
    """The other artifact's sign."""

    @model_validator(mode="after")
    def _check_artifacts(self) -> Self:
        if self.a == self.b:
            raise ValueError("a comparison needs two different artifacts")
        return self

    @property
    def id(self) -> str:
        """The hash of prompt, a and b."""
        return content_id("comparison", {"prompt": self.prompt, "a": self.a, "b": self.b})


class Question(Superseding):
    """A multiple-choice question about a sign."""

    kind: Literal["question"] = "question"
    """The kind of value in JSON."""
    sign: Id
    """The sign it asks about."""
    text: Text = Field(min_length=1)
    """The question."""
    choices: tuple[Text, ...] = Field(min_length=2)
    """The answers to choose from."""
    correct: Integer = Field(ge=0)
    """The position of the right choice, counted from 0."""
    type: Text = ""
    """The kind of understanding that it tests."""

    @model_validator(mode="after")
    def _check_choices(self) -> Self:
        if self.correct >= len(self.choices):
            raise ValueError(
                f"`correct` is {self.correct}, but there are only {len(self.choices)} choices, counted from 0"
            )
        if len(set(self.choices)) != len(self.choices):
            raise ValueError("the same choice is listed twice")
        return self

    @property
    def id(self) -> str:
        """The hash of sign, text and choices."""
        return self._id("question", {"sign": self.sign, "text": self.text, "choices": self.choices})


class Citation(Value):
    """A rationale that points at an existing node."""

    hsg: Id
    """The HSG that contains the node."""
    node: NodeId
    """The node."""
    stance: Stance
    """Which artifact it supports."""
    rationale: ReplyText
    """What the node shows."""


class DroppedCitation(Value):
    """A citation that does not name an existing node. It is kept and counted, but not used."""

    claim: ReplyText
    """The node as it was named."""
    stance: Stance
    """Which artifact it supports."""
    rationale: ReplyText
    """What the citation claims about the node."""
    reason: ReplyText
    """Why the citation does not resolve."""


ProbabilitySource = Literal["", "tokens", "closeness"]
"""Where a verdict's probability comes from: token probabilities, or the closeness that a model states."""


class Verdict(Superseding):
    """What one evaluator said about one comparison, shown in one order, in one repeat."""

    kind: Literal["verdict"] = "verdict"
    """The kind of value in JSON."""
    evaluator: Evaluator
    """Who judged."""
    comparison: Id
    """What was judged."""
    shown: Order = "ab"
    """The order in which the artifacts were shown."""
    order_unknown: bool = Field(default=False, exclude_if=is_unset)
    """Whether the order is not recorded, as in most tables of votes. `shown` is then the order of the table's
    columns, and pages do not state it."""
    repeat: Integer = Field(default=0, ge=0)
    """0 for the first verdict in this order, 1 for the second, and so on."""
    winner: Winner | Unscored
    """Who won, or why there is no winner."""
    p_a: UnitInterval | None = None
    """The evaluator's own probability that a wins, if it states one."""
    p_a_source: ProbabilitySource = Field(default="", exclude_if=is_unset)
    """Where `p_a` comes from."""
    closeness: Integer | None = Field(default=None, ge=1, le=5, exclude_if=is_unset)
    """How close the evaluator says the decision was, from 1 (not close at all) to 5 (nearly equal)."""
    rationale: ReplyText = ""
    """The reason as one text, if the evaluator gave one."""
    citations: tuple[Citation, ...] = ()
    """Rationales that point at nodes."""
    dropped: tuple[DroppedCitation, ...] = ()
    """Citations that did not resolve."""
    used: tuple[Id, ...] = ()
    """The HSGs on which the judgment is based."""
    usage: Usage | None = None
    """What it cost."""

    @property
    def id(self) -> str:
        """The hash of evaluator, comparison, HSGs used, order and repeat."""
        return self._id(
            "verdict",
            {
                "evaluator": self.evaluator.id,
                "comparison": self.comparison,
                "used": self.used,
                "shown": self.shown,
                "repeat": self.repeat,
            },
        )


class Rating(Superseding):
    """What one evaluator said about a sign, a node or a verdict on a named scale."""

    kind: Literal["rating"] = "rating"
    """The kind of value in JSON."""
    evaluator: Evaluator
    """Who rated."""
    about: Text = Field(min_length=1)
    """The id of a sign or verdict, or `<hsg id>/<node>` for a node."""
    about_kind: Literal["sign", "node", "verdict"]
    """What is rated."""
    scale: Text = Field(min_length=1)
    """The name of the scale, such as `iconicity`."""
    low: StrictFloat
    """Its lowest value."""
    high: StrictFloat
    """Its highest value."""
    value: StrictFloat | Unscored
    """The rating, or why there is none."""
    repeat: Integer = Field(default=0, ge=0)
    """0 for the first rating, 1 for the second, and so on."""

    @model_validator(mode="after")
    def _check_scale(self) -> Self:
        if self.low >= self.high:
            raise ValueError("`low` must be less than `high`")
        if not isinstance(self.value, Unscored) and not self.low <= self.value <= self.high:
            raise ValueError(f"{self.value} is not on the scale from {self.low} to {self.high}")
        return self

    @property
    def id(self) -> str:
        """The hash of evaluator, what is rated, scale and repeat."""
        about = {
            "evaluator": self.evaluator.id,
            "about": self.about,
            "scale": self.scale,
            "repeat": self.repeat,
        }
        return self._id("rating", about)


class Answer(Superseding):
    """What one evaluator answered to a question."""

    kind: Literal["answer"] = "answer"
    """The kind of value in JSON."""
    evaluator: Evaluator
    """Who answered."""
    question: Id
    """The question."""
    choice: Annotated[Integer, Field(ge=-MAX_INT)] | Unscored
    """The choice, counted from 0, or why there is none."""
    used: tuple[Id, ...] = ()
    """The HSGs on which the answer is based."""
    repeat: Integer = Field(default=0, ge=0)
    """0 for the first answer, 1 for the second, and so on."""

    @property
    def id(self) -> str:
        """The hash of evaluator, question, HSGs used and repeat."""
        about = {
            "evaluator": self.evaluator.id,
            "question": self.question,
            "used": self.used,
            "repeat": self.repeat,
        }
        return self._id("answer", about)


class Score(Superseding):
    """A scorer's number for an artifact, with or without its prompt."""

    kind: Literal["score"] = "score"
    """The kind of value in JSON."""
    evaluator: Evaluator
    """The scorer."""
    prompt: Id | None = None
    """The prompt, for a prompt-aware scorer (SemJudge, eq. 6); None for a context-free one (eq. 7)."""
    artifact: Id
    """The artifact."""
    value: StrictFloat | Unscored
    """The number (higher is better), or why there is none."""
    used: tuple[Id, ...] = ()
    """The HSGs on which the score is based."""
    repeat: Integer = Field(default=0, ge=0)
    """0 for the first score, 1 for the second, and so on."""
    details: Parameters = Field(default={}, validate_default=True, exclude_if=is_unset)
    """What happened on the way, such as the number of tokens of the prompt and whether it was truncated."""
    usage: Usage | None = Field(default=None, exclude_if=is_unset)
    """What it cost, if a model was asked."""

    @property
    def id(self) -> str:
        """The hash of scorer, prompt, artifact, HSGs used and repeat."""
        return self._id(
            "score",
            {
                "evaluator": self.evaluator.id,
                "prompt": self.prompt,
                "artifact": self.artifact,
                "used": self.used,
                "repeat": self.repeat,
            },
        )


Observation = Verdict | Rating | Answer | Score
"""What one evaluator said once."""
