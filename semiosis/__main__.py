"""Runs the command line: `python -m semiosis`."""

from semiosis.cli import main

if __name__ == "__main__":
    main()
