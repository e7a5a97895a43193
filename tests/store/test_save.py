"""Saved values are loaded exactly, without duplicates; a refused save writes nothing."""

import hashlib
from pathlib import Path

import pytest

from semiosis.files import image
from semiosis.store import EmbeddedStore, GraphCounts, open_store
from semiosis.values import (
    HSG,
    Comparison,
    CompositeSign,
    Evaluator,
    ImageSign,
    Rating,
    Reading,
    Recorded,
    StoreError,
    TextSign,
    Usage,
    UsageError,
    Verdict,
    to_json,
)
from tests.store.made_up import ADA, MadeUp
from tests.strategies import a_missing_picture, a_picture, a_reading, a_text, an_hsg, an_image

JUDGE = Evaluator(kind="program", name="judge")


def record_of(folder: Path) -> dict[str, str]:
    """A digest of every file of the record."""
    files = [file for file in folder.rglob("*.jsonl") if file.is_file()]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_saving_twice_changes_neither_counts_nor_record(store: EmbeddedStore, study: MadeUp) -> None:
    store.save(*study)
    counts, record = store.counts(), record_of(store.folder)
    store.save(*study)
    with open_store(store.folder) as again:
        again.save(*study)
        assert again.counts() == store.counts() == counts
    assert record_of(store.folder) == record


def test_the_graph_contains_the_study(stored: EmbeddedStore, study: MadeUp) -> None:
    counts = stored.counts()
    # Signs: 3 prompts, 9 artifacts, and the 2 parts of the composite prompt.
    assert counts.nodes["Sign"] == len(study.signs) + 2 == 14
    assert counts.nodes["HSG"] == len(study.hsgs)
    assert counts.nodes["Semiosis"] == sum(map(len, study.hsgs.values()))
    assert counts.nodes["Verdict"] == len(study.verdicts)
    assert counts.nodes["Evaluator"] == 7  # the judge, two people, the scorer, three aligners
    assert counts.edges["LOST"] == sum(len(alignment.lost) for alignment in study.alignments)
    assert counts.edges["EMERGENT"] == sum(len(alignment.emergent) for alignment in study.alignments)
    assert counts.edges["REALIZED_AS"] == sum(
        len(fate.links) for alignment in study.alignments for fate in alignment.fates
    )
    assert counts.edges["INCLUDES"] == 14
    assert counts.edges["PROMPTED"] == counts.edges["MADE"] == 9


@pytest.mark.slow
def test_every_value_loads_exactly(stored: EmbeddedStore, study: MadeUp) -> None:
    for value in study:
        loaded = stored.load(value.id)
        assert loaded == value
        assert to_json(loaded) == to_json(value)


def test_the_parts_of_a_composite_sign_load_on_their_own(stored: EmbeddedStore, study: MadeUp) -> None:
    composite = next(sign for sign in study.signs.values() if isinstance(sign, CompositeSign))
    assert [stored.load(part.id) for part in composite.parts] == list(composite.parts)


def test_a_missing_picture_is_not_made_by_its_generator(store: EmbeddedStore) -> None:
    missing = a_missing_picture("withheld", reason="filtered", seed="7")
    store.save(a_text(), missing)
    assert store.load(missing.id) == missing
    assert not store.query("MATCH (:Generator)-[:MADE]->(s:Sign {kind: 'missing'}) RETURN s.id AS id")
    prompted = store.query("MATCH (:Sign)-[:PROMPTED]->(s:Sign {kind: 'missing'}) RETURN s.reason AS reason")
    assert [row["reason"] for row in prompted] == ["filtered"]


def test_an_unknown_id_is_refused(stored: EmbeddedStore) -> None:
    with pytest.raises(StoreError, match="no value has the id"):
        stored.load("0" * 20)


def test_values_come_back_signs_first(stored: EmbeddedStore, study: MadeUp) -> None:
    values = list(stored.values())
    assert {value.id for value in values} == {value.id for value in study}
    assert [value.id for value in values[: len(study.signs)]] == list(study.signs)


@pytest.mark.slow
def test_values_of_one_store_can_be_saved_in_another(stored: EmbeddedStore, store: EmbeddedStore) -> None:
    store.save(*stored.values())
    assert store.counts() == stored.counts()


