"""The tables of judges against people, of tests and replacements, of iconicity bias and of the ablation."""

from collections.abc import Iterable, Sequence

from semiosis.files import escape_latex, one_line
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
from semiosis.stats.tools import SCORE_METHOD
from semiosis.tables._judge_columns import DEFAULT_COLUMNS, JudgeColumn, judge_columns
from semiosis.tables._look_out import compared, look_out, number
from semiosis.tables._table import Cell, Table, p_cell


def judge_table(result: JudgeTable, columns: Sequence[str] = ()) -> Table:
    """Return the table of judges with the score, the answers, and further columns by name.

    Columns without content are left out. People are one row, the mean of their scores with the range.
    """
    chosen = judge_columns([*DEFAULT_COLUMNS, *columns])
    rows = [(_name(row), *(column.cell(row, result) for column in chosen)) for row in result.rows]
    rows += [(name, *(_vqa_cell(column, vqa) for column in chosen)) for name, vqa in result.examinees.items()]
    between = result.people_range
    if between is not None:
        low, mean, high = between
        span = Estimate(
            name="score", value=mean, n=result.n_reference, interval=Interval(low, high, 1.0, "range")
        )
        label = f"people ({len(result.people)}): mean, range"
        rows.append((label, *(span if column.name == "score" else None for column in chosen)))
    kept = [
        place
        for place, column in enumerate(chosen, start=1)
        if column.name == "score" or any(row[place] is not None for row in rows)
    ]
    head = ["judge", *(chosen[place - 1].name for place in kept)]
    cells = [[row[0], *(row[place] for place in kept)] for row in rows]
    if any(row.difference for row in result.rows):
        head += [f"− {result.baseline}", "verdict"]
        tests = {_name(row): (row.difference, row.verdict or None) for row in result.rows}
        cells = [[*row, *tests.get(str(row[0]), (None, None))] for row in cells]
    if result.published and "krcc" not in head:  # published rows have no score
        return judge_table(result, [*columns, "krcc", "vqa"])
    return Table(
        f"How far judges agree with {_reference_text(result.reference)}",
        tuple(head),
        tuple(map(tuple, cells)),
        _notes(result, [chosen[place - 1] for place in kept]),
    )


def _vqa_cell(column: JudgeColumn, vqa: Estimate) -> Cell:
    return vqa if column.name == "vqa" else None


def _notes(result: JudgeTable, columns: Sequence[JudgeColumn]) -> tuple[str, ...]:
    """Return what was compared, the meaning of the score, what to look out for, and further columns."""
    notes = [
        compared(result),
        f"score: {SCORE_METHOD}. Guessing is 0, the best possible {number(result.best, result)}.",
        f"{result.level:.0%} intervals over {_units(result)}. People: each against the majority of the rest.",
        *look_out(result),
    ]
    if any(row.difference for row in result.rows):
        notes.append(
            f"− {result.baseline}: difference in score; intervals hold for all judges together (Bonferroni)."
        )
    notes += [f"{column.name}: {column.meaning}" for column in columns if column.name not in DEFAULT_COLUMNS]
    answered = [(row.judge, row.vqa) for row in result.rows if row.vqa]
    if any(column.name == "vqa" for column in columns):
        notes += unanswered_notes([*answered, *result.examinees.items()])
    return tuple(notes)


def _units(result: JudgeTable) -> str:
    return "prompts" if result.unit == "prompt" else f"{result.unit.replace('prompt', 'prompts')}s"


def score_latex(result: JudgeTable, label: str = "judges") -> str:
    """Return the table of judges in LaTeX: it fits one column of a paper and has a short caption."""
    rows = [
        " & ".join(
            [
                escape_latex(one_line(row.judge)),
                _latex_number(float(row.score), result),
                _latex_interval(row.score, result),
                *(f"{round(count)}" for count in (row.counts.right, row.counts.tied, row.counts.wrong)),
            ]
        )
        for row in result.ranked
        if row.score and row.score.scored and row.counts
    ]
    between = result.people_range
    if between is not None:
        low, mean, high = (_latex_number(value, result) for value in between)
        rows.append(rf"\midrule people ({len(result.people)}) & {mean} & {low} to {high} & & &")
    caption = (
        f"Agreement of judges with {_latex_people(result)} on {result.n_reference:,} comparisons of "
        f"{result.prompts:,} prompts. Right $+1$, wrong $-1$, tie or none 0; {result.level:.0%} intervals."
    ).replace("%", r"\%")
    body = "\n".join(rf"{row} \\" for row in rows)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering\footnotesize",
            rf"\caption{{{caption}}}",
            rf"\label{{tab:{label}}}",
            r"\setlength{\tabcolsep}{3pt}",
            r"\begin{tabular}{@{}p{0.36\columnwidth}rcrrr@{}}",
            r"\toprule",
            r"judge & score & interval & right & tied & wrong \\",
            r"\midrule",
            body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_people(result: JudgeTable) -> str:
    people = len(result.reference)
    return f"{people} people" if people > 1 else escape_latex(one_line(result.reference[0]))


