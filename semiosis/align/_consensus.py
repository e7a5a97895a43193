"""Consensus HSGs: several readings of one sign merged into one, with the share of readers of every node."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from semiosis.align._diff import diff
from semiosis.align._embedder import DEFAULT_EMBEDDER
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

CONSENSUS_METHOD = "consensus/1"
"""The name and version of the method, which the parameters of the interpreter state."""
DISSENTING_ROOT = "another reader's root"
"""The phrase of the relation that puts a root without a match under the consensus root."""
_DIGITS = 9

HSGNode = tuple[str, str]
"""The id of an HSG and one of its nodes."""
Cluster = frozenset[HSGNode]
"""Nodes with the same meaning, at most one from each reading."""


def consensus(
    hsgs: Iterable[HSG],
    *,
    embedder: str | Embedder = DEFAULT_EMBEDDER,
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
    alignments = [
        diff(first, second, embedder=embedder, weights=weights, cache=cache, aligner=aligner)
        for first, second in combinations(readings, 2)
    ]
    return merge_readings(readings, alignments)


def distinct(hsgs: Iterable[HSG]) -> list[HSG]:
    """Return each reading once, sorted by id, so that the result does not depend on their order."""
    return sorted({hsg.id: hsg for hsg in hsgs}.values(), key=lambda hsg: hsg.id)


def merge_readings(hsgs: Iterable[HSG], alignments: Iterable[Alignment], *, procedure: str = "") -> HSG:
    """Return the consensus of readings, given their pairwise alignments by one procedure.

    Readings are ranked by centrality: the mean, over the other readings, of the share of both readings' nodes
    that match. Of equally central readings, the one with more nodes comes first, then the one with the lower
    id. Matches join nodes to clusters, from the most to the least probable match, as long as a cluster has at
    most one node of each reading. Each cluster becomes one node. Its texts and its whole are those of the
    node in the highest-ranked reading of the cluster. The root is the root of the highest-ranked reading;
    roots that match it in no reading become its parts.

    The interpreter's parameters name the procedure, so that all consensus HSGs of a study have one
    interpreter. Pass `procedure` for a sign with a single reading, which has no alignment to state it.
    """
    readings, alignments = distinct(hsgs), list(alignments)
    _check(readings)
    procedures = sorted({alignment.matching_procedure for alignment in alignments} | ({procedure} - {""}))
    if len(procedures) > 1:
        raise UsageError(
            f"a consensus needs alignments by one procedure, not {len(procedures)}: {'; '.join(procedures)}",
            fix="align every pair of readings in the same way",
        )
    ranked = _ranked(readings, alignments)
    return _ConsensusBuilder(ranked, _clusters(ranked, alignments), "".join(procedures)).hsg()


def _check(readings: Sequence[HSG]) -> None:
    if not readings:
        raise UsageError("there is no reading to merge", fix="pass at least one HSG")
    if len({hsg.sign.id for hsg in readings}) > 1:
        raise UsageError(
            "the readings are of different signs", fix="merge the readings of each sign separately"
        )
    if len({hsg.blind for hsg in readings}) > 1:
        raise UsageError("blind and given readings cannot be merged", fix="merge only the blind readings")
    if any(hsg.reading.interpreter.merges for hsg in readings):
        raise UsageError(
            "a consensus cannot be merged again", fix="merge the readings that it lists in `given`"
        )
    languages = sorted({hsg.reading.language for hsg in readings} - {""})
    if len(languages) > 1:
        raise UsageError(
            f"readings in {len(languages)} languages cannot be merged: {', '.join(languages)}",
            fix="merge the readings in one language",
        )


def _ranked(readings: Sequence[HSG], alignments: Sequence[Alignment]) -> list[HSG]:
    """Return the readings, the most central first."""
    size = {hsg.id: len(hsg.semioses) for hsg in readings}
    shared = dict.fromkeys(size, 0.0)
    for alignment in alignments:
        source, target = alignment.source.hsg, alignment.target.hsg
        matched_targets = {match.target for match in alignment.matches}
        share = (len(alignment.matched) + len(matched_targets)) / (size[source] + size[target])
        shared[source] += share
        shared[target] += share
    return sorted(readings, key=lambda hsg: (-round(shared[hsg.id], _DIGITS), -size[hsg.id], hsg.id))


def _clusters(ranked: Sequence[HSG], alignments: Sequence[Alignment]) -> dict[HSGNode, Cluster]:
    """Return the cluster of each node."""
    nodes = [(hsg.id, node) for hsg in ranked for node in hsg.semioses]
    clusters: dict[HSGNode, Cluster] = {node: frozenset({node}) for node in nodes}
    roots = {(hsg.id, hsg.root) for hsg in ranked}
    matches = [
        (-match.p, (alignment.source.hsg, match.source), (alignment.target.hsg, match.target))
        for alignment in alignments
        for match in alignment.matches
    ]
    for _, source, target in sorted(matches):
        union = clusters[source] | clusters[target]
        one_per_reading = len({hsg for hsg, _ in union}) == len(union)
        # A model may match a root with a part. The consensus keeps them apart, because it has one root.
        one_kind = len({node in roots for node in union}) == 1
        if one_per_reading and one_kind:
            clusters.update(dict.fromkeys(union, union))
    return clusters


class _ConsensusBuilder:
    """Builds one consensus HSG from ranked readings and clusters of their nodes."""

    def __init__(self, ranked: Sequence[HSG], clusters: dict[HSGNode, Cluster], procedure: str) -> None:
        self.ranked = ranked
        self.clusters = clusters
        self.procedure = procedure
        self.rank = {hsg.id: rank for rank, hsg in enumerate(ranked)}
        self.wholes = {
            (hsg.id, relation.part): relation
            for hsg in ranked
            for relation in hsg.relations
            if relation.hierarchy
        }
        self.names = self._names()

    def _names(self) -> dict[Cluster, str]:
        """Return each cluster's name: that of its highest-ranked node, with a number if it is taken."""
        names: dict[Cluster, str] = {}
        taken: set[str] = set()
        for hsg in self.ranked:
            for node in hsg.semioses:
                cluster = self.clusters[hsg.id, node]
                if cluster not in names:
                    names[cluster] = _unused_name(node, taken)
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
        parameters = {"method": CONSENSUS_METHOD, "condition": "blind" if first.blind else "given"}
        if self.procedure:
            parameters["aligner"] = self.procedure
        return Interpreter(kind="program", name=CONSENSUS, parameters=parameters)

    def _sources(self, cluster: Cluster) -> list[HSGNode]:
        return sorted(cluster, key=lambda source: self.rank[source[0]])

    def _semiosis(self, cluster: Cluster) -> Semiosis:
        sources = self._sources(cluster)
        hsg, node = sources[0]
        semiosis = self.ranked[self.rank[hsg]].semioses[node]
        support = {"share": len(sources) / len(self.ranked), "sources": tuple(map("/".join, sources))}
        return semiosis.model_copy(update=support)

    def _relations(self) -> list[Relation]:
        """Return the tree, and the readings' free relations between nodes that the tree does not connect."""
        root = self.clusters[self.ranked[0].id, self.ranked[0].root]
        tree = [self._tree_relation(cluster, root) for cluster in self.names if cluster != root]
        seen = {(relation.whole, relation.part) for relation in tree}
        free: list[Relation] = []
        for hsg in self.ranked:
            for relation in hsg.relations:
                renamed = self._with_new_names(hsg, relation)
                pair = renamed.whole, renamed.part
                if not relation.hierarchy and pair not in seen and renamed.whole != renamed.part:
                    seen.add(pair)
                    free.append(renamed)
        return tree + free

    def _tree_relation(self, cluster: Cluster, root: Cluster) -> Relation:
        # The whole of a node is in a reading that ranks as high or higher, so the relations form no cycle.
        hsg, node = self._sources(cluster)[0]
        relation = self.wholes.get((hsg, node))
        if relation is not None:
            return self._with_new_names(self.ranked[self.rank[hsg]], relation)
        return Relation(
            whole=self.names[root], part=self.names[cluster], relation="elaborates", how=DISSENTING_ROOT
        )

    def _with_new_names(self, hsg: HSG, relation: Relation) -> Relation:
        whole, part = (self.names[self.clusters[hsg.id, node]] for node in (relation.whole, relation.part))
        return relation.model_copy(update={"whole": whole, "part": part})


def _unused_name(node: str, taken: set[str]) -> str:
    name, number = node, 2
    while name in taken:
        name, number = f"{node}-{number}", number + 1
    return name
