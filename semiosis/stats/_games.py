"""Games between generators, from rows (a, b, winner) or from a table of wins.

A game is (a, b, winner) with winner "a", "b" or "tie"; a tie is half a win for each.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from semiosis.stats._arrays import encode_labels, floats, winner_codes
from semiosis.stats._estimate import FloatArray, IntArray
from semiosis.values import DataError

GameRows = Sequence[tuple[Hashable, Hashable, object]] | Sequence[Sequence[object]] | npt.NDArray[np.generic]
"""Games as (a, b, winner); the winner as in `krcc`."""

WinCounts = npt.NDArray[np.generic] | Sequence[Sequence[float]]
"""`counts[i][j]` is how often i was preferred over j. A tie counts half for each."""


@dataclass(frozen=True)
class GameArrays:
    """Games as arrays: the numbers of a and b, and 1, ½ or 0 for a."""

    names: tuple[Hashable, ...]
    a: IntArray
    b: IntArray
    score: FloatArray
    n_unscored: int

    @property
    def win_table(self) -> "WinTable":
        """The same games as a table of wins."""
        return WinTable(self.names, self.wins, len(self.a), self.n_unscored)

    @property
    def wins(self) -> FloatArray:
        """Counts of wins (K × K)."""
        size = len(self.names)
        wins = np.zeros((size, size))
        np.add.at(wins, (self.a, self.b), self.score)
        np.add.at(wins, (self.b, self.a), 1 - self.score)
        return wins


@dataclass(frozen=True)
class WinTable:
    """Games as a table of wins (K × K)."""

    names: tuple[Hashable, ...]
    wins: FloatArray
    n: int
    n_unscored: int


def win_counts(games: GameRows) -> tuple[tuple[Hashable, ...], FloatArray]:
    """Return the generators, and how often each was preferred over each other one; a tie is half a win each.

    >>> names, counts = win_counts([("x", "y", "a"), ("y", "x", "tie")])
    >>> names, counts.tolist()
    (('x', 'y'), [[0.0, 1.5], [0.5, 0.0]])
    """
    arrays = game_arrays(games)
    return arrays.names, arrays.wins


def game_arrays(games: GameRows) -> GameArrays:
    """Return the games as arrays. A generator without a scored game is left out."""
    rows = [_game(row, position) for position, row in enumerate(games)]
    codes = winner_codes([winner for _, _, winner in rows])
    scored = [row for row, code in zip(rows, codes, strict=True) if not np.isnan(code)]
    index, names = encode_labels([name for a, b, _ in scored for name in (a, b)])
    a, b = index[0::2], index[1::2]
    if (a == b).any():
        raise DataError(
            f"{names[int(a[a == b][0])]!r} plays against itself", fix="give games between two generators"
        )
    points = (codes[~np.isnan(codes)] + 1) / 2
    return GameArrays(tuple(names), a, b, points, len(rows) - len(scored))


def win_table(games: GameRows | WinCounts, names: Sequence[Hashable] | None) -> WinTable:
    """Return the wins from games, or the counts that were given."""
    games = games if isinstance(games, np.ndarray) else list(games)
    if not _are_counts(games):
        return game_arrays(games).win_table
    wins = np.array(floats(games))  # type: ignore[arg-type]  # _are_counts excludes games
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1]:
        raise DataError(
            f"the table of counts is {' × '.join(map(str, wins.shape))}, not square",
            fix="give one row and one column per generator",
        )
    np.fill_diagonal(wins, 0)
    if np.isnan(wins).any() or (wins < 0).any():
        raise DataError("a count is missing or below 0", fix="use 0 where two generators never met")
    return WinTable(tuple(names or range(len(wins))), wins, round(wins.sum()), 0)


def _game(row: Any, position: int) -> tuple[Hashable, Hashable, object]:
    cells = tuple(row.tolist() if isinstance(row, np.ndarray) else row)
    if len(cells) != 3:
        raise DataError(f"game {position} has {len(cells)} entries", fix="give (a, b, winner)")
    return cells


def _are_counts(games: GameRows | WinCounts) -> bool:
    """Return whether these are counts, that is, a square table of numbers.

    Three games between numbered generators look the same. Then tuples are games and lists are counts.
    """
    if isinstance(games, np.ndarray):
        return games.dtype.kind in "fiu"
    square = bool(games) and all(len(row) == len(games) for row in games)
    if not square or (len(games) == 3 and all(isinstance(row, tuple) for row in games)):
        return False
    return all(cell is None or isinstance(cell, int | float | np.number) for row in games for cell in row)
