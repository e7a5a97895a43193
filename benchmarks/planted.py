"""The planted benchmark: pairs of HSGs whose true alignment is known, and what is measured on them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from semiosis.values import (
    HSG,
    MODES,
    RELATION_WORDS,
    Ground,
    Grounds,
    Interpreter,
    Reading,
    Relation,
    Semiosis,
    TextSign,
)

Cells = set[tuple[str, str]]
"""Matched nodes: source, target."""
_READING = Reading(interpreter=Interpreter(kind="program", name="planted"))


@dataclass(frozen=True, eq=False)
class Case:
    """Two HSGs and their true matches."""

    id: str
    size: str
    level: str
    wording: str
    tags: tuple[str, ...]
    source: HSG
    target: HSG
    truth: Cells


@dataclass(frozen=True, eq=False)
class Choice:
    """One prompt, two artifacts, and which of them keeps more of the prompt's objects."""

    a: Case
    b: Case
    winner: str


def read_pairs(path: Path) -> list[Case]:
    """The cases of a pairs file."""
    return [_case(raw, "artifact", raw["truth"]["matches"]) for raw in _lines(path)]


def read_choices(path: Path) -> list[Choice]:
    """The cases of a 2AFC file."""
    return [
        Choice(
            a=_case(raw, "artifact_a", raw["truth_a"]["matches"]),
            b=_case(raw, "artifact_b", raw["truth_b"]["matches"]),
            winner=raw["winner"],
        )
        for raw in _lines(path)
    ]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def _case(raw: dict[str, Any], artifact: str, matches: Iterable[Sequence[str]]) -> Case:
    return Case(
        id=raw["id"],
        size=raw.get("size", "small"),
        level=raw["level"],
        wording=raw["wording"],
        tags=tuple(raw["tags"]),
        source=_hsg(raw["prompt"], raw["id"]),
        target=_hsg(raw[artifact], raw["id"]),
        truth={(source, target) for source, target in matches},
    )


def _hsg(raw: dict[str, Any], name: str) -> HSG:
    nodes = raw["nodes"]
    semioses = {
        node["id"]: Semiosis(
            label=node["id"],
            sign=node["sign"],
            object=node["object"],
            interpretant=node["interpretant"],
            grounds=Grounds(**{mode: Ground(strength=node["grounds"][mode]) for mode in MODES}),
        )
        for node in nodes
    }
    relations = [_relation(node) for node in nodes if node["parent"]]
    return HSG(TextSign(text=raw.get("text") or f"{raw['kind']} of {name}"), semioses, relations, _READING)


def _relation(node: dict[str, Any]) -> Relation:
    """Words other than ours become `elaborates`, with the word kept in `how`."""
    word = node["relation"]
    known = word in RELATION_WORDS
    return Relation(
        whole=node["parent"],
        part=node["id"],
        relation=word if known else "elaborates",
        how="" if known else word,
    )


def counts(case: Case, found: Cells) -> dict[str, np.ndarray]:
    """True positives, false positives and false negatives of matches, lost and emergent nodes."""
    nodes = {"lost": (0, case.source), "emergent": (1, case.target)}
    pairs = {"match": (case.truth, found)}
    for name, (side, hsg) in nodes.items():
        truly, said = (
            {n for n in hsg.semioses if n not in {m[side] for m in ms}} for ms in (case.truth, found)
        )
        pairs[name] = (truly, said)
    return {
        name: np.array([len(truly & said), len(said - truly), len(truly - said)])
        for name, (truly, said) in pairs.items()
    }


def f1(total: np.ndarray) -> float:
    """F1 of true positives, false positives, false negatives; not a number where nothing was to be found."""
    tp, fp, fn = total
    return float(2 * tp / (2 * tp + fp + fn)) if tp + fp + fn else float("nan")


def calibration_error(p: np.ndarray, right: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error: mean distance of confidence and accuracy over bins, weighted by size."""
    which = np.minimum((p * bins).astype(int), bins - 1)
    return float(
        sum(
            abs(p[which == b].mean() - right[which == b].mean()) * (which == b).mean()
            for b in np.unique(which)
        )
    )


def grafted(hsgs: Sequence[HSG], nodes: int) -> HSG:
    """One graph of so many nodes: the trees of many HSGs under the root of the first."""
    semioses, relations = {"root": hsgs[0].semioses[hsgs[0].root]}, []
    for index, hsg in enumerate(hsgs):
        names = {node: f"g{index}-{node}" for _, node in hsg.outline()}
        for _, node in hsg.outline():
            if len(semioses) == nodes:
                return HSG(TextSign(text=f"{nodes} nodes"), semioses, relations, _READING)
            semioses[names[node]] = hsg.semioses[node]
            whole = next((names[r.whole] for r in hsg.relations if r.hierarchy and r.part == node), "root")
            relations.append(Relation(whole=whole, part=names[node], relation="supports"))
    return HSG(TextSign(text="grafted"), semioses, relations, _READING)
