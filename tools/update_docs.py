"""Run the examples of the documentation and write their output into the pages: python -m tools.update_docs

Only ``text`` blocks below ``console`` blocks are written. Blocks that abbreviate the output with ``…`` are
not changed; the test of the page checks them.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from semiosis.study import read_study
from semiosis.testing import StandIn
from tests.documentation import ROOT, blocks, make_workspace, pages, run_page, shown_after
from tests.test_docs import answers


def update(page: Path, folder: Path) -> int:
    """Write the output of a page's commands into it and return the number of changed blocks."""
    source = page.read_text(encoding="utf-8")
    changed = 0
    for shown, output in run_page(blocks(page), folder):
        if "\n…\n" not in f"\n{shown.code}" and shown.code.strip() != output.strip():
            source = source.replace(f"```text\n{shown.code}```", f"```text\n{output.strip()}\n```", 1)
            changed += 1
    page.write_text(source, encoding="utf-8")
    return changed


def main() -> None:
    """Update every page that shows the output of a command."""
    with tempfile.TemporaryDirectory() as parent:
        os.environ |= {"ANTHROPIC_API_KEY": "not-a-key", "SEMIOSIS_CACHE": f"{parent}/cache"}
        demo = Path(parent) / "demo"
        subprocess.run([sys.executable, "-m", "semiosis", "demo", "--folder", demo], check=True)
        for number, page in enumerate(pages()):
            if not any(shown_after(blocks(page))):
                continue
            folder = Path(parent) / str(number)
            make_workspace(folder, demo)
            os.chdir(folder)
            with StandIn(answers(read_study(folder / "my-study"))) as provider:
                os.environ["ANTHROPIC_BASE_URL"] = provider.url
                print(f"{page.relative_to(ROOT)}: {update(page, folder)} changed", flush=True)
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
