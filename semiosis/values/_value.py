"""The base of all values: frozen fields, a canonical JSON form, and ids that hash the content."""

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, NoReturn, TypeVar

import rfc8785
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictFloat, StrictInt, ValidationError
from pydantic_core import ErrorDetails, to_json

from semiosis.values._brief import brief_repr
from semiosis.values._errors import DataError

K = TypeVar("K")
V = TypeVar("V")

Primitive = bool | int | float | str
"""The types of a parameter of a model or an evaluator."""

ID_VERSION = 1
"""Version of the content that ids hash. Another version would change every id, so it stays at 1."""

ID_LENGTH = 20
ID_PATTERN = rf"^[0-9a-f]{{{ID_LENGTH}}}$"
"""The regular expression of an id."""
NODE_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]*$"

TEXT_PATTERN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]*$"
"""The characters that XML 1.0 allows, so that every export can contain them."""

MAX_INT = 2**53 - 1
"""The largest integer that every JSON reader represents exactly. RFC 8785 allows no larger one."""


Integer = Annotated[StrictInt, Field(le=MAX_INT)]
"""An integer that is not too large for JSON and the graph databases."""


class ReadOnlyDict(dict[K, V]):
    """A read-only dict.

    It is a subclass of `dict` and not a `MappingProxyType`, because NetworkX copies and reverses graphs with
    `deepcopy`, which fails on a mapping proxy.
    """

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("this value is frozen; copy it to change it (for an HSG: hsg.copy())")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def copy(self) -> dict[K, V]:
        """Return a plain dict that can be changed."""
        return dict(self)

    def __hash__(self) -> int:  # type: ignore[override]  # a dict is mutable and has no hash; this one is not
        return hash(frozenset(self.items()))

    def __deepcopy__(self, memo: dict[int, object]) -> "ReadOnlyDict[K, V]":
        return self

    def __reduce__(self) -> tuple[type["ReadOnlyDict[K, V]"], tuple[dict[K, V]]]:
        return type(self), (dict(self),)


STRICT = ConfigDict(
    extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False, ser_json_inf_nan="null"
)
"""Unknown fields are refused, never dropped."""


def is_unset(value: object) -> bool:
    """Return whether an optional field is empty. Such a field is written and hashed only if it is set."""
    return not value


def is_none(value: object) -> bool:
    """Return whether an optional number is missing. Unlike an empty text, 0 is a value."""
    return value is None


class Value(BaseModel):
    """A frozen, typed value. Unknown fields are refused, never dropped."""

    model_config = ConfigDict(frozen=True, **STRICT)

    __repr__ = brief_repr


Id = Annotated[str, Field(pattern=ID_PATTERN)]
"""The id of a value: the first 20 hex digits of the SHA-256 of its content."""

NodeId = Annotated[str, Field(pattern=NODE_PATTERN)]
"""The id of a node, unique in its HSG, such as `root` or `n2`."""

NodeRef = Annotated[str, Field(pattern=rf"{ID_PATTERN[:-1]}/{NODE_PATTERN[1:]}")]
"""A reference to a node of an HSG: `<HSG id>/<node>`."""

Text = Annotated[str, Field(pattern=TEXT_PATTERN)]
"""Text without control characters other than tab, newline and carriage return."""

_REFUSED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """Return text with U+FFFD in place of all that `Text` refuses: control characters and half pairs.

    Half of a surrogate pair is not a character, and no file and no database accepts it.
    """
    return _REFUSED.sub("\N{REPLACEMENT CHARACTER}", text)


ReplyText = Annotated[str, AfterValidator(printable)]
"""Text by a model or a program. Control characters are replaced, because refusing the text would lose it."""

UnitInterval = Annotated[StrictFloat, Field(ge=0, le=1)]
"""A number from 0 to 1."""


