"""Scorers that a model answers with numbers: confidence, relevance, VIEScore, and questions about nodes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from semiosis.ask import (
    Asker,
    ComputedTask,
    Model,
    Passage,
    Reply,
    Request,
    RequestTemplate,
    Task,
    UnansweredRequest,
    fence,
    language_name,
    load_prompt,
    render_sign,
    shared_asker,
    task_key,
)
from semiosis.score._scorer import Family, Scorer
from semiosis.values import (
    HSG,
    AnySign,
    ArtifactCase,
    Evaluator,
    ImageSign,
    Primitive,
    Score,
    Unscored,
    Usage,
)

MAX_TEXT = 400
"""Characters of an explanation. Without a limit, a model that never stops would leave the JSON unfinished."""

_TOKENS = 120
_DIGITS = 6
Reason = Annotated[str, Field(max_length=MAX_TEXT)]
TenPoints = Annotated[StrictInt, Field(ge=0, le=10)]
FiftyPoints = Annotated[StrictInt, Field(ge=0, le=50)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Confidence(_Form):
    """The answer of a model that states its confidence."""

    confidence: Annotated[StrictInt, Field(ge=0, le=100)]


class Relevance(_Form):
    """The answer of SemVarBench's scorer, which explains first."""

    explanation: Reason
    relevance: FiftyPoints
    objects: FiftyPoints


class Consistency(_Form):
    """The answer of VIEScore about prompt and picture."""

    consistency: TenPoints
    reasoning: Reason


class Quality(_Form):
    """The answer of VIEScore about the picture alone."""

    naturalness: TenPoints
    artifacts: TenPoints
    reasoning: Reason


class NodePresence(_Form):
    """The answer about one node."""

    reason: Reason
    present: Literal["yes", "no"]


@dataclass(frozen=True)
class RatingPart:
    """One call of a scorer: a prompt file, the form of the answer, and what the model sees."""

    prompt: str
    """The name of the prompt file."""
    form: type[_Form]
    """The form of the answer."""
    example: _Form
    """The answer that a dry run assumes."""
    with_prompt: bool = True
    """Whether the model sees the prompt beside the picture."""


@dataclass(frozen=True)
class Rubric:
    """How a scorer asks, and how its numbers become one score."""

    name: str
    """The name of the scorer."""
    about: str
    """What the score is."""
    family: Family
    """How the scorer arrives at its number."""
    parts: tuple[RatingPart, ...]
    """The calls for each picture."""
    value: Callable[[Mapping[str, int]], float]
    """Returns the score, from 0 to 1, from the numbers of all parts by name."""
    order: Literal["number alone", "number first", "explanation first"]
    """Whether the model explains itself before it gives the number."""
    parameters: Mapping[str, Primitive]
    """Settings of the call, unless the user chooses others."""


def _viescore(numbers: Mapping[str, int]) -> float:
    """Return √(SC · PQ) / 10, where PQ is the smaller of naturalness and artifacts (VIEScore, section 3)."""
    return math.sqrt(numbers["consistency"] * min(numbers["naturalness"], numbers["artifacts"])) / 10


RUBRICS: dict[str, Rubric] = {
    rubric.name: rubric
    for rubric in (
        Rubric(
            "confidence",
            "the model's confidence, 0 to 100, that the picture shows the prompt (DIVA, S_conf)",
            "confidence",
            (RatingPart("score-confidence", Confidence, Confidence(confidence=50)),),
            lambda numbers: numbers["confidence"] / 100,
            "number alone",
            {"temperature": 0.0},
        ),
        Rubric(
            "relevance",
            "relevance and object accuracy, 0 to 50 each, after an explanation (SemVarBench)",
            "confidence",
            (
                RatingPart(
                    "score-relevance",
                    Relevance,
                    Relevance(explanation="to be answered", relevance=25, objects=25),
                ),
            ),
            lambda numbers: (numbers["relevance"] + numbers["objects"]) / 100,
            "explanation first",
            {},
        ),
        Rubric(
            "viescore",
            "the root of consistency with the prompt and quality of the picture (VIEScore)",
            "structured",
            (
                RatingPart(
                    "score-viescore-consistency",
                    Consistency,
                    Consistency(consistency=5, reasoning="to be answered"),
                ),
                RatingPart(
                    "score-viescore-quality",
                    Quality,
                    Quality(naturalness=5, artifacts=5, reasoning="to be answered"),
                    with_prompt=False,
                ),
            ),
            _viescore,
            "number first",
            {},
        ),
    )
}
"""The scorers that a model answers with numbers, by name."""


