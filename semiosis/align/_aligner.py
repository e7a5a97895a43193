"""The aligner that compares the nodes of two HSGs with an embedder."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from semiosis.align._cache import VectorCache
from semiosis.align._embedded import EmbeddedHSG, embed_hsgs, node_text
from semiosis.align._embedder import DEFAULT_EMBEDDER
from semiosis.align._embedder import embedder as embedder_named
from semiosis.align._match import Floats, match_nodes, match_probabilities, objects_differ
from semiosis.align._script import Writing, mixing_error, warn_of_unmeasured, writing_of
from semiosis.align._stated import link
from semiosis.align._weights import EMBEDDER_METHOD, LengthClass, read_weights, weights_of
from semiosis.values import HSG, AlignedHSG, Alignment, Embedder, NodeFate, TargetLink, UsageError

HSGPair = tuple[HSG, HSG]
"""The HSGs of the source and the target of an alignment."""

_MAX_CACHED_HSGS = 4096
"""The number of HSGs whose vectors are kept in memory."""
_DIGITS = 6
"""Decimal places of probabilities and distances, the same as in ids."""


class UnmeasuredLengthWarning(UserWarning):
    """The readings are longer than those on which an embedder's alignments were measured."""


class Aligner:
    """Aligns HSGs with one embedder and its parameters, and keeps the vectors of recent HSGs."""

    def __init__(
        self,
        embedder: str | Embedder = DEFAULT_EMBEDDER,
        *,
        weights: Path | None = None,
        cache: Path | None = None,
    ) -> None:
        model = embedder_named(embedder) if isinstance(embedder, str) else embedder
        self.weights = read_weights(weights) if weights else weights_of(model.name)
        if self.weights.embedder != model.name:
            raise UsageError(
                f"these weights are for the embedder {self.weights.embedder!r}, not {model.name!r}",
                where=str(weights),
                fix=f"use --embedder {self.weights.embedder}, or fit weights for {model.name}",
            )
        self._version = self.weights.version  # a hash of the whole mean vector, so computed once
        self.embedder = VectorCache(model, cache)
        self._embedded: dict[str, EmbeddedHSG] = {}
        self._arguments = (embedder, weights, cache)

    def __reduce__(self) -> tuple[object, ...]:
        # A worker makes its own aligner, because vectors and open files cannot be sent to it.
        return _restored_aligner, self._arguments

    @property
    def procedure(self) -> str:
        """The procedure that its alignments state: method, embedder and version of the parameters."""
        return ", ".join((EMBEDDER_METHOD, self.weights.embedder, self.weights.version))

    @property
    def aligned_by(self) -> str:
        """The name that its alignments state as their aligner, such as `embedder wordllama`."""
        return f"embedder {self.weights.embedder}"

    def can_compare(self, source: HSG, target: HSG) -> bool:
        """Return whether the embedder can compare two HSGs: in one language and script, or multilingually."""
        embedded = self._embed({source.id: source, target.id: target})
        return self.embedder.multilingual or not embedded[source.id].writing.differs(
            embedded[target.id].writing
        )

    def diff(self, pair: HSGPair) -> Alignment:
        """Return the alignment of one pair."""
        return next(self.diff_all([pair]))

    def diff_all(self, pairs: Sequence[HSGPair]) -> Iterator[Alignment]:
        """Return the alignments of these pairs, in order."""
        for source, target in self._comparable(pairs):
            yield self._alignment(source, target)

    def incomparable(self, pairs: Sequence[HSGPair]) -> tuple[list[HSGPair], UsageError | None]:
        """Return the pairs in two languages or scripts that the embedder cannot compare, and their error."""
        if self.embedder.multilingual:
            return [], None
        writings: dict[str, Writing] = {}
        mixed = []
        for pair in pairs:  # one pass only, because a study may build its HSGs anew in each
            for hsg in pair:
                if hsg.id not in writings:
                    writings[hsg.id] = writing_of(hsg, map(node_text, hsg.semioses.values()))
            if writings[pair[0].id].differs(writings[pair[1].id]):
                mixed.append(pair)
        return mixed, mixing_error(pairs, writings, self.embedder.name) if mixed else None

    def match_strengths(self, source: HSG, target: HSG) -> dict[str, float]:
        """Return, for each source node, the highest probability that a target node has the same meaning."""
        ((one, two),) = self._comparable([(source, target)])
        cut = self._length_class(one, two).cut
        strongest = self._probabilities(match_nodes(one, two, cut).cosines.max(1), cut)
        strengths = dict(zip(one.nodes, strongest.tolist(), strict=True))
        return {node: strengths[node] for node in source.semioses}

    def mean_match_strength(self, source: HSG, target: HSG) -> float:
        """Return the mean over source nodes of `match_strengths`, from 0 to 1. It equals 1 - Δo.

        Nodes count by their importance where the reading of the source states it.
        """
        weights = AlignedHSG.of(source).weights
        strengths = self.match_strengths(source, target)
        return float(np.average([strengths[node] for node in weights], weights=list(weights.values())))

    def length_class(self, source: HSG, target: HSG) -> str:
        """Return the class of text length whose cut a pair gets, such as `short`."""
        embedded = self._embed({source.id: source, target.id: target})
        return self._length_class(embedded[source.id], embedded[target.id]).name

    def _length_class(self, source: EmbeddedHSG, target: EmbeddedHSG) -> LengthClass:
        return self.weights.length_class(_mean_length(source, target))

    def _probabilities(self, cosines: Floats, cut: float) -> Floats:
        return match_probabilities(cosines, cut, self.weights.slope, self.weights.intercept)

    def _alignment(self, source: EmbeddedHSG, target: EmbeddedHSG) -> Alignment:
        length = self._length_class(source, target)
        matching = match_nodes(source, target, length.cut)
        p = self._probabilities(matching.cosines[matching.rows, matching.columns], length.cut)
        strengths = self._probabilities(matching.cosines.max(1), length.cut)
        differ = objects_differ(source, target, matching, self.weights.objects)
        matched = {
            source.nodes[row]: NodeFate(
                node=source.nodes[row],
                fate="kept",
                p=round(float(p[index]), _DIGITS),
                links=(_link(source, row, target, column, differ=bool(differ[index])),),
            )
            for index, (row, column) in enumerate(zip(matching.rows, matching.columns, strict=True))
        }
        return Alignment(
            source=source.side,
            target=target.side,
            fates=tuple(matched.get(node) or NodeFate(node=node, fate="lost") for node in source.side.nodes),
            distance=round(1 - _weighted_mean(strengths, source), _DIGITS),
            method=EMBEDDER_METHOD,
            embedder=self.weights.embedder,
            weights=self._version,
            length_class=length.name,
        )

    def _comparable(self, pairs: Sequence[HSGPair]) -> list[tuple[EmbeddedHSG, EmbeddedHSG]]:
        """Return the pairs with vectors.

        Raises UsageError for languages that cannot be compared, and warns about languages and lengths that
        were never measured.
        """
        embedded = self._embed({hsg.id: hsg for pair in pairs for hsg in pair})
        writings = {id_: one.writing for id_, one in embedded.items()}
        if not self.embedder.multilingual and (error := mixing_error(pairs, writings, self.embedder.name)):
            raise error
        for writing in sorted(set(writings.values())):
            warn_of_unmeasured(writing, self.weights.languages, self.embedder.name)
        comparable = [(embedded[source.id], embedded[target.id]) for source, target in pairs]
        self._warn_of_long_texts(comparable)
        return comparable

    def _warn_of_long_texts(self, pairs: Sequence[tuple[EmbeddedHSG, EmbeddedHSG]]) -> None:
        longest = self.weights.longest_measured
        if too_long := sum(_mean_length(*pair) > longest for pair in pairs):
            warnings.warn(
                f"the texts of {too_long} of {len(pairs)} pairs are longer than any that alignments with "
                f"{self.embedder.name!r} were measured on ({longest:.0f} bytes per node); unrelated nodes "
                "may match more often. Audit them with a model (semiosis align --audit), or fit weights on "
                "readings of this length",
                UnmeasuredLengthWarning,
                stacklevel=2,
            )

    def _embed(self, hsgs: dict[str, HSG]) -> dict[str, EmbeddedHSG]:
        """Return the HSGs with their vectors. One call to the embedder computes all new vectors."""
        if len(self._embedded) > _MAX_CACHED_HSGS:
            self._embedded.clear()
        new = {id_: hsg for id_, hsg in hsgs.items() if id_ not in self._embedded}
        if new:
            self._embedded |= embed_hsgs(new, self.embedder, self.weights.mean)
        return {id_: self._embedded[id_] for id_ in hsgs}


