"""The house: which room may look into which, what each room exports, and what may stand in a file."""

import ast
import importlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "semiosis"

ORDER: tuple[tuple[str, ...], ...] = (
    ("values",),
    ("files",),
    ("ask", "stats", "store", "server", "testing"),
    ("read", "align", "score"),
    ("judge",),
    ("study",),
    ("probe",),
    ("report",),
    ("web", "cli"),
)
"""From left to right. A room imports only from rooms to its left."""

RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}
ROOMS = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())

MOST_LINES = 350
"""A module that needs more is two modules."""


def modules(room: str) -> list[Path]:
    return sorted((PACKAGE / room).rglob("*.py"))


def imported_rooms(module: Path) -> Iterator[str]:
    """The rooms a module imports, at its head or inside a function."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: imports are written in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("semiosis."))


def test_every_room_has_its_place() -> None:
    assert set(ROOMS) <= set(RANK)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_point_left_only(room: str) -> None:
    for module in modules(room):
        for other in imported_rooms(module):
            inside = other == room
            assert inside or RANK.get(other, 99) < RANK[room], f"{module.name} of {room} looks into {other}"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_entered_by_the_door(room: str) -> None:
    """Another room's private modules are its own business."""
    for module in (file for other in ROOMS if other != room for file in modules(other)):
        reached = re.findall(rf"semiosis\.{room}\._\w+", module.read_text(encoding="utf-8"))
        assert not reached, f"{module} reaches into {reached[0]}"


@pytest.mark.parametrize("room", ROOMS)
def test_exported_members(room: str) -> None:
    """`__all__` is exactly what the room imports for others, sorted as ruff sorts it."""
    door = importlib.import_module(f"semiosis.{room}")
    listed: list[str] = list(getattr(door, "__all__", []))
    tree = ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    public = {
        alias.asname or alias.name
        for node in imports
        if (node.module or "").startswith(f"semiosis.{room}.")
        for alias in node.names
    }
    assert set(listed) >= public, "imported and not listed"
    assert all(hasattr(door, name) for name in listed), "listed and not there"
    assert listed == sorted(listed, key=by_case)
    assert len(listed) == len(set(listed))
    assert door.__doc__


def by_case(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return rank, name


@pytest.mark.parametrize("room", ROOMS)
def test_modules_are_private_short_and_documented(room: str) -> None:
    for module in modules(room):
        source = module.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(source)), f"{module} says nothing about itself"
        assert source.count("\n") <= MOST_LINES, f"{module} is longer than {MOST_LINES} lines"


# What may stand in a tracked file


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


MACHINE = re.compile(
    r"(?<![\w.])/(?:work|home|root|Users|mnt)/\w+"  # a folder of somebody's machine
    r"|\b(?:index-url|extra-index-url|trusted-host)\b"  # a registry of somebody's own
    r"|https?://[\w.-]+\.(?:internal|local|lan|corp)\b"
)
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".cypher",
    ".yaml",
    ".yml",
    ".cff",
    ".html",
    ".css",
    ".js",
    ".sh",
    ".jsonl",
    "",
}


def test_no_file_names_a_machine() -> None:
    here = Path(__file__).name
    for file in tracked():
        if file.suffix in TEXT and file.name != here and file.is_file():
            found = MACHINE.findall(file.read_text(encoding="utf-8", errors="replace"))
            assert not found, f"{file.relative_to(ROOT)} says {found[0]!r}"


SILENCED = re.compile(r"#\s*(?:noqa|type:\s*ignore)(?P<codes>[^#\n]*)(?P<reason>#.*)?")


def test_a_silenced_check_gives_its_reason() -> None:
    for file in tracked("semiosis/*.py"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            silenced = SILENCED.search(line)
            assert not silenced or silenced["reason"], f"{file.relative_to(ROOT)}:{number} gives no reason"
