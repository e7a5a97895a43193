"""Tables as text, Markdown, CSV and LaTeX, with hostile names."""

import csv
import io

import pytest

from semiosis import stats
from semiosis.stats import Estimate, Interval, Table, to_csv, to_latex, to_markdown, to_text
from semiosis.stats._estimate import undefined

EVIL = "=cmd()|\x1b[31m_{}%&$#~^<b>`"
TABLE = Table(
    "Judges & people",
    ("judge", "KRCC", "n"),
    (
        (EVIL, Estimate(name="KRCC", value=-0.25, n=3, interval=Interval(-0.5, 0.25)), 1234),
        ("-mute", Estimate(name="KRCC", value=undefined("one rater"), n=0), None),
    ),
    ("A note.",),
)


def test_text_shows_control_characters_instead_of_sending_them() -> None:
    shown = to_text(TABLE)
    assert "\x1b" not in shown
    assert "\\x1b[31m" in shown
    assert "−0.250" in shown
    assert "[−0.500, 0.250]" in shown
    assert "1,234" in shown
    assert "– one rater (KRCC: -mute)" in shown
    assert shown == str(TABLE)


def test_text_columns_line_up() -> None:
    lines = to_text(TABLE).splitlines()[2:6]
    assert len({line.find("KRCC") + 4 for line in lines[:1]} | {lines[2].find("−0.250") + 6}) == 1


def test_csv_is_full_precision_and_runs_nothing() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows[0] == ["judge", "KRCC", "KRCC low", "KRCC high", "n"]
    assert rows[1] == [f"'{EVIL}", "-0.25", "-0.5", "0.25", "1234"]
    assert rows[2] == ["'-mute", "", "", "", ""]


def test_latex_is_booktabs_and_escaped() -> None:
    shown = to_latex(TABLE)
    assert all(rule in shown for rule in (r"\toprule", r"\midrule", r"\bottomrule"))
    assert r"Judges \& people" in shown
    assert r"\_\{\}\%\&\$\#\textasciitilde{}\textasciicircum{}\textless{}b\textgreater{}" in shown
    assert "$-$0.250" in shown


def test_markdown_is_escaped() -> None:
    shown = to_markdown(TABLE)
    row = next(line for line in shown.splitlines() if "cmd" in line)
    assert r"\|" in row
    assert r"\<b\>" in row
    assert "| ---: |" in shown


def test_estimates_print_as_one_line() -> None:
    result = stats.krcc(["a", "b", "a", "b"], ["a", "b", "b", ""], list("ppqq"), resamples=100, seed=1)
    assert str(result) == (
        "KRCC 0.000 [−1.000, 1.000], 95% percentile, prompts resampled, n = 3, 1 unscored, "
        "bounds 0.000 to 0.500"
    )
    assert "\n" not in str(stats.bradley_terry([("x", "y", "a")]))


def test_numbers_go_to_plain_json_types() -> None:
    found = stats.as_dict(
        stats.semvar(aa=[1.0], vv=[1.0], ii=[1.0], va=[0.0], av=[0.0], ia=[1.0], ai=[float("nan")])
    )
    assert found == {"alignment": [1.0], "gamma_w": [2.0], "gamma_wo": [None], "kappa": [None]}
    assert stats.as_dict(undefined("why")) == {"unscored": "undefined", "detail": "why"}


@pytest.mark.parametrize("name", stats.__all__)
def test_every_export_exists_and_is_documented(name: str) -> None:
    thing = getattr(stats, name)
    if not name.isupper():
        assert thing.__doc__


def test_wide_signs_keep_the_columns_straight() -> None:
    text = to_text(Table("t", ("judge", "n"), (("裁判", 1), ("é́", 2), ("judge", 3))))
    assert text.splitlines()[4:] == ["裁判   1", "é́      2", "judge  3"]
