"""The figures of a study: one entry in the registry for each kind.

Each function imports Matplotlib when it draws, so that the registry can be listed without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from semiosis.files import file_stem
from semiosis.study import (
    GridRow,
    Study,
    aligned_hsg,
    compare_study,
    generator_profile,
    generator_ratings,
    judge_costs,
    picture_grid,
    rank_generators,
    reader_agreement,
    study_alignments,
    study_drifts,
    study_iconicity,
)
from semiosis.tables._agreement_table import group_title
from semiosis.tables._display_registry import DisplayOptions, FigureEntry, register_figure
from semiosis.values import HSG, UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    NamedFigures = Iterator[tuple[str, Figure]]

_GRID_ROWS = 6
"""The number of prompts in one figure of pictures, which fits a page."""


def _cards(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import card

    hsgs = [
        hsg
        for hsg in study.hsgs.values()
        if hsg.blind and options.shows(hsg) and _is_read_by(hsg, options.reader)
    ]
    if not options.reader:  # the first reading of each sign
        hsgs = list({hsg.sign.id: hsg for hsg in reversed(hsgs)}.values())[::-1]
    if not hsgs:
        raise UsageError("no blind reading matches", where=str(study.folder), fix="change --only or --reader")
    for hsg in hsgs:
        yield _sign_stem("card", hsg), card(hsg, width=options.width or "two-column")


def _is_read_by(hsg: HSG, reader: str) -> bool:
    """Return whether a reader made an HSG. A consensus is included only if it is named."""
    return reader == hsg.reading.interpreter.name or (not reader and not hsg.reading.interpreter.merges)


def _sign_stem(kind: str, hsg: HSG) -> str:
    """Return a file name with the title of a sign and the start of its id."""
    return "-".join(filter(None, [kind, file_stem(hsg.sign.title), hsg.sign.id[:8]]))


def _readings_stem(kind: str, *hsgs: HSG) -> str:
    """Return a file name with the title of the last sign and the starts of the readings' ids.

    The same signs may be read by several readers, and two cascades may differ only in a middle round.
    """
    return "-".join(filter(None, [kind, file_stem(hsgs[-1].sign.title), *(hsg.id[:8] for hsg in hsgs)]))


def _pairs(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import aligned_pair

    is_empty = True
    for alignment in study_alignments(study, options.aligner, options.condition):
        prompt, artifact = (aligned_hsg(study, side.hsg) for side in (alignment.source, alignment.target))
        if options.shows(prompt) or options.shows(artifact):
            is_empty = False
            figure = aligned_pair(prompt, artifact, alignment, width=options.width or "two-column")
            yield _readings_stem("pair", prompt, artifact), figure
    if is_empty:
        raise UsageError("no aligned pair matches", where=str(study.folder), fix="change --only or --aligner")


def _judges(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import judge_scores

    table = compare_study(study, options.reference)
    yield "judges", judge_scores(table, width=options.width or "two-column")


def _reliability(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import reliability

    table = compare_study(study, options.reference)
    yield "reliability", reliability(table, width=options.width or "one-column")


def _ranking(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import ranked_generators

    rankings = rank_generators(study, options.measure, by=options.by)
    width = options.width or ("one-column" if len(rankings) == 1 else "two-column")
    yield "ranking", ranked_generators(rankings, width=width)


def _ratings(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import rated_generators

    ratings = generator_ratings(study, options.reference, prior=options.prior)
    yield "ratings", rated_generators(ratings, width=options.width or "one-column")


def _iconicity(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import iconicity_distribution

    net = study_iconicity(study)
    rows = {"comparisons": net.comparisons, "prompts": net.prompts, "artifacts": net.artifacts}
    width = options.width or "one-column"
    yield "iconicity", iconicity_distribution(rows, unrated=net.n_unrated, width=width)


def _grid(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import generator_grid

    grid = picture_grid(study, options.only)
    parts = [grid.rows[start : start + _GRID_ROWS] for start in range(0, len(grid.rows), _GRID_ROWS)]
    for number, rows in enumerate(parts, start=1):
        figure = generator_grid(replace(grid, rows=rows), width=options.width or "two-column")
        yield _grid_stem(rows, f"{number:0{len(str(len(parts)))}}" if len(parts) > 1 else ""), figure


def _grid_stem(rows: Sequence[GridRow], number: str) -> str:
    """Return a file name with the number of the figure and the titles of its first and last prompt."""
    titles = list(dict.fromkeys(row.prompt.title or row.title for row in (rows[0], rows[-1])))
    return "-".join(filter(None, ["grid", number, file_stem(" to ".join(title[:28] for title in titles))]))


def _shifts(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import ground_shifts

    alignments = study_alignments(study, options.aligner, options.condition)
    hsgs = {
        side.hsg: aligned_hsg(study, side.hsg)
        for alignment in alignments
        for side in (alignment.source, alignment.target)
    }
    yield "shifts", ground_shifts(alignments, hsgs, width=options.width or "one-column")


def _profile(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import profile

    generators = generator_profile(study, aligner=options.aligner, condition=options.condition)
    yield "profile", profile(generators, width=options.width or "two-column")


def _drift(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import cascade_drift

    is_empty = True
    for drift in study_drifts(study, options.aligner):
        hsgs = drift.cascade.hsgs
        if any(map(options.shows, hsgs)):
            is_empty = False
            figure = cascade_drift(drift, width=options.width or "two-column")
            yield _readings_stem("drift", *hsgs), figure
    if is_empty:
        raise UsageError(
            "no cascade of three rounds matches",
            where=str(study.folder),
            fix="align each round with the next and the first with the last",
        )


def _agreement(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import reader_agreement_chart

    agreement = reader_agreement(study)
    for group in agreement.groups:
        if not group.pooled or group is agreement.groups[0]:
            chart = reader_agreement_chart(agreement, group, width=options.width or "two-column")
            yield f"agreement-{file_stem(group_title(group))}", chart


def _cost(study: Study, options: DisplayOptions) -> "NamedFigures":
    from semiosis.figures import cost_agreement

    table = compare_study(study, options.reference)
    yield "cost", cost_agreement(table, judge_costs(study), width=options.width or "one-column")


for entry in (
    FigureEntry(
        "judges",
        "Judges against people",
        "The score of each judge with its interval, best first. The band is the range of the people, each "
        "measured against the same people; dotted lines are guessing and the best possible score.",
        ("verdicts",),
        _judges,
        table="judges",
    ),
    FigureEntry(
        "reliability",
        "Stated probabilities and outcomes",
        "How often a wins, by the probability that a judge stated for it. Judges must state probabilities "
        "for at least 80 % of the comparisons.",
        ("verdicts",),
        _reliability,
        in_report=False,
    ),
    FigureEntry(
        "profile",
        "What each generator does to meaning",
        "The fates of the prompts' nodes; matched, recoverable, kept and lost shares with intervals; matched "
        "and lost shares by ground and by tradition; symbols that turned literal; nodes that were added. "
        "Kept and recoverable shares exist only where a model or a person aligned.",
        ("alignments",),
        _profile,
        table="profile",
    ),
    FigureEntry(
        "ranking",
        "Generators ranked",
        "The win rate, mean rating or mean score of each generator (`--measure`), with its interval and the "
        "ranks that the data leave open. `--by tradition` draws a panel for each group of prompts.",
        (),
        _ranking,
        table="ranking",
    ),
    FigureEntry(
        "ratings",
        "Ratings of generators",
        "Bradley–Terry ratings of generators. `--prior 0.5` adds half a win each way, which is needed if a "
        "generator never lost.",
        ("verdicts",),
        _ratings,
        table="judges",
    ),
    FigureEntry(
        "iconicity",
        "Net iconicity",
        "Net iconicity of comparisons, prompts and artifacts, as in figure 5 of SemJudge. No value is left "
        "out.",
        ("ratings",),
        _iconicity,
    ),
    FigureEntry(
        "shifts",
        "Shifts of grounds",
        "How the grounds of matched nodes move from prompt to artifact. The note states the mean change of "
        "each ground with its interval.",
        ("alignments",),
        _shifts,
        table="profile",
    ),
    FigureEntry(
        "grid",
        "Pictures by prompt and generator",
        "The pictures of each prompt in a row, with a column for each generator. A picture that a generator "
        "failed to make is a frame with the reason. Six prompts are in one figure; `--only` selects prompts.",
        (),
        _grid,
        in_report=False,  # the report has a page of all pictures
    ),
    FigureEntry(
        "card",
        "Readings",
        "A sign with the places of its nodes, and each node with what is perceived, what it stands for and "
        "what it brings to mind.",
        ("readings",),
        _cards,
        in_report=False,
    ),
    FigureEntry(
        "pair",
        "Aligned pairs",
        "A prompt, the picture made from it, and the fate of every node with its reason. A node of the "
        "artifact has the colour of the prompt's node that it carries; emergent nodes are black.",
        ("alignments",),
        _pairs,
        in_report=False,
        table="profile",
    ),
    FigureEntry(
        "drift",
        "Drift along a cascade",
        "The meanings of a cascade of at least three rounds, from round to round. Each round must be aligned "
        "with the next, and the first with the last.",
        ("alignments",),
        _drift,
        in_report=False,
        table="profile",
    ),
    FigureEntry(
        "agreement",
        "Agreement between readers",
        "The share of nodes that two readings of a sign have in common, and the share expected by chance, "
        "for all signs and for each sign.",
        ("readings",),
        _agreement,
        in_report=False,
    ),
    FigureEntry(
        "cost",
        "Cost and agreement",
        "The cost of one comparison against the score, with the range of the people. Judges whose verdicts "
        "do not all record their cost are named below the figure.",
        ("verdicts",),
        _cost,
        in_report=False,
        table="judges",
    ),
):
    register_figure(entry)
