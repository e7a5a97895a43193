"""Drift along a cascade: where each node was last seen, where it was lost, and which nodes emerged."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.align import (
    Drift,
    StatedFate,
    TracedMeaning,
    alignment_of_fates,
    drift,
    drift_of_alignments,
)
from semiosis.values import FATES, HSG, AlignedHSG, Alignment, Cascade, Evaluator, UsageError
from tests.strategies import a_match, a_text, aligned, an_hsg

Steps = list[list[tuple[str, str, float]]]

LABELS = (
    ("annunciation", "lily", "dove", "book"),
    ("annunciation", "lily", "dove", "window"),
    ("message", "flower", "bird", "window"),
    ("message", "flower", "cage"),
    ("letter", "flower", "book"),
)
MATCHES: Steps = [
    [("root", "root", 0.9), ("n1", "n1", 0.8), ("n2", "n2", 1.0)],  # the book is lost, a window emerges
    [("root", "root", 0.5), ("n1", "n1", 0.5), ("n2", "n2", 0.5), ("n3", "n3", 0.9)],
    [("root", "root", 1.0), ("n1", "n1", 0.5)],  # dove and window are lost, a cage emerges
    [("root", "root", 0.8), ("n1", "n1", 1.0)],  # the cage is lost; a book emerges, which is a different book
]


def rounds(sizes_or_labels: tuple[tuple[str, ...], ...] = LABELS) -> list[HSG]:
    return [
        an_hsg(a_text(f"round {number}"), labels) for number, labels in enumerate(sizes_or_labels, start=1)
    ]


def step(source: HSG, target: HSG, pairs: list[tuple[str, str, float]]) -> Alignment:
    return aligned(AlignedHSG.of(source), AlignedHSG.of(target), tuple(a_match(*pair) for pair in pairs))


def five_rounds() -> Drift:
    hsgs = rounds()
    steps = [step(*pair, matches) for pair, matches in zip(pairwise(hsgs), MATCHES, strict=True)]
    return drift_of_alignments(Cascade(tuple(hsgs)), steps, step(hsgs[0], hsgs[-1], [("root", "root", 0.4)]))


def test_five_rounds_by_hand() -> None:
    found = [(t.start, t.nodes, round(t.p, 9), t.last, t.lost_in) for t in five_rounds().meanings]
    assert found == [
        (1, ("root",) * 5, 0.36, 5, None),  # 0.9 · 0.5 · 1 · 0.8
        (1, ("n1",) * 5, 0.2, 5, None),  # 0.8 · 0.5 · 0.5 · 1
        (1, ("n2", "n2", "n2"), 0.5, 3, 4),  # 1 · 0.5
        (1, ("n3",), 1.0, 1, 2),  # no match was needed
        (2, ("n3", "n3"), 0.9, 3, 4),
        (4, ("n2",), 1.0, 4, 5),
        (5, ("n2",), 1.0, 5, None),
    ]


def test_kept_lost_and_emergent_divide_the_meanings() -> None:
    found = five_rounds()
    assert [meaning.nodes[0] for meaning in found.kept] == ["root", "n1"]
    assert [meaning.lost_in for meaning in found.lost] == [4, 2]
    assert [meaning.start for meaning in found.emergent] == [2, 4, 5]


def test_alignments_of_other_rounds_are_refused() -> None:
    hsgs = rounds()[:3]
    first, second = step(hsgs[0], hsgs[1], []), step(hsgs[1], hsgs[2], [])
    with pytest.raises(UsageError, match="does not align HSG"):
        drift_of_alignments(Cascade(tuple(hsgs)), [second, first], step(hsgs[0], hsgs[2], []))


def test_a_cascade_that_does_not_change_keeps_everything() -> None:
    hsg = an_hsg(labels=("annunciation", "lily", "dove"))
    found = drift(Cascade((hsg, hsg, hsg)))
    assert found.meanings == tuple(
        TracedMeaning(1, (node,) * 3, ("kept",) * 2, 1.0, survives=True) for node in ("root", "n1", "n2")
    )
    assert found.whole.distance == 0


@st.composite
def drifts(draw: st.DrawFn) -> Drift:
    sizes = draw(st.lists(st.integers(1, 5), min_size=2, max_size=5))
    hsgs = rounds(tuple(tuple(f"node{n}" for n in range(size)) for size in sizes))
    chances = st.floats(0, 1)

    def some(source: HSG, target: HSG) -> Alignment:
        before, after = (draw(st.permutations(list(hsg.semioses))) for hsg in (source, target))
        count = draw(st.integers(0, min(len(before), len(after))))
        return step(source, target, [(before[n], after[n], draw(chances)) for n in range(count)])

    return drift_of_alignments(
        Cascade(tuple(hsgs)), [some(*pair) for pair in pairwise(hsgs)], some(hsgs[0], hsgs[-1])
    )


@given(drifts())
def test_every_node_belongs_to_exactly_one_meaning(found: Drift) -> None:
    walked = [(t.start + n, node) for t in found.meanings for n, node in enumerate(t.nodes)]
    there = [(n, node) for n, hsg in enumerate(found.cascade.hsgs, start=1) for node in hsg.semioses]
    assert sorted(walked) == sorted(there)


@given(drifts())
def test_a_meaning_is_lost_in_the_round_after_its_last(found: Drift) -> None:
    for meaning in found.meanings:
        assert meaning.lost_in in (None, meaning.last + 1)
        assert meaning.survives == (meaning.last == len(found.cascade.hsgs))


ADA = Evaluator(kind="person", name="Ada Example")


def stated(source: HSG, target: HSG, *fates: tuple[Any, ...]) -> Alignment:
    """Return an alignment by hand; the nodes that are not named are lost."""
    named = [StatedFate(node, fate, tuple(targets)) for node, fate, *targets in fates]
    lost = [StatedFate(node, "lost") for node in source.semioses if node not in {fate.node for fate in named}]
    return alignment_of_fates(source, target, [*named, *lost], evaluator=ADA, method="by hand")


def test_a_sign_that_changes_its_meaning_is_followed_through_the_rounds() -> None:
    hsgs = rounds(
        (("scene", "dog", "mirror"), ("scene", "cat", "disc"), ("scene", "black cat", "black disc"))
    )
    steps = [
        stated(hsgs[0], hsgs[1], ("root", "kept", "root"), ("n1", "reversed", "n1"), ("n2", "kept", "n2")),
        stated(hsgs[1], hsgs[2], ("root", "kept", "root"), ("n1", "kept", "n1"), ("n2", "resignified", "n2")),
    ]
    found = drift_of_alignments(Cascade(tuple(hsgs)), steps, stated(hsgs[0], hsgs[2]))
    rows = [(m.nodes, m.fates, m.survives, m.changed_in, m.lost_in) for m in found.meanings]
    assert rows == [
        (("root",) * 3, ("kept", "kept"), True, None, None),
        (("n1",) * 3, ("reversed", "kept"), False, 2, None),
        (("n2",) * 3, ("kept", "resignified"), False, 3, None),
    ]
    assert [m.nodes[0] for m in found.changed] == ["n1", "n2"]
    assert found.lost == found.emergent == ()


def test_split_merged_and_diffused_meanings_share_no_node() -> None:
    hsgs = rounds((("scene", "rose", "word", "leaf"), ("scene", "petals", "hair"), ("scene", "petals")))
    first = stated(
        hsgs[0],
        hsgs[1],
        ("root", "kept", "root"),
        ("n1", "split", "n1", "n2"),
        ("n2", "merged", "n1"),
        ("n3", "diffused", "root"),
    )
    second = stated(hsgs[1], hsgs[2], ("root", "kept", "root"), ("n1", "kept", "n1"))
    found = drift_of_alignments(Cascade(tuple(hsgs)), [first, second], stated(hsgs[0], hsgs[2]))
    rows = [(m.start, m.nodes, m.into, m.survives, m.continues) for m in found.meanings]
    assert rows == [
        (1, ("root",) * 3, "", True, ()),
        (1, ("n1",) * 3, "", True, ()),
        (1, ("n2",), "n1", True, ()),  # carried on in the row of the rose, which is seen to the end
        (1, ("n3",), "", False, ()),
        (2, ("n2",), "", False, ("n1",)),  # the other part of the split rose, not a new meaning
    ]
    assert found.emergent == ()
    assert [m.lost_in for m in found.lost] == [2]


@st.composite
def stated_drifts(draw: st.DrawFn) -> Drift:
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    hsgs = rounds(tuple(tuple(f"node{n}" for n in range(size)) for size in sizes))

    def some(source: HSG, target: HSG) -> Alignment:
        fates = []
        for node in source.semioses:
            fate = draw(st.sampled_from(FATES))
            nodes = list(target.semioses)
            if fate == "lost" or (fate == "split" and len(nodes) < 2):
                continue
            size = 2 if fate == "split" else 1
            fates.append((node, fate, *draw(st.permutations(nodes))[:size]))
        return stated(source, target, *fates)

    steps = [some(*pair) for pair in pairwise(hsgs)]
    return drift_of_alignments(Cascade(tuple(hsgs)), steps, some(hsgs[0], hsgs[-1]))


@given(stated_drifts())
def test_every_node_is_in_exactly_one_row_whatever_the_fates(found: Drift) -> None:
    walked = [(m.start + at, node) for m in found.meanings for at, node in enumerate(m.nodes)]
    there = [(n, node) for n, hsg in enumerate(found.cascade.hsgs, start=1) for node in hsg.semioses]
    assert sorted(walked) == sorted(there)
    assert len(found.kept) + len(found.changed) + len(found.lost) == len(found.cascade.hsgs[0].semioses)
