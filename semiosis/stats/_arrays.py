"""Conversions of numbers, winners, labels and groups to arrays. NaN in an array means unscored."""

import math
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from semiosis.stats._estimate import BoolArray, FloatArray, IntArray
from semiosis.values import DataError, Unscored

Winners = Sequence[object] | npt.NDArray[np.generic]
"""Winners: "a", "b", "tie", "flip", or 1, −1, 0 for a, b, tie; "", None, NaN or Unscored if missing."""

Labels = Sequence[Hashable] | npt.NDArray[np.generic]
"""One label per item, such as the prompt each comparison belongs to."""

Numbers = Sequence[float] | Sequence[float | None] | npt.NDArray[np.generic]
"""Numbers, with None or NaN where one is missing."""

Matrix = Sequence[Numbers] | npt.NDArray[np.generic]
"""A table of numbers, with None or NaN where one is missing."""

WINNER_CODES = {"a": 1.0, "b": -1.0, "tie": 0.0, "flip": 0.0, "": np.nan}


def winner_codes(winners: Winners) -> FloatArray:
    """Return the winners as 1 (a), −1 (b), 0 (tie, also by flip) and NaN (unscored).

    >>> winner_codes(["a", "b", "tie", "flip", "", None]).tolist()
    [1.0, -1.0, 0.0, 0.0, nan, nan]
    """
    if isinstance(winners, np.ndarray) and winners.dtype.kind in "fiu":
        numbers = winners.astype(np.float64)
        wrong = ~(np.isnan(numbers) | np.isin(numbers, (1, -1, 0)))
        if wrong.any():
            raise _unknown_winner(float(numbers[wrong][0]), int(np.argmax(wrong)))
        return numbers
    known: dict[object, float] = {}
    codes = []
    for position, winner in enumerate(winners):
        if winner not in known or isinstance(winner, bool):
            known[winner] = _code(winner, position)
        codes.append(known[winner])
    return np.array(codes, dtype=np.float64)


def flip_mask(winners: Winners) -> BoolArray:
    """Return which winners are ties by flip: opposite answers in the two orders.

    >>> flip_mask(["a", "flip", "tie"]).tolist()
    [False, True, False]
    """
    if isinstance(winners, np.ndarray) and winners.dtype.kind in "fiu":
        return np.zeros(len(winners), dtype=np.bool_)
    return np.array([isinstance(winner, str) and winner == "flip" for winner in winners], dtype=np.bool_)


def floats(numbers: Numbers | Matrix | float, *, infinite: bool = False) -> FloatArray:
    """Return the numbers as a float array, in which None, "" and Unscored become NaN.

    Raises DataError for an infinite number unless `infinite` is true.

    >>> floats([1, None, "", Unscored(reason="timeout")]).tolist()
    [1.0, nan, nan, nan]
    """
    try:
        array = np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        array = _float_array(_plain(numbers))
    if not infinite and np.isinf(array).any():
        raise DataError("a number is infinite", fix="use None or NaN for a number that is missing")
    return array


def probabilities(numbers: Numbers | float, name: str) -> FloatArray:
    """Return the probabilities as a float array, NaN if missing. Raises DataError outside 0 to 1.

    >>> probabilities([0.25, None], "p").tolist()
    [0.25, nan]
    """
    array = floats(numbers)
    outside = array[(array < 0) | (array > 1)]
    if outside.size:
        raise DataError(
            f"{name} contains {outside.flat[0]:g}, which is not a probability",
            fix="divide percentages by 100",
        )
    return array


def safe_divide(numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic]) -> FloatArray:
    """Return top / bottom, NaN where the bottom is 0."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    quotient: FloatArray = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def complete_pairs(x: Numbers, y: Numbers) -> tuple[FloatArray, FloatArray, int]:
    """Return the entries for which both vectors have a number, and the number of entries left out."""
    first, second = same_length(x=floats(x), y=floats(y))
    kept = ~(np.isnan(first) | np.isnan(second))
    return first[kept], second[kept], int((~kept).sum())


def same_length(**arrays: FloatArray) -> tuple[FloatArray, ...]:
    """Return the arrays. Raises DataError if they differ in length."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise DataError(f"these must have the same length: {found}", fix="give one entry per item to each")
    return tuple(arrays.values())


