"""The report of a study, a folder of pages that open from disk without a network."""

import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from semiosis.files import atomic_write, listed_files, output_archive, output_folder, write_zip
from semiosis.report._comparison import comparison_page
from semiosis.report._judgments import OUTCOME_WORDS
from semiosis.report._report_figures import ReportFigure, report_tables, write_figures
from semiosis.report._template import render_page, style_sheet, template_file
from semiosis.report._thumbnails import ImageFolder
from semiosis.report._unaligned import unaligned_page
from semiosis.study import (
    Study,
    audit_statement,
    picture_grid,
    require_signs,
    study_alignments,
    summary,
)
from semiosis.tables import to_html
from semiosis.values import (
    Alignment,
    Comparison,
    ImageSign,
    Outcome,
    TextSign,
    Unscored,
    UsageError,
    parts_of,
)
from semiosis.values import outcomes as resolve_outcomes


@dataclass(frozen=True, slots=True)
class Entry:
    """One comparison in the list of comparisons."""

    page: str
    """The path of its page."""
    title: str
    """The prompt's title."""
    text: str
    """The prompt's text."""
    generators: tuple[str, str]
    """The generators of a and b."""
    tradition: str
    """The tradition of the prompt."""
    thumbnails: tuple[str, str]
    """The paths of the images of a and b; empty for a text."""
    flags: tuple[str, ...]
    """The filters that the comparison passes: disagreement, unscored, flip, reversed."""
    outcomes: tuple[tuple[str, str], ...]
    """The people with their counted outcomes, then every other evaluator with its outcome."""


COMMAND = "semiosis report"


def write_report(
    study: Study, folder: str | Path, *, aligner: str = "", archive: bool = False, overwrite: bool = False
) -> Path:
    """Write the report of a study into a folder and return its first page, or the zip archive.

    The pages load nothing from a network. Images are small copies, which are cached in the study. An earlier
    report may be replaced if nobody changed it; other files of the same names need `overwrite`.
    """
    require_signs(study)
    home = Path(folder) if Path(folder).name else Path(folder).resolve()
    target = home.with_name(f"{home.name}.zip")
    if archive:
        output_archive(target, COMMAND, overwrite=overwrite)
    with output_folder(home, COMMAND, overwrite=overwrite) as draft:
        _write_pages(study, draft, aligner)
    if archive:
        output_archive(target, COMMAND, overwrite=overwrite)
        _pack(home, target)
    return target if archive else home / "index.html"


def _write_pages(study: Study, home: Path, aligner: str) -> None:
    images = ImageFolder(study.folder, home / "images")
    (home / "comparisons").mkdir()
    pairs = _known_alignments(study, aligner)
    by_comparison = _outcomes_by_comparison(study)
    audited = audit_statement(study, pairs.values())
    entries = []
    for comparison in study.comparisons.values():
        diffs = _diffs(comparison, pairs)
        outcomes = by_comparison.get(comparison.id, ())
        atomic_write(
            home / "comparisons" / f"{comparison.id}.html",
            _page(study, comparison, diffs, outcomes, images, audited),
        )
        entries.append(_entry(study, comparison, diffs, outcomes, images))
    figures = list(write_figures(study, home / "figures", aligner))
    pictures = _write_pictures(study, home, images)
    atomic_write(home / "index.html", _index(study, entries, figures, aligner, pictures))


def _known_alignments(study: Study, aligner: str) -> dict[tuple[str, str], Alignment]:
    """Return the alignments of one procedure by their signs, or none if the study has none."""
    try:
        found = study_alignments(study, aligner)
    except UsageError:
        if aligner:
            raise
        return {}
    return {(alignment.source.sign, alignment.target.sign): alignment for alignment in found}


def _diffs(
    comparison: Comparison, known: dict[tuple[str, str], Alignment]
) -> tuple[Alignment, Alignment] | None:
    a, b = (known.get((comparison.prompt, artifact)) for artifact in (comparison.a, comparison.b))
    return (a, b) if a and b and a.source.hsg == b.source.hsg else None


def _outcomes_by_comparison(study: Study) -> dict[str, list[Outcome]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in resolve_outcomes(study.verdicts):
        found.setdefault(outcome.comparison, []).append(outcome)
    return found


def _page(
    study: Study,
    comparison: Comparison,
    diffs: tuple[Alignment, Alignment] | None,
    outcomes: Sequence[Outcome],
    images: ImageFolder,
    audited: str,
) -> str:
    title = _title(study, comparison)
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]

    def address(sign: ImageSign) -> str:
        return f"../images/{images.address(sign)}"

    hsgs = (
        [study.hsg(id_) for id_ in (diffs[0].source.hsg, diffs[0].target.hsg, diffs[1].target.hsg)]
        if diffs
        else []
    )
    if diffs and all(hsgs):
        prompt, a, b = (hsg for hsg in hsgs if hsg)
        return comparison_page(
            prompt,
            a,
            b,
            *diffs,
            title=title,
            verdicts=verdicts,
            labels=study.judge_labels,
            audited=audited,
            image_file=address,
            index="../index.html",
        )
    return unaligned_page(study, comparison, verdicts, title=title, image_file=address, index="../index.html")


