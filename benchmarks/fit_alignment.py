"""Fit the alignment weights of an embedder on planted cases.

    python benchmarks/fit_alignment.py --pairs FILE --twoafc FILE --embedder NAME [--joined] [--out FILE]

Each stage is a conditional logit: every node chooses among the nodes of the other graph and "none", rows
and columns alike. The second stage, the cut, the calibration and the weights of the measures are fitted on
what the first stage says of cases it has not seen (cross-validation by case).
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from planted import Case, Choice, calibration_error, counts, f1, read_choices, read_pairs
from scipy.optimize import minimize
from scipy.special import expit

from semiosis.align import VectorCache, embedder
from semiosis.align._features import CONTEXT, LIKENESS, ONE, TEXT, Evidence
from semiosis.align._match import Scored, matched, write_roots
from semiosis.align._measures import measures
from semiosis.align._view import View, views_of
from semiosis.align._weights import MEASURES

METHOD = "two stages of conditional logit, version 5"
VERSION = "2026-11-17"
LEAN = 2.0
RIDGE = {"node": 0.03, "root": 3.0, "measure": 10.0}
"""Strength of the penalty on standardised weights."""
CUTS = np.arange(-1.0, 2.01, 0.125)
AS_GOOD = 0.005
"""How much worse than the best cut is no difference."""
FOLDS = 5
ADJUDICATED = 0.95

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]


class Rows:
    """The pairs of nodes of many cases as one table, with the row and column each belongs to."""

    def __init__(self, tables: Sequence[np.ndarray], truths: Sequence[np.ndarray]) -> None:
        case, row, column = [], [], []
        rows = columns = 0
        for index, truth in enumerate(truths):
            n, m = truth.shape
            case.append(np.full(n * m, index))
            row.append(rows + np.repeat(np.arange(n), m))
            column.append(columns + np.tile(np.arange(m), n))
            rows, columns = rows + n, columns + m
        self.x = np.concatenate([table.reshape(-1, table.shape[-1]) for table in tables])
        self.y = np.concatenate([truth.ravel() for truth in truths]).astype(float)
        self.case, self.row, self.column = (np.concatenate(part) for part in (case, row, column))

    def fit(self, keep: np.ndarray, ridge: float, choose: bool) -> np.ndarray:
        """Weights of these rows, the intercept last."""
        x, y, row, column = self.x[keep], self.y[keep], self.row[keep], self.column[keep]
        middle, spread = x.mean(0), x.std(0) + 1e-9
        z = np.c_[(x - middle) / spread, np.ones(len(x))]
        objective = conditional(z, y, row, column, ridge) if choose else logistic(z, y, ridge)
        weights = least(objective, z.shape[1])
        raw = weights[:-1] / spread
        return np.append(raw, weights[-1] - raw @ middle)


def conditional(z: np.ndarray, y: np.ndarray, row: np.ndarray, column: np.ndarray, ridge: float) -> Objective:
    """Each row chooses a column or none; each column chooses a row or none."""

    def objective(w: np.ndarray) -> tuple[float, np.ndarray]:
        odds = np.clip(z @ w, -30, 30)
        mass = np.exp(odds)
        loss, slope = -2 * float(y @ odds), -2 * y
        for group in (row, column):
            total = 1 + np.bincount(group, mass)
            loss += float(np.log(total).sum())
            slope = slope + mass / total[group]
        return penalised(loss, z.T @ slope, w, ridge)

    return objective


def logistic(z: np.ndarray, y: np.ndarray, ridge: float) -> Objective:
    """Each row is right or wrong."""

    def objective(w: np.ndarray) -> tuple[float, np.ndarray]:
        odds = z @ w
        return penalised(float(np.logaddexp(0, odds).sum() - y @ odds), z.T @ (expit(odds) - y), w, ridge)

    return objective


def penalised(loss: float, slope: np.ndarray, w: np.ndarray, ridge: float) -> tuple[float, np.ndarray]:
    """The intercept, which comes last, is free."""
    pull = np.append(w[:-1], 0.0)
    return loss + ridge / 2 * float(pull @ pull), slope + ridge * pull


def least(objective: Objective, size: int) -> np.ndarray:
    """Where the objective is least."""
    return np.asarray(
        minimize(objective, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 1000}).x
    )


def truth_of(case: Case) -> np.ndarray:
    """1 where two nodes truly match."""
    views = VIEWS[case]
    return np.array([[(a, b) in case.truth for b in views[1].nodes] for a in views[0].nodes])


VIEWS: dict[Case, tuple[View, View]] = {}


def see(cases: Sequence[Case], name: str, *, joined: bool) -> list[Evidence]:
    """The evidence of every case, with vectors of this embedder."""
    hsgs = {hsg.id: hsg for case in cases for hsg in (case.source, case.target)}
    views = views_of(hsgs, VectorCache(embedder(name)), joined=joined)
    VIEWS.update({case: (views[case.source.id], views[case.target.id]) for case in cases})
    return [Evidence([VIEWS[case]]) for case in cases]


def table(evidence: Evidence, names: Sequence[str]) -> np.ndarray:
    """Features of the one pair of HSGs by name: node × node × feature."""
    named = evidence.named()
    return np.stack([named[name][0] for name in names], -1)


def folds_of(rows: Rows, fold: np.ndarray, *, root: bool) -> list[np.ndarray]:
    """Weights fitted on the other folds, for each fold; last those fitted on everything."""
    ridge = RIDGE["root" if root else "node"]
    held = [fold[rows.case] != test for test in range(FOLDS)]
    return [rows.fit(keep, ridge, choose=not root) for keep in (*held, np.ones(len(rows.y), bool))]


def stage(
    tables: Sequence[np.ndarray], truths: Sequence[np.ndarray], fold: np.ndarray, *, root: bool = False
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Weights of one stage, fitted on all nodes but roots or on roots alone, and all log-odds held out."""
    some = slice(0, 1) if root else slice(1, None)
    rows = Rows([table[some, some] for table in tables], [truth[some, some] for truth in truths])
    *held, final = folds_of(rows, fold, root=root)
    odds = [table @ held[test][:-1] + held[test][-1] for table, test in zip(tables, fold, strict=True)]
    return final, odds


