"""The columns of the table of judges: one entry declares a column, its definition and its cells."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from semiosis.stats import Estimate, JudgeRow, JudgeTable
from semiosis.tables._table import Cell
from semiosis.values import Unscored, UsageError

FEW_GENERATORS = 6
"""Below this number of generators a correlation is stated with their number."""


class JudgeColumn(NamedTuple):
    """A column of the table of judges."""

    name: str
    """The name for `--columns` and `--explain`, which is also the heading."""
    meaning: str
    """What it says, for readers who are not statisticians."""
    cell: Callable[[JudgeRow, JudgeTable], Cell]
    """The cell of a judge; None where it does not apply."""


def _estimate(estimate: Estimate | None, result: JudgeTable) -> Cell:
    """Return an estimate; if it rests on fewer comparisons than the score, as text with its n."""
    if estimate is None or isinstance(estimate.value, Unscored) or not 0 < estimate.n < result.n_reference:
        return estimate
    return Estimate(
        name=estimate.name,
        value=estimate.value,
        n=estimate.n,
        interval=estimate.interval,
        unit=estimate.unit,
        related={**estimate.related, "shown_n": estimate.n},
    )


def _correlation(estimate: Estimate | None) -> Cell:
    """Return a correlation; with few generators, as text with their number."""
    if estimate is None or isinstance(estimate.value, Unscored):
        return estimate
    generators = estimate.related.get("generators")
    if isinstance(generators, int | float) and generators < FEW_GENERATORS:
        return f"{estimate.value:.2f} of {generators:.0f}".replace("-", "−")
    return estimate.value


def _other_readings(row: JudgeRow) -> Cell:
    """Return the score with each other reader's readings, such as "with Ines's: 0.32"."""
    scores = (f"with {reader}'s: {score:.2f}" for reader, score in row.other_readings.items() if score.scored)
    return ", ".join(scores) or None


def _alike(row: JudgeRow) -> Cell:
    if row.alike is None or isinstance(row.alike.value, Unscored):
        return row.alike
    alike, pairs = (row.alike.related[name] for name in ("alike", "pairs"))
    return f"{alike:g} of {pairs:g}" if isinstance(alike, int | float) else None


def _defined_on(row: JudgeRow) -> Cell:
    """Return on how many of the prompts with a reference KRCC is defined, such as "55 of 158"."""
    defined, undefined = (row.krcc.related.get(name) for name in ("prompts", "prompts_unscored"))
    if not isinstance(defined, int | float) or not isinstance(undefined, int | float):
        return None
    return f"{defined:.0f} of {defined + undefined:.0f}"


def _flips(row: JudgeRow) -> Cell:
    if row.flips is None or not row.flips.n:
        return None
    return f"{row.flips.related['flips']} of {row.flips.n}"


def _count(row: JudgeRow, name: str) -> Cell:
    value = getattr(row.counts, name) if row.counts else None
    return None if value is None else int(value) if value == int(value) else round(value, 1)


