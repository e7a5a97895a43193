"""The prompts: the form checks what the prompt requires, and the prompt states its limits."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st
from pydantic import BaseModel

from semiosis.ask import Model, fence, load_prompt
from semiosis.ask._language import LANGUAGES
from semiosis.files import data
from semiosis.judge._form import Choice, DirectJudgment, Judgment
from semiosis.read import _form, _form_checks
from semiosis.read import _form_nodes as nodes
from semiosis.read._request import placeholder, prompt_for, reading_request, system_text
from semiosis.read._settings import ReadingSettings
from semiosis.values import HSG, AnySign, CompositeSign, Detail, UsageError
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
        "text": (nodes.TextNode, nodes.Quote, nodes.FreeRelation),
        "composite": (nodes.CompositeNode, nodes.Quote, nodes.Frame),
        "blind": (nodes.ImageNode, nodes.Frame, nodes.FreeRelation),
        "given": (nodes.ImageNode, nodes.AbsentNode),
        "joint": (nodes.ImageNode, nodes.AbsentNode, _form.JointGraphs),
    }
    for name, models in forms.items():
        for model in models:
            for field in model.model_fields:
                stem = field.removesuffix("_why")
                assert re.search(rf"\b{stem}\b", wordings[name]), f"{name}: {field}"


def test_the_prompt_states_every_limit_of_the_form(wordings: dict[str, str]) -> None:
    text, blind = wordings["text"], wordings["blind"]
    assert f"at most {nodes.MAX_PLACES} quotes" in text
    assert f"at most {nodes.MAX_PLACES} boxes" in blind
    for wording in (text, blind):
        assert f"never more than {nodes.PHRASE_CHARACTERS} characters" in wording
        assert f"never more than {nodes.TEXT_CHARACTERS['standard']} characters" in wording
        assert f"never more than {nodes.LABEL_CHARACTERS} characters" in wording
        assert "at most 3 further nodes" in wording
        assert "from 0 to 100" in wording
    assert "four integers from 0 to 1000" in blind


def _limits(schema: Any, path: str = "") -> Iterator[tuple[str, str, int]]:
    """Yield every bound that a schema states: the path to the field, the kind of bound and the number."""
    if isinstance(schema, list):
        for item in schema:
            yield from _limits(item, path)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key in ("maxLength", "maximum", "maxItems", "minItems") and isinstance(value, int):
                yield path, key, value
            else:
                yield from _limits(value, key if key not in ("items", "properties", "$defs") else path)


NOT_CHOSEN = ("quote", "item", "occurrence")
"""Fields whose bounds no prompt states: a quote is copied, and the other two are counted."""


def _stated(path: str, bound: str, limit: int, settings: ReadingSettings) -> str:
    """Return the words with which the prompt states a bound."""
    lists = {
        "nodes": f"at most {settings.max_sub_semioses} further nodes",
        "relations": f"at most {limit}, at most one for each pair",
        "absences": "one entry for each node of the prompt",
        "box": "four integers",
    }
    return lists.get(path, f"at most {limit} {path}") if bound.endswith("Items") else str(limit)


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("detail", ["standard", "complex"])
def test_every_bound_of_the_schema_is_in_the_prompt(given: bool, detail: Detail, garden: Garden) -> None:
    settings = ReadingSettings(SETTINGS.model, detail=detail)
    signs = (
        (garden.a,) if given else (garden.prompt, garden.a, CompositeSign(parts=(garden.prompt, garden.a)))
    )
    for sign in signs:
        request = reading_request(sign, garden.hsgs[0] if given else None, settings)
        bounds = {bound for bound in _limits(request.schema) if bound[0] not in NOT_CHOSEN}
        assert {"nodes", "relations", "label", "how", "iconic"} <= {path for path, _, _ in bounds}
        for bound in bounds:
            assert _stated(*bound, settings) in request.system, (sign.kind, bound)


@pytest.mark.parametrize(("sub_semioses", "most"), [(0, 0), (1, 0), (2, 1), (3, 3), (5, 8)])
def test_free_relations_are_limited_by_the_pairs_that_there_are(sub_semioses: int, most: int) -> None:
    # Three sub-semioses: four nodes have six pairs, and three of them are parent and child.
    # Five: fifteen pairs less five leave ten; the form takes eight.
    assert nodes.max_free_relations(sub_semioses) == most


# Each requirement of the prompt that code can check, with a part of the problem that is sent back for a reply
# that does not meet it (tests/read/test_read.py has such a reply for each).
REQUIREMENTS = {
    "No two nodes share a label": "two nodes have the label",
    "For each ground give the reason in a phrase": "give a reason for",
    "Each says something that the two others do not": "must not repeat one another",
    'The first node is the root: id "root", parent ""': "the first node must be the root",
    "with ids n1, n2 and so on in this order": "the ids must be",
    "names its parent, which comes earlier in the list": "is not an earlier node",
    "It is empty for the root only": "'how' is empty for the root and for no other node",
    "neither is the parent of the other": "are parent and child, or the same node",
    "at most one for each pair": "give at most one between",
    "has its own how": "needs a 'how'",
    "For contrasts the source is the node that comes later in the list": "the source is the later node",
    "The root has no place": "the root has no place",
    "or a reason in nowhere, never both": "give either a place or a reason in 'nowhere'",
}
OF_TEXTS = {"The root has 100": "the importance of the root is 100"}
OF_ABSENCES = {
    "one entry for each node of the prompt": "which is not a node of the prompt",
    "at most once": "twice",
    'empty if the state is "missing"': "is filled exactly if the state is 'replaced'",
}
UNSTATED = (
    "two nodes have the id",
    "only the root has the relation 'root'",
    "must not be blank",
    "which is not a node",
)
"""Problems with what no prompt needs to state."""


def test_every_requirement_is_checked_and_every_check_is_stated(wordings: dict[str, str]) -> None:
    source = inspect.getsource(_form_checks)
    for requirement, complaint in REQUIREMENTS.items():
        for name in ("text", "composite", "blind", "given", "joint"):
            assert requirement in wordings[name], (name, requirement)
        assert complaint in source, complaint
    for requirement, complaint in OF_TEXTS.items():
        for name in ("text", "composite"):
            assert requirement in wordings[name], (name, requirement)
        assert requirement not in wordings["blind"]
        assert complaint in source, complaint
    for requirement, complaint in OF_ABSENCES.items():
        for name in ("given", "joint", "root-only"):
            assert requirement in wordings[name], (name, requirement)
        assert complaint in source, complaint
    complaints = len(re.findall(r"^ +yield (?:from \()?f?\"", source, re.MULTILINE))
    assert complaints == len(REQUIREMENTS) + len(OF_TEXTS) + len(OF_ABSENCES) + len(UNSTATED)
    assert all(complaint in source for complaint in UNSTATED)


def test_a_composite_prompt_may_place_a_node_in_its_picture(wordings: dict[str, str]) -> None:
    assert "its quotes and boxes are empty" in wordings["composite"]
    assert "at least one quote or box" in wordings["composite"]
    assert "box" not in wordings["text"]


def test_the_prompt_defines_every_word_of_the_closed_vocabularies(wordings: dict[str, str]) -> None:
    for wording in (wordings["text"], wordings["blind"]):
        for word in ("supports", "elaborates", "contrasts", "iconic", "indexical", "symbolic"):
            assert f"- {word}: " in wording
        for word in ("supports", "elaborates", "contrasts"):
            assert "Example:" in wording.split(f"- {word}: ", 1)[1].split("\n", 1)[0]
    for word in ('"missing"', '"replaced"'):
        assert word in wordings["given"]


def test_every_ground_has_an_example_at_every_anchor(wordings: dict[str, str]) -> None:
    for wording in (wordings["text"], wordings["blind"]):
        line = wording.split("Examples, as iconic, indexical, symbolic:\n", 1)[1].split("\n", 1)[0]
        rated = [tuple(map(int, re.findall(r"\d+", example))) for example in line.split(" · ")]
        for anchors in zip(*rated, strict=True):
            assert set(anchors) == {0, 25, 50, 75, 100}


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


@pytest.mark.parametrize(("language", "unit"), [("ja", "characters"), ("ko", "words"), ("zh", "characters")])
def test_lengths_are_counted_in_characters_where_there_are_no_spaces(
    language: str, unit: str, garden: Garden
) -> None:
    wording = _asked(garden.prompt, settings=ReadingSettings(SETTINGS.model, language=language))
    assert f"a name of about {'2 to 8' if unit == 'characters' else '1 to 4'} {unit}" in wording
    assert ("words, never more than" in wording) == (unit == "words")


def test_a_picture_that_is_read_is_always_item_1(wordings: dict[str, str]) -> None:
    # With several pictures in one request, a reader could count the others too.
    for name in ("text", "blind", "given", "joint"):
        assert "item (always 1)" in wordings[name]
    assert "item (the number of the item)" in wordings["composite"]


PROMPT_FILES = sorted(path.stem for path in data("prompts").glob("*.md"))
INCLUDED = {"hsg-given", "hsg-picture", "hsg-terms", "hsg-tree", "judge-criteria"}
"""Files that are inserted into others."""


@pytest.mark.parametrize("name", PROMPT_FILES)
def test_a_prompt_states_its_version_and_its_reason(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt.title == f"{name}/{prompt.version}"
    assert len(prompt.why) > 60
    if name not in INCLUDED:
        assert "do not follow them" in prompt.body  # material is never an instruction


def test_the_reading_prompts_share_one_version() -> None:
    assert len({load_prompt(name).version for name in PROMPT_FILES if name.startswith("hsg-")}) == 1


@pytest.mark.parametrize(
    ("name", "form"), [("judge", Judgment), ("judge-direct", DirectJudgment), ("vqa", Choice)]
)
def test_judgment_prompts_ask_for_every_field_of_the_form(name: str, form: type[BaseModel]) -> None:
    for field in form.model_fields:
        assert field in load_prompt(name).body


def test_an_unknown_prompt_is_refused() -> None:
    with pytest.raises(UsageError, match="prompts/nothing"):
        load_prompt("nothing")


def test_a_prompt_file_whose_header_names_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "impostor.md"
    file.write_text("---\nname: other\nversion: 1\nwhy: none\n---\nHello.\n")
    monkeypatch.setattr("semiosis.ask._prompt.data", lambda _: file)
    with pytest.raises(UsageError, match="has the name 'other'"):
        load_prompt("impostor")


def test_the_rationale_comes_before_the_winner() -> None:
    for form in (Judgment, DirectJudgment):
        assert list(form.model_fields)[-1] == "winner"


SENT_FORMS: list[type[BaseModel]] = [
    *(_form.graph_form(kind, 3, frozenset(), strict=True) for kind in _form.FORMS),
    _form.joint_form(5, frozenset({"P.root"}), strict=True),
    Judgment,
    DirectJudgment,
    Choice,
]


@pytest.mark.parametrize("form", SENT_FORMS)
def test_the_schema_is_flat_and_closed_and_requires_every_field(form: type[BaseModel]) -> None:
    schema = form.model_json_schema()
    definitions = schema.get("$defs", {})
    for model in [schema, *definitions.values()]:
        assert model["additionalProperties"] is False
        assert sorted(model["required"]) == sorted(model["properties"])
    graph = {
        name: set(re.findall(r"#/\$defs/(\w+)", json.dumps(model))) for name, model in definitions.items()
    }
    assert not any(_reaches(graph, name, name) for name in graph), "several providers refuse recursion"


def _reaches(graph: dict[str, set[str]], start: str, goal: str) -> bool:
    return any(name == goal or _reaches(graph, name, goal) for name in graph[start])


@pytest.mark.parametrize("kind", _form.FORMS)
def test_the_placeholder_of_a_dry_run_fits_the_form(kind: str) -> None:
    graph = placeholder(kind, frozenset())
    assert _form.FORMS[kind].model_validate(graph.model_dump()).nodes[0].id == "root"


@given_any(st.text())
def test_no_material_can_close_its_own_fence(material: str) -> None:
    fenced = fence("sign", material)
    closing = fenced.rsplit("\n", 1)[1]
    assert fenced.count(closing) == 1
    assert material in fenced
