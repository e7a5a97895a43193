"""Results print as one line and turn into plain JSON types."""

from typing import Literal, get_origin

import pytest

from semiosis import probe, stats
from semiosis.stats._estimate import undefined


def test_estimates_print_as_one_line() -> None:
    result = stats.krcc(["a", "b", "a", "b"], ["a", "b", "b", ""], list("ppqq"), resamples=100, seed=1)
    assert str(result) == (
        "KRCC 0.000, no interval: an interval needs at least 5 prompts (or items); there are only 2, "
        "n = 3, 1 unscored, bounds 0.000 to 0.500"
    )
    assert "\n" not in str(stats.bradley_terry([("x", "y", "a")]))


def test_numbers_become_plain_json_types() -> None:
    found = stats.as_dict(
        probe.semvar(aa=[1.0], vv=[1.0], ii=[1.0], va=[0.0], av=[0.0], ia=[1.0], ai=[float("nan")])
    )
    assert found == {"alignment": [1.0], "gamma_w": [2.0], "gamma_wo": [None], "kappa": [None]}
    assert stats.as_dict(undefined("why")) == {"unscored": "undefined", "detail": "why"}


@pytest.mark.parametrize("name", stats.__all__)
def test_every_export_exists_and_is_documented(name: str) -> None:
    thing = getattr(stats, name)
    if not name.isupper() and get_origin(thing) is not Literal:  # Literals have no docstring
        assert thing.__doc__