class AskedScorer(Scorer):
    """A scorer whose numbers a model gives. A reply that cannot be read leaves the picture unscored."""

    def __init__(
        self, model: str | Model, *, asker: Asker | None = None, language: str = "en", repeats: int = 1
    ) -> None:
        self.model = Model.of(model)
        self.asker = asker or shared_asker()
        self.language = language
        self.repeats = repeats

    @property
    def models(self) -> tuple[Model, ...]:
        """The model that is asked."""
        return (self.model,)

    def template(self, part: RatingPart, parameters: Mapping[str, Primitive]) -> RequestTemplate[Any]:
        """Return the request of a part, without what it shows."""
        prompt = load_prompt(part.prompt)
        own = {name: value for name, value in parameters.items() if name not in self.model.parameters}
        return RequestTemplate(
            model=self.model,
            prompt=prompt.title,
            system=prompt.fill(text_characters=str(MAX_TEXT), language=language_name(self.language)),
            answer=part.form,
            placeholder=lambda: part.example,
            expected_tokens=_TOKENS,
            parameters=own,
        )


class RatedScorer(AskedScorer):
    """Scores by a rubric: one call or several for each picture."""

    def __init__(
        self,
        rubric: str,
        model: str | Model,
        *,
        asker: Asker | None = None,
        language: str = "en",
        repeats: int = 1,
    ) -> None:
        super().__init__(model, asker=asker, language=language, repeats=repeats)
        self.rubric = RUBRICS[rubric]
        self.family = self.rubric.family

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, whose parameters are the settings of its requests."""
        parameters: dict[str, Primitive] = {"order": self.rubric.order}
        for part in self.rubric.parts:
            identity = self.template(part, self.rubric.parameters).identity
            prefix = f"{part.prompt}: " if len(self.rubric.parts) > 1 else ""
            parameters |= {f"{prefix}{name}": value for name, value in identity.items()}
        return Evaluator(
            kind="model", name=f"{self.rubric.name} {self.model.full_name}", parameters=parameters
        )

    def task(self, case: ArtifactCase, *, repeat: int = 0) -> Task[Score]:
        """Return the task that combines the numbers of all parts."""
        if not isinstance(case.artifact, ImageSign):
            return _undefined(self, case, "the artifact is not a picture", repeat)
        templates = [self.template(part, self.rubric.parameters) for part in self.rubric.parts]
        needs = tuple(
            RatingTask(template, case.prompt if part.with_prompt else None, case.artifact, repeat)
            for part, template in zip(self.rubric.parts, templates, strict=True)
        )
        return RatedScoreTask(self, case, repeat, needs)


@dataclass(frozen=True)
class PartialRating:
    """The reply to one call of a scorer."""

    answer: BaseModel
    """The answer."""
    usage: Usage
    """What it cost."""


@dataclass(frozen=True)
class RatingTask:
    """Asks for the numbers of one part."""

    template: RequestTemplate[Any]
    """The request, without what it shows."""
    prompt: AnySign | None
    """The prompt; None if the model does not see it."""
    artifact: AnySign
    """The picture."""
    repeat: int = 0
    """The number of the repeat."""
    meaning: str = ""
    """The meaning that a question about a node looks for."""

    @cached_property
    def key(self) -> str:
        """The hash of the request and what it shows."""
        about = {"prompt": self.prompt.id if self.prompt else "", "artifact": self.artifact.id}
        identity = self.template.identity
        return task_key("rating", template=identity, **about, meaning=self.meaning, repeat=self.repeat)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """No other task."""
        return ()

    def request(self) -> Request[Any]:
        """Return the request."""
        profile = self.template.model.profile
        prompt = render_sign(self.prompt, profile, "The text") if self.prompt else ()
        meaning = (Passage(f"The meaning:\n{fence('meaning', self.meaning)}"),) if self.meaning else ()
        picture = render_sign(self.artifact, profile, "The picture")
        return self.template.request((*prompt, *meaning, *picture), repeat=self.repeat)

    def finish(self, reply: Reply[Any] | Unscored) -> PartialRating | Unscored:
        """Return the answer, or why there is none."""
        return reply if isinstance(reply, Unscored) else PartialRating(reply.answer, reply.usage)


@dataclass(frozen=True)
class RatedScoreTask:
    """Combines the numbers of all parts to a score."""

    scorer: RatedScorer
    """The scorer."""
    case: ArtifactCase
    """The prompt and the artifact."""
    repeat: int
    """The number of the repeat."""
    needs: tuple[RatingTask, ...]
    """The tasks that ask for the numbers."""

    @cached_property
    def key(self) -> str:
        """The hash of the scorer and the parts."""
        parts = [task.key for task in self.needs]
        return task_key("score", scorer=self.scorer.evaluator.id, parts=parts, prompt=self.case.prompt.id)

    def request(self, *_parts: PartialRating) -> None:
        """Return None, because the parts ask."""

    def finish(self, reply: object, *parts: PartialRating | Unscored) -> Score:
        """Return the score; unscored if a part has no answer. Nothing is guessed."""
        if isinstance(reply, Unscored):
            return self.scorer.recorded(
                self.case, _plain(reply), repeat=self.repeat, usage=_total_usage(parts)
            )
        numbers = {
            name: number
            for part in parts
            if isinstance(part, PartialRating)
            for name, number in part.answer.model_dump().items()
            if isinstance(number, int)
        }
        value = round(self.scorer.rubric.value(numbers), _DIGITS)
        return self.scorer.recorded(
            self.case, value, repeat=self.repeat, details=numbers, usage=_total_usage(parts)
        )


class NodeScorer(AskedScorer):
    """Asks of each node of the prompt's HSG whether the picture has its meaning: the share of yes.

    A node whose whole is answered with no counts as no, as a child of a failed question does in DSG. The
    reading of the prompt must be blind and exist; the picture is not read.
    """

    family: Family = "structured"
    reads_prompt_only = True
    _part = RatingPart(
        "score-node", NodePresence, NodePresence(reason="to be answered", present="yes"), with_prompt=False
    )

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, whose parameters are the settings of its requests."""
        identity = self.template(self._part, {}).identity
        parameters: dict[str, Primitive] = {**identity, "order": "explanation first"}
        return Evaluator(kind="model", name=f"nodes {self.model.full_name}", parameters=parameters)

    def task(self, case: ArtifactCase, *, repeat: int = 0) -> Task[Score]:
        """Return the task that counts the answers."""
        if not isinstance(case.artifact, ImageSign):
            return _undefined(self, case, "the artifact is not a picture", repeat)
        hsg = case.readings.get(case.prompt.id)
        if hsg is None:
            missing = Unscored(reason="missing", detail=case.missing or "there is no reading of the prompt")
            return _fixed(self, case, missing, repeat)
        template = self.template(self._part, {})
        needs = tuple(
            RatingTask(template, None, case.artifact, repeat, f"{node.label}: {node.object}")
            for node in hsg.semioses.values()
        )
        return NodeScoreTask(self, case, hsg, repeat, needs)


