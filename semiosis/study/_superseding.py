"""Makes corrected hand-written readings and fates supersede their earlier versions."""

from semiosis.study._study import Study
from semiosis.values import HSG, Alignment, Reading


def correction(study: Study, hsg: HSG) -> HSG:
    """Return a person's HSG as a correction of the same reading, if the study has an earlier version of it.

    Two HSGs are versions of one reading if the same person read the same sign under the same conditions. An
    independent second reading has another `repeat`. An HSG that the study already has is returned unchanged.
    """
    if hsg.reading.interpreter.kind != "person" or hsg.supersedes:
        return hsg
    for earlier in study.readings(hsg.sign.id):
        if _conditions(earlier) != _conditions(hsg):
            continue
        same = _superseding(hsg, earlier.supersedes) == earlier
        return earlier if same else _superseding(hsg, earlier.id)
    return hsg


def corrected_alignment(study: Study, alignment: Alignment) -> Alignment:
    """Return a person's alignment as a correction, if the study has an earlier version of it."""
    for earlier in study.alignments.values():
        if _by_whom(earlier) == _by_whom(alignment):
            same = alignment.model_copy(update={"supersedes": earlier.supersedes}) == earlier
            return earlier if same else alignment.model_copy(update={"supersedes": earlier.id})
    return alignment


def _by_whom(alignment: Alignment) -> tuple[object, ...]:
    evaluator = alignment.evaluator and alignment.evaluator.id
    return alignment.source.hsg, alignment.target.hsg, alignment.method, evaluator, alignment.repeat


def _conditions(hsg: HSG) -> Reading:
    return hsg.reading.model_copy(update={"supersedes": None})


def _superseding(hsg: HSG, earlier: str | None) -> HSG:
    reading = hsg.reading.model_copy(update={"supersedes": earlier})
    return HSG(hsg.sign, hsg.semioses, hsg.relations, reading, hsg.absences)
