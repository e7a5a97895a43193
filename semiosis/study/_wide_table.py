"""Finds the columns of a wide table that are evaluators, and reports columns that are not."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from semiosis.files import heading_key, shown_headings
from semiosis.stats.tools import CellCounts, describes, may_be_judge
from semiosis.study._table import (
    InputRow,
    InputTable,
    no_such_column,
    problem_text,
)
from semiosis.values import DataError


@dataclass
class WideColumns:
    """The columns of a wide table that are evaluators, and how many of their cells could be read."""

    what: str
    """The content of the cells: votes or scores."""
    value: str = ""
    """The column that holds a vote or a score in a table with one row for each."""
    names: Sequence[str] = ()
    chosen: bool = False
    """Whether the user named them."""
    counts: CellCounts = field(default_factory=CellCounts)

    @contextmanager
    def reading(self, name: str, row: InputRow, table: InputTable) -> Iterator[None]:
        """Count a cell. What is wrong with it is noted with its column, and the next cell can be read."""
        try:
            yield
        except ValueError as error:
            self.counts.add_bad(name, row.line, row.get(name))
            what = f"column {name!r}: {problem_text(error)}"
            table.reject(row.line, f"{what}; --evaluator NAME selects the columns to read")
        else:
            self.counts.good[name] += 1

    def require_readable(self, table: InputTable) -> None:
        """Raise one error for columns without a readable cell, such as comments, instead of one per row."""
        wrong = self.counts.foreign(self.names)
        others = [name for name in self.names if name not in wrong]
        if wrong and others and not self.chosen:
            options = " ".join(f"--evaluator {name!r}" for name in others)
            columns = "column" if len(wrong) == 1 else "columns"
            raise DataError(
                f"{columns} without {self.what}: {shown_headings(wrong)}; nothing was written",
                where=str(table.path),
                fix=f"select the columns that are evaluators: {options}\n  or, if each row is one "
                f"{self.what.removesuffix('s')}, name its columns: "
                f"--column evaluator=HEADING --column {self.value}=HEADING",
            )

    @property
    def notes(self) -> list[str]:
        """A note that names the columns."""
        return [f"columns read as evaluators: {', '.join(map(repr, self.names))}"] if self.names else []


def wide_columns(
    table: InputTable, what: str, value: str, known: Mapping[str, Sequence[str]], chosen: Sequence[str]
) -> WideColumns:
    """Return the columns that are evaluators: the chosen ones, or those that have no other meaning.

    `value` is the name of the column that holds a vote or a score in a long table.
    """
    unknown = [name for name in chosen if name not in table.columns]
    if unknown:
        raise DataError(
            f"there is no column {unknown[0]!r}",
            where=str(table.path),
            fix=f"columns: {', '.join(map(repr, filter(None, table.columns)))}",
        )
    _restore_judge(table, value)
    for name, other in (("evaluator", value), (value, "evaluator")):
        if other in table.columns and name not in table.columns:
            raise no_such_column(table, name)
    others = {name: spellings for name, spellings in known.items() if name != "evaluator"}
    other_words = _words(others)
    found = [
        name
        for name in table.columns
        if name and heading_key(name) not in other_words and not describes(name)
    ]
    if not found and not chosen:
        raise DataError(
            f"no column holds {what}",
            where=str(table.path),
            fix=f"add the columns evaluator and {value}, or one column per evaluator",
        )
    return WideColumns(what, value, list(chosen) or found, bool(chosen))


def _restore_judge(table: InputTable, value: str) -> None:
    """Give a column such as "judge", which was read as the evaluators, its name back if it is one judge.

    In a table without a column of winners or scores, it is a judge beside others.
    """
    headings = dict(zip(table.columns, table.headings, strict=True))
    who = headings.get("evaluator", "evaluator")
    if value not in table.columns and may_be_judge(who):
        table.columns[table.columns.index("evaluator")] = who
        for row in table.rows:
            row.cells[who] = row.cells.pop("evaluator", "")


def _words(known: Mapping[str, Sequence[str]]) -> set[str]:
    return {word for name, spellings in known.items() for word in (name, *spellings)}
