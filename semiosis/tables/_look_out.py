"""Sentences about a table of judges: what to look out for, and what it shows, in plain words."""

from collections.abc import Iterator

import numpy as np

from semiosis.stats import Interval, JudgeRow, JudgeTable
from semiosis.stats.tools import FEW_UNITS

MOST_SENTENCES = 5
"""The maximum number of sentences to look out for."""
REPORTED_SHARE = 0.1
"""The smallest share of flips, or of preference for a position, that is reported."""


def number(value: float, result: JudgeTable) -> str:
    """Return a score with two decimals below 100 prompts, and with three from there on."""
    return f"{value:.{3 if result.prompts >= 100 else 2}f}".replace("-", "−")


def look_out(result: JudgeTable, most: int = MOST_SENTENCES) -> list[str]:
    """Return the most important sentences about what may mislead in a table, by consequence."""
    sources = (_copies, _unanswered, _flips, _positions, _people, _notes)
    sentences = [sentence for source in sources for sentence in source(result)]
    return sentences[:most]


def _copies(result: JudgeTable) -> Iterator[str]:
    for row in result.rows:
        if row.copies:
            yield f"{row.judge} repeats {row.copies}, who is part of the reference, so it is not ranked."


def _unanswered(result: JudgeTable) -> Iterator[str]:
    """Yield judges that left comparisons without an answer, those with most first."""
    missing = [(row, _missing(row)) for row in result.ranked if row.coverage]
    answered = sorted(result.ranked, key=_on_what_it_answered, reverse=True)
    for row, n in sorted(missing, key=lambda item: -item[1]):
        if n <= 0:
            continue
        asked = _never_asked(row)
        verb = "was not asked about" if asked == n else "did not answer"
        count = "counts" if n == 1 else "count"
        sentence = f"{row.judge} {verb} {n:,} of {result.n_reference:,}, which {count} 0."
        place, other = result.ranked.index(row), answered.index(row)
        if other < place:
            sentence += f" On what it answered it would be {_ordinal(other + 1)}, not {_ordinal(place + 1)}."
        yield sentence


def _missing(row: JudgeRow) -> int:
    return row.score.n_unscored if row.score else 0


def _never_asked(row: JudgeRow) -> int:
    value = row.coverage.related.get("not_asked", 0) if row.coverage else 0
    return int(value) if isinstance(value, int | float) else 0


def _on_what_it_answered(row: JudgeRow) -> float:
    return float(row.half_credit) if row.half_credit and row.half_credit.scored else -np.inf


def _flips(result: JudgeTable) -> Iterator[str]:
    for row in sorted(result.ranked, key=_flip_rate, reverse=True):
        if row.flips and _flip_rate(row) >= REPORTED_SHARE:
            pairs = f"{row.flips.related['flips']} of {row.flips.n} pairs"
            yield f"{row.judge} changed its mind in {pairs} when the order was swapped."


def _flip_rate(row: JudgeRow) -> float:
    return float(row.flips) if row.flips and row.flips.scored else 0.0


def _positions(result: JudgeTable) -> Iterator[str]:
    for row in result.ranked:
        bias = row.position_bias
        if bias and isinstance(bias.interval, Interval) and abs(float(bias)) >= REPORTED_SHARE:
            ends = bias.interval
            if ends.low > 0 or ends.high < 0:
                side, share = ("first", 0.5 + float(bias) / 2)
                side, share = (side, share) if share >= 0.5 else ("second", 1 - share)
                yield f"{row.judge} chooses the picture shown {side} in {share:.0%} of its answers."


def _people(result: JudgeTable) -> Iterator[str]:
    if len(result.reference) == 1:
        yield f"The reference is {result.reference[0]} alone, so nothing shows how far people agree."
    between = result.people_range
    if between is None or not result.ranked:
        return
    low, _, high = between
    ends = [row.score.interval for row in result.ranked if row.score]
    overlapping = [end for end in ends if isinstance(end, Interval) and end.low <= high and end.high >= low]
    if len(ends) > 1 and len(overlapping) == len(ends):
        span = f"{number(low, result)} to {number(high, result)}"
        yield f"The intervals of all judges overlap the range of people ({span})."


def _notes(result: JudgeTable) -> Iterator[str]:
    yield from result.notes


def _ordinal(place: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(place, f"{place}th")


def compared(result: JudgeTable) -> str:
    """Return what was compared with whom."""
    comparisons = f"{result.n_reference:,} comparison{'' if result.n_reference == 1 else 's'}"
    prompts = f"{result.prompts:,} prompt{'' if result.prompts == 1 else 's'}"
    people = len(result.reference)
    who = f"judged by {people} people" if people > 1 else f"judged by {result.reference[0]}"
    pilot = " A pilot: intervals are wide." if 0 < result.prompts < FEW_UNITS else ""
    return f"{comparisons} of {prompts}, {who}.{pilot}"


def in_plain_words(result: JudgeTable) -> list[str]:
    """Return three sentences that say what the table shows to somebody who reads no tables."""
    if not result.ranked:
        return ["No judge has been compared with people yet."]
    best = result.ranked[0]
    right = round(best.counts.right) if best.counts else 0
    decided = result.n_reference - result.n_reference_ties
    first = (
        f"The judge closest to people is {best.judge}: it is right in {right:,} of {decided:,} comparisons."
    )
    return [first, _beside_people(result, best), _how_sure(result, best)]


def _beside_people(result: JudgeTable, best: JudgeRow) -> str:
    between = result.people_range
    if between is None or best.score is None or not best.score.scored:
        return "Only one person judged, so nothing shows how far people agree with one another."
    low, _, high = between
    value = float(best.score)
    place = (
        "above every person" if value > high else "below every person" if value < low else "among the people"
    )
    return (
        f"Measured like a person against the others it scores {number(value, result)}, {place} "
        f"({number(low, result)} to {number(high, result)}); always right is 1 and guessing is 0."
    )


def _how_sure(result: JudgeTable, best: JudgeRow) -> str:
    ends = best.score.interval if best.score else None
    if not isinstance(ends, Interval):
        return f"With {result.prompts} prompts no interval can be given."
    others = [row.score.interval for row in result.ranked[1:] if row.score]
    near = sum(isinstance(end, Interval) and end.high >= ends.low for end in others)
    span = f"{number(ends.low, result)} and {number(ends.high, result)}"
    sure = f"With {result.prompts:,} prompts, its score may lie anywhere between {span}"
    return f"{sure}, so the order of the first {near + 1} judges is not settled." if near else f"{sure}."
