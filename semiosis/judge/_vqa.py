"""Answers to multiple-choice questions about an artifact, with or without its HSG (SemJudge, section 6.1)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from semiosis.ask import (
    Asker,
    Model,
    Passage,
    Reply,
    Request,
    RequestTemplate,
    Task,
    about_length,
    fence,
    language_name,
    load_prompt,
    render_hsg,
    render_sign,
    run_task,
    shared_asker,
    task_key,
    wait_for,
)
from semiosis.judge._form import MAX_RATIONALE_CHARACTERS, Choice, choice_form
from semiosis.values import HSG, Answer, AnySign, Evaluator, Primitive, Question, Unscored, UsageError

_TOKENS = 100
_REASON_WORDS = 20


class Examinee:
    """Answers questions about artifacts. The model never sees the prompt, and HSGs must be blind."""

    def __init__(
        self,
        model: str | Model,
        *,
        asker: Asker | None = None,
        language: str = "en",
        readings: str = "",
    ) -> None:
        """Create an examinee. `readings` is the name of the reader of the HSGs that it sees, for tables."""
        self.model = model if isinstance(model, Model) else Model(model)
        self.readings = readings
        self.language = language
        self.asker = asker or shared_asker()

    def evaluator(self, *, with_hsg: bool) -> Evaluator:
        """Return the evaluator of the answers, whose parameters are the settings of the requests."""
        template = _template(self.model, self.language, with_hsg=with_hsg)
        name = f"vqa {self.model.full_name}" + (" with HSG" if with_hsg else "")
        parameters: dict[str, Primitive] = {**template.identity, "hsg": with_hsg}
        if with_hsg and self.readings:
            name += f" by {self.readings}"
            parameters["readings"] = self.readings
        return Evaluator(kind="model", name=name, parameters=parameters)

    def answer(self, question: Question, about: HSG | AnySign, *, repeat: int = 0) -> Answer:
        """Return the answer to a question about a sign, or about its HSG and the sign."""
        return wait_for(run_task(self.task(question, about, repeat=repeat), self.asker))

    def task(self, question: Question, about: HSG | AnySign, *, repeat: int = 0) -> "AnswerTask":
        """Return the task that answers a question."""
        hsg = about if isinstance(about, HSG) else None
        sign = about.sign if isinstance(about, HSG) else about
        _check(question, sign, hsg)
        evaluator = self.evaluator(with_hsg=hsg is not None)
        return AnswerTask(self.model, evaluator, question, sign, hsg, repeat, self.language)


@dataclass(frozen=True)
class AnswerTask:
    """Answers one question about a sign."""

    model: Model
    """The model to ask."""
    evaluator: Evaluator
    """The evaluator of the answer."""
    question: Question
    """The question."""
    sign: AnySign
    """The sign that the question is about."""
    hsg: HSG | None = None
    """A blind reading of the sign, if the model sees one."""
    repeat: int = 0
    """0 for the first answer, 1 for an independent second one, and so on."""
    language: str = "en"
    """The language of the rationale."""

    @cached_property
    def key(self) -> str:
        """The hash of the evaluator, the question, the HSG and the repeat."""
        about = {"question": self.question.id, "used": self.hsg.id if self.hsg else ""}
        return task_key(
            "answer", model=repr(self.model), evaluator=self.evaluator.id, **about, repeat=self.repeat
        )

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """No other task."""
        return ()

    def request(self) -> Request[Choice]:
        """Return the request."""
        profile, hsg = self.model.profile, self.hsg
        numbered = enumerate(self.question.choices, start=1)
        choices = "\n".join(f"{number}. {choice}" for number, choice in numbered)
        parts = (
            *render_sign(self.sign, profile, "The picture"),
            *((render_hsg(hsg, profile, "G"),) if hsg else ()),
            Passage(fence("question", f"{self.question.text}\n{choices}")),
        )
        template = _template(self.model, self.language, with_hsg=hsg is not None)
        form = choice_form(len(self.question.choices))
        return template.request(parts, repeat=self.repeat, answer=form)

    def finish(self, reply: Reply[Choice] | Unscored) -> Answer:
        """Return the answer, or an unscored answer with the reason."""
        return Answer(
            evaluator=self.evaluator,
            question=self.question.id,
            choice=_unscored(reply) if isinstance(reply, Unscored) else reply.answer.choice - 1,
            used=(self.hsg.id,) if self.hsg else (),
            repeat=self.repeat,
        )


def _unscored(why: Unscored) -> Unscored:
    return Unscored(reason=why.reason, detail=why.detail, raw=why.raw)


def _template(model: Model, language: str, *, with_hsg: bool) -> RequestTemplate[Choice]:
    prompt = load_prompt("vqa")
    reading = " and at the graph of its meaning" if with_hsg else ""
    return RequestTemplate(
        model=model,
        prompt=prompt.title,
        system=prompt.fill(
            reading=reading,
            reason_length=about_length(_REASON_WORDS, language=language),
            text_characters=str(MAX_RATIONALE_CHARACTERS),
            language=language_name(language),
        ),
        answer=Choice,
        placeholder=lambda: Choice(rationale="to be answered", choice=1),
        expected_tokens=_TOKENS,
    )


def _check(question: Question, sign: AnySign, hsg: HSG | None) -> None:
    if question.sign != sign.id:
        raise UsageError(
            f"the question is about sign {question.sign}, not {sign.id}", fix=f"pass the sign {question.sign}"
        )
    if hsg is not None and not hsg.blind:
        raise UsageError(
            "this HSG was read given the prompt, so it would reveal the prompt to the model",
            fix="read the artifact blind: reader.read(sign) without given",
        )
