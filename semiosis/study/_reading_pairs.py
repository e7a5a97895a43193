"""Finds pairs of readings: of one sign by two readers or by one reader twice, and of different signs."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal

from semiosis.align import Aligner
from semiosis.study._cases import ReadingRule, narrowed_rule
from semiosis.study._read_run import prompts_of
from semiosis.study._study import Study
from semiosis.values import HSG, Interpreter, Reading, UsageError

Scope = Literal["readers", "repeats"]
"""Whether a pair is of two readers, or of two readings by one reader."""

_EXACT = 500
"""The maximum number of pairs of which all are considered as chance pairs. Otherwise, pairs are drawn."""
_TRIES = 20
"""The number of draws per chance pair. If too few draws are suitable, a pair has fewer chance pairs."""


@dataclass(frozen=True, eq=False)
class ReadingPair:
    """Two readings of one sign."""

    first: HSG
    """The reading of the reader whose label comes first, or the earlier repeat."""
    second: HSG
    """The other reading."""
    readers: tuple[str, str]
    """The names of the two readers in tables."""
    scope: Scope
    """Whether the pair is of two readers, or of two repeats by one reader."""
    kinds: str
    """The kinds of the readers: `people`, `models`, `a model and a person`."""
    family: str
    """The id of the prompt that the sign belongs to, or of the sign itself if it has no prompt."""

    @property
    def key(self) -> tuple[str, str]:
        """The ids of the two HSGs."""
        return self.first.id, self.second.id


@dataclass(frozen=True)
class FoundPairs:
    """The pairs of a study, and the readings that are left out."""

    pairs: tuple[ReadingPair, ...]
    """Every pair."""
    n_single: int
    """The number of signs with a single reading, which cannot be compared."""
    notes: tuple[str, ...]
    """Statements of what is left out, and why."""


def chosen_readings(
    study: Study, rule: ReadingRule, readers: Sequence[str] = ()
) -> tuple[list[HSG], tuple[str, ...]]:
    """Return the readings with one view, one version of the prompts and one language, and those left out.

    Every repeat counts. A consensus is not a reading. `readers` are names of interpreters; all if empty.
    """
    usable = {
        hsg_id: reading
        for hsg_id, _, reading in study.conditions()
        if reading.blind != rule.given and not reading.interpreter.merges
    }
    known = {reading.interpreter.name for reading in usable.values()}
    if unknown := [name for name in readers if name not in known]:
        raise UsageError(
            f"no {'given' if rule.given else 'blind'} reading is by {unknown[0]!r}",
            where=str(study.folder),
            fix=f"name one of the readers: {', '.join(sorted(known)) or 'none'}",
        )
    fitting = {
        hsg_id: reading
        for hsg_id, reading in usable.items()
        if _fits(rule, reading) and (not readers or reading.interpreter.name in readers)
    }
    narrowed = narrowed_rule(rule, list(fitting.values()), study.head.language)
    return [
        study.hsgs[hsg_id] for hsg_id, reading in fitting.items() if _fits(narrowed.rule, reading)
    ], narrowed.left_out


def _fits(rule: ReadingRule, reading: Reading) -> bool:
    return replace(rule, repeat=reading.repeat).fits(reading)


def reading_pairs(study: Study, rule: ReadingRule, readers: Sequence[str] = ()) -> FoundPairs:
    """Return the pairs of readings of each sign.

    Two readers are compared once for each sign: at the same level of detail if they share one, and in the
    earliest repeats. Repeats of one reader are compared with each other.
    """
    hsgs, left_out = chosen_readings(study, rule, readers)
    labels = reader_labels(hsg.reading.interpreter for hsg in hsgs)
    families = _families(study)
    by_sign: dict[str, list[HSG]] = {}
    for hsg in hsgs:
        by_sign.setdefault(hsg.sign.id, []).append(hsg)
    pairs = [
        ReadingPair(one, other, (labels[a.id], labels[b.id]), scope, _kinds(a, b), families.get(sign, sign))
        for sign, readings in by_sign.items()
        for scope, one, other in _pairs_of_sign(readings, labels)
        for a, b in [(one.reading.interpreter, other.reading.interpreter)]
    ]
    notes = [f"{what} are left out." for what in left_out]
    other_view = sum(
        reading.blind == rule.given and not reading.interpreter.merges for _, _, reading in study.conditions()
    )
    if other_view:
        seen = "blind" if rule.given else "given"
        notes.append(f"{other_view} {seen} readings are left out: blind and given readings are never pooled.")
    paired = {pair.first.sign.id for pair in pairs}
    return FoundPairs(tuple(pairs), len(by_sign.keys() - paired), tuple(notes))


def reader_labels(interpreters: Iterator[Interpreter]) -> dict[str, str]:
    """Return the name of each interpreter in tables, by id, with the start of the id if two share a name."""
    known = {interpreter.id: interpreter.name for interpreter in interpreters}
    names = Counter(known.values())
    return {id_: name if names[name] == 1 else f"{name} ({id_[:6]})" for id_, name in known.items()}


def _pairs_of_sign(readings: Sequence[HSG], labels: dict[str, str]) -> Iterator[tuple[Scope, HSG, HSG]]:
    by_reader: dict[str, list[HSG]] = {}
    for hsg in sorted(readings, key=lambda hsg: (hsg.reading.repeat, hsg.reading.detail, hsg.id)):
        by_reader.setdefault(hsg.reading.interpreter.id, []).append(hsg)
    ordered = sorted(by_reader, key=lambda id_: (labels[id_], id_))
    for one, other in combinations(ordered, 2):
        yield "readers", *min(product(by_reader[one], by_reader[other]), key=_difference)
    for id_ in ordered:
        for first, second in combinations(by_reader[id_], 2):
            now, then = first.reading, second.reading
            if now.detail == then.detail and now.repeat != then.repeat:
                yield "repeats", first, second


def _difference(pair: tuple[HSG, HSG]) -> tuple[bool, int, str, str]:
    one, other = pair[0].reading, pair[1].reading
    return one.detail != other.detail, one.repeat + other.repeat, pair[0].id, pair[1].id


def _kinds(one: Interpreter, other: Interpreter) -> str:
    kinds = sorted({one.kind, other.kind})
    if len(kinds) == 1:
        return {"person": "people", "model": "models", "program": "programs"}[kinds[0]]
    return " and ".join(f"a {kind}" for kind in kinds)


def _families(study: Study) -> dict[str, str]:
    """Return the first prompt of each artifact's cascade."""
    prompts = prompts_of(study)
    families = {}
    for sign in prompts:
        seen, at = {sign}, prompts[sign]
        while at in prompts and at not in seen:
            seen.add(at)
            at = prompts[at]
        families[sign] = at
    return families


