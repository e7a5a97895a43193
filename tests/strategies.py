"""Values for tests: builders with sensible defaults, and hypothesis strategies for every kind of value.

A builder (`an_hsg`, `a_verdict`, …) returns the same small value each time; arguments set the fields that a
test depends on. A strategy (`hsgs`, `verdicts`, …) generates any valid value.
"""

import hashlib
import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from hypothesis import strategies as st
from PIL import Image

from semiosis.values import (
    DETAILS,
    HSG,
    MODES,
    RELATION_WORDS,
    AlignedHSG,
    Alignment,
    Answer,
    AnySign,
    Box,
    Citation,
    Comparison,
    CompositeSign,
    DroppedCitation,
    Evaluator,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Match,
    MissingSign,
    NodeFate,
    Place,
    Question,
    Rating,
    Reading,
    Recorded,
    Relation,
    Score,
    Semiosis,
    Shift,
    Span,
    TargetLink,
    TextSign,
    UnresolvedPlace,
    Unscored,
    UnscoredReason,
    Usage,
    Verdict,
    Winner,
    parts_of,
)

# Builders


def an_id(name: str) -> str:
    """Return a well-formed id for a value whose content does not matter to the test."""
    return hashlib.sha256(name.encode()).hexdigest()[:20]


def a_text(text: str = "A white lily beside a skull", **about: Any) -> TextSign:
    """Return a prompt."""
    return TextSign(text=text, **about)


def an_image(name: str = "a", *, width: int = 400, height: int = 300, **about: Any) -> ImageSign:
    """Return an image sign without a file."""
    sha256 = hashlib.sha256(name.encode()).hexdigest()
    return ImageSign(sha256=sha256, width=width, height=height, media_type="image/png", **about)


def a_missing_picture(generator: str = "sdxl", **about: Any) -> MissingSign:
    """Return a picture that a generator refused to make for the default text."""
    return MissingSign(prompt=a_text().id, generator=generator, **({"reason": "refused"} | about))


def a_picture(file: Path, *, width: int = 40, height: int = 30, colour: str = "white") -> Path:
    """Write a PNG and return its path."""
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (width, height), colour).save(file)
    return file


def grounds(iconic: float = 0.2, indexical: float = 0.1, symbolic: float = 0.8) -> Grounds:
    """Return grounds from three strengths."""
    strengths = zip(MODES, (iconic, indexical, symbolic), strict=True)
    return Grounds(**{mode: Ground(strength=strength, why=f"{mode} so") for mode, strength in strengths})


def a_semiosis(label: str = "lily", **fields: Any) -> Semiosis:
    """Return a node without a place."""
    defaults = {
        "label": label,
        "sign": f"the {label}",
        "object": f"what {label} stands for",
        "interpretant": f"what {label} brings to mind",
        "grounds": grounds(),
    }
    return Semiosis(**{**defaults, **fields})


def a_reading(name: str = "Ada Example", **fields: Any) -> Reading:
    """Return a person's blind reading."""
    return Reading(**{"interpreter": Interpreter(kind="person", name=name), **fields})


def an_hsg(
    sign: AnySign | None = None,
    labels: Iterable[str] = ("whole", "lily", "skull"),
    *,
    reading: Reading | None = None,
    relations: Iterable[Relation] | None = None,
) -> HSG:
    """Return an HSG whose first label is the root and whose others are its parts, `n1`, `n2`, …"""
    names = list(labels)
    nodes = ["root", *(f"n{number}" for number in range(1, len(names)))]
    semioses = {node: a_semiosis(label) for node, label in zip(nodes, names, strict=True)}
    tree = [Relation(whole="root", part=node, relation="supports") for node in nodes[1:]]
    return HSG(sign or a_text(), semioses, tree if relations is None else relations, reading or a_reading())


def a_match(source: str, target: str, p: float = 0.9) -> Match:
    """Return a match of two nodes with equal grounds."""
    return Match(
        source=source,
        target=target,
        p=p,
        ground_shift=Shift(iconic=0, indexical=0, symbolic=0),
    )


