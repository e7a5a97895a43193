"""`semiosis stats`: judges against a reference, from a study or from a CSV file."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from semiosis.cli._output import remark, show_json

if TYPE_CHECKING:
    from semiosis.report import Table

Form = Literal["text", "markdown", "csv", "latex"]
Rating = Literal["bradley-terry", "davidson", "elo", "thurstone"]
Unit = Literal["prompt", "prompt and generator", "prompt and annotator"]


def stats(
    where: Annotated[str, typer.Argument(metavar="STUDY|VOTES.CSV", help="A study folder, or a CSV file.")],
    reference: Annotated[
        list[str] | None,
        typer.Option(help="Evaluator (or CSV column) to compare with; several are taken by majority."),
    ] = None,
    judge: Annotated[list[str] | None, typer.Option(help="Only these judges (or CSV columns).")] = None,
    crowd: Annotated[
        list[str] | None, typer.Option(help="Annotators whose agreement filters the comparisons.")
    ] = None,
    baseline: Annotated[str, typer.Option(help="Judge to test the others against.")] = "",
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Test every judge against every other (Holm).")
    ] = False,
    margin: Annotated[
        float | None, typer.Option(min=0, help="Also test equivalence within this half credit.")
    ] = None,
    unit: Annotated[Unit, typer.Option(help="What the intervals are over.")] = "prompt",
    rating: Annotated[Rating, typer.Option(help="How SRCC and CCC rate generators.")] = "bradley-terry",
    prior: Annotated[
        float, typer.Option(min=0, help="Wins added each way between any two generators.")
    ] = 0.0,
    every: Annotated[
        bool, typer.Option("--each-on-its-own", help="Use each judge's own comparisons.")
    ] = False,
    fates: Annotated[
        bool,
        typer.Option("--fates", help="Show shares of fates instead, by aligner, generator and ground."),
    ] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print the table.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    resamples: Annotated[int, typer.Option(min=0, help="Resamples; 0 for no intervals.")] = 2_000,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the random generator.")] = 0,
    prompt_column: Annotated[str, typer.Option(help="CSV column of the prompt.")] = "prompt",
    a_column: Annotated[str, typer.Option(help="CSV column of artifact a or its generator.")] = "a",
    b_column: Annotated[str, typer.Option(help="CSV column of artifact b or its generator.")] = "b",
    evaluator_column: Annotated[str, typer.Option(help="CSV column of the evaluator (long).")] = "evaluator",
    winner_column: Annotated[str, typer.Option(help="CSV column of the winner (long).")] = "winner",
    encoding: Annotated[str, typer.Option(help="Encoding of the CSV file if it is not UTF-8.")] = "",
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Leave out rows that cannot be read.")
    ] = False,
) -> None:
    """Compare judges with a reference: half credit, KRCC, agreement, SRCC, CCC, VQA, flips.

    A CSV file is wide (prompt, a, b and one column per evaluator with a, b, tie or nothing) or long (prompt,
    a, b, evaluator, winner and optionally repeat, shown and p_a). In a study, the reference is by default the
    majority of the people who judged.

    [bold]Examples[/bold]

    $ semiosis stats annunciations

    $ semiosis stats votes.csv --reference human

    $ semiosis stats votes.csv --reference ann --reference bob --baseline clip --format latex

    $ semiosis stats votes.csv --reference human --all-pairs --margin 0.05

    $ semiosis stats annunciations --fates
    """
    from semiosis.report import judge_table, pairs_table
    from semiosis.stats import as_dict
    from semiosis.stats import compare as compare_votes
    from semiosis.study import Columns, compare_study, read_study, read_votes
    from semiosis.values import UsageError

    if fates:
        _show_fates(where, form, as_json=as_json)
        return
    settings: dict[str, Any] = {
        "judges": judge,
        "crowd": crowd or (),
        "baseline": baseline or None,
        "all_pairs": all_pairs,
        "margin": margin,
        "unit": unit,
        "rating": rating,
        "prior": prior,
        "common": not every,
        "resamples": resamples,
        "level": level,
        "seed": seed,
    }
    if Path(where).is_dir():
        result = compare_study(read_study(where), reference or (), **settings)
    elif not Path(where).exists():
        raise UsageError("there is no such study or CSV file", where=where, fix="check the path")
    elif not reference:
        raise UsageError("a CSV file needs a reference", where=where, fix="add --reference COLUMN")
    else:
        names = Columns(prompt_column, a_column, b_column, evaluator_column, winner_column)
        chosen = [*reference, *judge, *(crowd or ())] if judge else None
        read = read_votes(
            where, columns=names, evaluators=chosen, skip_bad_rows=skip_bad_rows, encoding=encoding
        )
        for row in read.bad:
            remark(f"left out {row}")
        result = compare_votes(read.votes, reference=reference, **settings)
    if as_json:
        show_json(as_dict(result))
        return
    _show_tables([judge_table(result), *([pairs_table(result)] if result.pairs else [])], form)


def _show_fates(where: str, form: Form, *, as_json: bool) -> None:
    from semiosis.report import fate_tables
    from semiosis.stats import as_dict
    from semiosis.study import read_study, study_fate_shares

    study = read_study(where)
    if as_json:
        show_json({by: as_dict(study_fate_shares(study, by)) for by in ("all", "generator", "ground")})
    else:
        _show_tables(fate_tables(study), form)


def _show_tables(tables: "Sequence[Table]", form: Form) -> None:
    from semiosis.report import RENDERERS, to_text

    for table in tables:
        width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
        rendered = to_text(table, width) if form == "text" else RENDERERS[form](table)
        sys.stdout.write(rendered + ("\n" if len(tables) > 1 else ""))
        for note in table.remarks if form == "csv" else ():  # CSV has no place for notes
            remark(note)
