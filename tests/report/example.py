"""A comparison for these tests: two small drawn pictures, three readings, two diffs and eight verdicts."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from semiosis.files import parse_yaml
from semiosis.values import (
    HSG,
    AlignedHSG,
    Alignment,
    Citation,
    Comparison,
    DroppedCitation,
    Evaluator,
    Match,
    Shift,
    Unscored,
    Verdict,
)
from tests.strategies import kept_or_lost

PROMPT = """
semiosis: 1
sign:
  text: "The Annunciation, in the manner of analytical cubism: a lily between them, 百合 and نور of the dove"
  language: en
reader: Ada Example
root:
  label: annunciation
  sign: an angel and a young woman
  object: the announcement to Mary
  interpretant: the divine enters an ordinary room
  grounds: {iconic: "0.3, because it is named and not described", symbolic: "0.9, because the story is known"}
  place: "The Annunciation, in the manner of analytical cubism: a lily between them, 百合 and نور of the dove"
  parts:
    - label: cubist manner
      elaborates: the room breaks into planes of time
      sign: the words for a style
      object: one moment seen from many sides at once
      interpretant: revelation cannot be seen from one place
      grounds: {iconic: 0.6, indexical: 0.2, symbolic: 0.3}
      place: analytical cubism
    - label: lily
      supports: it names the purity of the one addressed
      sign: a lily
      object: the purity of Mary
      interpretant: innocence that has been chosen
      grounds: {iconic: 0.2, symbolic: "0.9, because painters agreed on it for centuries"}
      places: [a lily between them, 百合]
    - label: light of the dove
      supports: it carries the message
      sign: the words dove and light
      object: the Holy Spirit
      interpretant: a presence that arrives without force
      takes_up: lily
      grounds: {iconic: 0.1, indexical: 0.4, symbolic: 0.8}
      place: نور of the dove
relations:
  - {part: lily, contrasts: cubist manner, how: a soft thing among hard planes}
"""

STRONG = """
semiosis: 1
sign: {image: a.png}
reader: Ada Example
root:
  label: two figures in shards
  sign: a tall winged shape bends towards a seated one
  object: the announcement to Mary
  interpretant: a message breaks a room open
  grounds: {iconic: 0.5, symbolic: 0.7}
  place: {box: 0% 0% 100% 100%}
  parts:
    - label: shattered planes
      supports: planes repeat each gesture
      sign: overlapping triangles
      object: one moment seen from many sides
      interpretant: time folds
      grounds: {iconic: 0.8, indexical: 0.2}
      place: {nowhere: the manner is everywhere}
    - label: white flower
      supports: stands exactly between the two
      sign: a white flower on a green stem
      object: purity
      interpretant: innocence
      grounds: {iconic: 0.7, symbolic: 0.6}
      place: {box: 42% 40% 58% 90%}
    - label: golden beam
      elaborates: shows where the message comes from
      sign: a beam from the upper left
      object: the Holy Spirit as light
      interpretant: grace
      grounds: {indexical: 0.7, symbolic: 0.6}
      place: {box: 5% 5% 45% 45%}
"""

LITERAL = """
semiosis: 1
sign: {image: b.png}
reader: Ada Example
root:
  label: cubes on a table
  sign: cubes in a row
  object: a still life of geometric bodies
  interpretant: an exercise
  grounds: {iconic: 0.9}
  place: {box: 0% 0% 100% 100%}
  parts:
    - label: hard-edged cubes
      supports: they are the subject
      sign: shaded cubes
      object: cubism as cubes
      interpretant: a style taken at its word
      grounds: {iconic: 0.9, symbolic: 0.1}
      place: {box: 8% 50% 60% 90%}
    - label: clock
      contrasts: the only round thing
      sign: a wall clock
      object: passing time
      interpretant: waiting
      grounds: {iconic: 0.6, symbolic: 0.5}
      place: {box: 65% 8% 92% 35%}
