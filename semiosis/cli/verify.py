"""`semiosis verify`: checks an evidence bundle offline."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._output import remark, show


def verify(
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="A folder or zip file by semiosis export evidence.")
    ],
) -> None:
    """Check an evidence bundle, without a network.

    Checks every hash, span, box, reference and citation, and computes every number
    of the tables again. The exit code is 1 if something does not hold.

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
    show("Figures were checked by hash; their drawings are not compared.")
    if found.figures_by_hash_only:
        show("Captions were not computed again, because Matplotlib is not installed.")
    show(f"SHA-256 of the manifest: {found.manifest_sha256}")
