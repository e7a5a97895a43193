"""The tasks that judge between two artifacts, with HSGs (stage 3 of SemJudge) or without them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from semiosis.ask import (
    Reply,
    Request,
    Task,
    choice_probabilities,
    task_key,
)
from semiosis.judge._form import P_WINNER, CitedNode, DirectJudgment, Judgment, Side
from semiosis.judge._judge import unscored_verdict
from semiosis.judge._judgment_request import (
    Chains,
    JudgmentSettings,
    ShownCase,
    direct_request,
    judgment_request,
)
from semiosis.values import (
    HSG,
    Citation,
    DroppedCitation,
    Evaluator,
    Unscored,
    Verdict,
)

Source = HSG | Task[Any]
"""An HSG, or the task that reads it: one HSG, or those of both artifacts in the order shown."""


@dataclass(frozen=True)
class JudgmentTask:
    """Judges a comparison from HSGs that exist or that other tasks read."""

    settings: JudgmentSettings
    """The settings of the judgment."""
    evaluator: Evaluator
    """The evaluator of the verdict."""
    shown: ShownCase
    """The comparison, the order shown and the repeat."""
    sources: tuple[Source, ...]
    """The HSGs of the prompt, a and b, or the tasks that read them."""

    @cached_property
    def key(self) -> str:
        """The hash of the judge, comparison, order, repeat and readings."""
        sources = [source.id if isinstance(source, HSG) else source.key for source in self.sources]
        return _verdict_key(self.settings, self.evaluator, self.shown, sources)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """The tasks for readings that do not exist yet."""
        return tuple(source for source in self.sources if not isinstance(source, HSG))

    def request(self, *results: Any) -> Request[Judgment]:
        """Return the request, which asks which chain keeps more of the meaning."""
        return judgment_request(self.shown, self._chains(results), self.settings)

    def finish(self, reply: Reply[Judgment] | Unscored, *results: Any) -> Verdict:
        """Return the verdict with its citations."""
        failed = next((result for result in results if isinstance(result, Unscored)), None)
        if failed is not None:
            return _unscored(self.evaluator, self.shown, _failed_reading(failed))
        chains = self._chains(results)
        if isinstance(reply, Unscored):
            return _unscored(self.evaluator, self.shown, reply, chains.used)
        return _verdict(self.shown, chains, self.evaluator, reply)

    def _chains(self, results: tuple[Any, ...]) -> Chains:
        prompt, *artifacts = _flatten_sources(self.sources, results)
        joint = len(self.sources) == 2  # the prompt and one joint reading, whose HSGs are in the order shown
        a, b = self.shown.ordered(*artifacts) if joint else artifacts
        return Chains(prompt, a, b, self.shown.order)


@dataclass(frozen=True)
class DirectJudgmentTask:
    """Judges a comparison from prompt and pictures only."""

    settings: JudgmentSettings
    """The settings of the judgment."""
    evaluator: Evaluator
    """The evaluator of the verdict."""
    shown: ShownCase
    """The comparison, the order shown and the repeat."""

    @cached_property
    def key(self) -> str:
        """The hash of the judge, comparison, order and repeat."""
        return _verdict_key(self.settings, self.evaluator, self.shown, [])

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """No other task."""
        return ()

    def request(self) -> Request[DirectJudgment]:
        """Return the request."""
        return direct_request(self.shown, self.settings)

    def finish(self, reply: Reply[DirectJudgment] | Unscored) -> Verdict:
        """Return the verdict."""
        if isinstance(reply, Unscored):
            return _unscored(self.evaluator, self.shown, reply)
        return Verdict(
            evaluator=self.evaluator,
            comparison=self.shown.case.comparison.id,
            shown=self.shown.order,
            repeat=self.shown.repeat,
            winner=self.shown.winner(reply.answer.winner),
            rationale=reply.answer.rationale,
            usage=reply.usage,
            **_probability(self.shown, reply),
        )


def _verdict_key(
    settings: JudgmentSettings, evaluator: Evaluator, shown: ShownCase, sources: list[str]
) -> str:
    return task_key(
        "verdict",
        settings=repr(settings),
        judge=evaluator.id,
        comparison=shown.case.comparison.id,
        shown=shown.order,
        repeat=shown.repeat,
        sources=sources,
    )


def _flatten_sources(sources: tuple[Source, ...], results: tuple[Any, ...]) -> Iterator[HSG]:
    """Yield the HSGs of the sources in their order. A joint reading has two."""
    remaining = iter(results)
    for source in sources:
        result = source if isinstance(source, HSG) else next(remaining)
        yield from result if isinstance(result, tuple) else (result,)


def _failed_reading(why: Unscored) -> Unscored:
    """Return the reason why there is no verdict. It has no cost, because the reading itself was charged."""
    return Unscored(reason=why.reason, detail=f"a reading failed: {why.detail}", raw=why.raw)


def _unscored(evaluator: Evaluator, shown: ShownCase, why: Unscored, used: tuple[str, ...] = ()) -> Verdict:
    return unscored_verdict(evaluator, shown.case, (shown.order, shown.repeat), why, used)


def _verdict(shown: ShownCase, chains: Chains, evaluator: Evaluator, reply: Reply[Judgment]) -> Verdict:
    answer = reply.answer
    found = [_resolve_citation(citation, shown, chains) for citation in answer.citations]
    a, b = shown.ordered(answer.chain_a, answer.chain_b)
    return Verdict(
        evaluator=evaluator,
        comparison=shown.case.comparison.id,
        shown=shown.order,
        repeat=shown.repeat,
        winner=shown.winner(answer.winner),
        rationale="\n".join(text for text in (f"a: {a}", f"b: {b}", answer.rationale) if text),
        citations=tuple(citation for citation in found if isinstance(citation, Citation)),
        dropped=tuple(citation for citation in found if isinstance(citation, DroppedCitation)),
        used=chains.used,
        usage=reply.usage,
        **_probability(shown, reply),
    )


def _probability(shown: ShownCase, reply: Reply[Any]) -> dict[str, Any]:
    """Return the probability that a wins, its source, and the stated closeness, as fields of the verdict.

    Token probabilities are used if the provider returns them. Otherwise the probability follows from the
    closeness that the model states, by a convention (`P_WINNER`).
    """
    closeness: int = reply.answer.closeness
    shares = choice_probabilities(reply.tokens, "winner", get_args(Side))
    if shares is not None:
        p_a, source = round(shown.ordered(shares["A"], shares["B"])[0], 6), "tokens"
    else:
        p_winner = P_WINNER[closeness]
        p_a = p_winner if shown.winner(reply.answer.winner) == "a" else round(1 - p_winner, 6)
        source = "closeness"
    return {"p_a": p_a, "p_a_source": source, "closeness": closeness}


def _resolve_citation(cited: CitedNode, shown: ShownCase, chains: Chains) -> Citation | DroppedCitation:
    """Return the citation of an existing node, or a dropped citation with the reason."""
    name, _, node = cited.node.partition(".")
    stance = shown.stance(cited.stance)
    hsg = chains.named.get(name)
    if hsg is None or node not in hsg.semioses:
        reason = "no such node" if hsg else "no such graph"
        return DroppedCitation(claim=cited.node, stance=stance, rationale=cited.rationale, reason=reason)
    return Citation(hsg=hsg.id, node=node, stance=stance, rationale=cited.rationale)
