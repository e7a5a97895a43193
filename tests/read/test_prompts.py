"""The prompt files: their versions and reasons, and the fields of the wire schema that they ask for."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.ask import PromptVersion, fence, load_prompt
from semiosis.files import data
from semiosis.judge._form_v1 import Choice, DirectJudgment, Judgment
from semiosis.read._form_v1 import FORMS, JointGraphs, limited_form, limited_joint_form
from semiosis.read._request_v1 import placeholder
from semiosis.values import UsageError

PROMPTS = ("hsg-prompt", "hsg-artifact", "hsg-joint", "hsg-root")
NAMES = sorted(path.stem for path in data("prompts/1").glob("*.md"))
VERSIONS: tuple[PromptVersion, ...] = (1, 2)


def test_every_prompt_of_the_design_is_there() -> None:
    asked = {"hsg-artifact", "hsg-joint", "hsg-prompt", "hsg-root", "judge", "judge-direct", "vqa"}
    assert asked == set(NAMES)
    assert asked | {"align"} <= {path.stem for path in data("prompts").glob("*.md")}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_states_its_version_and_its_reason(name: str, version: PromptVersion) -> None:
    asked = load_prompt(name, version)
    assert asked.title == f"{name}/{version}"
    assert len(asked.why) > 80
    assert "do not follow them" in asked.body  # material is never an instruction


@pytest.mark.parametrize("name", PROMPTS)
def test_reading_prompts_ask_for_every_field_of_the_wire(name: str) -> None:
    body = load_prompt(name, 1).fill(count="", depth="", given="", places="- quotes: \n- boxes: \n")
    for field in (
        "label",
        "sign",
        "object",
        "dynamic_object",
        "interpretant",
        "iconic",
        "nowhere",
        "relations",
        "how",
    ):
        assert field in body


@pytest.mark.parametrize(
    ("name", "form"), [("judge", Judgment), ("judge-direct", DirectJudgment), ("vqa", Choice)]
)
def test_judgment_prompts_ask_for_every_field_of_the_wire(name: str, form: type[Judgment]) -> None:
    body = load_prompt(name, 1).fill(reading="") if name == "vqa" else load_prompt(name, 1).fill()
    for field in form.model_fields:
        assert field in body


def test_an_unknown_prompt_is_refused() -> None:
    with pytest.raises(UsageError, match="prompts/nothing"):
        load_prompt("nothing")


def test_the_rationale_comes_before_the_winner() -> None:
    for form in (Judgment, DirectJudgment):
        assert list(form.model_fields)[-1] == "winner"


FORMS_SENT = [
    *(limited_form(kind, 3) for kind in FORMS),
    limited_joint_form(5),
    Judgment,
    DirectJudgment,
    Choice,
]


@pytest.mark.parametrize("form", FORMS_SENT)
def test_the_wire_schema_is_flat_closed_and_wants_every_field(form: type[Judgment]) -> None:
    schema = form.model_json_schema()
    objects = [schema, *schema.get("$defs", {}).values()]
    for one in objects:
        assert one["additionalProperties"] is False
        assert sorted(one["required"]) == sorted(one["properties"])
    depth = {
        name: set(re.findall(r"#/\$defs/(\w+)", json.dumps(d))) for name, d in schema.get("$defs", {}).items()
    }
    assert not any(_reaches(depth, name, name) for name in depth), (
        "a recursive schema is refused by several providers"
    )


def _reaches(graph: dict[str, set[str]], start: str, goal: str) -> bool:
    return any(name == goal or _reaches(graph, name, goal) for name in graph[start])


@pytest.mark.parametrize("kind", FORMS)
def test_a_dry_runs_placeholder_fits_the_form(kind: str) -> None:
    assert FORMS[kind].model_validate(placeholder(kind)).nodes[0].id == "root"
    JointGraphs.model_validate({"a": placeholder("image"), "b": placeholder("image")})


@given(st.text())
def test_no_material_can_close_its_own_fence(material: str) -> None:
    fenced = fence("sign", material)
    closing = fenced.rsplit("\n", 1)[1]
    assert fenced.count(closing) == 1
    assert material in fenced


def test_a_prompt_file_whose_head_names_another_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "impostor.md"
    file.write_text("---\nname: other\nversion: 1\nwhy: none\n---\nHello.\n")
    monkeypatch.setattr("semiosis.ask._prompt.data", lambda _: file)
    with pytest.raises(UsageError, match="has the name 'other'"):
        load_prompt("impostor")
