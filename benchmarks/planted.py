"""Planted cases: artificial pairs of HSGs with a known true alignment, used as regression data only."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from semiosis.align._annotated import AnnotatedPair
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

_READING = Reading(interpreter=Interpreter(kind="program", name="planted"))


@dataclass(frozen=True, eq=False)
class PlantedComparison:
    """A prompt, two artifacts, and the artifact that keeps more of the prompt's objects."""

    a: AnnotatedPair
    b: AnnotatedPair
    winner: str


def read_pairs(folder: Path) -> list[AnnotatedPair]:
    """Return the cases of a folder's pairs file. `folder` of a case is the size of its graphs."""
    (path,) = folder.glob("*pairs.jsonl")
    return [_case(raw, "artifact", raw["truth"]["matches"]) for raw in _lines(path)]


def read_comparisons(folder: Path) -> list[PlantedComparison]:
    """Return the cases of a folder's 2AFC file."""
    (path,) = folder.glob("*twoafc.jsonl")
    return [
        PlantedComparison(
            a=_case(raw, "artifact_a", raw["truth_a"]["matches"]),
            b=_case(raw, "artifact_b", raw["truth_b"]["matches"]),
            winner=raw["winner"],
        )
        for raw in _lines(path)
    ]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def _case(raw: dict[str, Any], artifact: str, matches: Iterable[Sequence[str]]) -> AnnotatedPair:
    source = _hsg(raw["prompt"], raw["id"])
    truth = frozenset((one, two) for one, two in matches)
    return AnnotatedPair(raw.get("size", "small"), source, _hsg(raw[artifact], raw["id"]), source.id, truth)


def _hsg(raw: dict[str, Any], name: str) -> HSG:
    nodes = raw["nodes"]
    semioses = {
        node["id"]: Semiosis(
            label=" ".join(node["sign"].split()[:3]),
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
    """Return the relation of a node. An unknown word becomes `elaborates` and is kept in `how`."""
    word = node["relation"]
    known = word in RELATION_WORDS
    return Relation(
        whole=node["parent"],
        part=node["id"],
        relation=word if known else "elaborates",
        how="" if known else word,
    )


def grafted(hsgs: Sequence[HSG], nodes: int) -> HSG:
    """Return one graph with this many nodes, with the trees of many HSGs under the root of the first."""
    semioses = {"root": hsgs[0].semioses[hsgs[0].root]}
    relations: list[Relation] = []
    for index, hsg in enumerate(hsgs):
        names = {node: f"g{index}-{node}" for _, node in hsg.outline()}
        for _, node in hsg.outline():
            if len(semioses) == nodes:
                return HSG(TextSign(text=f"{nodes} nodes"), semioses, relations, _READING)
            semioses[names[node]] = hsg.semioses[node]
            whole = next((names[r.whole] for r in hsg.relations if r.hierarchy and r.part == node), "root")
            relations.append(Relation(whole=whole, part=names[node], relation="supports"))
    return HSG(TextSign(text="grafted"), semioses, relations, _READING)
