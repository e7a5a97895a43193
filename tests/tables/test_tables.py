"""Tables as text, Markdown, CSV and LaTeX, with hostile names."""

import csv
import io
import re
import subprocess
from pathlib import Path

import pytest

from semiosis.stats import Estimate, Interval
from semiosis.tables import Table, to_csv, to_html, to_latex, to_markdown, to_text
from semiosis.tables._table import PValue
from semiosis.values import Unscored

EVIL = "=cmd()|\x1b[31m_{}%&$#~^<b>`"
TABLE = Table(
    "Judges & people",
    ("judge", "KRCC", "n"),
    (
        (EVIL, Estimate(name="KRCC", value=-0.25, n=3, interval=Interval(-0.5, 0.25)), 1234),
        ("-mute", Estimate(name="KRCC", value=Unscored(reason="undefined", detail="one rater"), n=0), None),
    ),
    ("A note.",),
)


def test_text_shows_control_characters_instead_of_sending_them() -> None:
    shown = to_text(TABLE)
    assert "\x1b" not in shown
    assert "⟨U+001B⟩[31m" in shown
    assert "−0.250" in shown
    assert "[−0.500, 0.250]" in shown
    assert "1,234" in shown
    assert "no value (–): one rater (KRCC: -mute)" in shown
    assert shown == str(TABLE)


def test_a_small_p_is_not_shown_as_zero_nor_a_number_as_negative_zero() -> None:
    table = Table("Tests", ("pair", "p", "Δ"), (("a, b", PValue(0.0000012), -0.0001),))
    assert to_text(table).splitlines()[-1].split() == ["a,", "b", "<0.001", "0.000"]
    assert to_csv(table).splitlines()[1] == '"a, b",1.2e-06,-0.0001'


def test_html_does_not_break_a_line_inside_an_interval() -> None:
    assert "[−0.500,\N{NO-BREAK SPACE}0.250]" in to_html(TABLE)


def test_text_columns_line_up() -> None:
    lines = to_text(TABLE).splitlines()[2:6]
    assert len({line.find("KRCC") + 4 for line in lines[:1]} | {lines[2].find("−0.250") + 6}) == 1


def test_csv_has_full_precision_and_no_formulas() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows[0] == ["judge", "KRCC", "KRCC low", "KRCC high", "n"]
    assert rows[1] == ["'" + EVIL.replace("\x1b", "⟨U+001B⟩"), "-0.25", "-0.5", "0.25", "1234"]
    assert rows[2] == ["'-mute", "", "", "", ""]


def test_latex_is_booktabs_and_escaped() -> None:
    shown = to_latex(TABLE).replace(r"\allowbreak{}", "")
    assert all(rule in shown for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    assert r"Judges \& people" in shown
    assert r"\_\{\}\%\&\$\#\textasciitilde{}\textasciicircum{}\textless{}b\textgreater{}" in shown
    assert "$-$0.250" in shown
    assert r"\label{tab:judges-people}" in shown
    assert r"\caption{Judges \& people. A note.}" in shown


@pytest.mark.slow
@pytest.mark.parametrize("notes", [4, 40])
def test_latex_of_a_wide_and_long_table_fits_the_class_article(notes: int, tmp_path: Path) -> None:
    estimate = Estimate(name="share", value=0.5, n=9, interval=Interval(-0.125, 0.875))
    cells: tuple[Estimate | int, ...] = (estimate, 1) * 9
    rows = tuple((f"A judge with a long name, number {i}", *cells) for i in range(60))
    note = (
        "A note that explains a column in one sentence, and says what was left out and why it was left out."
    )
    table = Table("Many judges", ("judge", *(f"column {i}" for i in range(18))), rows, (note,) * notes)
    head = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}"
    (tmp_path / "table.tex").write_text(f"{head}\n{to_latex(table)}\n\\end{{document}}", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    log = (tmp_path / "table.log").read_text("latin-1")
    assert not re.findall(r"Overfull .*|Float too large.*|multiply defined", log)
    assert to_latex(table).count("explains a column") == notes
    assert to_latex(table).count("number 59") == to_latex(table).count("number 0") > 1


def test_markdown_is_escaped() -> None:
    shown = to_markdown(TABLE)
    row = next(line for line in shown.splitlines() if "cmd" in line)
    assert r"\|" in row
    assert r"\<b\>" in row
    assert "| ---: |" in shown


def test_wide_characters_do_not_misalign_columns() -> None:
    text = to_text(Table("t", ("judge", "n"), (("裁判", 1), ("é́", 2), ("judge", 3))))
    assert text.splitlines()[4:] == ["裁判   1", "é́      2", "judge  3"]
