"""A rerun continues where a run stopped: after errors, a used-up budget, Ctrl-C or a full disk."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from semiosis.ask import Asker, Reply, Request, UnansweredRequest, wait_for
from semiosis.ask._journal import Journal
from semiosis.testing import Call, Fails, StandIn, Step, cut_off, empty, refuses, says
from semiosis.values import MachineError, Unscored
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower, KnownFlower, question

ROSE = {"name": "rose", "petals": 5}


def test_an_invalid_reply_whose_re_ask_fails_is_not_paid_for_again(make_asker: MakeAsker) -> None:
    def answer(call: Call) -> Step:
        if not call.re_ask:
            return says({"name": "lily"})
        return says(LILY) if len(provider.calls) > 3 else Fails(400)

    with StandIn(answer) as provider:
        outcomes = [wait_for(make_asker().ask(question(provider))) for _ in range(3)]
    assert [type(outcome) is Reply for outcome in outcomes] == [False, False, True]
    assert [call.re_ask for call in provider.calls] == [False, True, True, True]


def test_an_invalid_reply_whose_re_ask_the_budget_forbids_is_not_paid_for_again(
    make_asker: MakeAsker,
) -> None:
    # The first call may cost $0.041 and costs less than $0.001; a re-ask may cost $0.041 again.
    with StandIn(lambda call: says(LILY if call.re_ask else {"name": "lily"})) as provider:
        request = question(provider)
        most = make_asker().budget.max_call_cost(request, batch=False)
        assert most is not None
        first = wait_for(make_asker(max_cost=most / 1e6).ask(request))
        second = wait_for(make_asker().ask(request))
    assert isinstance(first, Unscored)
    assert first.reason == "budget"
    assert isinstance(second, Reply)
    assert [call.re_ask for call in provider.calls] == [False, True]


@pytest.mark.parametrize("failure", [Fails(400), Fails(500)])
def test_the_lenient_form_is_accepted_when_the_re_ask_fails(failure: Step, make_asker: MakeAsker) -> None:
    with StandIn(lambda call: failure if call.re_ask else says(ROSE)) as provider:
        request = question(provider, answer=KnownFlower, lenient=Flower)
        reply = wait_for(make_asker(tries=2).ask(request))
        again = wait_for(make_asker(tries=2).ask(request))
    assert isinstance(reply, Reply)
    assert isinstance(again, Reply)
    assert reply.answer.name == again.answer.name == "rose"
    assert again.kept


class _Arrivals:
    """A script that delays replies until the test releases them."""

    def __init__(self) -> None:
        self.arrived = threading.Event()

    def script(self, _call: Call) -> Step:
        self.arrived.set()
        return says(LILY, delay=0.05)


async def _until(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0.001)


def test_after_ctrl_c_the_waiters_of_a_cancelled_question_ask_nothing(make_asker: MakeAsker) -> None:
    async def interrupted(asker: Asker, request: Request[Flower]) -> None:
        callers = [asyncio.create_task(asker.ask(request)) for _ in range(3)]
        await _until(arrivals.arrived)
        for caller in callers:
            caller.cancel()
        await asyncio.wait(callers)
        await asker.close()

    arrivals = _Arrivals()
    with StandIn(arrivals.script) as provider:
        wait_for(interrupted(make_asker(), question(provider)))
        assert len(provider.calls) == 1
        reply = wait_for(make_asker().ask(question(provider)))
    assert isinstance(reply, Reply)
    assert len(provider.calls) == 1  # the call in flight was recorded


def test_a_question_goes_on_while_one_caller_waits(make_asker: MakeAsker) -> None:
    async def one_leaves(asker: Asker, request: Request[Flower]) -> object:
        first, second = (asyncio.create_task(asker.ask(request)) for _ in range(2))
        await _until(arrivals.arrived)
        first.cancel()
        return await second

    arrivals = _Arrivals()
    with StandIn(arrivals.script) as provider:
        assert isinstance(wait_for(one_leaves(make_asker(), question(provider))), Reply)
    assert len(provider.calls) == 1


def test_a_question_asked_again_while_it_is_being_cancelled_is_paid_for_once(make_asker: MakeAsker) -> None:
    async def ask_cancel_and_ask_again(asker: Asker, request: Request[Flower]) -> object:
        first = asyncio.create_task(asker.ask(request))
        await _until(arrivals.arrived)
        first.cancel()
        return await asker.ask(request)

    arrivals = _Arrivals()
    with StandIn(arrivals.script) as provider:
        assert isinstance(wait_for(ask_cancel_and_ask_again(make_asker(), question(provider))), Reply)
    assert len(provider.calls) == 1


FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from semiosis.ask import Asker, Model, Passage, Request, wait_for
from semiosis.values import SemiosisError
from tests.ask.flowers import Flower

async def ask_all(asker, url):
    model = Model("anthropic/claude-sonnet-5", url)
    questions = [Request(model, "x" * 9, (Passage(str(n)),), Flower) for n in range(60)]
    return await asyncio.gather(*(asker.ask(each) for each in questions))

asker = Asker(Path(sys.argv[1]) / "replies.sqlite", in_flight=8)
asker.journal
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
try:
    wait_for(ask_all(asker, sys.argv[2]))
except SemiosisError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_full_disk_ends_the_run_with_a_message(tmp_path: Path) -> None:
    with StandIn(lambda _: says(LILY)) as provider:
        ran = subprocess.run(
            [sys.executable, "-c", FULL_DISK, str(tmp_path), provider.url],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    assert "the reply journal cannot be written" in ran.stdout
    assert "free some space" in ran.stdout


OLD_SCHEMA = """
CREATE TABLE calls (id INTEGER PRIMARY KEY, key TEXT NOT NULL, attempt INTEGER NOT NULL, sent TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('paid', 'valid', 'invalid')), reply TEXT NOT NULL, answer TEXT,
    model TEXT NOT NULL, served TEXT NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL, cost REAL,
    versions TEXT NOT NULL, at REAL NOT NULL) STRICT;
