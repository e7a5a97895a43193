"""Reads votes from a file without a study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from semiosis.stats import Votes
from semiosis.stats.tools import BadRow, VoteSource, votes_of_source
from semiosis.study._table import read_table


@dataclass(frozen=True)
class VotesFile:
    """The votes of a file, and the rows that were left out because they cannot be read."""

    votes: Votes
    """The votes."""
    bad: tuple[BadRow, ...]
    """The rows that were left out, with the reasons."""
    notes: tuple[str, ...] = ()
    """Notes on rows that repeat another one."""


def read_votes(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    judges: Sequence[str] | None = None,
    skip_bad_rows: bool = False,
    encoding: str = "",
) -> VotesFile:
    """Return the votes in a table, wide or long: CSV with commas, semicolons or tabs, or JSON Lines.

    The columns are those of `votes_of`: `columns` states headings, `judges` the columns of a wide table.
    """
    table = read_table(path, {}, encoding=encoding)
    source = VoteSource(
        {name: [row.get(name) for row in table.rows] for name in table.columns},
        [row.line for row in table.rows],
        table.bad,
        where=str(path),
        noun="line",
        column_option="--column {name}=HEADING",
        judge_option="--judge {names}",
    )
    votes, notes = votes_of_source(source, columns, judges, skip_bad_rows=skip_bad_rows)
    bad = tuple(BadRow(line, what) for line, what in sorted(source.bad.items()))
    return VotesFile(votes, bad, tuple(notes))