def group_codes(labels: Labels, length: int) -> tuple[IntArray, int]:
    """Return each item's group as a number, from 0 in order of first appearance, and the number of groups."""
    if len(labels) != length:
        raise DataError(
            f"there are {len(labels)} prompts for {length} comparisons", fix="give one prompt per comparison"
        )
    index, names = encode_labels(labels)
    nameless = next((number for number, name in enumerate(names) if is_missing(name)), None)
    if nameless is not None:
        first = int(np.argmax(index == nameless))
        raise DataError(f"item {first} has no prompt or other group", fix="name the prompt of every item")
    return index, len(names)


def encode_labels(labels: Iterable[Hashable] | npt.NDArray[np.generic]) -> tuple[IntArray, list[Hashable]]:
    """Return each label's number and the labels in order of first appearance.

    >>> index, names = encode_labels(["x", "y", "x"])
    >>> index.tolist(), names
    ([0, 1, 0], ['x', 'y'])
    """
    seen: dict[Hashable, int] = {}
    items = labels.tolist() if isinstance(labels, np.ndarray) else labels
    index = np.array([seen.setdefault(label, len(seen)) for label in items], dtype=np.intp)
    _check_types(seen)
    return index, list(seen)


def first_missing_position(labels: Iterable[Hashable]) -> int | None:
    """Return the position of the first missing label, or None if no label is missing.

    >>> first_missing_position(["p", None, ""])
    1
    """
    first: dict[Hashable, int] = {}
    for position, label in enumerate(labels):
        first.setdefault(label, position)
    return min((position for label, position in first.items() if is_missing(label)), default=None)


def encode_with_missing(labels: Labels) -> tuple[FloatArray, list[Hashable]]:
    """Return the labels as numbers, NaN for a missing one (None, NaN, "" or Unscored)."""
    items = as_list(labels)
    present: BoolArray = np.array([not is_missing(item) for item in items], dtype=np.bool_)
    index, names = encode_labels(
        [item for item, is_present in zip(items, present, strict=True) if is_present]
    )
    numbers = np.full(len(items), np.nan)
    numbers[present] = index
    return numbers, names


def as_list(labels: Labels) -> list[Hashable]:
    """Return the labels as a list of plain Python values."""
    return list(labels.tolist()) if isinstance(labels, np.ndarray) else list(labels)


def is_missing(item: object) -> bool:
    """Return whether an item is None, NaN, empty text or Unscored."""
    return (
        item is None
        or item == ""
        or isinstance(item, Unscored)
        or (isinstance(item, float) and math.isnan(item))
    )


def _check_types(labels: Iterable[Hashable]) -> None:
    """Raise DataError for infinite numbers, and for labels that differ only in type, such as 1 and "1"."""
    texts, numbers = set[str](), set[str]()
    for label in labels:
        if isinstance(label, float) and math.isinf(label):
            raise DataError("a label is infinite", fix="use None where a label is missing")
        (texts if isinstance(label, str) else numbers).add(str(label))
    both = next(iter(texts & numbers), None) if texts and numbers else None
    if both is not None:
        raise DataError(
            f"label {both} occurs as a number and as text", fix="use one type for all labels, such as text"
        )


def _float_array(plain: object) -> FloatArray:
    try:
        return np.asarray(plain, dtype=np.float64)
    except ValueError:
        raise DataError(
            "the rows of this table differ in length", fix="use None for missing numbers"
        ) from None


def _plain(item: object) -> object:
    """Return the item as plain numbers and lists, with NaN for missing numbers."""
    if isinstance(item, np.ndarray):
        item = item.tolist()
    if isinstance(item, list | tuple):
        return [_plain(entry) for entry in item]
    if is_missing(item):
        return np.nan
    if isinstance(item, str | int | float | np.number):
        with suppress(ValueError):
            return float(item)
    raise DataError(f"{item!r} is not a number", fix="use None or NaN where a number is missing")


def _code(winner: object, position: int) -> float:
    if is_missing(winner):
        return np.nan
    if isinstance(winner, str) and winner in WINNER_CODES:
        return WINNER_CODES[winner]
    if isinstance(winner, bool):  # False would pass for a tie
        raise _unknown_winner(winner, position)
    if isinstance(winner, int | float | np.number) and float(winner) in (1.0, -1.0, 0.0):
        return float(winner)
    raise _unknown_winner(winner, position)


def _unknown_winner(winner: object, position: int) -> DataError:
    return DataError(
        f"winner {winner!r} at position {position} is not a, b, tie or flip",
        fix="leave it empty (or None) if there was no verdict",
    )
