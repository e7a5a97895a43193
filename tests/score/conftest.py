"""The fixtures of other packages that tests of scorers use, too."""

from tests.cli.conftest import run
from tests.read.conftest import garden

__all__ = ("garden", "run")
