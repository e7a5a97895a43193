"""A small question that tests ask."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from semiosis.ask import Model, Passage, Request
from semiosis.testing import StandIn

LILY = {"name": "lily", "petals": 6}


class Flower(BaseModel):
    """A flower."""

    model_config = ConfigDict(extra="forbid")

    name: str
    petals: int


class KnownFlower(Flower):
    """A flower of our garden."""

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        if name != "lily":
            raise ValueError(f"{name!r} does not grow here; only lily does")
        return name


MODELS: dict[str, Callable[[StandIn], Model]] = {
    "anthropic-tools": lambda provider: Model("anthropic/claude-sonnet-5", provider.url),
    "anthropic-native": lambda provider: Model(
        "anthropic/claude-sonnet-5", provider.url, structured="native"
    ),
    "openai-tools": lambda provider: Model("openai/gpt-4o", provider.openai_url),
    "openai-schema": lambda provider: Model("openai/gpt-4o", provider.openai_url, structured="schema"),
}


def question(
    provider: StandIn, way: str = "anthropic-tools", words: str = "Which flower?", **more: Any
) -> Request[Flower]:
    """Return the request that asks which flower is described."""
    settings = {"answer": Flower, "placeholder": lambda: Flower(name="rose", petals=5), **more}
    return Request(MODELS[way](provider), "Name the flower.", (Passage(words),), **settings)