def _latex_number(value: float, result: JudgeTable) -> str:
    return f"${number(value, result).replace('−', '-')}$"


def _latex_interval(score: Estimate, result: JudgeTable) -> str:
    ends = score.interval
    if not isinstance(ends, Interval):
        return "--"
    return f"{_latex_number(ends.low, result)} to {_latex_number(ends.high, result)}"


def replacement_table(result: JudgeTable) -> Table:
    """Return the alternative-annotator test: each judge beside each person, and the answer in words."""
    rows = tuple(
        (test.judge, row.person, row.advantage, p_cell(row.p), "yes" if row.wins else "no")
        for test in result.replacements
        for row in test.rows
    )
    epsilon = result.replacements[0].epsilon if result.replacements else 0.0
    notes = [test.sentence for test in result.replacements]
    notes += [
        "advantage: how often the judge agrees with at least as many other people as this person does.",
        f"p: one-sided t test over prompts that the judge is worse by {epsilon:g} or more; wins: below .05.",
        "Calderon, Reichart and Dror (ACL 2025) suggest ε = .2 for experts and .1 to .15 for crowds.",
    ]
    return Table(
        "May a judge stand in for a person?",
        ("judge", "beside", "advantage", "p", "wins"),
        rows,
        tuple(notes),
    )


def _reference_text(names: Sequence[str]) -> str:
    return " + ".join(names) if len(names) < 4 else f"{len(names)} people"


def pairs_table(result: JudgeTable) -> Table:
    """Return the table of every judge against every other."""
    rows = tuple(
        (f"{pair.first} − {pair.second}", pair.difference, p_cell(pair.difference.p), pair.verdict)
        for pair in result.pairs
    )
    notes = [
        "difference: score of the first judge minus that of the second, on all comparisons with a reference.",
        "Intervals and p are adjusted for the number of pairs (Bonferroni), so that they never disagree.",
    ]
    if result.margin is not None:
        notes.append(f"equivalent: two one-sided tests place the difference within ±{result.margin:g}.")
    return Table("All pairs of judges", ("pair", "difference", "p", "verdict"), rows, tuple(notes))


def _name(row: JudgeRow) -> str:
    if row.source:
        return f"{row.judge} (published: {row.source})"
    return f"{row.judge} (repeats {row.copies}: not ranked)" if row.copies else row.judge


def unanswered_notes(answered: Iterable[tuple[str, Estimate]]) -> list[str]:
    """Return how many questions each evaluator left without an answer, and what VQA would be with them."""
    notes = []
    for who, vqa in answered:
        note = f"{who}: questions without an answer: {vqa.n_unscored:,} of {vqa.n:,}"
        if vqa.bounds is not None:
            note += f"; VQA would be {format_number(vqa.bounds[1])} if all these answers were right"
        notes += [f"{note}."] if vqa.n_unscored else []
    return notes


def ablation_table(result: Ablation) -> Table:
    """Return the table of the ablation (SemJudge, table 3)."""
    rows: list[tuple[Cell, ...]] = [
        (
            *row.setting,
            row.result.score,
            row.result.krcc,
            row.result.vqa,
            row.result.krcc.n,
            row.result.krcc.n_unscored,
        )
        for row in result.rows
    ]
    if result.published:
        rows += [
            (f"{r.hsg} (published: {r.source})", r.builder, r.judge, None, r.krcc, r.vqa / 100, None, None)
            for r in ABLATION
        ]
    columns = ("HSG", "builder", "judge", "score", "KRCC", "VQA", "n", "unscored")
    note = (
        f"score: over all {result.n_reference:,} comparisons with a reference; KRCC: over those that the "
        "judge answered, n."
    )
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
    return (row.evaluator, row.gap, d, p_cell(p), stars, p_cell(row.p_holm), row.gap.n, row.gap.n_unscored)
