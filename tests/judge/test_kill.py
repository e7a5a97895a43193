"""A run that is ended by kill -9 at any moment continues and pays for no call twice."""

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
from semiosis.read._request import placeholder
from semiosis.study import new_study, read_study
from semiosis.testing import Call, StandIn, Step, says
from semiosis.values import Comparison, text
from tests.processes import forked

PROMPTS, PICTURES, KILLS, IN_FLIGHT = 20, 5, 50, 8
COMPARISONS = PROMPTS * 10
CALLS = PROMPTS + PROMPTS * PICTURES + 2 * COMPARISONS  # 20 + 100 + 400
DELAY = 0.02
_PRELOADED = ["tests.judge.preloaded", "tests.judge.test_kill"]


def _answer(call: Call) -> Step:
    if "nodes" in call.schema["properties"]:
        given = frozenset({"P.root"}) if "absences" in call.schema["properties"] else frozenset()
        graph = placeholder("image" if call.images else "text", given).model_dump()
        reasons = {f"{ground}_why": "It is made up." for ground in ("iconic", "indexical", "symbolic")}
        texts = {"sign": "a dot", "object": "a beginning", "interpretant": "calm", "dynamic_object": ""}
        graph["nodes"][0] |= {"nowhere": "the whole sign", **reasons, **texts}  # else each is sent back twice
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
    """Run the command in this process, which can be killed."""
    import sys

    from semiosis.cli import main

    sys.argv = ["semiosis", "run", str(study), "--model", "anthropic/claude-sonnet-5"]
    sys.argv += ["--base-url", url, "--in-flight", str(IN_FLIGHT)]
    os.environ["ANTHROPIC_API_KEY"] = "test-key"
    main()


@pytest.fixture
def start() -> Iterator[Any]:
    """Yield a function that starts the command in a process forked from one with the slow imports loaded."""
    with forked(_run, _PRELOADED) as start:
        yield start


def _table(study: Path) -> list[dict[str, Any]]:
    """Return every verdict without its cost, which differs because the stand-in's cache outlives a run."""
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
    rng = random.Random(9)
    calls_before_kills = sorted(rng.sample(range(1, CALLS), KILLS))
    killed = 0
    with StandIn(_answer) as provider:
        for calls in calls_before_kills:
            process = start(study, provider.url)
            # Calls that are in flight at a kill are sent again, so there are more calls than finished work.
            if not _reached(provider, process, calls + killed * IN_FLIGHT // 2):
                break
            time.sleep(rng.uniform(0, 2 * DELAY))
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            killed += 1
        last = start(study, provider.url)
        last.join()
        assert last.exitcode == 0
        asked = len(provider.calls)
        uninterrupted = start(untouched, provider.url)
        uninterrupted.join()
        assert uninterrupted.exitcode == 0
        assert len(provider.calls) - asked == CALLS
    assert killed == KILLS
    with sqlite3.connect(study / ".semiosis" / "replies.sqlite") as db:
        rows = db.execute("SELECT count(*), count(DISTINCT key) FROM calls").fetchone()
    db.close()
    assert rows == (CALLS, CALLS)  # every reply was recorded once, so no question was asked again
    assert asked <= CALLS + KILLS * IN_FLIGHT  # a call keeps its slot until its reply is on disk
    assert len(_table(study)) == 2 * COMPARISONS
    assert _table(study) == _table(untouched)


@pytest.mark.slow
def test_two_processes_share_the_work_and_pay_once(tmp_path: Path, start: Any) -> None:
    study = _make_study(tmp_path / "shared")
    with StandIn(_answer) as provider:
        processes = [start(study, provider.url) for _ in range(2)]
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0, 0]
        assert len(provider.calls) == CALLS
    assert len(_table(study)) == 2 * COMPARISONS
