"""Builds the site with Sphinx, MyST and Furo, and generates the pages of queries and API and the gallery."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parent
QUERIES = DOCS.parent / "graphs" / "queries"
sys.path[:0] = [str(DOCS), str(DOCS.parent)]

from api_pages import plain_docstrings, write_api_pages  # noqa: E402  # the line above adds its folder
from gallery import write_gallery  # noqa: E402  # the line above adds its folder
from notebook_page import write_notebook_page  # noqa: E402  # the line above adds its folder

project = "Semiosis"
author = "The Semiosis developers"
project_copyright = "The Semiosis developers, Apache-2.0"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_extra_path = ["pictures-to-paper.ipynb"]
html_theme = "furo"
html_title = "Semiosis"
html_static_path: list[str] = []

suppress_warnings = ["ref.python"]  # fields named `object` make references to the built-in type ambiguous
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"

HEAD = """# Query library

Each query is a `.cypher` file that runs unchanged on the embedded store and on Neo4j. `semiosis query --list`
lists them. This page is generated from their headers.

"""


def fields(source: str, name: str) -> list[str]:
    """Return the lines of a query's header with this name."""
    return re.findall(rf"^// {name}: (.*)$", source, re.MULTILINE)


def section(file: Path) -> str:
    """Return the section of one query."""
    source = file.read_text(encoding="utf-8")
    cypher = "\n".join(line for line in source.splitlines() if not line.startswith("//")).strip()
    described = (parameter.split(" — ", 1) for parameter in fields(source, "parameter"))
    parameters = "".join(f"- `{parameter}`: {about}\n" for parameter, about in described)
    return (
        f"## {file.stem}\n\n{' '.join(fields(source, 'purpose'))}\n\n"
        + (f"Parameters:\n\n{parameters}\n" if parameters else "")
        + f"Columns: `{'`, `'.join(fields(source, 'columns')[0].split(', '))}`\n\n"
        + "".join(f"```console\n$ {example}\n```\n\n" for example in fields(source, "example"))
        + f"```text\n{cypher}\n```\n"
    )


def page() -> str:
    """Return the page of queries."""
    return HEAD + "\n".join(section(file) for file in sorted(QUERIES.glob("*.cypher")))


(DOCS / "queries.md").write_text(page(), encoding="utf-8")
write_api_pages(DOCS)
write_gallery(DOCS)
write_notebook_page(DOCS / "pictures-to-paper.ipynb")


def setup(app: Sphinx) -> None:
    """Let `plain_docstrings` rewrite the docstrings of the API reference."""
    app.connect("autodoc-process-docstring", plain_docstrings)
