"""The asker that readers and judges share unless they are given one of their own."""

from functools import lru_cache

from semiosis.ask._asker import Asker


@lru_cache(maxsize=1)
def shared_asker() -> Asker:
    """Return the asker of this process, with one journal in the user's cache folder and one limit."""
    return Asker()
