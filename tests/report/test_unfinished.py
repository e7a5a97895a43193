"""Reports and figures of unfinished studies, and of a study in which every text is an attack."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from semiosis.files import data
from semiosis.report import write_report
from semiosis.study import Study, read_study
from semiosis.tables import FIGURES, DisplayOptions, study_figures
from semiosis.values import HSG, DataError, ImageSign, Observation, UsageError, Verdict
from tests.report.browser import Page, browser_page
from tests.report.firefox import FirefoxPage, firefox_page
from tests.report.hostile import HOSTILE

pytestmark = pytest.mark.slow

Tab = Page | FirefoxPage


@pytest.fixture(scope="module")
def study() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


@pytest.fixture(scope="module", params=[browser_page, firefox_page], ids=["chromium", "firefox"])
def tab(request: pytest.FixtureRequest) -> Iterator[Tab]:
    """Yield one tab of each browser for all tests of this module."""
    with request.param() as page:
        yield page


def _first_page(folder: Path) -> str:
    return min((folder / "comparisons").glob("*.html")).read_text("utf-8")


def _without_verdicts(study: Study) -> Study:
    kept: dict[str, Observation] = {
        id_: said for id_, said in study.observations.items() if not isinstance(said, Verdict)
    }
    return replace(study, observations=kept)


def test_a_study_without_verdicts_says_so(study: Study, tmp_path: Path) -> None:
    index = write_report(_without_verdicts(study), tmp_path / "report").read_text("utf-8")
    assert "The study has no verdicts." in index
    assert index.count(">no verdicts<") == 36
    assert "Judges against people is not drawn: the study has no verdicts" in index
    assert "This comparison has no verdicts yet." in _first_page(tmp_path / "report")


def test_a_study_with_signs_alone_says_what_to_run(study: Study, tmp_path: Path) -> None:
    signs = replace(study, hsgs={}, alignments={}, observations={})
    index = write_report(signs, tmp_path / "report").read_text("utf-8")
    assert "The study has no alignments." in index
    assert str(study.folder) not in index  # a report is shared, and a folder on this machine is private
    page = _first_page(tmp_path / "report")
    assert "these signs have no reading: Prompt, Artifact A, Artifact B. Run semiosis read" in page
    assert page.count("<img") >= 2


def test_a_comparison_of_unknown_signs_is_refused_before_anything_is_written(
    study: Study, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=r"comparison \w+ names the sign \w+, which is not in the study"):
        write_report(replace(study, signs={}), tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_a_report_is_not_written_to_a_file(study: Study, tmp_path: Path) -> None:
    (tmp_path / "report").write_text("mine")
    with pytest.raises(UsageError, match="this is a file"):
        write_report(study, tmp_path / "report")
    assert (tmp_path / "report").read_text() == "mine"


def test_figures_of_a_study_with_signs_alone_say_what_is_missing(study: Study) -> None:
    signs = replace(study, hsgs={}, alignments={}, observations={})
    for kind in FIGURES.keys() - {"grid"}:  # the grid shows signs
        with pytest.raises(UsageError):
            list(study_figures(signs, kind))
    with pytest.raises(UsageError, match="no aligned pair matches"):
        list(study_figures(study, "pair", DisplayOptions(only="no such title")))


def test_citations_highlight_boxes_without_alignments(tab: Tab, study: Study, tmp_path: Path) -> None:
    write_report(replace(study, alignments={}), tmp_path / "report")
    tab.clear()
    tags = "[...document.querySelectorAll('.cited a.tag')]"
    tag = f"{tags}.find(t => document.querySelector('.box[href=\"' + t.hash + '\"]'))"
    pages = sorted((tmp_path / "report" / "comparisons").glob("*.html"))
    for page in pages:
        tab.open(page.as_uri())
        if tab.value(f"Boolean({tag})"):
            break
    tab.click(tag)
    tab.point(0, 0)
    lit = "e => getComputedStyle(e).getPropertyValue('--lit') == 1"
    assert tab.value(f"[...document.querySelectorAll('.box')].filter({lit}).length") >= 1
    assert tab.messages == []


def _hostile(study: Study) -> Study:
    """Return the first comparison with every text of its signs, readings and alignments replaced."""
    comparison = next(iter(study.comparisons.values()))
    wanted = {comparison.prompt, comparison.a, comparison.b}
    texts = {"title": HOSTILE, "generator": HOSTILE, "tradition": HOSTILE}
    signs = {id_: study.signs[id_].model_copy(update=texts) for id_ in wanted}
    said: dict[str, Observation] = {
        id_: verdict.model_copy(update={"rationale": HOSTILE})
        for id_, verdict in study.observations.items()
        if isinstance(verdict, Verdict) and verdict.comparison == comparison.id
    }
    hsgs = {id_: _hostile_reading(hsg) for id_, hsg in study.hsgs.items() if hsg.sign.id in wanted}
    return replace(
        study,
        head=study.head.model_copy(update={"title": HOSTILE, "about": HOSTILE, "licence": HOSTILE}),
        signs=signs,
        comparisons={comparison.id: comparison},
        observations=said,
        hsgs=hsgs,
        alignments={},
    )


def _hostile_reading(hsg: HSG) -> HSG:
    attack = {"label": HOSTILE, "sign": HOSTILE, "object": HOSTILE, "interpretant": HOSTILE}
    semioses = {node: semiosis.model_copy(update=attack) for node, semiosis in hsg.semioses.items()}
    relations = [relation.model_copy(update={"how": HOSTILE}) for relation in hsg.relations]
    return HSG(hsg.sign, semioses, relations, hsg.reading)


def test_a_hostile_study_runs_nothing_and_loads_nothing(tab: Tab, study: Study, tmp_path: Path) -> None:
    hostile = _hostile(study)
    assert any(isinstance(sign, ImageSign) for sign in hostile.signs.values())
    index = write_report(hostile, tmp_path / "report")
    tab.clear()
    for page in (index, min((tmp_path / "report" / "comparisons").glob("*.html"))):
        tab.open(page.as_uri())
        assert tab.value("window.attacked === undefined")
        assert tab.value("document.querySelectorAll('[onerror], [onmouseover]').length") == 0
        assert "7*7" in tab.value("document.body.textContent")  # shown as text, not evaluated
        assert "\u202e" not in tab.value("document.body.textContent")
    assert [url for url in tab.requests if not url.startswith(tmp_path.as_uri())] == []
    assert tab.messages == []