def named(names: Sequence[str], weights: np.ndarray) -> dict[str, float]:
    """Weights by name, the intercept last."""
    return {name: round(float(w), 4) for name, w in zip((*names, ONE), weights, strict=True)}


def cells_of(case: Case, odds: np.ndarray) -> set[tuple[str, str]]:
    """The matches an assignment makes, by name."""
    source, target = VIEWS[case]
    found = matched(odds[None])
    return {(source.nodes[i], target.nodes[j]) for i, j in zip(found.rows, found.columns, strict=True)}


def quality(cases: Sequence[Case], odds: Sequence[np.ndarray], cut: float) -> dict[str, float]:
    """F1 of small and large graphs, of lost and of emergent nodes."""
    found = [(case, counts(case, cells_of(case, some + cut))) for case, some in zip(cases, odds, strict=True)]
    sizes = {
        size: f1(sum((some["match"] for case, some in found if case.size == size), np.zeros(3)))
        for size in ("small", "large")
    }
    return sizes | {
        name: f1(sum((some[name] for _, some in found), np.zeros(3))) for name in ("lost", "emergent")
    }


def worth(measured: dict[str, float]) -> float:
    """What the cut is chosen for: matches and lost nodes alike."""
    return float(np.nanmean([measured["small"], measured["large"]]) + measured["lost"])


def careful(worths: dict[float, float]) -> float:
    """Of the cuts that are as good as the best, the lowest: planted graphs keep more than pictures do."""
    best = max(worths.values())
    return min(cut for cut, worth in worths.items() if worth >= best - AS_GOOD)


def calibrate(
    cases: Sequence[Case], odds: Sequence[np.ndarray], cut: float
) -> tuple[dict[str, dict[str, float]], float]:
    """Slope and intercept for nodes and root, and the calibration error they leave."""
    said: dict[str, list[tuple[float, bool]]] = {"root": [], "node": []}
    for case, some in zip(cases, odds, strict=True):
        source, target = VIEWS[case]
        found = matched(some[None] + cut)
        for i, j in zip(found.rows, found.columns, strict=True):
            right = (source.nodes[i], target.nodes[j]) in case.truth
            said["node" if i else "root"].append((some[i, j], right))
    fitted, p, right = {}, [], []
    for part, pairs in said.items():
        x, y = np.array(pairs, float).T
        slope, intercept = least(logistic(np.c_[x, np.ones(len(x))], y, 0.1), 2)
        fitted[f"{part}_calibration"] = {
            "slope": round(float(slope), 4),
            "intercept": round(float(intercept), 4),
        }
        p.append(expit(slope * x + intercept))
        right.append(y)
    return fitted, calibration_error(np.concatenate(p), np.concatenate(right))


