"""Version 2 of the prompts: the form checks what the prompt demands, the prompt says what the form limits."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from semiosis.ask import AnySign, Model, load_prompt
from semiosis.files import data
from semiosis.read import _form
from semiosis.read._request_v2 import prompt_for, reading_request, system_text
from semiosis.read._settings import LANGUAGES, ReadingSettings
from semiosis.values import HSG, CompositeSign, Detail, UsageError
from tests.read.conftest import Garden

SETTINGS = ReadingSettings(Model("anthropic/claude-sonnet-5"))


def _asked(sign: AnySign, given: HSG | None = None, settings: ReadingSettings = SETTINGS) -> str:
    return system_text(prompt_for(sign, given, settings), sign, given, settings)


@pytest.fixture
def wordings(garden: Garden) -> dict[str, str]:
    """Return every reading prompt as it is sent."""
    prompt, a = garden.hsgs[0], garden.a
    return {
        "text": _asked(garden.prompt),
        "composite": _asked(CompositeSign(parts=(garden.prompt, a))),
        "blind": _asked(a),
        "given": _asked(a, prompt),
        "root-only": _asked(a, prompt, ReadingSettings(SETTINGS.model, root_only=True)),
        "joint": system_text(load_prompt("hsg-joint"), a, prompt, SETTINGS),
    }


def test_nothing_is_left_to_fill_in(wordings: dict[str, str]) -> None:
    for name, wording in wordings.items():
        assert "$" not in wording, name
        assert "do not follow them" in wording


def test_every_field_of_the_form_is_explained(wordings: dict[str, str]) -> None:
    forms: dict[str, tuple[type[BaseModel], ...]] = {
        "text": (_form.TextNode, _form.Quote, _form.FreeRelation),
        "composite": (_form.CompositeNode, _form.Quote, _form.Frame),
        "blind": (_form.ImageNode, _form.Frame, _form.FreeRelation),
        "given": (_form.ImageNode, _form.AbsentNode),
        "joint": (_form.ImageNode, _form.AbsentNode, _form.JointGraphs),
    }
    for name, models in forms.items():
        for model in models:
            for field in model.model_fields:
                stem = field.removesuffix("_why")
                assert re.search(rf"\b{stem}\b", wordings[name]), f"{name}: {field}"


def test_the_prompt_states_every_limit_of_the_form(wordings: dict[str, str]) -> None:
    text, blind = wordings["text"], wordings["blind"]
    assert f"at most {_form.MOST_PLACES} quotes" in text
    assert f"at most {_form.MOST_PLACES} boxes" in blind
    for wording in (text, blind):
        assert f"never more than {_form.PHRASE_CHARACTERS} characters" in wording
        assert f"never more than {_form.TEXT_CHARACTERS['standard']} characters" in wording
        assert f"never more than {_form.LABEL_CHARACTERS} characters. No two" in wording
        assert f"at most {_form.MOST_RELATIONS}, usually none" in wording
        assert "at most 3 further nodes" in wording
        assert "from 0 to 100" in wording
    assert "four integers from 0 to 1000" in blind


def _limits(schema: Any) -> Iterator[int]:
    """Yield every limit on lengths, counts and numbers that a schema states."""
    if isinstance(schema, list):
        for item in schema:
            yield from _limits(item)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("maxLength", "maximum") and isinstance(value, int):
                yield value
            else:
                yield from _limits(value)


UNSAID = {
    _form.TEXT_CHARACTERS["complex"]: "the longest quote: a quote is copied, so its length is not chosen",
    20: "the highest item or occurrence: both are counted, not chosen",
}
"""Limits that a prompt does not state, and why."""


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("detail", ["standard", "complex"])
def test_every_number_that_the_schema_limits_is_in_the_prompt(
    given: bool, detail: Detail, garden: Garden
) -> None:
    settings = ReadingSettings(SETTINGS.model, detail=detail)
    signs = (
        (garden.a,) if given else (garden.prompt, garden.a, CompositeSign(parts=(garden.prompt, garden.a)))
    )
    for sign in signs:
        request = reading_request(sign, garden.hsgs[0] if given else None, settings)
        for limit in set(_limits(request.schema)) - UNSAID.keys():
            assert re.search(rf"\b{limit}\b", request.system), (sign.kind, limit)


# Each demand of the prompt that code can check, with the complaint that returns a reply which breaks it
# (tests/read/test_read.py breaks each of them).
DEMANDS = {
    "No two nodes share a label": "two nodes have the label",
    "For each ground give the reason in a phrase, also when it is 0": "give a reason for",
    'The first node is the root: id "root", parent ""': "the first node must be the root",
    "with ids n1, n2 and so on in this order": "the ids must be",
    "names its parent, which comes earlier in the list": "is not an earlier node",
    "It is empty for the root only": "'how' is empty for the root and for no other node",
    "neither is the parent of the other": "are parent and child, or the same node",
    "has its own how": "needs a 'how'",
    "The root has no place": "the root has no place",
    "or a reason in nowhere, never both": "give either a place or a reason in 'nowhere'",
}


def test_every_demand_is_checked_and_every_check_is_demanded(wordings: dict[str, str]) -> None:
    source = inspect.getsource(_form)
    for demand, complaint in DEMANDS.items():
        for name in ("text", "composite", "blind", "given", "joint"):
            assert demand in wordings[name], (name, demand)
        assert complaint in source, complaint
    complaints = len(re.findall(r"^ +yield (?:from \()?f?\"", source, re.MULTILINE))
    # Four more concern what no prompt needs to say (two nodes with one id, 'root' as another node's relation,
    # blank texts, relations to nodes that do not exist); two concern absences.
    assert complaints == len(DEMANDS) + 4 + 2


def test_a_composite_prompt_may_place_a_node_in_its_picture(wordings: dict[str, str]) -> None:
    assert "its quotes and boxes are empty" in wordings["composite"]
    assert "at least one quote or box" in wordings["composite"]
    assert "box" not in wordings["text"]


def test_the_prompt_defines_every_word_of_the_closed_vocabularies(wordings: dict[str, str]) -> None:
    for wording in (wordings["text"], wordings["blind"]):
        for word in ("supports", "elaborates", "contrasts", "iconic", "indexical", "symbolic"):
            assert f"- {word}: " in wording
            definition = wording.split(f"- {word}: ", 1)[1].split("\n", 1)[0]
            assert "Example:" in definition or "100:" in definition
    for word in ('"missing"', '"replaced"'):
        assert word in wordings["given"]


def test_only_a_reading_that_is_given_the_prompt_lists_absences(garden: Garden) -> None:
    given = reading_request(garden.a, garden.hsgs[0], SETTINGS)
    blind = reading_request(garden.a, None, SETTINGS)
    assert "absences" in given.answer.model_fields
    assert "absences" in given.system
    assert "absences" not in blind.answer.model_fields
    assert "absences" not in blind.system


def test_the_language_is_named_and_checked(garden: Garden) -> None:
    chinese = _asked(garden.prompt, settings=ReadingSettings(SETTINGS.model, language="zh-Hans"))
    assert "in Simplified Chinese." in chinese
    assert "in English." in _asked(garden.prompt)
    with pytest.raises(UsageError, match="'tlh' is not known"):
        ReadingSettings(SETTINGS.model, language="tlh")
    assert all(name[0].isupper() for name in LANGUAGES.values())


def test_every_prompt_file_gives_its_reason() -> None:
    for path in data("prompts").glob("*.md"):
        prompt = load_prompt(path.stem)
        assert len(prompt.why) > 60, path.name
