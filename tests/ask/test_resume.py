"""A rerun continues where a run stopped: after errors, a used-up budget, Ctrl-C or a full disk."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from semiosis.ask import Asker, Reply, Request, UnansweredRequest, wait_for
from semiosis.ask._journal import Journal
from semiosis.ask._loop import start_on_loop
from semiosis.testing import Call, HTTPErrorStep, StandIn, Step, cut_off, empty, refuses, says
from semiosis.values import MachineError, Unscored
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower, KnownFlower, question

ROSE = {"name": "rose", "petals": 5}


def test_an_invalid_reply_whose_re_ask_fails_is_not_paid_for_again(make_asker: MakeAsker) -> None:
    def answer(call: Call) -> Step:
        if not call.re_ask:
            return says({"name": "lily"})
        return says(LILY) if len(provider.calls) > 3 else HTTPErrorStep(400)

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


@pytest.mark.parametrize("failure", [HTTPErrorStep(400), HTTPErrorStep(500)])
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
    assert ran.stderr == ""  # above all, no "Task exception was never retrieved"
    assert len(provider.calls) < 60  # nothing was sent after the first write had failed


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


def _flip(blob: bytes, position: int) -> bytes:
    return blob[:position] + bytes([blob[position] ^ 1]) + blob[position + 1 :]


DAMAGES = {
    "overwritten": lambda log: b"\xee" * 40_000,
    "its header": lambda log: _flip(log, 16),
    "its first page": lambda log: _flip(log, 32 + 24 + 100),
    "in the middle": lambda log: _flip(log, len(log) // 2),
    "its end": lambda log: log[:-100],
    "empty": lambda log: b"",
    "lost": None,
}


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("has_index", [True, False])
def test_replies_that_vanish_with_the_log_are_missed(kind: str, has_index: bool, crashed: Path) -> None:
    log = crashed.with_name(f"{crashed.name}-wal")
    damage, intact = DAMAGES[kind], log.read_bytes()
    if damage is None:
        log.unlink()
    else:
        log.write_bytes(damage(intact))
    if not has_index:
        crashed.with_name(f"{crashed.name}-shm").unlink()
    with pytest.raises(MachineError, match=r"lost its last \d+ changes") as raised:
        Journal(crashed)
    assert f"delete {crashed.name}-commits to go on" in raised.value.fix
    crashed.with_name(f"{crashed.name}-commits").unlink()
    Journal(crashed).close()  # the user has accepted the loss


def test_a_log_that_is_restored_after_damage_has_every_reply(crashed: Path) -> None:
    log = crashed.with_name(f"{crashed.name}-wal")
    intact = log.read_bytes()
    log.write_bytes(_flip(intact, len(intact) // 2))
    with pytest.raises(MachineError):
        Journal(crashed)
    log.write_bytes(intact)
    journal = Journal(crashed)
    assert journal.total().calls == 1
    journal.close()


def test_a_journal_that_was_deleted_to_pay_again_is_not_missed(crashed: Path) -> None:
    for name in ("", "-wal", "-shm"):
        crashed.with_name(crashed.name + name).unlink()
    journal = Journal(crashed)
    assert journal.total().calls == 0
    journal.close()


def test_a_journal_that_is_closed_in_order_leaves_one_file(make_asker: MakeAsker, tmp_path: Path) -> None:
    with StandIn([says(LILY)]) as provider:
        asker = make_asker()
        wait_for(asker.ask(question(provider)))
        wait_for(asker.close())
    assert [file.name for file in tmp_path.iterdir()] == ["replies.sqlite"]


def test_a_journal_that_vanishes_during_a_run_ends_it(make_asker: MakeAsker, tmp_path: Path) -> None:
    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker()
        wait_for(asker.ask(question(provider)))
        (tmp_path / "replies.sqlite").unlink()
        with pytest.raises(MachineError, match="moved, replaced or deleted"):
            wait_for(asker.ask(question(provider, words="another")))
    assert len(provider.calls) == 1


def test_a_journal_that_another_program_locks_is_reported_while_it_is_waited_for(
    make_asker: MakeAsker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("semiosis.ask._database.LOCKED_TRY_SECONDS", 0.01)
    asker = make_asker()
    _ = asker.journal
    with sqlite3.connect(tmp_path / "replies.sqlite", isolation_level=None) as program:
        program.execute("BEGIN IMMEDIATE")
        with StandIn([says(LILY)]) as provider:
            question_asked = start_on_loop(asker.ask(question(provider)))
            while "locks the reply journal" not in caplog.text:
                assert not question_asked.done()
            program.execute("ROLLBACK")
            assert isinstance(question_asked.result(), Reply)
    program.close()
    assert caplog.text.count("locks the reply journal") == 1


def test_a_journal_that_stays_locked_ends_every_question_at_once(
    make_asker: MakeAsker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semiosis.ask._database.LOCKED_TRY_SECONDS", 0.01)
    monkeypatch.setattr("semiosis.ask._database.LOCKED_SECONDS", 0.05)

    async def ask_all() -> list[object]:
        requests = [question(provider, words=str(number)) for number in range(40)]
        return await asyncio.gather(*map(asker.ask, requests), return_exceptions=True)

    asker = make_asker()
    _ = asker.journal
    with sqlite3.connect(tmp_path / "replies.sqlite", isolation_level=None) as program:
        program.execute("BEGIN IMMEDIATE")
        with StandIn([]) as provider:
            outcomes = wait_for(ask_all())
            wait_for(asker.close())
        program.execute("ROLLBACK")
    program.close()
    assert {str(outcome) for outcome in outcomes} == {str(outcomes[0])}
    assert "database is locked" in str(outcomes[0])
    assert provider.calls == []


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
    with StandIn([HTTPErrorStep(400), says(LILY)]) as provider:
        assert isinstance(wait_for(make_asker().ask(question(provider))), UnansweredRequest)
        assert isinstance(wait_for(make_asker(retry_unscored=False).ask(question(provider))), Reply)
