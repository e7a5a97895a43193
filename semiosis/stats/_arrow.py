"""Tables and columns read through the Arrow PyCapsule interface.

pandas, polars, pyarrow, DuckDB and other packages export their tables as Arrow C streams: C structures with
pointers to the columns (https://arrow.apache.org/docs/format/CDataInterface.html). This module reads those
structures with ctypes, so that Semiosis imports none of these packages.
"""

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from semiosis.values import DataError, UsageError

NUMBERS = {
    "c": np.int8,
    "C": np.uint8,
    "s": np.int16,
    "S": np.uint16,
    "i": np.int32,
    "I": np.uint32,
    "l": np.int64,
    "L": np.uint64,
    "e": np.float16,
    "f": np.float32,
    "g": np.float64,
}
"""Arrow's format codes of numbers."""

OFFSETS = {"u": np.int32, "U": np.int64}
"""Arrow's format codes of text, and the type of the offsets at which each text begins."""

STRUCT, EMPTY, BOOLEAN, TEXT_VIEW = "+s", "n", "b", "vu"

INLINE = 12
"""A text view contains up to this many bytes; longer texts are in a separate buffer."""


@runtime_checkable
class ArrowExporter(Protocol):
    """A table or a column that exports itself as an Arrow C stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a capsule with the stream."""


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Fill = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _Fill),
    ("get_next", _Fill),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]


def table_columns(table: ArrowExporter) -> dict[str, list[Any]]:
    """Return the columns of a table by name, with None for missing values.

    Columns that are not text, numbers or booleans, such as dates, are left out.
    """
    columns: dict[str, list[Any]] = {}
    for schema, array in _chunks(table):
        if schema.format.decode() != STRUCT:
            raise UsageError("this is one column, not a table", fix="pass the whole table")
        fields = [schema.children[position].contents for position in range(schema.n_children)]
        names = [field.name.decode() for field in fields]
        if len(set(names)) < len(names):
            raise DataError(f"two columns have the same name: {', '.join(names)}", fix="rename one of them")
        for position, (name, field) in enumerate(zip(names, fields, strict=True)):
            if _readable(field):
                values = _values(field, array.children[position].contents, array.offset, array.length)
                columns.setdefault(name, []).extend(values)
    return columns


def column_values(column: ArrowExporter) -> list[Any]:
    """Return the values of one column, such as a Series, with None for missing values."""
    values: list[Any] = []
    for schema, array in _chunks(column):
        if not _readable(schema):
            found = schema.format.decode()
            raise DataError(f"a column has the Arrow type {found!r}", fix="convert it to text or numbers")
        values.extend(_values(schema, array, 0, array.length))
    return values


def _chunks(exporter: ArrowExporter) -> Iterator[tuple[Any, Any]]:
    """Yield the schema with each chunk of the data.

    The data may be used only until the next chunk is requested.
    """
    capsule = _capsule(exporter)  # releases the stream when it is deleted
    stream = _Stream.from_address(_pointer(capsule))
    schema = _Schema()
    _check(stream, stream.get_schema(ctypes.addressof(stream), ctypes.addressof(schema)))
    try:
        while True:
            array = _Array()
            _check(stream, stream.get_next(ctypes.addressof(stream), ctypes.addressof(array)))
            if not array.release:  # the end of the stream
                return
            try:
                yield schema, array
            finally:
                array.release(ctypes.addressof(array))
    finally:
        schema.release(ctypes.addressof(schema))


def _capsule(exporter: ArrowExporter) -> object:
    try:
        return exporter.__arrow_c_stream__()
    except ImportError as error:  # pandas exports through pyarrow
        raise UsageError(f"the table cannot be read: {error}", fix="run: pip install pyarrow") from error


def _pointer(capsule: object) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get(capsule, b"arrow_array_stream"))


def _check(stream: Any, code: int) -> None:
    if code:
        detail = stream.get_last_error(ctypes.addressof(stream)) or b"no reason was given"
        raise DataError(
            f"the table cannot be read: {detail.decode(errors='replace')}",
            fix="convert its columns to text and numbers",
        )


def _readable(schema: Any) -> bool:
    known = {*NUMBERS, *OFFSETS, EMPTY, BOOLEAN, TEXT_VIEW}
    return schema.format.decode() in known and (
        not schema.dictionary or _readable(schema.dictionary.contents)
    )


def _values(schema: Any, array: Any, start: int, length: int) -> list[Any]:
    """Return `length` values, starting at `start`."""
    kind, first = schema.format.decode(), array.offset + start
    if kind == EMPTY or not length:
        return [None] * length
    valid = _bits(array.buffers[0], first, length) if array.buffers[0] else np.ones(length, dtype=np.bool_)
    if kind == TEXT_VIEW:
        values: list[Any] = _viewed_texts(array, first, valid)
    elif kind in OFFSETS:
        values = _texts(array, first, length, OFFSETS[kind])
    elif kind == BOOLEAN:
        values = _bits(array.buffers[1], first, length).tolist()
    else:
        values = _memory(array.buffers[1], first, length, NUMBERS[kind]).tolist()
    if schema.dictionary:
        words = array.dictionary.contents
        known = _values(schema.dictionary.contents, words, 0, words.length)
        values = [known[number] if is_valid else None for number, is_valid in zip(values, valid, strict=True)]
    return [value if is_valid else None for value, is_valid in zip(values, valid, strict=True)]


def _memory(address: int, start: int, count: int, dtype: Any) -> npt.NDArray[Any]:
    """Return a copy of `count` numbers at an address."""
    size = np.dtype(dtype).itemsize
    return np.frombuffer(ctypes.string_at(address + start * size, count * size), dtype=dtype)


def _bits(address: int, start: int, count: int) -> npt.NDArray[np.bool_]:
    """Return bits. The least significant bit of each byte comes first."""
    first, last = start // 8, (start + count + 7) // 8
    bits = np.unpackbits(_memory(address, first, last - first, np.uint8), bitorder="little")
    return bits[start - 8 * first :][:count].astype(np.bool_)


def _texts(array: Any, start: int, length: int, dtype: Any) -> list[str]:
    ends = _memory(array.buffers[1], start, length + 1, dtype).tolist()
    data = ctypes.string_at(array.buffers[2] + ends[0], ends[-1] - ends[0]) if ends[-1] > ends[0] else b""
    return [data[low - ends[0] : high - ends[0]].decode() for low, high in pairwise(ends)]


def _viewed_texts(array: Any, start: int, valid: npt.NDArray[np.bool_]) -> list[str]:
    """Return texts from views: a length, then the text itself or its buffer and position."""
    views = _memory(array.buffers[1], start * 4, len(valid) * 4, np.int32).reshape(-1, 4)
    return [_viewed(array, view) if is_valid else "" for view, is_valid in zip(views, valid, strict=True)]


def _viewed(array: Any, view: npt.NDArray[np.int32]) -> str:
    size, _, buffer, position = view.tolist()
    if size <= INLINE:
        return view.tobytes()[4 : 4 + size].decode()
    return ctypes.string_at(array.buffers[2 + buffer] + position, size).decode()
