"""The command line. Each command has a module, which parses options and prints.

Data goes to standard output; progress and remarks go to standard error. A failure prints one message and
exits with 2 if the call must change and with 1 otherwise. `--debug` shows the traceback.
"""

import sys

try:
    from semiosis.cli._app import app, main
except KeyboardInterrupt:  # Ctrl-C while the libraries are loaded; nothing has begun
    sys.exit(130)

__all__ = ["app", "main"]
