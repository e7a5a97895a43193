"""`semiosis convert`: a release that is published as a pickle becomes a folder of safetensors."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._output import remark, show


def convert(
    release: Annotated[str, typer.Argument(help="The release: hpsv2, imagereward or aesthetic.")],
    source: Annotated[Path, typer.Argument(help="The file that its authors published (.pt or .pth).")],
    folder: Annotated[Path, typer.Argument(help="The new folder for the converted weights.")],
    processor: Annotated[
        str,
        typer.Option(
            help="A folder or hub id with tokenizer and image processor (for aesthetic, with the encoder); "
            "by default the release's own."
        ),
    ] = "",
) -> None:
    """Convert pickled weights to safetensors. The pickle is read once, without running code.

    [bold]Example[/bold]

    $ semiosis convert hpsv2 HPS_v2.1_compressed.pt weights/hpsv2.1
    """
    from typing import get_args

    from semiosis.score import Release, convert_release
    from semiosis.values import UsageError

    releases: tuple[Release, ...] = get_args(Release)
    kind = next((kind for kind in releases if kind == release), None)
    if kind is None:
        raise UsageError(f"there is no release {release!r}", fix=f"choose {', '.join(releases)}")
    home = convert_release(kind, source, folder, processor)
    show(f"converted {source} to {home}")
    remark(f"use it with: semiosis run STUDY --judge {kind}:{home}")
