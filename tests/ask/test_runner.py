"""The runner: order by dependency, each key once, bounded memory, nothing after cancellation."""

import asyncio
import os
import signal
import weakref
from collections.abc import Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from semiosis.ask import Asker, Model, Passage, Reply, Request, Runner, run_task, wait_for
from semiosis.ask._loop import start_on_loop
from semiosis.testing import Call, StandIn, Step, refuses, says
from semiosis.values import DataError, Unscored, UsageError
from tests.ask.conftest import MakeAsker


class Word(BaseModel):
    """One word."""

    word: str


@dataclass(frozen=True)
class Ask:
    """Asks for a word. Its result begins with the results of the tasks that it needs."""

    name: str
    model: Model | None = None
    needs: tuple[Any, ...] = ()
    log: list[str] = field(default_factory=list, compare=False)

    @property
    def key(self) -> str:
        return self.name

    def request(self, *results: Any) -> Request[Any] | None:
        self.log.append(self.name)
        if self.name == "lost":
            raise DataError("the image is gone")
        if self.model is None:
            return None
        parts = tuple(Passage(text) for text in (*map(str, results), self.name))
        return Request(self.model, "Say a word.", parts, Word)

    def finish(self, reply: Reply[Word] | Unscored | None, *results: Any) -> Any:
        if isinstance(reply, Unscored):
            return reply
        return "+".join([*results, self.name if reply is None else reply.answer.word])


def echo(call: Call) -> Step:
    return says({"word": call.text.split()[-1]})


def model_at(provider: StandIn) -> Model:
    return Model("anthropic/claude-sonnet-5", provider.url)


def test_a_task_runs_after_what_it_needs_and_each_key_once(make_asker: MakeAsker) -> None:
    log: list[str] = []
    with StandIn(echo) as provider:
        model = model_at(provider)
        root = Ask("root", model, log=log)
        left, right = (Ask(name, model, (root,), log) for name in ("left", "right"))
        top = Ask("top", model, (left, right, root), log)
        done = list(Runner(make_asker()).run([top, left]))
    assert [each.task.key for each in done] == sorted((each.task.key for each in done), key=_rank)
    assert {each.task.key: each.result for each in done}["top"] == "root+left+root+right+root+top"
    assert sorted(log) == ["left", "right", "root", "top"]
    assert {each.task.key for each in done if each.requested} == {"top", "left"}
    assert len(provider.calls) == 4


def _rank(key: str) -> int:
    return {"root": 0, "top": 2}.get(key, 1)


def test_a_failure_is_kept_for_the_whole_run_and_passed_to_dependent_tasks(
    make_asker: MakeAsker,
) -> None:
    with StandIn(lambda _: refuses()) as provider:
        model = model_at(provider)
        runner = Runner(make_asker())
        refused = Ask("refused", model)
        first = [
            each.result for each in runner.run([Ask("one", model, (refused,)), Ask("two", model, (refused,))])
        ]
        later = [each.result for each in runner.run([Ask("three", model, (refused,)), refused])]
    assert all(isinstance(result, Unscored) and result.reason == "refusal" for result in first + later)
    assert len(provider.calls) == 1


def test_a_request_that_cannot_be_built_is_missing() -> None:
    (done,) = Runner().run([Ask("lost")])
    assert isinstance(done.result, Unscored)
    assert (done.result.reason, done.result.detail) == ("missing", "the image is gone")


def test_results_come_in_the_order_of_the_tasks_even_if_one_is_listed_twice() -> None:
    base = Ask("z")
    tasks = [Ask("a", needs=(base,)), base, Ask("b"), base, Ask("a", needs=(base,))]
    assert list(Runner().results(tasks)) == ["z+a", "z", "b", "z", "z+a"]


class EightAtOnce(Asker):
    """An asker that answers readings only when eight of them are asked at the same time."""

    arrived = 0
    all_here: asyncio.Event | None = None

    async def ask(self, request: Request[Any]) -> Any:
        shown = request.parts[-1]
        if isinstance(shown, Passage) and shown.text.startswith("reading"):
            self.all_here = self.all_here or asyncio.Event()
            self.arrived += 1
            if self.arrived == 8:
                self.all_here.set()
            await asyncio.wait_for(self.all_here.wait(), timeout=60)
        return await super().ask(request)


def test_waiting_tasks_take_no_slot(tmp_path: Path) -> None:
    """Ten judgments wait for each reading; all slots are used for readings."""
    with StandIn(echo) as provider:
        model = model_at(provider)
        asker = EightAtOnce(tmp_path / "replies.sqlite", in_flight=2)
        readings = [Ask(f"reading-{number}", model) for number in range(8)]
        judgments = [Ask(f"{r.name}-judgment-{n}", model, (r,)) for r in readings for n in range(10)]
        done = [each for each in Runner(asker).run(judgments) if each.requested]
        wait_for(asker.close())
    assert len(done) == 80


