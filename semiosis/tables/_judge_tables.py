"""The tables of judges against a reference, of iconicity bias and of the ablation."""

from collections.abc import Sequence

from semiosis.stats import ABLATION, Ablation, BiasRow, BiasTable, Estimate, Interval, JudgeRow, JudgeTable
from semiosis.tables._judge_notes import equivalence_meaning, judge_notes, unanswered_notes
from semiosis.tables._table import Cell, Table
from semiosis.values import Unscored


def judge_table(result: JudgeTable) -> Table:
    """Return the table of judges. Columns without content are left out."""
    named = [_cells(row, result) for row in (*result.rows, *result.people)]
    names = list(named[0]) if named else ["judge", "half credit", "VQA"]
    named += [{"judge": name, "VQA": vqa} for name, vqa in result.examinees.items()]
    columns = [name for name in names if any(cells.get(name) is not None for cells in named)]
    columns = columns or ["judge", "half credit"]
    return Table(
        f"Judges against {_reference_text(result.reference)}",
        tuple(columns),
        tuple(tuple(cells.get(name) for name in columns) for cells in named),
        judge_notes(result, columns),
    )


def _reference_text(names: Sequence[str]) -> str:
    return " + ".join(names) if len(names) < 4 else f"the majority of {len(names)}"


def _cells(row: JudgeRow, result: JudgeTable) -> dict[str, Cell]:
    """Return the cells of a row by column, None for columns that do not apply to it."""
    is_compared, person = row.half_credit is not None, row in result.people
    unscored = any(other.krcc.n_unscored for other in (*result.rows, *result.people))
    fewer_common = result.common and result.n_common < result.n_reference
    repeats = any(other.repeats > 1 for other in result.rows)
    readers = dict.fromkeys(name for other in result.rows for name in other.other_readings)
    covered = min((float(r.coverage) for r in result.rows if r.coverage and r.coverage.scored), default=1.0)
    return {
        "judge": _name(row, person=person, others=len(result.people) - 1),
        "half credit": row.half_credit,
        "of all": _related_number(row.half_credit, "over_all") if unscored else None,
        "on its own": _related_number(row.half_credit, "on_its_own") if fewer_common and not person else None,
        "coverage": row.coverage if covered < 1 else None,
        "KRCC": row.krcc,
        "prompts": _defined_on(row.krcc) if is_compared else None,
        "agreement": row.agreement,
        "agreement of all": _related_number(row.agreement, "over_all") if unscored else None,
        "SRCC": row.srcc,
        "± order": _related_number(row.srcc, "spread_over_orders"),
        "SRCC Davidson": _related_number(row.srcc, "davidson"),
        "CCC": row.ccc,
        "VQA": row.vqa,
        "flips": row.flips if row.flips and row.flips.n else None,
        "position": row.position_bias if row.position_bias and row.position_bias.scored else None,
        "n": row.krcc.n if is_compared else None,
        "unscored": row.krcc.n_unscored if is_compared else None,
        "repeats": row.repeats if is_compared and repeats else None,
        f"− {result.baseline}": row.difference,
        "p (Holm)": _p(row.difference),
        "p (equivalent)": _p(row.equivalence),
        "Brier": row.calibration.brier if row.calibration else None,
        "ECE": row.calibration.ece if row.calibration else None,
        "tie-calibrated": row.tie_calibrated,
        **{f"with {name}'s readings": row.other_readings.get(name) for name in readers},
    }


def pairs_table(result: JudgeTable) -> Table:
    """Return the table of every judge against every other."""
    rows = tuple(
        (
            f"{pair.first} − {pair.second}",
            pair.difference,
            _p(pair.difference),
            *((_p(pair.equivalence),) if pair.equivalence else ()),
            pair.difference.n,
        )
        for pair in result.pairs
    )
    equal = ("p (equivalent)",) if result.margin is not None else ()
    notes = [
        "half credit: that of the first judge minus that of the second, on the n comparisons both scored.",
        "p (Holm): two-sided p from exchanging judges in whole prompts, adjusted by Holm over all pairs.",
    ]
    if result.margin is not None:
        notes.append(f"p (equivalent): {equivalence_meaning(result.margin)}")
    return Table("All pairs of judges", ("pair", "half credit", "p (Holm)", *equal, "n"), rows, tuple(notes))


def _name(row: JudgeRow, *, person: bool, others: int) -> str:
    if row.source:
        return f"{row.judge} (published: {row.source})"
    return f"{row.judge} (against the other {others})" if person else row.judge


def _p(test: Estimate | None) -> Cell:
    """Return the p of a test, or the reason why it has none."""
    if test is None or test.p is not None:
        return test.p if test else None
    return test.interval if isinstance(test.interval, Unscored) else None


def _defined_on(krcc: Estimate) -> str:
    """Return on how many of the prompts with a reference KRCC is defined, such as "55 of 158"."""
    defined, undefined = (krcc.related[name] for name in ("prompts", "prompts_unscored"))
    if not isinstance(defined, int | float) or not isinstance(undefined, int | float):
        return ""
    return f"{defined:.0f} of {defined + undefined:.0f}"


def _related_number(estimate: Estimate | None, name: str) -> Cell:
    value = estimate.related.get(name) if estimate else None
    return None if isinstance(value, Interval) else value


def ablation_table(result: Ablation) -> Table:
    """Return the table of the ablation (SemJudge, table 3)."""
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
    answered = [(row.result.judge, row.result.vqa) for row in result.rows if row.result.vqa]
    notes = (note, *unanswered_notes(answered))
    title = f"Ablation, agreement with {_reference_text(result.reference)}"
    return Table(title, columns, tuple(rows), notes)


def bias_table(result: BiasTable) -> Table:
    """Return the table of iconicity bias, with stars for p as in the paper."""
    columns = ("evaluator", "Δ", "Cohen's d", "p", "", "p (Holm)", "n", "unscored")
    rows = tuple(_bias_cells(row) for row in result.rows)
    permuted = "whole prompts" if result.unit == "prompt" else "single pairs, as published"
    notes = [f"p: one-sided permutation of {permuted}; * p < 0.05, ** p < 0.01 before Holm's correction."]
    if result.n_unrated:
        notes.append(f"{result.n_unrated:,} comparisons without iconicity ratings are left out.")
    return Table(
        f"Iconicity bias, agreement with {_reference_text(result.reference)}", columns, rows, tuple(notes)
    )


def _bias_cells(row: BiasRow) -> tuple[Cell, ...]:
    effect, ends = row.gap.related["cohen_d"], row.gap.related["cohen_d_interval"]
    d: Cell = None
    if isinstance(effect, float):
        between = ends if isinstance(ends, Interval) else None
        d = Estimate(name="Cohen's d", value=effect, n=row.gap.n, interval=between, unit=row.gap.unit)
    p = row.gap.p
    stars = "" if p is None else "**" if p < 0.01 else "*" if p < 0.05 else ""
    return (row.evaluator, row.gap, d, p, stars, row.p_holm, row.gap.n, row.gap.n_unscored)
