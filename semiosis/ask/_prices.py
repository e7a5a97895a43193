"""Prices of calls, from a maintained library or the user's file. An unknown price is None, never 0.

Amounts are whole micro-dollars, because sums of floats leave a residue when a reservation is released.
"""

import math
import string
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from semiosis.ask._model import Model
from semiosis.ask._request import Request
from semiosis.files import MAX_TOML_BYTES, parse_toml, read_text
from semiosis.values import DataError, Usage, Value, format_error

_MILLION = 1_000_000
_BYTES_PER_TOKEN = 3.5
_LETTERS = (string.ascii_letters + " ").encode()
_OVERHEAD_TOKENS = 600
"""The most that a provider adds to a call of its own, such as the instructions for using a tool."""

Dollars = Annotated[float, Field(ge=0, le=1_000_000, strict=True)]


class Price(Value):
    """US dollars per million tokens."""

    input: Dollars | None = None
    """The price of input that is not cached."""
    output: Dollars | None = None
    """The price of output."""
    cache_read: Dollars | None = None
    """The price of input read from the cache; by default, the price of input."""
    cache_write: Dollars | None = None
    """The price of input written to the cache; by default, the price of input."""


class Prices:
    """Looks up prices, first in the user's file, then in `genai-prices`.

    The file is TOML, one table per model:

        ["openai/my-own-model"]
        input = 0.2
        output = 0.8
    """

    def __init__(self, file: str | Path | None = None) -> None:
        self._own: Mapping[str, Price] = _read_prices(Path(file)) if file else {}

    def cost(self, model: Model, usage: Usage, *, batch: bool = False) -> float | None:
        """Return what this usage costs in US dollars; None if the price is unknown."""
        micro_dollars = self.micro_dollars(model, usage, batch=batch)
        return None if micro_dollars is None else micro_dollars / _MILLION

    def micro_dollars(self, model: Model, usage: Usage, *, batch: bool = False) -> int | None:
        """Return what this usage costs in millionths of a dollar, rounded; None if the price is unknown."""
        dollars = self._dollars(model, usage)
        if dollars is None:
            return None
        return round(dollars * _MILLION * Decimal(model.profile.batch_price if batch else 1))

    def is_known(self, model: Model) -> bool:
        """Return whether the price of a model is known."""
        return self._dollars(model, Usage(calls=1, input_tokens=1, output_tokens=1)) is not None

    def _dollars(self, model: Model, usage: Usage) -> Decimal | None:
        if own := self._own.get(model.full_name):
            return _cost_from_file(own, usage)
        return Decimal(0) if model.profile.api == "local" else _listed_cost(model, usage)


def limit_in_micro_dollars(dollars: float) -> int:
    """Return a cost limit in whole micro-dollars, rounded up."""
    # Rounding first removes float errors: 0.3 * 1e6 is 299999.99999999994.
    return math.ceil(round(dollars * _MILLION, 3))


def estimated(request: Request[Any]) -> Usage:
    """Return the expected usage of one call."""
    words = len(request.text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN
    tokens = int(words) + _picture_tokens(request)
    return Usage(calls=1, input_tokens=tokens, output_tokens=request.expected_tokens)


def estimated_at_most(request: Request[Any], history_tokens: int = 0) -> Usage:
    """Return the most that one call can use; `history_tokens` is the length of what a re-ask adds."""
    tokens = tokens_at_most(request.text) + _picture_tokens(request) + _OVERHEAD_TOKENS + history_tokens
    return Usage(
        calls=1,
        input_tokens=tokens,
        output_tokens=int(request.settings["max_tokens"]),
        cache_write_tokens=tokens if request.model.profile.caches else 0,
    )


def tokens_at_most(text: str) -> int:
    """Return the most tokens that a text takes: one for two letters, and one for every other byte.

    Tokenizers fall back to bytes, so that an emoji takes up to four tokens and a Chinese character three.

    >>> tokens_at_most("a lily"), tokens_at_most("百合"), tokens_at_most("42")
    (3, 6, 2)
    """
    blob = text.encode("utf-8", "replace")
    other_bytes = len(blob.translate(None, _LETTERS))
    return other_bytes + math.ceil((len(blob) - other_bytes) / 2)


def _picture_tokens(request: Request[Any]) -> int:
    image_tokens = request.model.profile.image_tokens
    return sum(image_tokens(picture.width, picture.height) for picture in request.pictures)


def _cost_from_file(price: Price, usage: Usage) -> Decimal | None:
    if price.input is None or price.output is None:
        return None
    fresh = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
    counted = (
        (fresh, price.input),
        (usage.output_tokens, price.output),
        (usage.cache_read_tokens, price.input if price.cache_read is None else price.cache_read),
        (usage.cache_write_tokens, price.input if price.cache_write is None else price.cache_write),
    )
    return sum((tokens * Decimal(str(dollars)) for tokens, dollars in counted), Decimal(0)) / _MILLION


def _listed_cost(model: Model, usage: Usage) -> Decimal | None:
    import genai_prices

    counted = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        # This takes about 0.3 ms, which is negligible compared with a call that takes seconds.
        return genai_prices.calc_price(counted, model.name, provider_id=model.provider).total_price
    except (LookupError, ValueError):
        return None


def _read_prices(file: Path) -> dict[str, Price]:
    source = read_text(file, MAX_TOML_BYTES, "the price file")
    try:
        return TypeAdapter(dict[str, Price]).validate_python(parse_toml(source, str(file)))
    except ValidationError as error:
        raise _unusable(format_error(error), str(file)) from error
    except DataError as error:
        raise _unusable(error.what, error.where or str(file)) from error


def _unusable(what: str, where: str) -> DataError:
    return DataError(
        f"the price file cannot be used: {what}",
        where=where,
        fix='write one table per model: ["openai/my-model"] with input and output in dollars per million',
    )
