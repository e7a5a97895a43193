"""Measure the quality of alignments by every embedder, and of other methods on the same vectors.

    python -m benchmarks.alignment --readings DIR [DIR …] [--planted DIR …] [--embedder NAME …] [--docs FILE]

Real readings: parameters are fitted without the prompt that they are measured on. A prompt and an artifact of
another prompt are an unrelated pair, in which every match is wrong. 95% intervals resample prompts.
Planted cases are regression data, measured with the packaged parameters. `--docs` writes the tables into a
Markdown file, between the lines that mark them.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.peers import PEERS, by_peer
from benchmarks.planted import PlantedComparison, read_comparisons, read_pairs
from semiosis.align import Aligner, VectorCache, aligner_of, embedder
from semiosis.align._annotated import AnnotatedPair, read_annotated
from semiosis.align._fit import FittedParameters, counts_by_prompt, leave_one_out, predict_all, score_pairs
from semiosis.align._match import NodeMatching, objects_differ
from semiosis.align._measure import (
    Counts,
    PredictedMatches,
    ScoredPair,
    check_matches,
    percentile_interval,
    sum_counts,
)
from semiosis.values import HSG, DataError

EMBEDDERS = ("wordllama", "minilm", "use-multilingual")
EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The edges of the bins of stated probabilities in a reliability table."""
RATES = {
    "F1": "f1",
    "precision": "precision",
    "recall": "recall",
    "lost F1": "lost_f1",
    "unrelated nodes kept": "unrelated_nodes_share",
    "unrelated roots kept": "unrelated_roots_share",
}
MARKS = "<!-- begin {} by benchmarks/alignment.py -->", "<!-- end {} -->"
"""The lines of a Markdown file between which tables are written."""
ANOTHER_OBJECT = "the price of fish"
Answers = dict[str, list[tuple[ScoredPair, PredictedMatches]]]


