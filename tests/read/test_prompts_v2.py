"""Version 2 of the prompts: the form checks what the prompt demands, the prompt says what the form limits."""

import re

import pytest
from pydantic import BaseModel

from semiosis.ask import AnySign, Model, load_prompt
from semiosis.files import data
from semiosis.read import _form
from semiosis.read._request_v2 import prompt_for, reading_request, system_text
from semiosis.read._settings import LANGUAGES, ReadingSettings
from semiosis.values import HSG, CompositeSign, UsageError
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
