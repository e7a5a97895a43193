"""The HSG as a NetworkX graph: one test for each way in which NetworkX could break it."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from semiosis.values import HSG, UsageError, to_json
from tests.strategies import a_reading, a_text, an_alignment, an_hsg, hsgs

SIGN, READING = a_text(), a_reading()


def converted_back(graph: Any, like: HSG) -> HSG:
    return HSG.from_graph(graph, sign=like.sign, reading=like.reading)


def is_plain(graph: Any) -> bool:
    return type(graph) is nx.DiGraph


# NetworkX returns plain, editable graphs


@given(hsgs())
def test_copy_is_plain_and_converts_back_to_the_same_hsg(hsg: HSG) -> None:
    plain = hsg.copy()
    assert is_plain(plain)
    assert converted_back(plain, hsg) == hsg


def test_a_copy_can_be_edited_and_converted_back() -> None:
    hsg = an_hsg()
    plain = hsg.copy()
    plain.nodes["n1"]["object"] = "purity"
    plain.remove_node("n2")
    edited = converted_back(plain, hsg)
    assert edited.semioses["n1"].object == "purity"
    assert list(edited.semioses) == ["root", "n1"]
    assert edited.id != hsg.id
    assert hsg.semioses["n1"].object == "what lily stands for"


def test_subgraph_is_a_plain_view_that_copies_into_an_editable_graph() -> None:
    part = an_hsg().subgraph(["root", "n1"])
    assert is_plain(part)
    assert set(part.edges) == {("root", "n1")}
    editable = part.copy()
    editable.add_edge("n1", "n9")
    assert is_plain(an_hsg().edge_subgraph([("root", "n1")]))


def test_reverse_keeps_nodes_and_attributes() -> None:
    hsg = an_hsg()
    back = hsg.reverse()
    assert is_plain(back)
    assert set(back.edges) == {("n1", "root"), ("n2", "root")}
    assert back.nodes["n1"]["label"] == "lily"
    back.nodes["n1"]["label"] = "rose"
    assert hsg.nodes["n1"]["label"] == "lily"
    assert list(hsg.reverse(copy=False).predecessors("root")) == ["n1", "n2"]


def test_relabelling_gives_a_plain_graph_that_converts_back() -> None:
    hsg = an_hsg()
    renamed = nx.relabel_nodes(hsg, {"n1": "lily"})
    assert is_plain(renamed)
    assert converted_back(renamed, hsg).semioses["lily"] == hsg.semioses["n1"]
    with pytest.raises(nx.NetworkXError, match="frozen"):
        nx.relabel_nodes(hsg, {"n1": "lily"}, copy=False)


def test_compose_unites_nodes_by_name() -> None:
    one, other = an_hsg(labels=("whole", "lily")), an_hsg(labels=("whole", "lily", "skull"))
    both = nx.compose(one, other)
    assert is_plain(both)
    assert set(both) == {"root", "n1", "n2"}
    assert both.nodes["n2"]["label"] == "skull"


def test_other_conversions_to_a_plain_graph() -> None:
    hsg = an_hsg()
    gathered: nx.DiGraph[str] = nx.DiGraph()
    gathered.add_nodes_from(hsg.nodes(data=True))
    gathered.add_edges_from(hsg.edges(data=True))
    for graph in (nx.DiGraph(hsg), hsg.to_directed(), gathered, nx.node_link_graph(nx.node_link_data(hsg))):
        assert converted_back(graph, hsg) == hsg
        graph.nodes["root"]["label"] = "free to change"
    assert set(hsg.to_undirected()) == set(hsg)
    assert set(nx.disjoint_union(hsg, hsg)) == set(range(6))
    assert is_plain(nx.transitive_closure(hsg))


def test_networkx_algorithms_read_an_hsg() -> None:
    hsg = an_hsg()
    assert nx.is_arborescence(hsg)
    assert nx.shortest_path(hsg, "root", "n2") == ["root", "n2"]
    assert nx.pagerank(hsg)["root"] < nx.pagerank(hsg)["n1"]


def test_without_a_sign_the_class_gives_a_plain_graph() -> None:
    assert is_plain(HSG())  # type: ignore[call-arg]  # as NetworkX calls it


# Copying, pickling, comparing


@given(hsgs())
def test_deepcopy_and_pickle_give_the_same_hsg(hsg: HSG) -> None:
    assert copy.copy(hsg) is hsg
    assert copy.deepcopy([hsg])[0] == hsg
    back = pickle.loads(pickle.dumps(hsg))
    assert (back, back.sign, back.reading) == (hsg, hsg.sign, hsg.reading)
    assert dict(back.semioses) == dict(hsg.semioses)
    assert list(back.edges(data=True)) == list(hsg.edges(data=True))


def test_unpickling_neither_checks_nor_hashes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hsg, alignment = an_hsg(), an_alignment(an_hsg(), an_hsg(labels=("whole",)))
    spelled = pickle.dumps((hsg, alignment))

    def never(*_arguments: object) -> str:
        raise AssertionError("checked or hashed again")

    with monkeypatch.context() as patch:
        for name in ("find_root", "check_places", "check_absences", "content_id"):
            patch.setattr(f"semiosis.values._hsg.{name}", never)
        back, other = pickle.loads(spelled)
        assert back.id == hsg.id
    assert (back, other) == (hsg, alignment)
    assert to_json(back) == to_json(hsg)
    assert nx.is_frozen(back)


def test_new_metadata_of_a_sign_rebuilds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hsg = an_hsg()
    list(hsg.edges)  # a view that NetworkX keeps
    monkeypatch.setattr("semiosis.values._hsg.find_root", None)
    twin = hsg.with_sign(a_text(title="Lily"))
    assert (twin.sign.title, hsg.sign.title) == ("Lily", "")
    assert twin == hsg
    assert (list(twin.nodes(data=True)), list(twin.edges)) == (list(hsg.nodes(data=True)), list(hsg.edges))
    assert twin.edges is not hsg.edges
    with pytest.raises(nx.NetworkXError, match="frozen"):
        twin.add_node("x")
    with pytest.raises(UsageError, match="is a reading of sign"):
        hsg.with_sign(a_text("another"))


def test_equality_and_hash_are_by_id() -> None:
    assert an_hsg() == an_hsg()
    assert an_hsg() != an_hsg(labels=("whole",))
    assert {an_hsg(), an_hsg()} == {an_hsg()}
    assert an_hsg() != "an HSG"
    assert an_hsg() != nx.DiGraph(an_hsg())


def test_repr_contains_the_id_and_the_sign() -> None:
    hsg = an_hsg()
    assert repr(hsg) == str(hsg) == f"<HSG {hsg.id}: 3 semioses of text {SIGN.id}>"


# An HSG is frozen


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h.nodes["root"].update(label="x"),
        lambda h: h.nodes["root"].__setitem__("label", "x"),
        lambda h: h.nodes["root"].pop("label"),
        lambda h: h.nodes["root"].pop("label", ""),
        lambda h: h.nodes["root"].setdefault("colour", "red"),
        lambda h: h.nodes["root"].clear(),
        lambda h: h.edges["root", "n1"].update(how="x"),
        lambda h: h.adj["root"]["n1"].popitem(),
        lambda h: h.pred["n1"]["root"].__delitem__("how"),
        lambda h: h.graph.update(root="n1"),
        lambda h: h.semioses.pop("root"),
        lambda h: h.semioses.__ior__({}),
        lambda h: nx.set_node_attributes(h, {"root": 1}, "colour"),
    ],
)
def test_attributes_are_read_only(change: Any) -> None:
    hsg = an_hsg()
    with pytest.raises(TypeError, match=r"frozen; copy it to change it"):
        change(hsg)
    assert converted_back(hsg.copy(), hsg) == hsg


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h.add_node("n9"),
        lambda h: h.add_nodes_from(["n9"]),
        lambda h: h.remove_node("n1"),
        lambda h: h.remove_nodes_from(["n1"]),
        lambda h: h.add_edge("n1", "n2"),
        lambda h: h.add_edges_from([("n1", "n2")]),
        lambda h: h.add_weighted_edges_from([("n1", "n2", 1)]),
        lambda h: h.remove_edge("root", "n1"),
        lambda h: h.remove_edges_from([("root", "n1")]),
        lambda h: h.update(nodes=["n9"]),
        lambda h: h.clear(),
        lambda h: h.clear_edges(),
        lambda h: nx.add_path(h, ["n1", "n2"]),
        lambda h: setattr(h, "sign", SIGN),
        lambda h: setattr(h, "root", "n1"),
        lambda h: setattr(h, "name", "x"),
    ],
)
def test_the_graph_is_read_only(change: Any) -> None:
    hsg = an_hsg()
    with pytest.raises(nx.NetworkXError, match=r"frozen; edit hsg.copy\(\)"):
        change(hsg)
    assert (list(hsg), list(hsg.edges)) == (["root", "n1", "n2"], [("root", "n1"), ("root", "n2")])


def test_networkx_knows_that_it_is_frozen() -> None:
    assert nx.is_frozen(an_hsg())
    assert not nx.is_frozen(an_hsg().copy())


# GraphML


def test_graphml_writes_an_hsg_and_reads_it_back(tmp_path: Path, full_hsg: HSG) -> None:
    for number, hsg in enumerate((an_hsg(), full_hsg)):
        nx.write_graphml(hsg, tmp_path / f"{number}.graphml")
        back = nx.read_graphml(tmp_path / f"{number}.graphml")
        assert converted_back(back, hsg) == hsg
        assert back.graph["hsg"] == hsg.id
        assert hsg.graph["hsg"] == hsg.id


def test_node_attributes_are_flat_primitives(full_hsg: HSG) -> None:
    for _, attributes in full_hsg.nodes(data=True):
        assert {type(value) for value in attributes.values()} <= {str, float}


# A user's script under mypy

SCRIPT = """
import semiosis.values as sv

