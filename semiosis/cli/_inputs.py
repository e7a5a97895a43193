"""The interpretation of command-line arguments as an HSG, an image, a text file or a text."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from semiosis.study import Study
    from semiosis.values import HSG, Detail, ImageSign, TextSign

JudgeOption = Annotated[
    list[str] | None, typer.Option(help="Only this judge or scorer; people stay. May be repeated.")
]
WithoutOption = Annotated[
    list[str] | None, typer.Option(help="Leave out this judge, scorer or person. May be repeated.")
]

_HSGS = (".yaml", ".yml", ".json")
_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif")
_TEXTS = (".txt", ".md")
_OTHER_FILES = (
    *(".tif", ".tiff", ".bmp", ".svg", ".heic", ".heif", ".avif", ".ico", ".psd", ".jxl", ".pdf"),
    *(".csv", ".tsv", ".jsonl", ".toml", ".xml", ".html", ".doc", ".docx", ".odt", ".rtf", ".zip"),
)
_MAX_TEXT_BYTES = 1_000_000
_MAX_SUFFIX_LENGTH = 6


def read_selected(
    folder: str | Path, judge: list[str] | None = None, without: list[str] | None = None
) -> "Study":
    """Return a study without the evaluators that `--judge` and `--without` leave out."""
    from semiosis.study import read_study, select_evaluators

    return select_evaluators(read_study(folder), judge or (), without or ())


def sign_or_hsg(what: str, *, as_text: bool = False) -> "HSG | TextSign | ImageSign":
    """Return the sign or HSG that an argument names.

    An argument that looks like an unreadable file raises UsageError and is never taken as a text.
    """
    from pydantic import ValidationError

    from semiosis.values import DataError, format_error

    try:
        return _sign_or_hsg(what, as_text=as_text)
    except ValidationError as error:  # such as a text with an escape code, or a name that is not UTF-8
        raise DataError(format_error(error), where=ascii(what), fix="remove it, or rename the file") from None


def _sign_or_hsg(what: str, *, as_text: bool) -> "HSG | TextSign | ImageSign":
    from semiosis.files import image, read_hsg
    from semiosis.values import UsageError, text

    if not what.strip():
        raise UsageError("the text is empty", fix="give a text, an image, or an HSG in YAML or JSON")
    suffix = Path(what.strip()).suffix.lower()
    if as_text:
        return text(_utf8(what))
    if suffix in _HSGS:
        return read_hsg(what)
    if suffix in _IMAGES:
        return image(what)
    if suffix in _TEXTS:
        return text(_file_text(what))
    if looks_like_path(what):
        raise UsageError(
            f"{what!r} looks like a file, but not one that can be read",
            fix="give a PNG, JPEG, WebP or GIF image, a .txt file, or an HSG in YAML or JSON; "
            "if this is the text itself, add --text",
        )
    return text(_utf8(what))


def in_study(command: str, folder: str | Path) -> str:
    """Return a text in which STUDY is replaced by the study's folder, quoted for a shell."""
    return command.replace("STUDY", shlex.quote(str(folder)))


def looks_like_path(what: str) -> bool:
    """Return whether an argument is more likely a path than a text to read.

    >>> looks_like_path("photo.tiff"), looks_like_path("A lily. White."), looks_like_path("images/one")
    (True, False, True)
    """
    suffix = Path(what.strip()).suffix
    if suffix.lower() in _OTHER_FILES or _exists(what):
        return True
    one_word = len(what.split()) == 1
    named = 1 < len(suffix) <= _MAX_SUFFIX_LENGTH and suffix[1:].isalnum()
    return one_word and (named or "/" in what or "\\" in what)


def detail_of(detail: str) -> "Detail":
    """Return the level of detail that an option names."""
    from semiosis.values import DETAILS, UsageError

    for known in DETAILS:
        if known == detail:
            return known
    raise UsageError(f"there is no level of detail {detail!r}", fix=f"choose {' or '.join(DETAILS)}")


def _utf8(what: str) -> str:
    """Return the text. Raises UsageError if the terminal sent bytes that are not UTF-8."""
    from semiosis.values import UsageError

    try:
        what.encode()
    except UnicodeEncodeError:
        raise UsageError(
            f"the text is not UTF-8: {what!a}", fix="convert it to UTF-8, or give it as a file"
        ) from None
    return what


def _exists(what: str) -> bool:
    try:
        return Path(what).exists()
    except (OSError, ValueError):  # too long for a path
        return False


def _file_text(what: str) -> str:
    from semiosis.files import read_text
    from semiosis.values import DataError

    try:
        content = read_text(Path(what), _MAX_TEXT_BYTES, "the text file")
    except DataError as error:
        raise DataError(
            error.what, where=what, fix="give a UTF-8 text file; if this is the text itself, add --text"
        ) from error
    if not content.strip():
        raise DataError("the text file is empty", where=what, fix="write the text into it")
    return content
