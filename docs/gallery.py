"""Draws the figures of the gallery from the sample study, so that the page shows the current figures."""

from pathlib import Path

from semiosis import figures
from semiosis.files import data
from semiosis.judge import AlignmentJudge
from semiosis.study import ReadingRule, judge_study, read_study

SHOWN = {
    "card": "Annunciation, cubist, by Lodestar",
    "pair": "Annunciation, cubist, by Plainhand",
    "drift": "glaciers, by Plainhand",
}


def write_gallery(docs: Path) -> None:
    """Write one PNG for each kind of figure into `gallery/`, unless it is there already."""
    folder = docs / "gallery"
    if folder.exists():
        return
    study = read_study(data("graphs/sample"))
    by_hand = [alignment for alignment in study.alignments.values() if alignment.aligner == "person"]
    judge = AlignmentJudge(alignments=by_hand, name="alignment (fates by hand)")
    verdicts = judge_study(study, judge, ReadingRule())
    study.observations.update((verdict.id, verdict) for verdict in verdicts)
    for kind in figures.FIGURES:
        if kind == "cost":  # the sample has no paid judge
            continue
        options = figures.FigureOptions(only=SHOWN.get(kind, ""), prior=0.5 if kind == "ratings" else 0.0)
        for _, figure in figures.study_figures(study, kind, options):
            figures.save_figure(figure, folder / f"{kind}.png")
            break
    rain = figures.FigureOptions(only="听雨")
    figures.save_figure(next(figures.study_figures(study, "card", rain))[1], folder / "card-text.png")
