"""The documentation: it builds without a warning, its examples run, and its files are well formed."""

import doctest
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from semiosis.align import parse_fates
from semiosis.files import data, parse_yaml
from semiosis.study import Study, _registry, read_study
from semiosis.tables import FIGURES, TABLES
from semiosis.testing import Call, Script, StandIn, Step, answers_from, says
from tests.documentation import ROOT, blocks, make_workspace, pages, run_page, shown_after, shows
from tests.strategies import a_text, an_hsg
from tests.test_house import tracked

DOCS = ROOT / "docs"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that `semiosis demo` made."""
    folder = tmp_path_factory.mktemp("demo") / "semiosis-demo"
    command = [sys.executable, "-m", "semiosis", "demo", "--folder", str(folder)]
    subprocess.run(command, capture_output=True, check=True)
    return folder


READ_IN_THE_PAGES = (
    "The Annunciation",
    "The Annunciation, in the manner of analytical cubism",
    "The Annunciation, with a white lily",
)


def answers(study: Study) -> Script:
    """Answer as a model would, for the sample study and the prompts that the pages read."""
    known = answers_from([*study.hsgs.values(), *(an_hsg(a_text(text)) for text in READ_IN_THE_PAGES)])

    def answer(call: Call) -> Step:
        if "petals" in call.schema.get("properties", {}):
            return says({"name": "lily", "petals": 6})
        return known(call)

    return answer


@pytest.fixture
def own_registries() -> Iterator[None]:
    """Let a page register evaluators, tables and figures for itself."""
    registries: tuple[dict[Any, Any], ...] = (_registry._REGISTRY, TABLES, FIGURES)
    before = [dict(registry) for registry in registries]
    yield
    for registry, entries in zip(registries, before, strict=True):
        registry.clear()
        registry.update(entries)


@pytest.mark.slow
@pytest.mark.usefixtures("own_registries")
@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(
    page: Path, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = blocks(page)
    if not any(block.language in {"python", "pycon", "console"} for block in found):
        return
    make_workspace(tmp_path, demo)
    monkeypatch.chdir(tmp_path)
    with StandIn(answers(read_study(tmp_path / "my-study"))) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        for shown, output in run_page(found, tmp_path):
            assert shows(shown.code, output), f"{shown.where} does not show the output:\n{output}"


RUN_ELSEWHERE = {
    "CONTRIBUTING.md": {
        "console",
        "text",
    },  # tests/cli/test_contributing.py; the diagram: tests/test_house.py
    "docs/architecture.md": {"text"},  # tests/test_house.py
    "docs/diff.md": {"yaml"},  # below
    "docs/exports.md": {"sql"},  # tests/export/test_formats.py
    "docs/handwritten.md": {"yaml"},  # below
    "docs/models.md": {"toml"},  # tests/ask/test_cost.py
    "docs/neo4j.md": {
        "console",
        "cypher",
        "python",
        "text",
    },  # tests/neo4j/test_docs.py and tests/local_neo4j
    "docs/property-graph.md": {"text"},  # tests/store/test_projection.py
    "docs/querying.md": {"text"},  # tests/store/test_library.py
    "graphs/sample/README.md": {"console", "text"},  # tests/sample; the text lists folders
}
"""The pages with blocks that other tests run or compare, and the kinds of these blocks."""
RENDERED = {"{eval-rst}", "{math}", "{toctree}"}
"""Blocks that only the site renders."""


def test_every_block_is_run() -> None:
    """A block is run or compared by the test above, or by the test that the table names."""
    elsewhere: dict[str, set[str]] = {}
    for page in tracked("README.md", "CONTRIBUTING.md", "docs/*.md", "graphs/*.md"):
        found = blocks(page)
        run = [block for block in found if block.language in {"python", "pycon", "console"}]
        run += [shown for _, shown in shown_after(found)]
        left = {block.language for block in found if page not in pages() or block not in run} - RENDERED
        if left:
            elsewhere[str(page.relative_to(ROOT))] = left
    assert elsewhere == RUN_ELSEWHERE


MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for file in (ROOT / "semiosis").rglob("*.py")
    if ">>> " in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", MODULES)
def test_doctests(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted
    assert result.failed == 0


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    build = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", str(DOCS), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    queries = (tmp_path / "queries.html").read_text(encoding="utf-8")
    for query in (ROOT / "graphs" / "queries").glob("*.cypher"):
        assert f'id="{query.stem}"' in queries
    reference = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "api").glob("*.html"))
    for package in (folder.parent.name for folder in (ROOT / "semiosis").glob("*/__init__.py")):
        for name in getattr(importlib.import_module(f"semiosis.{package}"), "__all__", []):
            documented = f'id="semiosis.{package}.{name}"' in reference
            assert documented or package == "cli", f"semiosis.{package}.{name} is not in the API reference"


def test_make_targets_exist() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    for page in [*pages(), ROOT / "CONTRIBUTING.md"]:
        commands = [c for block in blocks(page) if block.language == "console" for c in block.commands]
        named = {command.split()[1] for command in commands if command.startswith("make ")}
        assert named <= set(targets), page


def test_the_first_screen_of_the_readme_has_both_commands() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:40]
    assert {"$ make demo", "$ make test"} <= {line.split("  ")[0].strip() for line in first_screen}


def test_the_fates_by_hand_of_the_page_are_fates() -> None:
    (example,) = (block.code for block in blocks(DOCS / "diff.md") if block.language == "yaml")
    alignment = parse_fates(example, {}, folder=data("graphs/sample/readings"))
    assert [fate.fate for fate in alignment.fates] == ["kept", "weakened", "kept", "kept"]


def test_the_whole_reading_is_a_reading() -> None:
    example = next(block.code for block in blocks(DOCS / "handwritten.md") if block.language == "yaml")
    hsg = parse_yaml(example, file="handwritten.md")
    assert [semiosis.label for semiosis in hsg.semioses.values()] == [
        "annunciation",
        "lily",
        "cubism",
        "mood",
    ]
    assert hsg.blind
    assert not hsg.unlocated
    assert hsg.semioses["n3"].location == "global"


def test_the_picture_is_well_formed_and_described() -> None:
    picture = ElementTree.parse(DOCS / "images" / "workflow.svg").getroot()
    names = {element.tag.split("}")[1] for element in picture.iter()}
    assert {"title", "desc"} <= names
    assert "script" not in names


def test_the_citation_file() -> None:
    """The fields that the Citation File Format 1.2.0 requires, and those that readers look for."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type", "license", "version", "references"} <= set(cited)
    assert cited["license"] == "Apache-2.0"
    assert all({"name", "family-names"} & set(author) for author in cited["authors"])


@pytest.mark.parametrize("form", ["bug", "feature", "reading"])
def test_the_form_of_an_issue(form: str) -> None:
    """The rules of GitHub's issue forms; GitHub hides a form that breaks one."""
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    written = yaml.safe_load((folder / f"{form}.yml").read_text(encoding="utf-8"))
    assert set(written) == {"name", "description", "labels", "body"}
    assert all(isinstance(written[name], str) for name in ("name", "description"))
    labels = [field["attributes"]["label"] for field in written["body"]]
    assert len(labels) == len(set(labels)) > 0
    for field in written["body"]:
        assert field["type"] == "textarea"
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert set(field["attributes"]) <= {"label", "description", "placeholder", "value", "render"}
        assert field.get("validations", {"required": True}) == {"required": True}
    assert {file.stem for file in folder.glob("*.yml")} == {"bug", "feature", "reading", "config"}


def test_the_changelog_names_the_version() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