@pytest.mark.parametrize(
    "dangling",
    [
        Comparison(prompt="1" * 20, a="2" * 20, b="3" * 20),
        an_hsg(reading=a_reading(given=("4" * 20,))),
        an_hsg(reading=a_reading(beside=("5" * 20,))),
        an_image(prompt="6" * 20),
        Verdict(evaluator=JUDGE, comparison="7" * 20, winner="a"),
        Rating(
            evaluator=JUDGE, about=f"{'8' * 20}/root", about_kind="node", scale="x", low=0, high=1, value=1
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_reference_to_nothing_is_refused_and_nothing_is_written(
    store: EmbeddedStore, dangling: Recorded
) -> None:
    store.save(a_text("already there"))
    before, record = store.counts(), record_of(store.folder)
    with pytest.raises(StoreError, match="refer to others that are not in the store") as caught:
        store.save(a_text("in the same call"), dangling)
    assert "nothing was written" in str(caught.value)
    assert store.counts() == before
    assert record_of(store.folder) == record


def test_a_citation_of_a_node_that_does_not_exist_is_refused(store: EmbeddedStore, study: MadeUp) -> None:
    store.save(*study.signs.values(), *study.comparisons, *study.hsgs.values())
    cites = next(verdict for verdict in study.verdicts if verdict.citations)
    wrong = cites.citations[0].model_copy(update={"node": "n99"})
    with pytest.raises(StoreError, match=f"Semiosis {wrong.hsg}/n99"):
        store.save(cites.model_copy(update={"citations": (wrong,)}))


def test_many_dangling_references_are_counted_not_listed(store: EmbeddedStore) -> None:
    dangling = [Comparison(prompt=f"{n:020x}", a="a" * 20, b="b" * 20) for n in range(10)]
    with pytest.raises(StoreError, match="and 7 more"):  # 10 prompts, a and b make 12; 5 are shown
        store.save(*dangling)


def test_a_saved_verdict_cannot_be_changed(store: EmbeddedStore, study: MadeUp) -> None:
    store.save(*study)
    verdict = next(verdict for verdict in study.verdicts if verdict.winner == "a")
    record = record_of(store.folder)
    with pytest.raises(StoreError, match="has a different"):
        store.save(verdict.model_copy(update={"winner": "b"}))
    assert record_of(store.folder) == record
    assert store.load(verdict.id) == verdict


def test_contradicting_verdicts_in_one_call_are_refused(store: EmbeddedStore, study: MadeUp) -> None:
    store.save(*study.signs.values(), *study.comparisons)
    says_a = Verdict(evaluator=JUDGE, comparison=study.comparisons[0].id, winner="a")
    with pytest.raises(StoreError, match="has a different"):
        store.save(says_a, says_a.model_copy(update={"winner": "b"}))
    assert "Verdict" not in store.counts().nodes


def test_the_same_verdict_without_its_cost_changes_nothing(store: EmbeddedStore, study: MadeUp) -> None:
    store.save(*study.signs.values(), *study.comparisons)
    paid = Verdict(evaluator=JUDGE, comparison=study.comparisons[0].id, winner="a", usage=Usage(calls=1))
    store.save(paid)
    store.save(paid.model_copy(update={"usage": None}))
    assert store.load(paid.id) == paid


def test_the_metadata_of_a_sign_can_be_extended(store: EmbeddedStore) -> None:
    prompt, other = a_text("a prompt"), a_text("another prompt")
    picture = an_image(generator="first", prompt=prompt.id)
    store.save(prompt, other, picture)
    store.save(picture.model_copy(update={"generator": "second", "prompt": other.id, "title": "Lily"}))
    assert store.load(picture.id).model_dump()["title"] == "Lily"  # type: ignore[union-attr]  # a sign
    rows = store.query(
        "MATCH (g:Generator)-[:MADE]->(s:Sign)<-[:PROMPTED]-(p:Sign) "
        "RETURN g.id AS generator, s.heading AS heading, p.text AS prompt"
    )
    # The generator and the prompt are replaced, not added.
    assert list(rows) == [{"generator": "second", "heading": "Lily", "prompt": "another prompt"}]
    (store.folder / ".semiosis" / "graph.kgl").unlink()
    assert store.counts().edges["MADE"] == store.counts().edges["PROMPTED"] == 1


def test_the_bare_sign_of_an_hsg_does_not_erase_metadata(store: EmbeddedStore) -> None:
    sign = a_text("a lily", title="Lily", tradition="christian")
    store.save(sign)
    store.save(an_hsg(a_text("a lily")))
    assert store.load(sign.id) == sign
    assert store.query("MATCH (s:Sign) RETURN s.heading AS heading")[0] == {"heading": "Lily"}


def test_an_image_is_copied_into_the_study_once(store: EmbeddedStore, tmp_path: Path) -> None:
    picture = image(a_picture(tmp_path / "lily.png"))
    store.save(picture)
    record = record_of(store.folder)
    store.save(picture)
    assert record_of(store.folder) == record
    loaded = store.load(picture.id)
    assert isinstance(loaded, ImageSign)
    assert loaded.path == f"images/{picture.id}.png"
    assert (store.folder / loaded.path).read_bytes() == (tmp_path / "lily.png").read_bytes()


def test_an_image_known_by_its_hash_gets_its_file_later(store: EmbeddedStore, tmp_path: Path) -> None:
    picture = image(a_picture(tmp_path / "lily.png"))
    store.save(picture.model_copy(update={"path": ""}))
    store.save(picture)
    loaded = store.load(picture.id)
    assert isinstance(loaded, ImageSign)
    assert loaded.path


def test_a_second_reading_is_another_hsg(store: EmbeddedStore) -> None:
    first = an_hsg()
    second = HSG(first.sign, first.semioses, first.relations, Reading(interpreter=ADA, repeat=1))
    store.save(first, second)
    assert store.counts().nodes["HSG"] == 2


def test_a_new_study_has_the_name_of_its_folder(tmp_path: Path) -> None:
    with open_store(tmp_path / "The 雨 Study") as store:
        store.save(TextSign(text="rain"))
        assert store.counts() == GraphCounts({"Sign": 1, "Study": 1}, {"INCLUDES": 1})
        assert store.query("MATCH (s:Study) RETURN s.id AS id")[0] == {"id": "The---Study"}


def test_a_folder_is_one_study(store: EmbeddedStore) -> None:
    store.save(TextSign(text="fine"), study=store.head.name)
    with pytest.raises(UsageError, match="this folder is the study 'study', not 'other'"):
        store.save(TextSign(text="not here"), study="other")
    assert store.counts().nodes["Sign"] == 1
