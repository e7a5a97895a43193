"""`semiosis agreement`: the agreement of a study's readers, observed and above chance."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import TableFormat, show_json, show_tables

IntervalUnit = Literal["prompt", "sign"]
EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder", help="The embedder that matches nodes: wordllama, minilm, use-multilingual or hf:<id>."
    ),
]
ReaderOption = Annotated[
    list[str] | None, typer.Option("--reader", help="Only readings by this reader. May be repeated.")
]
GivenOption = Annotated[
    bool, typer.Option("--given", help="Use readings that were given the prompt instead of blind ones.")
]
LanguageOption = Annotated[str, typer.Option(help="Only readings in this language, such as en or zh.")]


def agreement(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    reader: ReaderOption = None,
    given: GivenOption = False,
    embedder: EmbedderOption = "wordllama",
    language: LanguageOption = "",
    signs: Annotated[bool, typer.Option("--signs", help="Also print a table with one row per sign.")] = False,
    unit: Annotated[IntervalUnit, typer.Option(help="The unit of the intervals.")] = "prompt",
    crossed: Annotated[
        int, typer.Option(min=1, help="The number of other signs drawn for each pair to measure chance.")
    ] = 10,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="The level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="The seed of the random draws.")] = 0,
    form: Annotated[TableFormat, typer.Option("--format", help="The format of the tables.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show how far two readers of one sign agree, and how much of that is above chance.

    Compares the readings of each pair of readers, and the repeats of each reader: matched nodes, places,
    relations and grounds. Chance is the agreement of readers of different signs.

    [bold]Examples[/bold]

    $ semiosis agreement STUDY

    $ semiosis agreement STUDY --signs --format markdown

    $ semiosis agreement STUDY --reader Ada --reader Bo --embedder minilm
    """
    from semiosis.align import aligner_of
    from semiosis.stats import as_dict
    from semiosis.study import read_study, reader_agreement
    from semiosis.tables import agreement_tables

    found = reader_agreement(
        read_study(study),
        aligner=aligner_of(embedder),
        rule=models.reading_rule(given=given, language=language),
        readers=reader or (),
        unit=unit,
        crossed=crossed,
        level=level,
        seed=seed,
    )
    if as_json:
        show_json(as_dict(found))
        return
    show_tables(agreement_tables(found, signs=signs), form)
