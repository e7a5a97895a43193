"""Run the queries of docs/neo4j.md and write their results into the page: python -m tools.answer_questions"""

import re
import shutil
import tempfile
from pathlib import Path

from semiosis.files import data
from semiosis.store import EmbeddedStore, QueryResult, Store
from tests.sampled import aligned_sample

PAGE = Path(__file__).parents[1] / "docs" / "neo4j.md"
_QUESTION = re.compile(r"(?P<asked>```cypher\n(?P<cypher>.*?)```\n)(?:\n(?:\|[^\n]*\n)+)?", re.DOTALL)


def answered(page: str, store: Store) -> str:
    """Return the page with the result of each query on this store."""
    return _QUESTION.sub(lambda found: f"{found['asked']}\n{table(store.query(found['cypher']))}", page)


def table(rows: QueryResult) -> str:
    """Return rows as a Markdown table."""
    head = [rows.columns, ["---"] * len(rows.columns)]
    lines = [*head, *([str(row[name]) for name in rows.columns] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def sample_store(folder: Path) -> EmbeddedStore:
    """Return a new store with the aligned sample study."""
    store = EmbeddedStore(folder)
    shutil.copytree(data("graphs/sample/images"), folder / "images")
    store.save(*aligned_sample())
    return store


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as parent, sample_store(Path(parent) / "sample") as opened:
        PAGE.write_text(answered(PAGE.read_text(encoding="utf-8"), opened), encoding="utf-8")
