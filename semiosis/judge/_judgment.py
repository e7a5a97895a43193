"""The judgment between two artifacts, with HSGs (stage 3 of SemJudge) or without them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from semiosis.ask import (
    AnySign,
    Model,
    Passage,
    Reply,
    Request,
    RequestTemplate,
    Task,
    choice_probabilities,
    load_prompt,
    render_hsg,
    render_sign,
    task_key,
)
from semiosis.judge._judge import unscored_verdict
from semiosis.judge._wire import CitedNode, DirectJudgment, Judgment, Side, citing
from semiosis.values import (
    HSG,
    Citation,
    ComparisonCase,
    DroppedCitation,
    Evaluator,
    Order,
    Stance,
    Unscored,
    Verdict,
)

_JUDGMENT_TOKENS = 900
_DIRECT_TOKENS = 150
_ASK_FOR_JUDGMENT = Passage("Judge.")

Source = HSG | Task[Any]
"""An HSG, or the task that reads it: one HSG, or those of both artifacts in the order shown."""


def judgment_template(model: Model) -> RequestTemplate[Judgment]:
    """Return the template of requests that judge from HSGs."""
    prompt = load_prompt("judge", 1)
    return RequestTemplate(
        model=model,
        prompt=prompt.title,
        system=prompt.fill(),
        answer=Judgment,
        lenient=Judgment,
        placeholder=lambda: Judgment(chain_a="", chain_b="", citations=[], rationale="", winner="A"),
        expected_tokens=_JUDGMENT_TOKENS,
    )


def direct_template(model: Model) -> RequestTemplate[DirectJudgment]:
    """Return the template of requests that judge from prompt and pictures only."""
    prompt = load_prompt("judge-direct", 1)
    return RequestTemplate(
        model=model,
        prompt=prompt.title,
        system=prompt.fill(),
        answer=DirectJudgment,
        placeholder=lambda: DirectJudgment(rationale="", winner="A"),
        expected_tokens=_DIRECT_TOKENS,
    )


@dataclass(frozen=True)
class ShownCase:
    """One comparison, shown in one order, in one repeat."""

    case: ComparisonCase
    """What is compared."""
    shown: Order = "ab"
    """The order of the artifacts."""
    repeat: int = 0
    """0 for the first time."""

    @property
    def pictures(self) -> tuple[AnySign, AnySign]:
        """The artifacts in the order shown."""
        first, second = self.ordered(self.case.a, self.case.b)
        return first, second

    def ordered(self, a: Any, b: Any) -> tuple[Any, Any]:
        """Return what belongs to a and to b in the order shown; the same call reverses it."""
        return (a, b) if self.shown == "ab" else (b, a)

    def winner(self, side: Side) -> Literal["a", "b"]:
        """Return which artifact the model's A or B is."""
        return "a" if (side == "A") == (self.shown == "ab") else "b"

    def stance(self, side: Side | Literal["neutral"]) -> Stance:
        """Return which artifact a citation supports."""
        return "neutral" if side == "neutral" else self.winner(side)


@dataclass(frozen=True)
class Chains:
    """The HSGs of a case: the chains prompt → a and prompt → b."""

    prompt: HSG
    a: HSG
    b: HSG
    shown: Order = "ab"

    @cached_property
    def named(self) -> dict[str, HSG]:
        """The HSGs by the names they have in the request."""
        first, second = (self.a, self.b) if self.shown == "ab" else (self.b, self.a)
        return {"P": self.prompt, "A": first, "B": second}

    @property
    def nodes(self) -> frozenset[str]:
        """Every node of V(C_a) ⊎ V(C_b) by the name it can be cited by (SemJudge, eq. 10)."""
        return frozenset(f"{name}.{node}" for name, hsg in self.named.items() for node in hsg.semioses)

    @property
    def used(self) -> tuple[str, ...]:
        """The ids of the HSGs: prompt, a, b."""
        return self.prompt.id, self.a.id, self.b.id


@dataclass(frozen=True)
class JudgmentTask:
    """Judges a comparison from HSGs that exist or that other tasks read."""

    model: Model
    """The model that judges."""
    evaluator: Evaluator
    """Who signs the verdict."""
    shown: ShownCase
    """What is judged."""
    sources: tuple[Source, ...]
    """Where the HSGs of prompt, a and b come from."""
    images: bool = True
    """Whether the model sees the pictures too."""

    @cached_property
    def key(self) -> str:
        """The hash of judge, comparison, order, repeat and readings."""
        sources = [source.id if isinstance(source, HSG) else source.key for source in self.sources]
        return _verdict_key(self.model, self.evaluator, self.shown, sources)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """The readings that do not exist yet."""
        return tuple(source for source in self.sources if not isinstance(source, HSG))

    def request(self, *results: Any) -> Request[Judgment]:
        """Return the request: which chain keeps more of the meaning."""
        return judgment_request(self.shown, self._chains(results), self.model, images=self.images)

    def finish(self, reply: Reply[Judgment] | Unscored | None, *results: Any) -> Verdict:
        """Return the verdict with its citations."""
        failed = next((result for result in results if isinstance(result, Unscored)), None)
        if failed is not None:
            return _unscored(self.evaluator, self.shown, _failed_reading(failed))
        chains = self._chains(results)
        if reply is None or isinstance(reply, Unscored):
            return _unscored(self.evaluator, self.shown, reply, chains.used)
        return _verdict(self.shown, chains, self.evaluator, reply)

    def _chains(self, results: tuple[Any, ...]) -> Chains:
        prompt, *artifacts = _flat(self.sources, results)
        joint = len(self.sources) == 2  # prompt and one joint reading, in the order shown
        a, b = self.shown.ordered(*artifacts) if joint else artifacts
        return Chains(prompt, a, b, self.shown.shown)


