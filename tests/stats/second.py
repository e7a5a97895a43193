"""Second implementations of each formula, in plain loops. None marks a missing value."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, permutations

import numpy as np
from scipy import optimize, stats

Winner = str | None
Game = tuple[Hashable, Hashable, Winner]


def tau_b(pairs: Sequence[tuple[Winner, Winner]]) -> float | None:
    c = d = h = e = 0.0
    for truth, said in pairs:
        if truth is None or said is None or truth == said == "tie":
            continue
        if truth == "tie":
            h += 1
        elif said == "flip":  # both answers were given, and one of them is right
            c, d = c + 0.5, d + 0.5
        elif said == "tie":
            e += 1
        elif truth == said:
            c += 1
        else:
            d += 1
    bottom = (c + d + h) * (c + d + e)
    return (c - d) / math.sqrt(bottom) if bottom else None


def half_credit(pairs: Sequence[tuple[Winner, Winner]]) -> float | None:
    judged = [(t, s) for t, s in pairs if t is not None and s is not None]
    decided = [(t, s) for t, s in judged if t != "tie" and s not in ("tie", "flip")]
    return sum(1 if t == s else -1 for t, s in decided) / len(judged) if judged else None


def by_prompt(
    truth: Sequence[Winner], said: Sequence[Winner], prompts: Sequence[Hashable]
) -> dict[Hashable, list[tuple[Winner, Winner]]]:
    found: dict[Hashable, list[tuple[Winner, Winner]]] = {}
    for t, s, p in zip(truth, said, prompts, strict=True):
        found.setdefault(p, []).append((t, s))
    return found


def mean(values: Sequence[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return math.fsum(there) / len(there) if there else None


def midranks(values: Sequence[float]) -> list[float]:
    return [sum(w < v for w in values) + (1 + sum(w == v for w in values)) / 2 for v in values]


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    shared = math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return shared / math.sqrt(math.fsum((a - mx) ** 2 for a in x) * math.fsum((b - my) ** 2 for b in y))


def ccc(x: Sequence[float], y: Sequence[float]) -> float:
    n = len(x)
    mx, my = math.fsum(x) / n, math.fsum(y) / n
    shared = math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / n
    spread = math.fsum((a - mx) ** 2 for a in x) / n + math.fsum((b - my) ** 2 for b in y) / n
    return 2 * shared / (spread + (mx - my) ** 2)


def wins(games: Sequence[Game]) -> tuple[list[Hashable], np.ndarray]:
    names: list[Hashable] = []
    for a, b, winner in games:
        names += [name for name in (a, b) if winner is not None and name not in names]
    table = np.zeros((len(names), len(names)))
    for a, b, winner in games:
        if winner is not None:
            i, j = names.index(a), names.index(b)
            table[i, j] += {"a": 1.0, "b": 0.0, "tie": 0.5, "flip": 0.5}[winner]
            table[j, i] += {"a": 0.0, "b": 1.0, "tie": 0.5, "flip": 0.5}[winner]
    return names, table


def bradley_terry(table: np.ndarray) -> np.ndarray:
    """The root of the likelihood equations. θ of the last generator follows from Σθ = 0."""
    size = len(table)

    def slope(free: np.ndarray) -> np.ndarray:
        theta = np.append(free, -free.sum())
        total = np.zeros(size)
        for i, j in permutations(range(size), 2):
            total[i] += table[i, j] - (table[i, j] + table[j, i]) / (1 + math.exp(theta[j] - theta[i]))
        return total[:-1]

    free = optimize.root(slope, np.zeros(size - 1), options={"xtol": 1e-14}).x
    return 1000 + 400 / math.log(10) * np.append(free, -free.sum())


def thurstone(table: np.ndarray) -> np.ndarray:
    size = len(table)

    def slope(q: np.ndarray) -> np.ndarray:
        total = -q
        for i, j in permutations(range(size), 2):
            gap = q[i] - q[j]
            density = math.exp(-(gap**2) / 2) / math.sqrt(2 * math.pi)
            pull = table[i, j] * density / (math.erfc(-gap / math.sqrt(2)) / 2)
            total[i] += pull
            total[j] -= pull
        return total

    return np.asarray(optimize.root(slope, np.zeros(size), options={"xtol": 1e-14}).x)


def elo(games: Sequence[Game]) -> dict[Hashable, float]:
    rating: dict[Hashable, float] = {}
    for a, b, winner in games:
        if winner is not None:
            one, two = rating.setdefault(a, 1000.0), rating.setdefault(b, 1000.0)
            expected = 1 / (1 + 10 ** ((two - one) / 400))
            change = 32 * ({"a": 1.0, "b": 0.0, "tie": 0.5, "flip": 0.5}[winner] - expected)
            rating[a], rating[b] = one + change, two - change
    return rating


def cohen_kappa(x: Sequence[Hashable], y: Sequence[Hashable]) -> float | None:
    both = [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]
    n = len(both)
    observed = sum(a == b for a, b in both) / n
    labels = {label for pair in both for label in pair}
    chance = sum(sum(a == k for a, _ in both) * sum(b == k for _, b in both) for k in labels) / n**2
    return (observed - chance) / (1 - chance) if chance < 1 else None


def quadratic_kappa(x: Sequence[float], y: Sequence[float]) -> float:
    n = len(x)
    observed = sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / n
    expected = sum((a - b) ** 2 for a in x for b in y) / n**2
    return 1 - observed / expected


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float:
    rows = [row for row in counts if sum(row) > 1]
    agree = [sum(c * (c - 1) for c in row) / (sum(row) * (sum(row) - 1)) for row in rows]
    total = sum(map(sum, rows))
    chance = sum((sum(row[k] for row in rows) / total) ** 2 for k in range(len(rows[0])))
    return (sum(agree) / len(agree) - chance) / (1 - chance)


def krippendorff_alpha(
    table: Sequence[Sequence[float | None]], distance: Callable[[float, float, Mapping[float, float]], float]
) -> float:
    """Krippendorff's α from the matrix of coincidences."""
    together: dict[tuple[float, float], float] = {}
    for row in table:
        there = [value for value in row if value is not None]
        for one, other in permutations(range(len(there)), 2):
            pair = there[one], there[other]
            together[pair] = together.get(pair, 0.0) + 1 / (len(there) - 1)
    totals: dict[float, float] = {}
    for (value, _), often in together.items():
        totals[value] = totals.get(value, 0.0) + often
    n = sum(totals.values())
    observed = sum(often * distance(c, k, totals) for (c, k), often in together.items()) / n
    expected = sum(totals[c] * totals[k] * distance(c, k, totals) for c in totals for k in totals)
    return 1 - observed / (expected / (n * (n - 1)))


