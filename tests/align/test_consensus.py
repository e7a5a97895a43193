"""The consensus of several readings: shares, texts, dissent, order, and the input that it refuses."""

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.align import consensus, merge_readings
from semiosis.align._consensus import DISSENTING_ROOT
from semiosis.values import (
    HSG,
    Alignment,
    DataError,
    Interpreter,
    Reading,
    Relation,
    Semiosis,
    UsageError,
    from_json,
    references,
    to_json,
)
from tests.strategies import a_reading, a_semiosis, a_text, an_alignment, an_hsg, hsgs

READERS = ("Ada", "Bo", "Cy", "Di")


def read(name: str, *labels: str) -> HSG:
    """A blind reading by this reader; the first label is the root."""
    return an_hsg(labels=labels, reading=a_reading(name))


def by_label(*readings: HSG, p: float = 0.9) -> list[Alignment]:
    """Alignments of every two readings that match the nodes with the same label."""
    found = []
    for one, other in combinations(sorted(readings, key=lambda hsg: hsg.id), 2):
        named = {semiosis.label: node for node, semiosis in other.semioses.items()}
        pairs = [(node, named[s.label]) for node, s in one.semioses.items() if s.label in named]
        found.append(an_alignment(one, other, pairs, p=p))
    return found


def merged(*readings: HSG) -> HSG:
    return merge_readings(readings, by_label(*readings))


def shares(hsg: HSG) -> dict[str, float]:
    return {semiosis.label: round(semiosis.share or 0, 6) for semiosis in hsg.semioses.values()}


def plain(hsg: HSG) -> dict[str, Semiosis]:
    """Return the nodes without what the consensus adds."""
    return {
        node: semiosis.model_copy(update={"share": None, "sources": ()})
        for node, semiosis in hsg.semioses.items()
    }


def test_a_node_has_the_share_of_readers_that_have_it() -> None:
    found = merged(
        read("Ada", "faith", "lily", "skull"),
        read("Bo", "faith", "lily", "candle"),
        read("Cy", "faith", "lily", "skull", "glass"),
    )
    assert shares(found) == {
        "faith": 1,
        "lily": 1,
        "skull": 0.666667,
        "candle": 0.333333,
        "glass": 0.333333,
    }


def test_the_consensus_is_an_ordinary_hsg_that_says_what_it_merged() -> None:
    one, other = read("Ada", "faith", "lily"), read("Bo", "faith", "lily")
    found = merged(one, other)
    reading = found.reading
    assert (reading.interpreter.kind, reading.interpreter.name) == ("program", "consensus")
    assert reading.given == tuple(sorted([one.id, other.id]))
    assert {named.id for named in references(found) if named.kind == "node"} == {
        f"{hsg.id}/{node}" for hsg in (one, other) for node in hsg.semioses
    }
    assert from_json(to_json(found)) == found
    assert HSG.from_graph(found.copy(), sign=found.sign, reading=reading) == found


def test_texts_are_those_of_the_most_central_reading_word_for_word() -> None:
    # Matches: Ada–Bo 3 of 3 nodes, Ada–Cy 3 of 3 and 3 of 4, Bo–Cy likewise. Ada and Bo are equally central
    # and more central than Cy. Both have three nodes, so the lower id decides.
    ada, bo = read("Ada", "faith", "lily", "skull"), read("Bo", "faith", "lily", "skull")
    cy = read("Cy", "faith", "lily", "skull", "glass")
    first = min(ada, bo, key=lambda hsg: hsg.id)
    found = merged(cy, bo, ada)
    for node, semiosis in found.semioses.items():
        hsg_id, _, source = semiosis.sources[0].partition("/")
        words = next(hsg for hsg in (ada, bo, cy) if hsg.id == hsg_id).semioses[source]
        assert plain(found)[node] == words
        assert hsg_id == (cy.id if semiosis.label == "glass" else first.id)


def test_of_two_readers_the_one_with_more_nodes_gives_the_texts() -> None:
    # With two readings the matched share of both is the same, so centrality always ties.
    short, long = read("Ada", "faith", "lily"), read("Bo", "faith", "lily", "skull")
    assert {s.sources[0].partition("/")[0] for s in merged(short, long).semioses.values()} == {long.id}


def test_a_root_without_a_match_is_kept_as_a_part() -> None:
    one, other = read("Ada", "faith", "lily", "skull"), read("Bo", "vanity", "lily")
    found = merged(one, other)
    assert found.semioses[found.root].label == "faith"
    (dissent,) = [node for node, s in found.semioses.items() if s.label == "vanity"]
    assert found.semioses[dissent].share == 0.5
    (relation,) = [r for r in found.relations if r.part == dissent]
    assert (relation.whole, relation.relation, relation.how) == (found.root, "elaborates", DISSENTING_ROOT)


def test_unrelated_readings_keep_every_node_with_its_own_share() -> None:
    one, other = read("Ada", "faith", "lily"), read("Bo", "vanity", "skull")
    found = merged(one, other)
    assert shares(found) == dict.fromkeys(("faith", "lily", "vanity", "skull"), 0.5)


def test_a_chain_of_matches_never_joins_two_nodes_of_one_reading() -> None:
    one, other = read("Ada", "faith", "lily", "rose"), read("Bo", "faith", "flower")
    third = read("Cy", "faith", "bloom")
    lower, upper = sorted((one, third), key=lambda hsg: hsg.id)
    # lily–flower, flower–bloom, and bloom–rose: the weakest link would join lily and rose of one reading.
    links = {
        frozenset({one.id, other.id}): ({one.id: "n1", other.id: "n1"}, 0.9),
        frozenset({other.id, third.id}): ({other.id: "n1", third.id: "n1"}, 0.8),
        frozenset({lower.id, upper.id}): ({one.id: "n2", third.id: "n1"}, 0.7),
    }
    alignments = [
        an_alignment(a, b, [("root", "root"), (nodes[a.id], nodes[b.id])], p=p)
        for a, b in combinations((one, other, third), 2)
        for nodes, p in [links[frozenset({a.id, b.id})]]
    ]
    found = merge_readings((one, other, third), alignments)
    groups = {frozenset(s.sources) for s in found.semioses.values()}
    assert frozenset({f"{one.id}/n1", f"{other.id}/n1", f"{third.id}/n1"}) in groups
    assert frozenset({f"{one.id}/n2"}) in groups


