"""The record: appended values are kept and nothing else changes, whatever fails."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest

from semiosis.files import (
    HIDDEN_FOLDER,
    append_record,
    from_folder,
    image,
    record_files,
    stream_record,
    torn_line,
)
from semiosis.files._record import writer
from semiosis.values import (
    HSG,
    CompositeSign,
    DataError,
    ImageSign,
    MachineError,
    Recorded,
    UsageError,
    to_json,
)
from tests.strategies import (
    a_comparison,
    a_picture,
    a_text,
    a_verdict,
    an_alignment,
    an_hsg,
    an_image,
)


def recorded(folder: Path) -> list[Recorded]:
    return [line.value for file in record_files(folder) for line in stream_record(file)]


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return every file of a study except those in the hidden folder."""
    files = (file for file in folder.rglob("*") if file.is_file() and HIDDEN_FOLDER not in file.parts)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


ONE, OTHER = an_hsg(), an_hsg(an_image(), ("whole", "lily"))
VALUES: list[Recorded] = [a_text(), ONE, OTHER, an_alignment(ONE, OTHER), a_comparison(), a_verdict()]


def test_appended_values_are_read_in_order(tmp_path: Path) -> None:
    assert {to_json(value) for value in append_record(tmp_path, VALUES, "first")} == set(map(to_json, VALUES))
    append_record(tmp_path, [a_verdict("b", repeat=1)], "second")
    assert [file.relative_to(tmp_path).as_posix() for file in record_files(tmp_path)] == [
        "signs.jsonl",
        "comparisons.jsonl",
        "hsgs/first.jsonl",
        "alignments/first.jsonl",
        "observations/first.jsonl",
        "observations/second.jsonl",
    ]
    assert set(map(to_json, recorded(tmp_path))) == {*map(to_json, VALUES), to_json(a_verdict("b", repeat=1))}


def test_reading_from_an_offset(tmp_path: Path) -> None:
    append_record(tmp_path, [a_verdict()], "r")
    (file,) = record_files(tmp_path)
    (line,) = stream_record(file)
    assert (line.end, line.text) == (file.stat().st_size, to_json(a_verdict()))
    append_record(tmp_path, [a_verdict(repeat=1)], "r")
    assert [later.value for later in stream_record(file, line.end)] == [a_verdict(repeat=1)]


@pytest.mark.parametrize("run", ["", "..", ".hidden", "a/b", "a\\b", "../a", "a b", "a\0"])
def test_a_run_name_cannot_lead_outside_the_folder(tmp_path: Path, run: str) -> None:
    with pytest.raises(UsageError, match="is not a valid run name"):
        append_record(tmp_path, [a_verdict()], run)
    assert snapshot(tmp_path) == {}


# Torn lines


@pytest.mark.parametrize("kept", [1, 30, -1])
def test_a_torn_last_line_is_left_out_and_removed_by_the_next_writer(tmp_path: Path, kept: int) -> None:
    append_record(tmp_path, [a_verdict()], "r")
    (file,) = record_files(tmp_path)
    torn = to_json(a_verdict(repeat=1)).encode()[:kept]
    file.write_bytes(file.read_bytes() + torn)
    assert [line.value for line in stream_record(file)] == [a_verdict()]
    assert torn_line(file) == torn
    append_record(tmp_path, [a_verdict(repeat=2)], "r")
    assert recorded(tmp_path) == [a_verdict(), a_verdict(repeat=2)]
    assert torn_line(file) == b""


def test_a_file_with_only_a_torn_line(tmp_path: Path) -> None:
    (tmp_path / "signs.jsonl").write_bytes(b'{"kind":"te')
    assert recorded(tmp_path) == []
    append_record(tmp_path, [a_text()])
    assert recorded(tmp_path) == [a_text()]


def test_a_damaged_line_in_the_middle_is_an_error_with_its_number(tmp_path: Path) -> None:
    append_record(tmp_path, [a_verdict(), a_verdict(repeat=1)], "r")
    (file,) = record_files(tmp_path)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], "", "{", lines[1]]) + "\n")
    with pytest.raises(DataError, match="not JSON") as caught:
        recorded(tmp_path)
    assert caught.value.where == f"{file}:3"


