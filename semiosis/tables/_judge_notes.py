"""The notes below a table of judges: what was compared, and what each column means."""

from collections.abc import Iterable, Sequence

from semiosis.stats import Estimate, JudgeTable, format_number

COLUMN_MEANINGS = {
    "half credit": (
        "a right answer counts 1, a wrong one −1, and a tie or a flip 0; any answer counts 0 if the "
        "reference ties. Mean within each prompt, then over prompts."
    ),
    "of all": "half credit when unscored comparisons count 0.",
    "on its own": "half credit on all comparisons that the judge scored.",
    "coverage": "share of the comparisons with a reference that the judge scored.",
    "KRCC": (
        "Kendall's τ-b within each prompt, mean over the prompts on which it is defined (column prompts). A "
        "judge's ties raise it."
    ),
    "agreement": "share of comparisons with the reference's answer. Guessing instead of tying raises it.",
    "agreement of all": "agreement when unscored comparisons count as wrong.",
    "VQA": "share of all questions answered correctly.",
    "flips": "share of comparisons with opposite answers in the two orders; a flip is never right.",
    "position": "share of answers for the artifact shown first minus that for the second; 0 is no bias.",
    "n": "number of comparisons; unscored: comparisons on which the judge gave no usable answer.",
    "Brier": (
        "mean squared error of stated probabilities where the reference does not tie; always stating ½ gives "
        "0.25, and 0 is best."
    ),
    "ECE": "mean distance between stated probabilities and observed shares; 0 is best.",
    "tie-calibrated": "agreement when stated probabilities close to ½ count as ties.",
}
"""The definition of each column, for readers who are not statisticians."""


def judge_notes(result: JudgeTable, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the notes below a table of judges: first the most important ones, then the other columns."""
    first, *others = column_meanings(result, columns)
    answered = [(row.judge, row.vqa) for row in (*result.rows, *result.people) if row.vqa]
    answered += result.examinees.items()
    notes = [_compared(result), first, *_bounds(result), *unanswered_notes(answered), *result.notes]
    if any(row.other_readings for row in result.rows):
        notes.append("With …'s readings: half credit of the same judge with another reader's readings.")
    if result.people:
        notes.append(
            "Each annotator is compared with the majority of the others, which shows how far people agree."
        )
    if result.examinees:
        notes.append(
            "Rows with only VQA are evaluators that answered questions but are not compared as judges."
        )
    if result.resamples:
        notes.append(_intervals(result))
    return (*notes, *others)


def column_meanings(result: JudgeTable, columns: Sequence[str]) -> list[str]:
    """Return one sentence for each column that is shown."""
    meanings = COLUMN_MEANINGS | {
        "SRCC": f"rank correlation of the generators' ratings ({_rated_by(result)}).",
        "± order": "standard deviation of SRCC over orders of the games.",
        "SRCC Davidson": "SRCC of ratings that model ties instead of counting a tie as half a win for each.",
        "CCC": "Lin's concordance of the same ratings; 1 only if they are equal, not just in the same order.",
        f"− {result.baseline}": f"half credit minus that of {result.baseline}, on what both scored.",
        "p (Holm)": "two-sided p from exchanging judges in whole prompts, adjusted by Holm for all tests.",
    }
    if result.margin is not None:
        meanings["p (equivalent)"] = equivalence_meaning(result.margin)
    return [f"{name}: {meanings[name]}" for name in columns if name in meanings]


def equivalence_meaning(margin: float) -> str:
    """Return the definition of the p of equivalence."""
    return f"p of two one-sided tests; below .05, the difference lies within ±{margin:g}. Not adjusted."


def _compared(result: JudgeTable) -> str:
    note = f"{result.n_reference:,} comparisons have a reference"
    if len(result.reference) > 3:
        note += f", the majority of {', '.join(result.reference)}"
    if result.common and sum(not row.source for row in result.rows) > 1:
        note += f"; judges are compared on the {result.n_common:,} that all of them scored"
    return f"{note}."


def _intervals(result: JudgeTable) -> str:
    over = result.unit.replace("prompt", "prompts")
    note = f"{result.level:.0%} intervals: Student's t over {over if over == 'prompts' else over + 's'}"
    if result.unit != "prompt":
        note += "; those of differences and of people, over prompts"
    if result.rating in ("bradley-terry", "thurstone"):
        note += f"; that of SRCC, {result.resamples:,} resamples of whole prompts, seed {result.seed}"
    return f"{note}."


def _rated_by(result: JudgeTable) -> str:
    added = (
        f", with {result.prior:g} wins added to each side of every pair of generators" if result.prior else ""
    )
    order = ", averaged over random orders" if result.rating == "elo" else ""
    return f"{result.rating}{added}{order}"


def unanswered_notes(answered: Iterable[tuple[str, Estimate]]) -> list[str]:
    """Return how many questions each evaluator left without an answer, and what VQA would be with them."""
    notes = []
    for who, vqa in answered:
        note = f"{who}: questions without an answer: {vqa.n_unscored:,} of {vqa.n:,}"
        if vqa.bounds is not None:
            note += f"; VQA would be {format_number(vqa.bounds[1])} if all these answers were right"
        notes += [f"{note}."] if vqa.n_unscored else []
    return notes


def _bounds(result: JudgeTable) -> list[str]:
    """Return the agreement of each judge if its unscored comparisons were wrong, and if they were right."""
    notes = []
    for row in result.rows:
        unscored = row.krcc.n_unscored
        if row.agreement and row.agreement.bounds is not None and unscored:
            low, high = map(format_number, row.agreement.bounds)
            comparisons, they = ("comparison", "it") if unscored == 1 else ("comparisons", "they all")
            notes.append(
                f"{row.judge}: agreement would be {low} if its {unscored:,} unscored {comparisons} were "
                f"wrong, and {high} if {they} were right."
            )
    return notes
