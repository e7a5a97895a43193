"""Rows whose texts travel as one: the Neo4j driver takes microseconds for every single value it packs."""

import re
from typing import Any, NamedTuple

from semiosis.store._write import Batch

LINE, WORD = "\x1e", "\x1f"
"""The record and the unit separator, which stand in hardly any text; a column with one is not joined."""
_PLACE = re.compile(r"row\[(\d+)\]")
_UNWIND = "UNWIND $rows AS row "
_SPLIT = (
    "WITH split($lines, '\\u001E') AS lines UNWIND range(0, size(lines) - 1) AS at "
    "WITH at, split(lines[at], '\\u001F') AS words "
)
_AS_PLANNED = "CYPHER replan=skip "
"""Each node of a statement is found by its unique id, however large the graph: no plan grows old."""
_COUNTED = " RETURN count(*) AS n"


class Joined(NamedTuple):
    """One statement, which counts what it merged, and what it is given."""

    cypher: str
    params: dict[str, Any]


def joined(batch: Batch) -> Joined:
    """The statement with all texts in one string, which the server splits again."""
    columns = list(zip(*batch.rows, strict=True))
    texts = [place for place, column in enumerate(columns) if _joinable(column)]
    if not texts:
        return Joined(f"{_AS_PLANNED}{batch.cypher}{_COUNTED}", {"rows": batch.rows})
    others = [place for place in range(len(columns)) if place not in texts]
    lines = LINE.join(map(WORD.join, zip(*(columns[place] for place in texts), strict=True)))
    places = {place: f"words[{at}]" for at, place in enumerate(texts)}
    places |= {place: f"$columns[{at}][at]" for at, place in enumerate(others)}
    rest = _PLACE.sub(lambda place: places[int(place[1])], batch.cypher.removeprefix(_UNWIND))
    params = {"lines": lines, "columns": [list(columns[place]) for place in others]}
    return Joined(f"{_AS_PLANNED}{_SPLIT}{rest}{_COUNTED}", params)


def _joinable(column: tuple[Any, ...]) -> bool:
    if set(map(type, column)) != {str}:
        return False
    text = "".join(column)
    return LINE not in text and WORD not in text
