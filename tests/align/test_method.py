"""The method, with values derived by hand: vectors are directions in a plane, so cosines are known."""

from math import cos, exp, radians
from pathlib import Path

import pytest

from semiosis.align import EMBEDDER_METHOD, Aligner
from semiosis.values import Alignment
from tests.align.hsgs import AngleEmbedder, at, hsg, weights_file


@pytest.fixture
def aligner(tmp_path: Path) -> Aligner:
    return Aligner(AngleEmbedder(), weights=weights_file(tmp_path), cache=tmp_path)


def p(degrees: float) -> float:
    """The probability of two nodes this far apart: σ(10 · cosine - 5)."""
    return 1 / (1 + exp(5 - 10 * cos(radians(degrees))))


def cells(found: Alignment) -> dict[str, str]:
    return {match.source: match.target for match in found.matches}


def test_a_match_a_loss_and_a_distance(aligner: Aligner) -> None:
    source, target = hsg(at(0), at(80), root=at(10)), hsg(at(30), at(200), root=at(20))
    found = aligner.diff((source, target))
    # The node at 30° goes to the one at 0° (.866), not to the one at 80° (.643).
    assert cells(found) == {"root": "root", "n1": "n1"}
    assert [match.p for match in found.matches] == pytest.approx([p(10), p(30)], abs=1e-6)
    assert (found.lost, found.emergent) == (("n2",), ("n2",))
    # Δo asks for the strongest probability, matched or not: the node at 80° is 50° from the one at 30°.
    assert found.distance == pytest.approx(1 - (p(10) + p(30) + p(50)) / 3, abs=1e-6)


def test_the_assignment_is_the_best_in_sum_and_not_the_best_pair_first(aligner: Aligner) -> None:
    # cos 10° = .985 for the closest pair, but then the node at 40° stays alone:
    # .485 above the cut in sum, against (cos 45° - .5) + (cos 30° - .5) = .573.
    found = aligner.diff((hsg(at(0), at(40), root=at(0)), hsg(at(10), at(-45), root=at(0))))
    assert (cells(found)["n1"], cells(found)["n2"]) == ("n2", "n1")


def test_a_root_matches_only_a_root(aligner: Aligner) -> None:
    found = aligner.diff((hsg(at(90), root=at(0)), hsg(at(0), root=at(180))))
    assert found.matches == ()
    assert found.lost == ("root", "n1")


def test_nodes_at_the_cut_do_not_match(tmp_path: Path) -> None:
    aligner = Aligner(AngleEmbedder(), weights=weights_file(tmp_path, cut=0.9), cache=tmp_path)
    found = aligner.diff((hsg(at(0), root=at(0)), hsg(at(30), root=at(20))))
    assert cells(found) == {"root": "root"}  # cos 20° = .94, cos 30° = .87


def test_a_match_whose_objects_are_far_less_alike_is_flagged_and_kept(aligner: Aligner) -> None:
    # Objects 60° apart have a cosine of .5, below half of 1; 59° is not below it for nodes that are the same.
    source = hsg(at(0), at(90, object_at=90), root=at(45))
    target = hsg(at(0, object_at=61), at(90, object_at=91), root=at(46))
    flags = {match.source: match.objects_differ for match in aligner.diff((source, target)).matches}
    assert flags == {"root": False, "n1": True, "n2": False}


def test_the_same_text_is_certain_and_the_same_vector_is_not(aligner: Aligner) -> None:
    source = hsg(at(0), root=at(90))
    found = aligner.diff((source, hsg(("another sign", "object 0", "thought 0"), root=at(90))))
    assert [match.p for match in found.matches] == pytest.approx([1.0, p(0)], abs=1e-4)


def test_how_much_is_kept_is_the_rest_of_the_distance(aligner: Aligner) -> None:
    source, target = hsg(at(0), at(80), root=at(10)), hsg(at(30), root=at(20))
    kept = aligner.match_strengths(source, target)
    assert kept == pytest.approx({"root": p(10), "n1": p(30), "n2": p(50)}, abs=1e-6)
    assert aligner.mean_match_strength(source, target) == pytest.approx(
        1 - aligner.diff((source, target)).distance, abs=1e-6
    )


def test_an_alignment_states_method_embedder_and_a_hash_of_the_weights(tmp_path: Path) -> None:
    pair = hsg(at(0), root=at(0)), hsg(at(10), root=at(0))
    one = Aligner(AngleEmbedder(), weights=weights_file(tmp_path), cache=tmp_path).diff(pair)
    other = Aligner(AngleEmbedder(), weights=weights_file(tmp_path, slope=11.0), cache=tmp_path).diff(pair)
    assert (one.method, one.embedder) == (EMBEDDER_METHOD, "angles")
    assert one.weights != other.weights
    assert one.id != other.id
