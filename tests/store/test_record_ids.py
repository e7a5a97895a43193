"""Saving reads only the lines appended since the last save, and detects every other change."""

from pathlib import Path

import pytest

from semiosis.files import append_record
from semiosis.store import EmbeddedStore
from semiosis.store._record_ids import recorded_lines
from semiosis.values import MachineError, StoreError, to_json
from tests.strategies import a_comparison, a_text, an_alignment, an_hsg, an_image


def test_saving_one_value_reads_neither_the_record_nor_the_index(store: EmbeddedStore) -> None:
    store.save(*(a_text(f"sign {number}") for number in range(200)))
    store.refresh()
    store.save(a_text("before"))  # now the ids are known up to here
    record, index = store.folder / "signs.jsonl", store.folder / ".semiosis" / "graph.kgl"
    whole, graph = record.read_bytes(), index.read_bytes()
    record.write_bytes(b"x" * 20_000 + whole[20_000:])  # nothing that is saved later needs these lines
    store.save(a_text("after"))
    assert record.read_bytes()[len(whole) :] == (to_json(a_text("after")) + "\n").encode()
    assert index.read_bytes() == graph


def test_a_reference_to_a_saved_value_is_found_without_the_graph(store: EmbeddedStore) -> None:
    source, target = an_hsg(), an_hsg(an_image())
    store.save(source, target)
    store.save(an_alignment(source, target))
    assert not (store.folder / ".semiosis" / "graph.kgl").exists()
    with pytest.raises(StoreError, match="refer to others that are not in the store: Sign"):
        store.save(a_comparison())


def test_a_line_edited_by_hand_is_found_again(store: EmbeddedStore) -> None:
    one, two = a_text("one"), a_text("two")
    store.save(one, two)
    assert set(recorded_lines(store.folder, [one.id, two.id])) == {one.id, two.id}
    record = store.folder / "signs.jsonl"
    # Longer at the front and appended to: the last bytes are where they were, the lines are not.
    record.write_text("\n" * 5 + record.read_text(), encoding="utf-8")
    assert recorded_lines(store.folder, [two.id]) == {two.id: to_json(two)}
    record.write_text(to_json(two) + "\n", encoding="utf-8")
    assert recorded_lines(store.folder, [one.id, two.id]) == {two.id: to_json(two)}


def test_a_deleted_run_is_forgotten(store: EmbeddedStore) -> None:
    hsg = an_hsg()
    append_record(store.folder, [hsg.sign, hsg])
    assert recorded_lines(store.folder, [hsg.id])
    (store.folder / "hsgs" / "saved.jsonl").unlink()
    assert not recorded_lines(store.folder, [hsg.id])


def test_a_torn_last_line_is_not_a_value(store: EmbeddedStore) -> None:
    store.save(a_text("one"))
    with (store.folder / "signs.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(to_json(a_text("two"))[:40])
    assert not recorded_lines(store.folder, [a_text("two").id])
    store.save(a_text("two"))
    assert store.load(a_text("two").id) == a_text("two")


def test_the_error_of_a_damaged_id_index_has_a_fix(store: EmbeddedStore) -> None:
    store.save(a_text("one"))
    for file in Path(store.folder / ".semiosis").glob("ids.sqlite*"):
        file.write_bytes(b"no database" * 1000)
    with pytest.raises(MachineError, match="delete the file; it is created again"):
        store.save(a_text("two"))