sign = sv.text("A white lily")
lily = sv.Semiosis(label="lily", sign="a lily", object="purity", interpretant="a vow")
reading = sv.Reading(interpreter=sv.Interpreter(kind="person", name="Ada"))
hsg = sv.HSG(sign, {"root": lily}, [], reading)

for node, semiosis in hsg.semioses.items():
    strength: float = semiosis.grounds.symbolic.strength
    print(node.upper(), semiosis.object.upper(), strength + 1)
for relation in hsg.relations:
    word: sv.RelationWord = relation.relation
    print(word, relation.whole.upper(), relation.how)
for name in hsg.nodes:
    print(name.upper(), hsg.nodes[name]["label"], list(hsg.successors(name)))
for whole, part in hsg.tree.edges:
    print(whole.upper(), part.upper())
print(hsg.root.upper(), hsg.blind, hsg.unlocated, hsg.number_of_nodes() + 1)
"""


CACHE = Path(__file__).parents[2] / ".mypy_cache"
"""Shared with the check of the whole project: without it this test takes a minute."""


@pytest.mark.slow
def test_a_users_script_passes_mypy_strict(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(SCRIPT)
    (tmp_path / "bad.py").write_text(SCRIPT + "hsg.semioses['root'].grounds.symbolic.strength.upper()\n")
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--cache-dir",
            str(tmp_path / "cache"),
            "good.py",
            "bad.py",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in run.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1, run.stdout
    assert errors[0].startswith("bad.py")
    assert '"float" has no attribute "upper"' in errors[0]