def measure(choices: Sequence[Choice], scored: dict[Case, Scored]) -> tuple[dict[str, float], float]:
    """Weights of the measures, and the accuracy they have on choices held out."""
    of = {
        case: np.array([measures(scored[case])[name] for name in MEASURES])
        for choice in choices
        for case in (choice.a, choice.b)
    }
    x = np.array([of[choice.a] - of[choice.b] for choice in choices])
    y = np.array([choice.winner == "a" for choice in choices], float)
    spread = x.std(0)
    z = x / spread
    right = []
    for seed in range(10):
        fold = np.random.default_rng(seed).permutation(len(y)) % FOLDS
        for test in range(FOLDS):
            weights = unsigned(z[fold != test], y[fold != test])
            right += list((z[fold == test] @ weights > 0) == y[fold == test])
    final = unsigned(z, y) / spread
    return {name: round(float(w), 4) for name, w in zip(MEASURES, final, strict=True)}, float(np.mean(right))


def unsigned(z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Logistic weights without intercept (a and b are alike) and without negative weights."""

    def objective(w: np.ndarray) -> tuple[float, np.ndarray]:
        odds = z @ w
        ridge = RIDGE["measure"]
        loss = float(np.logaddexp(0, odds).sum() - y @ odds + ridge / 2 * w @ w)
        return loss, z.T @ (expit(odds) - y) + ridge * w

    bounds = [(0.0, None)] * z.shape[1]
    return np.asarray(minimize(objective, np.zeros(z.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x)


def main() -> None:
    """Fit, say what cross-validation expects, and write the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--twoafc", type=Path, required=True)
    parser.add_argument("--embedder", required=True)
    parser.add_argument("--joined", action="store_true", help="embed two fields as one text, too")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cuts", action="store_true", help="show what every cut would give")
    options = parser.parse_args()
    pairs, choices = read_pairs(options.pairs), read_choices(options.twoafc)
    cases = [*pairs, *(case for choice in choices for case in (choice.a, choice.b))]
    random = np.random.default_rng(options.seed)
    fold = np.concatenate([
        random.permutation(len(pairs)) % FOLDS, np.repeat(random.permutation(len(choices)) % FOLDS, 2)
    ])  # fmt: skip
    evidence = see(cases, options.embedder, joined=options.joined)
    truths = [truth_of(case) for case in cases]
    root_weights, roots = stage([table(some, LIKENESS) for some in evidence], truths, fold, root=True)
    first, early = stage([table(some, TEXT) for some in evidence], truths, fold)
    for some, odds, root in zip(evidence, early, roots, strict=True):
        some.look_around(odds[None] + LEAN, root[None, 0, 0] + LEAN)
    second, late = stage([table(some, (*TEXT, *CONTEXT)) for some in evidence], truths, fold)
    for odds, before, root in zip(late, early, roots, strict=True):
        write_roots(odds[None], root[None, 0, 0])
        write_roots(before[None], root[None, 0, 0])
    held = late[: len(pairs)]
    cut = careful({cut: worth(quality(pairs, held, cut)) for cut in CUTS})
    calibration, ece = calibrate(pairs, held, cut)
    scored = {
        case: Scored(some, odds[None] + cut, before[None])
        for case, odds, before, some in zip(cases, late, early, evidence, strict=True)
    }
    kept, accuracy = measure(choices, scored)
    expected = {name: round(value, 3) for name, value in quality(pairs, held, cut).items()}
    expected |= {"ece": round(ece, 3), "twoafc": round(accuracy, 3)}
    print(json.dumps({"cross-validated": expected}))
    if options.cuts:
        for c in CUTS[::2]:
            print(c, {name: round(value, 3) for name, value in quality(pairs, held, c).items()})
    weights = {
        "embedder": options.embedder,
        "version": VERSION,
        "method": METHOD,
        "joined": options.joined,
        "root": named(LIKENESS, root_weights),
        "first": named(TEXT, first),
        "lean": LEAN,
        "second": named((*TEXT, *CONTEXT), second),
        "cut": float(cut),
        **calibration,
        "adjudicated": ADJUDICATED,
        "kept": kept,
        "expected": expected,
    }
    if options.out:
        options.out.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