def test_tasks_are_read_lazily_and_results_are_dropped() -> None:
    """A hundred thousand tasks: few are open at once, and only the latest results are kept."""
    taken = 0
    alive: weakref.WeakSet[Any] = weakref.WeakSet()

    class Result(str):
        __slots__ = ("__weakref__",)

    class Local(Ask):
        def finish(self, reply: Any, *results: Any) -> Any:
            result = Result(self.name)
            alive.add(result)
            return result

    def tasks() -> Iterator[Local]:
        nonlocal taken
        for number in range(100_000):
            taken += 1
            yield Local(str(number))

    most = 0
    runner = Runner(max_open_tasks=100, max_results=50)
    for number, _ in enumerate(islice(runner.run(tasks()), 3_000)):
        most = max(most, len(alive))
        assert taken <= number + 1 + 2 * 100
    assert most <= 50 + 2 * 100


def test_a_dropped_result_is_served_from_the_journal(make_asker: MakeAsker) -> None:
    with StandIn(echo) as provider:
        model = model_at(provider)
        base = Ask("base", model)
        others = [Ask(f"other-{number}", model) for number in range(5)]
        runner = Runner(make_asker(), max_results=2)
        list(runner.run([base, *others]))
        (done,) = (each for each in runner.run([Ask("late", model, (base,))]) if each.requested)
    assert done.result == "base+late"
    assert len(provider.calls) == 7


def test_leaving_early_starts_nothing_more(make_asker: MakeAsker) -> None:
    with StandIn(echo) as provider:
        model = model_at(provider)
        asker = make_asker(in_flight=2)
        results = Runner(asker).run(Ask(f"word-{number}", model) for number in range(1_000))
        next(results)
        results.close()
        wait_for(asker.close())
        asked = len(provider.calls)
        wait_for(asyncio.sleep(0))
        assert len(provider.calls) == asked < 100


def test_an_abandoned_run_may_be_closed_in_the_thread_of_the_loop(make_asker: MakeAsker) -> None:
    async def close() -> None:  # as the garbage collector does when it happens to run in that thread
        results.close()

    with StandIn(echo) as provider:
        model = Model("anthropic/stand-in", provider.url)
        asker = make_asker()
        results = Runner(asker).run(Ask(f"word{n}", model) for n in range(20))
        next(results)
        start_on_loop(close()).result(timeout=60)
        assert [done.result for done in Runner(asker).run([Ask("after", model)])] == ["after"]


def test_ctrl_c_starts_nothing_more_and_keeps_what_was_paid(make_asker: MakeAsker) -> None:
    with StandIn(echo) as provider:
        model = model_at(provider)
        asker = make_asker(in_flight=2)
        finished: list[Any] = []
        with pytest.raises(KeyboardInterrupt):
            _consume(Runner(asker).run(_interrupting(model)), finished)
        wait_for(asker.close())
        asked = len(provider.calls)
        assert asked < 100
        kept = list(Runner(make_asker()).run([done.task for done in finished]))
        assert [done.result for done in kept] == [done.task.key for done in kept]
        assert len(provider.calls) == asked


def _consume(results: Generator[Any, None, None], into: list[Any]) -> None:
    with closing(results):
        into.extend(results)


def _interrupting(model: Model) -> Iterator[Ask]:
    """Return tasks, one of which acts as if Ctrl-C were pressed."""
    for number in range(1_000):
        if number == 20:
            os.kill(os.getpid(), signal.SIGINT)
        yield Ask(f"word-{number}", model)


def test_an_error_that_only_the_user_can_fix_ends_the_run() -> None:
    class Wrong(Ask):
        def request(self, *results: Any) -> Request[Any] | None:
            raise UsageError("there is no key")

    with pytest.raises(UsageError, match="no key"):
        list(Runner().run([Ask("fine"), Wrong("wrong")]))


def test_a_second_run_costs_nothing(make_asker: MakeAsker) -> None:
    with StandIn(echo) as provider:
        model = model_at(provider)
        tasks = [Ask(f"top-{n}", model, (Ask("base", model),)) for n in range(5)]
        first = sorted(each.result for each in Runner(make_asker()).run(tasks))
        assert len(provider.calls) == 6
        assert sorted(each.result for each in Runner(make_asker()).run(tasks)) == first
        assert len(provider.calls) == 6


def test_local_tasks_run_in_an_executor_of_the_callers_choice() -> None:
    with ProcessPoolExecutor(1) as pool:
        results = list(Runner(executor=pool).results([Ask("there"), Ask("here", needs=(Ask("there"),))]))
    assert results == ["there", "there+here"]


def test_run_task_works_from_another_loop() -> None:
    async def elsewhere() -> Any:
        return await run_task(Ask("one"), Asker())

    assert asyncio.run(elsewhere()) == "one"


def test_what_another_run_asks_holds_nothing_up(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs of one study share the work: while the other asks the first questions, this asks others."""
    monkeypatch.setattr("semiosis.ask._runner._REFILL_SECONDS", 0.01)
    with StandIn(echo) as provider:
        model = Model("anthropic/stand-in", base_url=provider.url)
        asker = make_asker(in_flight=1)
        max_running = asker.max_running or 0
        tasks = [Ask(f"word-{number}", model) for number in range(2 * max_running)]
        theirs = make_asker().journal
        for task in tasks[:max_running]:
            request = task.request()
            assert request is not None
            theirs.claim(request.key).result()
        with closing(Runner(asker).run(tasks)) as running:
            mine = [done.result for done in islice(running, max_running)]
    assert sorted(mine) == [task.name for task in tasks[max_running:]]
