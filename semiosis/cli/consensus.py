"""`semiosis consensus`: one HSG for all readers of a sign, with the share of readers that have each node."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import Format, remark, show_rows
from semiosis.cli.agreement import (
    EmbedderOption,
    GivenOption,
    LanguageOption,
    ReaderOption,
)

if TYPE_CHECKING:
    from semiosis.values import HSG

COLUMNS = ("sign", "readers", "nodes", "all readers", "some", "one reader")


def consensus(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    reader: ReaderOption = None,
    given: GivenOption = False,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="Count every repeat of a reader, not only the first.")
    ] = False,
    embedder: EmbedderOption = "wordllama",
    language: LanguageOption = "",
    name: Annotated[str, typer.Option(help="The name of the run in the record.")] = "consensus",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Record nothing.")] = False,
    form: Annotated[Format, typer.Option("--format", help="The format of the output.")] = "table",
) -> None:
    """Merge the readings of each sign into one HSG with the share of readers that have each node.

    The texts come from the most central reading. Nodes that only some readers have are kept with their
    share. The HSGs are recorded in the study. Run the command again after adding readings.

    [bold]Examples[/bold]

    $ semiosis consensus STUDY

    $ semiosis consensus STUDY --reader Ada --reader Bo --dry-run

    $ semiosis query only-one-reader --store STUDY
    """
    from semiosis.align import aligner_of
    from semiosis.study import consensus_run, read_study

    opened = read_study(study)
    found = consensus_run(
        opened,
        aligner=aligner_of(embedder),
        rule=models.reading_rule(given=given, language=language),
        readers=reader or (),
        repeats=repeats,
    )
    if not dry_run:
        opened.add(found.new, name)
    show_rows(COLUMNS, [_row(hsg) for hsg in found.hsgs], form)
    remark(f"{len(found.hsgs)} consensus HSGs, {len(found.new)} new; nodes matched by {found.procedure}")
    if found.n_single:
        remark(f"signs with only one reading, which becomes the consensus: {found.n_single}")
    if found.n_refused:
        remark(
            f"readings left out because of their script: {found.n_refused}; try --embedder use-multilingual"
        )
    for note in found.notes:
        remark(note)


def _row(hsg: "HSG") -> dict[str, str | int]:
    readers = len(hsg.reading.given)
    nodes_by_readers = Counter(len(semiosis.sources) for semiosis in hsg.semioses.values())
    counts = {
        "all readers": nodes_by_readers[readers],
        "one reader": nodes_by_readers[1] if readers > 1 else 0,
    }
    some = len(hsg) - sum(counts.values())
    title = hsg.sign.title or getattr(hsg.sign, "text", "") or hsg.sign.id
    return {"sign": title, "readers": readers, "nodes": len(hsg), "some": some, **counts}
