"""Measure the quality of alignments by every embedder, and of other methods on the same vectors.

    python -m benchmarks.alignment --readings DIR [DIR …] [--readers DIR …] [--planted DIR …]
                                   [--embedder NAME …] [--out FILE] [--docs FILE]

Real readings: parameters are fitted without the prompt that they are measured on. A prompt and an artifact of
another prompt are an unrelated pair, in which every match is wrong. 95% intervals resample prompts. Readers:
two long readings of each sign, whose matches nobody annotated; a match between two signs is wrong.
Planted cases are regression data, measured with the packaged parameters. `--out` writes the tables to a file;
`--docs` writes the summary into a page, between the lines that mark it.
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
from semiosis.align._annotated import AnnotatedPair, read_annotated, read_two_readers
from semiosis.align._fit import (
    FittedParameters,
    LengthCut,
    Predictions,
    counts_by_prompt,
    leave_one_out,
    predict_all,
    score_pairs,
    with_counts,
)
from semiosis.align._match import NodeMatching, objects_differ
from semiosis.align._measure import (
    Counts,
    ScoredPair,
    check_matches,
    percentile_interval,
    sum_counts,
)
from semiosis.align._weights import MeasuredReaders, Weights
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
HEADING = """# Quality of alignments by embedders

Made by `python -m benchmarks.alignment`. The other methods get the same vectors and cuts that are chosen in
the same way. *2AFC by Δo* is the share of pairs of artifacts in which the better one has the smaller Δo; a
tie counts half.
"""
ANOTHER_OBJECT = "the price of fish"
METHOD = "centred cosine, cut by length"


def main() -> None:
    """Measure, print the tables and, with `--docs`, write them into the documentation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readings", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--readers", type=Path, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--planted", type=Path, nargs="*", default=[], metavar="DIR")
    parser.add_argument("--embedder", nargs="+", default=list(EMBEDDERS), metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--docs", type=Path, metavar="FILE")
    options = parser.parse_args()
    pairs = [pair for folder in options.readings for pair in read_annotated(folder)]
    pairs += [pair for folder in options.readers for pair in read_two_readers(folder)]
    tables = []
    for name in options.embedder:
        for line in report(pairs, options.planted, name):
            print(line, flush=True)
            tables.append(line)
    if options.out:
        options.out.write_text("\n".join([HEADING, *tables]), encoding="utf-8")
    if options.docs:
        write_docs(options.docs, "summary", [*summary(EMBEDDERS), ""])


def report(pairs: Sequence[AnnotatedPair], planted: Sequence[Path], name: str) -> Iterator[str]:
    """Yield the lines of all tables for one embedder."""
    vectors = VectorCache(embedder(name))
    scored = [pair for pair in score_pairs(pairs, vectors) if pair.same_script]
    methods = predictions_by_method(scored)
    yield f"### {name}\n"
    yield from rates_table(methods, scored, len(pairs) - len(scored))
    yield from readers_table(methods)
    yield from reliability_table(annotated(methods[METHOD]))
    yield flags_line(scored, aligner_of(name))
    if planted:
        yield from planted_table(planted, name)


def predictions_by_method(scored: Sequence[ScoredPair]) -> dict[str, Predictions | DataError]:
    """Return the predictions of our method, of simpler ones and of its peers, or why one has none.

    Peers get the embedder's vectors as they are, and cuts by length that are chosen in the same way.
    """
    plain = list(map(with_counts, scored))  # without a mean, the counts are those of every fit
    methods: dict[str, Predictions | DataError] = {
        METHOD: leave_one_out(scored),
        "no mean subtracted": attempt(plain),
        "no mean subtracted, one cut (one line)": attempt(plain, by_length=False),
    }
    for name, peer in PEERS.items():
        methods[name] = attempt([by_peer(pair, peer) for pair in scored])
    return methods


def attempt(scored: Sequence[ScoredPair], *, by_length: bool = True) -> Predictions | DataError:
    """Return the predictions without a mean vector, or the error if no cut keeps few unrelated nodes."""
    try:
        return leave_one_out(scored, centre=False, by_length=by_length)
    except DataError as error:
        return error


def annotated(predictions: Predictions | DataError) -> Predictions:
    """Return the predictions for annotated pairs."""
    return _of_kind(predictions, annotated=True)


def _of_kind(predictions: Predictions | DataError, *, annotated: bool) -> Predictions:
    if isinstance(predictions, DataError):
        raise predictions
    return {
        prompt: pairs
        for prompt, pairs in predictions.items()
        if (pairs[0][0].pair.truth is not None) is annotated
    }


def rates_table(
    methods: dict[str, Predictions | DataError], scored: Sequence[ScoredPair], mixed: int
) -> Iterator[str]:
    """Yield the rates on annotated readings, overall and by folder, and those of the other methods."""
    pairs = [pair for pair in scored if pair.pair.truth is not None]
    related = sum(pair.pair.related for pair in pairs)
    yield (
        f"Real readings, one prompt left out at a time: {len(annotated(methods[METHOD]))} prompts, "
        f"{related} pairs, {len(pairs) - related} unrelated. {mixed} pairs in two scripts are left out.\n"
    )
    yield f"| method | {' | '.join(RATES)} | stated | right |"
    yield "|---" * (len(RATES) + 3) + "|"
    yield row(f"**{METHOD}**", annotated(methods[METHOD]))
    for folder in sorted({pair.pair.folder for pair in pairs}):
        yield row(f"– {folder} only", _of_folder(annotated(methods[METHOD]), folder))
    for name, predictions in list(methods.items())[1:]:
        if isinstance(predictions, DataError):
            yield f"| {name} | {predictions} |" + " |" * (len(RATES) + 1)
        else:
            yield row(name, annotated(predictions))
    everything = FittedParameters((), (LengthCut("all", np.inf, -1.0),), 1.0, 0.0, 0.0)
    yield row("every node matched, no cut", {"": predict_all(pairs, everything)})
    yield ""


def _of_folder(predictions: Predictions, folder: str) -> Predictions:
    return {id_: pairs for id_, pairs in predictions.items() if pairs[0][0].pair.folder == folder}


def readers_table(methods: dict[str, Predictions | DataError]) -> Iterator[str]:
    """Yield the rates on long readings of one sign by two readers, one sign left out at a time."""
    if not _of_kind(methods[METHOD], annotated=False):
        return
    yield "Long readings by two readers, one sign left out at a time:\n"
    yield "| method | nodes of one sign matched | unrelated nodes kept | unrelated roots kept |"
    yield "|---|---|---|---|"
    for name, predictions in methods.items():
        if isinstance(predictions, DataError):
            yield f"| {name} | {predictions} | | |"
            continue
        counts = counts_by_prompt(_of_kind(predictions, annotated=False))
        total = sum_counts(pair for sign in counts for pair in sign)
        yield (
            f"| {name} | {total.same_sign_share:.1%} of {total.same_sign_nodes:.0f} "
            f"| {total.unrelated_nodes_share:.1%} of {total.unrelated_nodes:.0f} "
            f"| {total.unrelated_roots_share:.1%} of {total.unrelated_roots:.0f} |"
        )
    yield ""


def row(name: str, answers: Predictions) -> str:
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


def reliability_table(answers: Predictions) -> Iterator[str]:
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
        cells = [
            (one.source.nodes.index(a), one.target.nodes.index(b)) for a, b in sorted(one.pair.truth or ())
        ]
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
    cuts = tuple(LengthCut(row.name, row.up_to, row.cut) for row in weights.lengths)
    parameters = FittedParameters(weights.mean, cuts, weights.slope, weights.intercept, weights.objects)
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
        "stated",
        "right",
        "long: one sign",
        "long: unrelated nodes kept",
        "long: unrelated roots kept",
    )
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for name in names:
        weights = aligner_of(name).weights
        of = weights.quality
        low, high = of.f1_interval or (of.f1, of.f1)
        yield (
            f"| `{name}` | {', '.join(weights.languages)} | {of.f1:.2f} [{low:.2f}–{high:.2f}] "
            f"| {of.lost_f1:.2f} | {of.unrelated_nodes:.1%} | {of.unrelated_roots:.1%} | {of.stated:.2f} "
            f"| {of.right:.2f} | {' | '.join(_long_cells(weights))} |"
        )


def _long_cells(weights: Weights) -> list[str]:
    """Return the quality on long readings, or dashes if none were measured."""
    measured = weights.lengths[-1].measured
    if not isinstance(measured, MeasuredReaders):
        return ["–"] * 3
    rates = measured.same_sign_nodes, measured.unrelated_nodes, measured.unrelated_roots
    return [f"{rate:.1%}" for rate in rates]


def write_docs(file: Path, name: str, tables: Sequence[str]) -> None:
    """Replace the text between the marks with this name in a Markdown file."""
    begin, end = (mark.format(name) for mark in MARKS)
    body = "\n".join([begin, "", *tables, end])
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(f"{begin}.*{end}", lambda _: body, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
