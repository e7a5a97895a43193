"""The examples of the help texts and of the query library."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from semiosis.cli._app import app
from semiosis.store import library
from tests.cli.conftest import Run

WITHOUT_ROWS = {"blind-and-given", "only-one-reader"}
"""The demo aligns only blind readings and makes no consensus."""


def help_texts(command: object) -> Iterator[str]:
    """Yield the help text of a command and of every command below it."""
    yield getattr(command, "help", None) or ""
    for below in getattr(command, "commands", {}).values():
        yield from help_texts(below)


EXAMPLES = re.findall(r"\$ semiosis (.*)", "\n".join(help_texts(get_command(app))))


def parse(group: TyperGroup, words: list[str]) -> dict[str, Any]:
    """Return the parameters of a command without running it."""
    context = group.make_context("semiosis", words)
    name, command, rest = group.resolve_command(context, [*context._protected_args, *context.args])
    assert command
    if isinstance(command, TyperGroup):
        return parse(command, rest)
    return command.make_context(name, rest, parent=context).params


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_a_help_text_can_be_typed(example: str) -> None:
    """Its commands, options and numbers of arguments exist; `run` would end with an error otherwise."""
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert parse(group, shlex.split(re.split(r" (?:>|&&) ", example)[0])) is not None


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 60


@pytest.mark.slow
def test_the_examples_of_the_library_have_rows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("demo")
    for name, query in library().items():
        done = run(*shlex.split(query.example)[1:], "--json")
        assert done.code == 0, done.err
        assert bool(json.loads(done.out)) == (name not in WITHOUT_ROWS), name
