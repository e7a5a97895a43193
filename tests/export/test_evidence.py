"""Evidence bundles: the same bytes each time, verified offline, and refused if hostile."""

import json
import os
import re
import shutil
import stat
import subprocess
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semiosis.export import EvidenceQuery, export_evidence, verify_bundle
from semiosis.files import data
from semiosis.study import read_study
from semiosis.values import DataError, UsageError
from tests.cli.conftest import Run, run
from tests.small import make_study

__all__ = ["run"]

pytestmark = pytest.mark.slow  # exporting a bundle draws its figures

Change = Callable[[dict[str, bytes]], None]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    make_study(folder / "small")
    export_evidence(read_study(folder / "small"), folder / "evidence.zip")
    return folder / "evidence.zip"


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.create_system, entry.external_attr = 3, 0o644 << 16
    return entry


def _forged(bundle: Path, out: Path, change: Change) -> Path:
    """Write the bundle with changed files and a manifest with their hashes, as a forger would."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    change(files)
    manifest["files"] = {
        name: {"size": len(blob), "sha256": sha256(blob).hexdigest()} for name, blob in sorted(files.items())
    }
    manifest["sha256"] = ""
    empty = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    manifest["sha256"] = sha256(empty.encode()).hexdigest()
    with zipfile.ZipFile(out, "w") as archive:
        for name, blob in sorted(files.items()):
            archive.writestr(_entry(name), blob)
        archive.writestr(_entry("manifest.json"), json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return out


def _replace(name: str, old: bytes, new: bytes) -> Change:
    def change(files: dict[str, bytes]) -> None:
        found = [file for file in files if file.startswith(name) and old in files[file]]
        assert found, f"{name} has no {old!r}"
        files[found[0]] = files[found[0]].replace(old, new, 1)

    return change


def _unpacked(bundle: Path, folder: Path) -> Path:
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    return folder


def test_a_bundle_verifies_and_contains_what_a_reviewer_needs(bundle: Path) -> None:
    found = verify_bundle(bundle)
    assert found.problems == ()
    names = set(found.manifest.files)
    needed = {
        "CITATION.bib",
        "README.md",
        "citations.json",
        "evidence.csv",
        "graph.cypher",
        "provenance.json",
    }
    needed |= {"query.cypher", "latex/evidence.tex", "summary/judges.csv", "tables/nodes.csv"}
    assert needed <= names
    assert any(name.startswith("study/hsgs/") for name in names)
    assert {"files", "spans", "boxes", "citations", "recomputed files"} == set(found.checked)
    assert all(found.checked.values())


def test_two_exports_are_the_same_bytes_wherever_the_study_is(bundle: Path, tmp_path: Path) -> None:
    study = bundle.parent / "small"
    moved = tmp_path / "it's elsewhere"
    shutil.copytree(study, moved)
    for folder in (study, moved):
        export_evidence(read_study(folder), tmp_path / "again.zip")
        assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()
    export_evidence(read_study(moved), tmp_path / "folder")
    unpacked = _unpacked(bundle, tmp_path / "unpacked")
    files = [file.relative_to(unpacked) for file in unpacked.rglob("*") if file.is_file()]
    assert all((tmp_path / "folder" / name).read_bytes() == (unpacked / name).read_bytes() for name in files)
    assert verify_bundle(tmp_path / "folder").problems == ()


def test_no_file_names_the_folder_of_the_study(bundle: Path) -> None:
    assert os.fsencode(bundle.parent) not in bundle.read_bytes()


def _changed_files(folder: Path) -> list[str]:
    """Return the files in which `verify` finds a problem, the manifest if it is refused."""
    try:
        return [problem.where for problem in verify_bundle(folder).problems]
    except DataError as error:
        return [error.what.partition(" ")[0]]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_a_changed_byte_names_its_file(bundle: Path, tmp_path: Path, draw: st.DataObject) -> None:
    folder = tmp_path / "unpacked"
    if not folder.exists():
        _unpacked(bundle, folder)
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    file = folder / draw.draw(st.sampled_from(names))
    whole = file.read_bytes()
    blob = bytearray(whole)
    blob[draw.draw(st.integers(0, len(blob) - 1))] ^= draw.draw(st.integers(1, 255))
    file.write_bytes(blob)
    name = file.relative_to(folder).as_posix()
    try:
        assert name in _changed_files(folder)
    finally:
        file.write_bytes(whole)


def test_a_changed_byte_in_the_archive_names_its_file(bundle: Path, tmp_path: Path) -> None:
    blob = bytearray(bundle.read_bytes())
    with zipfile.ZipFile(bundle) as archive:
        entry = archive.getinfo("summary/judges.csv")
    blob[entry.header_offset + 30 + len(entry.filename) + 3] ^= 1
    (tmp_path / "changed.zip").write_bytes(blob)
    assert [p.where for p in verify_bundle(tmp_path / "changed.zip").problems] == [entry.filename]


def test_a_changed_header_is_found(bundle: Path, tmp_path: Path) -> None:
    blob = bytearray(bundle.read_bytes())
    blob[10] ^= 1  # the time of the first member
    (tmp_path / "changed.zip").write_bytes(blob)
    (problem,) = verify_bundle(tmp_path / "changed.zip").problems
    assert "the archive was changed" in problem.what


def test_the_latex_compiles_without_an_overfull_box(tmp_path: Path) -> None:
    sample = read_study(data("graphs/sample"))
    asked = EvidenceQuery("lost-intent", {"prompt": "rain"})  # its prompt is Chinese
    export_evidence(sample, tmp_path / "bundle", query=asked)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "evidence.tex"]
    for _ in range(2):  # the second run resolves the references
        done = subprocess.run(command, cwd=tmp_path / "bundle" / "latex", capture_output=True, check=False)
    log = (tmp_path / "bundle" / "latex" / "evidence.log").read_text("latin-1")
    assert done.returncode == 0, log[-2000:]
    assert not re.findall(r"Overfull .*|Float too large.*|.*undefined.*", log)
    text = "".join(file.read_text("utf-8") for file in (tmp_path / "bundle" / "latex").glob("*.tex"))
    assert "\\includegraphics" in text
    assert all("n = " in part for part in text.split("\\caption{")[1:] if "continued" not in part[:200])


def test_a_query_exports_everything_about_its_rows(tmp_path: Path) -> None:
    sample = read_study(data("graphs/sample"))
    asked = EvidenceQuery("lost-intent", {"prompt": "annunciation"})
    manifest = export_evidence(sample, tmp_path / "lost.zip", query=asked)
    found = verify_bundle(tmp_path / "lost.zip")
    assert found.problems == ()
    assert manifest.query == "lost-intent"
    part = read_study(_unpacked(tmp_path / "lost.zip", tmp_path / "lost") / "study")
    assert 0 < len(part.signs) < len(sample.signs)
    assert "$prompt" not in (tmp_path / "lost" / "query.cypher").read_text("utf-8")


def test_a_bundle_can_contain_one_comparison(bundle: Path, tmp_path: Path) -> None:
    study = read_study(bundle.parent / "small")
    comparison = next(iter(study.comparisons))
    export_evidence(study, tmp_path / "one", comparison=comparison)
    assert verify_bundle(tmp_path / "one").problems == ()
    assert list(read_study(tmp_path / "one" / "study").comparisons) == [comparison]
    with pytest.raises(UsageError, match="no comparison starts"):
        export_evidence(study, tmp_path / "none", comparison="zzz")


def test_a_bundle_without_names_and_without_keys(
    run: Run, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = bundle.parent / "small"
    done = run("export", "evidence", study, tmp_path / "anonymous", "--anonymise")
    assert done.code == 0, done.err
    assert verify_bundle(tmp_path / "anonymous").problems == ()
    files = [file for file in (tmp_path / "anonymous").rglob("*") if file.is_file()]
    assert not any(b"Annotator" in file.read_bytes() for file in files)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "analytical cubism")  # a text that the study contains
    with pytest.raises(DataError, match="contains a key or a password"):
        export_evidence(read_study(study), tmp_path / "leak")
    assert not (tmp_path / "leak").exists()


def test_a_folder_with_links_or_other_files_is_refused(bundle: Path, tmp_path: Path) -> None:
    folder = _unpacked(bundle, tmp_path / "unpacked")
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(DataError, match="a link"):
        verify_bundle(folder)
    (folder / "link").unlink()
    os.link(folder / "README.md", folder / "hard")
    with pytest.raises(DataError, match="a hard link"):
        verify_bundle(folder)
    (folder / "hard").unlink()
    (folder / "more.txt").write_text("x")
    (folder / "README.md").unlink()
    problems = {problem.where: problem.what for problem in verify_bundle(folder).problems}
    assert problems.keys() == {"more.txt", "README.md"}


@pytest.mark.parametrize("manifest", ["[" * 100_000, "{}", "", '{"files": 1}'], ids="{:.40}".format)
def test_a_hostile_manifest_is_refused(bundle: Path, tmp_path: Path, manifest: str) -> None:
    folder = _unpacked(bundle, tmp_path / "unpacked")
    (folder / "manifest.json").write_text(manifest)
    with pytest.raises(DataError, match=r"manifest\.json was changed"):
        verify_bundle(folder)


def _raise_a_number(files: dict[str, bytes]) -> None:
    """Add a little to the first number of the table of judges that has decimals."""
    rows = [row.split(",") for row in files["summary/judges.csv"].decode().splitlines()]
    row, column = next((r, c) for r in range(1, len(rows)) for c, cell in enumerate(rows[r]) if "." in cell)
    rows[row][column] = str(float(rows[row][column]) + 0.0001)
    files["summary/judges.csv"] = "\n".join(",".join(cells) for cells in rows).encode() + b"\n"


def _change_a_quote(files: dict[str, bytes]) -> None:
    """Change the first letter of a quote, so that its span no longer cuts it."""
    name = next(name for name in files if name.startswith("study/hsgs/"))
    before, mark, after = files[name].partition(b'"quote":"')
    files[name] = before + mark + b"#" + after[1:]


@pytest.mark.parametrize(
    ("change", "where", "what"),
    [
        (_raise_a_number, "summary/judges.csv", "does not match"),
        (_replace("graph.cypher", b"MERGE", b"MATCH"), "graph.cypher", "does not match"),
        (_change_a_quote, "study/hsgs/", " is not '"),
        (_replace("study/hsgs/", b'"x1":', b'"x1":7'), "study/hsgs/", "less than or equal to 1"),
        (_replace("study/observations/", b'"node":"', b'"node":"no'), "study/", "does not have"),
        (lambda files: files.pop("citations.json"), "citations.json", "is missing"),
        (lambda files: files.update({"study/evil.sh": b"#!"}), "study/evil.sh", "does not belong"),
        (lambda files: files.pop("study/signs.jsonl"), "study/", "does not have"),
    ],
)
def test_a_forged_bundle_with_right_hashes_is_found(
    bundle: Path, tmp_path: Path, change: Change, where: str, what: str
) -> None:
    problems = verify_bundle(_forged(bundle, tmp_path / "forged.zip", change)).problems
    assert any(one.where.startswith(where) and what in one.what for one in problems), problems
    assert not any(str(tmp_path) in one.where for one in problems)


def _add(bundle: Path, out: Path, entry: zipfile.ZipInfo, blob: bytes = b"x") -> Path:
    out.write_bytes(bundle.read_bytes())
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(entry, blob)
    return out


def _link() -> zipfile.ZipInfo:
    entry = _entry("study/link")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def _bomb() -> zipfile.ZipInfo:
    entry = _entry("study/bomb")
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        (_entry("../evil.txt"), "outside its folder"),
        (_entry("study/../../evil.txt"), "outside its folder"),
        (_entry("/evil.txt"), "outside its folder or with a bad name"),
        (_entry("C:\\evil.txt"), "outside its folder or with a bad name"),
        (_entry("study/folder/"), "outside its folder or with a bad name"),
        (_entry("readme.md"), "two files with the same name"),
        (_link(), "a link"),
        (_bomb(), "a compressed file"),
    ],
)
def test_a_hostile_bundle_is_refused(bundle: Path, tmp_path: Path, entry: zipfile.ZipInfo, what: str) -> None:
    blob = bytes(10_000_000) if entry.filename == "study/bomb" else b"" if entry.is_dir() else b"x"
    with pytest.raises(DataError, match=what):
        verify_bundle(_add(bundle, tmp_path / "hostile.zip", entry, blob))
    assert [file.name for file in tmp_path.iterdir()] == ["hostile.zip"]


def test_a_file_that_is_not_a_bundle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("not a zip")
    with pytest.raises(DataError, match="the archive cannot be read"):
        verify_bundle(tmp_path / "text.zip")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(DataError, match=r"no manifest\.json"):
        verify_bundle(tmp_path / "empty.zip")
    with pytest.raises(UsageError, match="no such bundle"):
        verify_bundle(tmp_path / "nowhere.zip")


def test_a_study_with_problems_is_not_exported(tmp_path: Path) -> None:
    study = make_study(tmp_path / "small")
    next((tmp_path / "small" / "images").iterdir()).unlink()
    with pytest.raises(DataError, match="is missing"):
        export_evidence(study, tmp_path / "evidence.zip")
    assert not (tmp_path / "evidence.zip").exists()


def test_export_and_verify_on_the_command_line(run: Run, tmp_path: Path) -> None:
    make_study(tmp_path / "small")
    out = tmp_path / "evidence.zip"
    assert run("export", "evidence", tmp_path / "small", out).code == 0
    assert "verified: " in run("verify", out).out
    changed = _forged(out, tmp_path / "forged.zip", _replace("graph.cypher", b"MERGE", b"MATCH"))
    failed = run("verify", changed)
    assert failed.code == 1
    assert "graph.cypher: the file does not match" in failed.out
    assert run("export", "csv", tmp_path / "small", tmp_path / "x", "--prompt", "a").code == 2
    asked = ("--query", "readings", "--sign", "annunciation")
    assert run("export", "evidence", *asked, tmp_path / "small", tmp_path / "asked").code == 0
    assert run("verify", tmp_path / "asked").code == 0
