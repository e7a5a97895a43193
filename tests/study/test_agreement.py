"""Reader agreement on made-up readers whose overlap is known, identical readers, and unrelated readers."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from semiosis.align import Aligner, consensus
from semiosis.stats import Interval
from semiosis.study import GroupAgreement, ReadingRule, Study, check_study, new_study, reader_agreement
from semiosis.study._reading_pairs import draw_unrelated, reading_pairs
from semiosis.values import (
    HSG,
    Box,
    Grounds,
    ImageSign,
    Interpreter,
    Reading,
    Relation,
    Semiosis,
    Span,
    TextSign,
    Unscored,
    UsageError,
)
from tests.align.hsgs import HashEmbedder, weights_file
from tests.strategies import an_image, grounds

NODES = 5
"""The number of nodes of each reading below its root."""


def words_of(name: str) -> str:
    """Return a text that shares no word with another name's."""
    return " ".join(f"{name}{letter}" for letter in "abcdef")


def a_node(name: str, random: Random, **fields: object) -> Semiosis:
    strengths = [round(random.random(), 2) for _ in range(3)]
    given: dict[str, object] = {"label": name, "sign": words_of(name), "object": name, "interpretant": name}
    return Semiosis.model_validate({**given, "grounds": grounds(*strengths), **fields})


def read(
    sign: ImageSign | TextSign,
    names: Sequence[str],
    reader: str,
    *,
    seed: str = "",
    repeat: int = 0,
    **reading: object,
) -> HSG:
    """Return a reading with these nodes below a root. Names and seed determine grounds and boxes."""
    nodes = {"root": a_node(f"whole{sign.id}", Random(f"root{sign.id}{seed}"))}
    relations = []
    for number, name in enumerate(names, start=1):
        random = Random(f"{name}{seed}")
        x, y = (round(0.8 * random.random(), 3) for _ in range(2))
        places = (Box(x0=x, y0=y, x1=x + 0.2, y1=y + 0.2),) if isinstance(sign, ImageSign) else ()
        nodes[f"n{number}"] = a_node(name, random, places=places)
        word = random.choice(("supports", "elaborates", "contrasts"))
        relations.append(Relation(whole="root", part=f"n{number}", relation=word))
    who = Interpreter(kind="person", name=reader)
    conditions = Reading.model_validate({"interpreter": who, "repeat": repeat, **reading})
    return HSG(sign, nodes, relations, conditions)


def a_study(folder: Path, hsgs: Iterable[HSG]) -> Study:
    study = new_study(folder / "made")
    return study.add(list(hsgs), "readings")


@pytest.fixture
def aligner(tmp_path: Path) -> Aligner:
    """Return an aligner for which the similarity of two texts is the share of words in common."""
    return Aligner(HashEmbedder("angles"), weights=weights_file(tmp_path), cache=tmp_path)


def pictures(count: int) -> list[ImageSign]:
    return [an_image(f"picture {number}") for number in range(count)]


def names_of(sign: ImageSign | TextSign, reader: str, shared: int) -> list[str]:
    """Return the names of nodes, of which the first `shared` are the same for every reader."""
    return [f"{'x' if at < shared else reader}{sign.id}{at}" for at in range(NODES)]


def only_group(study: Study, aligner: Aligner, **options: object) -> GroupAgreement:
    (group,) = reader_agreement(study, aligner=aligner, **options).groups  # type: ignore[arg-type]  # test options
    return group


def test_the_estimate_recovers_a_known_overlap(tmp_path: Path, aligner: Aligner) -> None:
    # The root and 3 of 5 nodes are shared: 4 of 6 nodes of either reading match, and none by chance.
    hsgs = [read(sign, names_of(sign, who, 3), who) for sign in pictures(8) for who in ("ada", "bo")]
    study = a_study(tmp_path, hsgs)
    group = only_group(study, aligner)
    for name in ("nodes", "nodes of ada", "nodes of bo"):
        found = group.measure(name)
        assert float(found.observed) == pytest.approx(4 / 6)
        assert float(found.chance) == 0
        assert float(found.corrected) == pytest.approx(4 / 6)
    assert group.measure("nodes").items == 8 * 12
    # The shared nodes are the same in every respect.
    for name in ("boxes", "relations", "iconic", "indexical", "symbolic"):
        assert float(group.measure(name).corrected) == pytest.approx(1), name
    assert group.measure("boxes").items == 8 * 3
    assert group.measure("boxes").items_unscored == 8  # the roots have no box