CREATE INDEX calls_by_key ON calls (key, attempt);
CREATE TABLE leases (key TEXT PRIMARY KEY, owner TEXT NOT NULL, machine TEXT NOT NULL, pid INTEGER NOT NULL,
    expires REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE batches (sent TEXT PRIMARY KEY, batch TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""


def _as_version_1(path: Path, state: str) -> None:
    """Rewrite a journal in the format of version 1, its calls in this state."""
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT * FROM calls").fetchall()
        for table in ("calls", "leases", "batches"):
            db.execute(f"DROP TABLE {table}")
        db.executescript(OLD_SCHEMA)
        for row in rows:
            answer = json.dumps(LILY) if state == "valid" else None
            old = (*row[:4], state, row[5].decode(), answer, *row[7:13], 0.25, *row[15:])
            db.execute(f"INSERT INTO calls VALUES ({', '.join('?' * 16)})", old)
        db.execute("PRAGMA user_version = 0")
    db.close()


@pytest.mark.parametrize("state", ["valid", "paid"])
@pytest.mark.parametrize("way", ["anthropic-tools", "openai-tools", "openai-schema"])
def test_the_replies_of_an_old_journal_stay_usable(
    way: str, state: str, make_asker: MakeAsker, tmp_path: Path
) -> None:
    with StandIn([says(LILY)]) as provider:
        wait_for(make_asker().ask(question(provider, way)))
        _as_version_1(tmp_path / "replies.sqlite", state)
        asker = make_asker()
        reply = wait_for(asker.ask(question(provider, way)))
    assert isinstance(reply, Reply)
    assert reply.answer.petals == 6
    assert len(provider.calls) == 1
    assert asker.budget.spent.calls == 0
    if state == "valid":
        assert reply.usage.cost == 0.25


def test_a_journal_of_a_later_version_is_refused(make_asker: MakeAsker, tmp_path: Path) -> None:
    _ = make_asker().journal
    with sqlite3.connect(tmp_path / "replies.sqlite") as db:
        db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(MachineError, match="format 9") as raised:
        _ = make_asker().journal
    assert "space" not in raised.value.fix


def test_a_damaged_journal_says_so(make_asker: MakeAsker, tmp_path: Path) -> None:
    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker()
        for number in range(40):
            wait_for(asker.ask(question(provider, words=str(number))))
        wait_for(asker.close())
        journal = tmp_path / "replies.sqlite"
        blob = bytearray(journal.read_bytes())
        blob[4096:] = b"\xee" * (len(blob) - 4096)
        journal.write_bytes(blob)
        with pytest.raises(MachineError, match=r"malformed|corrupt") as raised:
            wait_for(make_asker().ask(question(provider)))
    assert "backup" in raised.value.fix


@pytest.fixture
def crashed(make_asker: MakeAsker, tmp_path: Path) -> Path:
    """A journal as a killed process leaves it: its reply is in the write-ahead log only."""
    with StandIn([says(LILY)]) as provider:
        request = question(provider)
        wait_for(make_asker().ask(request))
        for file in tmp_path.glob("replies.sqlite*"):
            (tmp_path / f"killed-{file.name}").write_bytes(file.read_bytes())
    journal = tmp_path / "killed-replies.sqlite"
    assert request.key.encode() not in journal.read_bytes()
    return journal


@pytest.mark.parametrize("index", [b"", b"\xee" * 32768, None], ids=["empty", "damaged", "lost"])
def test_a_damaged_index_of_the_log_loses_nothing(index: bytes | None, crashed: Path) -> None:
    file = crashed.with_name(f"{crashed.name}-shm")
    if index is None:
        file.unlink()
    else:
        file.write_bytes(index)
    journal = Journal(crashed)
    assert journal.total().calls == 1
    journal.close()


def test_a_damaged_log_is_not_dropped_silently(crashed: Path) -> None:
    log = crashed.with_name(f"{crashed.name}-wal")
    log.write_bytes(b"\xee" * 40_000)
    with pytest.raises(MachineError, match="write-ahead log") as raised:
        Journal(crashed)
    assert "paid for again" in raised.value.fix


def test_a_log_that_ends_in_the_middle_loses_the_end_only(crashed: Path) -> None:
    log = crashed.with_name(f"{crashed.name}-wal")
    log.write_bytes(log.read_bytes()[:-100])
    journal = Journal(crashed)
    assert journal.total().calls == 1  # the reply; the lost end of the log only recorded that it is valid
    journal.close()


@pytest.mark.parametrize("step", [refuses(), cut_off(), empty(), says("no JSON")], ids=repr)
def test_what_got_no_answer_is_asked_again_only_on_request(step: Step, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: step) as provider:
        first = wait_for(make_asker(re_asks=0).ask(question(provider)))
        settled = wait_for(make_asker(re_asks=0, retry_unscored=False).ask(question(provider)))
        assert len(provider.calls) == 1
        wait_for(make_asker(re_asks=0).ask(question(provider)))
    assert len(provider.calls) == 2
    assert isinstance(first, UnansweredRequest)
    assert isinstance(settled, UnansweredRequest)
    assert (settled.reason, settled.detail, settled.raw) == (first.reason, first.detail, first.raw)
    assert settled.usage == first.usage


def test_a_failure_of_the_provider_is_asked_again_by_every_run(make_asker: MakeAsker) -> None:
    with StandIn([Fails(400), says(LILY)]) as provider:
        assert isinstance(wait_for(make_asker().ask(question(provider))), UnansweredRequest)
        assert isinstance(wait_for(make_asker(retry_unscored=False).ask(question(provider))), Reply)
