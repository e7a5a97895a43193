"""The display of values in notebooks, with hostile text and in a real kernel."""

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from semiosis._notebook import _TYPES
from semiosis.files import data
from semiosis.report import notebook_html, notebook_text
from semiosis.study import Study, compare_study, generator_profile, read_study
from semiosis.tables import Table, judge_table
from semiosis.values import HSG, Alignment, ImageSign, UsageError, outcomes
from tests.documentation import ROOT, run_notebook
from tests.report.browser import Page, browser_page
from tests.report.hostile import ATTACK, hostile_values


@pytest.fixture(scope="module")
def study() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


def picture(study: Study) -> HSG:
    return next(hsg for hsg in study.hsgs.values() if hsg.sign.title.endswith("cubist, by Lodestar"))


def test_an_hsg_is_shown_as_a_card(study: Study) -> None:
    hsg = picture(study)
    html, text = notebook_html(hsg), notebook_text(hsg)
    boxes = sum(len(semiosis.places) for semiosis in hsg.semioses.values())
    assert html.count('<span class="box') == boxes > 0
    assert html.count('src="data:image/webp;base64,') == 1
    for semiosis in hsg.semioses.values():
        assert semiosis.label in text
        for field in (semiosis.label, semiosis.sign, semiosis.object, semiosis.interpretant):
            assert field.replace("'", "&#39;") in html


def test_a_reading_whose_image_is_gone_still_shows(study: Study) -> None:
    hsg = picture(study)
    assert isinstance(hsg.sign, ImageSign)
    gone = hsg.sign.model_copy(update={"path": "no/such/file.png"})
    graph = HSG.from_graph(hsg, sign=gone, reading=hsg.reading)
    html = notebook_html(graph)
    assert "The image cannot be shown" in html
    assert hsg.semioses[hsg.root].label in html


def test_an_alignment_is_shown_as_a_diff_and_an_outcome_with_its_verdicts(study: Study) -> None:
    alignment = next(iter(study.alignments.values()))
    for shown in (notebook_html(alignment), notebook_text(alignment)):
        assert all(brief.label in shown for brief in alignment.source.nodes.values())
        assert "weakened" in shown
    outcome = next(o for o in outcomes(study.verdicts) if o.verdicts[0].citations)
    citation = outcome.verdicts[0].citations[0]
    for shown in (notebook_html(outcome), notebook_text(outcome)):
        assert outcome.evaluator.name in shown
        assert "saw A, then B" in shown
        assert citation.rationale.replace("'", "&#39;") in shown or citation.rationale in shown


def test_tables_and_results_are_shown_as_tables(study: Study) -> None:
    result = compare_study(study)
    assert notebook_html(result) == notebook_html(judge_table(result))
    assert "<caption>What each generator does to meaning</caption>" in notebook_html(generator_profile(study))
    assert notebook_text(Table("T", ("a", "b"), ((1, 2),))).split() == ["T", "a", "b", "─", "─", "1", "2"]
    with pytest.raises(UsageError, match="cannot display a int"):
        notebook_html(3)


def test_the_registered_names_are_the_classes() -> None:
    for module, name in _TYPES:
        kind = getattr(import_module(module), name)
        assert (kind.__module__, kind.__name__) == (module, name)


@pytest.mark.slow
def test_import_does_not_load_ipython() -> None:
    script = "import sys, semiosis; assert not {'IPython', 'semiosis.report'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    """Yield one tab."""
    with browser_page() as page:
        yield page


@pytest.mark.slow
def test_hostile_text_is_shown_as_text(tab: Page, tmp_path: Path) -> None:
    """Put each fragment into a page as Jupyter does, and check that the attack is shown and not run."""
    for number, value in enumerate(hostile_values()):
        html = notebook_html(value)
        assert "\u202e" not in html
        file = tmp_path / f"{number}.html"
        file.write_text(
            f"<!doctype html><meta charset=utf-8><link rel=icon href=data:,>{html}", encoding="utf-8"
        )
        tab.requests.clear()
        tab.open(file.as_uri())
        assert tab.value("window.attacked") is None
        assert ATTACK in tab.value("document.body.textContent")
        assert (
            tab.value("document.scripts.length + document.querySelectorAll('iframe,object,b b').length") == 0
        )
        assert not [url for url in tab.requests if not url.startswith((file.as_uri(), "data:"))]
        assert "\x1b" not in notebook_text(value)
    assert tab.messages == []


CELLS = {
    "loop": "import asyncio; asyncio.get_running_loop().is_running()",
    "import": "import semiosis as sm; study = sm.read_study(sm.data('graphs/sample'))",
    "hsg": "next(iter(study.hsgs.values()))",
    "alignment": "next(iter(study.alignments.values()))",
    "outcome": "sm.resolve([study.verdicts[0]])",
    "table": "sm.compare_study(study)",
    "nested": "[next(iter(study.alignments.values()))]",
}


@pytest.mark.slow
def test_a_real_kernel_shows_values_after_import(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS.values()])  # type: ignore[no-untyped-call]  # nbformat has no types
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = dict(zip(CELLS, (cell.outputs for cell in notebook.cells), strict=True))
    assert outputs["loop"][0].data["text/plain"] == "True"
    for name in ("hsg", "alignment", "outcome", "table"):
        shown = outputs[name][0].data
        assert shown["text/html"].startswith('<div class="semiosis">')
        assert "<" not in shown["text/plain"][:1]
    assert "text/html" not in outputs["nested"][0].data
    assert "What became of the prompt" in outputs["nested"][0].data["text/plain"]


@pytest.mark.slow
def test_the_notebook_of_the_docs_runs_from_pictures_to_a_table(tmp_path: Path) -> None:
    """Models are called while the kernel's loop runs, and every comparison is judged."""
    notebook = run_notebook(ROOT / "docs" / "pictures-to-paper.ipynb", tmp_path)
    html = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    assert [kind in shown for kind, shown in zip(KINDS, html, strict=True)] == [True] * len(KINDS)
    assert (tmp_path / "judges.tex").read_text(encoding="utf-8").startswith("\\begin{table")
    assert (tmp_path / "judges.pdf").read_bytes().startswith(b"%PDF")
    study = read_study(tmp_path / "my-pictures")
    judged = {v.comparison for v in study.verdicts if v.evaluator.kind == "model"}
    assert judged == set(study.comparisons)


KINDS = ('class="card"', 'class="card"', 'class="semiosis-diff"', 'class="outcome"', 'class="semiosis-table"')


def test_the_notebook_is_stored_without_outputs() -> None:
    notebook = nbformat.read(ROOT / "docs" / "pictures-to-paper.ipynb", as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types
    assert all(not cell.get("outputs") for cell in notebook.cells)


def test_an_alignment_in_a_narrow_terminal_fits(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "64")
    alignment: Alignment = next(iter(study.alignments.values()))
    assert max(map(len, notebook_text(alignment).splitlines())) <= 64
