"""Multiple-choice questions about an artifact, with and without its HSG (SemJudge, section 6.1)."""

from semiosis.ask import (
    AnySign,
    Asker,
    Model,
    Passage,
    Request,
    ask_built,
    fence,
    load_prompt,
    render_hsg,
    render_sign,
    shared_asker,
    wait_for,
)
from semiosis.judge._wire import Choice, offered
from semiosis.values import HSG, Answer, Evaluator, Question, Unscored, UsageError

_TOKENS = 100


class Examinee:
    """Answers questions about artifacts. It sees the artifact, never its prompt; its HSGs must be blind."""

    def __init__(self, model: str | Model, *, asker: Asker | None = None) -> None:
        self.model = model if isinstance(model, Model) else Model(model)
        self.asker = asker or shared_asker()

    def evaluator(self, *, with_hsg: bool) -> Evaluator:
        """Who signs the answers."""
        name = f"vqa {self.model.full_name}" + (" with HSG" if with_hsg else "")
        parameters = {"model": self.model.full_name, "prompt": load_prompt("vqa", 1).title, "hsg": with_hsg}
        return Evaluator(kind="model", name=name, parameters={**parameters, **self.model.parameters})

    def answer(self, question: Question, about: HSG | AnySign, *, repeat: int = 0) -> Answer:
        """The answer to a question about a sign, or about its HSG and the sign."""
        return wait_for(self.attempt(question, about, repeat=repeat))

    async def attempt(self, question: Question, about: HSG | AnySign, *, repeat: int = 0) -> Answer:
        """The same on the private loop."""
        hsg = about if isinstance(about, HSG) else None
        sign = about.sign if isinstance(about, HSG) else about
        _check(question, sign, hsg)
        who, used = self.evaluator(with_hsg=hsg is not None), (hsg.id,) if hsg else ()
        choice = await self._choice(question, sign, hsg, repeat)
        return Answer(evaluator=who, question=question.id, choice=choice, used=used, repeat=repeat)

    async def _choice(
        self, question: Question, sign: AnySign, hsg: HSG | None, repeat: int
    ) -> int | Unscored:
        reply = await ask_built(self.asker, lambda: _request(self.model, question, sign, hsg, repeat))
        return reply if isinstance(reply, Unscored) else reply.answer.choice - 1


def _check(question: Question, sign: AnySign, hsg: HSG | None) -> None:
    if question.sign != sign.id:
        raise UsageError("the question is about another sign", fix="ask it about the sign it names")
    if hsg is not None and not hsg.blind:
        raise UsageError(
            "this HSG was read with the prompt in view, so it would leak the prompt",
            fix="read the artifact blind: reader.read(sign) without given",
        )


def _request(
    model: Model, question: Question, sign: AnySign, hsg: HSG | None, repeat: int
) -> Request[Choice]:
    choices = "\n".join(f"{number}. {choice}" for number, choice in enumerate(question.choices, start=1))
    graph = (render_hsg(hsg, model.profile, "G", version=1),) if hsg else ()
    return Request(
        model=model,
        system=load_prompt("vqa", 1).fill(reading=" and at the graph of its meaning" if hsg else ""),
        parts=(
            *render_sign(sign, model.profile, "The picture", version=1),
            *graph,
            Passage(fence("question", f"{question.text}\n{choices}", version=1)),
        ),
        answer=offered(len(question.choices)),
        placeholder=lambda: Choice(rationale="", choice=1),
        repeat=repeat,
        expected_tokens=_TOKENS,
    )
