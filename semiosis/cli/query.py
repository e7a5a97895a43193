"""`semiosis query`: Cypher or a library query on either store."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import Format, remark, show_rows, show_without_ids
from semiosis.cli._unscored import counted

if TYPE_CHECKING:
    from semiosis.store import LibraryQuery

QUERY_CONTEXT = {"allow_extra_args": True, "ignore_unknown_options": True}


def query(
    context: typer.Context,
    what: Annotated[str, typer.Argument(help="Cypher, or the name of a library query.")] = "",
    store: Annotated[
        str, typer.Option(envvar="SEMIOSIS_STORE", help="A study folder or a neo4j:// address.")
    ] = "",
    listing: Annotated[bool, typer.Option("--list", help="List the library queries.")] = False,
    form: Annotated[Format, typer.Option("--format", help="The format of the rows.")] = "table",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    timeout: Annotated[
        float, typer.Option(min=0.01, help="The maximum time of the query in seconds.")
    ] = 30.0,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of rows.")] = 10_000,
    ids: Annotated[
        bool, typer.Option("--ids", help="Show the ids and hashes of a library query in the table.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Allow the query to write (Neo4j only).")] = False,
) -> None:
    """Run Cypher or a library query.

    The parameters of a library query are options: --prompt, --artifact and so on. All library queries have
    the option --study, which selects one of several studies in a Neo4j.

    [bold]Examples[/bold]

    $ semiosis query --list

    $ semiosis query lost-intent --prompt Annunciation --store semiosis-demo

    $ semiosis query generators --store neo4j://localhost:7687 --study sample

    $ semiosis query --store semiosis-demo "MATCH (n:Semiosis) RETURN n.object AS object LIMIT 5" --json
    """
    from semiosis.store import library_query, open_store
    from semiosis.values import UsageError

    form = "json" if as_json else form
    if listing:
        _list(form)
        return
    if not what:
        raise UsageError(
            "no query was given", fix='run semiosis query --list, or give Cypher: semiosis query "MATCH …"'
        )
    given = query_parameters(context.args)
    named = library_query(what) if re.fullmatch(r"[\w-]+", what) else None
    with open_store(_address(store)) as opened:
        if named is not None:
            rows = named.run(opened, given, timeout=timeout, limit=limit)
        else:
            rows = opened.query(what, given, write=write, timeout=timeout, limit=limit)
    if named is not None and form == "table" and not ids:
        show_without_ids(rows.columns, rows)
    else:
        show_rows(rows.columns, rows, form)
    for hint in rows.hints:
        remark(f"hint: {hint}")
    if form == "table":
        remark(counted(len(rows), "row"))


def _list(form: Format) -> None:
    from semiosis.store import library

    queries = library().values()
    rows = [{"name": q.name, "parameters": _options(q), "answers": q.purpose} for q in queries]
    show_rows(("name", "parameters", "answers"), rows, form)
    if form == "table":
        remark("every query also has the option --study, for a Neo4j with several studies")


def _options(query: "LibraryQuery") -> str:
    """Return the parameters as options, without --study, which every query has."""
    return " ".join(f"--{p.name}" for p in query.parameters if p.name != "study")


def query_parameters(words: list[str]) -> dict[str, str]:
    """Return options such as `--prompt X --least=0.5` as a dict."""
    from semiosis.values import UsageError

    given: dict[str, str] = {}
    remaining = list(words)
    while remaining:
        word = remaining.pop(0)
        if not word.startswith("--"):
            raise UsageError(
                f"{word!r} is not an option", fix="give parameters as --name value; put Cypher in quotes"
            )
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not remaining:
                raise UsageError(f"--{name} needs a value", fix=f"write --{name} VALUE")
            value = remaining.pop(0)
        given[name.replace("-", "_")] = value
    return given


def _address(store: str) -> str:
    """Return the given store, or the study in this folder, or the demo study."""
    from semiosis.values import UsageError

    if store:
        return store
    for folder in (".", "semiosis-demo"):
        if (Path(folder) / "study.toml").is_file():
            return folder
    raise UsageError(
        "no store was given, and this folder is not a study",
        fix="add --store FOLDER, or create the demo study with semiosis demo",
    )
