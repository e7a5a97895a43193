"""HSGs and alignments as one graph, in GraphML for networkx and Gephi and in DOT for Graphviz."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import networkx as nx

from semiosis.files import atomic_write, one_line, visible
from semiosis.values import HSG, Alignment, DataError, Semiosis

_LABEL_WIDTH = 28
_FATE_STYLES = {"kept": "solid", "split": "solid", "merged": "solid", "weakened": "dashed"}


def union_graph(hsgs: Iterable[HSG], alignments: Iterable[Alignment] = ()) -> "nx.MultiDiGraph[str]":
    """Return all HSGs as one graph whose node ids are `<hsg id>/<node>`.

    Alignments become edges with the relation `realized_as` from each source node to its target nodes. Control
    characters are escaped, because XML does not allow them.
    """
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for hsg in hsgs:
        about = {"hsg": hsg.id, "sign_id": hsg.sign.id, "interpreter": hsg.reading.interpreter.name}
        for node, attributes in hsg.nodes(data=True):
            graph.add_node(f"{hsg.id}/{node}", **_clean({**attributes, **about, "blind": hsg.blind}))
        for whole, part, attributes in hsg.edges(data=True):
            graph.add_edge(f"{hsg.id}/{whole}", f"{hsg.id}/{part}", key="part", **_clean(attributes))
    for alignment in alignments:
        _add_alignment(graph, alignment)
    return graph


def _add_alignment(graph: "nx.MultiDiGraph[str]", alignment: Alignment) -> None:
    for fate in alignment.fates:
        for target in fate.targets:
            ends = f"{alignment.source.hsg}/{fate.node}", f"{alignment.target.hsg}/{target}"
            about = {"relation": "realized_as", "fate": fate.fate, "p": fate.p, "why": fate.why}
            if all(end in graph for end in ends):
                graph.add_edge(*ends, key=alignment.id, **_clean(about))


def _clean(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: visible(value) if isinstance(value, str) else value for name, value in attributes.items()}


def export_graphml(graph: "nx.MultiDiGraph[str]", file: Path) -> Path:
    """Write a graph as GraphML, after checking that it can be read back."""
    stream = io.BytesIO()
    nx.write_graphml(graph, stream)
    written = stream.getvalue()
    if len(nx.parse_graphml(written.decode())) != len(graph):
        raise DataError("the graph cannot be written as GraphML", where=str(file), fix="report this as a bug")
    atomic_write(file, written)
    return file


def export_dot(hsgs: Iterable[HSG], alignments: Iterable[Alignment], file: Path) -> Path:
    """Write HSGs as DOT with one cluster for each. The edges of alignments are labelled with their fates."""
    known: set[str] = set()
    lines = ["digraph semiosis {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
    for number, hsg in enumerate(hsgs):
        known.add(hsg.id)
        lines += _cluster(number, hsg)
    for alignment in alignments:
        if {alignment.source.hsg, alignment.target.hsg} <= known:
            lines += _fate_edges(alignment)
    atomic_write(file, "\n".join([*lines, "}", ""]))
    return file


def _cluster(number: int, hsg: HSG) -> list[str]:
    title = f"{hsg.sign.title or hsg.sign.kind} ({hsg.reading.interpreter.name})"
    lines = [f"  subgraph cluster_{number} {{", f"    label={_quoted(title)};"]
    lines += [f"    {_quoted(f'{hsg.id}/{node}')} [label={_label(s)}];" for node, s in hsg.semioses.items()]
    for relation in hsg.relations:
        ends = f"{_quoted(f'{hsg.id}/{relation.whole}')} -> {_quoted(f'{hsg.id}/{relation.part}')}"
        style = "solid" if relation.hierarchy else "dashed"
        lines.append(f"    {ends} [label={_quoted(relation.relation)}, style={style}];")
    return [*lines, "  }"]


def _fate_edges(alignment: Alignment) -> list[str]:
    lines = []
    for fate in alignment.fates:
        for target in fate.targets:
            ends = f"{alignment.source.hsg}/{fate.node}", f"{alignment.target.hsg}/{target}"
            style = _FATE_STYLES.get(fate.fate, "dotted")
            arrow = " -> ".join(map(_quoted, ends))
            lines.append(f"  {arrow} [label={_quoted(fate.fate)}, style={style}, constraint=false];")
    return lines


def _label(semiosis: Semiosis) -> str:
    return _quoted(f"{semiosis.label}\n{_wrapped(semiosis.object)}")


def _wrapped(text: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(one_line(text), _LABEL_WIDTH))


def _quoted(text: str) -> str:
    """Return a quoted DOT string, in which quotes, backslashes and newlines are escaped."""
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
