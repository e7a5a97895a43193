"""Writes a study as a `.cypher` file of constraints and MERGE statements, which can be loaded repeatedly."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from semiosis.files import atomic_writer, cypher_string
from semiosis.store._references import chunks, in_order
from semiosis.store._schema import any_superseded, rename_superseded_edges, schema_statements
from semiosis.store._statements import merge_statements
from semiosis.values import AnySign, GraphRow, Recorded, parts_of, project, study_rows

_VALUES_PER_CHUNK = 2_000
_ROWS_PER_STATEMENT = 200


def write_cypher_file(file: Path, values: Iterable[Recorded], study: str = "", about: str = "") -> int:
    """Write the file atomically and return the number of its statements."""
    with atomic_writer(file) as stream:
        return sum(
            1 for text in cypher_statements(values, study, about) if stream.write(f"{text};\n".encode())
        )


def cypher_statements(values: Iterable[Recorded], study: str = "", about: str = "") -> Iterator[str]:
    """Yield the statements that create the schema and merge the values. Each statement contains its data."""
    yield from (statement.cypher for statement in schema_statements())
    signs: dict[str, None] = {}
    superseded = False
    for chunk in chunks(in_order(values), _VALUES_PER_CHUNK):
        for value in chunk:
            if isinstance(value, AnySign):
                signs |= dict.fromkeys(part.id for part in (value, *parts_of(value)))
        rows = [row for value in chunk for row in project(value)]
        superseded = superseded or any_superseded(rows)
        yield from _merges(rows)
    if superseded:
        yield from rename_superseded_edges()
    if study:
        yield from _merges(study_rows(study, about, list(signs)))


def literal(value: Any) -> str:
    r"""Return a value as a Cypher literal.

    >>> print(literal({"id": "a\"b", "tags": ["x"], "p": 0.5, "none": None, "yes": True}))
    {`id`: "a\"b", `tags`: ["x"], `p`: 0.5, `none`: null, `yes`: true}
    """
    if isinstance(value, str):
        return cypher_string(value)
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"`{name}`: {literal(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)


def _merges(rows: Iterable[GraphRow]) -> Iterator[str]:
    for batch in merge_statements(rows, _ROWS_PER_STATEMENT):
        yield batch.cypher.replace("$rows", literal(batch.rows), 1)
