"""An import that is killed at any point leaves the study as it was."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from semiosis.files import _record, _unfinished, append_record
from semiosis.study import add_pictures, check_study, new_study, read_study
from semiosis.values import TextSign, to_json
from tests.study.pictures import make_folder, snapshot

KILLED = """
import os, sys
from pathlib import Path
from semiosis.files import _record, _write
from semiosis.study import add_pictures

folder, source, patched, after = sys.argv[1:]
module = _write if patched == "atomic_writer" else _record
real, calls = getattr(module, patched), 0

def killed(*args, **options):
    global calls
    calls += 1
    if calls > int(after):
        if patched == "_append":
            args[0].open("ab").write(args[1][:-5])  # a part of the text is on disk
        os._exit(9)  # like kill -9, this runs no handler
    return real(*args, **options)

setattr(module, patched, killed)
add_pictures(folder, Path(source) / "prompts.csv", Path(source) / "images")
"""


def kill_import(folder: Path, source: Path, patched: str, after: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(source), patched, str(after)], check=False
    )
    assert done.returncode == 9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patched", "after"),
    [("atomic_writer", 3), ("_append", 0), ("_append", 1)],
    ids=["between two pictures", "within the signs", "within the comparisons"],
)
def test_a_killed_import_leaves_nothing(tmp_path: Path, patched: str, after: int) -> None:
    source = make_folder(tmp_path / "source")
    folder = new_study(tmp_path / "study").folder
    append_record(folder, [TextSign(text="there before")])
    before = snapshot(folder)
    kill_import(folder, source, patched, after)
    assert snapshot(folder) != before
    assert len(read_study(folder).signs) == 1
    assert snapshot(folder) == before
    added = add_pictures(folder, source / "prompts.csv", source / "images")
    assert added.counts == {"text": 2, "image": 6, "comparison": 6}
    assert check_study(folder) == []


def test_a_forged_note_of_an_unfinished_write_cannot_change_other_files(tmp_path: Path) -> None:
    folder = new_study(tmp_path / "study").folder
    append_record(folder, [TextSign(text="one"), TextSign(text="two")])
    other = tmp_path / "mine.jsonl"
    other.write_text("mine\n")
    (folder / "images").symlink_to(tmp_path)
    picture = tmp_path / f"{'0' * 20}.png"
    picture.write_text("mine too")
    names = ["../mine.jsonl", str(other), "study.toml", "hsgs/../../mine.jsonl"]
    pictures = ["../mine.jsonl", f"images/{'0' * 20}.png", 3]
    for number, note in enumerate(
        [json.dumps({"sizes": dict.fromkeys(names, 0), "pictures": pictures}), "[" * 100_000, "{}", ""]
    ):
        (folder / ".semiosis" / f"unfinished-{number}.json").write_text(note)
    before = (folder / "study.toml").read_bytes()
    assert len(read_study(folder).signs) == 2
    assert other.read_text() == "mine\n"
    assert picture.exists()
    assert (folder / "study.toml").read_bytes() == before
    assert not list((folder / ".semiosis").glob("unfinished-*"))


def test_a_failure_restores_a_torn_file_without_its_torn_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_study(tmp_path / "study").folder
    append_record(folder, [TextSign(text="one")])
    file = folder / "signs.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"kind": "text", "text": "cut off by a crash, and longer than a new line')
    append = _record._append

    def interrupted(file: Path, blob: bytes) -> None:
        append(file, blob)
        raise KeyboardInterrupt

    monkeypatch.setattr(_record, "_append", interrupted)
    with pytest.raises(KeyboardInterrupt):
        append_record(folder, [TextSign(text="2"), TextSign(text="3")])
    assert file.read_bytes() == whole


def test_what_a_running_process_has_written_is_left_alone(tmp_path: Path) -> None:
    folder = new_study(tmp_path / "study").folder
    append_record(folder, [TextSign(text="one")])
    file = folder / "signs.jsonl"
    size = file.stat().st_size
    with _record.writer(folder, file) as append, _unfinished.all_or_none(folder, {file: size}, []):
        append(to_json(TextSign(text="two")) + "\n")
        assert len(read_study(folder).signs) == 2  # the write holds its lock, so it is not undone
    assert len(read_study(folder).signs) == 2


def test_only_the_write_that_a_note_describes_is_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer may start another write after its note is read and before its files are locked."""
    folder = new_study(tmp_path / "study").folder
    append_record(folder, [TextSign(text="first")])
    append_record(folder, [TextSign(text="second")])
    note = folder / ".semiosis" / "unfinished-1-1.json"
    note.write_text(json.dumps({"sizes": {"signs.jsonl": 0}, "pictures": []}))
    size = (folder / "signs.jsonl").stat().st_size
    real = _unfinished.record_lock

    def locked(study: Path, file: Path) -> object:
        note.write_text(json.dumps({"sizes": {"signs.jsonl": size}, "pictures": []}))
        return real(study, file)

    monkeypatch.setattr(_unfinished, "record_lock", locked)
    _unfinished.undo_unfinished(folder)
    assert (folder / "signs.jsonl").stat().st_size == size
