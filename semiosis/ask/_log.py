"""The log of this package. The command line shows its warnings; a script may configure it."""

import logging

logger = logging.getLogger("semiosis.ask")
logger.addHandler(logging.NullHandler())
