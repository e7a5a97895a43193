"""A generated study in which every query finds something: two readers, two conditions, flips, gaps.

Everything depends on the seed only, so a test can compare the answers of a store with the values.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from semiosis.align import StatedFate, alignment_of_fates, merge_readings
from semiosis.values import (
    FATES,
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
    TextSign,
    UnresolvedPlace,
    Unscored,
    Verdict,
    parts_of,
)
from tests.strategies import an_alignment, kept_or_lost

THINGS = ("lily", "dove", "skull", "candle", "rain", "heron", "mirror")
OBJECTS = ("purity", "the spirit", "Death", "death", "time", "solitude")
THOUGHTS = ("hope", "grief", "vanity", "silence")
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
GENERATORS = ("literal", "lyric", "baroque")
ADA = Interpreter(kind="person", name="Ada Example")
BO = Interpreter(kind="model", name="Bo", model="made-up/bo-1", served="bo-1-0611")


@dataclass
class MadeUp:
    """The values of a made-up study, by kind."""

    signs: dict[str, AnySign] = field(default_factory=dict)
    hsgs: dict[str, HSG] = field(default_factory=dict)
    alignments: list[Alignment] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    others: list[Rating | Answer | Score] = field(default_factory=list)

    def __iter__(self) -> Iterator[Recorded]:
        yield from self.signs.values()
        yield from self.comparisons
        yield from self.questions
        yield from self.hsgs.values()
        yield from self.alignments
        yield from self.verdicts
        yield from self.others

    def prompts(self) -> list[AnySign]:
        """The signs without a prompt."""
        return [sign for sign in self.signs.values() if sign.prompt is None]

    def artifacts(self, prompt: AnySign) -> list[AnySign]:
        """The signs made from a prompt."""
        return [sign for sign in self.signs.values() if sign.prompt == prompt.id]

    def readings(self, sign: AnySign) -> list[HSG]:
        """The HSGs of a sign."""
        return [hsg for hsg in self.hsgs.values() if hsg.sign.id == sign.id]


def made_up(seed: int = 0) -> MadeUp:
    """Return the study that a seed determines."""
    random, study = Random(seed), MadeUp()
    for prompt in _prompts():
        study.signs[prompt.id] = prompt
        for generator in GENERATORS:
            artifact = _artifact(prompt, generator)
            study.signs[artifact.id] = artifact
        _read(study, prompt, random)
        _align(study, prompt, random)
        _judge(study, prompt, random)
        _merge(study, prompt)
    return study


def _prompts() -> list[AnySign]:
    return [
        TextSign(text="A white lily and a dove by a candle", title="annunciation", tradition="christian"),
        TextSign(text="听雨：一只白鹭立在雨中", language="zh", title="rain", tradition="chinese"),
        CompositeSign(
            parts=(TextSign(text="Like this, but with a skull: الموت"), _image("reference")),
            title="vanitas",
            tradition="christian",
            tags=("still life",),
        ),
    ]


def _image(name: str) -> ImageSign:
    sha256 = hashlib.sha256(name.encode()).hexdigest()
    return ImageSign(sha256=sha256, width=400, height=300, media_type="image/png")


def _artifact(prompt: AnySign, generator: str) -> ImageSign:
    name = f"{prompt.title}-{generator}"
    about = {"title": name, "generator": generator, "prompt": prompt.id, "round": 1}
    return _image(name).model_copy(update=about)


def _read(study: MadeUp, prompt: AnySign, random: Random) -> None:
    for reader in (ADA, BO):
        _keep(study, _hsg(prompt, Reading(interpreter=reader), random))
    shown = study.readings(prompt)[0].id
    for artifact in study.artifacts(prompt):
        _keep(study, _hsg(artifact, Reading(interpreter=ADA), random))
        _keep(study, _hsg(artifact, Reading(interpreter=BO, given=(shown,)), random))
    beside = study.artifacts(prompt)[1].id
    _keep(study, _hsg(study.artifacts(prompt)[0], Reading(interpreter=ADA, beside=(beside,)), random))


def _keep(study: MadeUp, hsg: HSG) -> None:
    study.hsgs[hsg.id] = hsg


def _merge(study: MadeUp, prompt: AnySign) -> None:
    """The consensus of the two readers of a prompt; nodes match if their labels are the same."""
    one, other = sorted(study.readings(prompt), key=lambda hsg: hsg.id)
    named = {semiosis.label: node for node, semiosis in other.semioses.items() if node != other.root}
    pairs = [
        (node, named[s.label]) for node, s in one.semioses.items() if node != one.root and s.label in named
    ]
    _keep(study, merge_readings([one, other], [an_alignment(one, other, pairs)]))


def _hsg(sign: AnySign, reading: Reading, random: Random) -> HSG:
    things = random.sample(THINGS, 4)
    nodes = ["root", "n1", "n2", "n3"]
    relations = [
        Relation(whole=random.choice(nodes[:at]), part=nodes[at], relation=random.choice(RELATION_WORDS))
        for at in range(1, 4)
    ]
    free = Relation(whole="n3", part="root", relation="contrasts", how="at odds", hierarchy=False)
    semioses = {node: _semiosis(thing, sign, random) for node, thing in zip(nodes, things, strict=True)}
    semioses["n3"] = semioses["n3"].model_copy(update={"takes_up": "n1"})
    if isinstance(sign, TextSign):
        stated = {"importance": 0.5, "dynamic_object": "the vow of the patron, by the contract"}
        semioses["n1"] = semioses["n1"].model_copy(update=stated)
    return HSG(sign, semioses, [*relations, free], reading)


def _semiosis(thing: str, sign: AnySign, random: Random) -> Semiosis:
    strengths = {mode: Ground(strength=random.choice(STRENGTHS), why="so it seems") for mode in MODES}
    placed = random.choice(("placed", "placed", "nowhere", "unresolved"))
    return Semiosis(
        label=thing,
        sign=f"a {thing}",
        object=random.choice(OBJECTS),
        interpretant=random.choice(THOUGHTS),
        grounds=Grounds(**strengths),
        places=tuple(_places(sign, random)) if placed == "placed" else (),
        unresolved=(UnresolvedPlace(claim="a unicorn", reason="not in the text"),)
        if placed == "unresolved"
        else (),
        nowhere="it is everywhere" if placed == "nowhere" else "",
    )


def _places(sign: AnySign, random: Random) -> Iterator[Place]:
    for number, part in enumerate(parts_of(sign)):
        if isinstance(part, TextSign):
            start = random.randrange(len(part.text) - 1)
            yield Span(part=number, start=start, end=start + 2, quote=part.text[start : start + 2])
        else:
            x, y = random.choice((0.0, 0.35, 0.7)), random.choice((0.0, 0.35, 0.7))
            yield Box(part=number, x0=x, y0=y, x1=x + 0.3, y1=y + 0.3)


def _align(study: MadeUp, prompt: AnySign, random: Random) -> None:
    for source in study.readings(prompt):
        for artifact in study.artifacts(prompt):
            for target in study.readings(artifact):
                study.alignments.append(_alignment(source, target, random, "assignment/1"))
    first = study.alignments[-1]
    again = _alignment(study.hsgs[first.source.hsg], study.hsgs[first.target.hsg], random, "greedy/1")
    study.alignments.append(again)
    readings = [study.readings(artifact) for artifact in study.artifacts(prompt)]
    for each in readings:  # two readings of one sign: no query about prompts may count these
        study.alignments += [_alignment(each[0], other, random, "assignment/1") for other in each[1:]]
    for source in study.readings(prompt):
        study.alignments += [_stated(source, each[0], random) for each in readings]


_MODEL = Evaluator(kind="model", name="stand-in/model", parameters={"prompt_version": "align/1"})


def _stated(source: HSG, target: HSG, random: Random) -> Alignment:
    """An alignment by a model with any fates; the root is weakened, so that others can merge with it."""
    others = [_any_fate(node, target, random) for node in source.semioses if node != source.root]
    root = StatedFate(node=source.root, fate="weakened", targets=(target.root,), why="in part", p=0.5)
    return alignment_of_fates(source, target, [root, *others], evaluator=_MODEL, method="model alignment")


def _any_fate(node: str, target: HSG, random: Random) -> StatedFate:
    fate = random.choice(FATES)
    parts = [other for other in target.semioses if other != target.root]
    many = {"lost": 0, "split": 2}.get(fate, 1)
    named = (target.root,) if fate in ("merged", "diffused") else tuple(random.sample(parts, many))
    return StatedFate(node=node, fate=fate, targets=named, why=f"it is {fate}", p=random.choice((0.25, 1.0)))


def _alignment(source: HSG, target: HSG, random: Random, method: str) -> Alignment:
    kept = random.randint(0, 4)
    pairs = zip(
        random.sample(list(source.semioses), kept), random.sample(list(target.semioses), kept), strict=True
    )
    matches = tuple(_match(source, target, a, b, random.choice((0.25, 0.5, 1.0))) for a, b in pairs)
    return Alignment(
        source=AlignedHSG.of(source),
        target=AlignedHSG.of(target),
        fates=kept_or_lost(source.semioses, matches),
        distance=1 - sum(match.p for match in matches) / 4,  # the source has 4 nodes
        method=method,
        embedder="none",
        weights="1",
    )


def _match(source: HSG, target: HSG, a: str, b: str, p: float) -> Match:
    before, after = source.semioses[a].grounds.strengths, target.semioses[b].grounds.strengths
    moved = {mode: new - old for mode, old, new in zip(MODES, before, after, strict=True)}
    return Match(source=a, target=b, p=p, ground_shift=Shift(**moved))


def _judge(study: MadeUp, prompt: AnySign, random: Random) -> None:
    one, two, three = study.artifacts(prompt)
    for a, b in ((one, two), (one, three), (two, three)):
        comparison = Comparison(prompt=prompt.id, a=a.id, b=b.id)
        study.comparisons.append(comparison)
        study.verdicts += _verdicts(study, comparison, random)
    asked = Question(
        sign=one.id, text="What does it mean?", choices=("this", "that"), correct=1, type="symbol"
    )
    study.questions.append(asked)
    ada = Evaluator(kind="person", name="Ada Example")
    rated = {"scale": "iconicity", "low": 1, "high": 7}
    node = f"{study.readings(one)[0].id}/root"
    study.others += [
        Rating(evaluator=ada, about=one.id, about_kind="sign", value=4, **rated),
        Rating(evaluator=ada, about=node, about_kind="node", value=Unscored(reason="missing"), **rated),
        Rating(evaluator=ada, about=study.verdicts[-1].id, about_kind="verdict", value=2, **rated),
        Answer(evaluator=ada, question=asked.id, choice=1, used=(study.readings(one)[0].id,)),
        Score(
            evaluator=Evaluator(kind="program", name="likeness"), prompt=prompt.id, artifact=two.id, value=0.5
        ),
        Score(
            evaluator=Evaluator(kind="program", name="likeness"),
            artifact=two.id,
            value=Unscored(reason="timeout"),
        ),
    ]


def _verdicts(study: MadeUp, comparison: Comparison, random: Random) -> Iterator[Verdict]:
    judge = Evaluator(kind="model", name="judge", parameters={"temperature": 0.0})
    signs = [study.signs[sign] for sign in (comparison.prompt, comparison.a, comparison.b)]
    used = tuple(study.readings(sign)[0].id for sign in signs)
    for order in ("ab", "ba"):
        winner = random.choice(("a", "b", "tie", Unscored(reason="refusal", raw="I would rather not.")))
        yield Verdict(
            evaluator=judge,
            comparison=comparison.id,
            shown=order,
            winner=winner,
            citations=tuple(_citation(random.choice(used), random) for _ in range(random.randint(0, 3))),
            dropped=(DroppedCitation(claim="A.n9", stance="a", rationale="it glows", reason="no such node"),),
            used=used,
        )
    for name in ("Ada Example", "Cy Example"):
        person = Evaluator(kind="person", name=name)
        yield Verdict(evaluator=person, comparison=comparison.id, winner=random.choice(("a", "b", "tie")))


def _citation(hsg: str, random: Random) -> Citation:
    node, stance = random.choice(("root", "n1", "n2", "n3")), random.choice(("a", "b", "neutral"))
    return Citation(hsg=hsg, node=node, stance=stance, rationale="it carries the meaning")
