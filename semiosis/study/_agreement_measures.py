"""Computes measures of agreement from the tallies of pairs of readings, for each sign and for all signs."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten

import numpy as np

from semiosis.align import (
    AboveChance,
    AgreementSample,
    ccc_above_chance,
    ccc_of_sums,
    corrected_for_chance,
    mean_above_chance,
    symmetrized_sums,
)
from semiosis.stats import FloatArray
from semiosis.study._agreement_result import AgreementUnit, GroupAgreement, SignAgreement, SignValue
from semiosis.study._reading_pairs import ReadingPair
from semiosis.study._tallies import PLACED, Tally, applies
from semiosis.values import HSG, MODES, Mode, TextSign, Unscored, parts_of

FEWEST_MATCHED = 2
"""The minimum number of matched nodes for the concordance of one sign."""
_TITLE = 60
"""The maximum length of the text that replaces a missing title."""


def agreement_groups(counted: Sequence[Tally], unit: AgreementUnit, level: float) -> list[GroupAgreement]:
    """Return the group of all pairs, followed by each pair of readers if there are several."""
    by_readers: dict[tuple[str, str], list[Tally]] = {}
    for tally in counted:
        by_readers.setdefault(tally.pair.readers, []).append(tally)
    groups = [_group_agreement(counted, unit, level, pooled=len(by_readers) > 1)]
    if len(by_readers) > 1:
        groups += [
            _group_agreement(by_readers[readers], unit, level, pooled=False) for readers in sorted(by_readers)
        ]
    return groups


def _group_agreement(
    counted: Sequence[Tally], unit: AgreementUnit, level: float, *, pooled: bool
) -> GroupAgreement:
    by_sign: dict[str, list[Tally]] = {}
    for tally in counted:
        by_sign.setdefault(tally.pair.first.sign.id, []).append(tally)
    signs = list(by_sign.values())
    pair = counted[0].pair
    return GroupAgreement(
        scope=pair.scope,
        kinds=pair.kinds,
        readers=tuple(sorted({name for tally in counted for name in tally.pair.readers})),
        pooled=pooled,
        n_signs=len(signs),
        n_pairs=len(counted),
        depths=tuple(sorted({_details_text(tally.pair) for tally in counted})),
        measures=tuple(_GroupMeasures(signs, unit, level, pooled or pair.scope == "repeats").measures()),
        signs=tuple(map(_sign_agreement, signs)),
    )


def _details_text(pair: ReadingPair) -> str:
    one, other = pair.first.reading.detail, pair.second.reading.detail
    return one if one == other else f"{one} and {other}"


@dataclass(frozen=True)
class _GroupMeasures:
    """The tallies of a group, sign by sign, and how to report them."""

    signs: Sequence[Sequence[Tally]]
    unit: AgreementUnit
    level: float
    exchangeable: bool
    """Whether the order of two readings has no meaning, as with several pairs of readers or with repeats."""

    def sample(self, rows: Sequence[Sequence[Tally]], items: int, unscored: int = 0) -> AgreementSample:
        """Return the sample of a measure."""
        pairs = [row[0].pair for row in rows]
        units = [pair.family if self.unit == "prompt" else pair.first.sign.id for pair in pairs]
        return AgreementSample(
            units=units, unit=self.unit, items=items, items_unscored=unscored, level=self.level
        )

    def measures(self) -> Iterator[AboveChance]:
        """Yield every measure of the group."""
        for share in _matched_shares(self.signs[0][0].pair, exchangeable=self.exchangeable):
            yield self._nodes(share)
        for name in PLACED:
            rows = [row for row in self.signs if applies(name, row[0].pair.first)]
            if rows:
                yield self._placed(name, rows)
        for mode in MODES:
            yield self._ground(mode)

    def _nodes(self, share: "MatchedShare") -> AboveChance:
        name, values, size = share
        shares = [_node_shares(row, values) for row in self.signs]
        nodes = sum(size(tally) for row in self.signs for tally in row)
        observed, chance = zip(*shares, strict=True)
        return mean_above_chance(name, observed, chance, self.sample(self.signs, nodes))

    def _placed(self, name: str, rows: Sequence[Sequence[Tally]]) -> AboveChance:
        observed, chance = ([_mean(row, side, name) for row in rows] for side in ("observed", "chance"))
        means = [tally.observed[name] for row in rows for tally in row]
        n, unscored = sum(mean.n for mean in means), sum(mean.unscored for mean in means)
        return mean_above_chance(name, observed, chance, self.sample(rows, n, unscored))

    def _ground(self, mode: Mode) -> AboveChance:
        ratings = [_mean_rating_sums(row, (mode,), exchangeable=self.exchangeable) for row in self.signs]
        observed, chance = (np.array([sums[index] for sums in ratings]) for index in (0, 1))
        matched = sum(tally.matched for row in self.signs for tally in row)
        return ccc_above_chance(mode, observed, chance, self.sample(self.signs, matched))


MatchedShare = tuple[str, Callable[[Tally], Sequence[float]], Callable[[Tally], int]]
"""A matched share: its name, its values for a pair and for its chance pairs, and the number of nodes."""


def _matched_shares(pair: ReadingPair, *, exchangeable: bool) -> list[MatchedShare]:
    """Return the matched shares to report: of both readings' nodes, and of each reader's if there are two."""
    both: MatchedShare = (
        "nodes",
        lambda tally: [tally.shared.share, *(s.share for s in tally.chance_shared)],
        lambda tally: tally.shared.first + tally.shared.second,
    )
    if exchangeable:
        return [both]
    one, other = pair.readers
    return [
        both,
        (
            f"nodes of {one}",
            lambda tally: [s.matched_first / s.first for s in (tally.shared, *tally.chance_shared)],
            lambda tally: tally.shared.first,
        ),
        (
            f"nodes of {other}",
            lambda tally: [s.matched_second / s.second for s in (tally.shared, *tally.chance_shared)],
            lambda tally: tally.shared.second,
        ),
    ]


def _node_shares(row: Sequence[Tally], values: Callable[[Tally], Sequence[float]]) -> tuple[float, float]:
    """Return the matched share of a sign and that of its chance pairs, which is NaN if there are none."""
    shares = [values(tally) for tally in row]
    chance = [share for _, *others in shares for share in others]
    return float(np.mean([share for share, *_ in shares])), float(np.mean(chance)) if chance else np.nan


def _mean(row: Sequence[Tally], side: str, name: str) -> float:
    means = [getattr(tally, side)[name] for tally in row]
    n = sum(mean.n for mean in means)
    return math.fsum(mean.total for mean in means) / n if n else np.nan


def _mean_rating_sums(
    row: Sequence[Tally], modes: Sequence[Mode], *, exchangeable: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the rating sums of one sign, observed and by chance, averaged over its pairs."""
    observed = np.sum([tally.grounds[mode] for tally in row for mode in modes], axis=0) / len(row)
    chance = np.sum([tally.chance_grounds[mode] for tally in row for mode in modes], axis=0) / len(row)
    return (symmetrized_sums(observed), symmetrized_sums(chance)) if exchangeable else (observed, chance)


