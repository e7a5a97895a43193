"""The cascades of a study, and the drift of meaning along them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from semiosis.align import Drift, drift_of_alignments
from semiosis.study._profile import study_alignments
from semiosis.study._study import Study
from semiosis.values import HSG, Alignment, Cascade, UsageError


def study_drifts(study: Study, aligner: str = "") -> Iterator[Drift]:
    """Yield the drift of each cascade of at least three rounds.

    Each round must be aligned with the next, and the first with the last.
    """
    alignments = study_alignments(study, aligner)
    by_hsgs = {(alignment.source.hsg, alignment.target.hsg): alignment for alignment in alignments}
    continued = {alignment.source.hsg for alignment in alignments}
    for alignment in alignments:
        chain = _chain(study, alignment, alignments)
        whole = by_hsgs.get((chain[0], chain[-1]))
        is_part = alignment.target.hsg in continued  # a later round continues it
        if len(chain) < 3 or whole is None or is_part:
            continue
        hsgs = tuple(aligned_hsg(study, id_) for id_ in chain)
        yield drift_of_alignments(Cascade(hsgs), [by_hsgs[pair] for pair in pairwise(chain)], whole)


def _chain(study: Study, end: Alignment, alignments: Sequence[Alignment]) -> list[str]:
    """Return the HSGs that lead to the target of an alignment, the first round first."""
    chain = [end.source.hsg, end.target.hsg]
    while True:
        sign = aligned_hsg(study, chain[0]).sign.prompt
        before = [a for a in alignments if a.target.hsg == chain[0] and a.source.sign == sign]
        if not before or before[0].source.hsg in chain:
            return chain
        chain.insert(0, before[0].source.hsg)


def aligned_hsg(study: Study, hsg_id: str) -> HSG:
    """Return an HSG that an alignment names."""
    hsg = study.hsg(hsg_id)
    if hsg is None:
        raise UsageError(
            f"the study has no HSG {hsg_id}", where=str(study.folder), fix="run semiosis study check"
        )
    return hsg
