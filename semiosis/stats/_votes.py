"""Verdicts as columns, and the outcomes that they resolve to."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from semiosis.stats._arrays import (
    Numbers,
    encode_labels,
    first_missing_position,
    probabilities,
    safe_divide,
    winner_codes,
)
from semiosis.stats._arrow import ArrowExporter, column_values, table_columns
from semiosis.stats._estimate import BoolArray, FloatArray, IntArray
from semiosis.stats._vote_table import Vote, VoteSource, read_votes_from
from semiosis.values import (
    AnySign,
    Comparison,
    DataError,
    UsageError,
    Verdict,
    brief_repr,
    evaluator_labels,
)


@dataclass(frozen=True, eq=False)
class Votes:
    """Verdicts as columns. Tuples have one entry per comparison or evaluator, arrays one per verdict."""

    __repr__ = brief_repr

    prompt: tuple[str, ...]
    """The prompt of each comparison."""
    a: tuple[str, ...]
    """The generator or the name of artifact a of each comparison; empty if unknown."""
    b: tuple[str, ...]
    """The generator or the name of artifact b of each comparison; empty if unknown."""
    evaluators: tuple[str, ...]
    """The evaluators, in order of first appearance."""
    comparison: IntArray
    """The number of each verdict's comparison."""
    evaluator: IntArray
    """The number of the evaluator."""
    repeat: IntArray
    """The repeat, from 0."""
    shown: IntArray
    """0 if shown as a, b; 1 if shown as b, a."""
    winner: FloatArray
    """1 for a, −1 for b, 0 for a tie, NaN for unscored."""
    p_a: FloatArray | None = None
    """The stated probability that a wins, NaN if none was stated; None if no evaluator stated any."""


@dataclass(frozen=True, eq=False)
class OutcomeArrays:
    """The outcomes of one evaluator (repeats × comparisons)."""

    winner: FloatArray
    """1, −1, 0 (tie, also by flip) or NaN (unscored or never asked)."""
    flip: BoolArray
    """Whether the two orders gave opposite winners."""
    both: BoolArray
    """Whether both orders were judged."""
    asked: BoolArray
    """Whether there is a verdict, scored or not. Without one, the evaluator was never asked."""
    repeats: tuple[int, ...] = (0,)
    """The number of each repeat."""

    @property
    def mean_winner(self) -> FloatArray:
        """The mean winner over the repeats that scored a comparison, from −1 to 1; NaN if none did."""
        scored = (~np.isnan(self.winner)).sum(axis=0)
        return safe_divide(np.nan_to_num(self.winner).sum(axis=0), scored)

    def select_repeats(self, kept: BoolArray) -> "OutcomeArrays":
        """Return the outcomes of some of the repeats."""
        numbers = tuple(number for number, keep in zip(self.repeats, kept, strict=True) if keep)
        return OutcomeArrays(self.winner[kept], self.flip[kept], self.both[kept], self.asked[kept], numbers)


@overload
def votes_of(
    prompt: ArrowExporter | Mapping[str, Sequence[object]],
    *,
    columns: Mapping[str, str] | None = None,
    judges: Sequence[str] | None = None,
) -> Votes: ...


@overload
def votes_of(
    prompt: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    evaluator: Sequence[str],
    winner: Sequence[object],
    *,
    repeat: Sequence[int] | None = None,
    shown: Sequence[str] | None = None,
    p_a: Numbers | None = None,
) -> Votes: ...


