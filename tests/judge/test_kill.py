"""kill -9 at any moment of a run, then the same command: nothing that was paid for is paid for again."""

import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from semiosis.files import image
from semiosis.read._request_v2 import placeholder
from semiosis.study import new_study, read_study
from semiosis.testing import Call, StandIn, Step, says
from semiosis.values import Comparison, text
from tests.processes import forked

PROMPTS, PICTURES, KILLS, IN_FLIGHT = 20, 5, 50, 8
COMPARISONS = PROMPTS * 10
CALLS = PROMPTS + PROMPTS * PICTURES + 2 * COMPARISONS  # 20 + 100 + 400
DELAY = 0.02
_PRELOADED = ["tests.judge.warm", "tests.judge.test_kill"]


def _answer(call: Call) -> Step:
    if "nodes" in call.schema["properties"]:
        given = frozenset({"P.root"}) if "absences" in call.schema["properties"] else frozenset()
        graph = placeholder("image" if call.images else "text", given).model_dump()
        reasons = {f"{ground}_why": "It is made up." for ground in ("iconic", "indexical", "symbolic")}
        graph["nodes"][0] |= {"nowhere": "the whole sign", **reasons}  # else each reading is sent back twice
        return says(graph, delay=DELAY)
    winner = "A" if call.images[0] < call.images[1] else "B"
    cited = [{"node": f"{side}.root", "stance": winner, "rationale": "It is there."} for side in "AB"]
    chains = {"chain_a": "It arrives.", "chain_b": "It does not."}
    judgment = {**chains, "citations": cited, "rationale": "So.", "closeness": 2, "winner": winner}
    return says(judgment, delay=DELAY)


def _make_study(folder: Path) -> Path:
    study = new_study(folder)
    for number in range(PROMPTS):
        prompt = text(f"Prompt {number}")
        pictures = [_dot(folder.parent / f"{number}-{other}.png", number, other) for other in range(PICTURES)]
        pairs = [Comparison(prompt=prompt.id, a=a.id, b=b.id) for a, b in combinations(pictures, 2)]
        study = study.add([prompt, *pictures, *pairs], run="made")
    return folder


def _dot(file: Path, red: int, green: int) -> Any:
    Image.new("RGB", (2, 2), (red, green, 0)).save(file)
    return image(file)


def _run(study: Path, url: str) -> None:
    """The command, in a process of its own."""
    import sys

    from semiosis.cli import main

    sys.argv = ["semiosis", "run", str(study), "--model", "anthropic/claude-sonnet-5"]
    sys.argv += ["--base-url", url, "--in-flight", str(IN_FLIGHT)]
    os.environ["ANTHROPIC_API_KEY"] = "test-key"
    main()


@pytest.fixture
def start() -> Iterator[Any]:
    """Starts the command in a process forked from one that has the slow imports behind it."""
    with forked(_run, _PRELOADED) as start:
        yield start


def _table(study: Path) -> list[dict[str, Any]]:
    """Every verdict, without what it cost: the stand-in's cache does not forget between runs."""
    verdicts = read_study(study).verdicts
    return sorted((verdict.model_dump(exclude={"usage"}) for verdict in verdicts), key=str)


def _reached(provider: StandIn, process: Any, calls: int) -> bool:
    """Wait until this many calls have arrived; return False if the command ended before that."""
    while len(provider.calls) < calls:
        if not process.is_alive():
            return False
        time.sleep(0.001)
    return True


@pytest.mark.slow
def test_fifty_kills_lose_only_what_was_in_flight(tmp_path: Path, start: Any) -> None:
    study = _make_study(tmp_path / "killed")
    untouched = Path(shutil.copytree(study, tmp_path / "untouched"))
    chance = random.Random(9)
    moments = sorted(chance.sample(range(1, CALLS), KILLS))
    killed = 0
    with StandIn(_answer) as provider:
        for moment in moments:
            process = start(study, provider.url)
            # Calls in flight at a kill come again, so the count runs ahead of the work done.
            if not _reached(provider, process, moment + killed * IN_FLIGHT // 2):
                break
            time.sleep(chance.uniform(0, 2 * DELAY))
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            killed += 1
        last = start(study, provider.url)
        last.join()
        assert last.exitcode == 0
        asked = len(provider.calls)
        whole = start(untouched, provider.url)
        whole.join()
        assert whole.exitcode == 0
        assert len(provider.calls) - asked == CALLS
    assert killed == KILLS
    with sqlite3.connect(study / ".semiosis" / "replies.sqlite") as db:
        rows = db.execute("SELECT count(*), count(DISTINCT key) FROM calls").fetchone()
    db.close()
    assert rows == (CALLS, CALLS)  # every reply that reached the disk is there once: none was asked for again
    assert asked <= CALLS + KILLS * IN_FLIGHT  # a call keeps its slot until its reply is on disk
    assert len(_table(study)) == 2 * COMPARISONS
    assert _table(study) == _table(untouched)


@pytest.mark.slow
def test_two_processes_share_the_work_and_pay_once(tmp_path: Path, start: Any) -> None:
    study = _make_study(tmp_path / "shared")
    with StandIn(_answer) as provider:
        both = [start(study, provider.url) for _ in range(2)]
        for process in both:
            process.join()
        assert [process.exitcode for process in both] == [0, 0]
        assert len(provider.calls) == CALLS
    assert len(_table(study)) == 2 * COMPARISONS
