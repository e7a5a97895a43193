"""Rows whose texts travel as one: the Neo4j driver takes microseconds for every single value it packs."""

from semiosis.store._write import Batch

MARK = "\x1f"
"""The unit separator, which stands in hardly any text; a column that has it travels by itself."""
_UNWIND = "UNWIND $rows AS row "


def joined(batch: Batch) -> Batch:
    """The same statement with the text columns of each row in one string, which the server splits again."""
    columns = list(zip(*batch.rows, strict=True))
    texts = [place for place, column in enumerate(columns) if _joinable(column)]
    if len(texts) < 2 or not batch.cypher.startswith(_UNWIND):
        return batch
    others = [place for place in range(len(columns)) if place not in texts]
    words = map(MARK.join, zip(*(columns[place] for place in texts), strict=True))
    rows = [list(row) for row in zip(words, *(columns[place] for place in others), strict=True)]
    places = {place: f"words[{at}]" for at, place in enumerate(texts)}
    places |= {place: f"line[{at}]" for at, place in enumerate(others, 1)}
    again = ", ".join(places[place] for place in range(len(columns)))
    split = f"UNWIND $rows AS line WITH line, split(line[0], '\\u001F') AS words WITH [{again}] AS row "
    return Batch(split + batch.cypher.removeprefix(_UNWIND), rows)


def _joinable(column: tuple[object, ...]) -> bool:
    return all(isinstance(value, str) and MARK not in value for value in column)
