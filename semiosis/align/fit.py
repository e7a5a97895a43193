"""Fit the alignment parameters of an embedder on annotated readings.

python -m semiosis.align.fit --embedder NAME --readings DIR [DIR …] --out FILE

Each folder contains prompts.jsonl and artifacts-blind.jsonl (HSGs, one per line) and matches.jsonl (for each
pair `id`, `prompt`, `artifact`, `truth` and, if annotators disagree, `disputed`). The output file states the
parameters, the SHA-256 of the data, and the quality measured with one prompt left out at a time.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from semiosis.align._annotated import AnnotatedPair, file_hashes, read_annotated
from semiosis.align._cache import VectorCache
from semiosis.align._embedder import DEFAULT_EMBEDDER, embedder
from semiosis.align._fit import (
    counts_by_prompt,
    fit,
    leave_one_out,
    pairs_of_prompt,
    predict_all,
    score_pairs,
)
from semiosis.align._measure import ScoredPair, measure
from semiosis.align._weights import FittingData, MeasuredQuality, Weights
from semiosis.values import SemiosisError


def fitted_weights(folders: Sequence[Path], name: str, languages: Sequence[str]) -> Weights:
    """Return the parameters of an embedder, fitted on these folders of annotated readings."""
    pairs = [pair for folder in folders for pair in read_annotated(folder)]
    scored = score_pairs(pairs, VectorCache(embedder(name)))
    same_script = [pair for pair in scored if pair.same_script]
    parameters = fit(same_script)
    across = [pair for pair in scored if not pair.same_script and pair.pair.related]
    return Weights(
        embedder=name,
        languages=tuple(languages),
        **parameters._asdict(),
        fitted_on=tuple(_fitting_data(folder, [pair.pair for pair in same_script]) for folder in folders),
        measured=measure(counts_by_prompt(leave_one_out(same_script))),
        across_scripts=_across(across, same_script) if across else None,
    )


def _across(across: Sequence[ScoredPair], same_script: Sequence[ScoredPair]) -> MeasuredQuality:
    """Return the quality across scripts, with parameters fitted only on pairs in one script."""
    parameters = fit(same_script)
    prompts = dict.fromkeys(one.pair.prompt.id for one in across)
    return measure(
        counts_by_prompt({id_: predict_all(pairs_of_prompt(id_, across), parameters) for id_ in prompts})
    )


def _fitting_data(folder: Path, pairs: Sequence[AnnotatedPair]) -> FittingData:
    related = [pair for pair in pairs if pair.related and pair.folder == folder.name]
    return FittingData(
        name=folder.name,
        sha256=file_hashes(folder),
        prompts=len({pair.prompt.id for pair in related}),
        pairs=len(related),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write the parameters, and print what was measured."""
    parser = argparse.ArgumentParser(
        prog="python -m semiosis.align.fit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--readings", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--embedder", default=DEFAULT_EMBEDDER)
    parser.add_argument("--languages", nargs="+", default=["en"], help="languages of the readings")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        weights = fitted_weights(options.readings, options.embedder, options.languages)
    except SemiosisError as error:
        parser.exit(1, f"error: {error}\n")
    content = json.dumps(weights.model_dump(mode="json"), indent=1, ensure_ascii=False)
    options.out.write_text(content + "\n", encoding="utf-8")
    sys.stdout.write(content + "\n")


if __name__ == "__main__":
    main()
