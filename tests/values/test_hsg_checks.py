"""The checks of an HSG when it is created, and its properties."""

from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from semiosis.values import (
    HSG,
    Box,
    CompositeSign,
    DataError,
    Relation,
    Semiosis,
    Span,
    UnresolvedPlace,
    from_json,
    to_json,
)
from tests.strategies import a_reading, a_semiosis, a_text, an_hsg, an_image, hsgs

SIGN, READING = a_text(), a_reading()

# Construction checks


def edge(whole: str, part: str, **fields: Any) -> Relation:
    return Relation(whole=whole, part=part, relation="supports", **fields)


def three(*relations: Relation) -> HSG:
    return an_hsg(relations=relations)


@pytest.mark.parametrize(
    ("relations", "what", "node"),
    [
        ([edge("root", "n1")], "exactly one root, but this graph has 2 roots ('root', 'n2')", ""),
        ([edge("root", "n1"), edge("n1", "n2"), edge("n2", "root")], "a cycle and no root", ""),
        ([edge("n1", "n2"), edge("n2", "n1")], "part of itself through a cycle", "n1"),
        ([edge("root", "n1"), edge("root", "n9")], "'n9', which does not exist", "n9"),
        ([edge("root", "n1"), edge("n2", "n2")], "cannot relate to itself", "n2"),
        ([edge("root", "n1"), edge("root", "n1")], "two relations run from 'root' to it", "n1"),
        (
            [edge("root", "n1"), edge("root", "n2"), edge("n1", "n2", hierarchy=False)] * 2,
            "two relations run",
            "n1",
        ),
        ([edge("root", "n1"), edge("root", "n2"), edge("n1", "n2")], "part of both", "n2"),
    ],
)
def test_a_graph_that_is_not_a_tree_is_refused(relations: list[Relation], what: str, node: str) -> None:
    with pytest.raises(DataError) as caught:
        three(*relations)
    assert what in caught.value.what
    assert caught.value.node == node
    assert caught.value.fix


def test_free_relations_are_not_part_of_the_tree() -> None:
    free = [
        edge("n1", "n2", hierarchy=False),
        edge("n2", "n1", hierarchy=False),
        edge("n1", "root", hierarchy=False),
    ]
    hsg = three(edge("root", "n1"), edge("root", "n2"), *free)
    assert hsg.root == "root"
    assert set(hsg.tree.edges) == {("root", "n1"), ("root", "n2")}
    assert hsg.number_of_edges() == 5


def test_an_hsg_without_nodes_is_refused() -> None:
    with pytest.raises(DataError, match="at least its root"):
        HSG(SIGN, {}, [], READING)


@pytest.mark.parametrize("name", ["1", "", "a b", "ñ", "P.root", "n1\n"])
def test_an_invalid_node_id_is_refused(name: str) -> None:
    with pytest.raises(DataError, match="is not a valid node id"):
        HSG(SIGN, {name: a_semiosis()}, [], READING)


TEXT_AND_IMAGE = CompositeSign(parts=(SIGN, an_image()))


@pytest.mark.parametrize(
    ("sign", "fields", "what"),
    [
        (SIGN, {"places": (Span(start=3, end=8, quote="white"),)}, "is not 'white'"),
        (SIGN, {"places": (Span(start=100, end=105, quote="white"),)}, "is not 'white'"),
        (SIGN, {"places": (Span(part=1, start=2, end=7, quote="white"),)}, "part 1 of a sign with 1 part"),
        (
            SIGN,
            {"unresolved": (UnresolvedPlace(part=1, claim="x", reason="y"),)},
            "part 1 of a sign with 1 part",
        ),
        (SIGN, {"places": (Box(x0=0, y0=0, x1=1, y1=1),)}, "a box needs an image"),
        (an_image(), {"places": (Span(start=2, end=7, quote="white"),)}, "is not 'white'"),
        (TEXT_AND_IMAGE, {"places": (Box(x0=0, y0=0, x1=1, y1=1),)}, "a box needs an image"),
        (TEXT_AND_IMAGE, {"places": (Span(part=1, start=2, end=7, quote="white"),)}, "is not 'white'"),
        (TEXT_AND_IMAGE, {"places": (Box(part=2, x0=0, y0=0, x1=1, y1=1),)}, "part 2 of a sign with 2"),
    ],
)
def test_a_place_that_does_not_resolve_is_refused(sign: Any, fields: dict[str, Any], what: str) -> None:
    with pytest.raises(DataError, match=what) as caught:
        HSG(sign, {"root": a_semiosis(**fields)}, [], READING)
    assert caught.value.node == "root"


