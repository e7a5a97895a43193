"""The questions that readings ask: which prompt, what is shown, which form the answer takes."""

from dataclasses import dataclass, field
from typing import Any

from semiosis.ask import (
    AnySign,
    Model,
    Passage,
    Profile,
    PromptFile,
    Request,
    load_prompt,
    render_hsg,
    render_sign,
)
from semiosis.read._wire import FORMS, Graph, JointGraphs, limited, limited_joint
from semiosis.values import HSG, SUB_SEMIOSES, CompositeSign, Detail, ImageSign, Primitive, TextSign, parts_of

PROMPTS = ("hsg-prompt", "hsg-artifact", "hsg-joint", "hsg-root")
_MAX_TOKENS = {"standard": 4096, "complex": 8192}
_EXPECTED_TOKENS = {"standard": 1100, "complex": 2400}
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


@dataclass(frozen=True)
class Way:
    """How a reading is asked for."""

    model: Model
    """Whom to ask."""
    detail: Detail = "standard"
    """How deep."""
    repeat: int = 0
    """Which repeat."""
    root_only: bool = False
    """One semiosis for the whole sign and no parts (SemJudge, figure 4)."""
    limits: dict[str, int] = field(default_factory=lambda: dict(SUB_SEMIOSES))
    """The most sub-semioses for each depth."""

    @property
    def profile(self) -> Profile:
        """How the model is talked to."""
        return self.model.profile

    @property
    def most(self) -> int:
        """The most sub-semioses."""
        return 0 if self.root_only else self.limits[self.detail]

    @property
    def parameters(self) -> dict[str, Primitive]:
        """Settings that leave room for the answer, unless the model has its own."""
        return {} if "max_tokens" in self.model.parameters else {"max_tokens": _MAX_TOKENS[self.detail]}


def version() -> str:
    """The version of the prompts that readings are asked with: one for all of them.

    Prompt and artifact are read with different words, and still by the same interpreter.
    """
    return f"hsg/{max(load_prompt(name).version for name in PROMPTS)}"


def reading_request(sign: AnySign, given: HSG | None, way: Way) -> Request[Graph]:
    """The question that reads one sign, blind or given a prompt's HSG."""
    shown = render_sign(sign, way.profile, "The sign to read" if given else "The sign")
    return Request(
        model=way.model,
        system=_system(_prompt_for(sign, given, way), sign, given, way),
        parts=(*_given_parts(given, way), *shown, Passage("Give its graph.")),
        answer=limited(sign.kind, way.most),
        lenient=FORMS[sign.kind],
        placeholder=lambda: FORMS[sign.kind].model_validate(placeholder(sign.kind)),
        repeat=way.repeat,
        expected_tokens=_EXPECTED_TOKENS[way.detail],
        parameters=way.parameters,
    )


def joint_request(first: ImageSign, second: ImageSign, given: HSG, way: Way) -> Request[JointGraphs]:
    """The question that reads two artifacts in one call (SemJudge, algorithm C.1)."""
    pictures = render_sign(first, way.profile, "Picture A") + render_sign(second, way.profile, "Picture B")
    return Request(
        model=way.model,
        system=_system(load_prompt("hsg-joint"), first, given, way),
        parts=(*_given_parts(given, way), *pictures, Passage("Give the graph of A and the graph of B.")),
        answer=limited_joint(way.most),
        lenient=JointGraphs,
        placeholder=lambda: JointGraphs.model_validate(
            {"a": placeholder("image"), "b": placeholder("image")}
        ),
        repeat=way.repeat,
        expected_tokens=2 * _EXPECTED_TOKENS[way.detail],
        parameters=way.parameters,
    )


def placeholder(kind: str) -> dict[str, Any]:
    """A graph with nothing but a root, for dry runs."""
    words = dict.fromkeys(("label", "sign", "object", "interpretant"), "to be read")
    blank = dict.fromkeys(("parent", "how", "dynamic_object", "nowhere"), "")
    grounds = dict.fromkeys(("iconic", "indexical", "symbolic"), 0)
    whys = {f"{mode}_why": "" for mode in grounds}
    places: dict[str, list[Any]] = {"text": ["quotes"], "image": ["boxes"], "composite": ["quotes", "boxes"]}
    root = {"id": "root", "relation": "root", **words, **blank, **grounds, **whys}
    return {"nodes": [{**root, **{place: [] for place in places[kind]}}], "relations": []}


def _prompt_for(sign: AnySign, given: HSG | None, way: Way) -> PromptFile:
    if isinstance(sign, TextSign) or (isinstance(sign, CompositeSign) and given is None):
        return load_prompt("hsg-prompt")
    return load_prompt("hsg-root" if way.root_only else "hsg-artifact")


def _system(asked: PromptFile, sign: AnySign, given: HSG | None, way: Way) -> str:
    return asked.fill(
        count="at most one further node" if way.most == 1 else f"at most {way.most} further nodes",
        depth=_DEPTHS[way.detail],
        places=_places(sign, way),
        given=_GIVEN if given else "",
    )


def _places(sign: AnySign, way: Way) -> str:
    kinds = {part.kind for part in parts_of(sign)}
    boxes = _BOXES.format(edges=_EDGES[way.profile.boxes])
    return (_QUOTES if "text" in kinds else "") + (boxes if "image" in kinds else "")


def _given_parts(given: HSG | None, way: Way) -> tuple[Any, ...]:
    if given is None:
        return ()
    return (
        *render_sign(given.sign, way.profile, "The prompt"),
        render_hsg(given, way.profile, "P", shared=True),
    )