def _sign_agreement(row: Sequence[Tally]) -> SignAgreement:
    hsg = row[0].pair.first
    nodes = _node_shares(row, _matched_shares(row[0].pair, exchangeable=True)[0][1])
    values = {"nodes": _sign_value(*nodes, sum(t.shared.first + t.shared.second for t in row))}
    for name in PLACED:
        if applies(name, hsg):
            n = sum(tally.observed[name].n for tally in row)
            values[name] = _sign_value(_mean(row, "observed", name), _mean(row, "chance", name), n)
    observed, chance = _mean_rating_sums(row, MODES, exchangeable=True)
    matched = sum(tally.matched for tally in row)
    enough = matched >= FEWEST_MATCHED
    concordance = [float(ccc_of_sums(sums)) if enough else np.nan for sums in (observed, chance)]
    values["grounds"] = _sign_value(concordance[0], concordance[1], matched)
    same_place = sum(tally.same_place for tally in row)
    return SignAgreement(hsg.sign.id, _title(hsg), len(row), values, same_place)


def _sign_value(observed: float, chance: float, n: int) -> SignValue:
    known = [
        number if np.isfinite(number) else Unscored(reason="undefined", detail=why)
        for number, why in ((observed, "nothing to compare"), (chance, "no unrelated sign to compare with"))
    ]
    return SignValue(known[0], known[1], corrected_for_chance(observed, chance), n)


def _title(hsg: HSG) -> str:
    text = " ".join(part.text for part in parts_of(hsg.sign) if isinstance(part, TextSign))
    return hsg.sign.title or shorten(text, _TITLE, placeholder=" …") or hsg.sign.id
