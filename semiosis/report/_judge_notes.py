"""The notes below a table of judges: what each column means, what was compared, and how."""

from collections.abc import Sequence

from semiosis.stats import JudgeTable, format_number

MEANINGS = {
    "half credit": (
        "a right answer counts 1, a wrong one −1, a tie or flip 0, and anything 0 where the reference ties; "
        "mean within each prompt, then over prompts."
    ),
    "of all": "half credit when unscored comparisons count 0.",
    "on its own": "half credit on all comparisons that the judge scored.",
    "coverage": "share of the comparisons with a reference that the judge scored.",
    "KRCC": "Kendall's τ-b within prompts, mean over the prompts that define it (prompts). Ties raise it.",
    "agreement": "share of comparisons with the reference's answer. Guessing instead of tying raises it.",
    "agreement of all": "agreement when unscored comparisons count as wrong.",
    "VQA": "share of all questions answered correctly.",
    "flips": "share of comparisons with opposite answers in the two orders; a flip is never right.",
    "position": "share of answers for the artifact shown first minus that for the second; 0 is no bias.",
    "n": "comparisons that were measured; unscored: asked about without a usable answer.",
    "Brier": "mean squared error of stated probabilities where the reference decides; ½ throughout is 0.25.",
    "ECE": "mean distance between stated probabilities and observed shares; 0 is best.",
    "tie-calibrated": "agreement when stated probabilities close to ½ count as ties.",
}
"""What each column means, for readers who are not statisticians."""


def judge_notes(result: JudgeTable, columns: Sequence[str]) -> tuple[str, ...]:
    """What was compared, what half credit means, what is special about these data, and the other columns."""
    first, *others = column_meanings(result, columns)
    notes = [_compared(result), first, *_bounds(result), *result.notes]
    if any(row.other_readings for row in result.rows):
        notes.append("With …'s readings: half credit of the same judge, by another reader's readings.")
    if result.people:
        notes.append("People are compared with the majority of the others: the level that people reach.")
    if result.resamples:
        notes.append(_intervals(result))
    return (*notes, *others)


def column_meanings(result: JudgeTable, columns: Sequence[str]) -> list[str]:
    """One sentence for each column that is shown."""
    meanings = MEANINGS | {
        "SRCC": f"rank correlation of the generators' ratings ({_rated_by(result)}).",
        "± order": "standard deviation of SRCC over orders of the games.",
        "SRCC Davidson": "SRCC of ratings that model ties instead of counting half a win each.",
        "CCC": "Lin's concordance of the same ratings; 1 where they are equal, not just in one order.",
        f"− {result.baseline}": f"half credit minus that of {result.baseline}, on what both scored.",
        "p (Holm)": "judges exchanged in whole prompts, two-sided; adjusted by Holm for the number of tests.",
    }
    if result.margin is not None:
        meanings["p (equivalent)"] = equivalence_meaning(result.margin)
    return [f"{name}: {meanings[name]}" for name in columns if name in meanings]


def equivalence_meaning(margin: float) -> str:
    """What the p of equivalence means."""
    return f"two one-sided tests; below .05 the difference lies within ±{margin:g}. Not adjusted."


def _compared(result: JudgeTable) -> str:
    found = f"{result.n_reference:,} comparisons have a reference"
    if len(result.reference) > 3:
        found += f", the majority of {', '.join(result.reference)}"
    if result.common and sum(not row.source for row in result.rows) > 1:
        found += f"; judges are compared on the {result.n_common:,} that all of them scored"
    return f"{found}."


def _intervals(result: JudgeTable) -> str:
    over = result.unit.replace("prompt", "prompts")
    found = f"{result.level:.0%} intervals: Student's t over {over if over == 'prompts' else over + 's'}"
    if result.unit != "prompt":
        found += "; of differences and of people, over prompts"
    if result.rating in ("bradley-terry", "thurstone"):
        found += f"; of SRCC, {result.resamples:,} resamples of whole prompts, seed {result.seed}"
    return f"{found}."


def _rated_by(result: JudgeTable) -> str:
    added = f", {result.prior:g} wins added each way between any two generators" if result.prior else ""
    order = ", averaged over random orders" if result.rating == "elo" else ""
    return f"{result.rating}{added}{order}"


def _bounds(result: JudgeTable) -> list[str]:
    """For each judge with unscored comparisons: its agreement if they were all wrong, and all right."""
    return [
        f"{row.judge}: if the {row.krcc.n_unscored:,} unscored were all wrong, agreement is "
        f"{format_number(row.agreement.bounds[0])}; all right, {format_number(row.agreement.bounds[1])}."
        for row in result.rows
        if row.agreement and row.agreement.bounds is not None and row.krcc.n_unscored
    ]
