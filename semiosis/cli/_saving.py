"""Checks addresses, and saves readings from files; a corrected reading supersedes its earlier version."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.values import HSG


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


def _with_corrections(folder: str, hsgs: Iterable["HSG"]) -> list["HSG"]:
    from semiosis.study import correction, read_study

    study = read_study(folder)
    corrected = [correction(study, hsg) for hsg in hsgs]
    for hsg in corrected:
        if hsg.supersedes and hsg.id not in study.hsgs:
            remark(f"this reading replaces the earlier version, HSG {hsg.supersedes}")
    return corrected
