"""Fetches the jars the tests need, so that the tests themselves never leave this machine."""

import sys

from semiosis.store._jars import RELEASES, fetch, jar_folder, read_release


def main() -> None:
    """Fetch every part of every pinned release into the user's cache; what is there already stays."""
    jars = {jar.filename: jar for name in RELEASES for part in read_release(name).jars.values() for jar in part}
    print(f"Neo4j for the tests: {len(jars)} jars in {jar_folder()}")
    fetch(list(jars.values()), jar_folder(), _tell)
    print()


def _tell(done: int, total: int) -> None:
    sys.stdout.write(f"\r{done / 1e6:.0f} of {total / 1e6:.0f} MB")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
