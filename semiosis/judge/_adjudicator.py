"""A model that settles what an alignment is least sure of."""

from semiosis.align import Doubt
from semiosis.ask import Asker, Model, Passage, Request, shared_asker, wait_for
from semiosis.judge._wire import Choice, offered
from semiosis.read import fenced, prompt, shown_hsg
from semiosis.values import Unscored

_TOKENS = 150


class ModelAdjudicator:
    """Shows a model both graphs and asks which node, if any, means the same; replies are kept."""

    def __init__(self, model: str | Model, *, asker: Asker | None = None) -> None:
        self.model = model if isinstance(model, Model) else Model(model)
        self.asker = asker or shared_asker()

    @property
    def name(self) -> str:
        """The model and the version of the question, as alignments carry it."""
        return f"{self.model.full_name} ({prompt('adjudicate').title})"

    def choose(self, doubt: Doubt) -> str | Unscored | None:
        """One of the choices, None for none of them, or why the model gave no answer."""
        reply = wait_for(self.asker.ask(_request(self.model, doubt)))
        if isinstance(reply, Unscored):
            return reply
        chosen = reply.answer.choice - 1
        return doubt.choices[chosen] if chosen < len(doubt.choices) else None


def _request(model: Model, doubt: Doubt) -> Request[Choice]:
    offers = [*(f"A.{node}" for node in doubt.choices), "none of them"]
    choices = "\n".join(f"{number}. {offer}" for number, offer in enumerate(offers, start=1))
    return Request(
        model=model,
        system=prompt("adjudicate").body,
        parts=(
            shown_hsg(doubt.source, model.profile, "P", shared=True),
            shown_hsg(doubt.target, model.profile, "A", shared=True),
            Passage(fenced("question", f"Which node of A means the same as P.{doubt.node}?\n{choices}")),
        ),
        answer=offered(len(offers)),
        placeholder=lambda: Choice(rationale="", choice=len(offers)),
        expected_tokens=_TOKENS,
    )
