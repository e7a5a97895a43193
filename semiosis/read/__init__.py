"""Signs become HSGs: wire schema, requests, places found from quotes, and the reader."""

from semiosis.read._reader import Reader

__all__ = ["Reader"]
