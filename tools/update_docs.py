"""Run the examples of the documentation and write their output into the pages: python -m tools.update_docs

Only ``text`` blocks below ``console`` blocks are written. Blocks that abbreviate the output with ``…`` are
not changed; the test of the page checks them.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.documentation import ROOT, blocks, make_workspace, pages, run_console, shown_after


def update(page: Path, folder: Path) -> int:
    """Write the output of a page's commands into it and return the number of changed blocks."""
    source = page.read_text(encoding="utf-8")
    found = blocks(page)
    changed = 0
    for block, shown in shown_after(found):
        output = run_console(block, folder, fails=shown.code.startswith("error:"))
        if "\n…\n" not in f"\n{shown.code}" and shown.code.strip() != output.strip():
            source = source.replace(f"```text\n{shown.code}```", f"```text\n{output.strip()}\n```", 1)
            changed += 1
    page.write_text(source, encoding="utf-8")
    return changed


def main() -> None:
    """Update every page that shows the output of a command."""
    with tempfile.TemporaryDirectory() as parent:
        demo = Path(parent) / "demo"
        subprocess.run([sys.executable, "-m", "semiosis", "demo", "--folder", demo], check=True)
        for number, page in enumerate(pages()):
            folder = Path(parent) / str(number)
            if any(shown_after(blocks(page))):
                make_workspace(folder, demo)
                print(f"{page.relative_to(ROOT)}: {update(page, folder)} changed")


if __name__ == "__main__":
    main()
