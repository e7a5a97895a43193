"""The figures of a study, by kind."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.figure import Figure

from semiosis.align import drift_of_alignments
from semiosis.figures._agreement import reader_agreement_chart
from semiosis.figures._card import card
from semiosis.figures._charts import judge_metrics, rated_generators
from semiosis.figures._cost import JudgeCost, cost_agreement
from semiosis.figures._drift import cascade_drift
from semiosis.figures._grounds import ground_shifts, iconicity_distribution
from semiosis.figures._pair import aligned_pair
from semiosis.figures._profile import profile
from semiosis.figures._style import Width
from semiosis.study import (
    Study,
    compare_study,
    generator_profile,
    generator_ratings,
    reader_agreement,
    study_alignments,
)
from semiosis.values import HSG, Alignment, Cascade, Rating, Unscored, UsageError, Verdict

NamedFigures = Iterator[tuple[str, Figure]]
"""Figures with the names of their files, without a suffix."""


@dataclass(frozen=True)
class FigureOptions:
    """The content and the width of a figure of a study."""

    width: Width | None = None
    """The width; None for the default of the kind of figure."""
    only: str = ""
    """Part of a title or the start of an id. Only cards, pairs and cascades with such a sign are drawn."""
    aligner: str = ""
    """The person, model or embedder whose alignments are drawn."""
    reader: str = ""
    """The interpreter whose readings are drawn."""
    reference: tuple[str, ...] = ()
    """The evaluators to compare with; the people of the study if it is empty."""
    prior: float = 0.0
    """For ratings: the number of wins added to each side of every pair of generators."""


def study_figures(study: Study, kind: str, options: FigureOptions | None = None) -> NamedFigures:
    """Yield the figures of one kind, each with the name of its file."""
    if kind not in FIGURES:
        raise UsageError(f"{kind!r} is not a kind of figure", fix=f"choose one of {', '.join(FIGURES)}")
    yield from FIGURES[kind](study, options or FigureOptions())


def _cards(study: Study, options: FigureOptions) -> NamedFigures:
    hsgs = [
        hsg
        for hsg in study.hsgs.values()
        if hsg.blind and _matches(hsg, options.only) and _is_read_by(hsg, options.reader)
    ]
    if not options.reader:  # keep the first reading of each sign
        hsgs = list({hsg.sign.id: hsg for hsg in reversed(hsgs)}.values())[::-1]
    if not study.hsgs:
        fix = f"run: semiosis read {study.folder}"
        raise UsageError("the study has no readings", where=str(study.folder), fix=fix)
    if not hsgs:
        raise UsageError("no blind reading matches", where=str(study.folder), fix="change --only or --reader")
    for hsg in hsgs:
        yield f"card-{hsg.sign.id[:8]}", card(hsg, width=options.width or "two-column")


def _pairs(study: Study, options: FigureOptions) -> NamedFigures:
    found = False
    for alignment in study_alignments(study, options.aligner):
        prompt, artifact = _hsg(study, alignment.source.hsg), _hsg(study, alignment.target.hsg)
        if _matches(prompt, options.only) or _matches(artifact, options.only):
            found = True
            name = f"pair-{alignment.source.sign[:8]}-{alignment.target.sign[:8]}"
            yield name, aligned_pair(prompt, artifact, alignment, width=options.width or "two-column")
    if not found:
        raise UsageError("no aligned pair matches", where=str(study.folder), fix="change --only or --aligner")


def _judges(study: Study, options: FigureOptions) -> NamedFigures:
    yield (
        "judges",
        judge_metrics(compare_study(study, options.reference), width=options.width or "two-column"),
    )


def _ratings(study: Study, options: FigureOptions) -> NamedFigures:
    ratings = generator_ratings(study, options.reference, prior=options.prior)
    yield "ratings", rated_generators(ratings, width=options.width or "one-column")


def _iconicity(study: Study, options: FigureOptions) -> NamedFigures:
    net = _net_by_sign(study)
    prompts = dict.fromkeys(comparison.prompt for comparison in study.comparisons.values())
    artifacts = dict.fromkeys(id_ for c in study.comparisons.values() for id_ in (c.a, c.b))
    complete = [
        net[c.prompt] + (net[c.a] + net[c.b]) / 2
        for c in study.comparisons.values()
        if {c.prompt, c.a, c.b} <= net.keys()
    ]
    rows = {
        "comparisons": complete,
        "prompts": [net[sign] for sign in prompts if sign in net],
        "artifacts": [net[sign] for sign in artifacts if sign in net],
    }
    unrated = len(study.comparisons) - len(complete)
    yield "iconicity", iconicity_distribution(rows, unrated=unrated, width=options.width or "one-column")


def _net_by_sign(study: Study) -> dict[str, float]:
    """Return the net iconicity of each sign, the mean over raters who used all three scales."""
    scales = ("iconicity", "indexicality", "symbolism")
    rated: dict[str, dict[tuple[str, int], dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for observation in study.observations.values():
        if (
            isinstance(observation, Rating)
            and observation.about_kind == "sign"
            and not isinstance(observation.value, Unscored)
        ):
            rated[observation.about][observation.evaluator.id, observation.repeat][observation.scale] = (
                observation.value
            )
    net = {}
    for sign, raters in rated.items():
        complete = [
            r[scales[0]] - (r[scales[1]] + r[scales[2]]) / 2
            for r in raters.values()
            if set(scales) <= r.keys()
        ]
        if complete:
            net[sign] = sum(complete) / len(complete)
    return net


def _shifts(study: Study, options: FigureOptions) -> NamedFigures:
    alignments = study_alignments(study, options.aligner)
    hsgs = {id_: _hsg(study, id_) for a in alignments for id_ in (a.source.hsg, a.target.hsg)}
    yield "shifts", ground_shifts(alignments, hsgs, width=options.width or "one-column")


def _drift(study: Study, options: FigureOptions) -> NamedFigures:
    """Yield a figure of each cascade in which every round is aligned with the next one."""
    alignments = study_alignments(study, options.aligner)
    known = {(a.source.hsg, a.target.hsg): a for a in alignments}
    found = False
    for end in alignments:
        chain = _chain(study, end, alignments)
        hsgs = [_hsg(study, id_) for id_ in chain]
        whole = known.get((chain[0], chain[-1]))
        if whole is None or not any(_matches(hsg, options.only) for hsg in hsgs):
            continue
        if any(a.source.hsg == end.target.hsg for a in alignments):  # a later round follows
            continue
        found = True
        steps = [known[pair] for pair in pairwise(chain)]
        drift = drift_of_alignments(Cascade(tuple(hsgs)), steps, whole)
        yield f"drift-{end.target.sign[:8]}", cascade_drift(drift, width=options.width or "two-column")
    if not found:
        raise UsageError(
            "no cascade matches",
            where=str(study.folder),
            fix="align each round with the next and the first with the last",
        )


def _chain(study: Study, end: Alignment, alignments: list[Alignment]) -> list[str]:
    """Return the HSGs that lead to the target of an alignment, the first round first."""
    chain = [end.source.hsg, end.target.hsg]
    while True:
        sign = _hsg(study, chain[0]).sign.prompt
        before = [a for a in alignments if a.target.hsg == chain[0] and a.source.sign == sign]
        if not before or before[0].source.hsg in chain:
            return chain
        chain.insert(0, before[0].source.hsg)


def _cost(study: Study, options: FigureOptions) -> NamedFigures:
    table = compare_study(study, options.reference)
    yield "cost", cost_agreement(table, judge_costs(study), width=options.width or "one-column")


def judge_costs(study: Study) -> list[JudgeCost]:
    """Return the cost of one comparison for each judge whose verdicts all record a cost."""
    by_judge: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in study.verdicts:
        by_judge[study.judge_labels[verdict.evaluator.id]].append(verdict)
    costs = []
    for name, verdicts in by_judge.items():
        paid = [v.usage.cost for v in verdicts if v.usage and v.usage.cost is not None]
        if len(paid) == len(verdicts):
            costs.append(JudgeCost(name, sum(paid) / len({v.comparison for v in verdicts})))
    return costs


def _profile(study: Study, options: FigureOptions) -> NamedFigures:
    yield (
        "profile",
        profile(generator_profile(study, aligner=options.aligner), width=options.width or "two-column"),
    )


def _hsg(study: Study, hsg_id: str) -> HSG:
    found = study.hsg(hsg_id)
    if found is None:
        raise UsageError(
            f"the study has no HSG {hsg_id}", where=str(study.folder), fix="run semiosis study check"
        )
    return found


def _is_read_by(hsg: HSG, reader: str) -> bool:
    """Return whether a reader made an HSG. A consensus is included only if it is named."""
    return reader == hsg.reading.interpreter.name or (not reader and not hsg.reading.interpreter.merges)


def _agreement(study: Study, options: FigureOptions) -> NamedFigures:
    found = reader_agreement(study)
    for number, group in enumerate(found.groups, start=1):
        if not group.pooled or group is found.groups[0]:
            chart = reader_agreement_chart(found, group, width=options.width or "two-column")
            yield f"agreement-{number}", chart


def _matches(hsg: HSG, only: str) -> bool:
    return only.lower() in hsg.sign.title.lower() or hsg.sign.id.startswith(only)


FIGURES: dict[str, Callable[[Study, FigureOptions], NamedFigures]] = {
    "card": _cards,
    "pair": _pairs,
    "judges": _judges,
    "ratings": _ratings,
    "iconicity": _iconicity,
    "shifts": _shifts,
    "drift": _drift,
    "cost": _cost,
    "profile": _profile,
    "agreement": _agreement,
}
"""The function that draws each kind of figure."""
