"""`semiosis stats`: judges against a reference, from a study or from a CSV file."""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from semiosis.cli._output import remark, show_json

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
    """
    from semiosis.report import RENDERERS, judge_table, pairs_table, to_text
    from semiosis.stats import as_dict
    from semiosis.stats import compare as compare_votes
    from semiosis.study import Columns, compare_study, read_study, read_votes
    from semiosis.values import UsageError

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
    elif not reference:
        raise UsageError("a CSV file needs a reference", where=where, fix="add --reference COLUMN")
    else:
        names = Columns(prompt_column, a_column, b_column, evaluator_column, winner_column)
        chosen = [*reference, *judge, *(crowd or ())] if judge else None
        read = read_votes(where, columns=names, evaluators=chosen, skip_bad_rows=skip_bad_rows)
        for row in read.bad:
            remark(f"left out {row}")
        result = compare_votes(read.votes, reference=reference, **settings)
    if as_json:
        show_json(as_dict(result))
        return
    for table in [judge_table(result), *([pairs_table(result)] if result.pairs else [])]:
        width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
        rendered = to_text(table, width) if form == "text" else RENDERERS[form](table)
        sys.stdout.write(rendered + ("\n" if result.pairs else ""))
        for note in table.remarks if form == "csv" else ():  # CSV has no place for notes
            remark(note)