JUDGE_COLUMNS: dict[str, JudgeColumn] = {
    column.name: column
    for column in (
        JudgeColumn(
            "score",
            "a right answer counts 1, a wrong one −1, and a tie, a flip or no answer 0; any answer "
            "counts 0 where "
            "people tie. Mean within each prompt, then over prompts, of all comparisons that have a "
            "reference. "
            "With several people, each is left out in turn and judges are measured, like that person, "
            "against "
            "the majority of the others; the score is the mean. 0 is guessing.",
            lambda row, _: row.score,
        ),
        JudgeColumn(
            "right",
            "answers that agree with the majority, where it decides.",
            lambda row, _: _count(row, "right"),
        ),
        JudgeColumn(
            "tied",
            "ties, and opposite answers in the two orders, where the majority decides.",
            lambda row, _: _count(row, "tied"),
        ),
        JudgeColumn(
            "wrong", "answers against the majority, where it decides.", lambda row, _: _count(row, "wrong")
        ),
        JudgeColumn(
            "none",
            "comparisons without a usable answer, or never asked about, where the majority decides. "
            "They count 0.",
            lambda row, _: _count(row, "unanswered"),
        ),
        JudgeColumn(
            "coverage",
            "share of the comparisons with a reference that the judge answered. The columns below rest "
            "on these.",
            lambda row, _: row.coverage.value if row.coverage else None,
        ),
        JudgeColumn(
            "agreement",
            "share of the judge's answers that are the reference's; a tie agrees with a tie, a flip "
            "with nothing. "
            "Guessing instead of tying raises it.",
            lambda row, result: _estimate(row.agreement, result),
        ),
        JudgeColumn(
            "half-credit",
            "the score on what the judge answered, against the majority of all people: (right − wrong)/n. "
            "Leaving hard comparisons unanswered raises it.",
            lambda row, result: _estimate(row.half_credit, result),
        ),
        JudgeColumn(
            "krcc",
            "Kendall's τ-b within each prompt, mean over the prompts on which it is defined (column "
            "prompts), on "
            "what the judge answered. A judge's ties raise it.",
            lambda row, result: _estimate(row.krcc, result),
        ),
        JudgeColumn("prompts", "prompts on which KRCC is defined.", lambda row, _: _defined_on(row)),
        JudgeColumn(
            "alike",
            "pairs of generators that judge and reference order alike. Half of them is guessing.",
            lambda row, _: _alike(row),
        ),
        JudgeColumn(
            "srcc",
            "rank correlation of the generators' ratings. It has no interval, and below six generators it is "
            "stated with their number: prefer alike.",
            lambda row, _: _correlation(row.srcc),
        ),
        JudgeColumn(
            "ccc",
            "Lin's concordance of the generators' ratings; 1 only if they are equal, not just in the "
            "same order. "
            "It depends on how ties are treated.",
            lambda row, _: _correlation(row.ccc),
        ),
        JudgeColumn("vqa", "share of all questions answered correctly.", lambda row, _: row.vqa),
        JudgeColumn(
            "flips",
            "opposite answers in the two orders, among the comparisons decided in both. A judge that "
            "always ties "
            "has none.",
            lambda row, _: _flips(row),
        ),
        JudgeColumn(
            "position",
            "share of answers for the artifact shown first minus that for the second; 0 is no bias.",
            lambda row, _: row.position_bias if row.position_bias and row.position_bias.scored else None,
        ),
        JudgeColumn(
            "brier",
            "mean squared error of stated probabilities where the reference decides; always stating ½ "
            "gives 0.25, "
            "and 0 is best. It needs probabilities for 80 % of the comparisons.",
            lambda row, result: _estimate(row.calibration.brier, result) if row.calibration else None,
        ),
        JudgeColumn(
            "ece",
            "mean distance between stated probabilities and observed shares. Always stating ½ gives "
            "nearly 0, and "
            "few prompts raise it: look at `semiosis figure reliability`.",
            lambda row, result: _estimate(row.calibration.ece, result) if row.calibration else None,
        ),
        JudgeColumn(
            "tie-calibrated",
            "agreement when stated probabilities close to ½ count as ties.",
            lambda row, result: _estimate(row.tie_calibrated, result),
        ),
        JudgeColumn(
            "repeats", "repeats, which are averaged.", lambda row, _: row.repeats if row.score else None
        ),
        JudgeColumn(
            "readings",
            "score of the same judge with another reader's readings.",
            lambda row, _: _other_readings(row),
        ),
    )
}
"""The columns of the table of judges, by name."""

DEFAULT_COLUMNS = ("score", "right", "tied", "wrong", "none")


def judge_columns(names: Sequence[str]) -> list[JudgeColumn]:
    """Return columns by name; `all` stands for all of them."""
    if "all" in names:
        return list(JUDGE_COLUMNS.values())
    return [_column(name) for name in dict.fromkeys(names)]


def explain_column(name: str) -> str:
    """Return the definition of a column in one or more sentences."""
    column = _column(name)
    return f"{column.name}: {column.meaning}"


def _column(name: str) -> JudgeColumn:
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in JUDGE_COLUMNS:
        near = get_close_matches(key, JUDGE_COLUMNS, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"there is no column {name!r}", fix=f"{meant}columns: {', '.join(JUDGE_COLUMNS)}, or all"
        )
    return JUDGE_COLUMNS[key]