def draw_unrelated(
    pairs: Sequence[ReadingPair], limit: int, seed: int, aligner: Aligner
) -> dict[tuple[str, str], list[ReadingPair]]:
    """Return up to `limit` random pairs of readings of other signs for each pair.

    The other sign has the same medium and belongs to another prompt, and its readings are in the same script.
    Pairs by the same two readers are preferred.
    """
    by_readers: dict[tuple[str, str], list[ReadingPair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair.key):
        by_readers.setdefault(pair.readers, []).append(pair)
    all_pairs = [pair for group in by_readers.values() for pair in group]
    return {
        pair.key: _drawn(pair, by_readers[pair.readers], limit, seed, aligner)
        or _drawn(pair, all_pairs, limit, seed, aligner)
        for pair in pairs
    }


def _drawn(
    pair: ReadingPair, pool: Sequence[ReadingPair], limit: int, seed: int, aligner: Aligner
) -> list[ReadingPair]:
    draw = random.Random(f"{seed} {pair.key}")  # noqa: S311  # a sample, not a secret
    if len(pool) <= _EXACT:
        fitting = [other for other in pool if _unrelated(pair, other, aligner)]
        return draw.sample(fitting, min(limit, len(fitting)))
    found: dict[tuple[str, str], ReadingPair] = {}
    for _ in range(limit * _TRIES):
        other = pool[draw.randrange(len(pool))]
        if len(found) < limit and _unrelated(pair, other, aligner):
            found[other.key] = other
    return list(found.values())


def _unrelated(pair: ReadingPair, other: ReadingPair, aligner: Aligner) -> bool:
    return (
        pair.family != other.family
        and pair.first.sign.kind == other.first.sign.kind
        and aligner.can_compare(pair.first, other.second)
        and aligner.can_compare(other.first, pair.second)
    )
