"""`semiosis log`: requests and replies, without any key."""

from pathlib import Path

import pytest

from semiosis.study import Study
from semiosis.testing import Call, RawResponseStep, StandIn, Step, answers_from, refuses, says
from tests.cli.conftest import MODEL, Run
from tests.small import PROMPT, make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def test_exchanges_are_listed_and_shown_in_full(run: Run, small: Study) -> None:
    answers = answers_from(small.hsgs.values())
    first: list[str] = []

    def script(call: Call) -> Step:
        first.extend(call.images if not first else ())
        return refuses("No <b>thanks</b>.") if call.images and call.images[-1] == first[0] else answers(call)

    with StandIn(script) as provider:
        run("read", small.folder, *MODEL, "--base-url", provider.url)
    listed = run("log", small.folder)
    assert len(listed.out.splitlines()) == 4
    assert all("  1 reply  " in row for row in listed.out.splitlines())
    assert "anthropic/claude-sonnet-5 served as claude-sonnet-5" in listed.out
    unscored = run("log", small.folder, "--unscored")
    (line,) = unscored.out.splitlines()
    shown = run("log", small.folder, line.split()[0]).out
    assert "[picture " in shown
    assert ".png, SHA-256" in shown
    assert "REPLY 1, invalid" in shown
    assert "No <b>thanks</b>." in shown
    assert "UNSCORED\nrefusal: " in shown
    everything = "".join(run("log", small.folder, row.split()[0]).out for row in listed.out.splitlines())
    assert PROMPT in everything


def test_a_re_ask_is_shown_with_what_was_wrong(run: Run, small: Study, tmp_path: Path) -> None:
    answers = answers_from(small.hsgs.values())

    def script(call: Call) -> Step:
        return answers(call) if call.re_ask else says({"nodes": "a lily", "relations": []})

    with StandIn(script) as provider:
        done = run("read", small.folder, *MODEL, "--base-url", provider.url, "--limit", 1)
    assert (done.code, len(provider.calls)) == (0, 2)
    (line,) = run("log", small.folder).out.splitlines()
    assert "answered  2 replies" in line
    shown = run("log", small.folder, line.split()[0]).out
    first, again = shown.index("REPLY 1, invalid"), shown.index("SENT AGAIN")
    assert first < again < shown.index("REPLY 2, valid")
    assert "nodes\n  Input should be a valid" in shown[again:]
    assert "UNSCORED" not in shown
    run("log", small.folder, "--html", tmp_path / "log.html")
    assert "SENT AGAIN" in (tmp_path / "log.html").read_text("utf-8")


def test_the_page_is_escaped_and_loads_nothing(run: Run, small: Study, tmp_path: Path) -> None:
    with StandIn(lambda _: refuses("<script>alert(1)</script>")) as provider:
        run("read", small.folder, *MODEL, "--base-url", provider.url)
    assert run("log", small.folder, "--html", tmp_path / "log.html").code == 0
    page = (tmp_path / "log.html").read_text("utf-8")
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "src=" not in page.replace("default-src", "").replace("style-src", "")


def test_no_key_appears(run: Run, small: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "own-server-key-17"
    monkeypatch.setenv("SEMIOSIS_API_KEY", key)

    def echo(call: Call) -> Step:
        return RawResponseStep(
            f'{{"content": [{{"type": "text", "text": "{call.headers["x-api-key"]}"}}]}}'.encode()
        )

    with StandIn(echo) as provider:
        asked = ("--base-url", provider.url, "--journal", tmp_path / "replies.sqlite")
        run("read", f"A lily with {key}", *MODEL, *asked)
    monkeypatch.delenv("SEMIOSIS_API_KEY")  # the log must not need the key
    line = run("log", tmp_path / "replies.sqlite").out
    shown = run("log", tmp_path / "replies.sqlite", line.split()[0]).out
    assert "[key]" in shown
    assert key not in shown


@pytest.mark.parametrize("words", [("nowhere",), ("small", "ffff")])
def test_a_missing_exchange_or_journal_is_reported(
    run: Run, small: Study, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert small.folder.name == "small"
    done = run("log", *words)
    assert done.code in (1, 2)
    assert "error:" in done.err
