"""Statistics as tables: judges against a reference, iconicity bias, and the ablation."""

from collections.abc import Sequence

from semiosis.report._table import Cell, Table
from semiosis.stats import (
    ABLATION,
    Ablation,
    BiasRow,
    BiasTable,
    Estimate,
    Interval,
    JudgeRow,
    JudgeTable,
    format_number,
)


def judge_table(result: JudgeTable) -> Table:
    """The comparison as a table ready to print."""
    columns = ["judge", "KRCC", "half credit", "agreement", "of all", "SRCC", "CCC", "VQA"]
    columns += ["flips", "n", "unscored", "repeats", f"KRCC − {result.baseline}", "p (Holm)"]
    silent = set() if any(row.vqa for row in result.rows) else {"VQA"}
    silent |= set() if any(row.repeats > 1 for row in result.rows) else {"repeats"}
    silent |= set(columns[-2:]) if result.baseline is None else set()
    kept = [place for place, column in enumerate(columns) if column not in silent]
    rows = [_cells(row) for row in result.rows]
    return Table(
        f"Judges against {_referees(result.reference)}",
        tuple(columns[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
        _notes(result),
    )


def _referees(names: Sequence[str]) -> str:
    return " + ".join(names) if len(names) < 4 else f"the majority of {len(names)}"


def _cells(row: JudgeRow) -> tuple[Cell, ...]:
    name = f"{row.judge} (published: {row.source})" if row.source else row.judge
    cells: list[Cell] = [name, row.krcc, row.half_credit, row.agreement]
    cells += [_over_all(row.agreement), row.srcc, row.ccc, row.vqa, row.flips]
    own = row.agreement is not None
    cells += [row.krcc.n if own else None, row.krcc.n_unscored if own else None, row.repeats if own else None]
    cells += [row.difference, row.difference.p if row.difference else None]
    return tuple(cells)


def _over_all(agreement: Estimate | None) -> Cell:
    share = agreement.beside["over_all"] if agreement else None
    return None if isinstance(share, Interval) else share


def _notes(result: JudgeTable) -> tuple[str, ...]:
    """What the reader must know to read the table."""
    where = f"{result.n_reference:,} comparisons have a reference"
    if len(result.reference) > 3:
        where += f", the majority of {', '.join(result.reference)}"
    if result.common and len(result.rows) > 1:
        where += f"; judges are compared on the {result.n_common:,} that all of them scored"
    chance = (
        f"{result.level:.0%} intervals: {result.resamples:,} resamples of whole prompts, seed {result.seed}"
    )
    notes = [f"{where}.", f"{chance}." if result.resamples else "", f"SRCC, CCC: {_rated_by(result)}."]
    for row in result.rows:
        bounds = row.agreement.bounds if row.agreement else None
        if bounds is not None and row.krcc.n_unscored and row.agreement:
            notes.append(
                f"{row.judge}: if the {row.krcc.n_unscored:,} unscored were all wrong, agreement is "
                f"{format_number(bounds[0])}; all right, {format_number(bounds[1])}."
            )
    return tuple(note for note in [*notes, *result.notes] if note)


def _rated_by(result: JudgeTable) -> str:
    added = f", {result.prior:g} wins added each way between any two generators" if result.prior else ""
    return f"{result.rating} ratings{added}"


def ablation_table(result: Ablation) -> Table:
    """The ablation as a table ready to print (SemJudge, table 3)."""
    rows: list[tuple[Cell, ...]] = [
        (*row.setting, row.result.krcc, row.result.vqa, row.result.krcc.n, row.result.krcc.n_unscored)
        for row in result.rows
    ]
    if result.published:
        rows += [
            (f"{r.hsg} (published: {r.source})", r.builder, r.judge, r.krcc, r.vqa / 100, None, None)
            for r in ABLATION
        ]
    columns = ("HSG", "builder", "judge", "KRCC", "VQA", "n", "unscored")
    note = f"Judges are compared on the {result.n_common:,} comparisons that all of them scored."
    return Table(f"Ablation, agreement with {' + '.join(result.reference)}", columns, tuple(rows), (note,))


def bias_table(result: BiasTable) -> Table:
    """The iconicity bias as a table ready to print; stars mark p as in the paper."""
    columns = ("evaluator", "Δ", "Cohen's d", "p", "", "p (Holm)", "n", "unscored")
    rows = tuple(_bias_cells(row) for row in result.rows)
    moved = "whole prompts" if result.unit == "prompt" else "single pairs, as published"
    notes = [f"One-sided permutation of {moved}; * p < 0.05, ** p < 0.01 before Holm's correction."]
    if result.n_unrated:
        notes.append(f"{result.n_unrated:,} comparisons lack iconicity ratings and are left out.")
    return Table(
        f"Iconicity bias, agreement with {' + '.join(result.reference)}", columns, rows, tuple(notes)
    )


def _bias_cells(row: BiasRow) -> tuple[Cell, ...]:
    effect, ends = row.gap.beside["cohen_d"], row.gap.beside["cohen_d_interval"]
    d: Cell = None
    if isinstance(effect, float):
        between = ends if isinstance(ends, Interval) else None
        d = Estimate(name="Cohen's d", value=effect, n=row.gap.n, interval=between, unit=row.gap.unit)
    p = row.gap.p
    stars = "" if p is None else "**" if p < 0.01 else "*" if p < 0.05 else ""
    return (row.evaluator, row.gap, d, p, stars, row.p_holm, row.gap.n, row.gap.n_unscored)