class Superseding(Value):
    """A value that can replace an earlier one."""

    supersedes: Id | None = Field(default=None, exclude_if=is_unset)
    """The id of the value that this one replaces, for example to correct a mistake."""

    def _id(self, kind: str, content: Mapping[str, object]) -> str:
        """Return the hash of the content and of `supersedes`, if it is set."""
        return content_id(kind, {**content, **({"supersedes": self.supersedes} if self.supersedes else {})})


def _check_parameters(parameters: dict[str, Primitive]) -> ReadOnlyDict[str, Primitive]:
    for name, value in parameters.items():
        if isinstance(value, int) and abs(value) > MAX_INT:
            raise ValueError(f"{name!r} is too large an integer for JSON; write it as text: '{value}'")
    return ReadOnlyDict(parameters)


Parameters = Annotated[dict[str, Primitive], AfterValidator(_check_parameters)]
"""Named settings, flat and read-only."""


def canonical(content: object) -> bytes:
    """Return the RFC 8785 form of JSON content, with floats rounded to 1e-6."""
    try:
        return _canonical(content)
    except (ValueError, TypeError) as error:
        fix = "use text and finite numbers"
        raise DataError(f"the content cannot be written as JSON: {error}", fix=fix) from error


def _canonical(content: object) -> bytes:
    # The RFC 8785 library is slow. With sorted keys, pydantic's JSON writer gives the same bytes, except
    # for very small and very large numbers, which are rare.
    try:
        return to_json(_normalized(content, _round_common))
    except OverflowError:
        return rfc8785.dumps(_normalized(content, _round))


def content_id(kind: str, content: Mapping[str, object]) -> str:
    """Return the id of a value of this kind with this content.

    >>> content_id("text", {"text": "lily"}) == content_id("text", {"text": "lily"})
    True
    """
    projection = {"idv": ID_VERSION, "kind": kind, **content}
    return hashlib.sha256(canonical(projection)).hexdigest()[:ID_LENGTH]


def format_error(error: ValidationError) -> str:
    """Return the first problems of a validation error as one line of text."""
    problems = [_format_problem(problem) for problem in error.errors(include_url=False, include_input=False)]
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    return "; ".join(problems[:3]) + more


def _format_problem(problem: ErrorDetails) -> str:
    what = problem["msg"].removeprefix("Value error, ")
    if problem.get("ctx", {}).get("pattern") == TEXT_PATTERN:
        what = "a control character is not allowed in text"
    where = ".".join(map(str, problem["loc"]))
    return f"{where}: {what}" if where else what


def _normalized(content: object, number: Callable[[float], float]) -> Any:
    """Return the content with rounded numbers and with keys sorted by their UTF-16 code units."""
    if isinstance(content, dict):
        return {
            name: item if type(item := content[name]) is str else _normalized(item, number)
            for name in _sorted_keys(tuple(content))
        }
    if isinstance(content, float):
        return number(content)
    if isinstance(content, (list, tuple)):
        return [_normalized(item, number) for item in content]
    if content is None or isinstance(content, (str, bool)):
        return content
    if isinstance(content, int) and abs(content) <= MAX_INT:
        return content
    raise TypeError(f"{content!r} is not a JSON value")


@lru_cache(maxsize=1024)
def _sorted_keys(names: tuple[str, ...]) -> list[str]:
    return sorted(names, key=lambda name: str.encode(name, "utf-16be"))


def _round(number: float) -> float:
    """Return the number rounded to 1e-6, as an int if it is integral: RFC 8785 writes 1.0 as 1."""
    rounded = round(number, 6)
    return int(rounded) if rounded % 1 == 0 and abs(rounded) <= MAX_INT else rounded


def _round_common(number: float) -> float:
    """Return the rounded number; raise `OverflowError` if pydantic writes it differently from RFC 8785."""
    rounded = round(number, 6)
    if 1e-4 <= abs(rounded) < 1:
        return rounded
    if rounded == 0 or 1 <= abs(rounded) <= MAX_INT:
        return _round(rounded)
    raise OverflowError
