"""Tables on a terminal: whole words, no hashes, no empty columns."""

import re

import pytest

from semiosis.cli._output import show_rows, show_without_ids
from semiosis.study import Study
from tests.cli.conftest import Run

FOUND = [
    {
        "id": f"8ff9e32fd615c11d953{n}/root",
        "label": "shattering message",
        "object": "the purity " * 9,
        "score": 1.5,
    }
    for n in range(3)
]
METHOD = "one cosine and one cut, version 6, wordllama"


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("narrow")
def test_a_word_is_whole_if_the_table_has_room_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows(("id", "label", "object", "score"), FOUND, "table")
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    words = {*FOUND[0], *(word for row in FOUND for value in row.values() for word in str(value).split())}
    assert {word for word in shown.split() if set(word) != {"─"}} == words


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        (("b1913af4b258", "b1913af4b258"), [METHOD, METHOD]),
        (("b1913af4b258", "0123456789ab"), [f"{METHOD}, b1913af4b258", f"{METHOD}, 0123456789ab"]),
    ],
)
def test_hashes_of_weights_are_shown_only_if_they_tell_methods_apart(
    capsys: pytest.CaptureFixture[str], weights: tuple[str, ...], shown: list[str]
) -> None:
    show_without_ids(["method", "n"], [{"method": f"{METHOD}, {digest}", "n": 1} for digest in weights])
    assert re.findall(r"one cosine[^│]*?(?=  )", capsys.readouterr().out) == shown


def test_a_search_shows_ids_only_if_asked(run: Run, small: Study) -> None:
    assert not re.search(r"[0-9a-f]{20}", run("store", "search", small.folder, "lily").out)
    assert re.search(r"[0-9a-f]{20}/", run("store", "search", small.folder, "lily", "--ids").out)
    assert '"id"' in run("store", "search", small.folder, "lily", "--json").out


def test_the_status_of_finished_work_has_no_empty_columns(run: Run, small: Study) -> None:
    header = run("status", small.folder, "--no-cost").out.splitlines()[2].split()
    assert header == ["work", "by", "done", "of", "unscored", "missing"]