def test_a_reader_who_sees_half_as_much_has_two_different_shares(tmp_path: Path, aligner: Aligner) -> None:
    hsgs = [
        read(s, names_of(s, "x", 5)[:size], who) for s in pictures(6) for who, size in (("ada", 1), ("bo", 5))
    ]
    group = only_group(a_study(tmp_path, hsgs), aligner)
    assert float(group.measure("nodes of ada").observed) == 1  # root and 1 of 1
    assert float(group.measure("nodes of bo").observed) == pytest.approx(2 / 6)
    assert float(group.measure("nodes").observed) == pytest.approx(4 / 8)


def test_identical_readers_agree_completely(tmp_path: Path, aligner: Aligner) -> None:
    hsgs = [read(sign, names_of(sign, "x", 5), who) for sign in pictures(6) for who in ("ada", "bo")]
    group = only_group(a_study(tmp_path, hsgs), aligner)
    for measure in group.measures:
        assert float(measure.observed) == pytest.approx(1), measure.name
        if measure.name != "wholes":  # every whole is the root, by chance too
            assert float(measure.corrected) == pytest.approx(1), measure.name
    assert isinstance(group.measure("wholes").corrected.value, Unscored)


@pytest.mark.slow
def test_unrelated_readers_agree_as_by_chance(tmp_path: Path, aligner: Aligner) -> None:
    # Each reader draws 5 of 12 common meanings for every picture, without looking at it.
    common = [f"common{at}" for at in range(12)]
    hsgs = [
        read(sign, Random(f"{sign.id}{who}").sample(common, NODES), who, seed=f"{sign.id}{who}")
        for sign in pictures(40)
        for who in ("ada", "bo")
    ]
    plain = [replace_root(hsg) for hsg in hsgs]
    group = only_group(a_study(tmp_path, plain), aligner)
    nodes = group.measure("nodes")
    assert float(nodes.observed) > 0.2  # they do share words
    assert abs(float(nodes.corrected)) < 0.06
    for name in ("boxes", "relations", "iconic", "indexical", "symbolic"):
        found = group.measure(name).corrected
        assert isinstance(found.interval, Interval)
        assert found.interval.low < 0 < found.interval.high, name


def replace_root(hsg: HSG) -> HSG:
    """Return the same reading with a root of its own, so that roots never match."""
    root = a_node(f"root{hsg.id}", Random(hsg.id))
    return HSG(hsg.sign, {**hsg.semioses, "root": root}, hsg.relations, hsg.reading)


def test_spans_overlap_by_characters(tmp_path: Path, aligner: Aligner) -> None:
    texts = [TextSign(text=f"{number} " + "a lily beside a skull") for number in range(6)]
    hsgs = []
    for sign in texts:
        for who, end in (("ada", 8), ("bo", 6)):
            hsg = read(sign, names_of(sign, "x", 1)[:1], who)
            place = Span(start=4, end=end, quote=sign.text[4:end])
            node = hsg.semioses["n1"].model_copy(update={"places": (place,)})
            hsgs.append(HSG(sign, {**hsg.semioses, "n1": node}, hsg.relations, hsg.reading))
    group = only_group(a_study(tmp_path, hsgs), aligner)
    assert float(group.measure("spans").observed) == pytest.approx(0.5)  # 2 of 4 characters
    assert not any(measure.name == "boxes" for measure in group.measures)


def test_repeats_are_reported_apart_from_readers(tmp_path: Path, aligner: Aligner) -> None:
    hsgs = [
        read(sign, names_of(sign, f"{who}{repeat}", 2 if who == "ada" else 4), who, repeat=repeat)
        for sign in pictures(5)
        for who, repeats in (("ada", 3), ("bo", 1))
        for repeat in range(repeats)
    ]
    readers, repeats = reader_agreement(a_study(tmp_path, hsgs), aligner=aligner).groups
    assert (readers.scope, readers.readers, readers.n_pairs) == ("readers", ("ada", "bo"), 5)
    assert (repeats.scope, repeats.readers, repeats.n_pairs) == ("repeats", ("ada",), 5 * 3)
    assert float(repeats.measure("nodes").observed) == pytest.approx(3 / 6)  # the root and 2 of 5


