"""Saves a generated study from a process of its own: python -m tests.neo4j.saver URL HSGS."""

import sys

from semiosis.store import _neo4j, open_store
from tests.generated import study

if __name__ == "__main__":
    _neo4j.VALUES_AT_ONCE = 20  # many small transactions, so that the two writers meet often
    with open_store(sys.argv[1]) as store:
        store.save(*study(int(sys.argv[2])), study="shared")