def kept_or_lost(nodes: Iterable[str], matches: Iterable[Match]) -> tuple[NodeFate, ...]:
    """Return the fates that one-to-one matches state: `kept` for a matched node, `lost` for the others."""
    by_source = {match.source: match for match in matches}
    return tuple(
        _kept(by_source[node]) if node in by_source else NodeFate(node=node, fate="lost") for node in nodes
    )


def _kept(match: Match) -> NodeFate:
    link = TargetLink(
        target=match.target,
        ground_shift=match.ground_shift,
        spatial=match.spatial,
        objects_differ=match.objects_differ,
    )
    return NodeFate(node=match.source, fate="kept", links=(link,), p=match.p)


def an_alignment(
    source: HSG, target: HSG, pairs: Iterable[tuple[str, str]] = (("root", "root"),), p: float = 0.9
) -> Alignment:
    """Return an alignment that matches the pairs and loses or adds all other nodes."""
    matches = tuple(a_match(one, other, p) for one, other in pairs)
    return aligned(AlignedHSG.of(source), AlignedHSG.of(target), matches)


def aligned(source: AlignedHSG, target: AlignedHSG, matches: tuple[Match, ...], **fields: Any) -> Alignment:
    """Return the alignment with these matches, in which all other nodes are lost or emergent."""
    survived = sum(match.p for match in matches) / len(source.nodes)
    defaults = {
        "source": source,
        "target": target,
        "fates": kept_or_lost(source.nodes, matches),
        "distance": max(0.0, 1 - survived),
        "method": "assignment/1",
        "embedder": "test",
        "weights": "1",
    }
    return Alignment(**{**defaults, **fields})


def an_evaluator(name: str = "Ada Example", **fields: Any) -> Evaluator:
    """Return a person who judges."""
    return Evaluator(**{"kind": "person", "name": name, **fields})


def a_comparison(prompt: str = "prompt", a: str = "a", b: str = "b") -> Comparison:
    """Return a comparison of made-up signs."""
    return Comparison(prompt=an_id(prompt), a=an_id(a), b=an_id(b))


def a_verdict(winner: Winner | Unscored = "a", **fields: Any) -> Verdict:
    """Return a verdict on `a_comparison()` by `an_evaluator()`."""
    defaults = {"evaluator": an_evaluator(), "comparison": a_comparison().id, "winner": winner}
    return Verdict(**{**defaults, **fields})


def unscored(reason: UnscoredReason = "refusal", **fields: Any) -> Unscored:
    """Return an unscored value."""
    return Unscored(reason=reason, **fields)


# Strategies

words = st.text(
    st.one_of(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cn")),
        st.sampled_from("lily 百合 زنبق e\u0301 👩\u200d🎨 ❤\ufe0f “”«»- \n\t"),
    ),
    max_size=20,
)
"""Any text, with more than its share of scripts, marks and emoji. (CRLF becomes LF in a text sign.)"""

phrases = words.filter(bool)
shares = st.floats(0, 1)
ids = st.text("0123456789abcdef", min_size=20, max_size=20)
node_ids = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True)
repeats = st.integers(0, 5)
finite = st.floats(allow_nan=False, allow_infinity=False)
primitives = st.one_of(st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), finite, words)
parameters = st.dictionaries(words, primitives, max_size=3)

_about: dict[str, st.SearchStrategy[Any]] = {
    "title": words,
    "tradition": words,
    "tags": st.lists(words, max_size=3).map(tuple),
    "generator": words,
    "prompt": st.none() | ids,
    "round": repeats,
}

text_signs = st.builds(TextSign, text=phrases, language=st.sampled_from(("", "en", "zh-Hant")), **_about)
image_signs = st.builds(
    ImageSign,
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    width=st.integers(1, 5000),
    height=st.integers(1, 5000),
    media_type=st.sampled_from(("image/png", "image/jpeg", "image/webp", "image/gif")),
    path=words,
    **_about,
)
composite_signs = st.builds(
    CompositeSign,
    parts=st.lists(st.one_of(text_signs, image_signs), min_size=1, max_size=3, unique_by=lambda s: s.id).map(
        tuple
    ),
    **_about,
)
missing_signs = st.builds(
    MissingSign,
    prompt=ids,
    generator=words.filter(bool),
    seed=words,
    round=st.integers(0, 3),
    reason=st.sampled_from(("refused", "filtered", "error")),
)
signs: st.SearchStrategy[AnySign] = st.one_of(text_signs, image_signs, composite_signs)


