"""The command line. Each command has a module, which parses options and prints.

Data goes to standard output; progress and remarks go to standard error. A failure prints one message and
exits with 2 if the call must change and with 1 otherwise. `--debug` shows the traceback.
"""

from semiosis.cli._app import app, main

__all__ = ["app", "main"]
