"""The generator profile as a table."""

from semiosis.report._table import Cell, Table
from semiosis.study import GeneratorProfile, GeneratorRow
from semiosis.values import FATES, MODES


def profile_table(found: GeneratorProfile) -> Table:
    """Return the profile of each generator as a row: shares of the prompts' nodes, and what is added."""
    named = [_cells(row, found) for row in found.rows]
    columns = tuple(name for name in named[0] if any(cells[name] is not None for cells in named))
    who = f"Aligned by {found.aligned_by}; {found.condition} readings by {', '.join(found.readers)}"
    notes = (
        f"{who}; n = {found.n} artifacts, {found.n_unaligned} not aligned.",
        "Shares are over the nodes of the prompts; intervals are 95 %, Student's t over prompts.",
        "By ground, a node counts with the strength of the ground.",
        "Literal: nodes most strongly symbolic whose counterpart is most strongly iconic.",
        *((found.audit,) if found.audit else ()),
    )
    rows = tuple(tuple(cells[name] for name in columns) for cells in named)
    return Table("What each generator does to meaning", columns, rows, notes)


def _cells(row: GeneratorRow, found: GeneratorProfile) -> dict[str, Cell]:
    fates = {fate: row.by_fate[fate] for fate in FATES} if found.stated else {}
    traditions = dict.fromkeys(name for other in found.rows for name in other.by_tradition)
    return {
        "generator": row.generator,
        "artifacts": row.artifacts,
        "nodes": row.matched.n,
        "matched": row.matched,
        "recoverable": row.recoverable,
        "kept": row.kept,
        "lost": row.lost,
        **{f"matched, {mode}": row.by_ground[mode] for mode in MODES},
        **{f"{fate} only": share for fate, share in fates.items() if fate != "lost"},
        "literal": row.literal,
        "added per artifact": row.added,
        **{f"matched, {name}": row.by_tradition.get(name) for name in traditions},
    }
