"""Checks of a model's graph beyond its schema.

Each function yields problems, which are sent back to the model. Do not reword them, because they are part of
the keys of re-asks. Almost every problem corresponds to a sentence of the prompts;
`tests/read/test_prompts.py` compares the two.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from semiosis.read._form_nodes import AbsentNode, FreeRelation, Node

_GROUNDS = ("iconic", "indexical", "symbolic")
_REQUIRED = ("label", "sign", "object", "interpretant")


def tree_problems(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the reasons why the nodes are not a tree, so that no HSG can be built from them."""
    yield from (f"two nodes have the id {name}" for name in _repeated(node.id for node in nodes))
    if nodes[0].id != "root" or nodes[0].parent:
        yield "the first node must be the root, without a parent"
    earlier: set[str] = set()
    for node in nodes:
        if node.id != "root":
            if node.parent not in earlier:
                yield f"node {node.id}: the parent {node.parent!r} is not an earlier node"
            if node.relation == "root":
                yield f"node {node.id}: only the root has the relation 'root'"
        blank = [name for name in _REQUIRED if not getattr(node, name).strip()]
        if blank:
            yield f"node {node.id}: {', '.join(blank)} must not be blank"
        earlier.add(node.id)


def relation_problems(nodes: Sequence[Node], relations: Sequence[FreeRelation]) -> Iterator[str]:
    """Yield the free relations that name a node which does not exist."""
    names = {node.id for node in nodes}
    for relation in relations:
        for name in sorted({relation.source, relation.target} - names):
            yield f"a relation names {name}, which is not a node"


def unmet_requirements(nodes: Sequence[Node], relations: Sequence[FreeRelation]) -> Iterator[str]:
    """Yield the requirements of the prompt that a graph does not meet even if an HSG can be built from it."""
    labels = _repeated(node.label.strip().casefold() for node in nodes)
    yield from (f"two nodes have the label {label!r}" for label in labels)
    ids = ["root", *(f"n{number}" for number in range(1, len(nodes)))]
    if [node.id for node in nodes] != ids:
        yield f"the ids must be {', '.join(ids)}, in this order"
    for node in nodes:
        yield from _node_problems(node)
        yield from _place_problems(node)
    yield from _free_relation_problems(nodes, relations)


def absence_problems(absences: Sequence[AbsentNode], known: Collection[str]) -> Iterator[str]:
    """Yield the absences that contradict themselves or name no node of the prompt."""
    for name in _repeated(absence.node for absence in absences):
        yield f"absences name {name} twice"
    for absence in absences:
        if absence.node not in known:
            yield f"absences name {absence.node}, which is not a node of the prompt"
        if (absence.state == "replaced") != bool(absence.instead.strip()):
            yield f"absence {absence.node}: 'instead' is filled exactly if the state is 'replaced'"


def _node_problems(node: Node) -> Iterator[str]:
    if (node.id == "root") == bool(node.how.strip()):
        yield f"node {node.id}: 'how' is empty for the root and for no other node"
    without = [name for name in _GROUNDS if not getattr(node, f"{name}_why").strip()]
    if without:
        yield f"node {node.id}: give a reason for {', '.join(without)}, also when it is 0"
    fields = ("sign", "object", "interpretant", "dynamic_object")
    texts = [text for name in fields if (text := getattr(node, name).strip().casefold())]
    if len(set(texts)) < len(texts):
        yield f"node {node.id}: sign, object, interpretant and dynamic_object must not repeat one another"
    if node.id == "root" and node.stated_importance not in (None, 100):
        yield "the importance of the root is 100"


def _place_problems(node: Node) -> Iterator[str]:
    if node.id == "root":
        if node.places or not node.nowhere.strip():
            yield "the root has no place, and its 'nowhere' says that it is the whole"
    elif bool(node.places) == bool(node.nowhere.strip()):
        yield f"node {node.id}: give either a place or a reason in 'nowhere'"


def _free_relation_problems(nodes: Sequence[Node], relations: Sequence[FreeRelation]) -> Iterator[str]:
    tree_pairs = {frozenset((node.id, node.parent)) for node in nodes}
    order = {node.id: position for position, node in enumerate(nodes)}
    for relation in relations:
        source, target = relation.source, relation.target
        if source == target or frozenset((source, target)) in tree_pairs:
            yield f"relations: {source} and {target} are parent and child, or the same node"
        if not relation.how.strip():
            yield f"relations: {source} to {target} needs a 'how'"
        if relation.relation == "contrasts" and order.get(source, 0) < order.get(target, 0):
            yield f"relations: for 'contrasts' the source is the later node, here {target}"
    for pair in _repeated(" and ".join(sorted((relation.source, relation.target))) for relation in relations):
        yield f"relations: give at most one between {pair}"


def _repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, sorted."""
    return sorted(name for name, count in Counter(names).items() if count > 1)
