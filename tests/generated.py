"""A study of any size, generated from a seed: prompts, artifacts, HSGs, alignments and observations."""

import random
from collections.abc import Iterator

from semiosis.values import (
    HSG,
    AlignedHSG,
    Alignment,
    Answer,
    Citation,
    Comparison,
    Evaluator,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Match,
    Question,
    Rating,
    Reading,
    Recorded,
    Relation,
    Score,
    Semiosis,
    Shift,
    Span,
    TextSign,
    Unscored,
    Verdict,
)
from tests.strategies import kept_or_lost

WORDS = (
    "lily",
    "skull",
    "dove",
    "mirror",
    "lotus",
    "竹",
    "قمر",
    "🜁 fire",
    "O'Keeffe",
    'a "quoted" rose',
    "back\\slash",
)
TRADITIONS = ("christian", "buddhist", "daoist", "vanitas")
GENERATORS = ("atelier-1", "brush-2", "camera-3")
READER = Interpreter(kind="program", name="generated", model="seeded", parameters={"temperature": 0.5})
JUDGE = Evaluator(kind="person", name="Ada Example")
PROGRAM = Evaluator(kind="program", name="alignment", parameters={"rule": "distance"})


def study(hsgs: int, seed: int = 5) -> Iterator[Recorded]:
    """Yield the values of a study with about this many HSGs, in an order in which they can be saved.

    Each prompt has one HSG, three artifacts with one HSG each, and their alignments. Every fourth prompt also
    has a comparison with observations of every kind.
    """
    rng = random.Random(seed)
    for number in range(max(1, hsgs // 4)):
        yield from _prompt(rng, number)


def _prompt(rng: random.Random, number: int) -> Iterator[Recorded]:
    words = [rng.choice(WORDS) for _ in range(3)]
    prompt = TextSign(
        text=f"{number}. {', '.join(words)}",
        title=f"Prompt {number}",
        tradition=rng.choice(TRADITIONS),
        tags=("made",),
    )
    artifacts = [_artifact(rng, prompt, number, generator) for generator in GENERATORS]
    source, targets = _hsg(rng, prompt), [_hsg(rng, artifact) for artifact in artifacts]
    alignments = [_alignment(rng, source, target) for target in targets]
    yield prompt
    yield from artifacts
    yield from (source, *targets)
    yield from alignments
    if number % 4 == 0:
        yield from _observations(rng, prompt, artifacts, [source, *targets])


def _artifact(rng: random.Random, prompt: TextSign, number: int, generator: str) -> ImageSign:
    return ImageSign(
        sha256=f"{rng.getrandbits(256):064x}",
        width=512,
        height=512,
        media_type="image/png",
        title=f"{generator} {number}",
        tradition=prompt.tradition,
        generator=generator,
        prompt=prompt.id,
        round=1,
    )


def _hsg(rng: random.Random, sign: TextSign | ImageSign) -> HSG:
    nodes = {name: _semiosis(rng, sign) for name in ("root", "n1", "n2", "n3")}
    relations = [
        Relation(whole="root", part="n1", relation="supports", how="by its colour"),
        Relation(whole="root", part="n2", relation=rng.choice(("supports", "elaborates", "contrasts"))),
        Relation(whole="n2", part="n3", relation="elaborates"),
        Relation(whole="n1", part="n3", relation="contrasts", how="white on bone", hierarchy=False),
    ]
    return HSG(sign, nodes, relations, Reading(interpreter=READER))


def _semiosis(rng: random.Random, sign: TextSign | ImageSign) -> Semiosis:
    word = f"{rng.choice(WORDS)} {rng.randrange(100)}"
    grounds = Grounds(
        **{
            mode: Ground(strength=round(rng.random(), 2), why="seeded")
            for mode in ("iconic", "indexical", "symbolic")
        }
    )
    at = len(sign.text) - 1 if isinstance(sign, TextSign) else 0
    places = (Span(start=at, end=at + 1, quote=sign.text[at]),) if isinstance(sign, TextSign) else ()
    return Semiosis(
        label=word,
        sign=f"a {word}",
        object=f"the {word}",
        interpretant=f"thoughts of {rng.choice(WORDS)}",
        grounds=grounds,
        places=places,
        nowhere="" if places else "it is everywhere",
    )


def _alignment(rng: random.Random, source: HSG, target: HSG) -> Alignment:
    kept = rng.randint(1, 3)
    names = list(source.semioses)
    p = round(rng.uniform(0.5, 1), 3)
    matches = tuple(
        Match(
            source=name,
            target=name,
            p=p,
            ground_shift=Shift(iconic=0.25, indexical=-0.5, symbolic=0.0),
        )
        for name in names[:kept]
    )
    return Alignment(
        source=AlignedHSG.of(source),
        target=AlignedHSG.of(target),
        fates=kept_or_lost(names, matches),
        distance=round(1 - kept * p / 4, 4),
        method="seeded 1",
        embedder="none",
        weights="1",
    )


def _observations(
    rng: random.Random, prompt: TextSign, artifacts: list[ImageSign], hsgs: list[HSG]
) -> Iterator[Recorded]:
    comparison = Comparison(prompt=prompt.id, a=artifacts[0].id, b=artifacts[1].id)
    cited = Citation(hsg=hsgs[1].id, node="n1", stance="a", rationale="it shines")
    used = tuple(hsg.id for hsg in hsgs[:3])
    verdict = Verdict(
        evaluator=JUDGE,
        comparison=comparison.id,
        winner=rng.choice(("a", "b", "tie")),
        citations=(cited,),
        used=used,
    )
    refused = Verdict(
        evaluator=PROGRAM,
        comparison=comparison.id,
        shown="ba",
        winner=Unscored(reason="refusal", raw="I'd rather not"),
        used=used,
    )
    question = Question(
        sign=artifacts[0].id, text="What is in the vase?", choices=("a lily", "nothing"), correct=0
    )
    yield from (comparison, question, verdict, refused)
    yield Rating(
        evaluator=JUDGE, about=artifacts[0].id, about_kind="sign", scale="beauty", low=1, high=5, value=4
    )
    yield Rating(
        evaluator=JUDGE,
        about=f"{hsgs[1].id}/n1",
        about_kind="node",
        scale="apt",
        low=0,
        high=1,
        value=Unscored(reason="missing"),
    )
    yield Rating(
        evaluator=JUDGE, about=verdict.id, about_kind="verdict", scale="fair", low=0, high=1, value=0.5
    )
    yield Answer(evaluator=PROGRAM, question=question.id, choice=0, used=(hsgs[1].id,))
    yield Score(evaluator=PROGRAM, prompt=prompt.id, artifact=artifacts[2].id, value=round(rng.random(), 3))
