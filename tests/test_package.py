"""The top level of the package: the names that users import, and the packages that importing it loads."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

import semiosis

EXPECTED = """
AlignmentJudge CitationJudge Examinee ScoreJudge SemJudge Reader Asker Model
consensus diff diff_many drift open_store compare_study new_study read_study run figures stats study
tables
HSG Alignment Answer Box Cascade Citation Comparison CompositeSign Evaluator Ground Grounds ImageSign
Interpreter
Outcome Question Rating Reading Relation Score Semiosis Span TextSign Unscored Verdict
DataError MachineError MissingExtraError ModelError ProviderError SemiosisError StoreError UsageError
data from_json image read_hsg resolve text to_json
"""


def test_exported_members() -> None:
    assert set(semiosis.__all__) == set(EXPECTED.split())
    assert dir(semiosis) == sorted(semiosis.__all__)


@pytest.mark.parametrize("name", semiosis.__all__)
def test_each_name_loads(name: str) -> None:
    assert getattr(semiosis, name) is not None


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(semiosis.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    found = {alias.name: node.module for node in imports for alias in node.names}
    packages = {name: f"semiosis.{package}" for name, package in semiosis._PACKAGE_OF.items()}
    assert found == packages | dict.fromkeys(("figures", "stats", "study", "tables"), "semiosis")


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'semiosis' has no attribute 'nothing'"):
        semiosis.nothing  # noqa: B018  # the access is the test


@pytest.mark.slow
def test_every_dependency_of_the_core_is_imported() -> None:
    """A dependency that nothing imports only makes the installation larger."""
    root = Path(semiosis.__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = "\n".join(file.read_text(encoding="utf-8") for file in (root / "semiosis").rglob("*.py"))
    modules = {"arro3-core": "arro3", "pillow": "PIL", "pyyaml": "yaml"}
    for requirement in project["dependencies"]:
        name = re.split(r"[<>=]", requirement)[0]
        module = modules.get(name, name.replace("-", "_"))
        assert re.search(rf"\b(import|from) {module}\b|import_module\(\"{module}", source), name


@pytest.mark.slow
def test_every_imported_package_is_declared() -> None:
    """A package that another dependency installs may be missing with the next version of that dependency."""
    root = Path(semiosis.__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    declared = {normalized(re.split(r"[<>=\[]", requirement)[0]) for requirement in listed} | {"semiosis"}
    owners = packages_distributions()
    others = {"pandas", "_typeshed"}  # for users who call `to_pandas`; for type checkers
    for module in imported_modules(root / "semiosis") - set(sys.stdlib_module_names) - others:
        assert {normalized(name) for name in owners[module]} & declared, module


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported_modules(folder: Path) -> set[str]:
    nodes = [
        node
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    ]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return {name.partition(".")[0] for name in names}


@pytest.mark.slow
def test_importing_loads_no_other_package() -> None:
    script = "import sys, semiosis; print(*(name for name in sys.modules if name.startswith('semiosis')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["semiosis"]


_PINNED = re.compile(
    r"^([a-z0-9.-]+)==(\S+)(?: ;[^\\\n]*)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+$", re.MULTILINE
)


def test_the_requirements_have_hashes_and_the_tested_versions() -> None:
    """`make requirements` writes them. They name no host, so that any mirror works."""
    root = Path(__file__).parents[1]
    requirements = (root / "requirements.txt").read_text("utf-8")
    assert "://" not in requirements
    versions = dict(_PINNED.findall(requirements))
    lines = re.findall(r"^\S", requirements, re.MULTILINE)
    assert len(versions) == len(lines), "a line lacks a version or a hash"
    constraints = (root / "constraints.txt").read_text("utf-8").split()
    tested = dict(line.split("==") for line in constraints if "==" in line)
    assert all(version == tested.get(name, version) for name, version in versions.items())
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.split(r"[<>=! ;\[]", line)[0] for line in declared} <= versions.keys()
