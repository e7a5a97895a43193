"""Runs the examples of a Markdown page, in order and in one folder, as a reader would.

Three kinds of fenced blocks are run:

- ``python``: all blocks of a page share one namespace;
- ``pycon``: a doctest; its output must be the one shown;
- ``console``: each line that starts with ``$`` is a shell command. A ``text`` block right after it must
  show the output: standard output, or standard error if the text starts with ``error:``, in which case the
  command must fail. A line ``…`` in the text stands for any lines.

`tools/update_docs.py` uses this module to write the ``text`` blocks again.
"""

import contextlib
import doctest
import io
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from semiosis.files import data
from semiosis.study import Study, read_study
from semiosis.testing import StandIn, answers_from
from semiosis.values import ImageSign, to_json

ROOT = Path(__file__).parents[1]
COLUMNS = 96
"""The width of the terminal that the pages show."""
_BLOCK = re.compile(r"^( *)```([^\s`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
_NOT_RUN = ("make ", "pip install ", ". .venv/bin/activate", "pre-commit ")
"""Commands of a checkout or an installation. A test checks that the make targets exist."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    code: str

    @property
    def where(self) -> str:
        """The page and line of the block."""
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """The commands of a ``console`` block."""
        return [line[2:] for line in self.code.splitlines() if line.startswith("$ ")]


def pages() -> list[Path]:
    """Return every page that has examples."""
    written = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    elsewhere = {"queries.md", "neo4j.md"}  # generated; run by tests/neo4j, which has a server
    return sorted(page for page in written if "_build" not in page.parts and page.name not in elsewhere)


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    source = page.read_text(encoding="utf-8")
    name = str(page.relative_to(ROOT))
    return [
        Block(name, source[: found.start()].count("\n") + 1, found[2], textwrap.dedent(found[3]))
        for found in _BLOCK.finditer(source)
    ]


def make_workspace(folder: Path, demo: Path) -> None:
    """Put the files that the pages name into a folder: the demo study, readings, images and studies."""
    sample = data("graphs/sample")
    readings = sample / "readings"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(demo, folder / "semiosis-demo")
    for study in ("my-study", "STUDY"):
        shutil.copytree(sample, folder / study, ignore=shutil.ignore_patterns("*.py", "painting", "readings"))
    for reading in readings.glob("*.yaml"):
        text = reading.read_text(encoding="utf-8")
        (folder / reading.name).write_text(text.replace("../images/", "my-study/images/"), encoding="utf-8")
    for name, source in {
        "prompt.yaml": "annunciation.standard.yaml",
        "reading.yaml": "annunciation.standard.yaml",
        "annunciation.yaml": "annunciation.standard.yaml",
        "artifact.yaml": "annunciation-plainhand.standard.yaml",
    }.items():
        shutil.copy(folder / source, folder / name)
    shutil.copy(sample / "images" / "annunciation-plainhand.png", folder / "a.png")
    shutil.copy(sample / "images" / "annunciation-lodestar.png", folder / "b.png")
    (folder / "graphs").symlink_to(sample.parent)
    _write_annotated(read_study(sample), folder / "annotated")


def _write_annotated(study: Study, folder: Path) -> None:
    """Write the hand-written alignments of a study as annotated readings."""
    folder.mkdir()
    made = study.alignments.values()
    for name, ids in {
        "prompts": {alignment.source.hsg for alignment in made},
        "artifacts-blind": {alignment.target.hsg for alignment in made},
    }.items():
        lines = [to_json(study.hsgs[id_]) + "\n" for id_ in sorted(ids)]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    pairs = [
        {
            "id": alignment.id,
            "prompt": alignment.source.hsg,
            "artifact": alignment.target.hsg,
            "truth": [(match.source, match.target) for match in alignment.matches],
        }
        for alignment in made
    ]
    lines = [json.dumps(pair) + "\n" for pair in pairs]
    (folder / "matches.jsonl").write_text("".join(lines), encoding="utf-8")


def run_notebook(notebook: Path, folder: Path) -> Any:
    """Run a notebook in this folder with a real kernel and return it with its outputs.

    A stand-in for the model answers with the readings of the sample study and prefers the picture with the
    smaller distance in the hand-written alignments.
    """
    study = read_study(data("graphs/sample"))
    distances = {
        sign.sha256: alignment.distance
        for alignment in study.alignments.values()
        if isinstance(sign := study.signs[alignment.target.sign], ImageSign)
    }
    found: Any = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types
    with StandIn(answers_from(study.hsgs.values(), lambda a, b: distances[a] < distances[b])) as provider:
        environment = os.environ | {
            "ANTHROPIC_BASE_URL": provider.url,
            "ANTHROPIC_API_KEY": "not-a-key",
            "COLUMNS": str(COLUMNS),
            "IPYTHONDIR": str(folder / ".ipython"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        client = NotebookClient(
            found, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        client.execute(env=environment)
    return found


def run_page(page_blocks: Sequence[Block], folder: Path) -> Iterator[tuple[Block, str]]:
    """Run the blocks in this folder; yield each ``text`` block that shows an output, with the real output."""
    namespace: dict[str, object] = {"__name__": "__page__"}
    outputs = {block.line: shown for block, shown in shown_after(page_blocks)}
    for block in page_blocks:
        if block.language == "python":
            run_python(block, namespace)
        elif block.language == "pycon":
            run_doctest(block, namespace)
        elif block.language == "console":
            shown = outputs.get(block.line)
            output = run_console(block, folder, fails=bool(shown and shown.code.startswith("error:")))
            if shown:
                yield shown, output


def shown_after(page_blocks: Sequence[Block]) -> Iterator[tuple[Block, Block]]:
    """Yield each ``console`` block that is followed by its output, with the ``text`` block that shows it."""
    for block, after in pairwise(page_blocks):
        end = block.line + block.code.count("\n") + 1
        if (block.language, after.language) == ("console", "text") and after.line == end + 2:
            yield block, after


def run_python(block: Block, namespace: dict[str, object]) -> None:
    """Run a block in the namespace of its page."""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile("\n" * block.line + block.code, block.page, "exec"), namespace)


def run_doctest(block: Block, namespace: dict[str, object]) -> None:
    """Run a block as a doctest and compare its output."""
    test = doctest.DocTestParser().get_doctest(block.code, namespace, block.page, block.page, block.line)
    report: list[str] = []
    result = doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert result.failed == 0, "".join(report)


def run_console(block: Block, folder: Path, *, fails: bool = False) -> str:
    """Run the commands of a block in a shell and return what the last of them printed."""
    output = ""
    for number, command in enumerate(block.commands, start=1):
        if command.startswith(_NOT_RUN):
            continue
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=os.environ
            | {
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "COLUMNS": str(COLUMNS),
                "PYTHONUTF8": "1",
            },
            capture_output=True,
            check=False,
        )
        messages = done.stderr.decode()
        must_fail = fails and number == len(block.commands)
        assert (done.returncode != 0) == must_fail, f"{block.where}: {command}\n{messages}"
        output = messages if must_fail else done.stdout.decode()
    return output


def shows(expected: str, output: str) -> bool:
    """Return whether the text of a page shows this output; a line ``…`` stands for any lines."""
    pieces = [re.escape(piece) for piece in re.split(r"^…\n", expected.strip() + "\n", flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*?".join(pieces), output.strip() + "\n") is not None
