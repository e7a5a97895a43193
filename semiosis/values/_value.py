"""What every value shares: frozen fields, a canonical form, an id that hashes its content."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, NoReturn, TypeVar

import rfc8785
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

K = TypeVar("K")
V = TypeVar("V")

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Primitive = bool | int | float | str

ID_VERSION = 1
"""Version of the projections that ids hash. A later projection would rename every value, so it stays at 1."""

ID_LENGTH = 20
ID_PATTERN = rf"^[0-9a-f]{{{ID_LENGTH}}}$"


class ReadOnlyDict(dict[K, V]):
    """A dict nobody can change.

    A subclass of `dict` and not a `MappingProxyType`, because NetworkX copies and reverses graphs with
    `deepcopy`, which a mapping proxy does not survive.
    """

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("this value is frozen; copy it to change it (for an HSG: hsg.copy())")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def copy(self) -> dict[K, V]:
        """A plain dict, free to change."""
        return dict(self)

    def __hash__(self) -> int:  # type: ignore[override]  # dict has none because it can change; this one cannot
        return hash(frozenset(self.items()))

    def __deepcopy__(self, memo: dict[int, object]) -> "ReadOnlyDict[K, V]":
        return self

    def __reduce__(self) -> tuple[type["ReadOnlyDict[K, V]"], tuple[dict[K, V]]]:
        return type(self), (dict(self),)


class Value(BaseModel):
    """A frozen, typed value. Fields it does not know are refused, never dropped."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        allow_inf_nan=False,
        ser_json_inf_nan="null",
    )


Id = Annotated[str, Field(pattern=ID_PATTERN)]
"""The id of a value: the first 20 hex digits of the SHA-256 of its content."""

NodeId = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
"""The name of a node inside its HSG, such as `root` or `n2`."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1."""

Parameters = Annotated[dict[str, Primitive], AfterValidator(ReadOnlyDict)]
"""Named settings, flat and read-only."""


def canonical(content: object) -> bytes:
    """The RFC 8785 form of JSON content with floats rounded to 1e-6: equal content, equal bytes."""
    rounded = _rounded(content)
    return _quick(rounded) or rfc8785.dumps(rounded)


def content_id(kind: str, content: Mapping[str, object]) -> str:
    """The id of a value of this kind with this content.

    >>> content_id("text", {"text": "lily"}) == content_id("text", {"text": "lily"})
    True
    """
    projection = {"idv": ID_VERSION, "kind": kind, **content}
    return hashlib.sha256(canonical(projection)).hexdigest()[:ID_LENGTH]


_UNSURE = re.compile(r"e[-+]\d|\d{16}")
"""Numbers that the standard library may write otherwise than RFC 8785."""


def _quick(content: object) -> bytes:
    """The RFC 8785 form by the standard library, ten times as fast; empty where the two could differ."""
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
        beyond_utf16_unit = len(text.encode("utf-16-le")) != 2 * len(text)  # then keys may sort differently
    except ValueError:
        return b""
    return b"" if beyond_utf16_unit or _UNSURE.search(text) else text.encode()


def _rounded(content: object) -> Any:
    if isinstance(content, float):
        rounded = round(content, 6)
        # RFC 8785 writes 1.0 as 1, so whole floats and ints agree; -0.0 is folded into 0 here.
        return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded
    if isinstance(content, Mapping):
        return {str(key): _rounded(item) for key, item in content.items()}
    if isinstance(content, list | tuple):
        return [_rounded(item) for item in content]
    return content
