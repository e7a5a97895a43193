"""The standard streams, prepared so that no encoding, closed pipe or full disk causes a traceback."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_ESCAPE = "semiosis-escape"
_escaped: set[str] = set()


@contextmanager
def standard_streams() -> Iterator[None]:
    """Make both streams writable, and report what could not be written to standard output.

    Characters outside the encoding of standard output are written as escapes such as ``\\u0394``, and a
    message on standard error reports this at the end. If standard output is closed or full, the exit code
    is 1.
    """
    closed = _open_missing_streams()
    _escape_unencodable()
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # typer and rich exit without a message
            _fail(ended.__context__)
        _report_escapes()
        if closed:
            _message("error: standard output is closed; the output is lost")
            sys.exit(ended.code or 1)
        raise
    except OSError as error:
        if error.filename is not None:  # a file, not standard output
            raise
        _fail(error)


def _open_missing_streams() -> bool:
    """Replace closed streams by the null device, and return whether standard output was closed.

    The null device gets the free file descriptor. Otherwise the next file to be opened would get it.
    """
    closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # stays open
    return closed


def _escape_unencodable() -> None:
    codecs.register_error(_ESCAPE, _escape)
    _escaped.clear()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_ESCAPE)


def _escape(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeEncodeError)  # noqa: S101  # the handler is only used for output
    _escaped.update(error.object[error.start : error.end])
    return codecs.backslashreplace_errors(error)


def _report_escapes() -> None:
    if _escaped:
        _message(
            f"hint: {len(_escaped)} different characters were written as escapes, because the encoding of "
            f"standard output is {sys.stdout.encoding}; set PYTHONUTF8=1 to write UTF-8"
        )


def _fail(error: OSError) -> None:
    """Report that standard output failed, and exit with code 1."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    reason = "it was closed" if error.errno == errno.EPIPE else error.strerror or str(error)
    _message(f"error: cannot write to standard output: {reason}")
    sys.exit(1)


def _message(text: str) -> None:
    sys.stderr.write(f"{text}\n")
