"""Makes corrected hand-written readings supersede their earlier versions."""

from semiosis.study._study import Study
from semiosis.values import HSG, Reading


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


def _conditions(hsg: HSG) -> Reading:
    return hsg.reading.model_copy(update={"supersedes": None})


def _superseding(hsg: HSG, earlier: str | None) -> HSG:
    reading = hsg.reading.model_copy(update={"supersedes": earlier})
    return HSG(hsg.sign, hsg.semioses, hsg.relations, reading, hsg.absences)
