"""The registries of the tables and the figures of a study. One entry declares one kind."""

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from semiosis.files import file_stem
from semiosis.study import Study
from semiosis.tables._table import Table
from semiosis.values import HSG, MissingExtraError, Rating, Score, UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from semiosis.figures import Width

Need = Literal["verdicts", "ratings", "readings", "alignments", "scores"]
"""A kind of value without which a table or figure of a study is empty."""


@dataclass(frozen=True)
class DisplayOptions:
    """What the tables and figures of a study show. Each uses the options that apply to it."""

    reference: tuple[str, ...] = ()
    """The evaluators to compare with; the people of the study if it is empty."""
    aligner: str = ""
    """The person, model or embedder whose alignments are shown."""
    condition: Literal["blind", "given"] = "blind"
    """Whether the alignments are of blind readings or of readings that were given the prompt."""
    reader: str = ""
    """The interpreter whose readings are shown."""
    only: str = ""
    """Part of a title or the start of an id. Only cards, pairs, cascades and pictures of it are drawn."""
    measure: str = ""
    """What ranks generators: votes, rating:SCALE, score:SCORER or judge:NAME; the first of these if empty."""
    by: str = ""
    """The division of the prompts of a ranking: tradition, tag or tag:NAME; no division if empty."""
    prior: float = 0.0
    """For ratings of generators: the number of wins added to each side of every pair of generators."""
    width: "Width | None" = None
    """The width of figures; None for the default of the kind of figure."""

    def shows(self, hsg: HSG) -> bool:
        """Return whether the sign of an HSG has this title or id."""
        return self.only.lower() in hsg.sign.title.lower() or hsg.sign.id.startswith(self.only)


@dataclass(frozen=True)
class TableEntry:
    """One kind of table: its name, what it needs, and the function that makes it from a study."""

    name: str
    """The name, in lower case with hyphens. It names the files of the table, too."""
    title: str
    """The heading under which a report shows it."""
    about: str
    """What it shows, in one or two sentences. The documentation contains them."""
    needs: tuple[Need, ...]
    """The values without which it is empty."""
    make: Callable[[Study, DisplayOptions], Iterator[Table]]
    """Yields the tables. Raises UsageError if the study lacks the data."""
    in_report: bool = True
    """Whether reports and evidence bundles contain it."""


@dataclass(frozen=True)
class FigureEntry:
    """One kind of figure: its name, what it needs, and the function that draws it from a study."""

    name: str
    """The name, in lower case with hyphens. The names of its files start with it."""
    title: str
    """The heading under which a report shows it."""
    about: str
    """What it shows, in one or two sentences. The help and the documentation contain them."""
    needs: tuple[Need, ...]
    """The values without which it is empty."""
    draw: "Callable[[Study, DisplayOptions], Iterator[tuple[str, Figure]]]"
    """Yields figures with the names of their files, without a suffix. Raises UsageError if the study lacks
    the data. It imports Matplotlib when it is called, so that the kinds can be listed without it."""
    in_report: bool = True
    """Whether reports and evidence bundles contain it."""
    table: str = ""
    """The table whose notes state the n and the method of the figure, too."""


TABLES: dict[str, TableEntry] = {}
"""The kinds of tables of a study, by name, in the order of a report."""
FIGURES: dict[str, FigureEntry] = {}
"""The kinds of figures of a study, by name."""


def register_table(entry: TableEntry) -> None:
    """Add a kind of table, which reports, evidence bundles and the documentation then contain."""
    _require_new(entry.name, TABLES, "table")
    TABLES[entry.name] = entry


def register_figure(entry: FigureEntry) -> None:
    """Add a kind of figure, which `semiosis figure`, reports, bundles and the documentation then contain."""
    _require_new(entry.name, FIGURES, "figure")
    FIGURES[entry.name] = entry


def _require_new(name: str, registered: Container[str], kind: str) -> None:
    if name != file_stem(name):
        raise UsageError(f"{name!r} cannot name a {kind}", fix="use lower-case letters, digits and hyphens")
    if name in registered:
        raise UsageError(f"there is a {kind} {name!r} already", fix="choose another name")


def study_tables(
    study: Study, kind: str, options: DisplayOptions | None = None
) -> Iterator[tuple[str, Table]]:
    """Yield the tables of one kind, each with a name for its file."""
    entry = TABLES.get(kind)
    if entry is None:
        raise UsageError(f"{kind!r} is not a kind of table", fix=f"choose one of {', '.join(TABLES)}")
    require_needs(study, entry.needs)
    for number, table in enumerate(entry.make(study, options or DisplayOptions())):
        yield (f"{kind}-{file_stem(table.title)}" if number else kind), table


def study_figures(
    study: Study, kind: str, options: DisplayOptions | None = None
) -> "Iterator[tuple[str, Figure]]":
    """Yield the figures of one kind, each with the name of its file.

    Raises UsageError if the study lacks the data, and MissingExtraError without Matplotlib.
    """
    entry = FIGURES.get(kind)
    if entry is None:
        raise UsageError(f"{kind!r} is not a kind of figure", fix=f"choose one of {', '.join(FIGURES)}")
    require_needs(study, entry.needs)
    try:
        yield from entry.draw(study, options or DisplayOptions())
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise MissingExtraError("figures need Matplotlib", "report") from error


def figure_kind(name: str) -> FigureEntry:
    """Return the kind of a figure from the name of its file."""
    kinds = [entry for entry in FIGURES.values() if name == entry.name or name.startswith(f"{entry.name}-")]
    return max(kinds, key=lambda entry: len(entry.name))


_HAS: dict[Need, Callable[[Study], bool]] = {
    "verdicts": lambda study: bool(study.verdicts),
    "ratings": lambda study: any(isinstance(value, Rating) for value in study.observations.values()),
    "readings": lambda study: bool(study.hsgs),
    "alignments": lambda study: bool(study.alignments),
    "scores": lambda study: any(isinstance(value, Score) for value in study.observations.values()),
}
"""Whether a study has values of each kind."""
_COMMANDS: dict[Need, str] = {
    "verdicts": "semiosis import votes {study} VOTES.csv, or semiosis run {study}",
    "ratings": "semiosis import ratings {study} RATINGS.csv",
    "readings": "semiosis read {study}",
    "alignments": "semiosis align {study}",
    "scores": "semiosis score {study} --scorer NAME",
}
"""The commands that add values of each kind."""


def require_needs(study: Study, needs: Sequence[Need]) -> None:
    """Raise UsageError, with the command to run, if a study has no values of a kind that is needed."""
    for need in needs:
        if not _HAS[need](study):
            fix = f"run: {_COMMANDS[need].format(study=study.folder)}"
            raise UsageError(f"the study has no {need}", where=str(study.folder), fix=fix)
