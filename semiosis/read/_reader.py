"""Reads signs with a model."""

from collections.abc import Iterable, Iterator
from typing import NoReturn

from semiosis.ask import AnySign, Asker, Model, ask_built, on_loop, shared_asker, stream, wait_for
from semiosis.read._build import build
from semiosis.read._question import Way, joint_request, reading_request, version
from semiosis.read._wire import Graph, JointGraphs
from semiosis.values import (
    HSG,
    SUB_SEMIOSES,
    DataError,
    Detail,
    ImageSign,
    Interpreter,
    ModelError,
    ProviderError,
    Reading,
    Unscored,
    UsageError,
)

_FIXES = {
    "refusal": "ask another model, or leave this sign out",
    "cut-off": "raise max_tokens",
    "budget": "raise --max-cost and run again; nothing that was paid for is lost",
    "timeout": "run again; nothing that was paid for is lost",
    "provider": "run again later; nothing that was paid for is lost",
    "missing": "restore the file, or make the sign anew",
}


class Reader:
    """Reads signs with a model: `anthropic/…`, any instructor provider, or `local/<folder or hub id>`.

    `read` and `read_many` are plain functions; `aread` is the coroutine. Replies are kept in a journal, so
    that reading again costs nothing. Readers of one run share an `Asker`: one limit, one budget.
    """

    def __init__(
        self,
        model: str | Model,
        *,
        asker: Asker | None = None,
        base_url: str = "",
        root_only: bool = False,
        limits: dict[str, int] | None = None,
        **parameters: bool | int | float | str,
    ) -> None:
        named = model if isinstance(model, Model) else Model(model, base_url, parameters)
        if isinstance(model, Model) and (base_url or parameters):
            raise UsageError("a Model carries its own base_url and parameters", fix="give them to the Model")
        self.model = named
        self.root_only = root_only
        self.limits = {**SUB_SEMIOSES, **(limits or {})}
        self.asker = asker or shared_asker()

    def read(
        self, sign: AnySign, *, given: HSG | None = None, detail: Detail = "standard", repeat: int = 0
    ) -> HSG:
        """The sign's HSG, read blind, or given a prompt's HSG as SemJudge does (section 4.3)."""
        return _raised(wait_for(self.attempt(sign, given=given, detail=detail, repeat=repeat)), sign)

    async def aread(
        self, sign: AnySign, *, given: HSG | None = None, detail: Detail = "standard", repeat: int = 0
    ) -> HSG:
        """The same as a coroutine, from any loop."""
        return _raised(await on_loop(self.attempt(sign, given=given, detail=detail, repeat=repeat)), sign)

    def read_many(
        self,
        signs: Iterable[AnySign],
        *,
        given: HSG | None = None,
        detail: Detail = "standard",
        repeat: int = 0,
    ) -> Iterator[HSG | Unscored]:
        """The signs' HSGs in their order, each as soon as it and those before it are there."""
        work = (self.attempt(sign, given=given, detail=detail, repeat=repeat) for sign in signs)
        return stream(work, ahead=self.asker.ahead)

    async def attempt(
        self, sign: AnySign, *, given: HSG | None = None, detail: Detail = "standard", repeat: int = 0
    ) -> HSG | Unscored:
        """The sign's HSG or why there is none; on the private loop."""
        way = self._way(detail, repeat)
        reply = await ask_built(self.asker, lambda: reading_request(sign, given, way))
        if isinstance(reply, Unscored):
            return reply
        return self._built(reply.answer, sign, self._reading(reply.served, way, given), way)

    async def attempt_joint(
        self, first: ImageSign, second: ImageSign, *, given: HSG, detail: Detail = "standard", repeat: int = 0
    ) -> tuple[HSG, HSG] | Unscored:
        """Two artifacts in one call, in the order shown (SemJudge, algorithm C.1); on the private loop."""
        way = self._way(detail, repeat)
        reply = await ask_built(self.asker, lambda: joint_request(first, second, given, way))
        if isinstance(reply, Unscored):
            return reply
        return self._both(reply.answer, reply.served, (first, second), given, way)

    def _both(
        self, graphs: JointGraphs, served: str, signs: tuple[ImageSign, ImageSign], given: HSG, way: Way
    ) -> tuple[HSG, HSG] | Unscored:
        first, second = signs
        one = self._built(graphs.a, first, self._reading(served, way, given, beside=second), way)
        two = self._built(graphs.b, second, self._reading(served, way, given, beside=first), way)
        if isinstance(one, Unscored):
            return one
        return two if isinstance(two, Unscored) else (one, two)

    def _built(self, graph: Graph, sign: AnySign, reading: Reading, way: Way) -> HSG | Unscored:
        try:
            return build(graph, sign, reading, way.profile)
        except DataError as error:
            return Unscored(reason="malformed", detail=str(error), raw=graph.model_dump_json())

    def _way(self, detail: Detail, repeat: int) -> Way:
        return Way(self.model, detail, repeat, self.root_only, self.limits)

    def _reading(self, served: str, way: Way, given: HSG | None, beside: AnySign | None = None) -> Reading:
        asked = {**self.model.parameters, "structured": way.profile.structured}
        if self.root_only:
            asked["root_only"] = True
        if self.limits[way.detail] != SUB_SEMIOSES[way.detail]:
            asked["limit"] = self.limits[way.detail]
        interpreter = Interpreter(
            kind="model",
            name=self.model.full_name,
            model=self.model.full_name,
            served=served,
            parameters=asked,
            prompt_version=version(),
        )
        return Reading(
            interpreter=interpreter,
            given=(given.id,) if given else (),
            beside=(beside.id,) if beside else (),
            detail=way.detail,
            repeat=way.repeat,
        )


def _raised(outcome: HSG | Unscored, sign: AnySign) -> HSG:
    if isinstance(outcome, Unscored):
        _refuse(outcome, sign)
    return outcome


def _refuse(outcome: Unscored, sign: AnySign) -> NoReturn:
    what = f"the {sign.kind} was not read ({outcome.reason}): {outcome.detail}"
    where, fix = (
        getattr(sign, "path", "") or sign.title,
        _FIXES.get(outcome.reason, "ask again, or ask another model"),
    )
    if outcome.reason in ("provider", "timeout", "budget"):
        raise ProviderError(what, where=where, fix=fix)
    if outcome.reason == "missing":
        raise DataError(what, where=where, fix=fix)
    raise ModelError(what, raw=outcome.raw, where=where, fix=fix)
