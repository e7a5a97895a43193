"""`semiosis demo`: the whole road on the bundled sample."""


def demo() -> None:
    """Run the whole road on the bundled sample study, offline.

    [bold]Example[/bold]

    $ semiosis demo
    """
