"""The grid of a study's pictures: one row for each prompt, one column for each generator."""

from collections.abc import Sequence
from dataclasses import dataclass

from semiosis.study._study import Study
from semiosis.values import AnySign, ImageSign, MissingSign, TextSign, UsageError, brief_repr, parts_of

GridPicture = ImageSign | MissingSign
"""A picture, or one that a generator failed to make."""


@dataclass(frozen=True)
class GridRow:
    """One prompt with the pictures that each generator made for it."""

    __repr__ = brief_repr

    prompt: AnySign
    """The prompt."""
    cells: tuple[tuple[GridPicture, ...], ...]
    """The pictures by each generator, in the order of the grid's generators and of their seeds."""

    @property
    def title(self) -> str:
        """The prompt's text, or its title if it has none."""
        texts = [part.text for part in parts_of(self.prompt) if isinstance(part, TextSign)]
        return " ".join(texts) or self.prompt.title or f"{self.prompt.kind} {self.prompt.id[:8]}"


@dataclass(frozen=True)
class PictureGrid:
    """The pictures of a study by prompt and by generator."""

    __repr__ = brief_repr

    generators: tuple[str, ...]
    """The generators, by name."""
    rows: tuple[GridRow, ...]
    """The prompts that have a picture, in the order of the study."""

    @property
    def n_missing(self) -> int:
        """The number of pictures that generators failed to make."""
        return sum(sign.kind == "missing" for row in self.rows for cell in row.cells for sign in cell)


def picture_grid(study: Study, only: str = "") -> PictureGrid:
    """Return the pictures of a study by prompt and generator.

    `only` selects prompts by a part of their title or text, or by the start of their id. Raises UsageError
    if no prompt has a picture by a named generator.
    """
    by_cell: dict[tuple[str, str], list[GridPicture]] = {}
    for sign in study.signs.values():
        prompt = _prompt_of(sign, study)
        if prompt and sign.generator and isinstance(sign, ImageSign | MissingSign):
            by_cell.setdefault((prompt, sign.generator), []).append(sign)
    generators = tuple(sorted({generator for _, generator in by_cell}))
    prompts = {prompt for prompt, _ in by_cell}
    rows = [
        GridRow(sign, tuple(_in_order(by_cell.get((id_, generator), ())) for generator in generators))
        for id_, sign in study.signs.items()
        if id_ in prompts
    ]
    selected = tuple(row for row in rows if _matches(row, only))
    if not selected:
        raise UsageError(
            "no prompt matches" if rows else "no prompt has a picture by a named generator",
            where=str(study.folder),
            fix="change --only" if rows else "set `generator` and `prompt` on the pictures",
        )
    return PictureGrid(generators, selected)


def _prompt_of(sign: AnySign, study: Study) -> str | None:
    """Return the prompt from which a picture was made: in a cascade, the sign at its start."""
    visited = set()
    while sign.prompt in study.signs and sign.id not in visited:
        visited.add(sign.id)
        sign = study.signs[sign.prompt]
    return sign.id if visited else None


def _in_order(signs: Sequence[GridPicture]) -> tuple[GridPicture, ...]:
    return tuple(sorted(signs, key=lambda sign: (sign.round, sign.seed, sign.id)))


def _matches(row: GridRow, only: str) -> bool:
    texts = (row.title.lower(), row.prompt.title.lower())
    return any(only.lower() in text for text in texts) or row.prompt.id.startswith(only)
