"""A small study: one prompt, three artifacts, two readers and three annotators."""

from itertools import combinations
from pathlib import Path

from PIL import Image, ImageDraw

from semiosis.files import image
from semiosis.study import Study, new_study
from semiosis.values import (
    HSG,
    Box,
    Citation,
    Comparison,
    Evaluator,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Question,
    Rating,
    Reading,
    Recorded,
    Relation,
    Semiosis,
    TextSign,
    Unscored,
    Verdict,
    text,
)
from semiosis.values import find_span as find

PROMPT = "The Annunciation, in the manner of analytical cubism, with a white lily"
ANNOTATORS = ("Annotator A", "Annotator B", "Annotator C")
GENERATORS = ("literal", "symbolist", "broken")


def draw(file: Path, colour: str) -> Path:
    """Write a small picture with one disc and return its path."""
    picture = Image.new("RGB", (120, 80), "white")
    ImageDraw.Draw(picture).ellipse((10, 10, 50, 50), fill=colour)
    picture.save(file)
    return file


def semiosis(label: str, object_: str, **fields: object) -> Semiosis:
    """Return a semiosis with something in every field."""
    grounds = Grounds(iconic=Ground(strength=0.2), symbolic=Ground(strength=0.8, why="by convention"))
    words = {"sign": f"a {label}", "interpretant": f"one thinks of {object_}", "grounds": grounds}
    return Semiosis.model_validate({"label": label, "object": object_} | words | fields)


def prompt_hsg(sign: TextSign, reader: str) -> HSG:
    """Return the prompt's reading: a root, a lily with its span, a style without a place."""
    nodes = {
        "root": semiosis(
            "annunciation", "the angel's message", places=(find(sign.text, "The Annunciation"),)
        ),
        "n1": semiosis("lily", "purity of the virgin", places=(find(sign.text, "white lily"),)),
        "n2": semiosis("cubism", "many views at once", nowhere="the manner is everywhere"),
    }
    return HSG(sign, nodes, _relations("supports", "contrasts"), _reading(reader))


def artifact_hsg(sign: ImageSign, reader: str, flower: str) -> HSG:
    """Return an artifact's reading: a root, and one box."""
    box = Box(x0=0.1, y0=0.1, x1=0.4, y1=0.6)
    nodes = {
        "root": semiosis("scene", "an angel brings a message", nowhere="the whole picture"),
        "n1": semiosis(flower, f"what a {flower} stands for", places=(box,)),
    }
    return HSG(sign, nodes, _relations("elaborates"), _reading(reader))


def make_study(folder: Path) -> Study:
    """Create the study in this folder and return it."""
    prompt = text(PROMPT, title="Annunciation", tradition="christian")
    pictures = [
        image(draw(folder.parent / f"{generator}.png", colour))
        for generator, colour in zip(GENERATORS, ("red", "blue", "gold"), strict=True)
    ]
    artifacts = [
        sign.model_copy(
            update={"generator": generator, "prompt": prompt.id, "round": 1, "tradition": "christian"}
        )
        for sign, generator in zip(pictures, GENERATORS, strict=True)
    ]
    hsgs = [prompt_hsg(prompt, reader) for reader in ("Ada", "Bo")]
    flowers = ("lily", "rose", "shard")
    hsgs += [artifact_hsg(s, r, f) for r in ("Ada", "Bo") for s, f in zip(artifacts, flowers, strict=True)]
    comparisons = [Comparison(prompt=prompt.id, a=a.id, b=b.id) for a, b in combinations(artifacts, 2)]
    questions = [
        Question(sign=artifacts[0].id, text="What colour is the disc?", choices=("red", "blue"), correct=0)
    ]
    study = new_study(folder, name="small", title="A small study")
    observations: list[Recorded] = [*_verdicts(comparisons), *_ratings(prompt)]
    study = study.add([prompt, *artifacts, *comparisons, *questions], run="made")
    return study.add([*hsgs, *observations, _citing_verdict(comparisons[0], hsgs[2])], run="made")


def _relations(*words: str) -> list[Relation]:
    numbered = enumerate(words, start=1)
    return [
        Relation.model_validate({"whole": "root", "part": f"n{n}", "relation": word}) for n, word in numbered
    ]


def _reading(reader: str) -> Reading:
    return Reading(interpreter=Interpreter(kind="person", name=reader))


def _verdicts(comparisons: list[Comparison]) -> list[Verdict]:
    missing = Unscored(reason="missing")
    table = {
        "Annotator A": ("a", "a", "tie"),
        "Annotator B": ("a", "b", "a"),
        "Annotator C": ("a", missing, "b"),
    }
    return [
        Verdict.model_validate({"evaluator": person(name), "comparison": comparison.id, "winner": winner})
        for name, winners in table.items()
        for comparison, winner in zip(comparisons, winners, strict=True)
    ]


def _ratings(prompt: TextSign) -> list[Rating]:
    about = {"about": prompt.id, "about_kind": "sign", "scale": "iconicity", "low": 1, "high": 7}
    return [Rating.model_validate(about | {"evaluator": person(name), "value": 3}) for name in ANNOTATORS]


def _citing_verdict(comparison: Comparison, hsg: HSG) -> Verdict:
    judge = Evaluator(kind="model", name="a model")
    citation = Citation(hsg=hsg.id, node="n1", stance="a", rationale="the lily is there")
    return Verdict(
        evaluator=judge,
        comparison=comparison.id,
        winner="a",
        citations=(citation,),
        used=(hsg.id,),
        shown="ba",
    )


def person(name: str) -> Evaluator:
    """Return a person who judges."""
    return Evaluator(kind="person", name=name)
