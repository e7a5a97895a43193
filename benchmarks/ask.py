"""Compare the throughput of structured calls with that of the bare SDK, against a loopback server.

    python -m benchmarks.ask [calls] [in flight] [latency in ms] [rounds]

By default 1,000 calls to a server that answers after 200 ms, 32 in flight, in five rounds. In each round
the bare SDK with a semaphore and an `Asker` take turns, because other programs slow both. The result is the
median of the ratios. The server runs in a separate process, like a provider.
"""

import asyncio
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Coroutine
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import anthropic
from pydantic import BaseModel

from semiosis.ask import Asker, Model, Passage, Request, wait_for
from semiosis.testing import StandIn, says

SETTINGS = (1000, 32, 200, 5)
TOOL: Any = {"name": "Flower", "input_schema": {"type": "object", "properties": {}}}


class Flower(BaseModel):
    """A flower."""

    name: str
    petals: int


def _serve(latency: float, address: Any, done: Event) -> None:
    with StandIn(lambda _: says({"name": "lily", "petals": 6}, delay=latency)) as provider:
        address.put(provider.url)
        done.wait()


async def _ask_all(asker: Asker, model: Model, calls: int, about: str) -> None:
    questions = (Request(model, "Name it.", (Passage(f"{about} {n}"),), Flower) for n in range(calls))
    await asyncio.gather(*(asker.ask(question) for question in questions))


async def _ask_bare(client: anthropic.AsyncAnthropic, in_flight: int, calls: int, about: str) -> None:
    slots = asyncio.Semaphore(in_flight)

    async def call(number: int) -> None:
        async with slots:
            reply = await client.messages.create(
                model="claude-sonnet-5",
                max_tokens=4096,
                system="Name it.",
                messages=[{"role": "user", "content": f"{about} {number}"}],
                tools=[TOOL],
                tool_choice={"type": "tool", "name": "Flower"},
            )
            (block,) = reply.content
            Flower.model_validate(getattr(block, "input", None))

    await asyncio.gather(*map(call, range(calls)))


def _timed(work: Coroutine[Any, Any, None]) -> tuple[float, float]:
    """Return the seconds and the processor seconds that a coroutine takes on the private loop."""
    began, used = time.perf_counter(), time.process_time()
    wait_for(work)
    return time.perf_counter() - began, time.process_time() - used


def main() -> None:
    """Measure and print."""
    given = [int(argument) for argument in sys.argv[1:]]
    calls, in_flight, latency, rounds = (*given, *SETTINGS[len(given) :])
    os.environ.setdefault("ANTHROPIC_API_KEY", "benchmark")
    context = multiprocessing.get_context("spawn")
    address: Any = context.Queue()
    done = context.Event()
    server = context.Process(target=_serve, args=(latency / 1000, address, done))
    server.start()
    url = address.get()
    model, client = Model("anthropic/claude-sonnet-5", url), anthropic.AsyncAnthropic(base_url=url)
    ideal = calls * latency / 1000 / in_flight
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(Path(folder) / "replies.sqlite", in_flight=in_flight)
        wait_for(_ask_all(asker, model, in_flight, about="Weed"))  # imports, connections
        wait_for(_ask_bare(client, in_flight, in_flight, about="Weed"))
        for number in range(rounds):
            bare, bare_used = _timed(_ask_bare(client, in_flight, calls, about=f"Flower of round {number}"))
            ours, ours_used = _timed(_ask_all(asker, model, calls, about=f"Flower of round {number}"))
            ratios.append(bare / ours)
            print(
                f"bare {bare:.2f} s ({1000 * bare_used / calls:.1f} ms of processor time per call), "
                f"semiosis {ours:.2f} s ({1000 * ours_used / calls:.1f} ms), ideal {ideal:.2f} s: "
                f"{bare / ours:.0%}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
                flush=True,
            )
        wait_for(asker.close())
    print(f"median of {rounds} rounds: {statistics.median(ratios):.0%} of the bare SDK's throughput")
    done.set()
    server.join()


if __name__ == "__main__":
    main()
