"""The keys of requests with version 1 of the prompts: a change would make every user pay again."""

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, Model, Request
from semiosis.files import image
from semiosis.judge import Examinee, SemJudge
from semiosis.read import Reader
from semiosis.values import Question, text
from tests.small import PROMPT, artifact_hsg, prompt_hsg

_PNGS = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
)
MODEL = Model("anthropic/claude-sonnet-5")
GEMINI = Model("google/gemini-3.1-flash-lite", parameters={"temperature": 0.5})


class Recorder(Asker):
    """A dry asker that notes the key of every request."""

    def __init__(self, journal: Path) -> None:
        super().__init__(journal, dry_run=True)
        self.keys: list[str] = []

    async def ask(self, request: Request[Any]) -> Any:
        self.keys.append(request.key)
        return await super().ask(request)


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(tmp_path / "replies.sqlite")


@pytest.fixture
def material(tmp_path: Path) -> dict[str, Any]:
    files = [tmp_path / f"{name}.png" for name in "ab"]
    for file, png in zip(files, _PNGS, strict=True):
        file.write_bytes(base64.b64decode(png))
    prompt, (a, b) = text(PROMPT), (image(file) for file in files)
    hsgs = prompt_hsg(prompt, "Ada"), artifact_hsg(a, "Ada", "lily"), artifact_hsg(b, "Ada", "rose")
    question = Question(sign=a.id, text="What is it?", choices=("a lily", "a rose"), correct=0)
    return {"signs": (prompt, a, b), "hsgs": hsgs, "question": question}


def reader(asker: Asker, model: Model = MODEL) -> Reader:
    return Reader(model, asker=asker, prompts=1)


ASKED: dict[str, tuple[Callable[[dict[str, Any], Asker], object], str]] = {
    "a text": (
        lambda m, asker: reader(asker).read(m["signs"][0]),
        "cc44c2eac29800e2",
    ),
    "an image": (
        lambda m, asker: reader(asker).read(m["signs"][1], detail="complex"),
        "da44b12252df28ce",
    ),
    "an image, given the prompt": (
        lambda m, asker: reader(asker, GEMINI).read(m["signs"][1], given=m["hsgs"][0], repeat=1),
        "e584dbc8a771afbf",
    ),
    "a root": (
        lambda m, asker: Reader(MODEL, asker=asker, root_only=True, prompts=1).read(m["signs"][1]),
        "dea66f39ff07db91",
    ),
    "a limit": (
        lambda m, asker: Reader(MODEL, asker=asker, limits={"standard": 1}, prompts=1).read(m["signs"][1]),
        "3e2266c222c6ffc5",
    ),
    "semjudge": (
        lambda m, asker: SemJudge(MODEL, asker=asker, prompts=1).compare(*m["signs"]),
        "8950b7b047513fd4",
    ),
    "semjudge on HSGs": (
        lambda m, asker: SemJudge(MODEL, asker=asker, prompts=1).compare(*m["hsgs"]),
        "02ae40da131298e0",
    ),
    "published": (
        lambda m, asker: SemJudge(MODEL, asker=asker, prompts=1, preset="semjudge:published").compare(
            *m["signs"]
        ),
        "f59e571705f29af3",
    ),
    "direct": (
        lambda m, asker: SemJudge(MODEL, asker=asker, prompts=1, preset="direct").compare(*m["signs"]),
        "7c88892b56ac25cc",
    ),
    "a question": (
        lambda m, asker: Examinee(MODEL, asker=asker, prompts=1).answer(m["question"], m["hsgs"][1]),
        "11af23228366ffad",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_keys_of_version_1_stay(name: str, material: dict[str, Any], recorder: Recorder) -> None:
    ask, pinned = ASKED[name]
    ask(material, recorder)
    assert _digest(recorder.keys) == pinned


def _digest(keys: list[str]) -> str:
    return hashlib.sha256("".join(sorted(set(keys))).encode()).hexdigest()[:16]
