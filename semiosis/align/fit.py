"""Fit the alignment parameters of an embedder on annotated readings.

python -m semiosis.align.fit --embedder NAME --readings DIR [DIR …] --out FILE

Each folder holds prompts.jsonl and artifacts-blind.jsonl (HSGs, one per line) and matches.jsonl (for each
pair `id`, `prompt`, `artifact`, `truth` and, if annotators disagree, `disputed`). The file states the SHA-256
of the data, and what was measured on prompts left out one at a time.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from semiosis.align._cache import VectorCache
from semiosis.align._embedder import DEFAULT, embedder
from semiosis.align._fit import apply, counted, fit, leave_one_out, pairs_of, score
from semiosis.align._measure import Scored, measured
from semiosis.align._readings import AnnotatedPair, file_hashes, read_annotated
from semiosis.align._weights import Measured, Readings, Weights


def fitted_weights(folders: Sequence[Path], name: str, languages: Sequence[str]) -> Weights:
    """The parameters of an embedder, fitted on these folders of annotated readings."""
    pairs = [pair for folder in folders for pair in read_annotated(folder)]
    scored = score(pairs, VectorCache(embedder(name)))
    alike = [one for one in scored if one.same_script]
    parameters = fit(alike)
    across = [one for one in scored if not one.same_script and one.pair.related]
    return Weights(
        embedder=name,
        languages=tuple(languages),
        **parameters._asdict(),
        fitted_on=tuple(_described(folder, [one.pair for one in alike]) for folder in folders),
        measured=measured(counted(leave_one_out(alike))),
        across_scripts=_across(across, alike) if across else None,
    )


def _across(across: Sequence[Scored], alike: Sequence[Scored]) -> Measured:
    """Quality across scripts, by parameters fitted on pairs in one script: these prompts did not help."""
    parameters = fit(alike)
    prompts = dict.fromkeys(one.pair.prompt.id for one in across)
    return measured(counted({id_: apply(pairs_of(id_, across), parameters) for id_ in prompts}))


def _described(folder: Path, pairs: Sequence[AnnotatedPair]) -> Readings:
    related = [pair for pair in pairs if pair.related and pair.folder == folder.name]
    return Readings(
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
    parser.add_argument("--embedder", default=DEFAULT)
    parser.add_argument("--languages", nargs="+", default=["en"], help="languages of the readings")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    weights = fitted_weights(options.readings, options.embedder, options.languages)
    content = json.dumps(weights.model_dump(mode="json"), indent=1, ensure_ascii=False)
    options.out.write_text(content + "\n", encoding="utf-8")
    sys.stdout.write(content + "\n")


if __name__ == "__main__":
    main()