def votes_of(
    prompt: Any,
    a: Any = None,
    b: Any = None,
    evaluator: Any = None,
    winner: Any = None,
    *,
    repeat: Any = None,
    shown: Any = None,
    p_a: Any = None,
    columns: Mapping[str, str] | None = None,
    judges: Sequence[str] | None = None,
) -> Votes:
    """Return votes from a table, or from columns with one entry per verdict.

    The first argument can be a pandas, polars or pyarrow table, any other that exports an Arrow stream, or a
    dict of columns. It has the columns `prompt`, `a`, `b`, `evaluator` and `winner`, and optionally `repeat`,
    `shown` and `p_a`; usual other headings such as `left` or `annotator` are recognised, and `columns` maps
    these names to the table's own. A table without `evaluator` and `winner` is wide: the columns `judges`, or
    else all that describe nothing else, contain the winners of one evaluator each.

    (b, a) after (a, b) on the same prompt is the same comparison shown in the other order, and its winner is
    exchanged accordingly. `p_a` is the stated probability that a wins.

    >>> votes = votes_of(["p", "p"], ["x", "y"], ["y", "x"], ["judge", "judge"], ["a", "b"])
    >>> votes.winner.tolist(), votes.shown.tolist()
    ([1.0, 1.0], [0, 1])
    """
    if isinstance(prompt, ArrowExporter | Mapping) and a is None:
        cells = table_columns(prompt) if isinstance(prompt, ArrowExporter) else dict(prompt)
        return votes_of_source(_frame_source(cells), columns, judges)[0]
    if columns is not None or judges is not None:
        raise UsageError("columns= and judges= need a table", fix="pass the table as the only other argument")
    given = (prompt, a, b, evaluator, winner)
    if any(column is None for column in given):
        raise UsageError("votes need prompt, a, b, evaluator and winner", fix="pass all five, or a table")
    return _votes(VoteColumns(*map(_plain_column, (*given, repeat, shown, p_a))))


def votes_of_source(
    source: VoteSource,
    columns: Mapping[str, str] | None = None,
    judges: Sequence[str] | None = None,
    *,
    skip_bad_rows: bool = False,
) -> tuple[Votes, list[str]]:
    """Return the votes of a table, and notes on repeated rows."""
    rows, notes = read_votes_from(source, columns, judges, skip_bad_rows=skip_bad_rows)
    by_name: dict[str, Any] = {name: [getattr(vote, name) for vote in rows] for name in Vote._fields}
    if all(p is None for p in by_name["p_a"]):
        by_name["p_a"] = None
    return _votes(VoteColumns(**by_name)), notes


def _frame_source(cells: Mapping[str, Sequence[Any]]) -> VoteSource:
    named = {name: column for name, column in cells.items() if not PANDAS_INDEX.fullmatch(name)}
    lengths = {name: len(column) for name, column in named.items()}
    if len(set(lengths.values())) > 1:
        raise DataError(f"the columns differ in length: {lengths}", fix="give one entry per row to each")
    return VoteSource(named, range(next(iter(lengths.values()), 0)))


PANDAS_INDEX = re.compile(r"__index_level_\d+__")
"""The name that pandas gives an unnamed index when it exports a table."""


def _plain_column(column: Any) -> Any:
    """Return an Arrow column, such as a Series, as a list, and any other column unchanged."""
    return column_values(column) if isinstance(column, ArrowExporter) else column


@dataclass(frozen=True)
class VoteColumns:
    """The columns of votes, with one entry per verdict."""

    prompt: Sequence[Any]
    a: Sequence[Any]
    b: Sequence[Any]
    evaluator: Sequence[Any]
    winner: Sequence[Any]
    repeat: Sequence[Any] | None = None
    shown: Sequence[Any] | None = None
    p_a: Any = None

    def __post_init__(self) -> None:
        columns = {name: getattr(self, name) for name in Vote._fields}
        lengths = {name: len(column) for name, column in columns.items() if column is not None}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            raise DataError(f"columns must have the same length: {listed}", fix="give one entry per verdict")
        for name in ("prompt", "a", "b", "evaluator"):
            empty = first_missing_position(columns[name])
            if empty is not None:
                raise DataError(
                    f"verdict {empty} has no {name}", fix=f"fill in {name!r} or leave out the row"
                )


