"""What the README says works: its Python runs, its commands exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("python"))
def test_python_of_the_readme_runs(block: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_first_screen_has_both_commands() -> None:
    first_screen = "\n".join(README.splitlines()[:40])
    assert "make demo" in first_screen
    assert "make test" in first_screen


@pytest.mark.parametrize("line", sorted({line for block in blocks("console") for line in block.splitlines()}))
def test_commands_of_the_readme_exist(line: str) -> None:
    from typer.main import get_command

    from semiosis.cli import app

    words = line.removeprefix("$ ").split()
    if line.startswith("$ semiosis"):
        assert words[1] in get_command(app).commands  # type: ignore[attr-defined]  # a group has commands
    elif line.startswith("$ make"):
        assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
