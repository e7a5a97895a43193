"""How the site is built: Sphinx with MyST and furo; the page of queries is written from their heads."""

import re
from pathlib import Path

DOCS = Path(__file__).parent
QUERIES = DOCS.parent / "graphs" / "queries"

project = "Semiosis"
author = "The Semiosis developers"
project_copyright = "The Semiosis developers, Apache-2.0"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Semiosis"
html_static_path: list[str] = []

HEAD = """# Queries

Questions scholars ask of a store, each a `.cypher` file that runs unchanged on the embedded store and on
Neo4j. `semiosis query --list` shows them; this page is written from their heads.

"""


def fields(source: str, name: str) -> list[str]:
    """What the head of a query says under this name, line by line."""
    return re.findall(rf"^// {name}: (.*)$", source, re.MULTILINE)


def section(file: Path) -> str:
    """A query's part of the page."""
    source = file.read_text(encoding="utf-8")
    cypher = "\n".join(line for line in source.splitlines() if not line.startswith("//")).strip()
    parameters = "".join(f"- {parameter}\n" for parameter in fields(source, "parameter"))
    return (
        f"## {file.stem}\n\n{' '.join(fields(source, 'purpose'))}\n\n"
        + (f"Parameters:\n\n{parameters}\n" if parameters else "")
        + f"Columns: {', '.join(fields(source, 'columns'))}\n\n"
        + "".join(f"```console\n$ {example}\n```\n\n" for example in fields(source, "example"))
        + f"```text\n{cypher}\n```\n"
    )


def page() -> str:
    """The page of queries."""
    return HEAD + "\n".join(section(file) for file in sorted(QUERIES.glob("*.cypher")))


(DOCS / "queries.md").write_text(page(), encoding="utf-8")