def _votes(columns: VoteColumns) -> Votes:
    prompts, prompt_names = encode_labels(columns.prompt)
    index, names = encode_labels([*columns.a, *columns.b])
    left, right = index[: len(prompts)], index[len(prompts) :]
    if (left == right).any():
        same = int(np.argmax(left == right))
        raise DataError(f"verdict {same} compares {names[left[same]]!r} with itself", fix="leave out the row")
    first, number = _comparisons(prompts, left, right, len(names))
    reversed_ = left != left[first][number]
    evaluators, evaluator_names = encode_labels(columns.evaluator)
    codes = winner_codes(columns.winner)
    order = np.zeros(len(prompts), dtype=np.intp) if columns.shown is None else _orders(columns.shown)
    stated = None if columns.p_a is None else probabilities(columns.p_a, "p_a")
    return Votes(
        prompt=tuple(str(prompt_names[i]) for i in prompts[first]),
        a=tuple(str(names[i]) for i in left[first]),
        b=tuple(str(names[i]) for i in right[first]),
        evaluators=tuple(str(name) for name in evaluator_names),
        comparison=number,
        evaluator=evaluators,
        repeat=_repeats(columns.repeat, len(prompts)),
        shown=np.where(reversed_, 1 - order, order),
        winner=np.where(reversed_, -codes, codes) + 0.0,  # + 0.0 turns −0 into 0
        p_a=None if stated is None else np.where(reversed_, 1 - stated, stated),
    )


def _repeats(repeat: Sequence[object] | None, length: int) -> IntArray:
    if repeat is None:
        return np.zeros(length, dtype=np.intp)
    for number in set(repeat):
        if not isinstance(number, int | float | np.integer) or number < 0 or number % 1 != 0:
            raise DataError(f"repeat {number!r} is not a whole number", fix="number repeats 0, 1, 2, …")
    return np.asarray(repeat, dtype=np.intp)


def votes_of_verdicts(
    verdicts: Iterable[Verdict],
    comparisons: Iterable[Comparison],
    signs: Iterable[AnySign] = (),
) -> Votes:
    """Return the votes of verdicts on these comparisons.

    `signs` name the generator of each artifact. Comparisons (a, b) and (b, a) of one prompt are one
    comparison, shown in two orders.
    """
    known = {comparison.id: comparison for comparison in comparisons}
    made_by = {sign.id: sign.generator for sign in signs}
    listed = list(verdicts)
    unknown = next((v.comparison for v in listed if v.comparison not in known), None)
    if unknown is not None:
        raise UsageError(
            f"a verdict is about comparison {unknown!r}, which was not given", fix="pass comparisons=…"
        )
    distinct = distinct_comparisons(known.values())
    index = {pair_key(comparison): number for number, comparison in enumerate(distinct)}
    number = np.array([index[pair_key(known[v.comparison])] for v in listed], dtype=np.intp)
    reversed_ = np.array(
        [known[v.comparison].a != distinct[n].a for v, n in zip(listed, number, strict=True)], dtype=np.bool_
    )
    labels = evaluator_labels(v.evaluator for v in listed)
    evaluators = {label: position for position, label in enumerate(labels.values())}
    codes = winner_codes([v.winner for v in listed])
    stated = np.array([np.nan if v.p_a is None else v.p_a for v in listed], dtype=np.float64)
    return Votes(
        prompt=tuple(comparison.prompt for comparison in distinct),
        a=tuple(made_by.get(comparison.a, "") for comparison in distinct),
        b=tuple(made_by.get(comparison.b, "") for comparison in distinct),
        evaluators=tuple(evaluators),
        comparison=number,
        evaluator=np.array([evaluators[labels[v.evaluator.id]] for v in listed], dtype=np.intp),
        repeat=np.array([v.repeat for v in listed], dtype=np.intp),
        shown=np.array([v.shown == "ba" for v in listed], dtype=np.intp) ^ reversed_,
        winner=np.where(reversed_, -codes, codes) + 0.0,
        p_a=None if np.isnan(stated).all() else np.where(reversed_, 1 - stated, stated),
    )


def pair_key(comparison: Comparison) -> tuple[str, str, str]:
    """Return the key that equal comparisons share: the prompt and the two artifacts in a fixed order."""
    first, second = sorted((comparison.a, comparison.b))
    return comparison.prompt, first, second


