"""The tables of the generator profile."""

from collections.abc import Iterable, Mapping, Sequence

from semiosis.study import GeneratorProfile, GeneratorRow, NodeShares
from semiosis.tables._table import Cell, Table
from semiosis.values import FATES

Cells = dict[str, Cell]


def profile_table(profile: GeneratorProfile) -> Table:
    """Return the profile of each generator as one row with every share."""
    every = [
        {**_overview(row), **_by_fate(row, profile), **_by_ground(row), **_by_tradition(row, profile)}
        for row in profile.rows
    ]
    return _table("What each generator does to meaning", profile, every, _notes(profile))


def profile_tables(profile: GeneratorProfile) -> tuple[Table, ...]:
    """Return the profile as a table for all nodes and tables by fate, by ground and by tradition."""
    rows = profile.rows
    tables = (
        _table("What each generator does to meaning", profile, map(_overview, rows), _notes(profile)),
        _table("By fate: shares of the prompts' nodes", profile, (_by_fate(row, profile) for row in rows)),
        _group_table(
            "By ground", [(row, str(g), shares) for row in rows for g, shares in row.by_ground.items()]
        ),
        _group_table(
            "By tradition", [(row, t, shares) for row in rows for t, shares in row.by_tradition.items()]
        ),
    )
    return tuple(table for table in tables if table.rows and len(table.columns) > 1)


def _group_table(title: str, groups: Sequence[tuple[GeneratorRow, str, NodeShares]]) -> Table:
    """Return a table with a row for each generator and group of nodes."""
    cells: list[Cells] = [
        {"generator": f"{row.generator}: {group}", "nodes": shares.matched.n, **_shares(shares)}
        for row, group, shares in groups
    ]
    return _laid_out(f"{title}: shares of the prompts' nodes", cells)


def _table(
    title: str, profile: GeneratorProfile, rows: Iterable[Cells], notes: tuple[str, ...] = ()
) -> Table:
    """Return a table with a row for each generator."""
    named_rows = zip(profile.rows, rows, strict=True)
    return _laid_out(title, [{"generator": row.generator, **cells} for row, cells in named_rows], notes)


def _laid_out(title: str, rows: Sequence[Cells], notes: tuple[str, ...] = ()) -> Table:
    """Return the table of these rows, without columns that are empty."""
    names = rows[0] if rows else ()
    columns = tuple(name for name in names if any(row[name] is not None for row in rows))
    return Table(title, columns, tuple(tuple(row[name] for name in columns) for row in rows), notes)


def _notes(profile: GeneratorProfile) -> tuple[str, ...]:
    readings = f"{profile.condition} readings by {', '.join(profile.readers)}"
    counts = f"n = {profile.n} artifact{'' if profile.n == 1 else 's'}, {profile.n_unaligned} not aligned"
    return (
        f"Aligned by {profile.aligned_by}; {readings}; {counts}.",
        "Shares are over the nodes of the prompts; 95% intervals are Student's t over prompts.",
        "Changed: resignified or reversed, so that the node's sign recurs with another meaning.",
        "By ground, each node counts with the strength of the ground.",
        "Literal: nodes whose strongest ground is symbolic and that of their counterpart iconic.",
        *((profile.audit,) if profile.audit else ()),
    )


def _overview(row: GeneratorRow) -> Cells:
    return {
        "artifacts": row.artifacts,
        "nodes": row.shares.matched.n,
        **_shares(row.shares),
        "literal": row.literal,
        "added per artifact": row.added,
    }


def _by_fate(row: GeneratorRow, profile: GeneratorProfile) -> Cells:
    fates = FATES if profile.stated else ()
    return {f"{fate} only": row.shares.by_fate[fate] for fate in fates if fate != "lost"}


def _by_ground(row: GeneratorRow) -> Cells:
    return _grouped({str(mode): shares for mode, shares in row.by_ground.items()})


def _by_tradition(row: GeneratorRow, profile: GeneratorProfile) -> Cells:
    traditions = dict.fromkeys(name for row in profile.rows for name in row.by_tradition)
    return _grouped({name: row.by_tradition.get(name) for name in traditions})


def _grouped(groups: Mapping[str, NodeShares | None]) -> Cells:
    empty: Cells = dict.fromkeys(("matched", "recoverable", "kept", "lost", "changed"))
    return {
        f"{name}, {group}": cell
        for group, shares in groups.items()
        for name, cell in (_shares(shares) if shares else empty).items()
    }


def _shares(shares: NodeShares) -> Cells:
    return {
        "matched": shares.matched,
        "recoverable": shares.recoverable,
        "kept": shares.kept,
        "lost": shares.lost,
        "changed": shares.changed,
    }
