"""`semiosis stats`: the comparison of judges with a reference, from a study or a CSV file."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from semiosis.cli._importing import ColumnOption, EncodingOption, named_columns
from semiosis.cli._inputs import WithoutOption, read_selected
from semiosis.cli._output import TableFormat, remark, show_json, show_tables

RatingName = Literal["bradley-terry", "davidson", "elo", "thurstone"]
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
        bool, typer.Option("--all-pairs", help="Test every judge against every other (Holm).")
    ] = False,
    margin: Annotated[
        float | None, typer.Option(min=0, help="Also test equivalence within this difference in half credit.")
    ] = None,
    unit: Annotated[IntervalUnit, typer.Option(help="The unit of the intervals.")] = "prompt",
    rating: Annotated[
        RatingName, typer.Option(help="The method that rates generators for SRCC and CCC.")
    ] = "bradley-terry",
    prior: Annotated[
        float, typer.Option(min=0, help="Wins added to each side of every pair of generators.")
    ] = 0.0,
    each_on_its_own: Annotated[
        bool,
        typer.Option(
            "--each-on-its-own",
            help="Measure each judge on all comparisons it scored, not only on those that all judges scored.",
        ),
    ] = False,
    fates: Annotated[
        bool,
        typer.Option("--fates", help="Show the shares of fates by aligner, generator and ground instead."),
    ] = False,
    form: Annotated[TableFormat, typer.Option("--format", help="The format of the tables.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    resamples: Annotated[
        int, typer.Option(min=0, help="The number of resamples; 0 for no intervals.")
    ] = 2_000,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="The level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="The seed of the random generator.")] = 0,
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Leave out rows that cannot be read.")
    ] = False,
) -> None:
    """Compare judges with a reference by half credit, KRCC, agreement, SRCC, CCC, VQA and flips.

    A CSV file is wide (prompt, a, b and one column per evaluator with a, b, tie or nothing) or long (prompt,
    a, b, evaluator, winner and optionally repeat, shown and p_a). For a study, the default reference is the
    majority of the people who judged.

    [bold]Examples[/bold]

    $ semiosis stats annunciations

    $ semiosis stats votes.csv --reference human

    $ semiosis stats votes.csv --reference ann --reference bob --baseline clip --format latex

    $ semiosis stats votes.csv --reference human --all-pairs --margin 0.05

    $ semiosis stats annunciations --fates
    """
    from semiosis.stats import as_dict
    from semiosis.stats import compare as compare_votes
    from semiosis.study import compare_study, read_votes
    from semiosis.tables import Table, judge_table, pairs_table, score_table
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
        "common": not each_on_its_own,
        "resamples": resamples,
        "level": level,
        "seed": seed,
    }
    lossy_scores: list[Table] = []
    if Path(where).is_dir():
        study = read_selected(where, without=without)
        result = compare_study(study, reference or (), **settings)
        scores = score_table(study)
        lossy_scores = [scores] if any(any(row[3:]) for row in scores.rows) else []
    elif not Path(where).exists():
        raise UsageError("there is no such study or CSV file", where=where, fix="correct the path")
    elif without:
        raise UsageError("--without needs a study", where=where, fix="name the judges with --judge")
    elif not reference:
        raise UsageError("a CSV file needs a reference", where=where, fix="add --reference COLUMN")
    else:
        file = read_votes(
            where,
            columns=named_columns(column),
            judges=[*reference, *judge, *(crowd or ())] if judge else None,
            skip_bad_rows=skip_bad_rows,
            encoding=encoding,
        )
        for row in file.bad:
            remark(f"left out: {row}")
        for note in file.notes:
            remark(f"note: {note}")
        result = compare_votes(file.votes, reference=reference, **settings)
    if as_json:
        show_json(as_dict(result))
        return
    show_tables([judge_table(result), *([pairs_table(result)] if result.pairs else []), *lossy_scores], form)


def _show_fates(where: str, form: TableFormat, *, as_json: bool) -> None:
    from semiosis.stats import as_dict
    from semiosis.study import read_study, study_fate_shares
    from semiosis.tables import fate_tables

    study = read_study(where)
    if as_json:
        show_json({by: as_dict(study_fate_shares(study, by)) for by in ("all", "generator", "ground")})
    else:
        show_tables(fate_tables(study), form)
