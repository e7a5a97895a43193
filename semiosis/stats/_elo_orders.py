"""Sequential Elo over many orders of the games, for the reference and an evaluator together."""

from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from semiosis.stats._estimate import FloatArray, IntArray
from semiosis.stats._judged_pairs import JudgedPairs
from semiosis.stats._ratings import shuffled_orders
from semiosis.stats._resample import Resampling
from semiosis.stats._solvers import EloRule, play_elo

GAMES_AT_ONCE = 20_000_000
"""Games of Elo held in memory at once (80 MB)."""

GAMES_PER_GENERATOR = 300
"""Games per generator after which initial ratings usually no longer matter; `relevant_games` checks it."""

NEGLIGIBLE_CHANGE = 0.01
"""A difference in Elo points that does not change the second digit of a correlation."""

Orders = npt.NDArray[np.int32]
"""Numbers of games. 32 bits are enough and take half the memory."""


def elo_orders(
    pairs: JudgedPairs, shuffles: int, seed: int, resampling: Resampling
) -> tuple[FloatArray, FloatArray]:
    """Return the final ratings of both sides (2 × orders × K), in shuffled orders and in resamples.

    Each resample is played in one order. All orders and resamples of both sides are played together, because
    the number of rounds determines the time. Only the last games of a long order are played, because earlier
    games no longer matter.
    """
    rule, rng = EloRule(), np.random.default_rng(resampling.seed)
    scores = (np.stack([pairs.truth, pairs.outcome]) + 1) / 2
    games = relevant_games(pairs, scores, rule, seed)
    rows = max(1, GAMES_AT_ONCE // max(1, games))
    drawn = (
        _resampled_games(pairs, min(rows, left), games, rng) for left in range(resampling.resamples, 0, -rows)
    )
    shuffled = (
        shuffled_orders(len(pairs.a), shuffles, seed)[:, -games:] if games else np.zeros((1, 0), np.intp)
    )
    blocks = chain([_rounds(shuffled, *islice(drawn, 1))], map(_rounds, drawn))
    final = np.concatenate([play_elo(pairs.a, pairs.b, scores, rounds, rule) for rounds in blocks], axis=1)
    return final[:, : len(shuffled)], final[:, len(shuffled) :]


def relevant_games(pairs: JudgedPairs, scores: FloatArray, rule: EloRule, seed: int) -> int:
    """Return how many of the last games determine the final Elo ratings to within a hundredth of a point.

    Each game moves a rating towards recent results, so the initial ratings matter less and less. The number
    is checked: the last n games and the last 2n games of a random order must end in the same ratings.
    """
    games = len(pairs.a)
    last = GAMES_PER_GENERATOR * pairs.size
    while 2 * last < games:
        order = np.random.default_rng(seed).permutation(games)
        ends = [play_elo(pairs.a, pairs.b, scores, order[-n:, None], rule) for n in (last, 2 * last)]
        if np.abs(ends[0] - ends[1]).max() < NEGLIGIBLE_CHANGE:
            return last
        last *= 2
    return games


def _resampled_games(pairs: JudgedPairs, resamples: int, max_games: int, rng: np.random.Generator) -> Orders:
    """Return the last games of each resample in random order (resamples × games), −1 where there is none."""
    order = np.argsort(pairs.unit, kind="stable").astype(np.int32)
    sizes = np.bincount(pairs.unit, minlength=pairs.units)
    if (sizes == 1).all():
        return np.asarray(order[rng.integers(0, pairs.units, (resamples, min(max_games, pairs.units)))])
    starts = np.cumsum(sizes) - sizes
    rows = []
    for _ in range(resamples):
        drawn = rng.integers(0, pairs.units, pairs.units)
        length = sizes[drawn]
        within = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        rows.append(rng.permutation(order[np.repeat(starts[drawn], length) + within])[:max_games])
    games = np.full((resamples, max(len(row) for row in rows)), -1, dtype=np.int32)
    for position, row in enumerate(rows):
        games[position, : len(row)] = row
    return games


def _rounds(*orders: IntArray | Orders) -> Orders:
    """Return the games of each round (games × orders), −1 after the end of an order."""
    rounds = np.full((max(part.shape[1] for part in orders), sum(map(len, orders))), -1, dtype=np.int32)
    for part, end in zip(orders, np.cumsum([len(part) for part in orders]), strict=True):
        rounds[: part.shape[1], end - len(part) : end] = part.T
    return rounds
