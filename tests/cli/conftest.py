"""Runs the command line in this process, as a user would type it."""

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from semiosis.cli import main
from semiosis.study import Study
from semiosis.testing import StandIn, answers_from
from tests.small import make_study

MODEL = ("--model", "anthropic/claude-sonnet-5")
"""The options that name the model of most tests."""


class Ran(NamedTuple):
    """The output and the exit code of a call."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.delenv("SEMIOSIS_DEBUG", raising=False)

    def call(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["semiosis", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        return Ran(int(ended.value.code or 0), out, err)

    return call


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Return a study that tests read and do not change."""
    return make_study(tmp_path_factory.mktemp("study") / "small")


@pytest.fixture
def provider(small: Study) -> Iterator[StandIn]:
    """Yield a stand-in that answers as if it had read the study of the test."""
    with StandIn(answers_from(small.hsgs.values())) as provider:
        yield provider
