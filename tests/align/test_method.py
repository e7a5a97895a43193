"""The method, with values derived by hand: vectors are directions in a plane, so cosines are known."""

import json
from math import cos, exp, radians
from pathlib import Path

import pytest

from semiosis.align import EMBEDDER_METHOD, Aligner, UnmeasuredLengthWarning
from semiosis.values import HSG, Alignment, UsageError
from tests.align.hsgs import AngleEmbedder, Triad, at, hsg, weights_file


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


def test_nodes_count_by_their_importance_where_the_reading_states_it(aligner: Aligner) -> None:
    source, target = hsg(at(0), at(180), root=at(10)), hsg(at(30), root=at(20))
    important = weighted(source, {"root": 1.0, "n1": 0.5})
    alignment = aligner.diff((important, target))
    # The node without an importance counts as the mean of the others, 0.75; its best partner is 150° away.
    expected = (1.0 * p(10) + 0.5 * p(30) + 0.75 * p(150)) / 2.25
    assert alignment.distance == pytest.approx(1 - expected, abs=1e-6)
    assert aligner.mean_match_strength(important, target) == pytest.approx(expected, abs=1e-6)
    assert alignment.matched_share == pytest.approx(1.5 / 2.25)
    assert "nodes weighted by importance" in str(alignment)


def test_alignments_with_and_without_importance_are_different_procedures(aligner: Aligner) -> None:
    source, target = hsg(at(0), root=at(10)), hsg(at(30), root=at(20))
    plain, by_importance = (
        aligner.diff((prompt, target)) for prompt in (source, weighted(source, {"root": 1.0}))
    )
    assert by_importance.procedure == f"{plain.procedure}, nodes weighted by importance"
    assert plain.matched_share == by_importance.matched_share == 1.0


def test_a_reading_in_which_nothing_is_important_counts_all_nodes_alike(aligner: Aligner) -> None:
    source, target = hsg(at(0), root=at(10)), hsg(at(30), root=at(20))
    nothing = weighted(source, {"root": 0.0, "n1": 0.0})
    assert aligner.diff((nothing, target)).distance == aligner.diff((source, target)).distance


def test_the_cut_depends_on_the_length_of_the_texts(tmp_path: Path) -> None:
    # The texts of a pair have 30 to 32 bytes a node; those with 40 more letters belong to the second class.
    quality = json.loads(weights_file(tmp_path).read_text())["lengths"][0]["measured"]
    classes = [
        {"name": "short", "up_to": 50.0, "cut": 0.5, "measured": quality},
        {"name": "long", "up_to": 90.0, "cut": 0.95, "measured": quality},
    ]
    aligner = Aligner(AngleEmbedder(), weights=weights_file(tmp_path, lengths=classes), cache=tmp_path)
    short = aligner.diff((hsg(at(0), root=at(0)), hsg(at(30), root=at(0))))
    assert (short.length_class, cells(short)) == ("short", {"root": "root", "n1": "n1"})
    long = aligner.diff((hsg(wordy(0), root=wordy(0)), hsg(wordy(30), root=wordy(0))))
    assert (long.length_class, cells(long)) == ("long", {"root": "root"})  # cos 30° = .87


def test_readings_longer_than_any_measured_say_so(tmp_path: Path) -> None:
    quality = json.loads(weights_file(tmp_path).read_text())["lengths"][0]["measured"]
    short = [{"name": "short", "up_to": 50.0, "cut": 0.5, "measured": quality}]
    aligner = Aligner(AngleEmbedder(), weights=weights_file(tmp_path, lengths=short), cache=tmp_path)
    with pytest.warns(UnmeasuredLengthWarning, match="the texts of 1 of 1 pairs are longer than any"):
        aligner.diff((hsg(wordy(0), root=wordy(0)), hsg(wordy(30), root=wordy(0))))


def test_a_mean_vector_is_subtracted_before_the_cosine(tmp_path: Path) -> None:
    # With the mean (1, 0), nodes at 60° and -60° become (-.5, ±.87): 120° apart as before, and at 0° nothing
    # is left. Without it, 20° and -20° are alike (.77); with it, (-.06, ±.34) points in opposite directions.
    pair = hsg(at(20), root=at(90)), hsg(at(-20), root=at(91))
    plain = Aligner(AngleEmbedder(), weights=weights_file(tmp_path), cache=tmp_path).diff(pair)
    centred = Aligner(AngleEmbedder(), weights=weights_file(tmp_path, mean=[1.0, 0.0]), cache=tmp_path).diff(
        pair
    )
    assert cells(plain) == {"root": "root", "n1": "n1"}
    assert cells(centred) == {"root": "root"}


def test_a_mean_of_another_length_is_refused(tmp_path: Path) -> None:
    aligner = Aligner(AngleEmbedder(), weights=weights_file(tmp_path, mean=[1.0, 0.0, 0.0]), cache=tmp_path)
    with pytest.raises(UsageError, match="vectors of 2 numbers, but its weights were fitted on vectors of 3"):
        aligner.diff((hsg(at(0), root=at(0)), hsg(at(0), root=at(0))))


def weighted(source: HSG, importances: dict[str, float]) -> HSG:
    """The reading with these importances."""
    semioses = {
        node: semiosis.model_copy(update={"importance": importances.get(node)})
        for node, semiosis in source.semioses.items()
    }
    return HSG(source.sign, semioses, source.relations, source.reading)


def wordy(angle: float) -> Triad:
    """A node whose text is 40 letters longer."""
    return f"{'x' * 40} {angle}", f"object {angle}", f"thought {angle}"
