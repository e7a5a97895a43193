"""The report of the sample study in a real browser: filters, citations, keyboard, accessibility."""

import json
import zipfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from semiosis.files import data
from semiosis.report import write_report
from semiosis.study import Study, read_study
from semiosis.values import Unscored, outcomes
from tests.report.browser import Page, browser_page

pytestmark = pytest.mark.slow

SHOWN = "[...document.querySelectorAll('.entry')].filter(e => !e.hidden).length"
LIT = "[...document.querySelectorAll('.g')].filter(e => getComputedStyle(e).getPropertyValue('--lit') == 1)"

CITED = "[...document.querySelectorAll('.cited a.tag')]"
HAS_BOX = "t => document.querySelector(`.box[href=\"${t.getAttribute('href')}\"]`)"


@pytest.fixture(scope="module")
def study() -> Study:
    """The sample study."""
    return read_study(data("graphs/sample"))


@pytest.fixture(scope="module")
def report(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report, packed as well."""
    folder = tmp_path_factory.mktemp("out") / "report"
    write_report(study, folder, archive=True)
    return folder


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    """One tab for all tests of this module."""
    with browser_page() as page:
        yield page


def asked(tab: Page, field: str, value: str) -> int:
    """Set a filter as a person would and return how many comparisons are shown."""
    tab.value(
        f"(() => {{ const f = document.forms[0].elements[{json.dumps(field)}]; f.value = {json.dumps(value)};"
        " f.dispatchEvent(new Event('input', {bubbles: true})) })()"
    )
    return int(tab.value(SHOWN))


def test_filters_find_what_the_study_holds(tab: Page, report: Path, study: Study) -> None:
    tab.open((report / "index.html").as_uri())
    everything = len(study.comparisons)
    assert tab.value(SHOWN) == everything == 36
    makers = {
        c.id: {study.signs[c.a].generator, study.signs[c.b].generator} for c in study.comparisons.values()
    }
    lodestar = "Lodestar (synthetic)"
    assert asked(tab, "generator", lodestar) == sum(lodestar in names for names in makers.values())
    assert asked(tab, "generator", "") == everything
    assert asked(tab, "tradition", "sufi") == 6
    assert asked(tab, "tradition", "") == everything
    assert asked(tab, "text", "只画听") == 6
    assert tab.value("document.getElementById('found').textContent") == "6 of 36 comparisons"
    asked(tab, "text", "")
    said = list(outcomes(study.verdicts))
    expected = {
        "flip": {o.comparison for o in said if o.winner == "flip"},
        "unscored": {o.comparison for o in said if isinstance(o.winner, Unscored)},
        "disagreement": {o.comparison for o in said if o.winner == "a"}
        & {o.comparison for o in said if o.winner == "b"},
    }
    for flag, comparisons in expected.items():
        box = f"document.querySelector('input[value={flag}]')"
        tab.value(f"{box}.click()")
        assert tab.value(SHOWN) == len(comparisons) > 0
        tab.value(f"{box}.click()")


def test_a_click_on_a_citation_highlights_its_box_and_back(tab: Page, report: Path) -> None:
    page = next(file for file in sorted((report / "comparisons").glob("*.html")) if _cites_a_box(tab, file))
    tab.open(page.as_uri())
    cited = f"{CITED}.find({HAS_BOX})"
    target = tab.value(f"{cited}.getAttribute('href')")
    assert tab.value(f"{LIT}.length") == 0
    tab.click(cited)
    tab.point(0, 0)
    lit = tab.value(f"{LIT}.filter(e => e.matches('.box')).map(e => e.getAttribute('href'))")
    assert target in lit
    tab.open(page.as_uri())
    tab.click(f"document.querySelector('.box[href=\"{target}\"]')")
    tab.point(0, 0)
    assert tab.value(f"{LIT}.filter(e => e.matches('.cited')).length") >= 1


def _cites_a_box(tab: Page, file: Path) -> bool:
    tab.open(file.as_uri())
    return bool(tab.value(f"{CITED}.some({HAS_BOX})"))


def test_the_keyboard_alone_reaches_a_filter_and_a_comparison(tab: Page, report: Path) -> None:
    tab.open((report / "index.html").as_uri())
    reached: list[str] = []
    for _ in range(30):
        tab.tab()
        reached.append(
            tab.value("document.activeElement.name || document.activeElement.getAttribute('href') || ''")
        )
        if reached[-1].startswith("comparisons/"):
            break
    assert reached[0] == "#comparisons"
    assert {"text", "generator", "tradition", "flag"} <= set(reached)
    assert reached[-1].startswith("comparisons/")


def test_nothing_leaves_the_folder_and_nothing_is_complained_about(tab: Page, report: Path) -> None:
    tab.requests.clear()
    tab.complaints.clear()
    pages = [report / "index.html", *sorted((report / "comparisons").glob("*.html"))[:3]]
    for page in pages:
        tab.open(page.as_uri())
        tab.value("document.images.length && [...document.images].forEach(i => { i.loading = 'eager' })")
    assert all(url.startswith(report.as_uri()) for url in tab.requests)
    assert tab.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Page, report: Path, scheme: str) -> None:
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    tab.theme(scheme)
    for page in (report / "index.html", min((report / "comparisons").glob("*.html"))):
        tab.open(page.as_uri())
        tab.value(f"{axe}; 0")
        found = tab.resolved(
            "axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html).slice(0, 3)]))"
        )
        assert found == []
        assert tab.resolved("axe.run().then(r => r.passes.length)") > 10  # axe did look
    tab.theme("light")


def test_the_archive_has_every_file_and_the_same_bytes_twice(study: Study, report: Path) -> None:
    archive = report.with_name("report.zip")
    files = {f"report/{file.relative_to(report).as_posix()}" for file in report.rglob("*") if file.is_file()}
    with zipfile.ZipFile(archive) as packed:
        assert set(packed.namelist()) == files
    first = archive.read_bytes()
    write_report(study, report, archive=True)
    assert archive.read_bytes() == first
