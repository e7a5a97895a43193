"""The signs of the reading tests, and judges that ask a stand-in."""

from tests.read.conftest import garden, make_asker, provider

__all__ = ["garden", "make_asker", "provider"]
