"""What a user sees of an alignment."""

from itertools import repeat
from pathlib import Path

import pytest

from semiosis.align import diff, diff_many
from semiosis.values import HSG, Ground, Grounds, Interpreter, Reading, Relation, Semiosis, TextSign

READER = Reading(interpreter=Interpreter(kind="person", name="Ada Example"))
LILY = ("a white lily", "purity of the virgin", "we think of innocence")
DOVE = ("a dove descending", "the holy spirit", "grace comes down")
SKULL = ("a skull on the table", "the certainty of death", "we count our days")
ROOT = ("the whole picture", "the annunciation", "a message arrives")
Triad = tuple[str, str, str]


def hsg(*parts: Triad, root: Triad = ROOT, name: str = "a") -> HSG:
    """A root with these parts under it."""
    triads = {"root": root} | {f"n{index}": part for index, part in enumerate(parts, start=1)}
    grounds = Grounds(iconic=Ground(strength=0.2), symbolic=Ground(strength=0.7))
    semioses = {
        node: Semiosis(label=node, sign=s, object=o, interpretant=i, grounds=grounds)
        for node, (s, o, i) in triads.items()
    }
    relations = [
        Relation(whole="root", part=node, relation="supports") for node in semioses if node != "root"
    ]
    return HSG(TextSign(text=name), semioses, relations, READER)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests keep their vectors to themselves."""
    monkeypatch.setenv("SEMIOSIS_CACHE", str(tmp_path))


def test_an_hsg_against_itself_keeps_everything() -> None:
    found = diff(hsg(LILY, DOVE), hsg(LILY, DOVE))
    assert [(m.source, m.target, m.p) for m in found.matches] == [
        ("root", "root", 1.0),
        ("n1", "n1", 1.0),
        ("n2", "n2", 1.0),
    ]
    assert (found.lost, found.emergent, found.distance) == ((), (), 0.0)


def test_what_is_gone_is_lost_and_what_is_new_emerges() -> None:
    found = diff(hsg(LILY, DOVE), hsg(DOVE, SKULL, name="b"))
    assert [(m.source, m.target) for m in found.matches] == [("root", "root"), ("n2", "n1")]
    assert (found.lost, found.emergent) == (("n1",), ("n2",))
    # Two of three nodes on each side survive for certain: 1 - 2·2/6.
    assert found.distance == pytest.approx(1 / 3)
    assert found.embedder == "wordllama"


def test_a_stream_gives_what_single_calls_give() -> None:
    pairs = [(hsg(LILY), hsg(DOVE, SKULL)), (hsg(LILY, DOVE), hsg(LILY, DOVE)), (hsg(LILY), hsg(SKULL))]
    assert list(diff_many(pairs)) == [diff(a, b) for a, b in pairs]
    assert list(diff_many([])) == []


def test_a_stream_is_not_read_to_its_end_before_it_gives() -> None:
    endless = repeat((hsg(LILY), hsg(DOVE)))
    assert next(diff_many(endless)).embedder == "wordllama"