"""


@dataclass(frozen=True)
class Example:
    """The signs, readings, diffs and verdicts of a page."""

    prompt: HSG
    a: HSG
    b: HSG
    diff_a: Alignment
    diff_b: Alignment
    verdicts: tuple[Verdict, ...]


def example(folder: Path) -> Example:
    """Return the comparison, with its pictures drawn into the folder."""
    draw_pictures(folder)
    prompt = parse_yaml(PROMPT)
    a, b = parse_yaml(STRONG, folder=folder), parse_yaml(LITERAL, folder=folder)
    in_a = [
        match("root", "root", 0.93, (0.2, 0.0, -0.2)),
        match("n1", "n1", 0.81, (0.2, 0.0, -0.3)),
        match("n2", "n2", 0.88, (0.5, 0.0, -0.3)),
        match("n3", "n3", 0.62, (-0.1, 0.3, -0.2)),
    ]
    diff_a = align(prompt, a, in_a, 1 - 3.24 / 4)
    diff_b = align(prompt, b, [match("n1", "n1", 0.44, (0.3, -0.2, -0.2))], 1 - 0.44 / 4)
    return Example(prompt, a, b, diff_a, diff_b, tuple(verdicts(prompt, a, b)))


def match(source: str, target: str, p: float, shift: tuple[float, float, float]) -> Match:
    """Return a match."""
    iconic, indexical, symbolic = shift
    moved = Shift(iconic=iconic, indexical=indexical, symbolic=symbolic)
    return Match(source=source, target=target, p=p, ground_shift=moved)


def align(source: HSG, target: HSG, matches: list[Match], distance: float) -> Alignment:
    """Return an alignment written by hand, in which nodes without a match are lost or emergent."""
    return Alignment(
        source=AlignedHSG.of(source),
        target=AlignedHSG.of(target),
        fates=kept_or_lost(source.semioses, matches),
        distance=distance,
        method="by hand 1",
        embedder="none",
        weights="none",
    )


def verdicts(prompt: HSG, a: HSG, b: HSG) -> list[Verdict]:
    """Return verdicts by two people, a steady model, a flipping one and a refusing one."""
    comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id).id
    ada = Evaluator(kind="person", name="Ada Example (synthetic)")
    bo = Evaluator(kind="person", name="Bo Example (synthetic)")
    steady = Evaluator(kind="model", name="steady judge")
    flipping = Evaluator(kind="model", name="flipping judge")
    refusing = Evaluator(kind="model", name="refusing judge")
    lily = Citation(
        hsg=a.id, node="n2", stance="a", rationale="The lily stands between them, as it was asked to."
    )
    dove = Citation(hsg=prompt.id, node="n3", stance="a", rationale="B shows nothing of the dove.")
    other = Citation(hsg="0" * 20, node="n9", stance="neutral", rationale="Seen in another reading.")
    halo = DroppedCitation(claim="B.n7", stance="b", rationale="A halo.", reason="B has no node n7")
    refusal = Unscored(
        reason="refusal", detail="The model declined.", raw="I cannot compare religious images."
    )
    return [
        Verdict(evaluator=ada, comparison=comparison, winner="a", rationale="B forgot the story."),
        Verdict(evaluator=bo, comparison=comparison, winner="tie"),
        Verdict(evaluator=steady, comparison=comparison, winner="a", p_a=0.91, citations=(lily, dove)),
        Verdict(evaluator=steady, comparison=comparison, shown="ba", winner="a", p_a=0.84, dropped=(halo,)),
        Verdict(evaluator=flipping, comparison=comparison, winner="a", citations=(other,)),
        Verdict(evaluator=flipping, comparison=comparison, shown="ba", winner="b"),
        Verdict(evaluator=refusing, comparison=comparison, winner=refusal),
        Verdict(evaluator=refusing, comparison=comparison, shown="ba", winner="a"),
    ]


def draw_pictures(folder: Path) -> None:
    """Draw a.png, 600 × 400 pixels, and b.png, 400 × 600 pixels."""
    shards = Image.new("RGB", (600, 400), "#d8c9a8")
    pen = ImageDraw.Draw(shards)
    pen.polygon([(30, 20), (270, 180), (60, 180)], fill="#e7b94c")
    pen.polygon([(40, 380), (160, 90), (260, 380)], fill="#5a6c86")
    pen.polygon([(370, 380), (430, 150), (560, 380)], fill="#874d3c")
    pen.rectangle((296, 220, 304, 360), fill="#2e6b34")
    pen.ellipse((260, 165, 340, 235), fill="#fbfaf4")
    shards.save(folder / "a.png")
    cubes = Image.new("RGB", (400, 600), "#c9d2d6")
    pen = ImageDraw.Draw(cubes)
    for left in (32, 96, 160):
        pen.rectangle((left, 360, left + 70, 540), fill="#6e7f5a", outline="#222")
    pen.ellipse((260, 48, 368, 210), fill="#f4f0e4", outline="#222", width=6)
    cubes.save(folder / "b.png")