@pytest.mark.parametrize(
    ("place", "what"),
    [
        (lambda: Span(start=0, end=4, quote="white"), "4 code points cannot contain the quote 'white'"),
        (lambda: Span(start=0, end=0, quote=""), "at least 1 character"),
        (lambda: Span(start=-1, end=4, quote="white"), "greater than or equal to 0"),
        (lambda: Box(x0=0.5, y0=0, x1=0.5, y1=1), "x0 < x1 and y0 < y1"),
        (lambda: Box(x0=0, y0=0.9, x1=1, y1=0.1), "x0 < x1 and y0 < y1"),
        (lambda: Box(x0=-0.1, y0=0, x1=1, y1=1), "greater than or equal to 0"),
        (lambda: Box(x0=0, y0=0, x1=1.001, y1=1), "less than or equal to 1"),
    ],
)
def test_an_invalid_place_is_refused(place: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        place()


# Edited graphs


def edited(change: Any) -> HSG:
    plain = an_hsg().copy()
    change(plain)
    return HSG.from_graph(plain, sign=SIGN, reading=READING)


@pytest.mark.parametrize(
    ("change", "what", "node"),
    [
        (
            lambda g: g.add_edge("root", "n1", weight=1),
            "the edge 'root' → 'n1' is not a relation: weight",
            "n1",
        ),
        (lambda g: g.add_edge("n1", "n2"), "is not a relation: relation: Field required", "n2"),
        (lambda g: g.add_node("n9"), "are not a valid semiosis: label", "n9"),
        (lambda g: g.add_node(5), "5 is not a valid node id", ""),
        (lambda g: g.nodes["n1"].update(colour="red"), "no attribute 'colour'", "n1"),
        (lambda g: g.nodes["n1"].update(iconic="strong"), "grounds.iconic.strength", "n1"),
        (lambda g: g.nodes["n1"].update(iconic=1.5), "less than or equal to 1", "n1"),
        (lambda g: g.nodes["n1"].update(places="{"), "places: Input should be a valid tuple", "n1"),
        (lambda g: g.nodes["n1"].update(places=3), "places: Input should be a valid tuple", "n1"),
        (lambda g: g.nodes["n1"].update(places='[{"kind":"span"}]'), "places.0.span.start", "n1"),
        (lambda g: g.remove_edge("root", "n1"), "2 roots", ""),
    ],
)
def test_an_invalid_edited_graph_is_refused(change: Any, what: str, node: str) -> None:
    with pytest.raises(DataError) as caught:
        edited(change)
    assert what in caught.value.what
    assert "pydantic" not in str(caught.value)
    assert caught.value.node == node
    assert caught.value.fix


def test_an_undirected_graph_is_refused() -> None:
    with pytest.raises(DataError, match="directed"):
        HSG.from_graph(an_hsg().to_undirected(), sign=SIGN, reading=READING)  # type: ignore[arg-type]  # on purpose


# Reading an HSG


def test_the_outline_runs_whole_before_part_in_the_order_written() -> None:
    relations = [edge("root", "n2"), edge("n2", "n3"), edge("root", "n1")]
    hsg = an_hsg(labels=("whole", "lily", "skull", "teeth"), relations=relations)
    assert list(hsg.outline()) == [(0, "root"), (1, "n1"), (1, "n2"), (2, "n3")]


@given(hsgs())
def test_the_outline_names_every_node_once(hsg: HSG) -> None:
    outline = list(hsg.outline())
    assert outline[0] == (0, hsg.root)
    assert sorted(node for _, node in outline) == sorted(hsg.semioses)
    assert nx.is_arborescence(hsg.tree) or len(hsg) == 1


def test_unlocated_nodes_are_kept_and_listed() -> None:
    claim = UnresolvedPlace(claim="a rose", reason="the text does not contain these words")
    found = Span(start=2, end=7, quote="white")
    semioses: dict[str, Semiosis] = {
        "root": a_semiosis("nowhere", nowhere="a mood"),
        "n1": a_semiosis("lost", unresolved=(claim,)),
        "n2": a_semiosis("found", places=(found,), unresolved=(claim,)),
    }
    hsg = HSG(SIGN, semioses, [edge("root", "n1"), edge("root", "n2")], READING)
    assert hsg.unlocated == ("n1",)
    assert [hsg.nodes[node]["location"] for node in hsg] == ["global", "unlocated", "located"]


def test_blind_means_nothing_else_was_seen() -> None:
    assert an_hsg().blind
    assert not an_hsg(reading=a_reading(given=(an_hsg().id,))).blind
    assert not an_hsg(reading=a_reading(beside=(SIGN.id,))).blind


def _taking_up(**takes_up: str) -> HSG:
    nodes = {node: a_semiosis(node, takes_up=takes_up.get(node)) for node in ("root", "n1", "n2")}
    tree = [Relation(whole="root", part=part, relation="supports") for part in ("n1", "n2")]
    return HSG(a_text(), nodes, tree, a_reading())


def test_a_node_may_take_up_the_interpretant_of_another() -> None:
    hsg = _taking_up(n2="n1", n1="root")
    assert hsg.semioses["n2"].takes_up == "n1"
    assert hsg.nodes["n2"]["takes_up"] == "n1"
    assert "takes_up" not in hsg.nodes["root"]
    assert from_json(to_json(hsg)) == hsg
    assert len({_taking_up().id, _taking_up(n2="n1").id, _taking_up(n2="root").id}) == 3


@pytest.mark.parametrize("takes_up", [{"n1": "n1"}, {"n1": "n2", "n2": "n1"}, {"n1": "root", "root": "n1"}])
def test_no_node_takes_up_its_own_interpretant(takes_up: dict[str, str]) -> None:
    with pytest.raises(DataError, match="takes up its own interpretant, through a cycle"):
        _taking_up(**takes_up)


def test_only_an_existing_interpretant_is_taken_up() -> None:
    with pytest.raises(DataError, match="takes up the interpretant of 'n9', which does not exist"):
        _taking_up(n1="n9")


def test_importance_is_in_the_id_only_if_it_is_stated() -> None:
    unstated, zero, half = (
        HSG(SIGN, {"root": a_semiosis("scene", importance=importance)}, [], READING)
        for importance in (None, 0.0, 0.5)
    )
    assert len({unstated.id, zero.id, half.id}) == 3
    assert unstated.id == HSG(SIGN, {"root": a_semiosis("scene")}, [], READING).id
    assert "importance" not in to_json(unstated)
    assert from_json(to_json(zero)) == zero


def test_an_absence_that_is_meant_is_not_counted_with_unlocated_nodes() -> None:
    nodes = {"root": a_semiosis("scene", absent=True, nowhere="a chandelier has candles")}
    hsg = HSG(a_text(), nodes, [], a_reading())
    assert hsg.semioses["root"].location == "absent"
    assert hsg.unlocated == ()
