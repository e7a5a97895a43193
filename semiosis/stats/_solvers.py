"""Solvers of ratings in batches: Newton's method for Bradley–Terry and Thurstone, and sequential Elo."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from semiosis.stats._estimate import BoolArray, FloatArray, IntArray

TOLERANCE = 1e-8
"""The step length at which Newton's method stops. The remaining error is about its square."""

MAX_STEP = 2.0
"""The maximum length of a Newton step. Far from the maximum, a full step can overshoot."""


@dataclass(frozen=True)
class EloRule:
    """The settings of sequential Elo."""

    k: float = 32
    initial: float = 1000
    scale: float = 400


def solve_bradley_terry(wins: FloatArray) -> tuple[FloatArray, BoolArray, int]:
    """Return θ of each table of wins (batch × K × K) by Newton steps, where a finite maximum exists."""
    lost = np.ascontiguousarray(wins.swapaxes(1, 2))
    games = wins + lost
    size = wins.shape[1]
    diagonal = np.arange(size)
    theta = np.zeros(wins.shape[:2])
    step_size = np.full(len(wins), np.inf)
    iterations = 0
    while iterations < 100 and (step_size > TOLERANCE).any():
        strength = np.exp(theta)
        own, other = strength[:, :, None], strength[:, None, :]
        share = 1 / (own + other)
        p, rest = own * share, other * share  # 1 − p, exact where p is nearly 1
        gradient = (wins * rest - lost * p).sum(axis=2)
        weight = games * p * rest
        curvature = 1 / size - weight  # 1/size fixes the free shift of θ, so that the matrix can be inverted
        curvature[:, diagonal, diagonal] += weight.sum(axis=2)
        step = _steps(curvature, gradient)
        theta += step
        step_size = np.abs(step).max(axis=1)
        iterations += 1
    return theta - theta.mean(axis=1, keepdims=True), step_size <= TOLERANCE, iterations


def solve_thurstone(wins: FloatArray, prior: float) -> tuple[FloatArray, bool, int]:
    """Return q by Newton steps on the penalised log likelihood, which is strictly concave."""
    q = np.zeros(len(wins))
    step_size, iterations = np.inf, 0
    while iterations < 200 and step_size > TOLERANCE:
        gap = q[:, None] - q[None, :]
        # φ(d)/Φ(d), through logarithms because Φ underflows long before the ratio does
        mills = np.exp(-0.5 * gap**2 - 0.5 * np.log(2 * np.pi) - special.log_ndtr(gap))
        weighted = wins * mills
        weight = wins * mills * (gap + mills)
        weight = weight + weight.T
        curvature = np.diag(weight.sum(axis=1) + prior) - weight
        gradient = weighted.sum(axis=1) - weighted.sum(axis=0) - prior * q
        step = _steps(curvature[None], gradient[None])[0]
        q += step
        step_size = float(np.abs(step).max(initial=0))
        iterations += 1
    return q - (q.mean() if len(q) else 0), step_size <= TOLERANCE, iterations


def play_elo(
    a: IntArray, b: IntArray, scores: FloatArray, rounds: npt.NDArray[np.signedinteger], rule: EloRule
) -> FloatArray:
    """Return the final ratings (sides × orders × K) of games (a, b) played in several orders.

    `scores` has one row for each side: 1, ½ or 0 for a in each game. `rounds` (games × orders) has the number
    of the game that each order plays in each round, or −1 after the end of the order. Such a game is played
    between two extra generators, which are left out of the result.
    """
    orders, size = rounds.shape[1], int(max(a.max(initial=-1), b.max(initial=-1))) + 1
    a, b = np.append(a, size), np.append(b, size + 1)
    per_point = np.log(10) / rule.scale
    points = rule.k * np.append(scores, np.full((len(scores), 1), 0.5), axis=1)
    ratings = np.full((len(scores), orders * (size + 2)), float(rule.initial))
    base = np.arange(orders) * (size + 2)
    for games in rounds:
        i, j = a.take(games) + base, b.take(games) + base
        own, other = ratings[:, i], ratings[:, j]
        change = points[:, games] - rule.k / (1 + np.exp(per_point * (other - own)))
        ratings[:, i] = own + change
        ratings[:, j] = other - change
    return ratings.reshape(len(scores), orders, size + 2)[:, :, :size]


def strongly_connected(wins: FloatArray) -> BoolArray:
    """Return whether chains of wins lead from each generator to every other, per table (batch × K × K)."""
    reach = (wins > 0).astype(np.float32) + np.eye(wins.shape[1], dtype=np.float32)
    for _ in range(max(1, int(np.ceil(np.log2(max(2, wins.shape[1])))))):
        reach = np.minimum(reach @ reach, 1)
    return np.asarray((reach > 0).all(axis=(1, 2)))


def _steps(curvature: FloatArray, gradient: FloatArray) -> FloatArray:
    step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
    longest = np.abs(step).max(axis=1, keepdims=True, initial=MAX_STEP)
    shortened: FloatArray = step * (MAX_STEP / longest)
    return shortened
