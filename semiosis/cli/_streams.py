"""The standard streams, prepared so that no encoding, closed pipe or full disk causes a traceback."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ESCAPE = "semiosis-escape"


class _Descriptor(io.FileIO):
    """A file descriptor that stores its first failure instead of raising it, and drops all later output.

    A command whose output cannot be written therefore completes its work, such as writing files.
    """

    failure: OSError | None = None

    def write(self, data: "ReadableBuffer", /) -> int:
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


@contextmanager
def standard_streams() -> Iterator[None]:
    """Make both streams writable, and report failures of standard output at the end.

    Characters outside the encoding of standard output are written as escapes such as ``\\u0394``, and a
    message on standard error reports this at the end. If standard output is closed or full, the exit code
    is 1. A pipe whose reader ended, such as `head`, is no error.
    """
    _open_missing_streams()
    before = sys.stdout, sys.stderr
    output, _ = _keep_failure("stdout"), _keep_failure("stderr")
    escaped = _escape_unencodable()
    try:
        yield
    except SystemExit as ended:
        sys.stdout.flush()
        _report_escapes(escaped)
        if not output or not output.failure or output.failure.errno == errno.EPIPE:
            raise  # a reader such as `head` that has seen enough is not an error
        _message(f"error: {_reason(output.failure)}")
        sys.exit(ended.code or 1)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout, sys.stderr = before


def _open_missing_streams() -> None:
    """Give each closed stream a descriptor that cannot be written to.

    Otherwise, the next file that is opened would get the free descriptor, and with it the output of the
    command.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            unwritable = io.FileIO(os.open(os.devnull, os.O_RDONLY), "w")
            setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(unwritable), encoding="utf-8"))


def _keep_failure(name: str) -> _Descriptor | None:
    """Replace a stream that is a file or a pipe by one that stores its failure; return its descriptor."""
    stream = getattr(sys, name)
    if not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        return None
    if not isinstance(getattr(stream.buffer, "raw", stream.buffer), io.FileIO):
        return None  # a stream in memory has no descriptor
    stream.flush()
    descriptor = _Descriptor(stream.fileno(), "w", closefd=False)
    writer = io.TextIOWrapper(
        io.BufferedWriter(descriptor),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    setattr(sys, name, writer)
    return descriptor


def _escape_unencodable() -> set[str]:
    """Let standard output write escapes, and return the set of escaped characters, which is filled then."""
    escaped: set[str] = set()

    def escape(error: UnicodeError) -> tuple[str | bytes, int]:
        assert isinstance(error, UnicodeEncodeError)  # noqa: S101  # the handler is only used for output
        escaped.update(error.object[error.start : error.end])
        return codecs.backslashreplace_errors(error)

    codecs.register_error(_ESCAPE, escape)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_ESCAPE)
    return escaped


def _report_escapes(escaped: set[str]) -> None:
    if escaped:
        count = len(escaped)
        counted = "1 character was" if count == 1 else f"{count} different characters were"
        _message(
            f"hint: {counted} written as escapes, because the encoding of "
            f"standard output is {sys.stdout.encoding}; set PYTHONUTF8=1 to write UTF-8"
        )


def _reason(error: OSError) -> str:
    if error.errno == errno.EBADF:
        return "standard output is closed; the output is lost"
    return f"cannot write to standard output: {error.strerror or error}"


def _message(text: str) -> None:
    sys.stderr.write(f"{text}\n")
