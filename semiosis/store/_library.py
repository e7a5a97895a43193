"""The query library: Cypher files with a header that states their purpose, parameters and columns."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from semiosis.files import data
from semiosis.store._cypher_file import literal
from semiosis.store._protocol import ROW_LIMIT, TIMEOUT, QueryResult, Store
from semiosis.store._schema import add_prefix
from semiosis.values import DataError, UsageError

_HEADER_LINE = re.compile(r"//\s*(?P<name>\w+):\s*(?P<value>.*)")
_PARAMETER = re.compile(r"(?P<name>\w+)(?:\s*=\s*(?P<default>\S+))?\s*(?:—\s*(?P<about>.*))?")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a library query."""

    name: str
    """Its name in the Cypher: `$name`."""
    about: str
    """What it selects."""
    default: float | str | None = None
    """The value if it is not given; None if it is required."""


@dataclass(frozen=True)
class LibraryQuery:
    """A query of the library."""

    name: str
    """Its name on the command line: `semiosis query lost-intent`."""
    purpose: str
    """What it answers."""
    columns: tuple[str, ...]
    """The columns of its rows."""
    cypher: str
    """The query itself."""
    example: str
    """A command line that works on the sample study."""
    parameters: tuple[Parameter, ...] = field(default=())
    """Its parameters, in the order of the file."""

    def bind(self, arguments: Mapping[str, str]) -> dict[str, float | str]:
        """Return a value for every parameter; refuse unknown and missing ones."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in arguments:
            if name not in known:
                options = ", ".join(f"--{name}" for name in known) or "no parameters"
                raise UsageError(
                    f"the query {self.name!r} has no parameter {name!r}", fix=f"the query takes {options}"
                )
        missing = [p for p in self.parameters if p.default is None and p.name not in arguments]
        if missing:
            needed = "; ".join(f"--{p.name} ({p.about})" for p in missing)
            raise UsageError(f"the query {self.name!r} needs {needed}", fix=f"for example: {self.example}")
        return {
            name: _typed(p, arguments[name]) if name in arguments else p.default or ""
            for name, p in known.items()
        }

    def with_arguments(self, arguments: Mapping[str, str]) -> str:
        """Return the Cypher with the values of its parameters in it, ready to run in any Cypher shell."""
        cypher = self.cypher
        for name, value in self.bind(arguments).items():
            cypher = literal(value).join(re.split(rf"\${name}\b", cypher))
        return f"// {self.purpose}\n{cypher};\n"

    def run(
        self,
        store: Store,
        arguments: Mapping[str, str] = MappingProxyType({}),
        *,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> QueryResult:
        """Return the rows of the query on a store, with its label prefix. An unknown study is refused."""
        study = arguments.get("study", "")
        if study and study not in (known := store.studies()):
            raise UsageError(
                f"there is no study {study!r}",
                where=store.address,
                fix=f"choose one of: {', '.join(known)}" if known else "save a study there first",
            )
        cypher = add_prefix(self.cypher, store.label_prefix)
        return store.query(cypher, self.bind(arguments), timeout=timeout, limit=limit)


def library() -> dict[str, LibraryQuery]:
    """Return every query of the library, by name."""
    files = sorted(data("graphs/queries").glob("*.cypher"))
    return {file.stem: read_query(file) for file in files}


def library_query(name: str) -> LibraryQuery:
    """Return the query with this name."""
    queries = library()
    if name not in queries:
        close = get_close_matches(name, queries, n=3)
        fix = f"did you mean {' or '.join(map(repr, close))}?" if close else "see: semiosis query --list"
        raise UsageError(f"the library has no query {name!r}", fix=fix)
    return queries[name]


def read_query(file: Path) -> LibraryQuery:
    """Read a query from a file: a header of `// name: value` lines, then Cypher."""
    header: dict[str, list[str]] = {}
    lines = file.read_text(encoding="utf-8").splitlines()
    for line in lines:
        if match := _HEADER_LINE.fullmatch(line):
            header.setdefault(match["name"], []).append(match["value"].strip())
    try:
        return LibraryQuery(
            name=file.stem,
            purpose=" ".join(header["purpose"]),
            columns=tuple(column.strip() for column in header["columns"][0].split(",")),
            cypher="\n".join(line for line in lines if not line.startswith("//")).strip(),
            example=header["example"][0],
            parameters=tuple(_parameter(text) for text in header.get("parameter", [])),
        )
    except (KeyError, AttributeError) as error:
        raise DataError(
            f"the header of the query lacks {error}",
            where=str(file),
            fix="add it; see graphs/queries for examples",
        ) from error


def _parameter(text: str) -> Parameter:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise AttributeError("a parameter of the form 'name = default — meaning'")
    default: float | str | None = match["default"]
    if default is not None:
        default = "" if default == '""' else _number_or_text(str(default))
    return Parameter(match["name"], match["about"] or "", default)


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _typed(parameter: Parameter, text: str) -> float | str:
    if not isinstance(parameter.default, float):
        return text
    number = _number_or_text(text)
    if isinstance(number, str):
        raise UsageError(f"--{parameter.name} takes a number, not {text!r}", fix=parameter.about)
    return number
