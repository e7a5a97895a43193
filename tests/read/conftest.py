"""A prompt, two pictures, their HSGs, and readers that ask a stand-in provider."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, Model, wait_for
from semiosis.files import image
from semiosis.read import Reader
from semiosis.testing import StandIn, answers_from
from semiosis.values import (
    HSG,
    Ground,
    Grounds,
    ImageSign,
    Semiosis,
    TextSign,
    text,
)
from tests.small import PROMPT, artifact_hsg, draw, prompt_hsg

MakeReader = Callable[..., Reader]


@dataclass(frozen=True)
class Garden:
    """The signs to read, and their HSGs."""

    prompt: TextSign
    a: ImageSign
    b: ImageSign
    hsgs: tuple[HSG, ...]


@pytest.fixture
def garden(tmp_path: Path) -> Garden:
    prompt = text(PROMPT, title="Annunciation")
    a, b = (image(draw(tmp_path / f"{colour}.png", colour)) for colour in ("red", "blue"))
    hsgs = prompt_hsg(prompt, "Ada"), artifact_hsg(a, "Ada", "lily"), artifact_hsg(b, "Ada", "rose")
    return Garden(prompt, a, b, tuple(map(as_asked, hsgs)))


def as_asked(hsg: HSG) -> HSG:
    """Return the HSG as the prompts ask for it: a root without a place, and all reasons and importances."""
    importance = 0.5 if hsg.sign.kind == "text" else None
    semioses = {
        name: semiosis.model_copy(update={"grounds": _reasoned(semiosis), "importance": importance})
        for name, semiosis in hsg.semioses.items()
    }
    root = semioses["root"]
    whole = {"places": (), "nowhere": root.nowhere or "the whole sign", "importance": importance and 1.0}
    nowhere = root.model_copy(update=whole)
    relations = [relation.model_copy(update={"how": "in its way"}) for relation in hsg.relations]
    return HSG(hsg.sign, {**semioses, "root": nowhere}, relations, hsg.reading)


def _reasoned(semiosis: Semiosis) -> Grounds:
    named = {name: getattr(semiosis.grounds, name) for name in ("iconic", "indexical", "symbolic")}
    return Grounds(
        **{n: Ground(strength=g.strength, why=g.why or "no reason given") for n, g in named.items()}
    )


@pytest.fixture
def provider(garden: Garden) -> Iterator[StandIn]:
    with StandIn(answers_from(garden.hsgs)) as provider:
        yield provider


@pytest.fixture
def make_asker(tmp_path: Path) -> Iterator[Callable[..., Asker]]:
    made: list[Asker] = []

    def make(**settings: Any) -> Asker:
        made.append(Asker(tmp_path / "replies.sqlite", **{"first_wait": 0.001, **settings}))
        return made[-1]

    yield make
    for asker in made:
        wait_for(asker.close())


@pytest.fixture
def make_reader(make_asker: Callable[..., Asker]) -> MakeReader:
    def make(provider: StandIn, **settings: Any) -> Reader:
        asker = settings.pop("asker", None) or make_asker()
        return Reader(Model("anthropic/claude-sonnet-5", provider.url), asker=asker, **settings)

    return make
