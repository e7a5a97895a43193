"""The flat tables of a study as CSV files or Parquet files."""

import csv
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from semiosis.export._tables import TABLES, FlatTable
from semiosis.files import atomic_writer, escape_csv
from semiosis.study import Study
from semiosis.values import MissingExtraError

_PART_ROWS = 50_000
"""The maximum number of rows of a Parquet file, so that a table of any size is written in bounded memory."""


def export_csv(study: Study, folder: Path) -> list[Path]:
    """Write one CSV file per table into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_write_csv(table, study, folder / f"{name}.csv") for name, table in TABLES.items()]


def export_parquet(study: Study, folder: Path) -> list[Path]:
    """Write one folder of Parquet files per table and return the files. Needs pyarrow."""
    try:
        import pyarrow  # noqa: F401  # _write_parquet needs it; fail before the first file
    except ImportError as error:
        raise MissingExtraError("Parquet export needs pyarrow", "report") from error
    files = []
    for name, table in TABLES.items():
        for number, part in enumerate(_parts(table.rows(study))):
            files.append(_write_parquet(table, part, folder / name / f"part-{number:05d}.parquet"))
    return files


def _parts(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield lists of at most `_PART_ROWS` rows. An empty table gives one empty list, and so one file."""
    part = list(islice(rows, _PART_ROWS))
    yield part
    while part := list(islice(rows, _PART_ROWS)):
        yield part


def _write_csv(table: FlatTable, study: Study, file: Path) -> Path:
    with atomic_writer(file) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="")
        writer = csv.DictWriter(text, list(table.columns))
        writer.writeheader()
        for row in table.rows(study):
            writer.writerow({name: _cell(value) for name, value in row.items()})
        text.flush()
        text.detach()  # the stream stays open: atomic_writer closes it and renames the file
    return file


def _cell(value: Any) -> Any:
    return escape_csv(value) if isinstance(value, str) else value


def _write_parquet(table: FlatTable, rows: list[dict[str, Any]], file: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in table.columns.items()])
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_writer(file) as stream:
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), stream)
    return file
