"""The journal: paid replies survive a crash, and leases keep two processes from paying twice."""

import multiprocessing
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.ask import Asker, Reply, _journal, wait_for
from semiosis.ask._journal import LEASE_SECONDS, Claimed, ClaimedElsewhere, Journal, JournalEntry, KeptAnswer
from semiosis.testing import StandIn, says
from semiosis.values import MachineError, Usage
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question

USAGE = Usage(calls=1, input_tokens=10, output_tokens=5, cost=0.5)
CALL = JournalEntry("question", 1, "sent", b'{"said": 1}', "anthropic/x")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal(path)
    yield opened
    opened.close()


@pytest.fixture
def other(path: Path) -> Iterator[Journal]:
    opened = Journal(path)
    yield opened
    opened.close()


def test_a_question_is_claimed_by_one_at_a_time(journal: Journal, other: Journal) -> None:
    assert isinstance(journal.claim("question").result(), Claimed)
    assert isinstance(other.claim("question").result(), ClaimedElsewhere)
    assert isinstance(other.claim("another question").result(), Claimed)
    journal.release("question").result()
    assert isinstance(other.claim("question").result(), Claimed)


def test_a_paid_reply_that_was_not_checked_goes_to_the_next_claimant(
    journal: Journal, other: Journal
) -> None:
    journal.claim("question").result()
    number = journal.record(CALL).result()
    journal.release("question").result()
    claim = other.claim("question").result()
    assert isinstance(claim, Claimed)
    assert claim.paid == {(1, "sent"): (number, b'{"said": 1}')}


def test_a_concluded_question_is_served_with_its_total_cost(journal: Journal, other: Journal) -> None:
    first, second = journal.record(CALL).result(), journal.record(CALL).result()
    for call in (first, second):
        journal.set_price(call, "x-1", USAGE, is_estimate=False).result()
    journal.conclude("question", second, "{}").result()
    kept = other.claim("question").result()
    assert isinstance(kept, KeptAnswer)
    assert (kept.answer, kept.served, kept.usage.calls, kept.usage.cost) == ("{}", "x-1", 2, 1.0)


def test_an_unknown_price_makes_the_sum_unknown(journal: Journal) -> None:
    for usage in (USAGE, USAGE.model_copy(update={"cost": None})):
        journal.set_price(journal.record(CALL).result(), "y", usage, is_estimate=False).result()
    assert journal.total().cost is None
    assert journal.total().input_tokens == 20


@pytest.mark.slow
def test_the_lease_of_a_dead_process_is_taken_over(path: Path, journal: Journal) -> None:
    # "spawn", not "fork": a forked child would inherit the journal's locks without its thread.
    child = multiprocessing.get_context("spawn").Process(target=_claim_and_die, args=(path,))
    child.start()
    child.join()
    assert isinstance(journal.claim("question").result(), Claimed)


class Clock:
    """The clock with which a waiting process measures the age of a lease."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(_journal, "monotonic", clock)
    return clock


def test_a_lease_that_was_not_renewed_is_taken_over(journal: Journal, other: Journal, clock: Clock) -> None:
    journal.claim("question").result()
    assert isinstance(other.claim("question").result(), ClaimedElsewhere)
    clock.now = LEASE_SECONDS - 1
    assert isinstance(other.claim("question").result(), ClaimedElsewhere)
    clock.now = LEASE_SECONDS
    assert isinstance(other.claim("question").result(), Claimed)


def test_renewing_keeps_a_lease(journal: Journal, other: Journal, clock: Clock) -> None:
    journal.claim("question").result()
    other.claim("question").result()
    clock.now = LEASE_SECONDS - 1
    journal._file.submit(journal._renew).result()
    assert isinstance(other.claim("question").result(), ClaimedElsewhere)
    clock.now = LEASE_SECONDS + 1
    assert isinstance(other.claim("question").result(), ClaimedElsewhere)
    clock.now = 2 * LEASE_SECONDS
    assert isinstance(other.claim("question").result(), Claimed)


@pytest.mark.parametrize("jump", [-86_400.0, 3600.0], ids=["backwards", "forwards"])
def test_a_clock_that_jumps_neither_frees_nor_prolongs_a_lease(
    jump: float, journal: Journal, other: Journal, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A computer that wakes up or whose time is set must not pay again for a question that is being asked."""
    journal.claim("question").result()
    monkeypatch.setattr(_journal, "time", lambda: time.time() + jump)
    assert isinstance(other.claim("question").result(), ClaimedElsewhere)
    clock.now = LEASE_SECONDS
    assert isinstance(other.claim("question").result(), Claimed)


def test_leases_are_renewed_under_load(path: Path, other: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_journal, "LEASE_SECONDS", 0.001)
    busy = Journal(path)
    busy.claim("question").result()
    stamps = {_stamp(busy) for _ in range(50)}
    busy.close()
    assert len(stamps) > 1


def _stamp(journal: Journal) -> float:
    found: float = journal._file.submit(
        lambda db: db.execute("SELECT expires FROM leases").fetchone()[0]
    ).result()
    return found


def test_a_crash_between_reply_and_answer_does_not_pay_twice(make_asker: MakeAsker, tmp_path: Path) -> None:
    with StandIn([says(LILY)]) as provider:
        wait_for(make_asker().ask(question(provider)))
        with sqlite3.connect(tmp_path / "replies.sqlite") as db:  # as if killed before the reply was checked
            db.execute("UPDATE calls SET state = 'paid', answer = NULL")
        db.close()
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert reply.answer.petals == 6
    assert len(provider.calls) == 1


def test_an_answer_that_no_longer_fits_the_form_is_asked_for_again(
    make_asker: MakeAsker, tmp_path: Path
) -> None:
    with StandIn([says(LILY), says(LILY)]) as provider:
        wait_for(make_asker().ask(question(provider)))
        with sqlite3.connect(tmp_path / "replies.sqlite") as db:
            db.execute("""UPDATE calls SET answer = '{"name": "lily"}'""")
        db.close()
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert len(provider.calls) == 2


def test_a_journal_that_cannot_be_opened_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(MachineError, match="journal"):
        Journal(tmp_path / "file" / "replies.sqlite")
    (tmp_path / "replies.sqlite").write_text("not a database, and longer than a header of one " * 9)
    with pytest.raises(MachineError, match="journal"):
        Journal(tmp_path / "replies.sqlite")


def test_a_journal_that_cannot_be_written_fails_the_question_and_does_not_hang(
    path: Path, journal: Journal
) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE calls")
    db.close()
    with pytest.raises(MachineError, match="cannot be written"):
        journal.claim("question").result(timeout=10)


def test_replies_are_on_disk_in_full_before_they_are_used(path: Path, journal: Journal) -> None:
    assert journal.path == path
    modes = journal._file.submit(
        lambda db: [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    )
    assert modes.result() == ["wal", 2]  # 2 is FULL


def _claim_and_die(path: Path) -> None:
    Asker(path)
    Journal(path).claim("question").result()
