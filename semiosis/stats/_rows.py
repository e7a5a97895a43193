"""One judge measured against a reference: every statistic of a row, averaged over repeats."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from semiosis.stats._agreement import position_bias
from semiosis.stats._arrays import coded, groups
from semiosis.stats._concordance import (
    METHODS,
    Pairs,
    PerPrompt,
    mean_over_prompts,
    prompt_bounds,
    prompt_half_credit,
    prompt_tau,
    ratio,
)
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, IntArray, undefined
from semiosis.stats._judges import COLUMNS, AgreementName
from semiosis.stats._ratings import RatingMethod
from semiosis.stats._repeats import averaged, counts_of, mean_bounds
from semiosis.stats._rerated import Rating, generator_draws, numbered_pairs
from semiosis.stats._resample import Resampling, from_draws
from semiosis.stats._votes import Outcomes, Votes
from semiosis.values import Unscored

METHOD_NAMES: dict[AgreementName, str] = {
    "krcc": "KRCC",
    "half credit": "half credit",
    "agreement": "agreement",
}
PER_PROMPT: dict[AgreementName, PerPrompt] = {"krcc": prompt_tau, "half credit": prompt_half_credit}


@dataclass(frozen=True)
class JudgeRow:
    """One judge against the reference. Repeats are averaged; their spread is beside each estimate."""

    judge: str
    """What the judge is called."""
    krcc: Estimate
    """Mean over prompts of τ-b."""
    half_credit: Estimate | None = None
    """Mean over prompts of (C−D)/n."""
    agreement: Estimate | None = None
    """Over the comparisons used; `beside["over_all"]` divides by all that have a reference."""
    srcc: Estimate | None = None
    """Spearman's ρ of the generators' ratings."""
    ccc: Estimate | None = None
    """Lin's ρc of the generators' ratings."""
    vqa: Estimate | None = None
    """Accuracy over all questions; None where none were asked."""
    flips: Estimate | None = None
    """Share of opposite verdicts in the two orders."""
    position_bias: Estimate | None = None
    """First shown minus second shown."""
    coverage: Estimate | None = None
    """Share of the comparisons with a reference that the judge scored."""
    repeats: int = 1
    """How often the judge judged everything."""
    difference: Estimate | None = None
    """KRCC minus the baseline's; p is adjusted by Holm within the table."""
    source: str = ""
    """Where a published row comes from; empty for our own."""


@dataclass(frozen=True, eq=False)
class Task:
    """What every judge of a table is measured on."""

    votes: Votes
    truth: FloatArray
    """The reference winner of each comparison."""
    used: BoolArray
    """The comparisons that count."""
    prompt: IntArray
    prompts: int
    how: Resampling
    rating: Rating

    @classmethod
    def of(
        cls,
        votes: Votes,
        truth: FloatArray,
        used: BoolArray,
        how: Resampling,
        method: RatingMethod,
        *,
        prior: float,
    ) -> Self:
        """The task with its prompts numbered."""
        index, count = groups(votes.prompt, len(truth))
        return cls(votes, truth, used, index, count, how, Rating(method, prior, seed=how.seed))


def judge_row(name: str, outcomes: Outcomes, task: Task, vqa: Estimate | None) -> JudgeRow:
    """Every statistic of one judge."""
    used, every = pairs_of(outcomes, task, task.used), pairs_of(outcomes, task, ~np.isnan(task.truth))
    srcc, ccc = _generators(used, every, task)
    return JudgeRow(
        judge=name,
        krcc=_concordance("krcc", used, every, task.how),
        half_credit=_concordance("half credit", used, every, task.how),
        agreement=_agreement(used, every, task.how),
        srcc=srcc,
        ccc=ccc,
        vqa=vqa,
        flips=_flips(outcomes),
        position_bias=_position(name, task),
        coverage=_coverage(every),
        repeats=len(outcomes.winner),
    )


def pairs_of(outcomes: Outcomes, task: Task, used: BoolArray) -> list[Pairs]:
    """Reference and judge on these comparisons, one for each repeat."""
    rows = outcomes.winner
    return [Pairs(task.truth[used], row[used], task.prompt[used], task.prompts) for row in rows]


def _concordance(
    name: AgreementName, used: Sequence[Pairs], every: Sequence[Pairs], how: Resampling
) -> Estimate:
    per_prompt = PER_PROMPT[name]
    ends = [end for pairs in every if (end := prompt_bounds(pairs, per_prompt)) is not None]
    columns = [COLUMNS[name](pairs) for pairs in used]
    estimate = averaged(METHOD_NAMES[name], columns, how, "no prompt has judged pairs that define it")
    return replace(
        estimate,
        **counts_of(used, every),
        bounds=mean_bounds(ends),
        method=f"mean over prompts of {METHODS[estimate.name]}",
        beside={
            **estimate.beside,
            "on_its_own": _on_its_own(name, every),
            **_prompt_by_prompt(per_prompt, used, every),
        },
    )


def _on_its_own(name: AgreementName, every: Sequence[Pairs]) -> float | Unscored:
    """The statistic over everything this judge scored, whatever the others did."""
    each = np.array([float(ratio(COLUMNS[name](pairs).sum(axis=0))) for pairs in every])
    return mean_over_prompts(each, "it scored nothing that defines this")


