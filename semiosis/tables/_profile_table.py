"""The tables of the generator profile."""

from collections.abc import Iterable, Mapping, Sequence

from semiosis.study import GeneratorProfile, GeneratorRow, NodeShares
from semiosis.tables._table import Cell, Table
from semiosis.values import FATES

Cells = dict[str, Cell]


def profile_table(found: GeneratorProfile) -> Table:
    """Return the profile of each generator as one row with every share."""
    every = [
        {**_overview(row), **_by_fate(row, found), **_by_ground(row), **_by_tradition(row, found)}
        for row in found.rows
    ]
    return _table("What each generator does to meaning", found, every, _notes(found))


def profile_tables(found: GeneratorProfile) -> tuple[Table, ...]:
    """Return the profile as a table for all nodes and tables by fate, by ground and by tradition."""
    rows = found.rows
    tables = (
        _table("What each generator does to meaning", found, map(_overview, rows), _notes(found)),
        _table("By fate: shares of the prompts' nodes", found, (_by_fate(row, found) for row in rows)),
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
    named: list[Cells] = [
        {"generator": f"{row.generator}: {group}", "nodes": shares.matched.n, **_shares(shares)}
        for row, group, shares in groups
    ]
    columns = tuple(n for n in (named[0] if named else ()) if any(cells[n] is not None for cells in named))
    rows = tuple(tuple(cells[name] for name in columns) for cells in named)
    return Table(f"{title}: shares of the prompts' nodes", columns, rows)


def _table(title: str, found: GeneratorProfile, rows: Iterable[Cells], notes: tuple[str, ...] = ()) -> Table:
    """Return a table with a row for each generator, without columns that are empty."""
    named: list[Cells] = [
        {"generator": row.generator, **cells} for row, cells in zip(found.rows, rows, strict=True)
    ]
    columns = tuple(name for name in named[0] if any(cells[name] is not None for cells in named))
    return Table(title, columns, tuple(tuple(cells[name] for name in columns) for cells in named), notes)


def _notes(found: GeneratorProfile) -> tuple[str, ...]:
    readings = f"{found.condition} readings by {', '.join(found.readers)}"
    counts = f"n = {found.n} artifact{'' if found.n == 1 else 's'}, {found.n_unaligned} not aligned"
    return (
        f"Aligned by {found.aligned_by}; {readings}; {counts}.",
        "Shares are over the nodes of the prompts; 95% intervals are Student's t over prompts.",
        "By ground, each node counts with the strength of the ground.",
        "Literal: nodes whose strongest ground is symbolic and that of their counterpart iconic.",
        *((found.audit,) if found.audit else ()),
    )


def _overview(row: GeneratorRow) -> Cells:
    return {
        "artifacts": row.artifacts,
        "nodes": row.shares.matched.n,
        **_shares(row.shares),
        "literal": row.literal,
        "added per artifact": row.added,
    }


def _by_fate(row: GeneratorRow, found: GeneratorProfile) -> Cells:
    fates = FATES if found.stated else ()
    return {f"{fate} only": row.shares.by_fate[fate] for fate in fates if fate != "lost"}


def _by_ground(row: GeneratorRow) -> Cells:
    return _grouped({str(mode): shares for mode, shares in row.by_ground.items()})


def _by_tradition(row: GeneratorRow, found: GeneratorProfile) -> Cells:
    traditions = dict.fromkeys(name for other in found.rows for name in other.by_tradition)
    return _grouped({name: row.by_tradition.get(name) for name in traditions})


def _grouped(groups: Mapping[str, NodeShares | None]) -> Cells:
    empty: Cells = dict.fromkeys(("matched", "recoverable", "kept", "lost"))
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
    }
