"""The directive `query-library`: every query of the library, from the heads of its files."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from semiosis.store import LibraryQuery, Parameter, library


def markdown() -> str:
    """The library as Markdown, a section per query."""
    return "\n\n".join(map(section, library().values()))


def section(query: LibraryQuery) -> str:
    """One query: what it answers, what it can be told, its columns, an example, its Cypher."""
    told = "\n".join(map(option, query.parameters))
    columns = ", ".join(f"`{column}`" for column in query.columns)
    return "\n\n".join(
        [
            f"### {query.name}",
            query.purpose,
            *([told] if told else []),
            f"Columns: {columns}.",
            f"```console\n$ {query.example}\n```",
            f"```text\n{query.cypher}\n```",  # the highlighter for Cypher knows no $parameters
        ]
    )


def option(parameter: Parameter) -> str:
    """One parameter as an item of a list."""
    if parameter.default is None:
        return f"- `--{parameter.name}` (needed): {parameter.about}"
    default = f" (default {parameter.default})" if parameter.default else ""
    return f"- `--{parameter.name}`{default}: {parameter.about}"


class QueryLibrary(SphinxDirective):
    """Puts the library where the directive stands."""

    def run(self) -> list[nodes.Node]:
        """The sections."""
        return self.parse_text_to_nodes(markdown(), allow_section_headings=True)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Makes the directive known to Sphinx."""
    app.add_directive("query-library", QueryLibrary)
    return {"parallel_read_safe": True}
