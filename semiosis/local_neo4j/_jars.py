"""The pinned jars of a local Neo4j: downloaded once, verified by SHA-256 at every start."""

import errno
import hashlib
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from semiosis.files import cache_folder, data
from semiosis.values import MachineError, UsageError

Progress = Callable[[int, int], None]
"""A function that is called with the number of verified bytes and the total number of bytes."""

RELEASES = ("5.26.22", "2026.05.0")
"""The pinned releases: the long-term release, which is the default, and the newest one."""

_THREADS = 16
_TRIES = 3


@dataclass(frozen=True)
class Jar:
    """One pinned file: its Maven coordinates, SHA-256 and size."""

    coordinates: tuple[str, ...]
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        """The file name in the cache. It includes the group, because two groups share artifact names."""
        return "-".join(self.coordinates) + ".jar"


@dataclass(frozen=True)
class Release:
    """A pinned Neo4j Community release."""

    version: str
    main: str
    """The Java class that starts the server."""
    jars: dict[str, tuple[Jar, ...]]
    """The jars of each part: `server`, `browser` and `shell`."""


def read_release(name: str) -> Release:
    """Return a pinned release; ``name`` may be shortened, as in ``5.26``."""
    versions = [version for version in RELEASES if f"{version}.".startswith(f"{name}.")]
    if not versions:
        raise UsageError(f"no pinned Neo4j release {name!r}", fix=f"choose one of {', '.join(RELEASES)}")
    table = tomllib.loads(data(f"graphs/neo4j/{versions[0]}.toml").read_text(encoding="utf-8"))
    jars = {part: tuple(map(_jar, lines)) for part, lines in table["jars"].items()}
    return Release(version=versions[0], main=table["main"], jars=jars)


def fetch_jars(jars: Sequence[Jar], folder: Path, progress: Progress | None = None) -> list[Path]:
    """Return the path of every jar in ``folder``; download those that are missing or damaged."""
    done, total = 0, sum(jar.size for jar in jars)
    report = progress or (lambda _done, _total: None)
    report(done, total)
    paths = []
    for jar, path in zip(jars, _fetch_in_order(jars, folder), strict=True):
        done += jar.size
        report(done, total)
        paths.append(path)
    return paths


def jar_folder() -> Path:
    """Return the cache folder of jars, which all servers share."""
    return cache_folder() / "jars"


def disk_error(error: OSError, folder: Path) -> MachineError:
    """Return the error to raise when ``folder`` cannot be written."""
    if error.errno == errno.ENOSPC:
        return MachineError("the disk is full", where=str(folder), fix="free about 1 GB and start again")
    return MachineError(
        f"cannot write: {error.strerror}", where=str(folder), fix="choose a folder that you can write to"
    )


def _jar(line: str) -> Jar:
    coordinates, sha256, size = line.split()
    return Jar(coordinates=tuple(coordinates.split(":")), sha256=sha256, size=int(size))


def _fetch_in_order(jars: Sequence[Jar], folder: Path) -> Iterator[Path]:
    """Yield paths in order. Only a complete and verified download is moved into ``folder``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory(dir=folder, prefix="fetching-") as staging,
            ThreadPoolExecutor(_THREADS) as pool,
        ):
            tasks = [pool.submit(_fetch_jar, jar, folder, Path(staging)) for jar in jars]
            try:
                yield from (task.result() for task in tasks)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)
    except OSError as error:
        raise disk_error(error, folder) from error


def _fetch_jar(jar: Jar, folder: Path, staging: Path) -> Path:
    path = folder / jar.filename
    if path.exists() and _sha256(path) == jar.sha256:
        return path
    fetched = _download(jar, staging)
    if _sha256(fetched) != jar.sha256:
        raise MachineError(
            f"{jar.filename} differs from the pinned file (SHA-256)",
            fix="start again; if it happens twice, check your Maven mirror",
        )
    fetched.replace(path)
    return path


def _download(jar: Jar, staging: Path) -> Path:
    """Download with jgo, which reads the user's Maven settings; retry on network errors."""
    import requests

    for tries_left in reversed(range(_TRIES)):
        try:
            return _resolve(jar, staging)
        except requests.RequestException as error:
            if tries_left == 0:
                raise MachineError(
                    f"could not download {jar.filename} ({type(error).__name__})",
                    fix="check the network and start again; finished downloads are kept",
                ) from error
        except RuntimeError as error:
            raise MachineError(
                f"the registry does not have {jar.filename}", fix="check the settings of your Maven mirror"
            ) from error
    raise AssertionError("the last try returns or raises")


def _resolve(jar: Jar, staging: Path) -> Path:
    # Each attempt gets its own folder: jgo does not overwrite the file of a failed attempt.
    cache = Path(tempfile.mkdtemp(dir=staging))
    group, artifact, version, *classifier = jar.coordinates
    component = _maven(cache).project(group, artifact).at_version(version)
    path: Path = component.artifact(classifier="".join(classifier), packaging="jar").resolve()
    return path


def _maven(cache: Path) -> Any:
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL
    from jgo.maven import MavenContext

    repositories = {"central": MAVEN_CENTRAL_URL, **GlobalSettings.load().repositories}
    return MavenContext(repo_cache=cache, remote_repos=repositories, timeout=60)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
