"""Reads signs with a model."""

from collections.abc import Iterable, Iterator
from typing import NoReturn

from semiosis.ask import (
    DEFAULT_LANGUAGE,
    Asker,
    Model,
    Runner,
    run_task,
    shared_asker,
    wait_for,
)
from semiosis.read._settings import ReadingSettings
from semiosis.read._tasks import Given, ReadingTask
from semiosis.values import (
    HSG,
    SUB_SEMIOSES,
    AnySign,
    DataError,
    Detail,
    ModelError,
    ProviderError,
    Unscored,
    UsageError,
)

_FIXES = {
    "refusal": "ask another model, or leave this sign out",
    "cut-off": "raise max_tokens",
    "budget": "raise --max-cost and run again; everything that was paid for is kept",
    "timeout": "run again; everything that was paid for is kept",
    "provider": "run again later; everything that was paid for is kept",
    "missing": "restore the file, or create the sign again",
}


class Reader:
    """Reads signs with a model: `anthropic/…`, any instructor provider, or `local/<folder or hub id>`.

    `read` and `read_many` are plain functions; `aread` is the coroutine. Replies are kept in a journal, so
    that reading again costs nothing. Readers that get the same `Asker` share its rate limit and its budget.
    """

    def __init__(
        self,
        model: str | Model,
        *,
        asker: Asker | None = None,
        base_url: str = "",
        root_only: bool = False,
        limits: dict[str, int] | None = None,
        language: str = DEFAULT_LANGUAGE,
        **parameters: bool | int | float | str,
    ) -> None:
        if isinstance(model, Model) and (base_url or parameters):
            raise UsageError(
                "base_url and parameters cannot be combined with a Model", fix="set them on the Model"
            )
        self.model = model if isinstance(model, Model) else Model(model, base_url, parameters)
        self.root_only = root_only
        self.language = language
        self.limits = {**SUB_SEMIOSES, **(limits or {})}
        self.asker = asker or shared_asker()

    def settings(self, detail: Detail = "standard", repeat: int = 0) -> ReadingSettings:
        """Return the settings of one reading."""
        return ReadingSettings(self.model, detail, repeat, self.root_only, self.limits, self.language)

    def task(
        self, sign: AnySign, *, given: Given = None, detail: Detail = "standard", repeat: int = 0
    ) -> ReadingTask:
        """Return the task that reads a sign."""
        return ReadingTask(self.settings(detail, repeat), sign, given)

    def read(
        self, sign: AnySign, *, given: HSG | None = None, detail: Detail = "standard", repeat: int = 0
    ) -> HSG:
        """Return the sign's HSG, read blind, or given a prompt's HSG as SemJudge does (section 4.3)."""
        return wait_for(self.aread(sign, given=given, detail=detail, repeat=repeat))

    async def aread(
        self, sign: AnySign, *, given: HSG | None = None, detail: Detail = "standard", repeat: int = 0
    ) -> HSG:
        """Return the sign's HSG, as `read` does, from any event loop."""
        task = self.task(sign, given=given, detail=detail, repeat=repeat)
        return _raise_unscored(await run_task(task, self.asker), sign)

    def read_many(
        self,
        signs: Iterable[AnySign],
        *,
        given: HSG | None = None,
        detail: Detail = "standard",
        repeat: int = 0,
    ) -> Iterator[HSG | Unscored]:
        """Yield the signs' HSGs in order, each as soon as it and all earlier ones are read."""
        tasks = (self.task(sign, given=given, detail=detail, repeat=repeat) for sign in signs)
        return Runner(self.asker).results(tasks)


def _raise_unscored(result: HSG | Unscored, sign: AnySign) -> HSG:
    if isinstance(result, Unscored):
        _raise_error(result, sign)
    return result


def _raise_error(result: Unscored, sign: AnySign) -> NoReturn:
    what = f"the {sign.kind} was not read ({result.reason}): {result.detail}"
    where = getattr(sign, "path", "") or sign.title
    fix = _FIXES.get(result.reason, "ask again, or ask another model")
    if result.reason in ("provider", "timeout", "budget"):
        raise ProviderError(what, where=where, fix=fix)
    if result.reason == "missing":
        raise DataError(what, where=where, fix=fix)
    raise ModelError(what, raw=result.raw, where=where, fix=fix)
