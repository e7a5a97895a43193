"""Askers with instant waits, closed at the end of each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, wait_for

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
