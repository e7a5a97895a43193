"""Merges the readings of each sign of a study into a consensus HSG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from semiosis.align import Aligner, aligner_of, merge_readings
from semiosis.study._cases import ReadingRule
from semiosis.study._reading_pairs import chosen_readings
from semiosis.study._study import Study
from semiosis.values import HSG, UsageError


@dataclass(frozen=True)
class ConsensusRun:
    """The consensus HSGs of a study."""

    hsgs: tuple[HSG, ...]
    """The consensus of each sign that was read, in the order of the study."""
    new: tuple[HSG, ...]
    """The HSGs among them that the study does not have yet."""
    procedure: str
    """The procedure that matched the nodes."""
    n_single: int
    """The number of signs with one reading, whose consensus has the content of that reading."""
    n_refused: int
    """The number of readings left out because the aligner cannot compare their script with the others."""
    notes: tuple[str, ...]
    """Statements of what is left out, and why."""


def consensus_run(
    study: Study,
    *,
    aligner: Aligner | None = None,
    rule: ReadingRule | None = None,
    readers: Sequence[str] = (),
    repeats: bool = False,
) -> ConsensusRun:
    """Return the consensus of the readings of each sign. Nothing is recorded.

    Each interpreter counts once, with the first of its most detailed readings; with `repeats`, every repeat
    counts. A consensus that differs from an earlier one under the same settings supersedes it.
    """
    rule, aligner = rule or ReadingRule(), aligner or aligner_of()
    chosen, left_out = chosen_readings(study, rule, readers)
    if not chosen:
        raise UsageError(
            f"there is no {'given' if rule.given else 'blind'} reading to merge",
            where=str(study.folder),
            fix="read the signs first: semiosis read STUDY --model PROVIDER/MODEL",
        )
    by_sign: dict[str, list[HSG]] = {}
    for hsg in chosen:
        by_sign.setdefault(hsg.sign.id, []).append(hsg)
    counted = {sign: _counted(readings, repeats) for sign, readings in by_sign.items()}
    comparable = {sign: _comparable(readings, aligner) for sign, readings in counted.items()}
    hsgs = [_superseding(study, _merged(readings, aligner)) for readings in comparable.values()]
    return ConsensusRun(
        hsgs=tuple(hsgs),
        new=tuple(hsg for hsg in hsgs if hsg.id not in study.hsgs),
        procedure=aligner.procedure,
        n_single=sum(len(readings) == 1 for readings in comparable.values()),
        n_refused=sum(map(len, counted.values())) - sum(map(len, comparable.values())),
        notes=tuple(f"{what} are left out." for what in left_out),
    )


def _counted(readings: Iterable[HSG], repeats: bool) -> list[HSG]:
    by_reader: dict[str, list[HSG]] = {}
    for hsg in sorted(readings, key=lambda h: (h.reading.detail != "complex", h.reading.repeat, h.id)):
        by_reader.setdefault(hsg.reading.interpreter.id, []).append(hsg)
    return [
        hsg
        for found in by_reader.values()
        for hsg in found
        if hsg is found[0] or (repeats and hsg.reading.detail == found[0].reading.detail)
    ]


def _comparable(readings: Sequence[HSG], aligner: Aligner) -> list[HSG]:
    """Return the readings in the most common script; in a tie, in that of the reading with the lowest id."""
    scripts: list[list[HSG]] = []
    for hsg in sorted(readings, key=lambda hsg: hsg.id):
        fitting = next((found for found in scripts if aligner.can_compare(found[0], hsg)), None)
        if fitting is None:
            scripts.append([hsg])
        else:
            fitting.append(hsg)
    return max(scripts, key=len)


def _merged(readings: Sequence[HSG], aligner: Aligner) -> HSG:
    pairs = list(combinations(sorted(readings, key=lambda hsg: hsg.id), 2))
    alignments = aligner.diff_all(pairs) if pairs else ()
    return merge_readings(readings, alignments, procedure=aligner.procedure)


def _superseding(study: Study, hsg: HSG) -> HSG:
    """Return a consensus as the next version of the study's own, or the study's own if nothing changed."""
    for earlier in study.readings(hsg.sign.id):
        if earlier.reading.interpreter != hsg.reading.interpreter:
            continue
        same = _next_version(hsg, earlier.supersedes) == earlier
        return earlier if same else _next_version(hsg, earlier.id)
    return hsg


def _next_version(hsg: HSG, earlier: str | None) -> HSG:
    reading = hsg.reading.model_copy(update={"supersedes": earlier})
    return HSG(hsg.sign, hsg.semioses, hsg.relations, reading)