def test_several_pairs_of_readers_are_pooled_and_listed(tmp_path: Path, aligner: Aligner) -> None:
    who = ("ada", "bo", "cy")
    study = a_study(tmp_path, [read(s, names_of(s, name, 2), name) for s in pictures(5) for name in who])
    everybody, *pairs = reader_agreement(study, aligner=aligner).groups
    assert everybody.pooled
    assert everybody.readers == who
    assert [pair.readers for pair in pairs] == [("ada", "bo"), ("ada", "cy"), ("bo", "cy")]
    assert everybody.n_pairs == 15
    assert everybody.n_signs == 5


def test_blind_and_given_readings_are_never_pooled(tmp_path: Path, aligner: Aligner) -> None:
    signs = pictures(5)
    blind = [read(s, names_of(s, who, 2), who) for s in signs for who in ("ada", "bo")]
    prompt = read(TextSign(text="a prompt"), ["lily"], "ada")
    given = [read(s, names_of(s, "x", 5), who, given=(prompt.id,)) for s in signs for who in ("ada", "bo")]
    study = a_study(tmp_path, [prompt, *blind, *given])
    apart = reader_agreement(study, aligner=aligner)
    assert float(apart.groups[0].measure("nodes").observed) == pytest.approx(3 / 6)
    assert apart.notes == ("10 given readings are left out: blind and given readings are never pooled.",)
    shown = reader_agreement(study, aligner=aligner, rule=ReadingRule(given=True))
    assert shown.condition == "given"
    assert float(shown.groups[0].measure("nodes").observed) == 1


def test_languages_and_prompt_versions_are_not_pooled_silently(tmp_path: Path, aligner: Aligner) -> None:
    signs = pictures(5)
    hsgs = [read(s, names_of(s, who, 2), who, language="en") for s in signs for who in ("ada", "bo")]
    hsgs += [read(s, names_of(s, "x", 5), "cy", language="de") for s in signs[:3]]
    found = reader_agreement(a_study(tmp_path, hsgs), aligner=aligner)
    assert found.groups[0].readers == ("ada", "bo")
    assert found.notes == ("3 readings in 'de' are left out.",)


def test_pairs_in_two_scripts_are_counted_and_left_out(tmp_path: Path, aligner: Aligner) -> None:
    signs = pictures(5)
    hsgs = [read(s, names_of(s, who, 2), who) for s in signs for who in ("ada", "bo")]
    root = Semiosis(label="百合", sign="百合花", object="纯洁", interpretant="信仰")
    cy = Reading(interpreter=Interpreter(kind="person", name="cy"))
    hsgs.append(HSG(signs[0], {"root": root}, (), cy))
    found = reader_agreement(a_study(tmp_path, hsgs), aligner=aligner)
    assert found.n_refused == 2
    assert [group.readers for group in found.groups] == [("ada", "bo")]


def test_chance_pairs_have_the_same_medium_and_another_prompt(tmp_path: Path, aligner: Aligner) -> None:
    prompts = [TextSign(text=f"prompt {number}") for number in range(3)]
    made = [an_image(f"{p.id}{at}", prompt=p.id) for p in prompts for at in range(2)]
    signs: list[TextSign | ImageSign] = [*prompts, *made]
    hsgs = [read(s, names_of(s, who, 2), who) for s in signs for who in ("ada", "bo")]
    study = new_study(tmp_path / "made").add([*prompts, *made, *hsgs], "all")
    pairs = reading_pairs(study, ReadingRule()).pairs
    drawn = draw_unrelated(pairs, 10, 0, aligner)
    by_key = {pair.key: pair for pair in pairs}
    assert {len(others) for others in drawn.values()} == {2, 4}  # texts: 2 others; pictures: 4 of 2 prompts
    for key, others in drawn.items():
        for other in others:
            assert other.family != by_key[key].family
            assert other.first.sign.kind == by_key[key].first.sign.kind
    assert drawn == draw_unrelated(pairs[::-1], 10, 0, aligner)


