"""Saves a generated study in a separate process: python -m tests.neo4j.saver URL HSGS."""

import sys

from semiosis.store import _neo4j_store, open_store
from semiosis.values import HSG, Alignment, ImageSign, TextSign
from tests.generated import study

if __name__ == "__main__":
    _neo4j_store.VALUES_PER_TRANSACTION = 20  # many small transactions, so that the two writers meet often
    with open_store(sys.argv[1]) as store:
        kinds = TextSign | ImageSign | HSG | Alignment
        values = (value for value in study(int(sys.argv[2])) if isinstance(value, kinds))
        store.save(*values, study="shared")
