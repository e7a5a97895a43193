"""Opening a study folder, in one process and in several at once."""

from multiprocessing import get_context
from pathlib import Path

import pytest

from semiosis.files import new_folder
from semiosis.store import EmbeddedStore, open_store
from semiosis.values import StoreError, UsageError, text
from tests.strategies import a_text, an_alignment, an_hsg


def save_one(folder: Path, number: int, start: object) -> None:
    """Wait for the others, then open the folder and save a sign."""
    start.wait()  # type: ignore[attr-defined]  # a barrier of a context
    with EmbeddedStore(folder) as store:
        store.save(text(f"sign {number}"))


@pytest.mark.parametrize(
    "read",
    [
        lambda store: store.query("RETURN 1 AS one"),
        lambda store: store.counts(),
        lambda store: store.search("lily"),
        lambda store: store.load("0" * 20),
        lambda store: list(store.values()),
    ],
)
def test_reading_never_creates(tmp_path: Path, read: object) -> None:
    with open_store(tmp_path / "missing") as store, pytest.raises(UsageError, match="there is no such study"):
        read(store)  # type: ignore[operator]  # one of the functions above
    assert not list(tmp_path.iterdir())


def test_a_refused_save_creates_nothing(tmp_path: Path) -> None:
    with open_store(tmp_path / "missing") as store, pytest.raises(StoreError, match="not in the store"):
        store.save(an_alignment(an_hsg(), an_hsg(a_text("another"))))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "address",
    [
        "http://e.org",
        "https:/x",
        "neo4j+x://localhost",
        "ftp:x",
        "file:x",
        "file:///x",
        "mailto:a",
        "neo4j:x",
    ],
)
def test_an_unknown_scheme_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="cannot be opened at") as refused:
        open_store(address)
    assert "./ before a name that has a colon" in refused.value.fix
    with open_store(f"./{address}") as store:
        store.save(text("A white lily"))
        assert store.counts().nodes["Sign"] == 1


@pytest.mark.slow
def test_ten_processes_create_one_folder(tmp_path: Path) -> None:
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.store.test_open"])
    start = context.Barrier(10)
    folder = tmp_path / "new"
    processes = [context.Process(target=save_one, args=(folder, number, start)) for number in range(10)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 10
    with EmbeddedStore(folder) as store:
        assert store.counts().nodes == {"Sign": 10, "Study": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["new"], "a draft was left behind"


@pytest.mark.parametrize("address", ["http://ada:secret@example.org/x", "https://a:secret@b@example.org"])
def test_an_error_never_repeats_the_password_of_an_address(address: str) -> None:
    for open_address in (open_store, new_folder):
        with pytest.raises(UsageError, match=r"://…@example\.org") as caught:
            open_address(address)
        assert "secret" not in str(caught.value)
