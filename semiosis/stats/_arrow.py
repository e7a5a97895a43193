"""Tables and columns read through the Arrow PyCapsule interface.

pandas, polars, pyarrow, DuckDB and other packages export their tables as Arrow C streams
(https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html). arro3 reads these streams, so
that Semiosis imports none of these packages.
"""

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from semiosis.values import DataError, UsageError

if TYPE_CHECKING:
    from arro3.core import ChunkedArray, DataType


@runtime_checkable
class ArrowExporter(Protocol):
    """A table or a column that exports itself as an Arrow C stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a capsule with the stream."""


def table_columns(table: ArrowExporter) -> dict[str, list[Any]]:
    """Return the columns of a table by name, with None for missing values.

    Columns that are not text, numbers or booleans, such as dates, are left out.
    """
    from arro3.core import DataType, Table

    rows = _read(table)
    if not DataType.is_struct(rows.type):
        raise UsageError("this is one column, not a table", fix="pass the whole table")
    columns = Table.from_arrow(rows)
    names = columns.column_names
    if len(set(names)) < len(names):
        raise DataError(f"two columns have the same name: {', '.join(names)}", fix="rename one of them")
    return {
        name: list(column.to_pylist())
        for name, column in zip(names, columns.columns, strict=True)
        if _is_readable(column.type)
    }


def column_values(column: ArrowExporter) -> list[Any]:
    """Return the values of one column, such as a Series, with None for missing values."""
    values = _read(column)
    if not _is_readable(values.type):
        raise DataError(f"a column has the Arrow type {values.type}", fix="convert it to text or numbers")
    return list(values.to_pylist())


def _read(exporter: ArrowExporter) -> "ChunkedArray":
    """Return the data of a column, or of a table as one column of structures."""
    from arro3.core import ChunkedArray

    try:
        return ChunkedArray.from_arrow(exporter)
    except ImportError as error:  # pandas exports through pyarrow
        raise UsageError(f"the table cannot be read: {error}", fix="run: pip install pyarrow") from error
    except Exception as error:
        if type(error) is not Exception:  # arro3 raises its own errors as plain exceptions
            raise
        raise DataError(
            f"the table cannot be read: {error}", fix="convert its columns to text and numbers"
        ) from error


def _is_readable(kind: "DataType") -> bool:
    from arro3.core import DataType

    if DataType.is_dictionary(kind):
        return _is_readable(kind.value_type)
    tests = (
        *(DataType.is_string, DataType.is_large_string, DataType.is_string_view),
        *(DataType.is_integer, DataType.is_floating, DataType.is_boolean, DataType.is_null),
    )
    return any(has_type(kind) for has_type in tests)
