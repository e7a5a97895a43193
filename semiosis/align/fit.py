"""Fit the alignment parameters of an embedder on annotated readings.

python -m semiosis.align.fit --embedder NAME --readings DIR [DIR …] [--readers DIR …] --out FILE

Each folder contains prompts.jsonl and artifacts-blind.jsonl (HSGs, one per line) and matches.jsonl (for each
pair `id`, `prompt`, `artifact`, `truth` and, if annotators disagree, `disputed`). A folder of `--readers`
contains reader1.jsonl and reader2.jsonl, with long readings of the same signs by two readers; their cut is
the one that best separates readings of one sign from readings of different signs. The output file states the
parameters, the SHA-256 of the data, and the quality measured with one prompt or sign left out at a time.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from semiosis.align._annotated import (
    READERS_FILES,
    READINGS_FILES,
    AnnotatedPair,
    file_hashes,
    read_annotated,
    read_two_readers,
)
from semiosis.align._cache import VectorCache
from semiosis.align._embedder import DEFAULT_EMBEDDER, embedder
from semiosis.align._fit import (
    FittedParameters,
    Predictions,
    counts_by_prompt,
    fit,
    leave_one_out,
    pairs_of_prompt,
    predict_all,
    score_pairs,
)
from semiosis.align._measure import ScoredPair, measure, measure_readers
from semiosis.align._weights import FittingData, LengthClass, MeasuredQuality, MeasuredReaders, Weights
from semiosis.values import SemiosisError


def fitted_weights(
    folders: Sequence[Path], readers: Sequence[Path], name: str, languages: Sequence[str]
) -> Weights:
    """Return an embedder's parameters, fitted on folders of annotated readings and of two readers."""
    pairs = [pair for folder in folders for pair in read_annotated(folder)]
    pairs += [pair for folder in readers for pair in read_two_readers(folder)]
    scored = score_pairs(pairs, VectorCache(embedder(name)))
    same_script = [pair for pair in scored if pair.same_script]
    parameters = fit(same_script)
    across = [pair for pair in scored if not pair.same_script and pair.pair.related]
    fitted_pairs = [pair.pair for pair in same_script]
    data = [_fitting_data(folder, READINGS_FILES, fitted_pairs) for folder in folders]
    data += [_fitting_data(folder, READERS_FILES, fitted_pairs) for folder in readers]
    return Weights(
        embedder=name,
        languages=tuple(languages),
        mean=parameters.mean,
        lengths=_length_classes(parameters, same_script),
        slope=parameters.slope,
        intercept=parameters.intercept,
        objects=parameters.objects,
        fitted_on=tuple(data),
        across_scripts=_across(across, same_script) if across else None,
    )


def _length_classes(parameters: FittedParameters, pairs: Sequence[ScoredPair]) -> tuple[LengthClass, ...]:
    """Return the cuts, each with its quality on prompts or signs that were left out."""
    predictions = leave_one_out(pairs)
    by_kind: dict[bool, Predictions] = defaultdict(dict)
    for prompt, predicted in predictions.items():
        by_kind[predicted[0][0].pair.truth is not None][prompt] = predicted
    measured: list[MeasuredQuality | MeasuredReaders] = [measure(counts_by_prompt(by_kind[True]))]
    if by_kind[False]:
        measured.append(measure_readers(counts_by_prompt(by_kind[False])))
    return tuple(
        LengthClass(**row._asdict(), measured=quality)
        for row, quality in zip(parameters.lengths, measured, strict=True)
    )


def _across(across: Sequence[ScoredPair], same_script: Sequence[ScoredPair]) -> MeasuredQuality:
    """Return the quality across scripts, with parameters fitted only on pairs in one script."""
    parameters = fit(same_script)
    prompts = dict.fromkeys(one.pair.prompt.id for one in across)
    return measure(
        counts_by_prompt({id_: predict_all(pairs_of_prompt(id_, across), parameters) for id_ in prompts})
    )


def _fitting_data(folder: Path, files: Sequence[str], pairs: Sequence[AnnotatedPair]) -> FittingData:
    related = [pair for pair in pairs if pair.related and pair.folder == folder.name]
    return FittingData(
        name=folder.name,
        sha256=file_hashes(folder, files),
        prompts=len({pair.prompt.id for pair in related}),
        pairs=len(related),
    )


def _json_text(weights: Weights) -> str:
    """Return the parameters as JSON, with the mean vector on one line."""
    fields = weights.model_dump(mode="json")
    mean = json.dumps(fields["mean"])
    return json.dumps(fields | {"mean": "MEAN"}, indent=1, ensure_ascii=False).replace('"MEAN"', mean)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write the parameters, and print what was measured."""
    parser = argparse.ArgumentParser(
        prog="python -m semiosis.align.fit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--readings", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--readers", type=Path, nargs="+", default=[], metavar="DIR")
    parser.add_argument("--embedder", default=DEFAULT_EMBEDDER)
    parser.add_argument("--languages", nargs="+", default=["en"], help="languages of the readings")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        weights = fitted_weights(options.readings, options.readers, options.embedder, options.languages)
    except SemiosisError as error:
        parser.exit(1, f"error: {error}\n")
    content = _json_text(weights)
    options.out.write_text(content + "\n", encoding="utf-8")
    sys.stdout.write(content + "\n")


if __name__ == "__main__":
    main()