@pytest.mark.slow
@given(hsgs())
def test_merging_a_reading_with_itself_gives_its_content_back(hsg: HSG) -> None:
    found = consensus([hsg, hsg])
    assert plain(found) == dict(hsg.semioses)
    assert (found.relations, found.root) == (hsg.relations, hsg.root)
    assert {semiosis.share for semiosis in found.semioses.values()} == {1.0}
    assert found.blind == hsg.blind


def test_identical_readers_agree_on_everything() -> None:
    found = consensus([read(name, "faith", "lily", "skull") for name in READERS])
    assert shares(found) == dict.fromkeys(("faith", "lily", "skull"), 1.0)


@pytest.mark.slow
@given(st.integers(min_value=0, max_value=10**6))
def test_the_order_of_the_readers_does_not_matter_and_the_tree_is_always_one(seed: int) -> None:
    readings = [tangled(name, Random(f"{seed}{name}")) for name in READERS[:3]]
    alignments = random_alignments(readings, Random(seed))
    ids = {
        merge_readings([readings[at] for at in order], alignments).id
        for order in permutations(range(len(readings)))
    }
    assert len(ids) == 1  # the constructor has checked that it is one tree
    found = merge_readings(readings, alignments)
    kept = sorted(source for semiosis in found.semioses.values() for source in semiosis.sources)
    assert kept == sorted(f"{hsg.id}/{node}" for hsg in readings for node in hsg.semioses)


def tangled(name: str, random: Random) -> HSG:
    """A reading with a random tree and random free relations."""
    many = random.randint(1, 6)
    nodes = ["root", *(f"n{number}" for number in range(1, many))]
    tree = [
        Relation(whole=random.choice(nodes[:at]), part=nodes[at], relation="supports")
        for at in range(1, many)
    ]
    taken = {(relation.whole, relation.part) for relation in tree}
    pairs = [(a, b) for a in nodes for b in nodes if a != b and (a, b) not in taken]
    free = [
        Relation(whole=a, part=b, relation="contrasts", hierarchy=False)
        for a, b in random.sample(pairs, min(2, len(pairs)))
    ]
    semioses = {node: a_semiosis(f"{name} {node}") for node in nodes}
    return HSG(a_text(), semioses, [*tree, *free], a_reading(name))


def random_alignments(readings: Sequence[HSG], random: Random) -> list[Alignment]:
    """Alignments that match nodes at random, roots only with roots."""
    found = []
    for one, other in combinations(sorted(readings, key=lambda hsg: hsg.id), 2):
        left, right = list(one.semioses)[1:], list(other.semioses)[1:]
        random.shuffle(right)
        pairs = list(zip(left, right, strict=False))[: random.randint(0, 5)]
        roots = [("root", "root")] if random.random() < 0.5 else []
        found.append(an_alignment(one, other, [*roots, *pairs], p=random.choice((0.5, 0.7, 0.9))))
    return found


def test_a_consensus_is_blind_if_what_it_merges_is() -> None:
    blind = read("Ada", "faith", "lily")
    shown = an_hsg(labels=("faith", "lily"), reading=a_reading("Bo", given=(blind.id,)))
    assert consensus([blind]).blind
    assert not consensus([shown]).blind
    with pytest.raises(UsageError, match="blind and given readings cannot be merged"):
        consensus([blind, shown])


def test_what_is_not_a_set_of_readings_of_one_sign_is_refused() -> None:
    one = read("Ada", "faith")
    with pytest.raises(UsageError, match="there is no reading"):
        consensus([])
    with pytest.raises(UsageError, match="the readings are of different signs"):
        consensus([one, an_hsg(a_text("another prompt"), ("faith",))])
    with pytest.raises(UsageError, match="a consensus cannot be merged again"):
        consensus([consensus([one])])
    german, english = (an_hsg(labels=("x",), reading=a_reading("Bo", language=tag)) for tag in ("de", "en"))
    with pytest.raises(UsageError, match="2 languages cannot be merged: de, en"):
        consensus([german, english])


def test_a_share_that_does_not_follow_from_the_sources_is_refused() -> None:
    one = read("Ada", "faith")
    found = consensus([one])
    for change, message in (
        ({"share": 0.5}, "its share is 0.5, but 1 of 1 merged readings have it"),
        (
            {"sources": (f"{one.id}/root", f"{one.id}/n1"), "share": 1.0},
            "nodes of different merged readings",
        ),
        ({"sources": ("0" * 20 + "/root",)}, "nodes of different merged readings"),
    ):
        changed = {"root": found.semioses["root"].model_copy(update=change)}
        with pytest.raises(DataError, match=message):
            HSG(found.sign, changed, (), found.reading)
    person = Reading(interpreter=Interpreter(kind="person", name="consensus"), given=(one.id,))
    with pytest.raises(DataError, match="only a consensus has sources"):
        HSG(found.sign, found.semioses, (), person)


def test_two_procedures_are_not_mixed() -> None:
    one, other = read("Ada", "faith"), read("Bo", "faith")
    with pytest.raises(UsageError, match="one procedure, not 2"):
        merge_readings([one, other], by_label(one, other), procedure="another method")
