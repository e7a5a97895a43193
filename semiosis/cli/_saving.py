"""Checks addresses, and saves readings and fates from files; a correction supersedes the earlier version."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.values import HSG, Alignment


def check_store(address: str) -> None:
    """Raise an error if this is not the address of a store, before values for it are made. "" is none."""
    if address:
        from semiosis.store import open_store

        open_store(address).close()


def save_readings(address: str, hsgs: Iterable["HSG"]) -> list["HSG"]:
    """Save HSGs to a study folder or a Neo4j and return them as saved.

    In a study folder, a reading by a person supersedes the earlier version of that reading.
    """
    from semiosis.files import STUDY_FILE
    from semiosis.store import open_store

    is_study = (Path(address) / STUDY_FILE).is_file()
    saved = _with_corrections(address, hsgs) if is_study else list(hsgs)
    with open_store(address) as store:
        store.save(*saved)
    return saved


def save_fates(address: str, files: Iterable[str]) -> list["Alignment"]:
    """Save the alignments that files state to a study folder, and return them as saved.

    An alignment supersedes the earlier version by the same person.
    """
    from semiosis.align import read_fates
    from semiosis.files import STUDY_FILE
    from semiosis.store import open_store
    from semiosis.study import corrected_alignment, read_study
    from semiosis.values import UsageError

    listed = list(files)
    if not listed:
        return []
    if not (Path(address) / STUDY_FILE).is_file():
        raise UsageError(
            "fates are saved to a study, which has the readings that they name",
            where=address,
            fix="give a study folder; semiosis store copy writes a study to a Neo4j",
        )
    study = read_study(address)
    alignments = [corrected_alignment(study, read_fates(file, study.hsgs)) for file in listed]
    for alignment in alignments:
        if alignment.supersedes and alignment.id not in study.alignments:
            remark(f"these fates replace the earlier version, alignment {alignment.supersedes}")
    with open_store(address) as store:
        store.save(*alignments)
    return alignments


def _with_corrections(folder: str, hsgs: Iterable["HSG"]) -> list["HSG"]:
    from semiosis.study import correction, read_study

    study = read_study(folder)
    corrected = [correction(study, hsg) for hsg in hsgs]
    for hsg in corrected:
        if hsg.supersedes and hsg.id not in study.hsgs:
            remark(f"this reading replaces the earlier version, HSG {hsg.supersedes}")
    return corrected
