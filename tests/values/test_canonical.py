"""The canonical form is RFC 8785 whichever way it is written."""

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from semiosis.values import canonical

_text = st.text() | st.sampled_from(("e-05", "1234567890123456", "\x7f", "\ufb01", "😀"))
_number = st.integers(-(2**53) + 1, 2**53 - 1) | st.integers(-(10**9), 10**9).map(lambda n: n / 1e6)
_json = st.recursive(
    st.none() | st.booleans() | _number | _text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_text, inner, max_size=4),
    max_leaves=12,
)


@given(_json)
def test_it_is_what_the_reference_implementation_writes(content: object) -> None:
    try:
        expected = rfc8785.dumps(content)  # type: ignore[arg-type]  # its type of JSON is private
    except rfc8785.CanonicalizationError:
        with pytest.raises(rfc8785.CanonicalizationError):
            canonical(content)
        return
    assert canonical(content) == expected


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (1e-6, b"0.000001"),
        (0.00001, b"0.00001"),
        (1.0, b"1"),
        (-0.0, b"0"),
        (1e21, b"1e+21"),
        (1e16, b"10000000000000000"),
        (0.1, b"0.1"),
    ],
)
def test_numbers_are_written_as_in_javascript(number: float, written: bytes) -> None:
    assert canonical(number) == written
