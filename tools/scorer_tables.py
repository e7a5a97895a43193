"""Writes the tables of scorers into `docs/scorers.md` from the registry.

    python -m tools.scorer_tables

A test compares the page with what this writes.
"""

from collections.abc import Iterator
from pathlib import Path

from semiosis.score import CHECKPOINTS, REFUSED
from semiosis.study import evaluators

PAGE = Path(__file__).parents[1] / "docs" / "scorers.md"


def scorer_lines() -> Iterator[str]:
    """Yield the lines of the table of scorers that are not encoders of the table."""
    yield "| scorer | what it is | family | needs | calls to a model |"
    yield "|---|---|---|---|---|"
    for name, entry in evaluators("scorer").items():
        if name not in CHECKPOINTS:
            cells = (f"`{entry.form}`", entry.about, entry.family or "", entry.needs_in_words, entry.calls)
            yield f"| {' | '.join(cells)} |"


def encoder_lines() -> Iterator[str]:
    """Yield the lines of the table of encoders."""
    yield "| encoder | what it is | family | sees the prompt | weights | licence | known faults |"
    yield "|---|---|---|---|---|---|---|"
    for name, row in CHECKPOINTS.items():
        sees = "no" if row.family == "context-free" else "yes"
        weights = f"`{row.hub}`" if row.hub else "converted"
        form = evaluators("scorer")[name].form
        cells = (f"`{form}`", row.about, row.family, sees, weights, row.licence, row.faults)
        yield f"| {' | '.join(cells)} |"


def refused_lines() -> Iterator[str]:
    """Yield the lines of the table of refused scorers."""
    yield "| scorer | why | instead |"
    yield "|---|---|---|"
    for name, reason in REFUSED.items():
        why, _, instead = reason.partition("; ")
        yield f"| `{name}` | {why} | {instead} |"


def page_with_tables(page: str) -> str:
    """Return the page with its tables written again."""
    tables = {"scorers": scorer_lines(), "encoders": encoder_lines(), "refused": refused_lines()}
    for name, lines in tables.items():
        head, _, rest = page.partition(f"<!-- {name} -->\n")
        after = rest.partition("<!-- end -->")[2]
        table = "\n".join(lines)
        page = f"{head}<!-- {name} -->\n\n{table}\n\n<!-- end -->{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(page_with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