def main() -> None:
    """Measure, print the tables and, with `--docs`, write them into the documentation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readings", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--planted", type=Path, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--embedder", nargs="+", default=list(EMBEDDERS), metavar="NAME")
    parser.add_argument("--docs", type=Path, metavar="FILE")
    options = parser.parse_args()
    pairs = [pair for folder in options.readings for pair in read_annotated(folder)]
    tables = []
    for name in options.embedder:
        for line in report(pairs, options.planted, name):
            print(line, flush=True)
            tables.append(line)
    if options.docs:
        write_docs(options.docs, "summary", [*summary(options.embedder), ""])
        write_docs(options.docs, "details", tables)


def report(pairs: Sequence[AnnotatedPair], planted: Sequence[Path], name: str) -> Iterator[str]:
    """Yield the lines of all tables for one embedder."""
    vectors = VectorCache(embedder(name))
    scored = [one for one in score_pairs(pairs, vectors) if one.same_script]
    answers = leave_one_out(scored)
    related, mixed = sum(one.pair.related for one in scored), len(pairs) - len(scored)
    yield f"### {name}\n"
    yield (
        f"Real readings, one prompt left out at a time: {len(answers)} prompts, {related} pairs, "
        f"{len(scored) - related} unrelated pairs. {mixed} pairs in two scripts are left out.\n"
    )
    yield from rates_table(answers, scored)
    yield from reliability_table(answers)
    yield flags_line(scored, aligner_of(name))
    if planted:
        yield from planted_table(planted, name)


def rates_table(answers: Answers, scored: Sequence[ScoredPair]) -> Iterator[str]:
    """Yield the rates of the method, overall and by folder, and of other methods with their own cuts."""
    yield f"| method | {' | '.join(RATES)} | stated | right |"
    yield "|---" * (len(RATES) + 3) + "|"
    yield row("**one cosine, one cut**", answers)
    for folder in sorted({one.pair.folder for one in scored}):
        yield row(
            f"– {folder} only", {id_: of for id_, of in answers.items() if of[0][0].pair.folder == folder}
        )
    for name, peer in PEERS.items():
        try:
            yield row(name, leave_one_out([by_peer(one, peer) for one in scored]))
        except DataError as error:
            yield f"| {name} | {error} |" + " |" * (len(RATES) + 1)
    yield row("every node matched, no cut", {"": predict_all(scored, FittedParameters(-1.0, 1.0, 0.0, 0.0))})
    yield ""


def row(name: str, answers: Answers) -> str:
    """Return a row with the rates of a method and their intervals."""
    prompts = [sum_counts(counts) for counts in counts_by_prompt(answers)]
    of = sum_counts(prompts)
    cells = []
    for rate in RATES.values():
        value = f"{getattr(of, rate):.3f}"
        if len(prompts) > 1:
            low, high = percentile_interval(prompts, rate=rate)
            value += f" [{low:.2f}–{high:.2f}]"
        cells.append(value)
    return f"| {name} | {' | '.join(cells)} | {of.mean_stated:.2f} | {of.precision:.2f} |"


def reliability_table(answers: Answers) -> Iterator[str]:
    """Yield a table of how often matches with a stated probability are right."""
    stated = [
        each
        for of in answers.values()
        for one, made in of
        if one.pair.related
        for each in check_matches(one, made)
    ]
    p, right = np.array(stated, float).T
    yield "| stated probability | matches | mean stated | share right |"
    yield "|---|---|---|---|"
    for low, high in pairwise(EDGES):
        some = (p >= low) & ((p < high) | (high == EDGES[-1]))
        if some.any():
            yield f"| {low:.1f}–{high:.1f} | {some.sum()} | {p[some].mean():.2f} | {right[some].mean():.2f} |"
    yield ""


def flags_line(scored: Sequence[ScoredPair], aligner: Aligner) -> str:
    """Return the shares of flagged matches: of true matches, and of matches with another object."""
    true, flagged = 0, 0
    for one in scored:
        cells = [(one.source.nodes.index(a), one.target.nodes.index(b)) for a, b in sorted(one.pair.truth)]
        if cells:
            rows, columns = np.array(cells).T
            compared = NodeMatching(one.cosines, rows, columns)
            flagged += int(objects_differ(one.source, one.target, compared, aligner.weights.objects).sum())
            true += len(cells)
    prompts = {one.pair.prompt.id: one.pair.prompt for one in scored}
    copies = [match for hsg in prompts.values() for match in aligner.diff((hsg, replaced(hsg))).matches]
    nodes = sum(map(len, prompts.values()))
    return (
        f'Flagged as "objects differ": {flagged} of {true} true matches (5 % by choice), and '
        f"{sum(match.objects_differ for match in copies)} of {len(copies)} matches of {nodes} nodes with "
        f"copies whose object is {ANOTHER_OBJECT!r}.\n"
    )


def replaced(hsg: HSG) -> HSG:
    """Return the graph with every object replaced."""
    semioses = {id_: one.model_copy(update={"object": ANOTHER_OBJECT}) for id_, one in hsg.semioses.items()}
    return HSG(hsg.sign, semioses, hsg.relations, hsg.reading)


def planted_table(folders: Sequence[Path], name: str) -> Iterator[str]:
    """Yield a table of planted cases, measured with the packaged parameters."""
    aligner = aligner_of(name)
    weights = aligner.weights
    parameters = FittedParameters(weights.cut, weights.slope, weights.intercept, weights.objects)
    yield "Regression data (planted cases, packaged parameters; not a measure of quality):\n"
    yield "| cases | n | F1 | lost F1 | stated | right | 2AFC by Δo |"
    yield "|---|---|---|---|---|---|---|"
    for folder in folders:
        scored = score_pairs(read_pairs(folder), aligner.embedder)
        comparisons = read_comparisons(folder)
        for size in ("small", "large"):
            some = [one for one in scored if one.pair.folder == size]
            of: Counts = sum_counts(counts_by_prompt({"": predict_all(some, parameters)})[0])
            correct = (
                f"{accuracy(comparisons, aligner):.3f} (n = {len(comparisons)})" if size == "small" else ""
            )
            yield (
                f"| {folder.name}, {size} | {len(some)} | {of.f1:.3f} | {of.lost_f1:.3f} "
                f"| {of.mean_stated:.2f} | {of.precision:.2f} | {correct} |"
            )
    yield ""


def accuracy(comparisons: Sequence[PlantedComparison], aligner: Aligner) -> float:
    """Return the share of comparisons in which the winner keeps more; a tie counts half."""

    def right(comparison: PlantedComparison) -> float:
        a, b = (
            aligner.mean_match_strength(case.prompt, case.artifact) for case in (comparison.a, comparison.b)
        )
        return 0.5 if a == b else float((a > b) == (comparison.winner == "a"))

    return float(np.mean([right(comparison) for comparison in comparisons]))


def summary(names: Sequence[str]) -> Iterator[str]:
    """Yield one row per embedder with the quality that its parameter file states."""
    columns = (
        "embedder",
        "languages",
        "F1 of matches",
        "lost F1",
        "unrelated nodes kept",
        "unrelated roots kept",
    )
    yield f"| {' | '.join(columns)} | stated | right |"
    yield "|---" * (len(columns) + 2) + "|"
    for name in names:
        weights = aligner_of(name).weights
        of = weights.measured
        low, high = of.f1_interval or (of.f1, of.f1)
        yield (
            f"| `{name}` | {', '.join(weights.languages)} | {of.f1:.2f} [{low:.2f}–{high:.2f}] "
            f"| {of.lost_f1:.2f} | {of.unrelated_nodes:.1%} | {of.unrelated_roots:.1%} | {of.stated:.2f} "
            f"| {of.right:.2f} |"
        )


def write_docs(file: Path, name: str, tables: Sequence[str]) -> None:
    """Replace the text between the marks with this name in a Markdown file."""
    begin, end = (mark.format(name) for mark in MARKS)
    body = "\n".join([begin, "", *tables, end])
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(f"{begin}.*{end}", lambda _: body, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
