"""Compile the sample study's record from its hand-written sources: `python graphs/sample/build.py [OUT]`.

Reads sources/*.yaml and readings/*.yaml and the pictures in images/ beside this file; writes study.toml,
signs.jsonl, comparisons.jsonl, questions.jsonl, hsgs/, alignments/ and observations/ to OUT, by default to
this folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

from semiosis.align import StatedFate, alignment_of_fates
from semiosis.files import StudyFile, atomic_write, image, read_yaml, record_path, write_study_file
from semiosis.values import (
    HSG,
    Alignment,
    Answer,
    AnySign,
    Citation,
    Comparison,
    CompositeSign,
    DroppedCitation,
    Evaluator,
    ImageSign,
    Question,
    Rating,
    Recorded,
    TextSign,
    Unscored,
    Verdict,
    to_json,
)

HERE = Path(__file__).parent
HEAD = StudyFile(
    name="sample",
    title="Six prompts, six generators, two readers",
    about="Twenty-four pictures for six prompts from six traditions, read and judged by hand. "
    "All of it, readers, annotators and generators included, was made up for this project as an example. "
    "It is not data about people.",
    licence="CC0-1.0",
)
ANNOTATORS = {letter: Evaluator(kind="person", name=f"Annotator {letter} (synthetic)") for letter in "ABCDE"}
JUDGE = Evaluator(kind="program", name="Citing judge (synthetic)")
ALIGNER = Evaluator(kind="person", name="Mira, by hand (synthetic)")
SCALES = ("iconicity", "indexicality", "symbolism")
Runs = dict[str, list[Recorded]]


@cache
def source(name: str) -> Any:
    """Return one hand-written table."""
    return yaml.safe_load((HERE / "sources" / f"{name}.yaml").read_text(encoding="utf-8"))


@cache
def signs() -> dict[str, AnySign]:
    """Return the prompts and artifacts by name, prompts first."""
    prompts = {name: _prompt(told) for name, told in source("signs")["prompts"].items()}
    artifacts = {
        f"{name}-{maker}": _artifact(f"{name}-{maker}", maker, prompts[name])
        for name, told in source("signs")["prompts"].items()
        for maker in told["artifacts"]
    }
    return {**prompts, **artifacts}


def _prompt(told: dict[str, Any]) -> TextSign | CompositeSign:
    about = {"title": told["title"], "tradition": told["tradition"], "tags": tuple(told["tags"])}
    text = TextSign(text=told["text"], language=told["language"], **about)
    if "reference" not in told:
        return text
    return CompositeSign(parts=(text, _picture(told["reference"])), **about)


def _picture(name: str) -> ImageSign:
    return image(HERE / "images" / f"{name}.png").model_copy(update={"path": f"images/{name}.png"})


def _artifact(name: str, maker: str, prompt: TextSign | CompositeSign) -> ImageSign:
    generator = source("signs")["generators"][maker]
    about = {
        "title": f"{prompt.title}, by {generator.split()[0]}",
        "tradition": prompt.tradition,
        "tags": prompt.tags,
        "generator": generator,
        "prompt": prompt.id,
        "round": 1,
    }
    return _picture(name).model_copy(update=about)


@cache
def readings() -> dict[str, HSG]:
    """Return every hand-written HSG by its file's name, such as `birds-lodestar.given`."""
    files = sorted((HERE / "readings").glob("*.yaml"))
    return {file.stem: _known(read_yaml(file), signs()[file.stem.split(".")[0]]) for file in files}


def _known(hsg: HSG, sign: AnySign) -> HSG:
    if hsg.sign.id != sign.id:
        raise ValueError(
            f"a reading of {sign.title!r} names another sign: copy the text of sources/signs.yaml"
        )
    return HSG(sign, hsg.semioses, hsg.relations, hsg.reading)


@cache
def comparisons() -> dict[str, Comparison]:
    """Return all pairs of a prompt's artifacts by name, such as `birds: lacuna lodestar`."""
    return {
        f"{name}: {a} {b}": Comparison(
            prompt=signs()[name].id, a=signs()[f"{name}-{a}"].id, b=signs()[f"{name}-{b}"].id
        )
        for name, told in source("signs")["prompts"].items()
        for a, b in combinations(told["artifacts"], 2)
    }


def annotated() -> Iterator[Verdict]:
    """Return the annotators' verdicts: `a`, `b`, `=` for a tie, `.` where somebody did not answer."""
    words = {"a": "a", "b": "b", "=": "tie"}
    for row, (name, comparison) in enumerate(comparisons().items()):
        prompt, pair = name.split(": ")
        for column, (letter, mark) in enumerate(
            zip(ANNOTATORS, source("verdicts")[prompt][pair].split(), strict=True)
        ):
            if mark != ".":
                yield Verdict(
                    evaluator=ANNOTATORS[letter],
                    comparison=comparison.id,
                    shown="ba" if (row + column) % 2 else "ab",
                    winner=words[mark],
                )


