"""Fates: what an alignment derives from them, and which fates it refuses."""

from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from semiosis.values import (
    CREDIT,
    FATES,
    AlignedHSG,
    Alignment,
    Evaluator,
    Fate,
    NodeFate,
    Shift,
    TargetLink,
    distance_of_fates,
    from_json,
    to_json,
)
from tests.strategies import alignments, an_alignment, an_hsg, an_image

PROMPT = an_hsg(labels=("whole", "lily", "skull", "ray"))
ARTIFACT = an_hsg(an_image(), ("whole", "rose", "bone", "beam"))
MODEL = Evaluator(kind="model", name="anthropic/claude", parameters={"prompt_version": "align/1"})
NO_SHIFT = Shift(iconic=0, indexical=0, symbolic=0)


def fate(node: str, what: Fate, *targets: str, p: float = 0.9) -> NodeFate:
    links = tuple(TargetLink(target=target, ground_shift=NO_SHIFT) for target in targets)
    return NodeFate(node=node, fate=what, links=links, p=p, why=f"{node} is {what}")


def stated(*fates: NodeFate, **fields: Any) -> Alignment:
    known = {
        "method": "model alignment",
        "evaluator": MODEL,
        "distance": distance_of_fates(fates, AlignedHSG.of(PROMPT).weights),
    }
    return Alignment(
        **{
            "source": AlignedHSG.of(PROMPT),
            "target": AlignedHSG.of(ARTIFACT),
            "fates": fates,
            **known,
            **fields,
        }
    )


MIXED = stated(
    fate("root", "weakened", "root"),
    fate("n1", "reversed", "n1"),
    fate("n2", "split", "n2", "n3"),
    fate("n3", "merged", "n3"),
)


def test_matches_lost_and_emergent_follow_from_the_fates() -> None:
    pairs = [(match.source, match.target, match.fate) for match in MIXED.matches]
    assert pairs == [
        ("root", "root", "weakened"),
        ("n2", "n2", "split"),
        ("n2", "n3", "split"),
        ("n3", "n3", "merged"),
    ]
    assert MIXED.matched == ("root", "n2", "n3")
    assert (MIXED.lost, MIXED.emergent) == ((), ())  # a reversed node is neither matched nor lost
    assert MIXED.fate_of("n1").targets == ("n1",)


def test_a_reversed_or_resignified_node_is_never_kept() -> None:
    # Credits ½, 0, 1, 1 of four nodes: 1 - 2.5 / 4.
    assert MIXED.distance == pytest.approx(0.375)
    assert (MIXED.matched_share, MIXED.kept_share, MIXED.recoverable_share) == (0.75, 0.5, 0.75)
    for what in ("reversed", "resignified"):
        gone = stated(*(fate(node, what, node) for node in ("root", "n1", "n2", "n3")))
        assert (gone.matched_share, gone.kept_share, gone.recoverable_share) == (0, 0, 0)
        assert (gone.changed_share, gone.lost) == (1, ())
        assert (gone.matches, gone.distance) == ((), 1)


def test_a_diffused_node_is_recoverable_and_not_matched() -> None:
    faint = stated(*(fate(node, "diffused", "root") for node in ("root", "n1", "n2", "n3")))
    assert (faint.matched_share, faint.kept_share, faint.recoverable_share) == (0, 0, 1)
    assert faint.distance == 0.5
    assert faint.emergent == ("n1", "n2", "n3")


def test_an_embedder_has_no_kept_share() -> None:
    alignment = an_alignment(PROMPT, ARTIFACT)
    assert alignment.aligner == "embedder"
    assert (alignment.matched_share, alignment.kept_share, alignment.recoverable_share) == (0.25, None, None)
    assert alignment.changed_share is None


def test_a_model_alignment_prints_its_reasons() -> None:
    counts = "0 kept, 1 weakened, 1 split, 1 merged, 1 reversed, 0 lost, 0 emergent"
    assert str(MIXED).splitlines()[:2] == [
        f"Δo 0.38 by model anthropic/claude, blind: {counts}",
        "weakened 0.90  whole: what whole stands for  →  whole: what whole stands for  (root is weakened)",
    ]


@pytest.mark.parametrize(
    ("what", "targets", "problem"),
    [
        ("lost", ("n1",), "'lost' names no target node"),
        ("split", ("n1",), "at least two target nodes, not 1"),
        ("kept", (), "exactly one target node, not 0"),
        ("diffused", ("n1", "n2"), "exactly one target node, not 2"),
        ("split", ("n1", "n1"), "named twice"),
    ],
)
def test_a_fate_needs_the_right_number_of_targets(what: Fate, targets: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        fate("n1", what, *targets)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"fates": MIXED.fates[1:]}, "each node of HSG"),
        ({"fates": (*MIXED.fates[:3], fate("n3", "kept", "n9"))}, "has no node 'n9'"),
        ({"distance": 0.1}, "does not agree with the fates"),
        ({"evaluator": None}, "assigns only 'kept' or 'lost'"),
        ({"evaluator": Evaluator(kind="program", name="x")}, "a model or a person"),
    ],
)
def test_an_inconsistent_alignment_is_refused(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        stated(*MIXED.fates, **change)


def test_an_embedder_matches_one_to_one() -> None:
    twice = (fate("root", "kept", "root"), *(fate(node, "kept", "n1") for node in ("n1", "n2", "n3")))
    with pytest.raises(ValidationError, match="one to one"):
        stated(*twice, evaluator=None)


def test_the_evaluator_and_the_repeat_are_part_of_the_id() -> None:
    other = MODEL.model_copy(update={"parameters": {"prompt_version": "align/2"}})
    ids = {MIXED.id, stated(*MIXED.fates, evaluator=other).id, stated(*MIXED.fates, repeat=1).id}
    assert len(ids) == 3


@given(alignments())
def test_every_node_is_matched_lost_or_neither(alignment: Alignment) -> None:
    assert {fate.node for fate in alignment.fates} == set(alignment.source.nodes)
    assert not set(alignment.matched) & set(alignment.lost)
    assert from_json(to_json(alignment)) == alignment


def test_every_fate_has_a_credit() -> None:
    assert set(CREDIT) == set(FATES)
