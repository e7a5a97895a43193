"""The form in which a model states fates: one entry per source node, with closed vocabularies."""

from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from semiosis.values import Fate, wrong_targets

_MOST_WORDS = 600
"""Characters of a reason. A bound, so that a local model that rambles still closes its answer."""


class FateEntry(BaseModel):
    """What became of one node of P."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    node: str
    why: Annotated[str, Field(min_length=1, max_length=_MOST_WORDS)]
    fate: Fate
    targets: list[str]
    probability: Annotated[int, Field(ge=0, le=100)]


class FateSheet(BaseModel):
    """What became of every node of P in A."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    nodes: ClassVar[tuple[str, ...]] = ()
    root: ClassVar[str] = ""
    strict: ClassVar[bool] = False
    fates: list[FateEntry]

    @model_validator(mode="after")
    def _answers_every_node_once(self) -> Self:
        counts = Counter(entry.node for entry in self.fates)
        problems = [f"{node} has no entry" for node in self.nodes if not counts[node]]
        problems += [f"{node} has {count} entries" for node, count in counts.items() if count > 1]
        problems += [problem for entry in self.fates for problem in self._wrong(entry)]
        if self.strict and not problems:
            problems = [*self._root_elsewhere(), *shared_targets(self.fates)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _wrong(self, entry: FateEntry) -> list[str]:
        problem = wrong_targets(entry.fate, entry.targets)
        if not problem and entry.fate == "diffused" and entry.targets != [self.root]:
            problem = f"'diffused' names the root of A, which is {self.root}"
        return [f"{entry.node}: {problem}"] if problem else []

    def _root_elsewhere(self) -> list[str]:
        """Return what is wrong with the target of the root of P: a whole is compared with a whole."""
        found = next(entry for entry in self.fates if entry.node == self.nodes[0])
        if found.fate in ("kept", "weakened") and found.targets != [self.root]:
            return [f"{found.node} is the root of P; if it is {found.fate}, its target is {self.root}"]
        return []


def shared_targets(fates: list[FateEntry]) -> list[str]:
    """Return what is wrong with targets that several nodes of P name, or that only a merged node names."""
    owners: dict[str, list[str]] = {}
    for entry in fates:
        if entry.fate in ("kept", "weakened"):
            owners.setdefault(entry.targets[0], []).append(entry.node)
    problems = [
        f"{' and '.join(nodes)} both name {target} as kept or weakened; the one that fits less well is merged"
        for target, nodes in owners.items()
        if len(nodes) > 1
    ]
    for entry in fates:
        others = [other for other in fates if other.fate in ("kept", "weakened", "split")]
        if entry.fate == "merged" and not any(entry.targets[0] in other.targets for other in others):
            problems.append(
                f"{entry.node} is merged into {entry.targets[0]}, which no other node of P names as "
                "kept, weakened or split"
            )
    return problems


@lru_cache(maxsize=256)
def sheet_form(nodes: tuple[str, ...], targets: tuple[str, ...], *, strict: bool) -> type[FateSheet]:
    """Return the form for these ids; the first of each is the root.

    The strict form also sends back targets that are shared in a way the rules exclude. The other one accepts
    them when the re-asks are used up: the answer is then still usable.
    """
    node_id: Any = Literal[nodes]
    target_id: Any = Literal[targets]
    ids: dict[str, Any] = {
        "node": (node_id, ...),
        "targets": (Annotated[list[target_id], Field(max_length=len(targets))], ...),
    }
    entry: Any = create_model("FateEntry", __base__=FateEntry, __doc__=FateEntry.__doc__, **ids)
    entries: dict[str, Any] = {
        "fates": (Annotated[list[entry], Field(min_length=len(nodes), max_length=len(nodes))], ...)
    }
    form: type[FateSheet] = create_model(
        "FateSheet", __base__=FateSheet, __doc__=FateSheet.__doc__, **entries
    )
    form.nodes, form.root, form.strict = nodes, targets[0], strict
    return form
