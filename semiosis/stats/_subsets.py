"""The repeats and comparisons that count in a table, and notes on those that do not."""

from collections.abc import Mapping

import numpy as np

from semiosis.stats._estimate import BoolArray, FloatArray
from semiosis.stats._votes import Outcomes

COMPLETE_SHARE = 0.9
"""A repeat counts as interrupted if it has fewer than this share of the most complete one's comparisons."""

REPORTED_LOSS = 0.1
"""A note reports the common subset if at least this share of all comparisons is missing from it."""


def complete_repeats(name: str, outcomes: Outcomes, wanted: BoolArray) -> tuple[Outcomes, list[str]]:
    """Return the outcomes without interrupted repeats, and a note for each repeat left out.

    A comparison that a repeat never reached is not unscored, because the judge was not asked about it.
    """
    asked = (outcomes.asked & wanted).sum(axis=1)
    most_asked = int(asked.max(initial=0))
    kept: BoolArray = np.asarray(asked >= COMPLETE_SHARE * most_asked)
    notes = [
        f"{name}: repeat {number} covers only {count:,} of {most_asked:,} comparisons and is left out."
        for number, count, keep in zip(outcomes.repeats, asked.tolist(), kept, strict=True)
        if not keep
    ]
    return outcomes.select_repeats(kept), notes


def common_comparisons(outcomes: Mapping[str, Outcomes], truth: FloatArray, without: str = "") -> BoolArray:
    """Return the comparisons with a reference that every judge scored in every repeat.

    Judges that scored nothing do not count.
    """
    in_common = ~np.isnan(truth)
    for name, outcome in outcomes.items():
        scored = ~np.isnan(outcome.winner)
        if name != without and scored.any():
            in_common = in_common & scored.all(axis=0)
    return in_common


def subset_notes(outcomes: Mapping[str, Outcomes], truth: FloatArray, *, common: bool) -> list[str]:
    """Return notes on judges without a score, comparisons never asked about, and a small common subset."""
    if not outcomes:
        return ["There is no judge other than the reference."]
    wanted = ~np.isnan(truth)
    unscored_judges = [name for name, found in outcomes.items() if np.isnan(found.winner[:, wanted]).all()]
    notes = [f"{name} scored no comparison that has a reference." for name in unscored_judges]
    for name, found in outcomes.items():
        never = int((wanted & ~found.asked.any(axis=0)).sum())
        if never and name not in unscored_judges:
            notes.append(f"{name} was never asked about {never:,} of {int(wanted.sum()):,} comparisons.")
    if not common:
        return [*notes, *_own_subset_notes(outcomes, wanted)]
    notes += [note for name, found in outcomes.items() for note in _uneven_repeats(name, found, wanted)]
    return [*notes, *_common_subset_notes(outcomes, truth)] if len(outcomes) > 1 else notes


def _uneven_repeats(name: str, found: Outcomes, wanted: BoolArray) -> list[str]:
    """Return a note if some repeats were asked about fewer comparisons than others."""
    asked = found.asked & wanted
    uneven = int((asked.any(axis=0) & ~asked.all(axis=0)).sum())
    reason = "because they were not judged in every repeat"
    return [f"{name}: {uneven:,} comparisons are left out, {reason}."] if uneven else []


def _own_subset_notes(outcomes: Mapping[str, Outcomes], wanted: BoolArray) -> list[str]:
    """Return a warning if judges can gain by leaving comparisons unscored, as each has its own subset."""
    unscored_mask = any((np.isnan(found.winner) & found.asked & wanted).any() for found in outcomes.values())
    if not unscored_mask or len(outcomes) < 2:
        return []
    reason = "leaving hard comparisons unscored raises half credit; rows are in order of half credit of all"
    return [f"Warning: each judge is measured on what it scored, and {reason}."]


def _common_subset_notes(outcomes: Mapping[str, Outcomes], truth: FloatArray) -> list[str]:
    whole, n_common = int((~np.isnan(truth)).sum()), int(common_comparisons(outcomes, truth).sum())
    lost = whole - n_common
    without = {name: int(common_comparisons(outcomes, truth, name).sum()) for name in outcomes}
    alone = [name for name, left in without.items() if lost and left == whole]
    share = f"{lost / whole:.0%}" if whole else ""
    if alone:
        are, them = ("is", "it") if lost == 1 else ("are", "them")
        left_out = f"{lost:,} of {whole:,} comparisons ({share}) {are} left out only because {alone[0]}"
        remedy = "Leave this judge out, or measure each judge on its own (--each-on-its-own, common=False)"
        return [f"Warning: {left_out} did not score {them}. {remedy}."]
    if lost < REPORTED_LOSS * whole or not lost:
        return []
    worst = max(without, key=lambda name: without[name])
    left_out = f"{lost:,} of {whole:,} comparisons ({share}) are left out, as not every judge scored them"
    return [f"Warning: {left_out}. Without {worst}, {without[worst]:,} comparisons would remain."]
