"""The requests that ask a model to judge a comparison, with HSGs (stage 3 of SemJudge) or without them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from semiosis.ask import (
    Model,
    Passage,
    Request,
    RequestTemplate,
    about_length,
    language_name,
    load_prompt,
    render_hsg,
    render_sign,
)
from semiosis.judge._form import (
    MAX_RATIONALE_CHARACTERS,
    DirectJudgment,
    Judgment,
    Side,
    judgment_form,
)
from semiosis.values import HSG, AnySign, ComparisonCase, Order, Stance

_JUDGMENT_TOKENS = 900
_DIRECT_TOKENS = 150
_ASK_FOR_JUDGMENT = Passage("Judge.")

_PLACEHOLDER: dict[str, Any] = {"rationale": "to be judged", "closeness": 3, "winner": "A"}
"""The answer that a dry run assumes, without HSGs."""
_PLACEHOLDER_FROM_HSGS = _PLACEHOLDER | {
    "chain_a": "to be judged",
    "chain_b": "to be judged",
    "citations": [],
}
"""The answer that a dry run assumes, with HSGs."""

_REASON_WORDS, _CITATION_WORDS = 60, 20
_PICTURES_SHOWN = "The prompt is shown first, then picture A, then picture B, each with its graph after it."
_PICTURES_HIDDEN = "You see the prompt and the graphs, not the pictures."
_PICTURE_WINS = " You see the pictures too. Where a graph and its picture disagree, the picture is right."


@dataclass(frozen=True)
class JudgmentSettings:
    """The settings of the requests for a judgment."""

    model: Model
    """The model that judges."""
    images: bool = True
    """Whether the model sees the pictures as well as their graphs (section 6.1)."""
    language: str = "en"
    """The language of the rationales, as a BCP 47 tag."""


def judgment_template(settings: JudgmentSettings) -> RequestTemplate[Judgment]:
    """Return the template of requests that judge from HSGs."""
    prompt = load_prompt("judge")
    pictures = _PICTURE_WINS if settings.images else ""
    system = prompt.fill(
        shown=_PICTURES_SHOWN if settings.images else _PICTURES_HIDDEN,
        pictures=pictures,
        edges="x0 y0 x1 y1" if settings.model.profile.boxes == "xyxy" else "y0 x0 y1 x1",
        citation_length=about_length(_CITATION_WORDS, language=settings.language),
        **_lengths(settings),
    )
    return RequestTemplate(
        model=settings.model,
        prompt=prompt.title,
        system=system,
        answer=Judgment,
        lenient=Judgment,
        placeholder=lambda: Judgment.model_validate(_PLACEHOLDER_FROM_HSGS),
        expected_tokens=_JUDGMENT_TOKENS,
    )


def direct_template(settings: JudgmentSettings) -> RequestTemplate[DirectJudgment]:
    """Return the template of requests that judge from the prompt and the pictures only."""
    prompt = load_prompt("judge-direct")
    system = prompt.fill(**_lengths(settings))
    return RequestTemplate(
        model=settings.model,
        prompt=prompt.title,
        system=system,
        answer=DirectJudgment,
        placeholder=lambda: DirectJudgment.model_validate(_PLACEHOLDER),
        expected_tokens=_DIRECT_TOKENS,
    )


def _lengths(settings: JudgmentSettings) -> dict[str, str]:
    """Return the recommended and the maximum length of a reason, and its language."""
    return {
        "reason_length": about_length(_REASON_WORDS, language=settings.language),
        "text_characters": str(MAX_RATIONALE_CHARACTERS),
        "language": language_name(settings.language),
    }


@dataclass(frozen=True)
class ShownCase:
    """One comparison, shown in one order, in one repeat."""

    case: ComparisonCase
    """The comparison and its readings."""
    order: Order = "ab"
    """The order in which the artifacts are shown."""
    repeat: int = 0
    """0 for the first judgment, 1 for an independent second one, and so on."""

    @property
    def pictures(self) -> tuple[AnySign, AnySign]:
        """The artifacts in the order shown."""
        first, second = self.ordered(self.case.a, self.case.b)
        return first, second

    def ordered(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Return two values for a and b in the order shown. A second call restores the order a, b."""
        return (a, b) if self.order == "ab" else (b, a)

    def winner(self, side: Side) -> Literal["a", "b"]:
        """Return the artifact that the model calls A or B."""
        return "a" if (side == "A") == (self.order == "ab") else "b"

    def stance(self, side: Side | Literal["neutral"]) -> Stance:
        """Return the artifact that a citation supports, or `neutral`."""
        return "neutral" if side == "neutral" else self.winner(side)


@dataclass(frozen=True)
class Chains:
    """The HSGs of a case: the chains prompt → a and prompt → b."""

    prompt: HSG
    a: HSG
    b: HSG
    order: Order = "ab"

    @cached_property
    def named(self) -> dict[str, HSG]:
        """The HSGs by their names in the request."""
        first, second = (self.a, self.b) if self.order == "ab" else (self.b, self.a)
        return {"P": self.prompt, "A": first, "B": second}

    @property
    def nodes(self) -> frozenset[str]:
        """The names by which the nodes of V(C_a) ⊎ V(C_b) can be cited (SemJudge, eq. 10)."""
        return frozenset(f"{name}.{node}" for name, hsg in self.named.items() for node in hsg.semioses)

    @property
    def used(self) -> tuple[str, ...]:
        """The ids of the HSGs: prompt, a, b."""
        return self.prompt.id, self.a.id, self.b.id


def judgment_request(shown: ShownCase, chains: Chains, settings: JudgmentSettings) -> Request[Judgment]:
    """Return the request of stage 3, which asks which chain keeps more of the meaning."""
    profile = settings.model.profile
    first, second = shown.pictures
    signs = {"P": render_sign(shown.case.prompt, profile, "The prompt")}
    if settings.images:
        signs["A"] = render_sign(first, profile, "Picture A")
        signs["B"] = render_sign(second, profile, "Picture B")
    graphs = {name: render_hsg(hsg, profile, name, shared=name == "P") for name, hsg in chains.named.items()}
    parts = [part for name, graph in graphs.items() for part in (*signs.get(name, ()), graph)]
    return judgment_template(settings).request(
        (*parts, _ASK_FOR_JUDGMENT),
        repeat=shown.repeat,
        answer=judgment_form(chains.nodes),
    )


def direct_request(shown: ShownCase, settings: JudgmentSettings) -> Request[DirectJudgment]:
    """Return the request that judges from the prompt and the pictures only."""
    profile = settings.model.profile
    first, second = shown.pictures
    parts = (
        *render_sign(shown.case.prompt, profile, "The prompt", shared=True),
        *render_sign(first, profile, "Picture A"),
        *render_sign(second, profile, "Picture B"),
        _ASK_FOR_JUDGMENT,
    )
    return direct_template(settings).request(parts, repeat=shown.repeat)
