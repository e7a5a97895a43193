"""Writes the pages of the API reference from what the packages export, so that no public name is missing."""

import ast
import importlib
import inspect
from itertools import pairwise
from pathlib import Path

GROUPS = {
    "Signs, graphs and observations": ("values",),
    "Files, images and folders": ("files",),
    "Reading signs and asking models": ("read", "ask"),
    "Aligning": ("align",),
    "Judging and scoring": ("judge", "score"),
    "Studies": ("study",),
    "Storing and querying": ("store", "server"),
    "Statistics": ("stats",),
    "Critiques": ("probe",),
    "Figures": ("figures",),
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
_MARKUP = {ord(character): f"\\{character}" for character in "\\*|_"}
_OPTIONS = "   :members:\n   :exclude-members: model_config, model_post_init\n"


def write_api_pages(docs: Path) -> None:
    """Write `api.md` and one page for each group of packages."""
    folder = docs / "api"
    folder.mkdir(exist_ok=True)
    installed = {title: [p for p in names if _exists(p)] for title, names in GROUPS.items()}
    pages = {title: packages for title, packages in installed.items() if packages}
    for title, packages in pages.items():
        _write(folder / f"{packages[0]}.rst", _page(title, packages))
    listed = [
        f"- [{title}](api/{packages[0]}.rst): `{'`, `'.join(packages)}`" for title, packages in pages.items()
    ]
    names = "\n".join(f"api/{packages[0]}" for packages in pages.values())
    _write(docs / "api.md", HEAD.format(top_level=_top_level(), packages="\n".join(listed), pages=names))


def _write(file: Path, content: str) -> None:
    """Write a file only if it changed, so that Sphinx does not build it again."""
    if not file.exists() or file.read_text(encoding="utf-8") != content:
        file.write_text(content, encoding="utf-8")


def _exists(package: str) -> bool:
    return importlib.util.find_spec(f"semiosis.{package}") is not None


def _top_level() -> str:
    import semiosis

    rows = [
        f"| `{package}` | {', '.join(f'`{n}`' for n in names)} |"
        for package, names in semiosis._PACKAGES.items()
    ]
    return "\n".join(
        [
            "| package | names |",
            "|---|---|",
            *rows,
            "| `figures`, `stats` | the packages themselves: `sm.figures`, `sm.stats` |",
        ]
    )


def _page(title: str, packages: list[str]) -> str:
    return "\n".join([title, "=" * len(title), "", *(_package(name) for name in packages)])


def _package(name: str) -> str:
    module = importlib.import_module(f"semiosis.{name}")
    heading = f"semiosis.{name}"
    about = "\n\n".join(map(as_rst, (module.__doc__ or "").strip().split("\n\n")))
    documented = _documented_data(Path(module.__file__ or "").parent)
    entries = [_entry(heading, item, getattr(module, item), documented) for item in module.__all__]
    return "\n".join([heading, "-" * len(heading), "", about, "", *entries])


def _entry(module: str, name: str, thing: object, documented: dict[str, str]) -> str:
    if inspect.isclass(thing):
        return f".. autoclass:: {module}.{name}\n{_OPTIONS}"
    if inspect.isfunction(thing):
        return f".. autofunction:: {module}.{name}\n"
    return f".. py:data:: {module}.{name}\n\n   {as_rst(documented.get(name, ''))}\n"


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
