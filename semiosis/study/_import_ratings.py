"""Brings tables of ratings into one form: one row for each picture, rater and scale."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from semiosis.files import heading_key, shown_headings
from semiosis.study._collect import ImportOptions
from semiosis.study._import_pictures import COLUMNS as PICTURE_COLUMNS
from semiosis.study._names import SignNames
from semiosis.study._study import Study
from semiosis.study._table import InputRow, InputTable, no_such_column
from semiosis.values import DataError, Rating, UsageError

_LIST = re.compile(r"[\[(](.*)[\])]")
_OTHER_WORDS = {"source", "split", "dataset", "index", "url", "time", "timestamp", "date", "comment", "notes"}
"""Headings of columns that are neither raters, generators nor scales."""


def long_ratings(
    table: InputTable, options: ImportOptions, names: SignNames, known: Mapping[str, Sequence[str]]
) -> tuple[InputTable, list[str]]:
    """Return the table with one rating in each row, and a note on how its columns were read.

    A table without a column of values has one column per rater, per scale if it has a column `evaluator`, or
    per generator if it names no picture. A cell such as `[1, 0.5]` has one number for each `--scale`.
    """
    if "value" in table.columns:
        if "evaluator" not in table.columns and not options.by:
            raise no_such_column(table, "evaluator")
        columns, meaning = ["value"], "value"
    else:
        columns, meaning = _wide_columns(table, options, names, known)
    rows = [row for original in table.rows for row in _split(original, columns, meaning, options)]
    named = sorted({*table.columns, "evaluator", "value"} - set(columns) | {meaning})
    note = f"columns read as {_MEANINGS[meaning]}: {', '.join(map(repr, columns))}"
    return replace(table, rows=rows, columns=named), [note] if meaning != "value" else []


_MEANINGS = {"value": "values", "generator": "generators", "evaluator": "raters", "scale": "scales"}


def _wide_columns(
    table: InputTable, options: ImportOptions, names: SignNames, known: Mapping[str, Sequence[str]]
) -> tuple[list[str], str]:
    """Return the columns that contain ratings, and what their headings are."""
    words = {word for name, spellings in {**PICTURE_COLUMNS, **known}.items() for word in (name, *spellings)}
    unknown = [name for name in options.evaluators if name not in table.columns]
    if unknown:
        raise DataError(
            f"there is no column {unknown[0]!r}",
            where=str(table.path),
            fix=f"columns: {shown_headings([name for name in table.columns if name])}",
        )
    others = words | _OTHER_WORDS
    columns = list(options.evaluators) or [
        name for name in table.columns if name and heading_key(name) not in others
    ]
    if not columns:
        raise no_such_column(table, "value")
    if not {"file", "generator"} & set(table.columns):
        if not all(map(names.has, columns)):
            raise no_such_column(table, "file")
        if "evaluator" not in table.columns and not options.by:
            raise DataError(
                "the columns of this table are generators, so it does not say who rated",
                where=str(table.path),
                fix="name the person with --by NAME",
            )
        return _with_numbers(table, columns), "generator"
    return _with_numbers(table, columns), "scale" if "evaluator" in table.columns else "evaluator"


def _with_numbers(table: InputTable, columns: list[str]) -> list[str]:
    """Return the columns; raise if one of them, such as a comment, contains no number."""
    wordy = [name for name in columns if (cells := _filled(table, name)) and not any(map(_has_digit, cells))]
    if wordy:
        options = " ".join(f"--evaluator {name!r}" for name in columns if name not in wordy)
        raise DataError(
            f"columns without ratings: {shown_headings(wordy)}; nothing was written",
            where=str(table.path),
            fix=f"select the columns to read: {options or '--evaluator NAME'}",
        )
    return columns


def _filled(table: InputTable, column: str) -> list[str]:
    return [cell for row in table.rows if (cell := row.get(column))]


def _has_digit(cell: str) -> bool:
    return any(letter.isdigit() for letter in cell)


def _split(row: InputRow, columns: Sequence[str], meaning: str, options: ImportOptions) -> Iterator[InputRow]:
    """Yield one row for each rating in a row."""
    for column in columns:
        cell = row.get(column)
        if not cell and meaning != "value":
            continue
        about = {name: text for name, text in row.cells.items() if name not in columns}
        about.setdefault("evaluator", options.by)
        if meaning != "value":
            about[meaning] = column
        listed = _LIST.fullmatch(cell)
        numbers = [part.strip() for part in re.split("[,;]", listed[1])] if listed else [cell]
        scales = list(options.scales)
        if len(numbers) > 1 and len(numbers) == len(scales):
            yield from (
                InputRow(row.line, about | {"scale": scale, "value": number})
                for scale, number in zip(scales, numbers, strict=True)
            )
        else:
            yield InputRow(row.line, about | {"value": cell if len(numbers) > 1 else numbers[0]})


class ScaleEnds:
    """The lowest and the highest value of each scale: stated, or those of the study's earlier ratings."""

    def __init__(self, study: Study, table: InputTable, options: ImportOptions) -> None:
        self._options = options
        self._table = table
        self._recorded = {
            value.scale: (value.low, value.high)
            for value in study.observations.values()
            if isinstance(value, Rating)
        }
        self.of = cache(self._of)

    def _of(self, scale: str, low: str, high: str) -> tuple[float, float]:
        recorded = self._recorded.get(scale, (None, None))
        ends = (
            float(low) if low else self._options.low if self._options.low is not None else recorded[0],
            float(high) if high else self._options.high if self._options.high is not None else recorded[1],
        )
        if ends[0] is None or ends[1] is None:
            raise UsageError(
                f"the ends of the scale {scale!r} are not known{self._range(scale)}",
                where=str(self._table.path),
                fix="add the lowest and the highest possible rating, for example: --low 1 --high 5",
            )
        if ends[0] >= ends[1]:
            what = f"the lowest value of the scale, {ends[0]:g}, is not below the highest, {ends[1]:g}"
            if low or high:
                raise ValueError(what)
            raise UsageError(what, fix="correct --low and --high")
        return ends[0], ends[1]

    def _range(self, scale: str) -> str:
        """Return the smallest and the largest rating of the table as a remark."""
        values = []
        for row in self._table.rows:
            try:
                values += [float(row.get("value"))] if row.get("scale") in ("", scale) else []
            except ValueError:
                continue
        return f"; the ratings in this table are from {min(values):g} to {max(values):g}" if values else ""
