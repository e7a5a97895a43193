"""`semiosis migrate`: the migration of older files to the current version."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._output import remark


def migrate(
    files: Annotated[list[Path], typer.Argument(help="JSON or JSON Lines files, or study folders.")],
) -> None:
    """Migrate older JSON files to the current version, in place. Files that are current are not changed.

    [bold]Example[/bold]

    $ semiosis migrate old-study
    """
    from semiosis.files import migrate_file, record_files

    for given in files:
        for file in record_files(given) if given.is_dir() else [given]:
            changed = migrate_file(file)
            remark(f"{file}: {f'{changed} lines migrated' if changed else 'already at the current version'}")
