"""Reads signs with a model."""

from collections.abc import Iterable, Iterator
from typing import NoReturn

from semiosis.ask import (
    CURRENT_PROMPTS,
    AnySign,
    Asker,
    Model,
    PromptVersion,
    ask_built,
    on_loop,
    shared_asker,
    stream,
    wait_for,
)
from semiosis.read._build import build
from semiosis.read._request import AnyGraph, AnyJointGraphs, joint_request, reading_request
from semiosis.read._settings import ReadingSettings
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
        language: str = "en",
        prompts: PromptVersion = CURRENT_PROMPTS,
        **parameters: bool | int | float | str,
    ) -> None:
        named = model if isinstance(model, Model) else Model(model, base_url, parameters)
        if isinstance(model, Model) and (base_url or parameters):
            raise UsageError("a Model carries its own base_url and parameters", fix="give them to the Model")
        self.model = named
        self.root_only = root_only
        self.language = language
        self.prompts: PromptVersion = prompts
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
        settings = self.settings(detail, repeat)
        reply = await ask_built(self.asker, lambda: reading_request(sign, given, settings))
        if isinstance(reply, Unscored):
            return reply
        return self._built(reply.answer, sign, self._reading(reply.served, settings, given), settings)

    async def attempt_joint(
        self, first: ImageSign, second: ImageSign, *, given: HSG, detail: Detail = "standard", repeat: int = 0
    ) -> tuple[HSG, HSG] | Unscored:
        """Two artifacts in one call, in the order shown (SemJudge, algorithm C.1); on the private loop."""
        settings = self.settings(detail, repeat)
        reply = await ask_built(self.asker, lambda: joint_request(first, second, given, settings))
        if isinstance(reply, Unscored):
            return reply
        return self._both(reply.answer, reply.served, (first, second), given, settings)

    def _both(
        self,
        graphs: AnyJointGraphs,
        served: str,
        signs: tuple[ImageSign, ImageSign],
        given: HSG,
        settings: ReadingSettings,
    ) -> tuple[HSG, HSG] | Unscored:
        first, second = signs
        one = self._built(graphs.a, first, self._reading(served, settings, given, beside=second), settings)
        two = self._built(graphs.b, second, self._reading(served, settings, given, beside=first), settings)
        if isinstance(one, Unscored):
            return one
        return two if isinstance(two, Unscored) else (one, two)

    def _built(
        self, graph: AnyGraph, sign: AnySign, reading: Reading, settings: ReadingSettings
    ) -> HSG | Unscored:
        try:
            return build(graph, sign, reading, settings.profile)
        except DataError as error:
            return Unscored(reason="malformed", detail=str(error), raw=graph.model_dump_json())

    def settings(self, detail: Detail, repeat: int) -> ReadingSettings:
        """Return the settings of one reading."""
        return ReadingSettings(
            self.model, detail, repeat, self.root_only, self.limits, self.language, self.prompts
        )

    def _reading(
        self, served: str, settings: ReadingSettings, given: HSG | None, beside: AnySign | None = None
    ) -> Reading:
        asked = {**self.model.parameters, "structured": settings.profile.structured}
        if self.root_only:
            asked["root_only"] = True
        if self.limits[settings.detail] != SUB_SEMIOSES[settings.detail]:
            asked["limit"] = self.limits[settings.detail]
        interpreter = Interpreter(
            kind="model",
            name=self.model.full_name,
            model=self.model.full_name,
            served=served,
            parameters=asked,
            prompt_version=settings.version,
        )
        return Reading(
            interpreter=interpreter,
            given=(given.id,) if given else (),
            beside=(beside.id,) if beside else (),
            detail=settings.detail,
            repeat=settings.repeat,
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
