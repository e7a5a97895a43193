"""The example comparison and its page."""

from pathlib import Path

import pytest

from semiosis.report import comparison_page
from tests.report.example import Example, example


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Example:
    """Return the example comparison."""
    return example(tmp_path_factory.mktemp("pictures"))


@pytest.fixture(scope="session")
def page_file(made: Example, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of its page."""
    html = comparison_page(
        made.prompt,
        made.a,
        made.b,
        made.diff_a,
        made.diff_b,
        title="The Annunciation, in cubist manner",
        verdicts=made.verdicts,
    )
    file = tmp_path_factory.mktemp("page") / "comparison.html"
    file.write_text(html, encoding="utf-8")
    return file
