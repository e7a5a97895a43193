"""Local models end to end: tiny random models of three architectures, constrained to the schema."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from pydantic import BaseModel

from semiosis.align import ModelAligner
from semiosis.ask import (
    Asker,
    Model,
    Passage,
    Reply,
    Request,
    choice_probabilities,
    log_likelihoods,
    picture,
    wait_for,
)
from semiosis.ask._local import bounded
from semiosis.files import image
from semiosis.read import Reader
from semiosis.values import (
    HSG,
    MissingExtraError,
    Unscored,
    UsageError,
    text,
)
from tests.strategies import an_hsg

SHORT = {"longest_string": 6, "max_tokens": 700}


@pytest.fixture(scope="session", params=["llava", "smolvlm", "qwen3-vl"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.local.tiny import build  # loads torch

    name: str = request.param
    return build(name, tmp_path_factory.mktemp(name))


@pytest.fixture
def asker(tmp_path: Path) -> Iterator[Asker]:
    made = Asker(tmp_path / "replies.sqlite", re_asks=0)
    yield made
    wait_for(made.close())


@pytest.mark.slow
def test_a_local_model_reads_prompts_and_pictures_and_can_be_asked_how_likely_answers_are(
    folder: Path, asker: Asker, tmp_path: Path
) -> None:
    for name, colour in (("red", "red"), ("noise", "blue")):
        Image.new("RGB", (64, 48), colour).save(tmp_path / f"{name}.png")
    red, blue = image(tmp_path / "red.png"), image(tmp_path / "noise.png")
    model = Model(f"local/{folder}", parameters=SHORT)
    reader = Reader(model, asker=asker, root_only=True)
    prompt, artifact = reader.read(text("A white lily")), reader.read(red)
    assert isinstance(prompt, HSG)
    assert isinstance(artifact, HSG)
    assert list(prompt.semioses) == list(artifact.semioses) == ["root"]
    assert asker.budget.spent.cost == 0
    assert reader.read(red) == artifact
    short = Model(f"local/{folder}", parameters={**SHORT, "max_tokens": 5})
    (cut,) = Reader(short, asker=asker).read_many([red])
    assert isinstance(cut, Unscored)
    assert cut.reason == "cut-off"
    question = Passage("Does the picture show a skull? Answer Yes or No.")
    yes, no, longer = log_likelihoods(
        model, [picture(red, model.profile), question], [" Yes", " No", " Yes No"]
    )
    assert yes < 0
    assert no < 0
    assert longer < yes  # a whole string is less likely than its beginning
    other = log_likelihoods(model, [picture(blue, model.profile), question], [" Yes"])
    assert other[0] != yes


class Choice(BaseModel):
    """Which of two pictures."""

    winner: Literal["A", "B"]


async def _both(asker: Asker, *requests: Request[Choice]) -> list[object]:
    return list(await asyncio.gather(*(asker.ask(request) for request in requests)))


@pytest.mark.slow
def test_two_questions_at_once_get_the_answers_they_get_alone(
    folder: Path, asker: Asker, tmp_path: Path
) -> None:
    """One model answers two questions with pictures at the same time; probabilities stay the same."""
    Image.new("RGB", (64, 48), "red").save(tmp_path / "red.png")
    model = Model(f"local/{folder}", parameters={"logprobs": True, "max_tokens": 40})
    shown = picture(image(tmp_path / "red.png"), model.profile)
    requests = [Request(model, "Choose.", (shown, Passage(words)), Choice) for words in ("First?", "Then?")]
    together = wait_for(_both(asker, *requests))
    alone = Asker(tmp_path / "alone.sqlite")
    for request, reply in zip(requests, together, strict=True):
        again = wait_for(alone.ask(request))
        assert isinstance(reply, Reply)
        assert isinstance(again, Reply)
        assert reply.answer == again.answer
        shares = choice_probabilities(reply.tokens, "winner", ["A", "B"])
        assert shares is not None
        assert sum(shares.values()) == pytest.approx(1)
        assert shares == pytest.approx(choice_probabilities(again.tokens, "winner", ["A", "B"]), abs=1e-4)
        assert max(shares, key=lambda choice: shares[choice]) == reply.answer.winner  # greedy decoding
    wait_for(alone.close())


@pytest.mark.slow
def test_a_schema_does_not_make_a_tree(folder: Path, asker: Asker) -> None:
    """A random model decodes within the schema, but its nodes need not form a tree: that is unscored."""
    reader = Reader(Model(f"local/{folder}", parameters=SHORT), asker=asker)
    (outcome,) = reader.read_many([text("A white lily")])
    assert isinstance(outcome, Unscored)
    assert outcome.reason in ("malformed", "cut-off")
    assert outcome.raw.startswith("{")


@pytest.mark.slow
def test_a_model_that_fails_leaves_the_question_unscored(folder: Path, asker: Asker) -> None:
    impossible = Model(f"local/{folder}", parameters={"temperature": -1.0})
    outcome = wait_for(asker.ask(Request(impossible, "Choose.", (Passage("Which?"),), Choice)))
    assert isinstance(outcome, Unscored)
    assert outcome.reason == "provider"
    assert "the local model failed" in outcome.detail


@pytest.mark.slow
def test_a_folder_without_weights_says_what_it_needs(asker: Asker, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="cannot be loaded") as raised:
        Reader(f"local/{tmp_path / 'empty'}", asker=asker).read(text("A lily"))
    assert "safetensors" in raised.value.fix


def test_a_missing_package_names_the_extra(
    asker: Asker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "llguidance", None)
    with pytest.raises(MissingExtraError) as raised:
        Reader(f"local/{tmp_path / 'none'}", asker=asker).read(text("A lily"))
    assert raised.value.fix == 'pip install "semiosis[local]"'


def test_strings_without_a_limit_get_one() -> None:
    schema = {
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "enum": ["x"]},
            "c": {"maxLength": 3, "type": "string"},
        }
    }
    assert bounded(schema, 10) == {
        "properties": {
            "a": {"type": "string", "maxLength": 10},
            "b": {"type": "string", "enum": ["x"]},
            "c": {"type": "string", "maxLength": 3},
        },
    }


@pytest.mark.slow
def test_a_local_model_states_a_fate_for_every_node(folder: Path, asker: Asker) -> None:
    model = Model(f"local/{folder}", parameters={"longest_string": 6, "max_tokens": 900})
    source, target = an_hsg(labels=("whole", "lily")), an_hsg(text("a picture"), ("whole", "rose"))
    (found,) = ModelAligner(model, asker=asker).align_many([(source, target)])
    if isinstance(found, Unscored):  # a random model may name too few or too many targets
        assert found.reason == "malformed"
        assert "target node" in found.detail or "entries" in found.detail
    else:
        assert {fate.node for fate in found.fates} == {"root", "n1"}


def test_objects_get_no_additional_properties() -> None:
    assert bounded({"type": "object", "properties": {}}, 10) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }
