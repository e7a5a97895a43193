"""The conversion of results to pandas DataFrames. pandas is imported on first use and is not a dependency."""

from dataclasses import fields
from typing import TYPE_CHECKING, ClassVar

from semiosis.values import Unscored, UsageError, brief_repr

if TYPE_CHECKING:
    import pandas as pd

Record = dict[str, str | float | int | bool | None]
"""The cells of one row by column; None where there is no value."""


class Result:
    """A result that converts to a DataFrame."""

    table_rows: ClassVar[tuple[str, ...]] = ()
    """The fields that contain rows. A result without such fields is one row."""

    def __init_subclass__(cls) -> None:
        """Give every result a short `repr`. A dataclass makes its own unless its class already has one."""
        cls.__repr__ = brief_repr  # type: ignore[method-assign]  # see above

    def to_pandas(self) -> "pd.DataFrame":
        """Return the result as a DataFrame. pandas must be installed.

        An estimate becomes the columns value, low, high, n, unscored and p. A missing value is NaN. The
        reason is in the result, not in the DataFrame.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise UsageError("to_pandas() needs pandas", fix="run: pip install pandas") from error
        return pd.DataFrame(self.records())

    def records(self) -> list[Record]:
        """Return the rows of the DataFrame."""
        if not self.table_rows:
            return [self.record()]
        return [row.record() for name in self.table_rows for row in getattr(self, name)]

    def record(self) -> Record:
        """Return the result as one row. The columns of nested results start with the field's name."""
        found: Record = {}
        for field in fields(self):  # type: ignore[arg-type]  # every result is a dataclass
            found |= field_record(field.name, getattr(self, field.name))
        return found


def field_record(name: str, value: object) -> Record:
    """Return the cells of a field. A field that contains several values has none."""
    if isinstance(value, Result):
        nested = {key: cell for key, cell in value.record().items() if key != "name"}
        return {name if key == "value" else f"{name}_{key}": cell for key, cell in nested.items()}
    if isinstance(value, Unscored):
        return {name: None}
    return {name: value} if isinstance(value, str | float | int | bool) else {}
