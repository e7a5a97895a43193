"""Merges several readings of one sign into one HSG, with the share of readers behind every node."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from semiosis.align._diff import diff
from semiosis.align._embedder import DEFAULT
from semiosis.align._model_aligner import ModelAligner
from semiosis.values import (
    CONSENSUS,
    HSG,
    Alignment,
    Embedder,
    Interpreter,
    Reading,
    Relation,
    Semiosis,
    UsageError,
)

METHOD = "consensus/1"
"""Name and version of the method, in the parameters of the interpreter."""
DISSENTING_ROOT = "another reader's root"
"""The phrase of the relation that puts a root without a match under the consensus root."""
_DIGITS = 9

Ref = tuple[str, str]
"""HSG id and node."""
Cluster = frozenset[Ref]
"""Nodes that mean the same, at most one of each reading."""


def consensus(
    hsgs: Iterable[HSG],
    *,
    embedder: str | Embedder = DEFAULT,
    weights: Path | None = None,
    cache: Path | None = None,
    aligner: str | ModelAligner | None = None,
) -> HSG:
    """Return one HSG for several readings of one sign, with the share of readers behind every node.

    The order of the readings does not matter, and a reading that is listed twice counts once. Readings are
    aligned in pairs as `diff` aligns them. See `merge_readings` for the method.
    """
    readings = distinct(hsgs)
    _check(readings)
    pairs = combinations(readings, 2)
    found = [
        diff(one, other, embedder=embedder, weights=weights, cache=cache, aligner=aligner)
        for one, other in pairs
    ]
    return merge_readings(readings, found)


def distinct(hsgs: Iterable[HSG]) -> list[HSG]:
    """Return each reading once, sorted by id, so that nothing depends on the order in which they came."""
    return sorted({hsg.id: hsg for hsg in hsgs}.values(), key=lambda hsg: hsg.id)


def merge_readings(hsgs: Iterable[HSG], alignments: Iterable[Alignment], *, procedure: str = "") -> HSG:
    """Merge readings by their pairwise alignments, which follow one procedure.

    Readings are ranked by centrality: the mean, over the other readings, of the share of both readings' nodes
    that match. Of equals, the reading with more nodes comes first, then the one with the lower id. Matches
    are joined from the most to the least probable, as long as no node joins another of its own reading.
    Every joined group becomes one node, word for word the node of the highest-ranked reading that has it,
    below the whole that it has there. The root is the root of the highest-ranked reading; roots that match it
    in no reading become its parts.

    The interpreter's parameters name the procedure, so that all consensus HSGs of a study have one
    interpreter. Pass it for signs with a single reading, which have no alignment that could state it.
    """
    readings, found = distinct(hsgs), list(alignments)
    _check(readings)
    procedures = sorted({alignment.procedure for alignment in found} | ({procedure} - {""}))
    if len(procedures) > 1:
        listed = "; ".join(procedures)
        raise UsageError(
            f"a consensus rests on alignments by one procedure, not {len(procedures)}: {listed}",
            fix="align every pair of readings in the same way",
        )
    ranked = _ranked(readings, found)
    return _Merging(ranked, _clusters(ranked, found), "".join(procedures)).hsg()


def _check(readings: Sequence[HSG]) -> None:
    if not readings:
        raise UsageError("there is no reading to merge", fix="pass at least one HSG")
    if len({hsg.sign.id for hsg in readings}) > 1:
        raise UsageError("a consensus merges readings of one sign", fix="merge each sign on its own")
    if len({hsg.blind for hsg in readings}) > 1:
        raise UsageError("blind and given readings are never merged", fix="merge only the blind ones")
    if any(hsg.reading.interpreter.merges for hsg in readings):
        raise UsageError("a consensus is not a reading to merge", fix="merge the readings it lists in given")
    languages = sorted({hsg.reading.language for hsg in readings} - {""})
    if len(languages) > 1:
        raise UsageError(
            f"readings in {len(languages)} languages are not merged: {', '.join(languages)}",
            fix="merge the readings in one language",
        )


def _ranked(readings: Sequence[HSG], alignments: Sequence[Alignment]) -> list[HSG]:
    """Return the readings, the most central first."""
    size = {hsg.id: len(hsg.semioses) for hsg in readings}
    shared = dict.fromkeys(size, 0.0)
    for found in alignments:
        one, other = found.source.hsg, found.target.hsg
        named = {match.target for match in found.matches}
        both = (len(found.matched) + len(named)) / (size[one] + size[other])
        shared[one] += both
        shared[other] += both
    return sorted(readings, key=lambda hsg: (-round(shared[hsg.id], _DIGITS), -size[hsg.id], hsg.id))


def _clusters(ranked: Sequence[HSG], alignments: Sequence[Alignment]) -> dict[Ref, Cluster]:
    """Return the cluster of each node."""
    refs = [(hsg.id, node) for hsg in ranked for node in hsg.semioses]
    clusters: dict[Ref, Cluster] = {ref: frozenset({ref}) for ref in refs}
    roots = {(hsg.id, hsg.root) for hsg in ranked}
    matches = [
        (-match.p, (found.source.hsg, match.source), (found.target.hsg, match.target))
        for found in alignments
        for match in found.matches
    ]
    for _, one, other in sorted(matches):
        # A model may match a root with a part. The consensus keeps them apart, because it has one root.
        joined = clusters[one] | clusters[other]
        apart = len({hsg for hsg, _ in joined}) < len(joined) or len({ref in roots for ref in joined}) > 1
        if not apart:
            clusters.update(dict.fromkeys(joined, joined))
    return clusters


class _Merging:
    """The parts of one consensus."""

    def __init__(self, ranked: Sequence[HSG], clusters: dict[Ref, Cluster], procedure: str) -> None:
        self.ranked = ranked
        self.clusters = clusters
        self.procedure = procedure
        self.rank = {hsg.id: place for place, hsg in enumerate(ranked)}
        self.wholes = {
            (hsg.id, relation.part): relation
            for hsg in ranked
            for relation in hsg.relations
            if relation.hierarchy
        }
        self.names = self._names()

    def _names(self) -> dict[Cluster, str]:
        """Return each cluster's name: that of the node whose words it has, with a number if it is taken."""
        names: dict[Cluster, str] = {}
        taken: set[str] = set()
        for hsg in self.ranked:
            for node in hsg.semioses:
                cluster = self.clusters[hsg.id, node]
                if cluster not in names:
                    names[cluster] = _free_name(node, taken)
                    taken.add(names[cluster])
        return names

    def hsg(self) -> HSG:
        first = self.ranked[0]
        semioses = {name: self._semiosis(cluster) for cluster, name in self.names.items()}
        relations = self._relations()
        reading = Reading(
            interpreter=self._interpreter(first),
            given=tuple(sorted(self.rank)),
            detail="complex" if any(h.reading.detail == "complex" for h in self.ranked) else "standard",
            language=max(hsg.reading.language for hsg in self.ranked),
        )
        return HSG(first.sign, semioses, relations, reading)

    def _interpreter(self, first: HSG) -> Interpreter:
        parameters = {"method": METHOD, "condition": "blind" if first.blind else "given"}
        if self.procedure:
            parameters["aligner"] = self.procedure
        return Interpreter(kind="program", name=CONSENSUS, parameters=parameters)

    def _sources(self, cluster: Cluster) -> list[Ref]:
        return sorted(cluster, key=lambda ref: self.rank[ref[0]])

    def _semiosis(self, cluster: Cluster) -> Semiosis:
        sources = self._sources(cluster)
        hsg, node = sources[0]
        words = self.ranked[self.rank[hsg]].semioses[node]
        behind = {"share": len(sources) / len(self.ranked), "sources": tuple(map("/".join, sources))}
        return words.model_copy(update=behind)

    def _relations(self) -> list[Relation]:
        """Return the tree, and every free relation of a reading between two nodes the tree does not join."""
        main = self.clusters[self.ranked[0].id, self.ranked[0].root]
        tree = [self._above(cluster, main) for cluster in self.names if cluster != main]
        seen = {(relation.whole, relation.part) for relation in tree}
        free: list[Relation] = []
        for hsg in self.ranked:
            for relation in hsg.relations:
                moved = self._moved(hsg, relation)
                pair = moved.whole, moved.part
                if not relation.hierarchy and pair not in seen and moved.whole != moved.part:
                    seen.add(pair)
                    free.append(moved)
        return tree + free

    def _above(self, cluster: Cluster, main: Cluster) -> Relation:
        # The whole of a node is in a reading that ranks as high or higher, so the wholes never form a circle.
        hsg, node = self._sources(cluster)[0]
        relation = self.wholes.get((hsg, node))
        if relation is not None:
            return self._moved(self.ranked[self.rank[hsg]], relation)
        return Relation(
            whole=self.names[main], part=self.names[cluster], relation="elaborates", how=DISSENTING_ROOT
        )

    def _moved(self, hsg: HSG, relation: Relation) -> Relation:
        whole, part = (self.names[self.clusters[hsg.id, node]] for node in (relation.whole, relation.part))
        return relation.model_copy(update={"whole": whole, "part": part})


def _free_name(node: str, taken: set[str]) -> str:
    name, number = node, 2
    while name in taken:
        name, number = f"{node}-{number}", number + 1
    return name
