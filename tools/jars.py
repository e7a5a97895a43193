"""Download the Neo4j jars that the tests need, so that the tests need no network."""

from semiosis.local_neo4j import RELEASES, fetch_jars, jar_folder, read_release

TENTHS = set[int]()
"""The tenths of the download that have been printed."""


def main() -> None:
    """Download every part of every pinned release into the user's cache, unless it is there already."""
    parts = (part for name in RELEASES for part in read_release(name).jars.values())
    jars = {jar.filename: jar for part in parts for jar in part}
    print(f"Neo4j for the tests: {len(jars)} jars in {jar_folder()}", flush=True)
    fetch_jars(list(jars.values()), jar_folder(), _print_progress)


def _print_progress(done: int, total: int) -> None:
    if (tenth := 10 * done // total) not in TENTHS:
        TENTHS.add(tenth)
        print(f"{done / 1e6:.0f} of {total / 1e6:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
