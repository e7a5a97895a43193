"""The judge SemJudge, which reads prompt and artifacts and cites nodes in its verdicts (section 4.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

from semiosis.ask import (
    Asker,
    Model,
    Task,
    on_loop,
    shared_asker,
    wait_for,
)
from semiosis.judge._judge import Judge, Presentation
from semiosis.judge._judgment import DirectJudgmentTask, JudgmentTask, Source
from semiosis.judge._judgment_request import (
    JudgmentSettings,
    ShownCase,
    direct_template,
    judgment_template,
)
from semiosis.read import (
    JointReadingTask,
    Reader,
    ReadingSettings,
    ReadingTask,
    image_identity,
    joint_identity,
    text_identity,
)
from semiosis.values import (
    DETAILS,
    HSG,
    SUB_SEMIOSES,
    AnySign,
    ComparisonCase,
    Detail,
    Evaluator,
    ImageSign,
    Order,
    Outcome,
    Primitive,
    UsageError,
    Verdict,
)

Stage2 = Literal["single", "joint"]
"""One call per artifact, reused in every comparison; or both artifacts in one call, as published."""

BOTH_ORDERS: tuple[Order, ...] = ("ab", "ba")


@dataclass(frozen=True)
class Settings:
    """The settings of a SemJudge. The sections, figures and tables are those of the paper."""

    stage2: Stage2 = "single"
    """How artifacts are read: one call for each, or both in one call."""
    orders: tuple[Order, ...] = BOTH_ORDERS
    """The orders in which a pair is shown: both, except to reproduce a published figure."""
    repeats: int = 1
    """The number of independent repeats."""
    reuse_readings: bool = False
    """Whether repeats judge the same readings instead of reading again."""
    detail: Detail = "standard"
    """The level of detail of the readings."""
    images: bool = True
    """Whether stage 3 sees the pictures as well as their graphs (section 6.1)."""
    root_only: bool = False
    """Whether artifacts are read as one semiosis (figure 4)."""
    blind: bool = False
    """Whether artifacts are read without the prompt."""
    direct: bool = False
    """Whether the judge sees no graphs (table 3)."""
    language: str = "en"
    """The language of graphs and rationales, as a BCP 47 tag."""

    def __post_init__(self) -> None:
        checks = {
            "stage2": self.stage2 in get_args(Stage2) and not (self.blind and self.stage2 == "joint"),
            "orders": bool(self.orders) and set(self.orders) <= set(BOTH_ORDERS),
            "repeats": self.repeats >= 1,
            "detail": self.detail in DETAILS,
        }
        wrong = [f"{name}={getattr(self, name)!r}" for name, valid in checks.items() if not valid]
        if wrong:
            raise UsageError(
                f"a SemJudge cannot use {', '.join(wrong)}",
                fix="help(semiosis.judge.Settings) describes the possible settings",
            )


PRESETS: dict[str, Settings] = {
    "semjudge": Settings(),
    "semjudge:blind": Settings(blind=True),
    "semjudge:published": Settings(stage2="joint", orders=("ab",), repeats=3),
    "direct": Settings(direct=True),
    "direct:published": Settings(direct=True, orders=("ab",), repeats=3),
    "root-only": Settings(root_only=True),
}
"""The settings of each named judge."""


class SemJudge(Judge):
    """Compares two artifacts of one prompt and cites nodes as evidence.

    `compare` takes signs, which it reads first, or HSGs, which it judges as they are. Another model may have
    read the HSGs. The outcome's `readings` are the HSGs that were read; save them with the verdicts.
    """

    asker: Asker

    def __init__(
        self,
        model: str | Model,
        *,
        preset: str = "semjudge",
        builder: str | Model | Reader | None = None,
        asker: Asker | None = None,
        **changes: Any,
    ) -> None:
        if preset not in PRESETS:
            raise UsageError(f"there is no judge {preset!r}", fix=f"choose one of {', '.join(PRESETS)}")
        self.model = model if isinstance(model, Model) else Model(model)
        self.preset = preset
        self.settings = replace(PRESETS[preset], **changes)
        if isinstance(builder, Reader) and builder.language != self.settings.language:
            raise UsageError(
                f"the builder reads in {builder.language!r}, but the judge writes in "
                f"{self.settings.language!r}",
                fix="give both the same language",
            )
        self.asker = asker or (builder.asker if isinstance(builder, Reader) else shared_asker())
        self.builder = (
            builder
            if isinstance(builder, Reader)
            else Reader(
                builder or self.model,
                asker=self.asker,
                language=self.settings.language,
            )
        )

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, whose parameters are the settings of the judge and of its requests."""
        settings = self.settings
        parameters: dict[str, Primitive] = {"orders": "+".join(settings.orders)}
        if settings.direct:
            parameters |= direct_template(self._judgment).identity
        else:
            parameters |= judgment_template(self._judgment).identity
            parameters |= {
                "builder": self.builder.model.full_name,
                "stage2": settings.stage2,
                "detail": settings.detail,
                "images": settings.images,
                "root_only": settings.root_only,
                "blind": settings.blind,
                "reuse_readings": settings.reuse_readings,
                **self._reading_identity(),
            }
        return Evaluator(kind="model", name=f"{self.preset} {self.model.full_name}", parameters=parameters)

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """The orders and repeats in which every comparison is judged."""
        return tuple(
            (order, repeat) for repeat in range(self.settings.repeats) for order in self.settings.orders
        )

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return a task for each order and repeat. Signs without an HSG in the case are read first."""
        return [self._task(ShownCase(case, order, repeat)) for order, repeat in self.presentations]

    def compare(
        self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign, *, repeat: int | None = None
    ) -> Outcome:
        """Return the outcome of all orders, and of all repeats unless `repeat` selects one."""
        return wait_for(self.acompare(prompt, a, b, repeat=repeat))

    async def acompare(
        self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign, *, repeat: int | None = None
    ) -> Outcome:
        """Return the outcome, as `compare` does, from any event loop."""
        case = ComparisonCase.of(prompt, a, b)
        if repeat is None:
            return await on_loop(self._outcome(self.tasks(case)))
        tasks = [self._task(ShownCase(case, order, repeat)) for order in self.settings.orders]
        return await on_loop(self._outcome(tasks))

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that judge and read."""
        return (self.model,) if self.settings.direct else (self.model, self.builder.model)

    def _reading_identity(self) -> dict[str, Primitive]:
        """Return the settings of the requests that read a text prompt and image artifacts."""
        identities = {"prompt": text_identity(self._prompt_settings())}
        if self.settings.stage2 == "joint":
            identities["artifacts"] = joint_identity(self._prompt_settings())
        else:
            identities["artifact"] = image_identity(self._artifact_settings(), given=not self.settings.blind)
        return {
            f"read {what}: {name}": value
            for what, identity in identities.items()
            for name, value in identity.items()
        }

    def _prompt_settings(self, repeat: int = 0) -> ReadingSettings:
        return self.builder.settings(self.settings.detail, repeat)

    def _artifact_settings(self, repeat: int = 0) -> ReadingSettings:
        settings = self._prompt_settings(repeat)
        return replace(settings, root_only=True, limits=SUB_SEMIOSES) if self.settings.root_only else settings

    def _task(self, shown: ShownCase) -> Task[Verdict]:
        if self.settings.direct:
            return DirectJudgmentTask(self._judgment, self.evaluator, shown)
        return JudgmentTask(self._judgment, self.evaluator, shown, self._sources(shown))

    @property
    def _judgment(self) -> JudgmentSettings:
        settings = self.settings
        return JudgmentSettings(self.model, settings.images, settings.language)

    def _sources(self, shown: ShownCase) -> tuple[Source, ...]:
        case, repeat = shown.case, 0 if self.settings.reuse_readings else shown.repeat
        prompt: HSG | ReadingTask = case.readings.get(case.prompt.id) or ReadingTask(
            self._prompt_settings(repeat), case.prompt
        )
        first, second = shown.pictures
        unread = not {first.id, second.id} & case.readings.keys()
        if self.settings.stage2 == "joint" and unread and _are_images(first, second):
            return prompt, JointReadingTask(self._prompt_settings(repeat), first, second, prompt)  # type: ignore[arg-type]  # both are images
        given = None if self.settings.blind else prompt
        a, b = (
            case.readings.get(sign.id) or ReadingTask(self._artifact_settings(repeat), sign, given)
            for sign in (case.a, case.b)
        )
        return prompt, a, b


def _are_images(*signs: AnySign) -> bool:
    return all(isinstance(sign, ImageSign) for sign in signs)