def _entry(
    study: Study,
    comparison: Comparison,
    diffs: tuple[Alignment, Alignment] | None,
    outcomes: Sequence[Outcome],
    images: ImageFolder,
) -> Entry:
    prompt, a, b = (study.signs[id_] for id_ in (comparison.prompt, comparison.a, comparison.b))
    text = " ".join(part.text for part in parts_of(prompt) if isinstance(part, TextSign))
    small = [
        f"images/{images.address(sign, 'small')}" if isinstance(sign, ImageSign) else "" for sign in (a, b)
    ]
    return Entry(
        page=f"comparisons/{comparison.id}.html",
        title=_title(study, comparison),
        text=text,
        generators=(a.generator, b.generator),
        tradition=prompt.tradition,
        thumbnails=(small[0], small[1]),
        flags=tuple(_flags(diffs, outcomes)),
        outcomes=_outcome_words(outcomes, study.judge_labels),
    )


def _flags(diffs: tuple[Alignment, Alignment] | None, outcomes: Sequence[Outcome]) -> Iterator[str]:
    winners = [outcome.winner for outcome in outcomes]
    judged = {outcome.winner for outcome in outcomes if outcome.evaluator.kind != "program"}
    if {"a", "b"} <= judged:  # a baseline that tosses a coin disagrees with everybody
        yield "disagreement"
    if any(isinstance(winner, Unscored) for winner in winners):
        yield "unscored"
    if "flip" in winners:
        yield "flip"
    if diffs and any(fate.fate == "reversed" for diff in diffs for fate in diff.fates):
        yield "reversed"


def _outcome_words(outcomes: Sequence[Outcome], labels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return who judged, each with the outcome. Those of people are counted together."""
    people = Counter(_word(outcome) for outcome in outcomes if outcome.evaluator.kind == "person")
    counts = ", ".join(f"{OUTCOME_WORDS[word]} {people[word]}" for word in OUTCOME_WORDS if people[word])
    others = [outcome for outcome in outcomes if outcome.evaluator.kind != "person"]
    return (
        *((("people", counts),) if people else ()),
        *((labels[outcome.evaluator.id], OUTCOME_WORDS[_word(outcome)]) for outcome in others),
    )


def _word(outcome: Outcome) -> str:
    return "unscored" if isinstance(outcome.winner, Unscored) else outcome.winner


def _title(study: Study, comparison: Comparison) -> str:
    return study.signs[comparison.prompt].title or f"comparison {comparison.id}"


def _write_pictures(study: Study, home: Path, images: ImageFolder) -> str:
    """Write the page of all pictures and return its name; empty if the study has no pictures by name."""
    try:
        grid = picture_grid(study)
    except UsageError:
        return ""

    def address(sign: ImageSign, size: str) -> str:
        return f"images/{images.address(sign, size)}"

    page = render_page(
        "pictures.html",
        style_sheet("report.css"),
        image_source="'self'",
        title="Pictures by prompt and generator",
        grid=grid,
        address=address,
    )
    atomic_write(home / "pictures.html", page)
    return "pictures.html"


def _index(
    study: Study, entries: Sequence[Entry], figures: Sequence[ReportFigure], aligner: str, pictures: str
) -> str:
    return render_page(
        "report.html",
        style_sheet("report.css"),
        script=template_file("report.js"),
        image_source="'self'",
        title=study.head.title or study.head.name,
        about=study.head.about,
        licence=study.head.licence,
        name=study.head.name,
        counts=summary(study),
        tables=[to_html(table) for _, table in report_tables(study, aligner)],
        entries=entries,
        generators=sorted({name for entry in entries for name in entry.generators if name}),
        traditions=sorted({entry.tradition for entry in entries if entry.tradition}),
        figures=figures,
        pictures=pictures,
        readers=_readers(study),
        aligners=sorted({f"{a.aligned_by}: {a.procedure}" for a in study.alignments.values()}),
        evaluators=_evaluators(study),
    )


def _readers(study: Study) -> list[str]:
    return sorted(
        {f"{hsg.reading.interpreter.name}, a {hsg.reading.interpreter.kind}" for hsg in study.hsgs.values()}
    )


def _evaluators(study: Study) -> list[str]:
    known = {observed.evaluator.id: observed.evaluator for observed in study.observations.values()}
    return sorted(
        f"{evaluator.name}, a {evaluator.kind}"
        + "".join(f", {key} {value}" for key, value in sorted(evaluator.parameters.items()))
        for evaluator in known.values()
    )


def _pack(home: Path, target: Path) -> None:
    """Pack a report into an archive. The same report always gives the same bytes."""
    write_zip(
        target, {f"{home.name}/{name}": home / name for name in listed_files(home)}, zipfile.ZIP_DEFLATED
    )
