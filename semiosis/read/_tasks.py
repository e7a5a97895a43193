"""Readings as tasks that the runner executes."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from semiosis.ask import Reply, Request, Task, task_key
from semiosis.read._build import build
from semiosis.read._form import Graph, JointGraphs
from semiosis.read._request import joint_request, reading_request
from semiosis.read._settings import ReadingSettings
from semiosis.values import (
    HSG,
    SUB_SEMIOSES,
    AnySign,
    DataError,
    ImageSign,
    Interpreter,
    Primitive,
    Reading,
    Unscored,
    parts_of,
)

Given = HSG | Task[HSG | Unscored] | None
"""The HSG of the prompt that a reader is shown, or the task that reads it. None for a blind reading."""


@dataclass(frozen=True)
class ReadingTask:
    """Reads one sign, blind or given the prompt's HSG."""

    settings: ReadingSettings
    """The settings of the reading."""
    sign: AnySign
    """The sign to read."""
    given: Given = None
    """The prompt's HSG, if the reader is shown it."""

    @cached_property
    def key(self) -> str:
        """The hash of the settings, the sign and the given HSG."""
        return task_key("reading", sign=_sign_key(self.sign), **_common_key(self.settings, self.given))

    @property
    def interpreter(self) -> Interpreter:
        """The interpreter, without the version of the model that the provider will serve."""
        return _interpreter(self.settings, "")

    @property
    def language(self) -> str:
        """The language that the reading records."""
        return self.settings.language

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """The task that reads the prompt, if its HSG does not exist yet."""
        return _needs(self.given)

    def request(self, *results: Any) -> Request[Graph]:
        """Return the request that reads the sign."""
        return reading_request(self.sign, _given_hsg(self.given, results), self.settings)

    def finish(self, reply: Reply[Graph] | Unscored, *results: Any) -> HSG | Unscored:
        """Return the HSG, or the reason why there is none."""
        if isinstance(reply, Unscored):
            return reply
        given = _given_hsg(self.given, results)
        reading = _reading(self.settings, reply.served, given)
        return _build_hsg(reply.answer, self.sign, reading, self.settings, given)


@dataclass(frozen=True)
class JointReadingTask:
    """Reads two artifacts in one call, in the order shown (SemJudge, algorithm C.1)."""

    settings: ReadingSettings
    """The settings of the reading."""
    first: ImageSign
    """The artifact that is shown first."""
    second: ImageSign
    """The artifact that is shown second."""
    given: HSG | Task[HSG | Unscored]
    """The prompt's HSG."""

    @cached_property
    def key(self) -> str:
        """The hash of the settings, the signs in the order shown and the given HSG."""
        signs = {"first": _sign_key(self.first), "second": _sign_key(self.second)}
        return task_key("joint reading", **signs, **_common_key(self.settings, self.given))

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """The task that reads the prompt, if its HSG does not exist yet."""
        return _needs(self.given)

    def request(self, *results: Any) -> Request[JointGraphs]:
        """Return the request that reads both artifacts."""
        return joint_request(self.first, self.second, self._prompt(results), self.settings)

    def finish(self, reply: Reply[JointGraphs] | Unscored, *results: Any) -> tuple[HSG, HSG] | Unscored:
        """Return the HSGs of the first and the second artifact, or the reason why there are none."""
        if isinstance(reply, Unscored):
            return reply
        prompt = self._prompt(results)
        hsgs = []
        for graph, sign, other in (
            (reply.answer.a, self.first, self.second),
            (reply.answer.b, self.second, self.first),
        ):
            reading = _reading(self.settings, reply.served, prompt, beside=(other.id,))
            hsg = _build_hsg(graph, sign, reading, self.settings, prompt)
            if isinstance(hsg, Unscored):
                return hsg
            hsgs.append(hsg)
        return hsgs[0], hsgs[1]

    def _prompt(self, results: tuple[Any, ...]) -> HSG:
        hsg: HSG = self.given if isinstance(self.given, HSG) else results[0]
        return hsg


def _common_key(settings: ReadingSettings, given: Given) -> dict[str, Any]:
    shown = "" if given is None else given.id if isinstance(given, HSG) else given.key
    return {"settings": repr(settings), "given": shown}


def _sign_key(sign: AnySign) -> list[str]:
    """Return the id of a sign and the paths of its files, because the same image may be missing elsewhere."""
    return [sign.id, *(part.path for part in parts_of(sign) if isinstance(part, ImageSign))]


def _needs(given: Given) -> tuple[Task[Any], ...]:
    return () if given is None or isinstance(given, HSG) else (given,)


def _given_hsg(given: Given, results: tuple[Any, ...]) -> HSG | None:
    return given if given is None or isinstance(given, HSG) else results[0]


def _build_hsg(
    graph: Graph, sign: AnySign, reading: Reading, settings: ReadingSettings, given: HSG | None
) -> HSG | Unscored:
    try:
        return build(graph, sign, reading, settings.profile, given)
    except DataError as error:
        return Unscored(reason="malformed", detail=str(error), raw=graph.model_dump_json())


def _interpreter(settings: ReadingSettings, served: str) -> Interpreter:
    # These parameters are part of the ids of existing HSGs.
    parameters: dict[str, Primitive] = {
        **settings.model.parameters,
        "structured": settings.profile.structured,
    }
    if settings.root_only:
        parameters["root_only"] = True
    if settings.limits[settings.detail] != SUB_SEMIOSES[settings.detail]:
        parameters["limit"] = settings.limits[settings.detail]
    return Interpreter(
        kind="model",
        name=settings.model.full_name,
        model=settings.model.full_name,
        served=served,
        parameters=parameters,
        prompt_version=settings.version,
    )


def _reading(
    settings: ReadingSettings, served: str, given: HSG | None, beside: tuple[str, ...] = ()
) -> Reading:
    return Reading(
        interpreter=_interpreter(settings, served),
        given=(given.id,) if given else (),
        beside=beside,
        detail=settings.detail,
        repeat=settings.repeat,
        language=settings.language,
    )