def aligner_of(
    embedder: str | Embedder = DEFAULT_EMBEDDER, *, weights: Path | None = None, cache: Path | None = None
) -> Aligner:
    """Return an aligner. The same embedder name gives the same aligner, so that models load once."""
    if isinstance(embedder, str):
        return _named_aligner(embedder, weights, cache)
    return Aligner(embedder, weights=weights, cache=cache)


def _restored_aligner(embedder: str | Embedder, weights: Path | None, cache: Path | None) -> Aligner:
    return aligner_of(embedder, weights=weights, cache=cache)


@lru_cache(maxsize=8)
def _named_aligner(embedder: str, weights: Path | None, cache: Path | None) -> Aligner:
    return Aligner(embedder, weights=weights, cache=cache)


def _weighted_mean(strengths: Floats, source: EmbeddedHSG) -> float:
    return float(strengths @ source.weights / source.weights.sum())


def _mean_length(source: EmbeddedHSG, target: EmbeddedHSG) -> float:
    return (source.length + target.length) / 2


def _link(source: EmbeddedHSG, row: int, target: EmbeddedHSG, column: int, *, differ: bool) -> TargetLink:
    plain_link = link(source.semioses[row], target.semioses[column], target.nodes[column])
    return replace(plain_link, objects_differ=differ)
