"""The error classes: the form of their messages, and their tree."""

import re

import pytest

from semiosis import values
from semiosis.values import (
    DataError,
    MachineError,
    MissingExtraError,
    ModelError,
    ProviderError,
    SemiosisError,
    StoreError,
    UsageError,
    _errors,
)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (DataError("wrong"), "wrong"),
        (DataError("wrong", where="a.yaml:3"), "a.yaml:3: wrong"),
        (DataError("wrong", node="n1"), "node 'n1': wrong"),
        (DataError("wrong", where="a.yaml:3", node="n1"), "a.yaml:3: node 'n1': wrong"),
        (DataError("wrong", fix="mend it"), "wrong\n  → mend it"),
        (
            DataError("wrong", where="a.yaml", node="n1", fix="mend it"),
            "a.yaml: node 'n1': wrong\n  → mend it",
        ),
        (MissingExtraError("no torch here", "local"), 'no torch here\n  → pip install "semiosis[local]"'),
        (ModelError("refused", raw="I cannot"), "refused"),
    ],
)
def test_an_error_says_where_what_and_how_to_fix_it(error: SemiosisError, message: str) -> None:
    assert str(error) == message


def test_a_model_error_carries_the_raw_reply() -> None:
    assert ModelError("refused", raw="I cannot").raw == "I cannot"
    assert MissingExtraError("no torch here", "local").extra == "local"


def drawn_tree() -> dict[str, str]:
    """Return the parent of each class in the tree that the docstring of the module draws."""
    lines = re.findall(r"^ {4}([│ ]*)(?:[├└]── )?(\w+Error)\b", _errors.__doc__ or "", re.MULTILINE)
    parents: dict[str, str] = {}
    for indent, name in lines:
        depth = len(indent) // 4 + (name != "SemiosisError")
        above = {0: "Exception", 1: "SemiosisError"}.get(depth) or list(parents)[-1]
        parents[name] = above
    return parents


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    classes = [item for item in vars(_errors).values() if isinstance(item, type)]
    assert drawn_tree() == {error.__name__: error.__mro__[1].__name__ for error in classes}


def test_every_error_is_exported() -> None:
    assert set(drawn_tree()) <= set(values.__all__)
    family = (UsageError, DataError, ModelError, ProviderError, StoreError, MachineError)
    assert all(issubclass(error, SemiosisError) for error in family)
