"""Compile the sample study's record from its hand-written sources: `python graphs/sample/build.py [OUT]`.

The script reads sources/*.yaml, readings/*.yaml and the pictures in images/ in its folder. It writes
study.toml, signs.jsonl, comparisons.jsonl, questions.jsonl, hsgs/, alignments/ and observations/ to OUT,
which is its folder by default.
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
from semiosis.files import StudyFile, atomic_write, image, read_hsg, record_path, write_study_file
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
    prompts = {name: _prompt(entry) for name, entry in source("signs")["prompts"].items()}
    artifacts = {
        f"{name}-{maker}": _artifact(f"{name}-{maker}", maker, prompts[name])
        for name, entry in source("signs")["prompts"].items()
        for maker in entry["artifacts"]
    }
    return {**prompts, **artifacts}


def _prompt(entry: dict[str, Any]) -> TextSign | CompositeSign:
    about = {"title": entry["title"], "tradition": entry["tradition"], "tags": tuple(entry["tags"])}
    text = TextSign(text=entry["text"], language=entry["language"], **about)
    if "reference" not in entry:
        return text
    return CompositeSign(parts=(text, _picture(entry["reference"])), **about)


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
    """Return every hand-written HSG by file name, such as `birds-lodestar.given`."""
    files = sorted((HERE / "readings").glob("*.yaml"))
    return {file.stem: _known(read_hsg(file), signs()[file.stem.split(".")[0]]) for file in files}


def _known(hsg: HSG, sign: AnySign) -> HSG:
    if hsg.sign.id != sign.id:
        raise ValueError(
            f"a reading of {sign.title!r} has another sign: copy the text from sources/signs.yaml"
        )
    return HSG(sign, hsg.semioses, hsg.relations, hsg.reading)


@cache
def comparisons() -> dict[str, Comparison]:
    """Return all pairs of a prompt's artifacts by name, such as `birds: lacuna lodestar`."""
    return {
        f"{name}: {a} {b}": Comparison(
            prompt=signs()[name].id, a=signs()[f"{name}-{a}"].id, b=signs()[f"{name}-{b}"].id
        )
        for name, entry in source("signs")["prompts"].items()
        for a, b in combinations(entry["artifacts"], 2)
    }


def annotator_verdicts() -> Iterator[Verdict]:
    """Yield the annotators' verdicts, which are written as `a`, `b`, `=` for a tie and `.` for no answer."""
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


def annotator_ratings() -> Iterator[Rating]:
    """Yield the ratings of every sign on three scales from 1 to 7."""
    for name, entry in source("ratings").items():
        for scale in SCALES:
            for letter, mark in zip(ANNOTATORS, entry[scale].split(), strict=True):
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


def questions_and_answers() -> Iterator[tuple[Question, list[Answer]]]:
    """Yield the questions about artifacts, each with its answers."""
    for entry in source("questions"):
        question = Question(
            sign=signs()[entry["artifact"]].id,
            text=entry["ask"],
            choices=tuple(entry["choices"]),
            correct=entry["correct"] - 1,
            type=entry["type"],
        )
        marks = zip(ANNOTATORS.values(), entry["answers"].split(), strict=True)
        answers = [
            Answer(evaluator=who, question=question.id, choice=int(m) - 1) for who, m in marks if m != "."
        ]
        yield question, [*answers, _judged_answer(entry, question)]


def _judged_answer(entry: dict[str, Any], question: Question) -> Answer:
    answer = entry["judge"]
    choice = answer - 1 if isinstance(answer, int) else Unscored(**answer)
    used = (readings()[f"{entry['artifact']}.complex"].id,)
    return Answer(evaluator=JUDGE, question=question.id, choice=choice, used=used)


def judge_verdicts() -> Iterator[Verdict]:
    """Yield the citing judge's verdicts in both orders."""
    for name, entry in source("citing-judge").items():
        prompt, pair = name.split(": ")
        a, b = pair.split()
        sides = {"P": prompt, "A": f"{prompt}-{a}", "B": f"{prompt}-{b}"}
        seen = {side: readings()[f"{sign}.standard"] for side, sign in sides.items()}
        for order in ("ab", "ba"):
            yield _judge_verdict(entry[order], comparisons()[name], order, seen)


def _judge_verdict(
    entry: dict[str, Any], comparison: Comparison, order: Any, seen: dict[str, HSG]
) -> Verdict:
    winner = entry["winner"]
    return Verdict(
        evaluator=JUDGE,
        comparison=comparison.id,
        shown=order,
        winner=winner if isinstance(winner, str) else Unscored(**winner),
        p_a=entry.get("p"),
        rationale=entry.get("why", ""),
        citations=tuple(_citation(line, seen) for line in entry.get("cites", ())),
        dropped=tuple(_dropped(line) for line in entry.get("dropped", ())),
        used=tuple(hsg.id for hsg in seen.values()),
    )


def _citation(line: str, seen: dict[str, HSG]) -> Citation:
    """Return the citation in a line such as `A:lily | a | why`: sign and label, stance, rationale."""
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


def hand_alignments() -> Iterator[Alignment]:
    """Yield the alignments with hand-written fates of the prompts' nodes, for Ines's blind readings."""
    for name, entry in source("fates").items():
        prompt, artifact = (readings()[f"{sign}.standard"] for sign in (name.split("-")[0], name))
        fates = [
            StatedFate(node=node, fate=fate, targets=tuple(targets.split()), why=why)
            for node, (fate, targets, why) in entry.items()
        ]
        yield alignment_of_fates(prompt, artifact, fates, evaluator=ALIGNER, method="fates written by hand")


def runs() -> Runs:
    """Return all recorded values by run."""
    questions = list(questions_and_answers())
    hsgs = readings()
    return {
        "sample": [*signs().values(), *comparisons().values(), *(question for question, _ in questions)],
        "ines": [hsg for name, hsg in hsgs.items() if name.endswith(".standard")],
        "ines-given": [hsg for name, hsg in hsgs.items() if name.endswith(".given")],
        "tomas": [hsg for name, hsg in hsgs.items() if name.endswith(".complex")],
        "fates": list(hand_alignments()),
        "annotators-verdicts": list(annotator_verdicts()),
        "annotators-ratings": list(annotator_ratings()),
        "answers": [answer for _, answers in questions for answer in answers],
        "citing-judge": list(judge_verdicts()),
    }


def lines(values: Iterable[Recorded], run: str) -> dict[str, str]:
    """Return the text of each record file with a run's values, by path."""
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
