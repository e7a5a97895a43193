"""`--batch` of the commands that ask a model over a study: half the price, and no request is sent twice."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.ask import Asker
from semiosis.study import Study
from semiosis.testing import answers_from
from tests.cli.conftest import MODEL, Run
from tests.small import make_study
from tests.stand_in import FullStandIn

pytestmark = pytest.mark.slow  # every test waits for batches of a whole study

EXPERIMENT = """\
reference = ["Annotator A"]
resamples = 0

[[judges]]
judge = "semjudge"
model = "anthropic/claude-sonnet-5"

[[ablation]]
hsg = "none"
model = "anthropic/claude-sonnet-5"
"""


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


@pytest.fixture(autouse=True)
def provider(small: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[FullStandIn]:
    pace = {**(Asker.__init__.__kwdefaults__ or {}), "batch_quiet": 0.05, "batch_poll": 0.005}
    monkeypatch.setattr(Asker.__init__, "__kwdefaults__", pace)
    with FullStandIn(answers_from(small.hsgs.values())) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
        yield provider


def cost(err: str) -> float:
    return float(re.findall(r"\$([0-9.]+)", err)[-1])


@pytest.mark.parametrize(
    ("words", "calls"),
    [
        (("read", *MODEL), 4),
        (("align", "--interpreter", "Ada", *MODEL), 3),
        (("run", *MODEL), 1 + 3 + 6),
        (("answer", *MODEL), 1),
        (("experiment", "experiment.toml"), (1 + 3 + 6) + 6 + 1 + 2),
    ],
)
def test_questions_go_in_batches_at_half_the_price_and_a_rerun_asks_nothing(
    run: Run,
    small: Study,
    provider: FullStandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    calls: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("experiment.toml").write_text(EXPERIMENT)
    command, *rest = words
    planned = run(command, small.folder, *rest, "--dry-run")
    halved = run(command, small.folder, *rest, "--dry-run", "--batch")
    assert provider.calls == []
    assert cost(halved.err) == pytest.approx(cost(planned.err) / 2, abs=1e-4)
    done = run(command, small.folder, *rest, "--batch")
    assert done.code == 0
    assert len(provider.calls) == sum(map(len, provider.batches.values())) == calls
    again = run(command, small.folder, *rest)
    assert again.code == 0
    assert len(provider.calls) == calls
