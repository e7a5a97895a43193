"""The report of a study, a folder of pages that open from disk without a network."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

from semiosis.files import atomic_write, listed_files, output_archive, output_folder, write_zip
from semiosis.report._comparison import comparison_page
from semiosis.report._images import ImageFolder
from semiosis.report._judged import JudgedComparison, comparison_title, entry, striking_view
from semiosis.report._report_figures import ReportFigure, report_tables, write_figures
from semiosis.report._template import render_page, style_sheet, template_file
from semiosis.report._unaligned import unaligned_page
from semiosis.study import (
    Study,
    audit_statement,
    compare_study,
    picture_grid,
    require_no_keys,
    require_signs,
    study_alignments,
    summary,
)
from semiosis.tables import in_plain_words, to_html
from semiosis.values import (
    HSG,
    Alignment,
    Comparison,
    ImageSign,
    Outcome,
    UsageError,
)
from semiosis.values import outcomes as resolve_outcomes

COMMAND = "semiosis report"


def write_report(
    study: Study, folder: str | Path, *, aligner: str = "", archive: bool = False, overwrite: bool = False
) -> Path:
    """Write the report of a study into a folder and return its first page, or the zip archive.

    The pages load nothing from a network. Images are small copies, which are cached in the study. An earlier
    report may be replaced if nobody changed it; other files of the same names need `overwrite`.
    """
    require_signs(study)
    require_no_keys(study.folder)
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
    alignments = _alignments_by_signs(study, aligner)
    outcomes = _outcomes_by_comparison(study)
    audited = audit_statement(study, alignments.values())
    judged = [
        JudgedComparison(comparison, _diffs(comparison, alignments), outcomes.get(comparison.id, ()))
        for comparison in study.comparisons.values()
    ]
    for comparison in judged:
        page = _page(study, comparison, images, audited)
        atomic_write(home / "comparisons" / f"{comparison.comparison.id}.html", page)
    figures = list(write_figures(study, home / "figures", aligner))
    pictures = _write_pictures(study, home, images)
    atomic_write(home / "index.html", _index(study, judged, images, figures, aligner, pictures))


def _alignments_by_signs(study: Study, aligner: str) -> dict[tuple[str, str], Alignment]:
    """Return the alignments of one procedure by their signs, or none if the study has none."""
    try:
        alignments = study_alignments(study, aligner)
    except UsageError:
        if aligner:
            raise
        return {}
    return {(alignment.source.sign, alignment.target.sign): alignment for alignment in alignments}


def _diffs(
    comparison: Comparison, alignments: dict[tuple[str, str], Alignment]
) -> tuple[Alignment, Alignment] | None:
    a, b = (alignments.get((comparison.prompt, artifact)) for artifact in (comparison.a, comparison.b))
    return (a, b) if a and b and a.source.hsg == b.source.hsg else None


def _outcomes_by_comparison(study: Study) -> dict[str, list[Outcome]]:
    by_comparison: dict[str, list[Outcome]] = {}
    for outcome in resolve_outcomes(study.verdicts):
        by_comparison.setdefault(outcome.comparison, []).append(outcome)
    return by_comparison


def _page(study: Study, judged: JudgedComparison, images: ImageFolder, audited: str) -> str:
    title = comparison_title(study, judged.comparison)
    verdicts = [verdict for outcome in judged.outcomes for verdict in outcome.verdicts]
    index = "../index.html"

    def address(sign: ImageSign) -> str:
        return f"../images/{images.address(sign)}"

    hsgs = _aligned_hsgs(study, judged.diffs) if judged.diffs else None
    if judged.diffs is None or hsgs is None:
        return unaligned_page(
            study, judged.comparison, verdicts, title=title, image_file=address, index=index
        )
    return comparison_page(
        *hsgs,
        *judged.diffs,
        title=title,
        verdicts=verdicts,
        labels=study.judge_labels,
        audited=audited,
        image_file=address,
        index=index,
    )


def _aligned_hsgs(study: Study, diffs: tuple[Alignment, Alignment]) -> tuple[HSG, HSG, HSG] | None:
    """Return the readings of the prompt and of both artifacts; None if the study lacks one of them."""
    prompt, a, b = map(study.hsg, (diffs[0].source.hsg, diffs[0].target.hsg, diffs[1].target.hsg))
    return (prompt, a, b) if prompt and a and b else None


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
    study: Study,
    judged: Sequence[JudgedComparison],
    images: ImageFolder,
    figures: Sequence[ReportFigure],
    aligner: str,
    pictures: str,
) -> str:
    """Return the first page: the main result, one comparison, and then everything."""
    entries = [entry(study, comparison, images) for comparison in judged]
    (_, first_table), *tables = report_tables(study, aligner)
    first_figure, *other_figures = figures
    return render_page(
        "report.html",
        style_sheet("report.css"),
        script=template_file("report.js"),
        image_source="'self'",
        title=study.head.title or study.head.name,
        about=study.head.about,
        licence=study.head.licence,
        name=study.head.name,
        first_table=to_html(first_table),
        first_figure=first_figure,
        sentences=_sentences(study),
        striking=striking_view(study, judged, images),
        tables=[to_html(table) for _, table in tables],
        figures=other_figures,
        pictures=pictures,
        entries=entries,
        generators=sorted({name for line in entries for name in line.generators if name}),
        traditions=sorted({line.tradition for line in entries if line.tradition}),
        counts=summary(study),
        readers=_readers(study),
        aligners=sorted({f"{a.aligned_by}: {a.procedure}" for a in study.alignments.values()}),
        evaluators=_evaluators(study),
    )


def _sentences(study: Study) -> list[str]:
    """Return what the table of judges shows, in plain words; nothing if no person has judged."""
    try:
        return in_plain_words(compare_study(study))
    except UsageError:
        return []


def _readers(study: Study) -> list[str]:
    return sorted(
        {f"{hsg.reading.interpreter.name}, a {hsg.reading.interpreter.kind}" for hsg in study.hsgs.values()}
    )


def _evaluators(study: Study) -> list[str]:
    evaluators = {observed.evaluator.id: observed.evaluator for observed in study.observations.values()}
    return sorted(
        f"{evaluator.name}, a {evaluator.kind}"
        + "".join(f", {key} {value}" for key, value in sorted(evaluator.parameters.items()))
        for evaluator in evaluators.values()
    )


def _pack(home: Path, target: Path) -> None:
    """Pack a report into an archive. The same report always gives the same bytes."""
    write_zip(
        target, {f"{home.name}/{name}": home / name for name in listed_files(home)}, zipfile.ZIP_DEFLATED
    )
