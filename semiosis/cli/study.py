"""`semiosis study`: create, fill, check and summarise a study folder."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from semiosis.cli._importing import (
    ColumnOption,
    DryRunOption,
    EncodingOption,
    command,
    named_columns,
    report_added,
)
from semiosis.cli._output import remark, show, show_json, show_rows
from semiosis.cli._unscored import counted
from semiosis.cli.store import DependentsOption, report_removed
from semiosis.cli.store import DryRunOption as RemoveDryRunOption

app = typer.Typer(help="Create, fill, check and summarise a study folder.", no_args_is_help=True)

FolderArgument = Annotated[str, typer.Argument(metavar="STUDY", help="The study folder.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def new(
    folder: FolderArgument,
    name: Annotated[str, typer.Option(help="Short name; the name of the folder by default.")] = "",
    title: Annotated[str, typer.Option(help="The title that pages and tables show.")] = "",
    about: Annotated[str, typer.Option(help="A description of the study.")] = "",
    licence: Annotated[str, typer.Option(help="Terms of use, such as CC0-1.0.")] = "",
    language: Annotated[
        str, typer.Option(help="Language of graphs and rationales, such as de; English by default.")
    ] = "",
) -> None:
    """Create an empty study.

    [bold]Example[/bold]

    $ semiosis study new annunciations --title "Annunciations by five generators"
    """
    from semiosis.study import new_study

    made = new_study(folder, name=name, title=title, about=about, licence=licence, language=language)
    remark(f"created the study {made.head.name!r} in {made.folder}")
    remark(f"next: {command('study', 'add', folder, 'prompts.csv', 'images', '--dry-run')}")


@app.command()
def check(folder: FolderArgument, as_json: JsonOption = False) -> None:
    """Check every line, reference, image and citation; the exit code is 1 if there is a problem.

    [bold]Example[/bold]

    $ semiosis study check annunciations
    """
    from semiosis.study import check_study

    problems = check_study(folder)
    if as_json:
        show_json([asdict(problem) for problem in problems])
    elif problems:
        show_rows(("where", "what"), [asdict(problem) for problem in problems], "table")
    if problems:
        remark(counted(len(problems), "problem"), style="red")
        raise typer.Exit(1)
    remark("no problems: every line, reference, image and citation is valid", style="green")


@app.command()
def summary(folder: FolderArgument, as_json: JsonOption = False) -> None:
    """Count the values of a study.

    [bold]Example[/bold]

    $ semiosis study summary annunciations
    """
    from semiosis.study import read_study
    from semiosis.study import summary as count

    study = read_study(folder)
    show_rows(
        ("what", "n", "detail"), [asdict(line) for line in count(study)], "json" if as_json else "table"
    )
    for file in study.torn:
        remark(f"the last line of {file} is incomplete and is left out")


@app.command()
def add(
    folder: FolderArgument,
    sources: Annotated[
        list[Path],
        typer.Argument(help="A table of prompts (.csv, .tsv, .jsonl, .txt) and folders of pictures."),
    ],
    pairs: Annotated[
        str, typer.Option(help="Comparisons: within-prompt, all (across rounds and seeds), none, or a table.")
    ] = "within-prompt",
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    missing: Annotated[
        str,
        typer.Option(
            help="Record the pictures that generators lack as missing: refused, filtered or error.",
            metavar="REASON",
        ),
    ] = "",
    placeholder: Annotated[
        list[Path] | None,
        typer.Option(
            help="A picture of a content filter. Its copies are recorded as missing. May be repeated.",
            metavar="FILE",
        ),
    ] = None,
    link: Annotated[bool, typer.Option("--link", help="Hard-link pictures instead of copying them.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Add prompts, pictures and the comparisons between them. Adding twice changes nothing.

    A table with a file column has one row per picture. Without one, the path of a picture names its prompt by
    id or number, its generator, and its seed: p01/sdxl.png, p01_sdxl_seed2.png, sdxl/p01.png, sdxl/p01/2.png.
    A folder with metadata.csv or metadata.jsonl
    (a Hugging Face ImageFolder) needs no other table.

    [bold]Examples[/bold]

    $ semiosis study add annunciations prompts.csv images --dry-run

    $ semiosis study add annunciations imagefolder --pairs pairs.csv
    """
    from semiosis.study import add_pictures

    columns = named_columns(column)
    added = add_pictures(
        folder,
        *sources,
        pairs=pairs,
        columns=columns,
        encoding=encoding,
        missing=missing,
        placeholders=placeholder or (),
        link=link,
        dry_run=dry_run,
    )
    ready = added.study.comparisons and not added.study.observations
    report_added(added, dry_run, command("import", "votes", folder, "votes.csv") if ready else "")