def nominal(c: float, k: float, totals: Mapping[float, float]) -> float:
    return float(c != k)


def ordinal(c: float, k: float, totals: Mapping[float, float]) -> float:
    low, high = min(c, k), max(c, k)
    between = sum(often for value, often in totals.items() if low <= value <= high)
    return 0.0 if c == k else (between - (totals[c] + totals[k]) / 2) ** 2


def interval(c: float, k: float, totals: Mapping[float, float]) -> float:
    return (c - k) ** 2


def icc21(table: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """ICC(2,1) and its 95% interval in the notation of McGraw and Wong 1996, table 7."""
    n, k = len(table), len(table[0])
    grand = sum(map(sum, table)) / (n * k)
    rows = [sum(row) / k for row in table]
    columns = [sum(row[j] for row in table) / n for j in range(k)]
    msr = k * sum((row - grand) ** 2 for row in rows) / (n - 1)
    msc = n * sum((column - grand) ** 2 for column in columns) / (k - 1)
    rest = sum((table[i][j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k))
    mse = rest / ((n - 1) * (k - 1))
    rho = (msr - mse) / (msr + (k - 1) * mse + k / n * (msc - mse))
    a = k * rho / (n * (1 - rho))
    b = 1 + k * rho * (n - 1) / (n * (1 - rho))
    v = (a * msc + b * mse) ** 2 / ((a * msc) ** 2 / (k - 1) + (b * mse) ** 2 / ((n - 1) * (k - 1)))
    up, down = stats.f.ppf(0.975, n - 1, v), stats.f.ppf(0.975, v, n - 1)
    low = n * (msr - up * mse) / (up * (k * msc + (k * n - k - n) * mse) + n * msr)
    high = n * (down * msr - mse) / (k * msc + (k * n - k - n) * mse + n * down * msr)
    return rho, float(low), float(high)


def isotonic(x: Sequence[float], y: Sequence[float]) -> dict[float, float]:
    """min-max formula: max over lower sets of min over upper sets of the mean between them."""
    points = sorted(set(x))

    def between(low: float, high: float) -> float:
        inside = [v for u, v in zip(x, y, strict=True) if low <= u <= high]
        return math.fsum(inside) / len(inside)

    return {
        point: max(
            min(between(low, high) for high in points if high >= point) for low in points if low <= point
        )
        for point in points
    }


def bca(values: Sequence[float], drawn: Sequence[float], level: float) -> tuple[float, float]:
    """Efron's BCa ends of a mean."""
    observed = math.fsum(values) / len(values)
    below = sum(d < observed for d in drawn) + sum(d == observed for d in drawn) / 2
    z0 = stats.norm.ppf(below / len(drawn))
    left = [(math.fsum(values) - value) / (len(values) - 1) for value in values]
    middle = math.fsum(left) / len(left)
    top = math.fsum((middle - one) ** 3 for one in left)
    a = top / (6 * math.fsum((middle - one) ** 2 for one in left) ** 1.5)
    ends = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        z = z0 + stats.norm.ppf(share)
        ends.append(float(np.quantile(drawn, stats.norm.cdf(z0 + z / (1 - a * z)))))
    return ends[0], ends[1]


def exact_p(values: Sequence[float], label: Sequence[int]) -> float:
    """Share of all relabellings with a difference of means at least as large."""
    ones = sum(label)

    def difference(chosen: Sequence[int]) -> float:
        first = math.fsum(values[i] for i in chosen)
        return first / ones - (math.fsum(values) - first) / (len(values) - ones)

    seen = difference([i for i, one in enumerate(label) if one])
    every = [difference(chosen) for chosen in combinations(range(len(values)), ones)]
    return sum(value >= seen - 1e-12 for value in every) / len(every)


def csa(critique: Sequence[str], vocabularies: Mapping[str, Sequence[str]], culture: str) -> float:
    """CSA from words: the cosine of TF-IDF vectors over the words of all vocabularies."""
    words = sorted({word for vocabulary in vocabularies.values() for word in vocabulary})
    documents = list(vocabularies.values())
    idf = [math.log((1 + len(documents)) / (1 + sum(w in d for d in documents))) + 1 for w in words]
    x, y = (
        [text.count(word) * weight for word, weight in zip(words, idf, strict=True)]
        for text in (list(critique), list(vocabularies[culture]))
    )
    lengths = math.hypot(*x) * math.hypot(*y)
    return math.fsum(a * b for a, b in zip(x, y, strict=True)) / lengths if lengths else 0.0


def kept_tasks(votes: Sequence[Sequence[Winner]], prompts: Sequence[Hashable]) -> list[bool]:
    """Tasks with an agreement of at least 0.60 in prompts with at least 4 of them."""
    reliable = []
    for row in votes:
        cast = [vote for vote in row if vote is not None]
        most = max((cast.count(vote) for vote in cast), default=0)
        reliable.append(bool(cast) and 10 * most >= 6 * len(cast))
    often = {p: sum(r for r, q in zip(reliable, prompts, strict=True) if q == p) for p in prompts}
    return [r and often[p] >= 4 for r, p in zip(reliable, prompts, strict=True)]


def exact_group_p(x: Sequence[float], y: Sequence[float]) -> float:
    """Two-sided p of Welch's t over all ways to assign the values to the two groups."""
    pool = [*x, *y]

    def distance(chosen: Sequence[int]) -> float:
        inside = [pool[place] for place in chosen]
        outside = [value for place, value in enumerate(pool) if place not in chosen]
        return abs(float(stats.ttest_ind(inside, outside, equal_var=False).statistic))

    ways = list(combinations(range(len(pool)), len(x)))
    observed = distance(range(len(x)))
    return sum(distance(way) >= observed - 1e-9 for way in ways) / len(ways)
