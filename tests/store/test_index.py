"""The index agrees with the record after any change or failure of either."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import filelock
import pytest
from hypothesis import given

from semiosis.files import RecordLine, StudyFile, append_record, stream_record, write_study_file
from semiosis.store import EmbeddedStore, _embedded_store, _index
from semiosis.values import (
    HSG,
    Alignment,
    DataError,
    MachineError,
    NodeRow,
    StoreError,
    project,
    to_json,
)
from semiosis.values._flat import OPTIONAL_FIELDS
from tests.store.made_up import MadeUp
from tests.strategies import a_reading, a_text, alignments, an_hsg, an_image, hsgs


@pytest.fixture
def read_lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the values that the index reads from the record."""
    seen: list[str] = []

    def watched(file: Path, start: int) -> Iterator[RecordLine]:
        for line in stream_record(file, start):
            seen.append(line.value.id)
            yield line

    monkeypatch.setattr(_index, "stream_record", watched)
    return seen


def texts(store: EmbeddedStore) -> list[str]:
    """The texts in the index."""
    return [row["text"] for row in store.query("MATCH (s:Sign) RETURN s.text AS text ORDER BY text")]


def test_only_appended_lines_are_read(store: EmbeddedStore, read_lines: list[str]) -> None:
    one, two = a_text("one"), a_text("two")
    append_record(store.folder, [one])
    assert texts(store) == ["one"]
    append_record(store.folder, [two])
    assert texts(store) == ["one", "two"]
    assert texts(store) == ["one", "two"]
    assert read_lines == [one.id, two.id]  # each line once


@pytest.mark.slow
def test_a_deleted_index_is_rebuilt(store: EmbeddedStore, study: MadeUp) -> None:
    store.save(*study)
    counts = store.counts()
    for file in (store.folder / ".semiosis").glob("graph.*"):
        file.unlink()
    assert store.counts() == counts


@pytest.mark.parametrize("file", ["graph.kgl", "graph.json"])
def test_an_incomplete_index_is_rebuilt(store: EmbeddedStore, file: str) -> None:
    store.save(a_text("one"))
    store.refresh()
    (store.folder / ".semiosis" / file).unlink()
    assert texts(store) == ["one"]


@pytest.mark.parametrize("content", [b"", b"garbage", b"{}", b"[]", b'{"index": null}'])
@pytest.mark.parametrize("file", ["graph.kgl", "graph.json"])
def test_a_damaged_index_is_rebuilt(store: EmbeddedStore, file: str, content: bytes) -> None:
    store.save(a_text("one"))
    store.refresh()
    (store.folder / ".semiosis" / file).write_bytes(content)
    assert texts(store) == ["one"]


