"""Semiosis reads prompts and artworks as graphs of meaning and measures how much of the meaning survives.

Names load when they are first used, so that `import semiosis` stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semiosis.align import diff as diff
    from semiosis.align import diff_many as diff_many
    from semiosis.ask import Asker as Asker
    from semiosis.ask import Model as Model
    from semiosis.files import data as data
    from semiosis.files import image as image
    from semiosis.files import read_hsg as read_hsg
    from semiosis.judge import CitationJudge as CitationJudge
    from semiosis.judge import Examinee as Examinee
    from semiosis.judge import ScoreJudge as ScoreJudge
    from semiosis.judge import SemJudge as SemJudge
    from semiosis.read import Reader as Reader
    from semiosis.store import open_store as open_store
    from semiosis.study import read_study as read_study
    from semiosis.values import HSG as HSG
    from semiosis.values import Alignment as Alignment
    from semiosis.values import Box as Box
    from semiosis.values import Cascade as Cascade
    from semiosis.values import Comparison as Comparison
    from semiosis.values import CompositeSign as CompositeSign
    from semiosis.values import Ground as Ground
    from semiosis.values import Grounds as Grounds
    from semiosis.values import ImageSign as ImageSign
    from semiosis.values import Interpreter as Interpreter
    from semiosis.values import Reading as Reading
    from semiosis.values import Relation as Relation
    from semiosis.values import Semiosis as Semiosis
    from semiosis.values import SemiosisError as SemiosisError
    from semiosis.values import Span as Span
    from semiosis.values import TextSign as TextSign
    from semiosis.values import Unscored as Unscored
    from semiosis.values import Verdict as Verdict
    from semiosis.values import from_json as from_json
    from semiosis.values import resolve as resolve
    from semiosis.values import text as text
    from semiosis.values import to_json as to_json

_ROOMS = {
    "align": ("diff", "diff_many"),
    "ask": ("Asker", "Model"),
    "files": ("data", "image", "read_hsg"),
    "judge": ("CitationJudge", "Examinee", "ScoreJudge", "SemJudge"),
    "read": ("Reader",),
    "store": ("open_store",),
    "study": ("read_study",),
    "values": (
        "HSG",
        "Alignment",
        "Box",
        "Cascade",
        "Comparison",
        "CompositeSign",
        "Ground",
        "Grounds",
        "ImageSign",
        "Interpreter",
        "Reading",
        "Relation",
        "Semiosis",
        "SemiosisError",
        "Span",
        "TextSign",
        "Unscored",
        "Verdict",
        "from_json",
        "resolve",
        "text",
        "to_json",
    ),
}
_HOME = {name: room for room, names in _ROOMS.items() for name in names}

__all__ = sorted(_HOME)  # noqa: PLE0605  # the table above is the one list of names


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'semiosis' has no attribute {name!r}")
    return getattr(import_module(f"semiosis.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
