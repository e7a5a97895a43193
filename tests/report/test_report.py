"""The report of the sample study in Chromium and Firefox: filters, citations, keyboard, accessibility."""

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
from tests.report.firefox import FirefoxPage, firefox_page

pytestmark = pytest.mark.slow

Tab = Page | FirefoxPage
SHOWN = "[...document.querySelectorAll('.entry')].filter(e => !e.hidden).length"
LIT = "[...document.querySelectorAll('.g')].filter(e => getComputedStyle(e).getPropertyValue('--lit') == 1)"

AXE = """axe.run().then(r => [
  r.passes.length, r.violations.map(v => [v.id, v.nodes.map(n => n.html).slice(0, 3)])])"""
CITED = "[...document.querySelectorAll('.cited a.tag')]"
HAS_BOX = "t => document.querySelector(`.box[href=\"${t.getAttribute('href')}\"]`)"


@pytest.fixture(scope="module")
def study() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


@pytest.fixture(scope="module")
def report(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return its report, which is also packed."""
    folder = tmp_path_factory.mktemp("out") / "report"
    write_report(study, folder, archive=True)
    return folder


@pytest.fixture(scope="module", params=[browser_page, firefox_page], ids=["chromium", "firefox"])
def tab(request: pytest.FixtureRequest) -> Iterator[Tab]:
    """Yield one tab of each browser for all tests of this module."""
    with request.param() as page:
        yield page


def asked(tab: Tab, field: str, value: str) -> int:
    """Set a filter as a user does and return the number of comparisons shown."""
    tab.value(
        f"(() => {{ const f = document.forms[0].elements[{json.dumps(field)}]; f.value = {json.dumps(value)};"
        " f.dispatchEvent(new Event('input', {bubbles: true})) })()"
    )
    return int(tab.value(SHOWN))


def test_filters_find_the_comparisons_of_the_study(tab: Tab, report: Path, study: Study) -> None:
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


def test_a_click_on_a_citation_highlights_its_box_and_back(tab: Tab, report: Path) -> None:
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


def _cites_a_box(tab: Tab, file: Path) -> bool:
    tab.open(file.as_uri())
    return bool(tab.value(f"{CITED}.some({HAS_BOX})"))


def _press_until(tab: Tab, condition: str) -> None:
    """Press Tab until the focused element `e` meets a condition."""
    for _ in range(400):
        tab.press("Tab")
        if tab.value(f"(e => Boolean({condition}))(document.activeElement)"):
            return
    raise AssertionError(f"the keyboard does not reach {condition}")


def test_the_keyboard_alone_filters_opens_a_comparison_and_follows_a_citation(tab: Tab, report: Path) -> None:
    tab.open((report / "index.html").as_uri())
    tab.press("Tab")
    assert tab.value("document.activeElement.getAttribute('href')") == "#comparisons"
    _press_until(tab, "e.name == 'text'")
    for letter in "glaciers":
        tab.press(letter)
    assert tab.value(SHOWN) == 6
    _press_until(tab, "e.name == 'flag' && e.value == 'disagreement'")
    tab.press("Space")
    assert 0 < tab.value(SHOWN) < 6
    _press_until(tab, "e.matches('.entry a')")
    tab.follow()
    assert "/comparisons/" in tab.value("location.href")
    _press_until(tab, f"e.matches('.cited a.tag') && ({HAS_BOX})(e)")
    target = tab.value("document.activeElement.getAttribute('href')")
    tab.press("Enter")
    assert target in tab.value(f"{LIT}.filter(e => e.matches('.box')).map(e => e.getAttribute('href'))")


def test_pages_make_no_request_and_log_no_message(tab: Tab, report: Path) -> None:
    tab.clear()
    pages = [report / "index.html", *sorted((report / "comparisons").glob("*.html"))[:3]]
    for page in pages:
        tab.open(page.as_uri())
        tab.run("document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })")
        assert tab.resolved(
            "Promise.all([...document.images].map(i => i.decode().then(() => i.naturalWidth)))"
        )
    assert [url for url in tab.requests if not url.startswith(report.as_uri())] == []
    assert tab.messages == []


def test_requests_and_messages_of_a_page_are_recorded(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "bad.html"
    file.write_text(
        "<!doctype html><meta charset=utf-8><script>throw Error('noticed')</script>"
        "<img src=http://127.0.0.1:65500/x.png>"
    )
    tab.open(file.as_uri())
    assert any("noticed" in message for message in tab.messages)
    assert "http://127.0.0.1:65500/x.png" in tab.requests
    tab.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, report: Path, scheme: str) -> None:
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    tab.theme(scheme)
    for page in (report / "index.html", min((report / "comparisons").glob("*.html"))):
        for width in (1440, 390):
            tab.open(page.as_uri(), width=width)
            tab.run(f"{axe}; window.axe = axe")
            passed, found = tab.resolved(AXE)
            assert found == []
            assert passed > 10  # axe ran its checks
    tab.theme("light")


def test_the_archive_has_every_file_and_the_same_bytes_twice(study: Study, report: Path) -> None:
    archive = report.with_name("report.zip")
    files = {f"report/{file.relative_to(report).as_posix()}" for file in report.rglob("*") if file.is_file()}
    with zipfile.ZipFile(archive) as packed:
        assert set(packed.namelist()) == files
    first = archive.read_bytes()
    write_report(study, report, archive=True)
    assert archive.read_bytes() == first