@dataclass(frozen=True)
class DirectJudgmentTask:
    """Judges a comparison from prompt and pictures only."""

    model: Model
    """The model that judges."""
    evaluator: Evaluator
    """Who signs the verdict."""
    shown: ShownCase
    """What is judged."""

    @cached_property
    def key(self) -> str:
        """The hash of judge, comparison, order and repeat."""
        return _verdict_key(self.model, self.evaluator, self.shown, [])

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """Nothing."""
        return ()

    def request(self) -> Request[DirectJudgment]:
        """Return the request."""
        profile, (first, second) = self.model.profile, self.shown.pictures
        parts = (
            *render_sign(self.shown.case.prompt, profile, "The prompt", shared=True, version=1),
            *render_sign(first, profile, "Picture A", version=1),
            *render_sign(second, profile, "Picture B", version=1),
            _ASK_FOR_JUDGMENT,
        )
        return direct_template(self.model).request(parts, repeat=self.shown.repeat)

    def finish(self, reply: Reply[DirectJudgment] | Unscored | None) -> Verdict:
        """Return the verdict."""
        if reply is None or isinstance(reply, Unscored):
            return _unscored(self.evaluator, self.shown, reply)
        return Verdict(
            evaluator=self.evaluator,
            comparison=self.shown.case.comparison.id,
            shown=self.shown.shown,
            repeat=self.shown.repeat,
            winner=self.shown.winner(reply.answer.winner),
            p_a=_probability_of_a(self.shown, reply),
            rationale=reply.answer.rationale,
            usage=reply.usage,
        )


def judgment_request(shown: ShownCase, chains: Chains, model: Model, *, images: bool) -> Request[Judgment]:
    """Return the request of stage 3: which chain keeps more of the meaning."""
    profile = model.profile
    first, second = shown.pictures
    signs = {"P": render_sign(shown.case.prompt, profile, "The prompt", version=1)}
    if images:
        signs["A"] = render_sign(first, profile, "Picture A", version=1)
        signs["B"] = render_sign(second, profile, "Picture B", version=1)
    graphs = {
        name: render_hsg(hsg, profile, name, shared=name == "P", version=1)
        for name, hsg in chains.named.items()
    }
    parts = [part for name, graph in graphs.items() for part in (*signs.get(name, ()), graph)]
    return judgment_template(model).request(
        (*parts, _ASK_FOR_JUDGMENT), repeat=shown.repeat, answer=citing(chains.nodes)
    )


def _verdict_key(model: Model, evaluator: Evaluator, shown: ShownCase, sources: list[str]) -> str:
    return task_key(
        "verdict",
        model=repr(model),
        judge=evaluator.id,
        comparison=shown.case.comparison.id,
        shown=shown.shown,
        repeat=shown.repeat,
        sources=sources,
    )


def _flat(sources: tuple[Source, ...], results: tuple[Any, ...]) -> Iterator[HSG]:
    """Yield the HSGs of the sources in their order; a joint reading has two."""
    found = iter(results)
    for source in sources:
        hsg = source if isinstance(source, HSG) else next(found)
        yield from hsg if isinstance(hsg, tuple) else (hsg,)


def _failed_reading(why: Unscored) -> Unscored:
    """Return why there is no verdict. The cost of the reading is not a cost of the verdict."""
    return Unscored(reason=why.reason, detail=f"a reading failed: {why.detail}", raw=why.raw)


def _unscored(
    evaluator: Evaluator, shown: ShownCase, why: Unscored | Reply[Any] | None, used: tuple[str, ...] = ()
) -> Verdict:
    failure = why if isinstance(why, Unscored) else Unscored(reason="missing", detail="no model was asked")
    return unscored_verdict(evaluator, shown.case, (shown.shown, shown.repeat), failure, used)


def _verdict(shown: ShownCase, chains: Chains, evaluator: Evaluator, reply: Reply[Judgment]) -> Verdict:
    answer = reply.answer
    found = [_resolved(citation, shown, chains) for citation in answer.citations]
    a, b = shown.ordered(answer.chain_a, answer.chain_b)
    return Verdict(
        evaluator=evaluator,
        comparison=shown.case.comparison.id,
        shown=shown.shown,
        repeat=shown.repeat,
        winner=shown.winner(answer.winner),
        rationale="\n".join(text for text in (f"a: {a}", f"b: {b}", answer.rationale) if text),
        p_a=_probability_of_a(shown, reply),
        citations=tuple(citation for citation in found if isinstance(citation, Citation)),
        dropped=tuple(citation for citation in found if isinstance(citation, DroppedCitation)),
        used=chains.used,
        usage=reply.usage,
    )


def _probability_of_a(shown: ShownCase, reply: Reply[Any]) -> float | None:
    """Return the probability of a as the winner, if the provider gives token probabilities."""
    shares = choice_probabilities(reply.tokens, "winner", get_args(Side))
    return None if shares is None else round(shown.ordered(shares["A"], shares["B"])[0], 6)


def _resolved(cited: CitedNode, shown: ShownCase, chains: Chains) -> Citation | DroppedCitation:
    """Return the citation of an existing node, or what was claimed and why it does not resolve."""
    name, _, node = cited.node.partition(".")
    stance = shown.stance(cited.stance)
    hsg = chains.named.get(name)
    if hsg is None or node not in hsg.semioses:
        reason = "no such node" if hsg else "no such graph"
        return DroppedCitation(claim=cited.node, stance=stance, rationale=cited.rationale, reason=reason)
    return Citation(hsg=hsg.id, node=node, stance=stance, rationale=cited.rationale)
