"""The documentation: it builds without a warning, its examples run, its files are well formed."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from semiosis.files import parse_yaml

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def blocks(page: str, language: str) -> list[str]:
    source = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", source, flags=re.DOTALL | re.MULTILINE)


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


def test_the_whole_reading_is_a_reading() -> None:
    (example,) = blocks("handwritten.md", "yaml")
    hsg = parse_yaml(example, file="handwritten.md")
    assert [semiosis.label for semiosis in hsg.semioses.values()] == [
        "annunciation",
        "lily",
        "cubism",
        "mood",
    ]
    assert hsg.blind
    assert not hsg.ungrounded
    assert hsg.semioses["n3"].grounding == "non-localizable"


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("getting-started.md", "python"))
def test_python_of_the_documentation_runs(block: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_picture_is_well_formed_and_described() -> None:
    picture = ElementTree.parse(DOCS / "images" / "road.svg").getroot()
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


def test_the_changelog_names_the_version() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