@dataclass(frozen=True)
class NodeScoreTask:
    """Counts the nodes whose meaning a picture has."""

    scorer: NodeScorer
    """The scorer."""
    case: ArtifactCase
    """The prompt and the artifact."""
    hsg: HSG
    """The reading of the prompt."""
    repeat: int
    """The number of the repeat."""
    needs: tuple[RatingTask, ...]
    """One question for each node, in the order of the nodes."""

    @cached_property
    def key(self) -> str:
        """The hash of the scorer, the reading and the artifact."""
        return task_key(
            "score",
            scorer=self.scorer.evaluator.id,
            used=self.hsg.id,
            artifact=self.case.artifact.id,
            repeat=self.repeat,
        )

    def request(self, *_parts: PartialRating) -> None:
        """Return None, because the questions ask."""

    def finish(self, reply: object, *parts: PartialRating | Unscored) -> Score:
        """Return the share of nodes that are present; unscored if a question has no readable answer."""
        used, usage = (self.hsg.id,), _total_usage(parts)
        if isinstance(reply, Unscored):
            return self.scorer.recorded(self.case, _plain(reply), repeat=self.repeat, used=used, usage=usage)
        answers = {
            node: isinstance(part, PartialRating) and getattr(part.answer, "present", "") == "yes"
            for node, part in zip(self.hsg.semioses, parts, strict=True)
        }
        wholes = {relation.part: relation.whole for relation in self.hsg.relations if relation.hierarchy}
        present = [yes and answers.get(wholes.get(node, ""), True) for node, yes in answers.items()]
        return self.scorer.recorded(
            self.case,
            round(sum(present) / len(present), _DIGITS),
            repeat=self.repeat,
            used=used,
            details={"questions": len(present), "yes": sum(answers.values()), "counted": sum(present)},
            usage=usage,
        )


def _undefined(scorer: Scorer, case: ArtifactCase, detail: str, repeat: int) -> Task[Score]:
    return _fixed(scorer, case, Unscored(reason="undefined", detail=detail), repeat)


def _fixed(scorer: Scorer, case: ArtifactCase, why: Unscored, repeat: int) -> Task[Score]:
    """Return a task that asks nothing, for an artifact that cannot be scored."""
    key = task_key(
        "score", scorer=scorer.evaluator.id, artifact=case.artifact.id, prompt=case.prompt.id, repeat=repeat
    )
    return ComputedTask(key, lambda: scorer.recorded(case, why, repeat=repeat))


def _plain(why: Unscored) -> Unscored:
    return Unscored(reason=why.reason, detail=why.detail, raw=why.raw)


def _total_usage(parts: Sequence[PartialRating | Unscored]) -> Usage | None:
    """Return the cost of all calls, failed ones included; the cost is None if one of them is unknown."""
    usages = [part.usage for part in parts if isinstance(part, PartialRating | UnansweredRequest)]
    if not usages:
        return None
    costs = [usage.cost for usage in usages]
    stated = [cost for cost in costs if cost is not None]
    return Usage(
        calls=sum(usage.calls for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cost=sum(stated) if len(stated) == len(costs) else None,
    )
