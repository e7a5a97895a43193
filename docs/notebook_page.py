"""Runs a notebook and writes it as a page with its outputs."""

import base64
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.documentation import run_notebook

STAND_IN = """
```{{note}}
[Download this notebook](/{name}). The documentation runs it with a stand-in for the model, which answers with
the readings of the sample study and prefers the picture with the smaller distance in the hand-written
alignments. The sample is synthetic, so the numbers say nothing about models or people.
```
"""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def write_notebook_page(notebook: Path) -> None:
    """Write a notebook as a Markdown page next to it, unless the page is newer than the notebook."""
    page = notebook.with_suffix(".md")
    if page.exists() and page.stat().st_mtime > notebook.stat().st_mtime:
        return
    with tempfile.TemporaryDirectory() as folder:
        cells = run_notebook(notebook, Path(folder)).cells
    first, *rest = (part for cell in cells for part in _cell(cell, notebook))
    title, _, intro = first.partition("\n")
    shown = [title, STAND_IN.format(name=notebook.name), intro, *rest]
    page.write_text("\n\n".join(shown) + "\n", encoding="utf-8")


def _cell(cell: Any, notebook: Path) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield _fenced("{code-block} ipython3", cell.source)
    for number, output in enumerate(cell.outputs):
        if output.output_type == "stream":
            yield _fenced("text", _ESCAPES.sub("", output.text).rstrip())
        elif "text/html" in output.data:
            yield _fenced("{raw} html", output.data["text/html"])
        elif "image/png" in output.data:
            picture = notebook.parent / "gallery" / f"{notebook.stem}-{cell.id}-{number}.png"
            picture.parent.mkdir(exist_ok=True)
            picture.write_bytes(base64.b64decode(output.data["image/png"]))
            yield f"![{cell.source.splitlines()[0]}](gallery/{picture.name})"
        else:
            yield _fenced("text", output.data["text/plain"])


def _fenced(language: str, content: str) -> str:
    return f"````{language}\n{content}\n````"
