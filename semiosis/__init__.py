"""Semiosis reads prompts and artworks as graphs of meaning and measures how much of the meaning survives.

The names below load on first use, so that `import semiosis` stays fast.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from semiosis import figures as figures
    from semiosis import stats as stats
    from semiosis import study as study
    from semiosis import tables as tables
    from semiosis.align import consensus as consensus
    from semiosis.align import diff as diff
    from semiosis.align import diff_many as diff_many
    from semiosis.align import drift as drift
    from semiosis.ask import Asker as Asker
    from semiosis.ask import Model as Model
    from semiosis.files import data as data
    from semiosis.files import image as image
    from semiosis.files import read_hsg as read_hsg
    from semiosis.judge import AlignmentJudge as AlignmentJudge
    from semiosis.judge import CitationJudge as CitationJudge
    from semiosis.judge import Examinee as Examinee
    from semiosis.judge import ScoreJudge as ScoreJudge
    from semiosis.judge import SemJudge as SemJudge
    from semiosis.read import Reader as Reader
    from semiosis.store import open_store as open_store
    from semiosis.study import compare_study as compare_study
    from semiosis.study import new_study as new_study
    from semiosis.study import read_study as read_study
    from semiosis.study import run as run
    from semiosis.values import HSG as HSG
    from semiosis.values import Alignment as Alignment
    from semiosis.values import Answer as Answer
    from semiosis.values import Box as Box
    from semiosis.values import Cascade as Cascade
    from semiosis.values import Citation as Citation
    from semiosis.values import Comparison as Comparison
    from semiosis.values import CompositeSign as CompositeSign
    from semiosis.values import DataError as DataError
    from semiosis.values import Evaluator as Evaluator
    from semiosis.values import Ground as Ground
    from semiosis.values import Grounds as Grounds
    from semiosis.values import ImageSign as ImageSign
    from semiosis.values import Interpreter as Interpreter
    from semiosis.values import MachineError as MachineError
    from semiosis.values import MissingExtraError as MissingExtraError
    from semiosis.values import ModelError as ModelError
    from semiosis.values import Outcome as Outcome
    from semiosis.values import ProviderError as ProviderError
    from semiosis.values import Question as Question
    from semiosis.values import Rating as Rating
    from semiosis.values import Reading as Reading
    from semiosis.values import Relation as Relation
    from semiosis.values import Score as Score
    from semiosis.values import Semiosis as Semiosis
    from semiosis.values import SemiosisError as SemiosisError
    from semiosis.values import Span as Span
    from semiosis.values import StoreError as StoreError
    from semiosis.values import TextSign as TextSign
    from semiosis.values import Unscored as Unscored
    from semiosis.values import UsageError as UsageError
    from semiosis.values import Verdict as Verdict
    from semiosis.values import from_json as from_json
    from semiosis.values import resolve as resolve
    from semiosis.values import text as text
    from semiosis.values import to_json as to_json

_PACKAGES = {
    "align": (
        "consensus",
        "diff",
        "diff_many",
        "drift",
    ),
    "ask": (
        "Asker",
        "Model",
    ),
    "files": (
        "data",
        "image",
        "read_hsg",
    ),
    "judge": (
        "AlignmentJudge",
        "CitationJudge",
        "Examinee",
        "ScoreJudge",
        "SemJudge",
    ),
    "read": ("Reader",),
    "store": ("open_store",),
    "study": (
        "compare_study",
        "new_study",
        "read_study",
        "run",
    ),
    "values": (
        "HSG",
        "Alignment",
        "Answer",
        "Box",
        "Cascade",
        "Citation",
        "Comparison",
        "CompositeSign",
        "DataError",
        "Evaluator",
        "Ground",
        "Grounds",
        "ImageSign",
        "Interpreter",
        "MachineError",
        "MissingExtraError",
        "ModelError",
        "Outcome",
        "ProviderError",
        "Question",
        "Rating",
        "Reading",
        "Relation",
        "Score",
        "Semiosis",
        "SemiosisError",
        "Span",
        "StoreError",
        "TextSign",
        "Unscored",
        "UsageError",
        "Verdict",
        "from_json",
        "resolve",
        "text",
        "to_json",
    ),
}
_PACKAGE_OF = {name: package for package, names in _PACKAGES.items() for name in names}

__all__ = sorted([*_PACKAGE_OF, "figures", "stats", "study", "tables"])  # noqa: PLE0605  # the table above is the only list of names


def __getattr__(name: str) -> Any:
    if name in ("figures", "stats", "study", "tables"):
        return import_module(f"semiosis.{name}")
    if name not in _PACKAGE_OF:
        raise AttributeError(f"module 'semiosis' has no attribute {name!r}")
    return getattr(import_module(f"semiosis.{_PACKAGE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__


def _register_in_ipython() -> None:
    """Let notebooks display values of Semiosis. Outside IPython this does nothing."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        import_module("semiosis._notebook").register_formatters(shell)


_register_in_ipython()
