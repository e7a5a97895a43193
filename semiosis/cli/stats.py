"""`semiosis stats`: the comparison of judges with a reference, from a study or a CSV file."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from semiosis.cli._importing import ColumnOption, EncodingOption, named_columns
from semiosis.cli._inputs import WithoutOption, read_selected
from semiosis.cli._output import TableFormat, remark, show, show_json, show_tables

if TYPE_CHECKING:
    from semiosis.stats import JudgeTable
    from semiosis.tables import Table

RatingName = Literal["bradley-terry", "elo", "thurstone"]
IntervalUnit = Literal["prompt", "prompt and generator", "prompt and annotator"]


def stats(
    where: Annotated[str, typer.Argument(metavar="STUDY|VOTES.CSV", help="A study folder, or a CSV file.")],
    reference: Annotated[
        list[str] | None,
        typer.Option(
            help="An evaluator (or CSV column) to compare with. If repeated, the majority is the reference."
        ),
    ] = None,
    judge: Annotated[
        list[str] | None, typer.Option(help="Only this judge (or CSV column). May be repeated.")
    ] = None,
    without: WithoutOption = None,
    crowd: Annotated[
        list[str] | None,
        typer.Option(
            help="An annotator of the crowd, whose agreement filters the comparisons. May be repeated."
        ),
    ] = None,
    baseline: Annotated[str, typer.Option(help="The judge that the others are tested against.")] = "",
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Test every judge against every other.")
    ] = False,
    margin: Annotated[
        float | None, typer.Option(min=0, help="Also test equivalence within this difference in score.")
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Test whether a judge may stand in for a person (3 people or more)."),
    ] = False,
    epsilon: Annotated[
        float,
        typer.Option(min=0, max=1, help="For --replace: the margin that a person's cost is worth."),
    ] = 0.2,
    columns: Annotated[
        str,
        typer.Option(help="Further columns, such as krcc,agreement,alike,vqa; or all.", metavar="NAME,NAME"),
    ] = "",
    explain: Annotated[str, typer.Option(help="Explain this column and stop.", metavar="COLUMN")] = "",
    figure: Annotated[
        Path | None, typer.Option(help="Also draw the scores to this .pdf, .svg or .png file.")
    ] = None,
    unit: Annotated[IntervalUnit, typer.Option(help="The unit of the intervals of scores.")] = "prompt",
    rating: Annotated[
        RatingName, typer.Option(help="The method that rates generators for alike, srcc and ccc.")
    ] = "bradley-terry",
    prior: Annotated[
        float, typer.Option(min=0, help="Wins added to each side of every pair of generators.")
    ] = 0.0,
    fates: Annotated[
        bool,
        typer.Option("--fates", help="Show the shares of fates by aligner, generator and ground instead."),
    ] = False,
    form: Annotated[TableFormat, typer.Option("--format", help="The format of the tables.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="The level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="The seed of the random generator.")] = 0,
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Leave out rows that cannot be read.")
    ] = False,
) -> None:
    """Show how far judges agree with people: right +1, wrong −1, tie or no answer 0, mean over prompts.

    Judges and people are measured against the same people. A table is wide (prompt, a, b and one column per
    evaluator with a, b, tie or nothing) or long (prompt, a, b, evaluator, winner and optionally repeat, shown
    and p_a). For a study, the default reference is the people who judged.

    [bold]Examples[/bold]

    $ semiosis stats annunciations

    $ semiosis stats votes.csv --reference human --columns krcc,agreement,alike

    $ semiosis stats votes.csv --reference ann --reference bob --baseline clip --format latex

    $ semiosis stats votes.csv --reference human --all-pairs --margin 0.2

    $ semiosis stats annunciations --replace --epsilon 0.1

    $ semiosis stats annunciations --figure scores.pdf

    $ semiosis stats annunciations --explain score
    """
    from semiosis.stats import as_dict
    from semiosis.tables import explain_column

    if explain:
        show(explain_column(explain))
        return
    if fates:
        _show_fates(where, form, as_json=as_json)
        return
    result, title, lossy_scores = _compared(
        where,
        reference or [],
        judge,
        CsvOptions(named_columns(column), encoding, skip_bad_rows=skip_bad_rows),
        without,
        {
            "crowd": crowd or (),
            "baseline": baseline or None,
            "all_pairs": all_pairs,
            "margin": margin,
            "epsilon": epsilon if replace else None,
            "unit": unit,
            "rating": rating,
            "prior": prior,
            "level": level,
            "seed": seed,
        },
    )
    if figure is not None:
        _draw(result, figure)
    if as_json:
        show_json(as_dict(result))
        return
    _show(result, title, [name for name in columns.split(",") if name.strip()], form)
    if lossy_scores:
        sys.stdout.write("\n")
        show_tables(lossy_scores, form)


@dataclass(frozen=True)
class CsvOptions:
    """How the rows of a file are read."""

    columns: dict[str, str]
    encoding: str
    skip_bad_rows: bool


def _compared(
    where: str,
    reference: list[str],
    judges: list[str] | None,
    options: CsvOptions,
    without: list[str] | None,
    settings: dict[str, Any],
) -> "tuple[JudgeTable, str, list[Table]]":
    """Return the comparison of a study or of a file, its title, and the table of scores that lost input."""
    from semiosis.stats import compare
    from semiosis.study import compare_study, read_votes
    from semiosis.tables import score_table
    from semiosis.values import UsageError

    if Path(where).is_dir():
        study = read_selected(where, without=without)
        scores = score_table(study)
        lossy_scores = [scores] if any(any(row[3:]) for row in scores.rows) else []
        return compare_study(study, reference, judges=judges, **settings), study.head.name, lossy_scores
    if not Path(where).exists():
        raise UsageError("there is no such study or CSV file", where=where, fix="correct the path")
    if without:
        raise UsageError("--without needs a study", where=where, fix="name the judges with --judge")
    if not reference:
        raise UsageError("a CSV file needs a reference", where=where, fix="add --reference COLUMN")
    file = read_votes(
        where,
        columns=options.columns,
        judges=[*reference, *judges, *settings["crowd"]] if judges else None,
        skip_bad_rows=options.skip_bad_rows,
        encoding=options.encoding,
    )
    for row in file.bad:
        remark(f"left out: {row}")
    for note in file.notes:
        remark(f"note: {note}")
    return compare(file.votes, reference=reference, judges=judges, **settings), Path(where).name, []


def _show(result: "JudgeTable", title: str, columns: list[str], form: TableFormat) -> None:
    """Write the table of scores, or the wide table with further columns, and the tests asked for."""
    from semiosis.tables import judge_table, pairs_table, replacement_table, score_latex, score_text

    if form == "text" and not columns:
        width = shutil.get_terminal_size((80, 24)).columns
        sys.stdout.write(score_text(result, title, width))
    elif form == "latex" and not columns:
        sys.stdout.write(score_latex(result))
    else:
        show_tables([judge_table(result, columns)], form)
    tables = [pairs_table(result)] if result.pairs and (columns or form != "text") else []
    tables += [replacement_table(result)] if result.replacements else []
    if tables:
        sys.stdout.write("\n")
        show_tables(tables, form)


def _draw(result: "JudgeTable", file: Path) -> None:
    from semiosis.figures import judge_scores, save_figure

    save_figure(judge_scores(result, width="one-column"), file)
    remark(f"wrote {file}")


def _show_fates(where: str, form: TableFormat, *, as_json: bool) -> None:
    from semiosis.stats import as_dict
    from semiosis.study import read_study, study_fate_shares
    from semiosis.tables import fate_tables

    study = read_study(where)
    if as_json:
        show_json({by: as_dict(study_fate_shares(study, by)) for by in ("all", "generator", "ground")})
    else:
        show_tables(fate_tables(study), form)
