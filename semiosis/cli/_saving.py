"""Saving readings from files, with corrections of earlier versions."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.values import HSG


def save_readings(address: str, hsgs: Iterable["HSG"]) -> list["HSG"]:
    """Save HSGs to a study folder or a Neo4j and return them as saved.

    In a study folder, a person's reading that was saved before with other content is superseded.
    """
    from semiosis.store import open_store

    saved = [_corrected(address, hsg) for hsg in hsgs]
    with open_store(address) as store:
        store.save(*saved)
    return saved


def _corrected(address: str, hsg: "HSG") -> "HSG":
    from semiosis.files import STUDY_FILE
    from semiosis.study import correction, read_study

    if not (Path(address) / STUDY_FILE).is_file():
        return hsg
    corrected = correction(read_study(address), hsg)
    if corrected.supersedes and corrected.supersedes != hsg.supersedes:
        remark(f"this replaces the earlier version of this reading, HSG {corrected.supersedes}")
    return corrected
