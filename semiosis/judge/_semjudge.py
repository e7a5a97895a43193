"""SemJudge: reads prompt and artifacts into HSGs, compares the two chains, and cites nodes (section 4.3)."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from semiosis.ask import AnySign, Asker, Model, load_prompt, on_loop, shared_asker, wait_for
from semiosis.judge._stage3 import Case, Chains, judged, judged_directly, unscored
from semiosis.read import Reader
from semiosis.values import (
    DETAILS,
    HSG,
    Detail,
    Evaluator,
    ImageSign,
    Order,
    Outcome,
    Primitive,
    Unscored,
    UsageError,
    Verdict,
    resolve,
)

Stage2 = Literal["single", "joint"]
"""One call per artifact, reused in every comparison; or both artifacts in one call, as published."""

BOTH_ORDERS: tuple[Order, ...] = ("ab", "ba")


@dataclass(frozen=True)
class Settings:
    """How a SemJudge judges."""

    stage2: Stage2 = "single"
    """How artifacts are read."""
    orders: tuple[Order, ...] = BOTH_ORDERS
    """In which orders a pair is shown. Order is not a cue: both, unless a published figure is repeated."""
    repeats: int = 1
    """How often everything is asked independently."""
    reuse_readings: bool = False
    """Whether repeats judge the same readings instead of reading again."""
    detail: Detail = "standard"
    """How deep prompt and artifacts are read."""
    images: bool = True
    """Whether stage 3 sees the pictures beside their graphs (section 6.1)."""
    root_only: bool = False
    """Whether artifacts are read as one semiosis (figure 4)."""
    direct: bool = False
    """No graphs at all (table 3)."""

    def __post_init__(self) -> None:
        wrong = [
            name
            for name, fits in (
                ("stage2", self.stage2 in get_args(Stage2)),
                ("orders", bool(self.orders) and set(self.orders) <= set(BOTH_ORDERS)),
                ("repeats", self.repeats >= 1),
                ("detail", self.detail in DETAILS),
            )
            if not fits
        ]
        if wrong:
            told = ", ".join(f"{name}={getattr(self, name)!r}" for name in wrong)
            raise UsageError(f"a SemJudge cannot take {told}", fix="see semiosis.judge.Settings")


PRESETS: dict[str, Settings] = {
    "semjudge": Settings(),
    "semjudge:published": Settings(stage2="joint", orders=("ab",), repeats=3),
    "direct": Settings(direct=True),
    "root-only": Settings(root_only=True),
}


class SemJudge:
    """Compares two artifacts of one prompt, with node-cited evidence.

    `compare` takes signs, which it reads itself, or HSGs, which it judges as they are: a strong model's HSGs
    lift a weak judge. What it read is in `readings`, by id, so that it can be saved beside the verdicts.
    """

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
            raise UsageError(f"there is no judge {preset!r}", fix=f"judges are {', '.join(PRESETS)}")
        self.model = model if isinstance(model, Model) else Model(model)
        self.preset = preset
        self.settings = replace(PRESETS[preset], **changes)
        self.asker = asker or (builder.asker if isinstance(builder, Reader) else shared_asker())
        self.builder = (
            builder if isinstance(builder, Reader) else Reader(builder or self.model, asker=self.asker)
        )
        self._root_builder = Reader(self.builder.model, asker=self.asker, root_only=True)
        self.readings: dict[str, HSG] = {}

    @property
    def evaluator(self) -> Evaluator:
        """Who signs the verdicts: the preset, the model, and every setting that may change a verdict."""
        chosen = self.settings
        parameters: dict[str, Primitive] = {
            "model": self.model.full_name,
            "orders": "+".join(chosen.orders),
            "prompt": load_prompt("judge-direct" if chosen.direct else "judge", 1).title,
            **self.model.parameters,
        }
        if not chosen.direct:
            parameters |= {
                "builder": self.builder.model.full_name,
                "stage2": chosen.stage2,
                "detail": chosen.detail,
                "images": chosen.images,
                "root_only": chosen.root_only,
                "reuse_readings": chosen.reuse_readings,
            }
        return Evaluator(kind="model", name=f"{self.preset} {self.model.full_name}", parameters=parameters)

    @property
    def cases(self) -> set[tuple[str, int]]:
        """The orders and repeats in which every comparison is judged."""
        return {(order, repeat) for order in self.settings.orders for repeat in range(self.settings.repeats)}

    def compare(
        self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign, *, repeat: int | None = None
    ) -> Outcome:
        """Which artifact keeps more of the prompt's meaning: all orders and repeats asked, then resolved."""
        return wait_for(self.attempt(prompt, a, b, repeat=repeat))

    async def acompare(
        self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign, *, repeat: int | None = None
    ) -> Outcome:
        """The same as a coroutine, from any loop."""
        return await on_loop(self.attempt(prompt, a, b, repeat=repeat))

    async def attempt(
        self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign, *, repeat: int | None = None
    ) -> Outcome:
        """The same on the private loop."""
        repeats = range(self.settings.repeats) if repeat is None else (repeat,)
        cases = [
            Case(_sign(prompt), _sign(a), _sign(b), order, number)
            for number in repeats
            for order in self.settings.orders
        ]
        verdicts = await asyncio.gather(*(self._judge(case, prompt, a, b) for case in cases))
        return resolve(verdicts)

    async def _judge(self, case: Case, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign) -> Verdict:
        if self.settings.direct:
            return await judged_directly(case, self.model, self.evaluator, self.asker)
        repeat = 0 if self.settings.reuse_readings else case.repeat
        chains = await self._chains(prompt, a, b, case.shown, repeat)
        if isinstance(chains, Unscored):
            return unscored(case, self.evaluator, chains)
        return await judged(case, chains, self.model, self.evaluator, self.asker, images=self.settings.images)

    async def _chains(
        self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign, shown: Order, repeat: int
    ) -> Chains | Unscored:
        meant = await self._read(prompt, None, repeat)
        if isinstance(meant, Unscored):
            return meant
        if self.settings.stage2 == "joint" and isinstance(a, ImageSign) and isinstance(b, ImageSign):
            return await self._joint(meant, a, b, shown, repeat)
        one, two = await asyncio.gather(self._read(a, meant, repeat), self._read(b, meant, repeat))
        if isinstance(one, Unscored):
            return one
        return two if isinstance(two, Unscored) else Chains.shown(meant, one, two, shown)

    async def _joint(
        self, meant: HSG, a: ImageSign, b: ImageSign, shown: Order, repeat: int
    ) -> Chains | Unscored:
        first, second = (a, b) if shown == "ab" else (b, a)
        both = await self.builder.attempt_joint(
            first, second, given=meant, detail=self.settings.detail, repeat=repeat
        )
        if isinstance(both, Unscored):
            return both
        self._keep(both)
        one, two = both if shown == "ab" else reversed(both)
        return Chains.shown(meant, one, two, shown)

    async def _read(self, what: HSG | AnySign, given: HSG | None, repeat: int) -> HSG | Unscored:
        if isinstance(what, HSG):
            return what
        builder = self._root_builder if self.settings.root_only and given else self.builder
        read = await builder.attempt(what, given=given, detail=self.settings.detail, repeat=repeat)
        if not isinstance(read, Unscored):
            self._keep([read])
        return read

    def _keep(self, read: Iterable[HSG]) -> None:
        self.readings |= {hsg.id: hsg for hsg in read}


def _sign(what: HSG | AnySign) -> AnySign:
    return what.sign if isinstance(what, HSG) else what
