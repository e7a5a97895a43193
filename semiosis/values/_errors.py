"""The errors of Semiosis, divided by who must act.

    SemiosisError                 anything this library raises on purpose
    ├── UsageError                the call is invalid: an unknown query, a missing parameter
    │   └── MissingExtraError     an optional part is not installed; the message names the command
    ├── DataError                 a file or value is wrong; names the file, the line or node, and the fix
    ├── ModelError                a model misbehaved; carries its raw reply
    ├── ProviderError             a model's provider is down, or refuses the key
    ├── StoreError                a graph database refused or failed
    └── MachineError              the disk is full or read-only, a port is taken, another process is writing

Each error says what happened (``what``), where (``where``: a file, perhaps with a line), at which node
(``node``) and what to do next (``fix``).
"""


class SemiosisError(Exception):
    """Anything this library raises on purpose."""

    def __init__(self, what: str, *, where: str = "", node: str = "", fix: str = "") -> None:
        self.what = what
        self.where = where
        self.node = node
        self.fix = fix
        super().__init__(what)

    def __str__(self) -> str:
        place = ": ".join(part for part in (self.where, self.node and f"node {self.node!r}") if part)
        message = f"{place}: {self.what}" if place else self.what
        return f"{message}\n  → {self.fix}" if self.fix else message


class UsageError(SemiosisError):
    """The call is invalid: an unknown name, a missing parameter, a contradiction."""


class MissingExtraError(UsageError):
    """An optional part of Semiosis is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, fix=f'pip install "semiosis[{extra}]"')
        self.extra = extra


class DataError(SemiosisError):
    """A file or value is wrong."""


class ModelError(SemiosisError):
    """A model misbehaved: it refused, was cut off, or answered outside the schema."""

    def __init__(self, what: str, *, raw: str = "", where: str = "", node: str = "", fix: str = "") -> None:
        super().__init__(what, where=where, node=node, fix=fix)
        self.raw = raw


class ProviderError(SemiosisError):
    """A model's provider is down, stays overloaded, or refuses the key."""


class StoreError(SemiosisError):
    """A graph database refused or failed."""


class MachineError(SemiosisError):
    """The machine failed: the disk is full or read-only, a port is taken, another process is writing."""