def _prompt_by_prompt(
    per_prompt: PerPrompt, used: Sequence[Pairs], every: Sequence[Pairs]
) -> dict[str, float | Unscored]:
    """Over the prompts with a reference: how many have a value, the pair-weighted mean, judged pairs."""
    asked = np.bincount(every[0].prompt, minlength=every[0].prompts) > 0
    tables = [pairs.table[asked] for pairs in used]
    values = [per_prompt(table) for table in tables]
    weighted = [
        mean_over_prompts(row, "", table.sum(axis=1)) for row, table in zip(values, tables, strict=True)
    ]
    scored = [value for value in weighted if not isinstance(value, Unscored)]
    some = (~np.isnan(values)).any(axis=0)
    judged = np.any([~np.isnan(pairs.said) for pairs in used], axis=0)
    sizes = np.bincount(used[0].prompt[judged], minlength=used[0].prompts)[asked]
    return {
        "pair_weighted": float(np.mean(scored)) if scored else undefined("no prompt has a value"),
        "prompts": int(some.sum()),
        "prompts_unscored": int((~some).sum()),
        "pairs_per_prompt_min": float(sizes.min()) if len(sizes) else 0.0,
        "pairs_per_prompt_median": float(np.median(sizes)) if len(sizes) else 0.0,
    }


def _agreement(used: Sequence[Pairs], every: Sequence[Pairs], how: Resampling) -> Estimate:
    estimate = averaged(
        "agreement", [COLUMNS["agreement"](pairs) for pairs in used], how, "no judged comparison"
    )
    totals = [COLUMNS["agreement"](pairs).sum(axis=0) for pairs in every]
    size = len(every[0].truth)
    ends = [(hits / size, (hits + size - judged) / size) for hits, judged in totals] if size else []
    bounds = mean_bounds(ends)
    return replace(
        estimate,
        **counts_of(used, every),
        bounds=bounds,
        method="right / judged; a tie agrees with a tie",
        beside={
            **estimate.beside,
            "on_its_own": _on_its_own("agreement", every),
            "over_all": bounds[0] if bounds else undefined("no comparison with a reference"),
        },
    )


def _some(pairs: Pairs, kept: BoolArray) -> Pairs:
    return Pairs(pairs.truth[kept], pairs.said[kept], pairs.prompt[kept], pairs.prompts)


def _generators(used: Sequence[Pairs], every: Sequence[Pairs], task: Task) -> tuple[Estimate, Estimate]:
    """SRCC and CCC of each repeat, averaged; the resamples of all repeats draw the same prompts."""
    known = np.array([bool(a and b) for a, b in zip(task.votes.a, task.votes.b, strict=True)], dtype=np.bool_)
    index, names = coded([*task.votes.a, *task.votes.b])
    kept = known[task.used]
    a, b = (side[task.used][kept] for side in (index[: len(known)], index[len(known) :]))
    found = [
        generator_draws(
            numbered_pairs((a, b, p.prompt[kept]), tuple(names), p.truth[kept], p.said[kept]),
            task.rating,
            task.how,
        )
        for p in used
    ]
    counts = counts_of(
        [_some(p, kept) for p in used], [_some(p, known[~np.isnan(task.truth)]) for p in every]
    )
    estimates = []
    for place, name in enumerate(("SRCC", "CCC")):
        values = [repeat.values[place] for repeat in found]
        scored = [value for value in values if not isinstance(value, Unscored)]
        missing = [value for value in values if isinstance(value, Unscored)]
        if not known.any():
            missing = [undefined("generators are unknown; give signs that name theirs")]
        draws = [repeat.draws[place] for repeat in found if repeat.draws is not None]
        beside: dict[str, float] = {"repeats": len(values)}
        if len(scored) > 1:
            beside["spread_over_repeats"] = float(np.std(scored, ddof=1))
        estimates.append(
            Estimate(
                name=name,
                value=missing[0] if missing else float(np.mean(scored)),
                **counts,
                interval=from_draws(np.mean(draws, axis=0), task.how) if len(draws) == len(values) else None,
                unit="prompt",
                method=f"{name} of {task.rating.method} ratings",
                parameters={"rating": task.rating.method, "prior": task.rating.used_prior},
                seed=task.how.seed,
                beside=beside,
            )
        )
    return estimates[0], estimates[1]


def _flips(outcomes: Outcomes) -> Estimate:
    n = int(outcomes.both.sum())
    flips = int(outcomes.flip.sum())
    return Estimate(
        name="flip rate",
        value=flips / n if n else undefined("no comparison was judged in both orders"),
        n=n,
        method="opposite verdicts in the two orders / comparisons judged in both",
        beside={"flips": flips},
    )


def _position(name: str, task: Task) -> Estimate:
    everyone = task.votes.evaluators
    mine = task.votes.evaluator == (everyone.index(name) if name in everyone else -1)
    shown = task.votes.shown[mine]
    if len(np.unique(shown)) < 2:
        return Estimate(name="position bias", value=undefined("only one order was shown"), n=int(mine.sum()))
    prompts = task.prompt[task.votes.comparison[mine]]
    orders = np.where(shown == 0, "ab", "ba")
    return position_bias(
        orders, task.votes.winner[mine], prompts, resamples=task.how.resamples, seed=task.how.seed
    )


def _coverage(every: Sequence[Pairs]) -> Estimate:
    total = sum(len(pairs.truth) for pairs in every)
    scored = sum(pairs.n for pairs in every)
    value = scored / total if total else undefined("no comparison with a reference")
    return Estimate(name="coverage", value=value, n=total, n_unscored=total - scored, method="scored / all")
