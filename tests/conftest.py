"""What every test shares: nothing leaves this machine, and no key of the user's is in reach."""

import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from semiosis.testing import only_loopback

_KEYS = {"ANTHROPIC_API_KEY": "test-key", "OPENAI_API_KEY": "test-key"}


@pytest.fixture(autouse=True, scope="session")
def _offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    cache: Path = tmp_path_factory.mktemp("cache")
    environment = {
        name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_BASE_URL"))
    }
    environment |= {**_KEYS, "SEMIOSIS_CACHE": str(cache), "HF_HUB_OFFLINE": "1"}
    with mock.patch.dict(os.environ, environment, clear=True), only_loopback():
        yield
