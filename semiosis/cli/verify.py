"""`semiosis verify`: the offline check of an evidence bundle."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._output import remark, show


def verify(
    bundle: Annotated[
        Path,
        typer.Argument(metavar="BUNDLE", help="A folder or zip file that semiosis export evidence wrote."),
    ],
) -> None:
    """Check an evidence bundle without a network.

    The command checks every hash, span, box, reference and citation, and recomputes every number of the
    tables. The exit code is 1 if there is a problem.

    [bold]Examples[/bold]

    $ semiosis verify evidence.zip
    """
    from semiosis.export import verify_bundle
    from semiosis.files import visible

    found = verify_bundle(bundle)
    for problem in found.problems:
        show(visible(f"{problem.where}: {problem.what}"))
    if found.problems:
        noun = "problem" if len(found.problems) == 1 else "problems"
        remark(f"{len(found.problems)} {noun} in {bundle}", style="red")
        raise typer.Exit(1)
    show("verified: " + ", ".join(f"{count:,} {name}" for name, count in found.checked.items()))
    show("Figures were checked by hash only; they were not drawn again.")
    if found.figures_by_hash_only:
        show("Captions were not recomputed, because Matplotlib is not installed.")
    show(f"SHA-256 of the manifest: {found.manifest_sha256}")
