"""Settings of all tests: hypothesis profiles, no request beyond this machine, and none of the user's keys."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings

from semiosis.files import cache_folder
from semiosis.testing import only_loopback

settings.register_profile(
    "everywhere",
    deadline=None,  # no test may depend on the speed of the machine
    derandomize="CI" in os.environ,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("everywhere"), max_examples=8)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everywhere"))

# kglite, torch, scikit-learn and POT together need more thread-local storage than glibc reserves.
os.environ.setdefault("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384")

# Some tests press Ctrl-C, but a shell starts background jobs with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

_KEYS = {"ANTHROPIC_API_KEY": "test-key", "OPENAI_API_KEY": "test-key"}
_USERS_OWN = ("_API_KEY", "_BASE_URL", "_AUTH_TOKEN")


@pytest.fixture(autouse=True, scope="session")
def _offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Forbid every request beyond loopback and hide the user's keys, for the whole run."""
    cache: Path = tmp_path_factory.mktemp("cache")
    jars = cache_folder() / "jars"  # pinned by their hashes, so the tests may share the user's
    jars.mkdir(parents=True, exist_ok=True)
    (cache / "jars").symlink_to(jars)
    environment = {name: value for name, value in os.environ.items() if not name.endswith(_USERS_OWN)}
    environment |= {**_KEYS, "SEMIOSIS_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    with mock.patch.dict(os.environ, environment, clear=True), only_loopback():
        yield


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave modules in which every test is slow out of the quick run, because importing them is slow too."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    return "\npytestmark = pytest.mark.slow" in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups and pytest reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need a server slow, and keep them on one worker, so that it starts once."""
    for item in items:
        if item.path.parent.name in {"neo4j", "local_neo4j"}:
            item.add_marker(pytest.mark.xdist_group("neo4j"))
        if isinstance(item, pytest.Function) and {"server", "newest"} & set(item.fixturenames):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fail a test that starts a Python process and is not marked slow."""
    _quick_test["id"] = "" if item.get_closest_marker("slow") else item.nodeid
    try:
        return (yield)
    finally:
        _quick_test["id"] = ""


_quick_test = {"id": ""}


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "subprocess.Popen" or not _quick_test["id"]:
        return
    command = [str(word) for word in arguments[1]]
    if command[0] == sys.executable and not command[-1].endswith("_query_worker.py"):
        raise AssertionError(f"{_quick_test['id']} starts a Python process: mark it slow")


sys.addaudithook(_refuse_processes)
