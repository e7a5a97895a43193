"""The requests of version 1 of the reading prompts, kept so that published runs can be repeated.

Every character that is sent is part of the key of a paid reply: do not change the wording.
"""

from typing import Any

from semiosis.ask import (
    Passage,
    PromptFile,
    Request,
    RequestTemplate,
    load_prompt,
    render_hsg,
    render_sign,
)
from semiosis.read._form_v1 import FORMS, Graph, JointGraphs, limited_form, limited_joint_form
from semiosis.read._settings import ReadingSettings
from semiosis.values import HSG, AnySign, CompositeSign, ImageSign, TextSign, parts_of

_DEPTHS = {
    "standard": "Be terse: a phrase per field.",
    "complex": "Be thorough: one to three sentences per field.",
}
_EDGES = {
    "xyxy": "left, top, right, bottom edge (x0 y0 x1 y1)",
    "yxyx": "top, left, bottom, right edge (y0 x0 y1 x1)",
}
_QUOTES = (
    "- quotes: the words it rests on, copied letter by letter, with the number of the part they stand in (1 "
    "where there is only one) and which occurrence is meant (1 for the first). Several are allowed.\n"
)
_BOXES = (
    "- boxes: the rectangle it occupies, with the number of the part (1 where there is only one): four "
    "integers from 0 to 1000 of the picture's width and height: {edges}. Several are allowed.\n"
)
_GIVEN = (
    "The prompt the picture was made from is shown first, with its own graph (nodes P.root, P.n1 and so on). "
    "Know what was meant, then report what the picture shows: also what is missing and what was added. "
    "Do not copy the prompt."
)


def reading_template(sign: AnySign, given: HSG | None, settings: ReadingSettings) -> RequestTemplate[Graph]:
    """Return the template of the request that reads a sign, blind or given a prompt's HSG."""
    prompt = _prompt_for(sign, given, settings)
    return RequestTemplate(
        model=settings.model,
        prompt=prompt.title,
        system=_system(prompt, sign, given, settings),
        answer=limited_form(sign.kind, settings.max_sub_semioses),
        lenient=FORMS[sign.kind],
        placeholder=lambda: FORMS[sign.kind].model_validate(placeholder(sign.kind)),
        expected_tokens=settings.expected_tokens,
        parameters=settings.parameters,
    )


def joint_template(sign: ImageSign, given: HSG, settings: ReadingSettings) -> RequestTemplate[JointGraphs]:
    """Return the template of the request that reads two artifacts in one call."""
    prompt = load_prompt("hsg-joint", 1)
    return RequestTemplate(
        model=settings.model,
        prompt=prompt.title,
        system=_system(prompt, sign, given, settings),
        answer=limited_joint_form(settings.max_sub_semioses),
        lenient=JointGraphs,
        placeholder=lambda: JointGraphs.model_validate(
            {"a": placeholder("image"), "b": placeholder("image")}
        ),
        expected_tokens=2 * settings.expected_tokens,
        parameters=settings.parameters,
    )


def reading_request(sign: AnySign, given: HSG | None, settings: ReadingSettings) -> Request[Graph]:
    """Return the request that reads one sign, blind or given a prompt's HSG."""
    shown = render_sign(sign, settings.profile, "The sign to read" if given else "The sign", version=1)
    parts = (*_given_parts(given, settings), *shown, Passage("Give its graph."))
    return reading_template(sign, given, settings).request(parts, repeat=settings.repeat)


def joint_request(
    first: ImageSign, second: ImageSign, given: HSG, settings: ReadingSettings
) -> Request[JointGraphs]:
    """Return the request that reads two artifacts in one call (SemJudge, algorithm C.1)."""
    pictures = render_sign(first, settings.profile, "Picture A", version=1) + render_sign(
        second, settings.profile, "Picture B", version=1
    )
    parts = (*_given_parts(given, settings), *pictures, Passage("Give the graph of A and the graph of B."))
    return joint_template(first, given, settings).request(parts, repeat=settings.repeat)


def placeholder(kind: str) -> dict[str, Any]:
    """Return a graph that has only a root, for dry runs."""
    words = dict.fromkeys(("label", "sign", "object", "interpretant"), "to be read")
    blank = dict.fromkeys(("parent", "how", "dynamic_object", "nowhere"), "")
    grounds = dict.fromkeys(("iconic", "indexical", "symbolic"), 0)
    whys = {f"{mode}_why": "" for mode in grounds}
    places: dict[str, list[Any]] = {"text": ["quotes"], "image": ["boxes"], "composite": ["quotes", "boxes"]}
    root = {"id": "root", "relation": "root", **words, **blank, **grounds, **whys}
    return {"nodes": [{**root, **{place: [] for place in places[kind]}}], "relations": []}


def _prompt_for(sign: AnySign, given: HSG | None, settings: ReadingSettings) -> PromptFile:
    if isinstance(sign, TextSign) or (isinstance(sign, CompositeSign) and given is None):
        return load_prompt("hsg-prompt", 1)
    return load_prompt("hsg-root" if settings.root_only else "hsg-artifact", 1)


def _system(prompt: PromptFile, sign: AnySign, given: HSG | None, settings: ReadingSettings) -> str:
    most = settings.max_sub_semioses
    return prompt.fill(
        count="at most one further node" if most == 1 else f"at most {most} further nodes",
        depth=_DEPTHS[settings.detail],
        places=_places(sign, settings),
        given=_GIVEN if given else "",
    )


def _places(sign: AnySign, settings: ReadingSettings) -> str:
    kinds = {part.kind for part in parts_of(sign)}
    boxes = _BOXES.format(edges=_EDGES[settings.profile.boxes])
    return (_QUOTES if "text" in kinds else "") + (boxes if "image" in kinds else "")


def _given_parts(given: HSG | None, settings: ReadingSettings) -> tuple[Any, ...]:
    if given is None:
        return ()
    return (
        *render_sign(given.sign, settings.profile, "The prompt", version=1),
        render_hsg(given, settings.profile, "P", shared=True, version=1),
    )
