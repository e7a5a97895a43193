"""The structure of the project: which package imports which, what each exports, what files may contain."""

import ast
import importlib
import inspect
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "semiosis"

ORDER: tuple[tuple[str, ...], ...] = (
    ("values",),
    ("files",),
    ("ask", "stats", "store", "local_neo4j", "testing"),
    ("read", "align"),
    ("score",),
    ("judge",),
    ("study",),
    ("figures",),
    ("tables",),
    ("probe",),
    ("report",),
    ("export",),
    ("web", "cli"),
)
"""From left to right. A package imports only from packages to its left."""

RANK = {package: rank for rank, packages in enumerate(ORDER) for package in packages}
PACKAGES = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())

MAX_LINES = 500
"""A longer module should be split."""


def modules(package: str) -> list[Path]:
    return sorted((PACKAGE / package).rglob("*.py"))


def imported_packages(module: Path) -> Iterator[str]:
    """Yield the packages that a module imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: imports are written in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("semiosis."))


def test_every_package_has_a_rank() -> None:
    assert set(PACKAGES) <= set(RANK)


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_point_left_only(package: str) -> None:
    for module in modules(package):
        for other in imported_packages(module):
            inside = other == package
            assert inside or RANK.get(other, 99) < RANK[package], f"{package}: {module.name} imports {other}"


@pytest.mark.parametrize("package", PACKAGES)
def test_private_modules_are_not_imported_from_outside(package: str) -> None:
    """A package imports from another package, never from its private modules."""
    for module in (file for other in PACKAGES if other != package for file in modules(other)):
        reached = re.findall(rf"semiosis\.{package}\._\w+", module.read_text(encoding="utf-8"))
        assert not reached, f"{module} imports {reached[0]}"


@pytest.mark.parametrize("package", PACKAGES)
def test_exported_members(package: str) -> None:
    """`__all__` lists exactly what the package exports, sorted as ruff sorts it."""
    exporter = importlib.import_module(f"semiosis.{package}")
    listed: list[str] = list(getattr(exporter, "__all__", []))
    tree = ast.parse((PACKAGE / package / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    public = {
        alias.asname or alias.name
        for node in imports
        if (node.module or "").startswith(f"semiosis.{package}.")
        for alias in node.names
    }
    assert set(listed) == public
    assert all(hasattr(exporter, name) for name in listed), "listed but missing"
    assert listed == sorted(listed, key=by_case)
    assert len(listed) == len(set(listed))
    assert exporter.__doc__


@pytest.mark.parametrize("package", [name for name in PACKAGES if name != "cli"])
def test_every_public_name_is_described(package: str) -> None:
    """The API reference shows the descriptions."""
    exporter = importlib.import_module(f"semiosis.{package}")
    source = "\n\n".join(module.read_text(encoding="utf-8") for module in modules(package))
    body = ast.parse(source).body
    described = {
        name.id
        for assignment, below in pairwise(body)
        if isinstance(assignment, ast.Assign | ast.AnnAssign)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        for name in ast.walk(assignment)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    for name in exporter.__all__:
        documented = inspect.unwrap(getattr(exporter, name))
        if not inspect.isclass(documented) and not inspect.isfunction(documented):
            assert name in described, f"{package}.{name} has no docstring below it"
        else:
            assert documented.__doc__, f"{package}.{name} has no docstring"


def by_case(name: str) -> tuple[int, str]:
    """Return a sort key: constants, then classes, then functions."""
    rank = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return rank, name


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_are_private_short_and_documented(package: str) -> None:
    for module in modules(package):
        source = module.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(source)), f"{module} has no docstring"
        assert source.count("\n") <= MAX_LINES, f"{module} is longer than {MAX_LINES} lines"


# What tracked files may contain


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


MACHINE = re.compile(
    r"(?<![\w.])/(?:work|home|root|Users|mnt)/\w+"  # a folder of one machine
    r"|\b(?:index-url|extra-index-url|trusted-host)\b"  # a private registry
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
            assert not found, f"{file.relative_to(ROOT)} contains {found[0]!r}"


SILENCED = re.compile(r"#\s*(?:noqa|type:\s*ignore)(?P<codes>[^#\n]*)(?P<reason>#.*)?")


def test_a_silenced_check_gives_its_reason() -> None:
    for file in tracked("semiosis/*.py"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            silenced = SILENCED.search(line)
            assert not silenced or silenced["reason"], f"{file.relative_to(ROOT)}:{number} gives no reason"


def test_the_architecture_page_names_what_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)`\s+\(`(semiosis/[\w/]+\.py)`\)", page)
    assert len(named) > 20
    for name, path in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        defined = {getattr(node, "name", "") for node in tree.body}
        assert name in defined, f"{path} does not define {name}"
    order = next(line for line in page.splitlines() if line.startswith("values ←"))
    assert set(re.findall(r"\w+", order)) == set(PACKAGES) - {"testing"}
