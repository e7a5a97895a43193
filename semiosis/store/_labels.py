"""The labels and edge types of the property graph, from the table of value kinds."""

from collections.abc import Iterator

from semiosis.values import KINDS

_OTHER_LABELS = ("Study", "Generator", "Interpreter", "Semiosis", "Evaluator")
"""The labels of nodes without a value's `json`."""


def value_labels() -> tuple[str, ...]:
    """Return the labels of nodes that carry a value's `json`, each after those to which its values refer."""
    return tuple(dict.fromkeys(kind.label for kind in KINDS.values()))


def node_labels() -> tuple[str, ...]:
    """Return every label of the property graph."""
    return (*value_labels(), *_OTHER_LABELS)


def current_edges() -> Iterator[tuple[str, str]]:
    """Yield the edges that lead queries to values, each as the label of the value and the type of the edge.

    They start at the value and are renamed when it is superseded: ON becomes WAS_ON.
    """
    for kind in {kind.label: kind for kind in KINDS.values()}.values():
        evaluator = ("BY",) if "BY" in kind.other_edges else ()
        yield from ((kind.label, type_) for type_ in (*kind.about, *evaluator))


def edge_types() -> frozenset[str]:
    """Return every edge type of the property graph."""
    own = {edge for kind in KINDS.values() for edge in (*kind.about, *kind.other_edges)}
    past = {f"WAS_{type_}" for _, type_ in current_edges()} | {"WAS_READ_AS"}
    return frozenset(own | past | {"INCLUDES", "SUPERSEDES"})


def about_edges() -> str:
    """Return the types of edges that lead from a value to what it is or was about, as Cypher."""
    types = dict.fromkeys(edge for kind in KINDS.values() for edge in kind.about)
    return "|".join(f"{type_}|WAS_{type_}" for type_ in types)
