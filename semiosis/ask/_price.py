"""What calls cost: prices from a maintained library or the user's file. An unknown price is None, never 0."""

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from semiosis.ask._model import Model
from semiosis.ask._request import Request
from semiosis.values import DataError, Usage

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

_MILLION = 1_000_000
_BYTES_PER_TOKEN = 3.5
_BYTES_PER_TOKEN_AT_LEAST = 2.0
_BATCH_SHARE = 0.5
_LISTED_AS = {
    "input_mtok": "input",
    "output_mtok": "output",
    "cache_read_mtok": "cache_read",
    "cache_write_mtok": "cache_write",
}


@with_config(ConfigDict(extra="forbid"))
class Price(TypedDict, total=False):
    """US dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float


class Prices:
    """Looks prices up: first in the user's file, then in `genai-prices`.

    The file is TOML, one table per model:

        ["openai/my-own-model"]
        input = 0.2
        output = 0.8
    """

    def __init__(self, file: str | Path | None = None) -> None:
        self._own: Mapping[str, Price] = _read(Path(file)) if file else {}

    def cost(self, model: Model, usage: Usage, *, batch: bool = False) -> float | None:
        """What this usage costs in US dollars; None where the price is unknown."""
        if own := self._own.get(model.full_name):
            return _own_cost(own, usage)
        if model.provider == "local":
            return 0.0
        listed = _listed_cost(model, usage)
        return listed * _BATCH_SHARE if batch and listed is not None else listed

    def estimate(self, request: Request[Any], *, at_most: bool = False) -> float | None:
        """What asking this will cost: as expected, or with every token it may use."""
        return self.cost(request.model, estimated(request, at_most=at_most))


def estimated(request: Request[Any], *, at_most: bool = False) -> Usage:
    """The usage to expect of one call, or the most it can be."""
    per_token = _BYTES_PER_TOKEN_AT_LEAST if at_most else _BYTES_PER_TOKEN
    words = len(request.text.encode()) / per_token
    pixels = sum(picture.width * picture.height for picture in request.pictures)
    output = int(request.settings["max_tokens"]) if at_most else request.expected_tokens
    return Usage(
        calls=1,
        input_tokens=int(words + pixels / request.model.profile.pixels_per_token),
        output_tokens=output,
    )


def _own_cost(price: Price, usage: Usage) -> float | None:
    if "input" not in price or "output" not in price:
        return None
    fresh = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
    dollars = (
        fresh * price["input"]
        + usage.output_tokens * price["output"]
        + usage.cache_read_tokens * price.get("cache_read", price["input"])
        + usage.cache_write_tokens * price.get("cache_write", price["input"])
    )
    return dollars / _MILLION


def _listed_cost(model: Model, usage: Usage) -> float | None:
    if flat := _flat_price(model.provider, model.name):
        return _own_cost(flat, usage)
    calculation = _calculated(model.provider, model.name, usage)
    return float(calculation.total_price) if calculation else None


@lru_cache(maxsize=256)
def _flat_price(provider: str, name: str) -> Price | None:
    """The listed price where tokens alone make it; None where time, tiers or the call itself do as well.

    The library needs a third of a millisecond of every call for what is then one sum.
    """
    calculation = _calculated(provider, name, Usage(calls=1))
    if calculation is None or calculation.total_price or isinstance(calculation.model.prices, list):
        return None
    listed = {key: price for key, price in vars(calculation.model_price).items() if price is not None}
    plain = all(isinstance(price, Decimal) for price in listed.values())
    if not plain or not {"input_mtok", "output_mtok"} <= listed.keys():
        return None
    flat: Any = {ours: float(listed[key]) for key, ours in _LISTED_AS.items() if key in listed}
    price: Price = flat
    return price


def _calculated(provider: str, name: str, usage: Usage) -> "PriceCalculation | None":
    import genai_prices

    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        return genai_prices.calc_price(counted, name, provider_id=provider)
    except LookupError:
        return None


def _read(file: Path) -> dict[str, Price]:
    try:
        return TypeAdapter(dict[str, Price]).validate_python(tomllib.loads(file.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        _refuse(file, error)


def _refuse(file: Path, error: Exception) -> NoReturn:
    raise DataError(
        f"the price file cannot be used: {error}",
        where=str(file),
        fix='write one table per model: ["openai/my-model"] with input and output in dollars per million',
    ) from error