@app.command()
def merge(
    folder: FolderArgument,
    source: Annotated[str, typer.Argument(help="The study whose values are added.")],
    dry_run: DryRunOption = False,
) -> None:
    """Add everything in another study to this one. Merging twice changes nothing.

    [bold]Example[/bold]

    $ semiosis study merge annunciations more-annunciations
    """
    from semiosis.study import merge_studies

    report_added(merge_studies(folder, source, dry_run=dry_run), dry_run)


@app.command()
def subset(
    folder: FolderArgument,
    target: Annotated[str, typer.Argument(help="The folder of the new study.")],
    prompt: Annotated[
        list[str], typer.Option(help="A prompt to include, by title, text or id. May be repeated.")
    ],
) -> None:
    """Create a study from some prompts, with their pictures and every value about them.

    [bold]Example[/bold]

    $ semiosis study subset annunciations two-prompts --prompt p01 --prompt p02
    """
    from semiosis.study import subset_study

    made = subset_study(folder, target, prompt)
    remark(
        f"created {made.folder} with {counted(len(made.signs), 'sign')} and "
        f"{counted(len(made.comparisons), 'comparison')}"
    )


@app.command()
def remove(
    folder: FolderArgument,
    names: Annotated[
        list[str] | None, typer.Argument(help="Prompts and pictures by name, and any values by id.")
    ] = None,
    evaluator: Annotated[
        str, typer.Option(help="Withdraw everything that this judge, scorer or person said.", metavar="NAME")
    ] = "",
    dependents: DependentsOption = False,
    dry_run: RemoveDryRunOption = False,
) -> None:
    """Remove values from a study. A value is kept if values that are not removed refer to it.

    What an evaluator said is withdrawn instead: it is kept in the folder of the study, and study restore
    brings it back. The picture files stay in the folder. To remove the values from a Neo4j as well, copy the
    study there again with --mirror.

    [bold]Examples[/bold]

    $ semiosis study remove annunciations p07 --dependents --dry-run

    $ semiosis study remove annunciations d17feeb920a6aa835638

    $ semiosis study remove annunciations --evaluator "alignment (wordllama)"
    """
    from semiosis.store import EmbeddedStore
    from semiosis.study import ids_of, withdraw
    from semiosis.values import UsageError

    if bool(names) == bool(evaluator):
        raise UsageError("name either values or one evaluator", fix="add ids, or --evaluator NAME")
    if evaluator:
        withdrawal = withdraw(folder, evaluator, dry_run=dry_run)
        for kind, n in Counter(value.kind for value in withdrawal.values).items():
            show(f"{kind:<12}{n:>8,}")
        remark(f"{'would withdraw' if dry_run else 'withdrew'} {counted(len(withdrawal.values), 'value')}")
        if not dry_run:
            remark(f"to undo it: {command('study', 'restore', folder, evaluator)}")
        return
    names = names or []
    with EmbeddedStore(folder) as store:
        report_removed(store.remove(*ids_of(folder, names), dependents=dependents, dry_run=dry_run), dry_run)


@app.command()
def restore(
    folder: FolderArgument,
    evaluator: Annotated[
        str, typer.Argument(help="The judge, scorer or person whose values were withdrawn.")
    ],
    dry_run: DryRunOption = False,
) -> None:
    """Bring back what an evaluator said, after study remove --evaluator.

    [bold]Example[/bold]

    $ semiosis study restore annunciations "alignment (wordllama)"
    """
    from semiosis.study import restore as restore_evaluator

    report_added(restore_evaluator(folder, evaluator, dry_run=dry_run), dry_run)


@app.command()
def votes(
    folder: FolderArgument,
    scale: Annotated[
        list[str] | None,
        typer.Option(help="The scale of the ratings; the first by default. May be repeated."),
    ] = None,
    combine: Annotated[
        Literal["mean", "geometric", "min"],
        typer.Option(help="How several scales become one number, each brought to the range from 0 to 1."),
    ] = "mean",
    tie_within: Annotated[
        float, typer.Option(min=0, max=1, help="The largest difference that is a tie, from 0 to 1.")
    ] = 0.0,
    dry_run: DryRunOption = False,
) -> None:
    """Derive votes from the ratings of people: the picture with the higher rating wins.

    The rule is recorded with every vote. Votes let judges of pairs be compared with people who rated.

    [bold]Example[/bold]

    $ semiosis study votes imagenhub --scale SC --scale PQ --combine geometric
    """
    from semiosis.study import derive_votes

    added = derive_votes(folder, scale or (), combine=combine, tie_within=tie_within, dry_run=dry_run)
    report_added(added, dry_run, command("stats", folder))
