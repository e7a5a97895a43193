"""`semiosis judge`: which of two artifacts keeps more of a prompt's meaning."""

import json
from typing import Annotated

import typer

from semiosis.cli._output import show, show_json

File = Annotated[str, typer.Argument(help="An HSG: hand-written YAML or JSON.")]


def judge(
    prompt: File,
    a: File,
    b: File,
    embedder: Annotated[str, typer.Option(help="Who compares the texts.")] = "wordllama",
    save: Annotated[str, typer.Option(help="Save HSGs and verdict to this study folder or address.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Compare two artifacts of one prompt by alignment: the one that keeps more of the prompt wins.

    [bold]Example[/bold]

    $ semiosis judge prompt.yaml a.yaml b.yaml
    """
    from semiosis.judge import AlignmentJudge
    from semiosis.values import Comparison, read_hsg, to_json

    hsgs = [read_hsg(file) for file in (prompt, a, b)]
    outcome = AlignmentJudge(embedder).compare(*hsgs)
    verdict = outcome.verdicts[0]
    if save:
        from semiosis.store import open_store

        signs = [hsg.sign.id for hsg in hsgs]
        with open_store(save) as store:
            store.save(*hsgs, Comparison(prompt=signs[0], a=signs[1], b=signs[2]), verdict)
    if as_json:
        show_json(json.loads(to_json(verdict)))
    else:
        show(f"{outcome.winner}: {verdict.rationale} ({verdict.evaluator.name})")
