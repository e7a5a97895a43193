"""Measure the throughput of 1,000 structured calls to a loopback server with 200 ms latency, 32 in flight.

    python -m benchmarks.ask [calls] [in flight] [latency in ms]

The ideal time is calls · latency / in flight. The server runs in a separate process, like a provider. Three
rounds are printed, because other programs may slow one of them.
"""

import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from semiosis.ask import Asker, Model, Passage, Request, wait_for
from semiosis.testing import StandIn, says

ROUNDS = 3


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


def main() -> None:
    """Measure and print."""
    given = [int(argument) for argument in sys.argv[1:]]
    calls, in_flight, latency = (*given, *(1000, 32, 200)[len(given) :])
    os.environ.setdefault("ANTHROPIC_API_KEY", "benchmark")
    context = multiprocessing.get_context("spawn")
    address: Any = context.Queue()
    done = context.Event()
    server = context.Process(target=_serve, args=(latency / 1000, address, done))
    server.start()
    model = Model("anthropic/claude-sonnet-5", address.get())
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(Path(folder) / "replies.sqlite", in_flight=in_flight)
        wait_for(_ask_all(asker, model, in_flight, about="Weed"))  # imports, connections
        for number in range(ROUNDS):
            began, used = time.perf_counter(), time.process_time()
            wait_for(_ask_all(asker, model, calls, about=f"Flower of round {number}"))
            _print(calls, calls * latency / 1000 / in_flight, time.perf_counter() - began, used)
        wait_for(asker.close())
    done.set()
    server.join()


def _print(calls: int, ideal: float, took: float, used_before: float) -> None:
    used = 1000 * (time.process_time() - used_before) / calls
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{calls} calls in {took:.2f} s; ideal {ideal:.2f} s: {ideal / took:.0%} of the ideal throughput")
    print(f"{used:.1f} ms of processor time per call; {load}", flush=True)


if __name__ == "__main__":
    main()
