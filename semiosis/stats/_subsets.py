"""Which repeats and comparisons count, and what to say about those that do not."""

from collections.abc import Mapping

import numpy as np

from semiosis.stats._estimate import BoolArray, FloatArray
from semiosis.stats._votes import Outcomes

COMPLETE_SHARE = 0.9
"""A repeat that was asked about a smaller share of the fullest repeat's comparisons was interrupted."""

REPORTED_LOSS = 0.1
"""A common subset that is smaller by this share than the comparisons with a reference is reported."""


def complete_repeats(name: str, outcomes: Outcomes, wanted: BoolArray) -> tuple[Outcomes, list[str]]:
    """The outcomes without interrupted repeats, and a note for each repeat left out.

    A comparison that a repeat never reached is not unscored: nobody asked.
    """
    asked = (outcomes.asked & wanted).sum(axis=1)
    fullest = int(asked.max(initial=0))
    kept: BoolArray = np.asarray(asked >= COMPLETE_SHARE * fullest)
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
    if not common:
        return [*notes, *_own_subset_notes(outcomes, wanted)]
    notes += [note for name, found in outcomes.items() for note in _uneven_repeats(name, found, wanted)]
    return [*notes, *_common_subset_notes(outcomes, truth)] if len(outcomes) > 1 else notes


def _uneven_repeats(name: str, found: Outcomes, wanted: BoolArray) -> list[str]:
    """What to say when some repeats were asked about fewer comparisons than others."""
    asked = found.asked & wanted
    uneven = int((asked.any(axis=0) & ~asked.all(axis=0)).sum())
    return [f"{name}: {uneven:,} comparisons lack a repeat and are left out."] if uneven else []


def _own_subset_notes(outcomes: Mapping[str, Outcomes], wanted: BoolArray) -> list[str]:
    """A warning where judges can gain by silence, because each is measured on what it scored."""
    unscored_mask = any((np.isnan(found.winner) & found.asked & wanted).any() for found in outcomes.values())
    if not unscored_mask or len(outcomes) < 2:
        return []
    reason = "leaving hard comparisons unscored raises half credit; rows are in order of half credit of all"
    return [f"Warning: each judge is measured on what it scored, and {reason}."]


def _common_subset_notes(outcomes: Mapping[str, Outcomes], truth: FloatArray) -> list[str]:
    whole, mutual = int((~np.isnan(truth)).sum()), int(common_comparisons(outcomes, truth).sum())
    lost = whole - mutual
    without = {name: int(common_comparisons(outcomes, truth, name).sum()) for name in outcomes}
    alone = [name for name, left in without.items() if lost and left == whole]
    share = f"{lost / whole:.0%}" if whole else ""
    if alone:
        reason = f"lacks {lost:,} comparisons ({share}) because of {alone[0]} alone"
        remedy = "leave it out, or measure each judge on its own (--each-on-its-own, common=False)"
        return [f"Warning: the common subset {reason}; {remedy}."]
    if lost < REPORTED_LOSS * whole or not lost:
        return []
    worst = max(without, key=lambda name: without[name])
    rest = f"without {worst} it would have {without[worst]:,}"
    return [f"Warning: the common subset lacks {lost:,} of {whole:,} comparisons ({share}); {rest}."]