def test_an_index_of_another_version_is_rebuilt(
    store: EmbeddedStore, read_lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    append_record(store.folder, [a_text("one")])
    assert texts(store) == ["one"]
    monkeypatch.setattr(_index, "INDEX_VERSION", _index.INDEX_VERSION + 1)
    assert texts(store) == ["one"]
    assert len(read_lines) == 2


def test_an_edited_record_is_read_again(store: EmbeddedStore) -> None:
    store.save(a_text("one"), a_text("two"))
    record = store.folder / "signs.jsonl"
    record.write_bytes(record.read_bytes().splitlines(keepends=True)[1])
    assert texts(store) == ["two"]


def test_a_deleted_record_file_is_removed_from_the_index(store: EmbeddedStore) -> None:
    store.save(an_hsg())
    (store.folder / "hsgs" / "saved.jsonl").unlink()
    assert "HSG" not in store.counts().nodes


def test_a_renamed_study_has_one_name(store: EmbeddedStore) -> None:
    store.save(a_text("one"))
    write_study_file(store.folder, StudyFile(name="renamed", about="all about it"))
    rows = store.query("MATCH (s:Study)-[:INCLUDES]->(:Sign) RETURN s.id AS id, s.about AS about")
    assert list(rows) == [{"id": "renamed", "about": "all about it"}]


def test_a_torn_line_is_left_out_and_removed_by_the_next_save(store: EmbeddedStore) -> None:
    store.save(a_text("one"))
    record = store.folder / "signs.jsonl"
    with record.open("ab") as stream:
        stream.write(b'{"kind":"text","version":1,"te')
    assert texts(store) == ["one"]
    store.save(a_text("two"))
    assert texts(store) == ["one", "two"]
    assert len(record.read_bytes().splitlines()) == 2


def test_a_damaged_line_is_named_and_the_index_stays(store: EmbeddedStore) -> None:
    store.save(a_text("one"))
    store.refresh()
    with (store.folder / "signs.jsonl").open("ab") as stream:
        stream.write(b'{"kind":"text","version":1}\n')
    with pytest.raises(DataError, match=r"signs\.jsonl"):
        texts(store)
    state = json.loads((store.folder / ".semiosis" / "graph.json").read_text())
    assert state["files"]["signs.jsonl"]["end"] < (store.folder / "signs.jsonl").stat().st_size


def test_edges_may_point_at_later_lines(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_index, "_VALUES_PER_CHUNK", 1)
    prompt = a_text("the prompt")
    shown = an_hsg(prompt)
    picture = an_image(prompt=prompt.id)
    append_record(store.folder, [picture, prompt])  # the artifact comes before its prompt
    append_record(store.folder, [an_hsg(picture, reading=a_reading(given=(shown.id,)))], run="a")
    append_record(store.folder, [shown], run="b")  # read after run a
    edges = store.counts().edges
    assert edges["PROMPTED"] == edges["GIVEN"] == 1


def test_a_sign_corrected_on_a_later_line_has_one_prompt(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_index, "_VALUES_PER_CHUNK", 1)
    one, two = a_text("one"), a_text("two")
    append_record(store.folder, [one, two, an_image(prompt=one.id), an_image(prompt=two.id)])
    rows = store.query("MATCH (p:Sign)-[:PROMPTED]->(:Sign) RETURN p.text AS text")
    assert list(rows) == [{"text": "two"}]


@pytest.mark.slow
@given(hsgs(), hsgs(), alignments())
def test_nodes_that_are_created_have_the_same_properties(one: HSG, two: HSG, alignment: Alignment) -> None:
    names: dict[str, set[tuple[str, ...]]] = {}
    for row in (row for value in (one, two, alignment) for row in project(value)):
        if isinstance(row, NodeRow) and row.label in _index._CREATED_LABELS:
            names.setdefault(row.label, set()).add(
                tuple(name for name in row.props if name not in OPTIONAL_FIELDS)
            )
            assert None not in row.props.values()
    assert {label: len(those) for label, those in names.items()} == dict.fromkeys(_index._CREATED_LABELS, 1)


def everything(store: EmbeddedStore) -> list[object]:
    """Every node, with its properties, and every edge, with its ends."""
    nodes = store.query("MATCH (n) RETURN n AS n, labels(n)[0] AS label ORDER BY label, n.id", limit=100_000)
    edges = store.query(
        "MATCH (a)-[r]->(b) RETURN a.id AS a, b.id AS b, r AS r, type(r) AS type ORDER BY type, a, b, r.key",
        limit=100_000,
    )
    return [*nodes, *edges]


@pytest.mark.slow
def test_a_study_indexed_in_several_steps_is_the_same(
    store: EmbeddedStore, study: MadeUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_record(store.folder, study)
    at_once = everything(store)
    for file in (store.folder / ".semiosis").glob("graph.*"):
        file.unlink()
    openings: list[int] = []
    read_on = _index._index_lines

    def counted(folder: Path, lines: Iterator[_index.NamedLine], many: int, *rest: Any) -> int:
        openings.append(read_on(folder, lines, many, *rest))
        return openings[-1]

    monkeypatch.setattr(_index, "_index_lines", counted)
    monkeypatch.setattr(_index, "_VALUES_PER_OPENING", 10)
    monkeypatch.setattr(_index, "_VALUES_PER_CHUNK", 3)
    assert everything(store) == at_once
    assert sum(openings) == len(list(study))
    assert len(openings) > 3
    assert openings[0] == 10
    assert store.search("lily")


def test_a_record_of_exactly_one_step_is_indexed_completely(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_index, "_VALUES_PER_OPENING", 2)
    append_record(store.folder, [a_text("one"), a_text("two")])
    assert store.counts().edges == {"INCLUDES": 2}


def test_an_index_left_unfinished_is_rebuilt(store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save(a_text("one"))
    append_record(store.folder, [a_text("two"), a_text("three")])

    def killed(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_index, "_VALUES_PER_OPENING", 1)
        patch.setattr(_index, "_merge_deferred", killed)
        with pytest.raises(KeyboardInterrupt):
            store.refresh()
    assert texts(store) == ["one", "three", "two"]
    assert store.counts().edges == {"INCLUDES": 3}


def test_if_an_hsg_is_recorded_twice_the_later_line_counts(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = an_hsg(an_image()), an_hsg(an_image(title="a better title"))
    assert early.id == late.id
    append_record(store.folder, [early], run="a")
    append_record(store.folder, [an_hsg(), late], run="b")
    monkeypatch.setattr(_index, "_VALUES_PER_CHUNK", 1)
    rows = store.query("MATCH (h:HSG {id: $id}) RETURN h.json AS json", {"id": late.id})
    assert [row["json"] for row in rows] == [to_json(late)]
    assert store.counts().nodes["Semiosis"] == len(early.semioses) + len(an_hsg().semioses)


def test_lines_appended_while_indexing_are_not_missed(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_record(store.folder, [a_text("one")])
    merge = _index._merge_rows

    def slow_merge(*arguments: object) -> None:
        monkeypatch.setattr(_index, "_merge_rows", merge)
        append_record(store.folder, [a_text("two")])
        merge(*arguments)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(_index, "_merge_rows", slow_merge)
    store.refresh()
    assert texts(store) == ["one", "two"]


def test_a_reader_sees_what_another_store_saved(store: EmbeddedStore) -> None:
    store.save(a_text("one"))
    with EmbeddedStore(store.folder) as reader:
        assert texts(reader) == ["one"]
        store.save(a_text("two"))
        store.refresh()
        assert texts(reader) == ["one", "two"]


_OTHER_PROCESS = """
import sys
from semiosis.store import EmbeddedStore
from semiosis.values import TextSign

folder, name = sys.argv[1:]
with EmbeddedStore(folder) as store:
    for number in range(5):
        store.save(TextSign(text=f"{name} {number}"))
        store.query("MATCH (s:Sign) RETURN s.id AS id")
"""


@pytest.mark.slow
def test_two_processes_save_and_query_at_once(store: EmbeddedStore) -> None:
    command = [sys.executable, "-c", _OTHER_PROCESS, str(store.folder)]
    processes = [subprocess.Popen([*command, name], stderr=subprocess.PIPE) for name in ("ada", "bo")]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, b"")
    assert texts(store) == [f"{name} {number}" for name in ("ada", "bo") for number in range(5)]


def test_a_study_that_another_process_indexes_is_reported(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(a_text("one"))
    append_record(store.folder, [a_text("two")])
    monkeypatch.setattr(_index, "_LOCK_SECONDS", 0)
    held = filelock.FileLock(store.folder / ".semiosis" / "graph.lock")
    with held, pytest.raises(MachineError, match="another process is indexing this study"):
        texts(store)
    assert texts(store) == ["one", "two"]


def test_an_index_that_cannot_be_opened_is_reported(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(a_text("one"))
    store.close()
    monkeypatch.setattr(_embedded_store, "index_file", lambda folder: folder / "nowhere.kgl")
    with pytest.raises(MachineError, match="cannot open the index") as caught:
        texts(store)
    assert "delete the file, and it is created again" in str(caught.value)


def test_a_full_disk_leaves_the_index_as_it_was(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(a_text("one"))
    store.refresh()
    append_record(store.folder, [a_text("two")])
    before = (store.folder / ".semiosis" / "graph.json").read_bytes()

    def full(*_arguments: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(_index, "atomic_write", full)
        with pytest.raises(MachineError, match="cannot write the index: No space left on device"):
            texts(store)
    assert (store.folder / ".semiosis" / "graph.json").read_bytes() == before
    assert texts(store) == ["one", "two"]


def test_a_full_disk_is_named(stored: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk, kglite cannot write its lease and says that another process holds it."""

    def refuse(*_: object, **__: object) -> None:
        raise _index.kglite().WriterLeaseHeldError("graph.kgl is open for writing by another process")

    shutil.rmtree(stored.folder / ".semiosis", ignore_errors=True)
    monkeypatch.setattr(_index.kglite(), "open", refuse)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with pytest.raises(MachineError, match="cannot write the index: No space left on device"):
        stored.query("RETURN 1 AS one")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**9))
    with pytest.raises(MachineError, match="open for writing by another process"):
        stored.query("RETURN 1 AS one")


def test_without_kglite_a_query_names_neo4j(stored: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kglite", None)
    with pytest.raises(StoreError, match="the package kglite, which is not installed") as caught:
        stored.query("RETURN 1 AS one")
    assert "semiosis store copy STUDY bolt://" in str(caught.value)
