"""Fates in YAML: a form that is filled in becomes an alignment, and each mistake is named with its line."""

from pathlib import Path

import pytest

from semiosis.align import HAND_METHOD, StatedFate, alignment_of_fates, fates_form, parse_fates, read_fates
from semiosis.values import HSG, DataError, Evaluator, UsageError, from_json, to_json
from tests.strategies import an_hsg, an_image

SOURCE = an_hsg(labels=("annunciation", "lily", "ray", "skull"))
TARGET = an_hsg(an_image(), labels=("scene", "flower", "beam"))
HSGS = {hsg.id: hsg for hsg in (SOURCE, TARGET)}
FILLED = f"""\
semiosis: 1
aligner: Ada Example
source: {SOURCE.id}
target: {TARGET.id}
fates:
  - {{node: annunciation, fate: weakened, target: scene, why: the story is there}}
  - node: lily
    fate: split
    target: [flower, n2]
    why: the flower and the light carry it together
  - {{node: ray, fate: reversed, target: beam, probability: 0.7}}
  - {{node: n3, fate: lost, target: }}
"""


def test_fates_by_hand_become_an_alignment() -> None:
    alignment = parse_fates(FILLED, HSGS)
    assert [(fate.node, fate.fate, fate.targets, fate.p) for fate in alignment.fates] == [
        ("root", "weakened", ("root",), 1.0),
        ("n1", "split", ("n1", "n2"), 1.0),
        ("n2", "reversed", ("n2",), 0.7),
        ("n3", "lost", (), 1.0),
    ]
    assert alignment.aligned_by == "person Ada Example"
    assert alignment.method == HAND_METHOD
    assert alignment.fate_of("n1").why == "the flower and the light carry it together"
    assert alignment.distance == 1 - (0.5 + 1 + 0 + 0) / 4
    assert from_json(to_json(alignment)) == alignment


def test_a_form_names_every_node_and_is_refused_until_it_is_filled_in(tmp_path: Path) -> None:
    form = fates_form(SOURCE, TARGET, "Ada Example")
    for hsg in (SOURCE, TARGET):
        for semiosis in hsg.semioses.values():
            assert f"{semiosis.label}: {semiosis.object}" in form
    with pytest.raises(DataError, match="this fate is empty"):
        parse_fates(form, HSGS)
    file = tmp_path / "fates.yaml"
    file.write_text(form.replace("    fate:", "    fate: lost"))
    assert read_fates(file, HSGS).lost == tuple(SOURCE.semioses)


def test_readings_may_be_named_by_their_files(tmp_path: Path) -> None:
    for name, hsg in (("prompt.json", SOURCE), ("artifact.json", TARGET)):
        (tmp_path / name).write_text(to_json(hsg))
    text = FILLED.replace(SOURCE.id, "prompt.json").replace(TARGET.id, "artifact.json")
    assert parse_fates(text, {}, folder=tmp_path) == parse_fates(FILLED, HSGS)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("node: lily", "node: rose", 7, ["there is no node 'rose'", "n1 (lily)"]),
        ("target: beam", "target: nope", 11, ["there is no node 'nope'", "n2 (beam)"]),
        ("fate: split", "fate: kpet", 8, ["'kpet' is not a fate", "kept, weakened"]),
        ("target: [flower, n2]", "target: flower", 7, ["n1 (lily)", "at least two target nodes"]),
        (
            "fate: lost",
            "fate: lost, why: gone, reason: x",
            12,
            ["unknown field 'reason'", "write the reason"],
        ),
        ("0.7", "7", 11, ["'7' is not a probability", "from 0 to 1"]),
        ("node: ray", "node: lily", 11, ["a second fate for n1 (lily)"]),
        ("  - {node: n3, fate: lost, target: }\n", "", 6, ["no fate for n3 (skull)"]),
        ("aligner: Ada Example", "aligner:", 2, ["empty"]),
        (
            f"source: {SOURCE.id}",
            "source: gone.yaml",
            3,
            ["neither the id of an HSG of the study nor a file"],
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, line: int, words: list[str]) -> None:
    assert FILLED.count(old) == 1
    with pytest.raises(DataError) as raised:
        parse_fates(FILLED.replace(old, new), HSGS)
    assert f"fates.yaml:{line}" in str(raised.value)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    ("fates", "what"),
    [
        ([StatedFate("nope", "lost")], "the source has no node 'nope'"),
        ([StatedFate("root", "lost")], "no fate is stated for n1, n2, n3"),
        (
            [StatedFate(node, "kept", ("nope",)) for node in SOURCE.semioses],
            "the target has no node 'nope'",
        ),
    ],
)
def test_stated_fates_name_nodes_that_exist(fates: list[StatedFate], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        _state(SOURCE, fates)


def _state(source: HSG, fates: list[StatedFate]) -> None:
    evaluator = Evaluator(kind="person", name="Ada Example")
    alignment_of_fates(source, TARGET, fates, evaluator=evaluator, method=HAND_METHOD)
