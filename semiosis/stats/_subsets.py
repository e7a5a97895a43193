"""Which repeats and comparisons count, and what to say about those that do not."""

from collections.abc import Mapping

import numpy as np

from semiosis.stats._estimate import BoolArray, FloatArray
from semiosis.stats._votes import Outcomes

COMPLETE = 0.9
"""A repeat that was asked about a smaller share of the fullest repeat's comparisons was interrupted."""

SHRUNK = 0.1
"""A common subset that is smaller by this share than the comparisons with a reference is reported."""


def complete_repeats(name: str, outcomes: Outcomes, wanted: BoolArray) -> tuple[Outcomes, list[str]]:
    """The outcomes without interrupted repeats, and a note for each repeat left out.

    A comparison that a repeat never reached is not unscored: nobody asked.
    """
    asked = (outcomes.asked & wanted).sum(axis=1)
    fullest = int(asked.max(initial=0))
    kept: BoolArray = np.asarray(asked >= COMPLETE * fullest)
    notes = [
        f"{name}: repeat {number} covers {count:,} of {fullest:,} comparisons and is left out."
        for number, count, keep in zip(outcomes.repeats, asked.tolist(), kept, strict=True)
        if not keep
    ]
    return outcomes.only(kept), notes


def common_comparisons(outcomes: Mapping[str, Outcomes], truth: FloatArray, without: str = "") -> BoolArray:
    """Comparisons with a reference that every judge scored in every repeat; silent judges do not count."""
    mutual = ~np.isnan(truth)
    for name, outcome in outcomes.items():
        scored = ~np.isnan(outcome.winner)
        if name != without and scored.any():
            mutual = mutual & scored.all(axis=0)
    return mutual


def subset_notes(outcomes: Mapping[str, Outcomes], truth: FloatArray, *, common: bool) -> list[str]:
    """What to say about silent judges, comparisons never asked, and a common subset that shrank."""
    if not outcomes:
        return ["There is no judge besides the reference."]
    wanted = ~np.isnan(truth)
    silent = [name for name, found in outcomes.items() if np.isnan(found.winner[:, wanted]).all()]
    notes = [f"{name} scored no comparison that has a reference." for name in silent]
    for name, found in outcomes.items():
        never = int((wanted & ~found.asked.any(axis=0)).sum())
        if never and name not in silent:
            notes.append(f"{name} was never asked about {never:,} of {int(wanted.sum()):,} comparisons.")
    return [*notes, *_shrunk(outcomes, truth)] if common and len(outcomes) > 1 else notes


def _shrunk(outcomes: Mapping[str, Outcomes], truth: FloatArray) -> list[str]:
    whole, mutual = int((~np.isnan(truth)).sum()), int(common_comparisons(outcomes, truth).sum())
    lost = whole - mutual
    without = {name: int(common_comparisons(outcomes, truth, name).sum()) for name in outcomes}
    alone = [name for name, left in without.items() if lost and left == whole]
    share = f"{lost / whole:.0%}" if whole else ""
    if alone:
        reason = f"lacks {lost:,} comparisons ({share}) because of {alone[0]} alone"
        return [f"Warning: the common subset {reason}; leave it out, or use each judge's own comparisons."]
    if lost < SHRUNK * whole or not lost:
        return []
    worst = max(without, key=lambda name: without[name])
    rest = f"without {worst} it would have {without[worst]:,}"
    return [f"Warning: the common subset lacks {lost:,} of {whole:,} comparisons ({share}); {rest}."]
