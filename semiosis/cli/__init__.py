"""The command line: one file per verb, no logic of its own.

Data goes to standard output, progress and remarks to standard error. A failure is one message and a
non-zero exit code: 2 where the call must change, 1 otherwise; `--debug` shows the traceback.
"""

from semiosis.cli._app import app, main

__all__ = ["app", "main"]
