"""Properties of the alignments of any two graphs."""

import random
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.align import Aligner
from semiosis.values import HSG, Alignment
from tests.align.hsgs import LILY, HashEmbedder, Triad, hsg, weights_without_mean

WORDS = ("lily", "dove", "skull", "lute", "purity", "spirit", "death", "discord", "glass", "grace", "silence")
FOLDER = Path(mkdtemp())
ALIGNERS = {
    name: Aligner(HashEmbedder(name), weights=weights_without_mean(FOLDER, name), cache=FOLDER)
    for name in ("wordllama", "minilm")
}
"""By the weights of each."""
with_each = pytest.mark.parametrize("by", ALIGNERS.values(), ids=ALIGNERS)

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True).map(" ".join)
triads: st.SearchStrategy[Triad] = st.tuples(words, words, words)


@st.composite
def graphs(draw: st.DrawFn, most: int = 6) -> HSG:
    """A tree with up to this many nodes under the root."""
    parts = draw(st.lists(triads, max_size=most, unique=True))
    under = {index: draw(st.integers(0, index - 1)) for index in range(1, len(parts) + 1)}
    strengths = st.floats(0.05, 1.0)
    return hsg(
        *parts, root=draw(triads), under=under, grounds=draw(st.tuples(strengths, strengths, strengths))
    )


def aligned(source: HSG, target: HSG, by: Aligner) -> Alignment:
    return next(by.diff_all([(source, target)]))


def renamed(source: HSG, seed: int) -> tuple[HSG, dict[str, str]]:
    """The same graph with other node names in another order."""
    nodes = list(source.semioses)
    random.Random(seed).shuffle(nodes)
    names = {node: f"x{index}" for index, node in enumerate(nodes)}
    semioses = {names[node]: source.semioses[node] for node in nodes}
    relations = [
        r.model_copy(update={"whole": names[r.whole], "part": names[r.part]}) for r in source.relations
    ]
    return HSG(source.sign, semioses, relations, source.reading), names


@with_each
@given(graphs())
def test_identical_graphs_are_at_distance_0(by: Aligner, source: HSG) -> None:
    found = aligned(source, source, by)
    assert (found.distance, found.lost, found.emergent) == (0.0, (), ())


@with_each
@given(graphs(), graphs())
def test_every_node_is_matched_once_or_not_at_all(by: Aligner, source: HSG, target: HSG) -> None:
    found = aligned(source, target, by)
    assert Alignment.model_validate(found.model_dump()) == found
    assert 0 <= found.distance <= 1
    assert all(0 <= match.p <= 1 for match in found.matches)
    assert all((match.source == source.root) == (match.target == target.root) for match in found.matches)


@with_each
@given(graphs(), graphs())
def test_matches_are_the_same_in_both_directions(by: Aligner, source: HSG, target: HSG) -> None:
    there, back = aligned(source, target, by), aligned(target, source, by)
    assert {(m.source, m.target, m.p, m.objects_differ) for m in there.matches} == {
        (m.target, m.source, m.p, m.objects_differ) for m in back.matches
    }
    assert (there.lost, there.emergent) == (back.emergent, back.lost)


@with_each
@given(graphs(), graphs(), st.integers(0, 9))
def test_names_and_order_do_not_matter(by: Aligner, source: HSG, target: HSG, seed: int) -> None:
    plain = aligned(source, target, by)
    other, names = renamed(source, seed)
    found = aligned(other, target, by)
    assert found.distance == plain.distance
    assert {(m.source, m.target, m.p) for m in found.matches} == {
        (names[m.source], m.target, m.p) for m in plain.matches
    }


def without(hsg: HSG, gone: str) -> HSG:
    """The same graph without a node, whose parts become parts of its whole."""
    semioses = {node: semiosis for node, semiosis in hsg.semioses.items() if node != gone}
    (whole,) = (relation.whole for relation in hsg.relations if relation.part == gone)
    relations = [
        relation.model_copy(update={"whole": whole}) if relation.whole == gone else relation
        for relation in hsg.relations
        if relation.part != gone
    ]
    return HSG(hsg.sign, semioses, relations, hsg.reading)


@st.composite
def kin(draw: st.DrawFn) -> tuple[HSG, HSG]:
    """Two graphs that share some triads, twins among them."""
    pool = draw(st.lists(triads, min_size=1, max_size=4, unique=True))
    root, one_of = draw(triads), st.lists(st.sampled_from(pool), min_size=1, max_size=6)
    return hsg(*draw(one_of), root=root), hsg(*draw(one_of), *draw(st.lists(triads, max_size=2)), root=root)


@with_each
@given(st.one_of(st.tuples(graphs(), graphs()), kin()), st.data())
def test_removing_a_node_never_decreases_the_distance(
    by: Aligner, pair: tuple[HSG, HSG], data: st.DataObject
) -> None:
    source, target = pair
    found = aligned(source, target, by)
    parts = [node for node in target.semioses if node != target.root]  # matched and emergent ones
    for gone in data.draw(st.permutations(parts))[:3]:
        fewer = aligned(source, without(target, gone), by)
        assert fewer.distance >= found.distance - 1e-5  # vectors are of single precision


@with_each
@given(graphs(), st.data())
def test_removing_a_node_that_was_kept_word_for_word_increases_the_distance(
    by: Aligner, source: HSG, data: st.DataObject
) -> None:
    parts = [node for node in source.semioses if node != source.root]
    if not parts:
        return
    gone = data.draw(st.sampled_from(parts))
    fewer = aligned(source, without(source, gone), by)
    assert fewer.distance > 0
    assert fewer.lost == (gone,)
    assert aligned(without(source, gone), source, by).distance == 0  # all that was meant is still there


@with_each
def test_twins_show_why_the_distance_cannot_be_symmetric(by: Aligner) -> None:
    # Of two nodes that say the same one is matched and the other emergent. Take the matched one away and the
    # graphs are identical: a distance that counted the emergent one would have to fall.
    meant, twins = hsg(LILY), hsg(LILY, LILY)
    assert len(aligned(meant, twins, by).emergent) == 1
    assert aligned(meant, twins, by).distance == aligned(meant, without(twins, "n1"), by).distance == 0


@with_each
@given(graphs(), graphs())
def test_graphs_without_a_common_word_share_nothing(by: Aligner, source: HSG, target: HSG) -> None:
    found = aligned(source, in_other_words(target), by)
    assert (found.matches, found.lost) == ((), tuple(source.semioses))
    assert found.distance > 0.5


def in_other_words(hsg: HSG) -> HSG:
    """The same graph with every word replaced by one that no other graph has."""

    def other(text: str) -> str:
        return " ".join(word[::-1] for word in text.split())

    fields = ("label", "sign", "object", "interpretant")
    semioses = {
        node: semiosis.model_copy(update={field: other(getattr(semiosis, field)) for field in fields})
        for node, semiosis in hsg.semioses.items()
    }
    return HSG(hsg.sign, semioses, hsg.relations, hsg.reading)
