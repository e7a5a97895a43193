"""The options and messages that `align` and `diff` share: the embedder, its quality, and its languages."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._output import remark

EmbedderOption = Annotated[
    str,
    typer.Option(
        help="The embedder that compares the texts: wordllama, minilm, use-multilingual or hf:<id>."
    ),
]
WeightsOption = Annotated[
    Path | None,
    typer.Option(help="A file of alignment weights from python -m semiosis.align.fit."),
]


def show_embedder(embedder: str, weights: Path | None) -> None:
    """Print the embedder that aligns, and the measured quality of its alignments on real readings."""
    from semiosis.align import aligner_of

    measured = aligner_of(embedder, weights=weights).weights.quality
    remark(
        f"embedder: {embedder}, a screening method: on real readings F1 of matches is {measured.f1:.2f} "
        f"(n = {measured.prompts} prompts, {measured.pairs} pairs)",
        style="dim",
    )


@contextmanager
def measurement_warnings() -> Iterator[None]:
    """Print each warning about a language or a length that was not measured once, as a remark."""
    from semiosis.align import UnmeasuredLanguageWarning, UnmeasuredLengthWarning

    shown: set[str] = set()

    def show_once(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            remark(f"warning: {message}", style="yellow")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UnmeasuredLanguageWarning)
        warnings.simplefilter("always", UnmeasuredLengthWarning)
        warnings.showwarning = show_once
        yield
