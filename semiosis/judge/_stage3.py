"""Stage 3 of SemJudge: the judgment over two chains, from request to verdict."""

from dataclasses import dataclass, field
from typing import Literal

from semiosis.ask import (
    AnySign,
    Asker,
    Model,
    Passage,
    Reply,
    Request,
    ask_built,
    load_prompt,
    render_hsg,
    render_sign,
)
from semiosis.judge._wire import CitedNode, DirectJudgment, Judgment, Side, citing
from semiosis.values import (
    HSG,
    Citation,
    Comparison,
    DroppedCitation,
    Evaluator,
    Order,
    Stance,
    Unscored,
    Usage,
    Verdict,
)

_JUDGMENT_TOKENS = 900
_DIRECT_TOKENS = 150
_ASK_FOR_JUDGMENT = Passage("Judge.")


@dataclass(frozen=True)
class Case:
    """One comparison, shown in one order, in one repeat."""

    prompt: AnySign
    a: AnySign
    b: AnySign
    shown: Order = "ab"
    repeat: int = 0

    @property
    def comparison(self) -> Comparison:
        """What is compared."""
        return Comparison(prompt=self.prompt.id, a=self.a.id, b=self.b.id)

    @property
    def pictures(self) -> tuple[AnySign, AnySign]:
        """The artifacts in the order shown."""
        return (self.a, self.b) if self.shown == "ab" else (self.b, self.a)

    def winner(self, side: Side) -> Literal["a", "b"]:
        """Which artifact the model's A or B is."""
        return "a" if (side == "A") == (self.shown == "ab") else "b"

    def stance(self, side: Side | Literal["neutral"]) -> Stance:
        """The same for a citation."""
        return "neutral" if side == "neutral" else self.winner(side)


@dataclass(frozen=True)
class Chains:
    """The HSGs of a case: the chains prompt → a and prompt → b."""

    prompt: HSG
    a: HSG
    b: HSG
    named: dict[str, HSG] = field(default_factory=dict)

    @classmethod
    def shown(cls, prompt: HSG, a: HSG, b: HSG, shown: Order) -> "Chains":
        """The chains with the names their graphs have in this order."""
        first, second = (a, b) if shown == "ab" else (b, a)
        return cls(prompt, a, b, {"P": prompt, "A": first, "B": second})

    @property
    def nodes(self) -> frozenset[str]:
        """Every node of V(C_a) ⊎ V(C_b) by the name it can be cited by (SemJudge, eq. 10)."""
        return frozenset(f"{name}.{node}" for name, hsg in self.named.items() for node in hsg.semioses)

    @property
    def used(self) -> tuple[str, ...]:
        """The ids of the HSGs: prompt, a, b."""
        return self.prompt.id, self.a.id, self.b.id


def judgment_request(case: Case, chains: Chains, model: Model, *, images: bool) -> Request[Judgment]:
    """The question of stage 3: which chain keeps more of the meaning."""
    profile = model.profile
    first, second = case.pictures
    signs = {"P": render_sign(case.prompt, profile, "The prompt", version=1)}
    if images:
        signs |= {
            "A": render_sign(first, profile, "Picture A", version=1),
            "B": render_sign(second, profile, "Picture B", version=1),
        }
    graphs = {
        name: render_hsg(hsg, profile, name, shared=name == "P", version=1)
        for name, hsg in chains.named.items()
    }
    parts = [part for name, graph in graphs.items() for part in (*signs.get(name, ()), graph)]
    return Request(
        model=model,
        system=load_prompt("judge", 1).fill(),
        parts=(*parts, _ASK_FOR_JUDGMENT),
        answer=citing(chains.nodes),
        lenient=Judgment,
        placeholder=lambda: Judgment(chain_a="", chain_b="", citations=[], rationale="", winner="A"),
        repeat=case.repeat,
        expected_tokens=_JUDGMENT_TOKENS,
    )


def direct_request(case: Case, model: Model) -> Request[DirectJudgment]:
    """The question without a graph: prompt and pictures only."""
    first, second = case.pictures
    shown = (
        *render_sign(case.prompt, model.profile, "The prompt", shared=True, version=1),
        *render_sign(first, model.profile, "Picture A", version=1),
        *render_sign(second, model.profile, "Picture B", version=1),
    )
    return Request(
        model=model,
        system=load_prompt("judge-direct", 1).fill(),
        parts=(*shown, _ASK_FOR_JUDGMENT),
        answer=DirectJudgment,
        placeholder=lambda: DirectJudgment(rationale="", winner="A"),
        repeat=case.repeat,
        expected_tokens=_DIRECT_TOKENS,
    )


async def judged(
    case: Case, chains: Chains, model: Model, who: Evaluator, asker: Asker, *, images: bool
) -> Verdict:
    """The verdict of stage 3."""
    reply = await ask_built(asker, lambda: judgment_request(case, chains, model, images=images))
    if isinstance(reply, Unscored):
        return unscored(case, who, reply, chains.used)
    return _verdict(case, chains, who, reply)


async def judged_directly(case: Case, model: Model, who: Evaluator, asker: Asker) -> Verdict:
    """The verdict without a graph."""
    reply = await ask_built(asker, lambda: direct_request(case, model))
    if isinstance(reply, Unscored):
        return unscored(case, who, reply)
    return Verdict(
        evaluator=who,
        comparison=case.comparison.id,
        shown=case.shown,
        repeat=case.repeat,
        winner=case.winner(reply.answer.winner),
        rationale=reply.answer.rationale,
        usage=reply.usage,
    )


def unscored(
    case: Case, who: Evaluator, why: Unscored, used: tuple[str, ...] = (), usage: Usage | None = None
) -> Verdict:
    """The verdict that there is none, and why."""
    return Verdict(
        evaluator=who,
        comparison=case.comparison.id,
        shown=case.shown,
        repeat=case.repeat,
        winner=why,
        used=used,
        usage=usage,
    )


def _verdict(case: Case, chains: Chains, who: Evaluator, reply: Reply[Judgment]) -> Verdict:
    found = [_resolved(citation, case, chains) for citation in reply.answer.citations]
    first, second = reply.answer.chain_a, reply.answer.chain_b
    a, b = (first, second) if case.shown == "ab" else (second, first)
    return Verdict(
        evaluator=who,
        comparison=case.comparison.id,
        shown=case.shown,
        repeat=case.repeat,
        winner=case.winner(reply.answer.winner),
        rationale="\n".join(text for text in (f"a: {a}", f"b: {b}", reply.answer.rationale) if text),
        citations=tuple(citation for citation in found if isinstance(citation, Citation)),
        dropped=tuple(citation for citation in found if isinstance(citation, DroppedCitation)),
        used=chains.used,
        usage=reply.usage,
    )


def _resolved(cited: CitedNode, case: Case, chains: Chains) -> Citation | DroppedCitation:
    """The citation of an existing node, or what was claimed and why it does not resolve."""
    name, _, node = cited.node.partition(".")
    stance = case.stance(cited.stance)
    hsg = chains.named.get(name)
    if hsg is None or node not in hsg.semioses:
        reason = "no such node" if hsg else "no such graph"
        return DroppedCitation(claim=cited.node, stance=stance, rationale=cited.rationale, reason=reason)
    return Citation(hsg=hsg.id, node=node, stance=stance, rationale=cited.rationale)