def distinct_comparisons(comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Return the comparisons without those that repeat an earlier one in either order."""
    first: dict[tuple[str, str, str], Comparison] = {}
    for comparison in comparisons:
        first.setdefault(pair_key(comparison), comparison)
    return list(first.values())


def outcomes_of(votes: Votes, evaluator: str) -> OutcomeArrays:
    """Return one evaluator's outcomes, as `values.resolve` does, for all comparisons and repeats at once.

    Opposite winners in the two orders are a tie by flip. A winner and a tie are a tie. A comparison is
    unscored if it was shown in an order but not scored in it.
    """
    if evaluator not in votes.evaluators:
        raise UsageError(
            f"there is no evaluator {evaluator!r}",
            fix=f"use one of {', '.join(map(repr, votes.evaluators))}",
        )
    selected = votes.evaluator == votes.evaluators.index(evaluator)
    repeats, repeat = np.unique(votes.repeat[selected], return_inverse=True)
    comparisons = len(votes.prompt)
    cell = (repeat * comparisons + votes.comparison[selected]) * 2 + votes.shown[selected]
    asked, winner = _majorities(cell, votes.winner[selected], len(repeats) * comparisons * 2)
    asked, winner = asked.reshape(-1, comparisons, 2), winner.reshape(-1, comparisons, 2)
    both: BoolArray = np.asarray(asked.all(axis=2))
    failed: BoolArray = np.asarray((asked & np.isnan(winner)).any(axis=2))
    opposite = both & (winner[..., 0] * winner[..., 1] < 0)
    one_order = np.where(asked[..., 0], winner[..., 0], winner[..., 1])
    agreed = np.where(winner[..., 0] == winner[..., 1], winner[..., 0], 0.0)
    resolved = np.where(both, agreed, one_order)
    numbers = tuple(int(number) for number in repeats)
    was_asked = np.asarray(asked.any(axis=2))
    return OutcomeArrays(np.where(failed, np.nan, resolved), opposite, both & ~failed, was_asked, numbers)


def pooled_majority(votes: Votes, evaluators: Sequence[str]) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the majority winner of each comparison, its share and the votes, over evaluators and repeats."""
    rows = np.concatenate([outcomes_of(votes, name).winner for name in evaluators])
    return majority_of(rows)


def majority_of(rows: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return the winner with the most votes in each column (a tie if two are equal), its share, the votes."""
    counts = np.stack([(rows == code).sum(axis=0) for code in (1, -1, 0)])
    votes = counts.sum(axis=0)
    return _most_frequent(counts), safe_divide(counts.max(axis=0), votes), votes


def _majorities(cell: IntArray, winner: FloatArray, cells: int) -> tuple[BoolArray, FloatArray]:
    """Return whether each cell was asked, and its majority winner."""
    asked = np.bincount(cell, minlength=cells) > 0
    counts = np.stack([np.bincount(cell[winner == code], minlength=cells) for code in (1, -1, 0)])
    return asked, _most_frequent(counts)


def _most_frequent(counts: IntArray) -> FloatArray:
    """Return the most frequent winner from counts of a, b and tie: a tie if two are equal, NaN if none."""
    most = counts.max(axis=0)
    winner = np.array([1.0, -1.0, 0.0])[counts.argmax(axis=0)]
    winner = np.where((counts == most).sum(axis=0) > 1, 0.0, winner)
    return np.where(most > 0, winner, np.nan)


def _comparisons(prompt: IntArray, a: IntArray, b: IntArray, names: int) -> tuple[IntArray, IntArray]:
    """Return the row in which each comparison first appears, and the number of each row's comparison.

    (a, b) and (b, a) are one comparison.
    """
    key = (prompt * names + np.minimum(a, b)) * names + np.maximum(a, b)
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return first[order], rank[number]


def _orders(shown: Sequence[str]) -> IntArray:
    unknown = next((order for order in shown if order not in ("ab", "ba", "")), None)
    if unknown is not None:
        raise DataError(f"order shown {unknown!r} is neither 'ab' nor 'ba'", fix="use 'ab' or 'ba'")
    return np.array([order == "ba" for order in shown], dtype=np.intp)
