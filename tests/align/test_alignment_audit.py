"""Audits and shares of fates: figures worked out by hand on small alignments."""

from collections.abc import Mapping, Sequence

import pytest

from semiosis.align import StatedFate, alignment_of_fates, audit_alignments, fate_shares
from semiosis.values import (
    HSG,
    AlignedHSG,
    Alignment,
    Evaluator,
    Fate,
    Match,
    Shift,
    TextSign,
    Unscored,
    UsageError,
)
from tests.align.hsgs import DOVE, LILY, LUTE, SKULL, hsg
from tests.strategies import kept_or_lost

MODEL = Evaluator(kind="model", name="stand-in/model", parameters={"prompt_version": "align/2"})
Stated = Mapping[str, tuple[Fate, Sequence[str]]]


def pair(number: int) -> tuple[HSG, HSG]:
    """A prompt of four nodes (root, n1, n2, n3) and an artifact of four, with a sign of their own."""
    source = hsg(LILY, DOVE, SKULL, sign=TextSign(text=f"prompt {number}"))
    target = hsg(LILY, DOVE, LUTE, sign=TextSign(text=f"artifact {number}", generator=f"g{number % 2}"))
    return source, target


def by_embedder(source: HSG, target: HSG, matched: Mapping[str, tuple[str, float]]) -> Alignment:
    matches = [
        Match(source=node, target=to, p=p, ground_shift=Shift(iconic=0, indexical=0, symbolic=0))
        for node, (to, p) in matched.items()
    ]
    return Alignment(
        source=AlignedHSG.of(source),
        target=AlignedHSG.of(target),
        fates=kept_or_lost(source.semioses, matches),
        distance=0.5,
        method="test",
        embedder="words",
        weights="1",
    )


def by_model(source: HSG, target: HSG, stated: Stated) -> Alignment:
    fates = [StatedFate(node, fate, tuple(targets)) for node, (fate, targets) in stated.items()]
    return alignment_of_fates(source, target, fates, evaluator=MODEL, method="model test")


# The embedder matches root → root (.9, right), n1 → n1 (.6, right: split over n1 and n3) and n2 → n3 (.4, the
# wrong target); the model says root kept, n1 split, n2 kept at n2, n3 reversed. Found 3, right 2, true 3:
# precision 2/3, recall 2/3, F1 4/6. Called lost: n3, rightly, the only one: lost F1 = 2·1/(1+1) = 1.
FOUND = {"root": ("root", 0.9), "n1": ("n1", 0.6), "n2": ("n3", 0.4)}
TRUE: Stated = {
    "root": ("kept", ["root"]),
    "n1": ("split", ["n1", "n3"]),
    "n2": ("kept", ["n2"]),
    "n3": ("reversed", ["n3"]),
}


def test_rates_of_one_pair_are_those_worked_out_by_hand() -> None:
    audit = audit_alignments([by_embedder(*pair(0), FOUND)], [by_model(*pair(0), TRUE)])
    assert audit is not None
    assert [float(rate) for rate in (audit.precision, audit.recall, audit.f1, audit.lost_f1)] == [
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
        pytest.approx(2 / 3),
        1.0,
    ]
    assert (audit.pairs, audit.prompts, audit.nodes, audit.left_out) == (1, 1, 4, 0)
    assert isinstance(audit.f1.interval, Unscored)  # one prompt
    assert [(part.n, part.stated, part.right) for part in audit.reliability] == [
        (1, 0.4, 0.0),
        (1, 0.6, 1.0),
        (1, 0.9, 1.0),
    ]
    assert "audited against model stand-in/model on 1 blind pairs (1 unclassified) of 1 prompts" in str(audit)


def test_a_merged_node_is_left_out_whatever_the_embedder_says() -> None:
    merged: Stated = {**TRUE, "n2": ("merged", ["n1"])}
    audit = audit_alignments([by_embedder(*pair(0), FOUND)], [by_model(*pair(0), merged)])
    assert audit is not None
    assert (audit.nodes, audit.left_out, float(audit.precision)) == (3, 1, 1.0)


def test_intervals_are_over_prompts_and_pairs_only_one_aligned_do_not_count() -> None:
    six = [pair(number) for number in range(6)]
    worse = {"root": ("root", 0.9), "n3": ("n1", 0.7)}
    screened = [by_embedder(*each, FOUND if number % 2 else worse) for number, each in enumerate(six)]
    audit = audit_alignments(screened, [by_model(*each, TRUE) for each in six[:5]])
    assert audit is not None
    assert audit.pairs == audit.prompts == 5
    assert not isinstance(audit.precision.interval, Unscored)
    assert audit.precision.interval is not None
    assert audit.precision.interval.low < float(audit.precision) < audit.precision.interval.high


def test_without_common_pairs_there_is_no_audit() -> None:
    assert audit_alignments([by_embedder(*pair(0), FOUND)], [by_model(*pair(1), TRUE)]) is None


def test_two_procedures_are_never_pooled() -> None:
    other = by_embedder(*pair(1), FOUND).model_copy(update={"weights": "2"})
    with pytest.raises(UsageError, match="by one procedure under one condition, not 2"):
        audit_alignments(
            [by_embedder(*pair(0), FOUND), other], [by_model(*pair(0), TRUE), by_model(*pair(1), TRUE)]
        )


def test_shares_of_a_model_and_of_an_embedder() -> None:
    pairs = [pair(0), pair(1)]
    found = [by_embedder(*each, FOUND) for each in pairs] + [by_model(*each, TRUE) for each in pairs]
    hsgs = {graph.id: graph for each in pairs for graph in each}
    signs = {graph.sign.id: graph.sign for graph in hsgs.values()}
    everything = {one.aligned_by: one for one in fate_shares(found, signs=signs, hsgs=hsgs)}
    model, embedder = everything["model stand-in/model"], everything["embedder words"]
    assert (model.nodes, model.alignments, model.prompts) == (8, 2, 2)
    assert model.kept is not None
    assert model.recoverable is not None
    assert [float(share) for share in (model.matched, model.kept, model.recoverable)] == [0.75, 0.75, 0.75]
    assert (float(embedder.matched), embedder.kept, embedder.recoverable) == (0.75, None, None)
    by_generator = fate_shares(found, signs=signs, hsgs=hsgs, by="generator")
    assert sorted((one.group, one.aligned_by, one.nodes) for one in by_generator) == [
        ("g0", "embedder words", 4),
        ("g0", "model stand-in/model", 4),
        ("g1", "embedder words", 4),
        ("g1", "model stand-in/model", 4),
    ]
    by_ground = fate_shares(found, signs=signs, hsgs=hsgs, by="ground")
    assert {one.group for one in by_ground} == {"symbolic"}  # 0.7 of every made-up node


def test_a_reversed_node_is_not_matched_kept_or_recoverable() -> None:
    stated: Stated = {node: ("reversed", ["n1"]) for node in ("root", "n1", "n2", "n3")}
    (shares,) = fate_shares([by_model(*pair(0), stated)], signs={}, hsgs={})
    assert shares.kept is not None
    assert shares.recoverable is not None
    assert [float(shares.matched), float(shares.kept), float(shares.recoverable)] == [0, 0, 0]
