"""Fixtures that the tests of this package share."""

import pytest

from semiosis.values import HSG, Box, CompositeSign, Span, UnresolvedPlace
from tests.strategies import a_reading, a_semiosis, a_text, an_image


@pytest.fixture
def composite() -> CompositeSign:
    """A prompt with a reference image."""
    return CompositeSign(parts=(a_text(), an_image()))


@pytest.fixture
def placed_hsg(composite: CompositeSign) -> HSG:
    """One node with one span in a composite sign."""
    root = a_semiosis("x", places=(Span(part=0, start=2, end=7, quote="white"),))
    return HSG(composite, {"root": root}, [], a_reading())


@pytest.fixture
def full_hsg(composite: CompositeSign) -> HSG:
    """One node with a value in every field."""
    node = a_semiosis(
        "x",
        places=(
            Span(part=0, start=2, end=7, quote="white"),
            Box(part=1, x0=0.1, y0=0.2, x1=0.4, y1=0.6),
        ),
        unresolved=(UnresolvedPlace(part=1, claim="900 0 1000 1200", reason="outside"),),
        dynamic_object="d",
        nowhere="n",
    )
    return HSG(composite, {"root": node}, [], a_reading())