@st.composite
def boxes(draw: st.DrawFn, part: int = 0) -> Box:
    """Return a box in an image."""
    x0, x1 = sorted(draw(st.lists(shares, min_size=2, max_size=2, unique=True)))
    y0, y1 = sorted(draw(st.lists(shares, min_size=2, max_size=2, unique=True)))
    return Box(part=part, x0=x0, y0=y0, x1=x1, y1=y1)


@st.composite
def spans(draw: st.DrawFn, text: str, part: int = 0) -> Span:
    """Return a span of this text."""
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    return Span(part=part, start=start, end=end, quote=text[start:end])


@st.composite
def places(draw: st.DrawFn, sign: AnySign) -> Place:
    """Return a place in this sign."""
    parts = parts_of(sign)
    index = draw(st.integers(0, len(parts) - 1))
    part = parts[index]
    if isinstance(part, TextSign):
        return draw(spans(part.text, index))
    return draw(boxes(index))


any_grounds = st.builds(Grounds, **{mode: st.builds(Ground, strength=shares, why=words) for mode in MODES})


@st.composite
def semioses(draw: st.DrawFn, sign: AnySign) -> Semiosis:
    """Return a node of an HSG of this sign."""
    part = st.integers(0, len(parts_of(sign)) - 1)
    return draw(
        st.builds(
            Semiosis,
            label=phrases,
            sign=phrases,
            object=phrases,
            interpretant=phrases,
            dynamic_object=words,
            grounds=any_grounds,
            places=st.lists(places(sign), max_size=2).map(tuple),
            unresolved=st.lists(
                st.builds(UnresolvedPlace, part=part, claim=words, reason=words), max_size=1
            ).map(tuple),
            nowhere=words,
            absent=st.booleans(),
            importance=st.none() | shares,
        )
    )


interpreters = st.builds(
    Interpreter,
    kind=st.sampled_from(("model", "person", "program")),
    name=phrases,
    model=words,
    served=words,
    parameters=parameters,
    prompt_version=words,
)
readings = st.builds(
    Reading,
    interpreter=interpreters,
    given=st.lists(ids, max_size=2).map(tuple),
    beside=st.lists(ids, max_size=2).map(tuple),
    detail=st.sampled_from(DETAILS),
    repeat=repeats,
)


@st.composite
def hsgs(draw: st.DrawFn, sign: AnySign | None = None, max_nodes: int = 5) -> HSG:
    """Return any HSG, of this sign if one is given."""
    read = sign or draw(signs)
    nodes = draw(st.lists(node_ids, min_size=1, max_size=max_nodes, unique=True))
    word, how = st.sampled_from(RELATION_WORDS), words
    tree = [
        Relation(
            whole=nodes[draw(st.integers(0, number - 1))],
            part=nodes[number],
            relation=draw(word),
            how=draw(how),
        )
        for number in range(1, len(nodes))
    ]
    taken = {(relation.whole, relation.part) for relation in tree}
    open_pairs = [(u, v) for u in nodes for v in nodes if u != v and (u, v) not in taken]
    pairs = draw(st.lists(st.sampled_from(open_pairs), max_size=2, unique=True)) if open_pairs else []
    free = [Relation(whole=u, part=v, relation=draw(word), how=draw(how), hierarchy=False) for u, v in pairs]
    drawn = {node: draw(semioses(read)) for node in nodes}
    # A node may take up the interpretant of an earlier one, so that no cycles arise.
    for earlier, node in itertools.pairwise(nodes):
        if draw(st.booleans()):
            drawn[node] = drawn[node].model_copy(update={"takes_up": earlier})
    return HSG(read, drawn, tree + free, draw(readings))


_differences = st.floats(-1, 1)


