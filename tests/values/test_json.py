"""JSON in and out: exact round trips, versions, ids, schemas, migration."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.values import MODELS, from_json, to_json
from tests.strategies import by_kind


def test_there_is_a_strategy_for_every_kind() -> None:
    assert set(by_kind) == set(MODELS)


@pytest.mark.parametrize("kind", MODELS)
@given(data=st.data())
def test_every_value_comes_back_exactly(kind: str, data: st.DataObject) -> None:
    value = data.draw(by_kind[kind])
    line = to_json(value)
    back = from_json(line)
    assert back == value
    assert back.id == value.id
    assert to_json(back) == line
