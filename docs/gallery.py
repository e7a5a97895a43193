"""Writes the gallery: a page of every kind of table and figure, with the figures of the sample study."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from matplotlib.figure import Figure

from semiosis.align import diff_many
from semiosis.figures import save_figure
from semiosis.files import data
from semiosis.judge import AlignmentJudge
from semiosis.study import ReadingRule, Study, StudyJudge, read_study, run
from semiosis.tables import FIGURES, TABLES, DisplayOptions, study_figures
from semiosis.values import HSG, Usage, Verdict

SHOWN = {
    "card": DisplayOptions(only="Annunciation, cubist, by Lodestar"),
    "pair": DisplayOptions(only="Annunciation, cubist, by Plainhand"),
    "ratings": DisplayOptions(prior=0.5),
    "drift": DisplayOptions(aligner="wordllama"),
}
"""The options with which a kind of figure is drawn."""
HEAD = """# Gallery

`semiosis figure KIND STUDY` draws a kind of figure. A [report](figures.md#the-report) and an
[evidence bundle](exports.md) contain those that are about the whole study. The figures below are drawn from
the bundled sample study. Its judges have no costs and its cascades two rounds, so the figures of costs and of
drift add made-up costs and let a second picture stand for a third round.
"""


def write_gallery(docs: Path) -> None:
    """Write `gallery.md` from the registries, and one PNG for each kind of figure unless they are there."""
    if not (docs / "gallery").exists():
        _draw(docs / "gallery")
    (docs / "gallery.md").write_text("\n".join(_page(docs / "gallery")), encoding="utf-8")


def _page(pictures: Path) -> Iterator[str]:
    yield HEAD
    yield "## Figures\n"
    for name, entry in FIGURES.items():
        yield f"### {name}\n\n{entry.about} Needs {', '.join(entry.needs)}.\n"
        yield f"```console\n$ semiosis figure {name} STUDY\n```\n"
        if (pictures / f"{name}.png").exists():  # the sample has no scores
            yield f"![{entry.title}](gallery/{name}.png)\n"
        if name == "card":
            yield "![A Chinese prompt with marked spans next to four cards](gallery/card-text.png)\n"
    yield "## Tables\n"
    for name, table in TABLES.items():
        yield f"- **{name}**: {table.about} Needs {', '.join(table.needs)}."


def _draw(folder: Path) -> None:
    study = _with_third_rounds(_with_costs(_with_alignment_judge(read_study(data("graphs/sample")))))
    for kind, entry in FIGURES.items():
        if "scores" in entry.needs:  # the sample has none
            continue
        save_figure(_first(study, kind, SHOWN.get(kind)), folder / f"{kind}.png")
    save_figure(_first(study, "card", DisplayOptions(only="听雨")), folder / "card-text.png")


def _first(study: Study, kind: str, options: DisplayOptions | None) -> Figure:
    return next(study_figures(study, kind, options))[1]


def _with_alignment_judge(study: Study) -> Study:
    by_hand = [alignment for alignment in study.alignments.values() if alignment.aligner == "person"]
    judge = AlignmentJudge(alignments=by_hand, name="alignment (fates by hand)")
    outcomes = run(study, [StudyJudge(judge, ReadingRule())], record=False)
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    return replace(study, observations={**study.observations, **{v.id: v for v in verdicts}})


def _with_costs(study: Study) -> Study:
    """Return the study with a made-up cost of each verdict of one judge."""
    paid = {
        id_: value.model_copy(update={"usage": Usage(calls=1, cost=0.01)})
        for id_, value in study.observations.items()
        if isinstance(value, Verdict) and value.evaluator.name.startswith("Citing judge")
    }
    return replace(study, observations={**study.observations, **paid})


def _with_third_rounds(study: Study) -> Study:
    """Return the study with a cascade: a prompt, the picture by Lodestar, and that by Plainhand after it."""
    title = "A poster for the glaciers"
    prompt, first, second = (
        _reading(study, name) for name in (title, f"{title}, by Overtone", f"{title}, by Plainhand")
    )
    # Alignments that weight nodes by importance are not pooled with others, and only the prompt states it.
    semioses = {n: node.model_copy(update={"importance": None}) for n, node in prompt.semioses.items()}
    prompt = HSG(prompt.sign, semioses, prompt.relations, prompt.reading)
    sign = second.sign.model_copy(update={"prompt": first.sign.id})
    last = HSG(sign, second.semioses, second.relations, second.reading)
    chain = [prompt, first, last]
    alignments = diff_many([*pairwise(chain), (prompt, last)])
    return replace(
        study,
        signs={**study.signs, sign.id: sign},
        hsgs={hsg.id: hsg for hsg in chain} | dict(study.hsgs),
        alignments={**study.alignments, **{alignment.id: alignment for alignment in alignments}},
    )


def _reading(study: Study, title: str) -> HSG:
    return next(hsg for hsg in study.hsgs.values() if hsg.sign.title == title and hsg.blind)