@st.composite
def alignments(draw: st.DrawFn, source: HSG | None = None, target: HSG | None = None) -> Alignment:
    """Return any alignment, of these HSGs if they are given."""
    one, other = (AlignedHSG.of(hsg or draw(hsgs(max_nodes=3))) for hsg in (source, target))
    pairs = zip(
        draw(st.permutations(list(one.nodes))), draw(st.permutations(list(other.nodes))), strict=False
    )
    kept = draw(st.integers(0, min(len(one.nodes), len(other.nodes))))
    matches = tuple(
        Match(
            source=a,
            target=b,
            p=draw(shares),
            ground_shift=draw(st.builds(Shift, **dict.fromkeys(MODES, _differences))),
            spatial=draw(words),
            objects_differ=draw(st.booleans()),
        )
        for a, b in list(pairs)[:kept]
    )
    return aligned(one, other, matches, method=draw(words), embedder=draw(words), weights=draw(words))


any_unscored = st.builds(
    Unscored,
    reason=st.sampled_from(("refusal", "timeout", "cut-off", "empty", "malformed", "missing", "undefined")),
    detail=words,
    raw=words,
)
evaluators = st.builds(
    Evaluator, kind=st.sampled_from(("model", "person", "program")), name=phrases, parameters=parameters
)
comparisons = st.tuples(ids, st.lists(ids, min_size=2, max_size=2, unique=True)).map(
    lambda drawn: Comparison(prompt=drawn[0], a=drawn[1][0], b=drawn[1][1])
)
questions = st.lists(words, min_size=2, max_size=4, unique=True).flatmap(
    lambda choices: st.builds(
        Question,
        sign=ids,
        text=phrases,
        choices=st.just(tuple(choices)),
        correct=st.integers(0, len(choices) - 1),
        type=words,
    )
)
_stances = st.sampled_from(("a", "b", "neutral"))
_used = st.lists(ids, max_size=3).map(tuple)
_usage = st.builds(Usage, calls=repeats, input_tokens=repeats, cost=st.none() | st.floats(0, 100))
verdicts = st.builds(
    Verdict,
    evaluator=evaluators,
    comparison=ids,
    shown=st.sampled_from(("ab", "ba")),
    repeat=repeats,
    winner=st.one_of(st.sampled_from(get_args(Winner)), any_unscored),
    p_a=st.none() | shares,
    rationale=words,
    citations=st.lists(
        st.builds(Citation, hsg=ids, node=node_ids, stance=_stances, rationale=words), max_size=2
    ).map(tuple),
    dropped=st.lists(
        st.builds(DroppedCitation, claim=words, stance=_stances, rationale=words, reason=words), max_size=1
    ).map(tuple),
    used=_used,
    usage=st.none() | _usage,
)
ratings = st.tuples(st.floats(-100, 0), st.floats(1, 100)).flatmap(
    lambda scale: st.builds(
        Rating,
        evaluator=evaluators,
        about=phrases,
        about_kind=st.sampled_from(("sign", "node", "verdict")),
        scale=phrases,
        low=st.just(scale[0]),
        high=st.just(scale[1]),
        value=st.one_of(st.floats(*scale), any_unscored),
        repeat=repeats,
    )
)
answers = st.builds(
    Answer,
    evaluator=evaluators,
    question=ids,
    choice=st.one_of(st.integers(0, 5), any_unscored),
    used=_used,
    repeat=repeats,
)
scores = st.builds(
    Score,
    evaluator=evaluators,
    prompt=st.none() | ids,
    artifact=ids,
    value=st.one_of(finite, any_unscored),
    used=_used,
    repeat=repeats,
)

by_kind: dict[str, st.SearchStrategy[Any]] = {
    "text": text_signs,
    "image": image_signs,
    "composite": composite_signs,
    "missing": missing_signs,
    "hsg": hsgs(),
    "alignment": alignments(),
    "comparison": comparisons,
    "question": questions,
    "verdict": verdicts,
    "rating": ratings,
    "answer": answers,
    "score": scores,
}
"""A strategy for every kind of value that has a line of its own in a study's record."""

recorded: st.SearchStrategy[Recorded] = st.one_of(*by_kind.values())
