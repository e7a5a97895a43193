"""Askers with instant waits, closed at the end of each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, wait_for
from semiosis.ask._limit import Limiter

MakeAsker = Callable[..., Asker]


@pytest.fixture
def make_asker(tmp_path: Path) -> Iterator[MakeAsker]:
    """Makes askers that share one journal, as two runs of the same study do."""
    made: list[Asker] = []

    def make(**settings: Any) -> Asker:
        asker = Asker(tmp_path / "replies.sqlite", **{"first_wait": 0.001, **settings})
        made.append(asker)
        return asker

    yield make
    for asker in made:
        wait_for(asker.close())


@pytest.fixture
def limiters(monkeypatch: pytest.MonkeyPatch) -> list[Limiter]:
    """The limiters of the servers that the test connects to, in the order of connection."""
    made: list[Limiter] = []

    def record(max_limit: int) -> Limiter:
        made.append(Limiter(max_limit))
        return made[-1]

    monkeypatch.setattr("semiosis.ask._asker.Limiter", record)
    return made