def test_the_result_does_not_depend_on_the_order_of_the_files(tmp_path: Path, aligner: Aligner) -> None:
    hsgs = [read(s, names_of(s, who, 3), who, seed=who) for s in pictures(12) for who in ("ada", "bo")]
    one = reader_agreement(a_study(tmp_path / "a", hsgs), aligner=aligner, crossed=3)
    other = reader_agreement(a_study(tmp_path / "b", hsgs[::-1]), aligner=aligner, crossed=3)
    measured = [[str(measure) for measure in found.groups[0].measures] for found in (one, other)]
    assert measured[0] == measured[1]
    assert replace(one, groups=()) == replace(other, groups=())


def test_signs_with_one_reader_are_counted(tmp_path: Path, aligner: Aligner) -> None:
    signs = pictures(6)
    hsgs = [read(s, names_of(s, who, 2), who) for s in signs[:5] for who in ("ada", "bo")]
    study = a_study(tmp_path, [*hsgs, read(signs[5], ["alone"], "ada")])
    assert reader_agreement(study, aligner=aligner).n_single == 1
    with pytest.raises(UsageError, match="no sign has two readings"):
        reader_agreement(study, aligner=aligner, readers=["ada"])
    with pytest.raises(UsageError, match="no blind reading is by 'dee'"):
        reader_agreement(study, aligner=aligner, readers=["dee"])


def test_without_an_unrelated_sign_chance_is_unscored(tmp_path: Path, aligner: Aligner) -> None:
    (sign,) = pictures(1)
    hsgs = [read(sign, names_of(sign, who, 2), who) for who in ("ada", "bo")]
    group = only_group(a_study(tmp_path, hsgs), aligner)
    nodes = group.measure("nodes")
    assert float(nodes.observed) == pytest.approx(3 / 6)
    assert isinstance(nodes.corrected.value, Unscored)
    assert isinstance(group.signs[0].values["nodes"].chance, Unscored)


@pytest.mark.slow
def test_grounds_that_differ_lower_the_concordance(tmp_path: Path, aligner: Aligner) -> None:
    def shifted(hsg: HSG, by: float) -> HSG:
        nodes = {
            node: s.model_copy(update={"grounds": Grounds.model_validate(moved(s.grounds, by))})
            for node, s in hsg.semioses.items()
        }
        return HSG(hsg.sign, nodes, hsg.relations, hsg.reading)

    signs = pictures(8)
    ada = [read(s, names_of(s, "x", 5), "ada") for s in signs]
    near = [shifted(read(s, names_of(s, "x", 5), "bo"), 0.1) for s in signs]
    far = [shifted(read(s, names_of(s, "x", 5), "bo"), 0.4) for s in signs]
    one = only_group(a_study(tmp_path / "near", [*ada, *near]), aligner).measure("iconic")
    other = only_group(a_study(tmp_path / "far", [*ada, *far]), aligner).measure("iconic")
    assert 1 > float(one.observed) > float(other.observed)
    assert float(one.corrected) > float(other.corrected)


def moved(found: Grounds, by: float) -> dict[str, dict[str, float]]:
    """Return grounds whose iconic strength is scaled toward 1 by this share of the way."""
    strength = found.iconic.strength
    return {
        "iconic": {"strength": strength + by * (1 - strength)},
        "indexical": {"strength": found.indexical.strength},
        "symbolic": {"strength": found.symbolic.strength},
    }


def test_a_consensus_that_hides_what_its_readers_saw_is_found(tmp_path: Path) -> None:
    (sign,) = pictures(1)
    prompt = read(TextSign(text="a prompt"), ["lily"], "ada")
    given = [read(sign, names_of(sign, "x", 2), who, given=(prompt.id,)) for who in ("ada", "bo")]
    merged = consensus(given[:1])
    study = a_study(tmp_path, [prompt, *given, merged])
    wrong = "a consensus of blind readings merges a reading that is not a blind reading of its sign"
    assert wrong not in [problem.what for problem in check_study(study.folder)]
    about = merged.reading.interpreter.model_copy(update={"parameters": {"condition": "blind"}})
    hidden = merged.reading.model_copy(update={"interpreter": about})
    study.add([HSG(sign, merged.semioses, merged.relations, hidden)], "hidden")
    assert wrong in [problem.what for problem in check_study(study.folder)]
