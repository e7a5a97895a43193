"""Ratings that model ties, by Davidson's extension of Bradley–Terry (Davidson 1970).

P(i wins) = π_i/D, P(j wins) = π_j/D, P(tie) = ν·√(π_i·π_j)/D, with D = π_i + π_j + ν·√(π_i·π_j). Counting a
tie as half a win for each side leaves ν out; with many ties the two can rank generators differently.
"""

import numpy as np

from semiosis.stats._estimate import FloatArray, undefined
from semiosis.stats._games import GameArrays, GameRows, game_arrays
from semiosis.stats._ratings import (
    ELO_CENTRE,
    ELO_PER_LOGIT,
    GeneratorRatings,
    no_maximum,
    rate_bradley_terry,
)
from semiosis.stats._solvers import MAX_STEP, TOLERANCE

METHOD_NAME = "Davidson"

MAX_LOG_STRENGTH = 12.0
"""If θ or ln ν exceeds this (2,000 Elo points), it diverges, although Newton steps become small there too."""


def davidson(games: GameRows) -> GeneratorRatings:
    """Return Davidson's maximum likelihood ratings on the Elo scale (Davidson 1970).

    The parameters contain ν, which states how likely ties are.

    >>> games = [("x", "y", "a")] * 4 + [("x", "y", "b")] + [("x", "y", "tie")] * 2
    >>> r = davidson(games)
    >>> round(r["x"] - r["y"], 4), round(r.parameters["nu"], 6)  # 400·log10(4/1), 2/√(4·1)
    (240.824, 1.0)
    """
    return rate_davidson(game_arrays(games))


def rate_davidson(games: GameArrays) -> GeneratorRatings:
    """Return Davidson ratings of games given as arrays; without ties, Bradley–Terry ratings."""
    wins, ties = win_and_tie_counts(games)
    if not ties.any():
        return rate_bradley_terry(games.win_table, 0.0)
    reason = no_maximum(games.names, games.wins)
    if reason is None and not wins.any():
        reason = undefined("every game is a tie")
    if reason is not None:
        return GeneratorRatings(games.names, reason, len(games.a), games.n_unscored, method=METHOD_NAME)
    theta, nu, converged, iterations = solve_davidson(wins, ties)
    scores = tuple((ELO_CENTRE + ELO_PER_LOGIT * theta).tolist())
    return GeneratorRatings(
        games.names,
        scores
        if converged
        else undefined("no finite maximum: too few games are decided, or too few are tied"),
        len(games.a),
        games.n_unscored,
        method=METHOD_NAME,
        parameters={"nu": nu, "centre": ELO_CENTRE, "scale": 400},
        converged=converged,
        iterations=iterations,
    )


def win_and_tie_counts(games: GameArrays) -> tuple[FloatArray, FloatArray]:
    """Return the games won by the row against the column, and games tied (symmetric), each (K × K)."""
    size = len(games.names)
    wins, ties = np.zeros((size, size)), np.zeros((size, size))
    first, second, tied = games.score == 1, games.score == 0, games.score == 0.5
    np.add.at(wins, (games.a[first], games.b[first]), 1)
    np.add.at(wins, (games.b[second], games.a[second]), 1)
    np.add.at(ties, (games.a[tied], games.b[tied]), 1)
    return wins, ties + ties.T


def solve_davidson(wins: FloatArray, ties: FloatArray) -> tuple[FloatArray, float, bool, int]:
    """Return θ = ln π with Σθ = 0 and ν, by Newton steps on the concave log likelihood."""
    size = len(wins)
    games = wins + wins.T + ties
    theta, eta = np.zeros(size), 0.0
    step_size, iterations = np.inf, 0
    while iterations < 200 and step_size > TOLERANCE:
        half = (theta[:, None] - theta[None, :]) / 2
        win, tie = np.exp(half), np.exp(eta)
        denominator = win + win.T + tie
        p, t = win / denominator, tie / denominator
        gradient = np.append(
            (wins + ties / 2 - games * (p + t / 2)).sum(axis=1), (ties - games * t).sum() / 2
        )
        # covariance of (points of i, points of j, ties) in one game, summed over games
        mean = p + t / 2
        own = games * (p + t / 4 - mean**2)
        cross = games * (t / 4 - mean * mean.T)
        with_tie = (games * t * (0.5 - mean)).sum(axis=1)
        curvature = np.zeros((size + 1, size + 1))
        curvature[:size, :size] = (
            cross + np.diag(own.sum(axis=1)) + 1 / size
        )  # 1/size fixes the free shift of θ
        curvature[:size, size] = curvature[size, :size] = with_tie
        curvature[size, size] = (games * t * (1 - t)).sum() / 2
        try:
            step = np.linalg.solve(curvature, gradient)
        except np.linalg.LinAlgError:  # the likelihood is flat: it rises towards infinite ratings
            return theta, float(np.exp(eta)), False, iterations
        step *= min(1.0, MAX_STEP / max(float(np.abs(step).max()), 1e-300))
        theta, eta = theta + step[:size], eta + float(step[size])
        step_size, iterations = float(np.abs(step).max()), iterations + 1
    finite = max(float(np.abs(theta).max()), abs(eta)) < MAX_LOG_STRENGTH
    return theta - theta.mean(), float(np.exp(eta)), finite and step_size <= TOLERANCE, iterations
