"""Queries that would run forever or take all memory are stopped, and the next query works."""

import signal
import sys

import pytest

from semiosis.store import EmbeddedStore, _query_process
from semiosis.store._guard import refuse_parameters
from semiosis.values import StoreError, UsageError

DOUBLING = "RETURN reduce(s = 'x', i IN range(1, 40) | s + s) AS s"


def one(store: EmbeddedStore) -> list[dict[str, object]]:
    return list(store.query("RETURN 1 AS one"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_a_query_that_takes_all_memory_is_stopped(
    stored: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_query_process, "QUERY_MEMORY", 300_000_000)
    stored.close()
    with pytest.raises(StoreError, match=r"needed more than 0\.3 GB of memory and was stopped"):
        stored.query(DOUBLING)
    assert one(stored) == [{"one": 1}]
    stored.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_rows_that_take_all_memory_stop_the_query(
    stored: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_query_process, "QUERY_MEMORY", 300_000_000)
    stored.close()
    doubled = "reduce(s = 'x', j IN range(1, 20) | s + s)"  # a million characters
    with pytest.raises(StoreError, match=r"return less|request less"):
        stored.query(f"UNWIND range(1, 1000) AS i RETURN {doubled} AS s")
    assert one(stored) == [{"one": 1}]
    stored.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")
def test_an_engine_that_ignores_the_timeout_is_stopped(
    stored: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_query_process, "_GRACE_SECONDS", 0.05)
    one(stored)
    process = stored._queries._process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(StoreError, match=r"ran longer than 0\.05 s and was stopped"):
        stored.query("RETURN 2 AS two", timeout=0.05)
    assert one(stored) == [{"one": 1}]


def test_deep_nesting_does_not_crash_python(stored: EmbeddedStore) -> None:
    for opening, closing in ("()", "[]"):
        with pytest.raises(UsageError, match="more than 50 levels deep"):
            stored.query("RETURN " + opening * 100_000 + "1" + closing * 100_000)
    with pytest.raises((StoreError, UsageError)):
        stored.query("RETURN " + "NOT " * 50_000 + "true")
    assert one(stored) == [{"one": 1}]
    assert stored.query("RETURN '" + "(" * 100 + "' AS text")[0]["text"] == "(" * 100


def test_a_very_long_query_is_not_checked(stored: EmbeddedStore) -> None:
    with pytest.raises(UsageError, match="more than 1,000,000 characters"):
        stored.query("RETURN '" + "x" * 1_000_000 + "' AS text")


def test_several_queries_at_once(stored: EmbeddedStore) -> None:
    with pytest.raises(UsageError, match="more than one query"):
        stored.query("RETURN 1 AS one; RETURN 2 AS two")
    assert list(stored.query("RETURN ';' AS one;")) == [{"one": ";"}]


def test_an_engine_that_ends_by_itself_is_named(stored: EmbeddedStore) -> None:
    one(stored)
    process = stored._queries._process
    assert process is not None
    process.kill()
    with pytest.raises(StoreError, match="the query engine ended with code -9"):
        one(stored)
    assert one(stored) == [{"one": 1}]


def nested(depth: int, width: int = 1) -> list[object]:
    """Return lists in lists. With a width of 2, each list is used twice by the one around it."""
    value: list[object] = []
    for _ in range(depth):
        value = [value] * width
    return value


CYCLE: list[object] = []
CYCLE += [CYCLE, CYCLE]
UNSENDABLE = {
    "a function": lambda: 1,
    "a large number": 2**63,
    "a key that is no text": {1: 2},
    "deep": nested(10_000),
    "a cycle": CYCLE,
    "deep inside": [{"a": nested(51, width=2)}],
}


@pytest.mark.parametrize("value", UNSENDABLE.values(), ids=list(UNSENDABLE))
def test_a_parameter_that_cannot_be_sent(stored: EmbeddedStore, value: object) -> None:
    with pytest.raises(UsageError, match="the query parameter 'p' cannot be sent"):
        stored.query("RETURN $p AS p", {"p": value})
    assert one(stored) == [{"one": 1}]


def test_shared_lists_are_checked_once() -> None:
    """49 levels of lists that are each used twice stand for 2^49 lists."""
    refuse_parameters({"p": nested(48, width=2), "q": {"x": [1.5, True, None, "a", -(2**63)]}})


def test_closing_ends_the_process(stored: EmbeddedStore) -> None:
    one(stored)
    process = stored._queries._process
    assert process is not None
    stored.close()
    assert process.poll() is not None