KILLED = """
import sys
from pathlib import Path
from semiosis.files import append_record
from tests.strategies import a_verdict

for repeat in range(100_000):
    append_record(Path(sys.argv[1]), [a_verdict(repeat=repeat, rationale="x" * 5000)], "r")
    print(repeat, flush=True)
"""


@pytest.mark.slow
def test_kill_9_loses_nothing_that_was_written(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    reported = [int(process.stdout.readline()) for _ in range(20)]
    process.send_signal(signal.SIGKILL)
    reported += [int(line) for line in process.stdout.read().splitlines()]
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
    kept = [value.repeat for value in recorded(tmp_path) if value.kind == "verdict"]  # type: ignore[union-attr]  # verdicts only
    assert kept == list(range(len(kept)))
    assert len(kept) in {len(reported), len(reported) + 1}  # the last may be on disk and not yet reported
    append_record(
        tmp_path, [a_verdict(repeat=len(kept))], "r"
    )  # the lock of a killed writer does not block the next one
    assert len(recorded(tmp_path)) == len(kept) + 1


# Two writers

HOLDER = """
import sys
from pathlib import Path
from semiosis.files._record import writer

folder = Path(sys.argv[1])
with writer(folder, folder / "signs.jsonl"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def held_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose signs another process is writing."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield tmp_path
        process.communicate("\n")


@pytest.mark.slow
def test_a_second_writer_gets_an_error(held_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semiosis.files._unfinished.LOCK_SECONDS", 0.01)
    file = held_folder / "signs.jsonl"
    with (
        pytest.raises(MachineError, match="another process is writing") as caught,
        writer(held_folder, file),
    ):
        pass
    assert caught.value.where == str(file)
    assert "another run name" in caught.value.fix
    append_record(held_folder, [a_verdict()], "r")  # another file is free
    assert recorded(held_folder) == [a_verdict()]


def append_many(folder: Path, first: int) -> None:
    for repeat in range(first, first + 20):
        append_record(folder, [a_verdict(repeat=repeat), a_text(f"text {repeat}")], "r")


@pytest.mark.slow
def test_two_processes_on_one_file_lose_nothing(tmp_path: Path) -> None:
    processes = [
        get_context("spawn").Process(target=append_many, args=(tmp_path, first)) for first in (0, 100)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    verdicts = [line.value.repeat for line in stream_record(tmp_path / "observations" / "r.jsonl")]  # type: ignore[union-attr]  # verdicts only
    assert sorted(verdicts) == [*range(20), *range(100, 120)]
    assert len(list(stream_record(tmp_path / "signs.jsonl"))) == 40


# A full disk, a read-only folder


def output_on_full_disk(folder: Path, values: list[Recorded], room: int) -> str:
    """Return the output of a process that cannot write a file of more than `room` bytes."""
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from semiosis.files import append_record\n"
        "from semiosis.values import MachineError, from_json\n"
        "values = [from_json(line) for line in sys.stdin]\n"
        "try:\n"
        "    append_record(Path(sys.argv[1]), values, 'r')\n"
        "except MachineError as error:\n"
        "    print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        input="".join(to_json(value) + "\n" for value in values),
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),  # no threads here
    )
    return run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("length", [500, 50_000])  # less and more than a buffer
def test_a_full_disk_leaves_every_file_as_it_was(tmp_path: Path, length: int) -> None:
    append_record(tmp_path, [a_verdict(), a_text()], "r")
    before = snapshot(tmp_path)
    room = max(map(len, before.values())) + 100
    values: list[Recorded] = [a_text("a short one"), a_verdict(repeat=1, rationale="x" * length)]
    message = output_on_full_disk(tmp_path, values, room)
    assert "observations/r.jsonl: cannot write: File too large" in message
    assert "→ free some space" in message
    assert snapshot(tmp_path) == before
    append_record(tmp_path, values, "r")
    assert len(recorded(tmp_path)) == 4


@pytest.mark.slow
def test_a_full_disk_leaves_no_partial_image(tmp_path: Path) -> None:
    a_picture(tmp_path / "a.png", width=400, height=300)
    (tmp_path / "study").mkdir()
    message = output_on_full_disk(tmp_path / "study", [image(tmp_path / "a.png")], 50)
    assert "cannot write: File too large" in message
    assert snapshot(tmp_path / "study") == {}


REFUSALS: dict[str, Callable[[], OSError]] = {
    "read-only": lambda: PermissionError(errno.EACCES, os.strerror(errno.EACCES)),
    "read-only disk": lambda: OSError(errno.EROFS, os.strerror(errno.EROFS)),
    "full": lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
}


@pytest.mark.parametrize("why", REFUSALS)
@pytest.mark.parametrize("call", ["mkdir", "open"])
def test_a_folder_without_write_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, why: str
) -> None:
    # Patched, because tests may run as root, for whom folder permissions do not apply.
    append_record(tmp_path, [a_verdict()], "r")
    before = snapshot(tmp_path)

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise REFUSALS[why]()

    monkeypatch.setattr(Path, call, refuse)
    with pytest.raises(MachineError, match="cannot write: ") as caught:
        append_record(tmp_path, [a_verdict(repeat=1)], "r")
    monkeypatch.undo()
    assert str(tmp_path) in caught.value.where
    assert caught.value.fix
    assert snapshot(tmp_path) == before


# Images


def test_an_image_is_copied_into_the_folder(tmp_path: Path) -> None:
    sign = image(a_picture(tmp_path / "elsewhere" / "a.png"))
    study = tmp_path / "study"
    hsg = an_hsg(sign, ("whole",))
    both = CompositeSign(parts=(a_text(), sign))
    written = append_record(study, [sign, both, hsg])
    assert {path for path in snapshot(study) if path.startswith("images")} == {f"images/{sign.id}.png"}
    for value in written:
        back = from_folder(value, study)
        assert back.id in {sign.id, both.id, hsg.id}
        inner = back.sign if isinstance(back, HSG) else back
        part = inner.parts[1] if isinstance(inner, CompositeSign) else inner
        assert isinstance(part, ImageSign)
        assert Path(part.path).read_bytes() == (tmp_path / "elsewhere" / "a.png").read_bytes()
    paths = {json.loads(line.text).get("path") for line in stream_record(study / "signs.jsonl")}
    assert f"images/{sign.id}.png" in paths
    assert str(tmp_path) not in (study / "signs.jsonl").read_text()


def test_an_image_inside_the_folder_stays_where_it_is(tmp_path: Path) -> None:
    sign = image(a_picture(tmp_path / "pictures" / "a.png"))
    (once,) = append_record(tmp_path, [sign])
    (twice,) = append_record(tmp_path, [once])
    assert isinstance(once, ImageSign)
    assert (once.path, twice) == ("pictures/a.png", once)
    assert not (tmp_path / "images").exists()


def test_a_changed_image_is_not_copied(tmp_path: Path) -> None:
    sign = image(a_picture(tmp_path / "a.png"))
    a_picture(tmp_path / "a.png", colour="black")
    with pytest.raises(DataError, match="not the image this sign was made from"):
        append_record(tmp_path / "study", [sign])


@pytest.mark.parametrize(
    "path", ["../secret.png", "/etc/passwd", "images/../../secret.png", "images/link.png"]
)
def test_a_path_outside_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    a_picture(tmp_path / "secret.png")
    study = tmp_path / "study"
    (study / "images").mkdir(parents=True)
    (study / "images" / "link.png").symlink_to(tmp_path / "secret.png")
    stray = an_image(path=path)
    for value in (stray, CompositeSign(parts=(stray,)), an_hsg(stray, ("whole",))):
        with pytest.raises(DataError, match="leads outside the study"):
            from_folder(value, study)


def test_an_image_without_a_file_is_recorded_as_it_is(tmp_path: Path) -> None:
    (written,) = append_record(tmp_path, [an_image()])
    assert from_folder(written, tmp_path) == an_image()
