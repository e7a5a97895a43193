"""The form in which a model states the fate of every source node."""

from collections import Counter
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

from semiosis.values import Fate, wrong_targets

_REASON_CHARACTERS = 600
"""The maximum length of a reason, so that a local model that does not stop still completes its answer."""


class FateEntry(BaseModel):
    """What became of one node of P."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    node: str
    why: Annotated[str, Field(min_length=1, max_length=_REASON_CHARACTERS)]
    fate: Fate
    targets: list[str]
    probability: Annotated[int, Field(ge=0, le=100)]


class FateForm(BaseModel):
    """What became of every node of P in A."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    nodes: ClassVar[tuple[str, ...]] = ()
    root: ClassVar[str] = ""
    strict: ClassVar[bool] = False
    fates: list[FateEntry]

    @model_validator(mode="after")
    def _check_entries(self) -> Self:
        counts = Counter(entry.node for entry in self.fates)
        problems = [f"{node} has no entry" for node in self.nodes if not counts[node]]
        problems += [f"{node} has {count} entries" for node, count in counts.items() if count > 1]
        problems += [problem for entry in self.fates for problem in self._target_problems(entry)]
        if self.strict and not problems:
            problems = [*self._root_problems(), *shared_target_problems(self.fates)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _target_problems(self, entry: FateEntry) -> list[str]:
        problem = wrong_targets(entry.fate, entry.targets)
        if not problem and entry.fate == "diffused" and entry.targets != [self.root]:
            problem = f"'diffused' names the root of A, which is {self.root}"
        return [f"{entry.node}: {problem}"] if problem else []

    def _root_problems(self) -> list[str]:
        """Return a problem if the root of P is kept or weakened as anything but the root of A."""
        root = next(entry for entry in self.fates if entry.node == self.nodes[0])
        if root.fate in ("kept", "weakened") and root.targets != [self.root]:
            return [f"{root.node} is the root of P; if it is {root.fate}, its target is {self.root}"]
        return []


def shared_target_problems(fates: list[FateEntry]) -> list[str]:
    """Return the problems with targets that several nodes of P share, or that only a merged node names."""
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
def fate_form(nodes: tuple[str, ...], targets: tuple[str, ...], *, strict: bool) -> type[FateForm]:
    """Return the form for these ids, of which the first of each graph is the root.

    The strict form also refuses shared targets that the rules exclude. The lenient form accepts them when no
    re-ask is left, because the answer is still usable. The names of the form and its entries are part of the
    keys of requests.
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
    form: type[FateForm] = create_model("FateSheet", __base__=FateForm, __doc__=FateForm.__doc__, **entries)
    form.nodes, form.root, form.strict = nodes, targets[0], strict
    return form