def rated() -> Iterator[Rating]:
    """Return the ratings of every sign on three scales from 1 to 7."""
    for name, told in source("ratings").items():
        for scale in SCALES:
            for letter, mark in zip(ANNOTATORS, told[scale].split(), strict=True):
                if mark != ".":
                    yield Rating(
                        evaluator=ANNOTATORS[letter],
                        about=signs()[name].id,
                        about_kind="sign",
                        scale=scale,
                        low=1,
                        high=7,
                        value=float(mark),
                    )


def asked() -> Iterator[tuple[Question, list[Answer]]]:
    """Return the questions about artifacts, each with the answers given to it."""
    for told in source("questions"):
        question = Question(
            sign=signs()[told["artifact"]].id,
            text=told["ask"],
            choices=tuple(told["choices"]),
            correct=told["correct"] - 1,
            type=told["type"],
        )
        marks = zip(ANNOTATORS.values(), told["answers"].split(), strict=True)
        answers = [
            Answer(evaluator=who, question=question.id, choice=int(m) - 1) for who, m in marks if m != "."
        ]
        yield question, [*answers, _judged_answer(told, question)]


def _judged_answer(told: dict[str, Any], question: Question) -> Answer:
    said = told["judge"]
    choice = said - 1 if isinstance(said, int) else Unscored(**said)
    used = (readings()[f"{told['artifact']}.complex"].id,)
    return Answer(evaluator=JUDGE, question=question.id, choice=choice, used=used)


def cited() -> Iterator[Verdict]:
    """Return the citing judge's verdicts, in both orders."""
    for name, told in source("citing-judge").items():
        prompt, pair = name.split(": ")
        a, b = pair.split()
        sides = {"P": prompt, "A": f"{prompt}-{a}", "B": f"{prompt}-{b}"}
        seen = {side: readings()[f"{sign}.standard"] for side, sign in sides.items()}
        for order in ("ab", "ba"):
            yield _cited(told[order], comparisons()[name], order, seen)


def _cited(told: dict[str, Any], comparison: Comparison, order: Any, seen: dict[str, HSG]) -> Verdict:
    winner = told["winner"]
    return Verdict(
        evaluator=JUDGE,
        comparison=comparison.id,
        shown=order,
        winner=winner if isinstance(winner, str) else Unscored(**winner),
        p_a=told.get("p"),
        rationale=told.get("why", ""),
        citations=tuple(_citation(line, seen) for line in told.get("cites", ())),
        dropped=tuple(_dropped(line) for line in told.get("dropped", ())),
        used=tuple(hsg.id for hsg in seen.values()),
    )


def _citation(line: str, seen: dict[str, HSG]) -> Citation:
    """Return `A:lily | a | why`: a node by its side and label, a stance, a rationale."""
    place, stance, rationale = (part.strip() for part in line.split("|"))
    side, label = place.split(":")
    nodes = {semiosis.label: node for node, semiosis in seen[side].semioses.items()}
    if label not in nodes:
        raise ValueError(f"{line!r}: the HSG has no node {label!r}; it has {', '.join(nodes)}")
    return Citation.model_validate(
        {"hsg": seen[side].id, "node": nodes[label], "stance": stance, "rationale": rationale}
    )


def _dropped(line: str) -> DroppedCitation:
    claim, stance, rationale, reason = (part.strip() for part in line.split("|"))
    return DroppedCitation.model_validate(
        {"claim": claim, "stance": stance, "rationale": rationale, "reason": reason}
    )


def aligned() -> Iterator[Alignment]:
    """Return the fates of the prompts' nodes in every artifact, by Ines's blind readings."""
    for name, told in source("fates").items():
        prompt, artifact = (readings()[f"{sign}.standard"] for sign in (name.split("-")[0], name))
        fates = [
            StatedFate(node=node, fate=fate, targets=tuple(targets.split()), why=why)
            for node, (fate, targets, why) in told.items()
        ]
        yield alignment_of_fates(prompt, artifact, fates, evaluator=ALIGNER, method="fates written by hand")


def runs() -> Runs:
    """Return the everything that is recorded, by the run that records it."""
    questions = list(asked())
    hsgs = readings()
    return {
        "sample": [*signs().values(), *comparisons().values(), *(question for question, _ in questions)],
        "ines": [hsg for name, hsg in hsgs.items() if name.endswith(".standard")],
        "ines-given": [hsg for name, hsg in hsgs.items() if name.endswith(".given")],
        "tomas": [hsg for name, hsg in hsgs.items() if name.endswith(".complex")],
        "fates": list(aligned()),
        "annotators-verdicts": list(annotated()),
        "annotators-ratings": list(rated()),
        "answers": [answer for _, answers in questions for answer in answers],
        "citing-judge": list(cited()),
    }


def lines(values: Iterable[Recorded], run: str) -> dict[str, str]:
    """Return the text of each record file that a run's values go to."""
    files: dict[str, str] = {}
    for value in values:
        file = record_path(value, run)
        files[file] = files.get(file, "") + to_json(value) + "\n"
    return files


def main(arguments: list[str]) -> None:
    """Write the whole record."""
    out = Path(arguments[0]) if arguments else HERE
    write_study_file(out, HEAD)
    for run, values in runs().items():
        for file, text in lines(values, run).items():
            (out / file).parent.mkdir(parents=True, exist_ok=True)
            atomic_write(out / file, text)


if __name__ == "__main__":
    main(sys.argv[1:])
