"""Writes the pages of the API reference from what the packages export, so that no public name is missing."""

import ast
import importlib
import inspect
from itertools import pairwise
from pathlib import Path
from typing import Any

GROUPS = {
    "Signs, graphs and observations": ("values",),
    "Files, images and folders": ("files",),
    "Reading signs and asking models": ("read", "ask"),
    "Aligning": ("align",),
    "Judging and scoring": ("judge", "score"),
    "Studies": ("study",),
    "Storing and querying": ("store", "local_neo4j"),
    "Statistics": ("stats",),
    "Instruments of papers": ("probe",),
    "Tables and figures": ("tables", "figures"),
    "Reports and exports": ("report", "export"),
    "Testing": ("testing",),
}
"""The titles of the pages, and the packages on each page."""

HEAD = """# API reference

Most programs need only the names of the top level: `import semiosis as sm`. They load on first use. All other
public names are in the packages below. Names that start with an underscore are private and may change.

## Top level

{top_level}

## Packages

{packages}

```{{toctree}}
:hidden:

{pages}
```
"""


def write_api_pages(docs: Path) -> None:
    """Write `api.md` and one page for each group of packages."""
    folder = docs / "api"
    folder.mkdir(exist_ok=True)
    for title, packages in GROUPS.items():
        _write(folder / f"{packages[0]}.rst", _page(title, packages))
    pages = "\n".join(f"api/{packages[0]}" for packages in GROUPS.values())
    _write(docs / "api.md", HEAD.format(top_level=_top_level(), packages=_packages(), pages=pages))


def _write(file: Path, content: str) -> None:
    """Write a file only if it changed, so that Sphinx does not build it again."""
    if not file.exists() or file.read_text(encoding="utf-8") != content:
        file.write_text(content, encoding="utf-8")


def _top_level() -> str:
    import semiosis

    rows = ["| part | names |", "|---|---|"]
    for title, packages in GROUPS.items():
        links = [_link(package, name) for package in packages for name in semiosis._PACKAGES.get(package, ())]
        links += [
            f"[`{package}`](api/{packages[0]}.rst)" for package in packages if package in semiosis.__all__
        ]
        if links:
            rows.append(f"| [{title}](api/{packages[0]}.rst) | {', '.join(links)} |")
    return "\n".join(rows)


def _packages() -> str:
    sections = []
    for title, packages in GROUPS.items():
        sections.append(f"### [{title}](api/{packages[0]}.rst)")
        for package in packages:
            names = importlib.import_module(f"semiosis.{package}").__all__
            links = ", ".join(_link(package, name) for name in names)
            sections.append(f"`semiosis.{package}`: {links}")
    return "\n\n".join(sections)


def _link(package: str, name: str) -> str:
    return f"{{py:obj}}`{name} <semiosis.{package}.{name}>`"


def _page(title: str, packages: tuple[str, ...]) -> str:
    return "\n".join([title, "=" * len(title), "", *(_package(name) for name in packages)])


def _package(name: str) -> str:
    module = importlib.import_module(f"semiosis.{name}")
    heading = f"semiosis.{name}"
    about = "\n\n".join(map(as_rst, (module.__doc__ or "").strip().split("\n\n")))
    documented = _documented_data(Path(module.__file__ or "").parent)
    entries = [_entry(heading, item, getattr(module, item), documented) for item in module.__all__]
    return "\n".join([heading, "-" * len(heading), "", about, "", *entries])


def _entry(module: str, name: str, thing: Any, documented: dict[str, str]) -> str:
    if inspect.isclass(thing):
        hidden = ", ".join(["model_config", "model_post_init", *_refusals(thing)])
        options = f"   :members:\n   :exclude-members: {hidden}\n"
        return f".. autoclass:: {module}.{name}{_arguments(thing)}\n{options}"
    if inspect.isfunction(inspect.unwrap(thing)):
        return f".. autofunction:: {module}.{name}\n"
    return f".. py:data:: {module}.{name}\n\n   {as_rst(documented[name])}\n"


def _refusals(thing: type) -> list[str]:
    """Return the public methods that are another name of a private one: they refuse to change the object."""
    return [
        name
        for name, member in vars(thing).items()
        if not name.startswith("_") and getattr(member, "__name__", name).startswith("_")
    ]


def _arguments(thing: type) -> str:
    """Return the arguments of a class whose `__new__` would hide them."""
    if not {"__new__", "__init__"} <= vars(thing).keys():
        return ""
    _, *arguments = inspect.signature(vars(thing)["__init__"]).parameters.values()
    return str(inspect.Signature([a.replace(annotation=inspect.Parameter.empty) for a in arguments]))


def _documented_data(folder: Path) -> dict[str, str]:
    """Return the docstrings of a package's constants and type aliases, which exist only in its source."""
    found = {}
    for file in folder.glob("*.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        for statement, below in pairwise(body):
            match statement, below:
                case (
                    ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    found[name] = " ".join(text.split())
    return found


def as_rst(paragraph: str) -> str:
    """Return a paragraph of a docstring as reStructuredText: code stays code, and nothing else is markup."""
    if paragraph.lstrip().startswith(">>>"):
        return inspect.cleandoc(paragraph)
    if paragraph.startswith(" "):
        return "::\n\n" + "\n".join(f"    {line}" for line in paragraph.splitlines())
    if paragraph.startswith("- "):
        return "\n".join(
            f"- {_inline(' '.join(item.split()))}" for item in f"\n{paragraph}".split("\n- ") if item
        )
    return _inline(" ".join(paragraph.split()))


def _inline(text: str) -> str:
    pieces = text.replace("``", "`").split("`")
    plain = [
        piece.translate({ord(c): f"\\{c}" for c in "\\*|_"}) if n % 2 == 0 else piece
        for n, piece in enumerate(pieces)
    ]
    if len(pieces) % 2 == 0:  # an unpaired backtick is text
        return "\\`".join(plain)
    return "".join(f"\\ ``{piece}``\\ " if n % 2 else piece for n, piece in enumerate(plain))


def plain_docstrings(
    _app: object, what: str, name: str, _thing: object, _options: object, lines: list[str]
) -> None:
    """Rewrite a docstring for Sphinx, which would read our plain text as markup."""
    if what == "data":  # Sphinx finds only the docstring of the constant's type
        package = importlib.import_module(name.rpartition(".")[0])
        documented = _documented_data(Path(package.__file__ or "").parent)
        lines[:] = [documented.get(name.rpartition(".")[2], "")]
    paragraphs = "\n".join(lines).strip("\n").split("\n\n")
    lines[:] = "\n\n".join(as_rst(paragraph) for paragraph in paragraphs).splitlines()
