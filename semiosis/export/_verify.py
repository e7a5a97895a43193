"""The offline verification of evidence bundles: hashes, spans, boxes, references, citations and numbers."""

import filecmp
import hashlib
import importlib.metadata
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from semiosis.export._bundle import (
    CAPTIONS,
    FIGURES_PREFIX,
    STUDY_PREFIX,
    Manifest,
    bundle_names,
    draw_figures,
    manifest_text,
    write_archive,
    write_derived,
)
from semiosis.export._provenance import count_places
from semiosis.export._select import EvidenceQuery, write_part
from semiosis.export._unpack import MANIFEST, refusal, unpack
from semiosis.files import HIDDEN_FOLDER
from semiosis.study import Problem, Study, check_study, read_study
from semiosis.values import MissingExtraError, SemiosisError, json_object


@dataclass(frozen=True)
class Verification:
    """The result of verifying a bundle."""

    manifest: Manifest
    """The manifest of the bundle."""
    manifest_sha256: str
    """The SHA-256 of the manifest, which identifies the whole bundle."""
    problems: tuple[Problem, ...]
    """The problems found; empty for a valid bundle."""
    checked: dict[str, int]
    """The numbers of files, spans, boxes, citations and recomputed files that were checked."""
    figures_by_hash_only: bool
    """Whether captions were not recomputed, because Matplotlib is not installed."""


def verify_bundle(bundle: str | Path) -> Verification:
    """Check an evidence bundle without a network. Raises DataError for a bundle that is not safe to read."""
    source = Path(bundle)
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch).resolve() / "bundle"
        unpack(source, home)
        manifest, digest = _read_manifest(home, source)
        checked = {"files": len(manifest.files)}
        problems = list(_changed_files(home, manifest))
        redrawn = True
        if not problems:
            try:
                redrawn = _recompute(home, manifest, Path(scratch).resolve(), problems, checked)
            except SemiosisError as error:
                problems.append(Problem(_bundle_place(error.where, home), error.what))
            except (RecursionError, ValidationError) as error:
                problems.append(Problem(STUDY_PREFIX, f"cannot be read: {type(error).__name__}"))
        if not problems and source.is_file():
            write_archive(home, Path(scratch) / "again.zip", manifest)
            if not filecmp.cmp(Path(scratch) / "again.zip", source, shallow=False):
                what = "the archive was changed: its headers differ from those of an export"
                problems.append(Problem(source.name, what))
    return Verification(manifest, digest, tuple(problems), checked, not redrawn)


def _read_manifest(home: Path, source: Path) -> tuple[Manifest, str]:
    blob = (home / MANIFEST).read_bytes()
    try:
        manifest = Manifest.model_validate_json(blob)
    except (ValidationError, RecursionError) as error:
        raise refusal(f"{MANIFEST} was changed: it is not the manifest of a bundle", source) from error
    return manifest, hashlib.sha256(blob).hexdigest()


def _changed_files(home: Path, manifest: Manifest) -> Iterator[Problem]:
    if (home / MANIFEST).read_text("utf-8", "replace") != manifest_text(manifest.signed()):
        yield Problem(MANIFEST, "the file was changed: its SHA-256 is not the one that it states")
        return
    names = set(bundle_names(home)) - {MANIFEST}
    for name in sorted(names | manifest.files.keys()):
        if name not in names:
            yield Problem(name, "the file is missing")
        elif name not in manifest.files:
            yield Problem(name, "the file was added: the manifest does not list it")
        else:
            blob, stated = (home / name).read_bytes(), manifest.files[name]
            if (len(blob), hashlib.sha256(blob).hexdigest()) != (stated.size, stated.sha256):
                yield Problem(name, "the file was changed: its SHA-256 is not the one in the manifest")


def _recompute(
    home: Path, manifest: Manifest, scratch: Path, problems: list[Problem], checked: dict[str, int]
) -> bool:
    """Check the study, recompute the other files and compare them. Return whether figures were redrawn."""
    # Reading a value checks that its spans cut their texts and that its boxes lie in their images.
    problems += (
        Problem(_bundle_place(problem.where, home), problem.what)
        for problem in check_study(home / STUDY_PREFIX)
    )
    if problems:
        return True
    study = read_study(home / STUDY_PREFIX)
    checked["spans"], checked["boxes"] = count_places(study)
    checked["citations"] = sum(len(verdict.citations) for verdict in study.verdicts)
    again = scratch / "again"
    part = write_part(study, study.everything().values(), again / STUDY_PREFIX)
    captions, redrawn = _captions(
        part, home, scratch, each_pair=bool(manifest.comparison or manifest.parameters)
    )
    write_derived(part, again, EvidenceQuery(manifest.query, manifest.parameters), captions)
    expected = {name for name in bundle_names(again) if not name.startswith(f"{STUDY_PREFIX}{HIDDEN_FOLDER}")}
    expected |= {f"{FIGURES_PREFIX}{name}.{form}" for name in captions for form in ("pdf", "svg")}
    for name in sorted(expected ^ manifest.files.keys()):
        what = "the file is missing" if name in expected else "the file does not belong to the study"
        problems.append(Problem(name, what))
    compared = [name for name in sorted(expected & manifest.files.keys()) if (again / name).is_file()]
    checked["recomputed files"] = len(compared)
    problems += (
        Problem(name, _mismatch_text(manifest))
        for name in compared
        if (home / name).read_bytes() != (again / name).read_bytes()
    )
    return redrawn


def _captions(study: Study, home: Path, scratch: Path, *, each_pair: bool) -> tuple[dict[str, str], bool]:
    """Return the captions, and whether they were recomputed, which needs Matplotlib."""
    try:
        return draw_figures(study, scratch / "figures", each_pair=each_pair), True
    except MissingExtraError:
        stated = json_object((home / CAPTIONS).read_bytes(), where=CAPTIONS)
        return {str(name): str(text) for name, text in stated.items()}, False


def _mismatch_text(manifest: Manifest) -> str:
    version = importlib.metadata.version("semiosis")
    what = "the file does not match the study: recomputing it gives a different file"
    versions = f" (made with semiosis {manifest.semiosis}, verified with {version})"
    return what + (versions if version != manifest.semiosis else "")


def _bundle_place(where: str, home: Path) -> str:
    """Return a path in the unpacked study as a path in the bundle."""
    place = where.replace(f"{home}/", "")
    return place if place.startswith(STUDY_PREFIX) else f"{STUDY_PREFIX}{place}"
