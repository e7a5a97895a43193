"""The journal: paid replies survive a crash, and claims keep two processes from paying twice."""

import multiprocessing
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.ask import Asker, Reply, wait_for
from semiosis.ask._journal import Claimed, ClaimedElsewhere, Journal, JournalEntry, RecordedAnswer
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
    assert isinstance(kept, RecordedAnswer)
    assert (kept.answer, kept.served, kept.usage.calls, kept.usage.cost) == ("{}", "x-1", 2, 1.0)


def test_an_unknown_price_makes_the_sum_unknown(journal: Journal) -> None:
    for usage in (USAGE, USAGE.model_copy(update={"cost": None})):
        journal.set_price(journal.record(CALL).result(), "y", usage, is_estimate=False).result()
    assert journal.total().cost is None
    assert journal.total().input_tokens == 20


@pytest.mark.slow
def test_the_claims_of_a_dead_process_are_taken_over(path: Path, journal: Journal) -> None:
    # "spawn", not "fork": a forked child would inherit the journal's locks without its thread.
    child = multiprocessing.get_context("spawn").Process(target=_claim_and_die, args=(path,))
    child.start()
    child.join()
    assert isinstance(journal.claim("question").result(), Claimed)
    assert len(list(path.parent.glob("*.lock"))) == 1  # that of this process


def test_a_claim_that_a_failed_write_left_is_free_for_the_next_asker_of_the_process(
    journal: Journal, other: Journal
) -> None:
    journal.claim("question").result()
    journal._stop_asking("question")  # as if the question had ended, and the end could not be written
    assert isinstance(other.claim("question").result(), Claimed)


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
