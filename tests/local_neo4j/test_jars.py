"""The pinned lists, and downloads from a registry that may be wrong, broken or unreachable."""

import errno
import gc
import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from semiosis.files import data
from semiosis.local_neo4j import RELEASES, Jar, _jars, fetch_jars, read_release
from semiosis.values import MachineError, UsageError

CONTENT = b"what the registry keeps"


class Quiet(SimpleHTTPRequestHandler):
    """A registry that does not print what it serves."""

    def log_message(self, *args: Any, **named: Any) -> None: ...


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A Maven registry on loopback; the user's jgo settings name it as the only one."""
    root = tmp_path / "registry"
    root.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    settings = tmp_path / "jgo.conf"
    settings.write_text(f"[repositories]\ncentral = http://127.0.0.1:{server.server_port}\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    yield root
    server.shutdown()
    server.server_close()


def publish(registry: Path, *coordinates: str, content: bytes = CONTENT) -> Jar:
    group, artifact, version, *classifier = coordinates
    folder = registry / group.replace(".", "/") / artifact / version
    folder.mkdir(parents=True)
    (folder / ("-".join([artifact, version, *classifier]) + ".jar")).write_bytes(content)
    return Jar(coordinates=coordinates, sha256=hashlib.sha256(CONTENT).hexdigest(), size=len(CONTENT))


@pytest.mark.parametrize("version", RELEASES)
def test_a_pinned_list_is_complete_and_names_no_host(version: str) -> None:
    release = read_release(version)
    jars = [jar for part in release.jars.values() for jar in part]
    assert any(jar.coordinates == ("org.neo4j", "neo4j", version) for jar in jars)
    assert all(len(jar.sha256) == 64 and jar.size > 0 for jar in jars)
    assert "://" not in data(f"graphs/neo4j/{version}.toml").read_text()


@pytest.mark.parametrize("version", RELEASES)
def test_no_two_jars_of_a_part_share_a_file(version: str) -> None:
    for jars in read_release(version).jars.values():
        assert len({jar.filename for jar in jars}) == len(jars)


def test_a_release_can_be_named_by_its_series() -> None:
    assert read_release("5.26").version == "5.26.22"


@pytest.mark.parametrize("name", ["4.4", "5.2", "", "../../etc"])
def test_an_unpinned_release_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"choose one of 5\.26\.22"):
        read_release(name)


def test_jars_are_fetched_once_in_order_and_reported(registry: Path, tmp_path: Path) -> None:
    jars = [
        publish(registry, "org.example", "one", "1.0"),
        publish(registry, "org.example", "two", "2.0", "linux"),
    ]
    reports: list[tuple[int, int]] = []
    paths = fetch_jars(jars, tmp_path / "cache", lambda done, total: reports.append((done, total)))
    assert [path.name for path in paths] == ["org.example-one-1.0.jar", "org.example-two-2.0-linux.jar"]
    assert [path.read_bytes() for path in paths] == [CONTENT, CONTENT]
    assert reports == [(0, 46), (23, 46), (46, 46)]
    for file in registry.rglob("*.jar"):
        file.unlink()
    assert fetch_jars(jars, tmp_path / "cache") == paths
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == sorted(path.name for path in paths)


def test_a_damaged_jar_in_the_cache_is_fetched_again(registry: Path, tmp_path: Path) -> None:
    jar = publish(registry, "org.example", "one", "1.0")
    (tmp_path / jar.filename).write_bytes(CONTENT[:10])
    (path,) = fetch_jars([jar], tmp_path)
    assert path.read_bytes() == CONTENT


def test_a_jar_with_another_checksum_never_enters_the_cache(registry: Path, tmp_path: Path) -> None:
    jar = publish(registry, "org.example", "one", "1.0", content=b"something else")
    with pytest.raises(MachineError, match=r"org\.example-one-1\.0\.jar differs from the pinned file"):
        fetch_jars([jar], tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


# jgo leaves the socket of a reply that is not 200 to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_jar_the_registry_lacks_is_named(registry: Path, tmp_path: Path) -> None:
    jar = Jar(coordinates=("org.example", "gone", "1.0"), sha256="0" * 64, size=1)
    with pytest.raises(MachineError, match=r"does not have org\.example-gone-1\.0\.jar"):
        fetch_jars([jar], tmp_path / "cache")
    gc.collect()


def test_no_network_gives_one_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "jgo.conf"
    settings.write_text("[repositories]\ncentral = http://127.0.0.1:9\n")  # the port that discards
    monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
    jar = Jar(coordinates=("org.example", "one", "1.0"), sha256="0" * 64, size=1)
    with pytest.raises(MachineError, match="check the network") as raised:
        fetch_jars([jar], tmp_path / "cache")
    assert "127.0.0.1" not in str(raised.value)


def full_disk(_jar: Jar, _staging: Path) -> Path:
    raise OSError(errno.ENOSPC, "No space left on device")


def failing_network(times: int) -> Callable[[Jar, Path], Path]:
    """Return a function that fails like a network this many times, then works."""
    import requests

    real, left = _jars._resolve, iter(range(times))

    def resolve(jar: Jar, staging: Path) -> Path:
        if next(left, None) is not None:
            raise requests.ConnectionError
        return real(jar, staging)

    return resolve


def test_a_full_disk_gives_one_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jars, "_resolve", full_disk)
    jar = Jar(coordinates=("org.example", "one", "1.0"), sha256="0" * 64, size=1)
    with pytest.raises(MachineError, match="the disk is full"):
        fetch_jars([jar], tmp_path)


def test_a_failed_download_is_tried_again(
    registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = publish(registry, "org.example", "one", "1.0")
    monkeypatch.setattr(_jars, "_resolve", failing_network(2))
    assert fetch_jars([jar], tmp_path / "cache")[0].read_bytes() == CONTENT


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands in the way")
    with pytest.raises(MachineError, match="cannot write: File exists"):
        fetch_jars([], tmp_path / "cache")
