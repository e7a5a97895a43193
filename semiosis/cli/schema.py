"""`semiosis schema`: the JSON Schemas of the values."""

from typing import Annotated

import typer

from semiosis.cli._output import show_json


def schema(
    kind: Annotated[str, typer.Argument(help="A kind of value, such as hsg; all kinds by default.")] = "",
) -> None:
    """Print the JSON Schemas of the values.

    [bold]Examples[/bold]

    $ semiosis schema

    $ semiosis schema hsg > hsg.schema.json
    """
    from semiosis.values import KINDS
    from semiosis.values import schema as schema_of

    show_json(schema_of(kind) if kind else {name: schema_of(name) for name in KINDS})
