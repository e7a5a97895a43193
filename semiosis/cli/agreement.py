"""`semiosis agreement`: how far the readers of a study agree, against chance."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from semiosis.cli._output import remark, show_json

if TYPE_CHECKING:
    from semiosis.study import ReadingRule

Form = Literal["text", "markdown", "csv", "latex"]
Unit = Literal["prompt", "sign"]
Embedder = Annotated[
    str, typer.Option(help="What matches nodes: wordllama, minilm, use-multilingual or hf:<id>.")
]
ReaderNames = Annotated[
    list[str] | None, typer.Option("--reader", help="Only readings by this reader. May be repeated.")
]
Given = Annotated[bool, typer.Option("--given", help="Use readings that saw the prompt, not blind ones.")]
Language = Annotated[str, typer.Option(help="Only readings in this language, such as en or zh.")]
Prompts = Annotated[
    int | None, typer.Option(min=1, max=2, help="Only readings with this version of the prompts.")
]


def agreement(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    reader: ReaderNames = None,
    given: Given = False,
    embedder: Embedder = "wordllama",
    language: Language = "",
    prompts: Prompts = None,
    signs: Annotated[bool, typer.Option("--signs", help="Also print a table sign by sign.")] = False,
    unit: Annotated[Unit, typer.Option(help="What the intervals are over.")] = "prompt",
    crossed: Annotated[int, typer.Option(min=1, help="Other signs drawn for each pair, for chance.")] = 10,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    form: Annotated[Form, typer.Option("--format", help="How to print the tables.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show how far two readers of one sign agree, and how much of that is above chance.

    Compares the readings of every two readers, and the repeats of each reader: matched nodes, places,
    relations and grounds. Chance is what readers of different signs share.

    [bold]Examples[/bold]

    $ semiosis agreement STUDY

    $ semiosis agreement STUDY --signs --format markdown

    $ semiosis agreement STUDY --reader Ada --reader Bo --embedder minilm
    """
    from semiosis.align import aligner_of
    from semiosis.report import RENDERERS, agreement_tables, to_text
    from semiosis.stats import as_dict
    from semiosis.study import read_study, reader_agreement

    found = reader_agreement(
        read_study(study),
        aligner=aligner_of(embedder),
        rule=reading_rule(given, prompts, language),
        readers=reader or (),
        unit=unit,
        crossed=crossed,
        level=level,
        seed=seed,
    )
    if as_json:
        show_json(as_dict(found))
        return
    width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
    for number, table in enumerate(agreement_tables(found, signs=signs)):
        text = to_text(table, width) if form == "text" else RENDERERS[form](table)
        sys.stdout.write(("\n" if number else "") + text)
        for note in table.remarks if form == "csv" else ():  # CSV has no place for notes
            remark(note)


def reading_rule(given: bool, prompts: int | None, language: str) -> "ReadingRule":
    """Return the rule that the options describe."""
    from semiosis.study import ReadingRule

    return ReadingRule(given=given, prompts=1 if prompts == 1 else 2 if prompts else None, language=language)
