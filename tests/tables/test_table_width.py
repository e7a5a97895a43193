"""Tables that are wider than the terminal."""

from semiosis.stats import Estimate, Interval
from semiosis.tables import Table, to_text


def test_columns_that_do_not_fit_follow_below_with_the_first_column() -> None:
    table = Table("T", ("judge", "one", "two", "three"), (("x", 1, 2, 3), ("y", 4, 5, 6)), ("a note " * 9,))
    text = to_text(table, 16)
    assert max(len(line) for line in text.splitlines()) <= 16
    assert text.startswith(
        "T\n\n"
        "judge  one  two\n"
        "─────  ───  ───\n"
        "x        1    2\n"
        "y        4    5\n"
        "\n"
        "judge  three\n"
        "─────  ─────\n"
        "x          3\n"
        "y          6\n"
    )
    assert " ".join(to_text(table, 16).split()).count("a note") == 9


def test_a_table_without_a_width_is_not_divided() -> None:
    table = Table("T", ("judge", *(f"column {i}" for i in range(30))), (("x", *range(30)),))
    assert len(to_text(table).splitlines()) == 5


def test_a_column_wider_than_the_terminal_is_shown_whole() -> None:
    table = Table("T", ("judge", "very wide column", "n"), (("x", "y" * 30, 1),))
    assert "y" * 30 in to_text(table, 10)


def test_a_block_without_intervals_has_no_empty_lines() -> None:
    half = Estimate(name="half credit", value=0.5, n=9, interval=Interval(0.25, 0.75))
    table = Table("T", ("judge", "half credit", "n"), (("x", half, 9), ("y", half, 8)))
    assert to_text(table, 22).endswith("\n\njudge  n\n─────  ─\nx      9\ny      8\n")
