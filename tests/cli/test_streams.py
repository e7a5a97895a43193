"""The command line as a process: what it imports, and streams that are closed, full or not UTF-8."""

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from semiosis.cli._streams import standard_streams
from semiosis.files import data

READINGS = data("graphs/sample/readings")
DIFF = [
    "diff",
    str(READINGS / "annunciation.standard.yaml"),
    str(READINGS / "annunciation-plainhand.standard.yaml"),
]

AT_EXIT = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from semiosis.cli import main
sys.argv = ["semiosis", *sys.argv[1:]]
main()
"""


def semiosis(*words: str, redirect: str = "", **environment: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the command line through a shell, so that a test can redirect or close its streams."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", sys.executable, "-m", "semiosis", *words],
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["diff", "--help"], ["--version"], ["no-such-command"]])
def test_help_imports_only_the_command_line(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_EXIT, *words], capture_output=True, text=True, check=False
    )
    loaded = done.stderr.splitlines()[-1].split()
    ours = {".".join(module.split(".")[:2]) for module in loaded if module.startswith("semiosis")}
    assert ours == {"semiosis", "semiosis.cli"}
    assert not {"networkx", "numpy", "scipy", "anthropic", "kglite", "neo4j", "torch"} & set(loaded)


@pytest.mark.slow
def test_version_and_module() -> None:
    done = semiosis("--version")
    assert done.stdout.decode() == f"semiosis {metadata.version('semiosis')}\n"


@pytest.mark.slow
def test_an_interrupt_while_libraries_load_is_silent(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    done = semiosis("--help", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def one_message(done: "subprocess.CompletedProcess[bytes]") -> str:
    """Return what standard error says, without the remarks of a command that works."""
    messages = done.stderr.decode()
    assert "Traceback" not in messages
    assert messages.count("error:") == 1
    return messages


@pytest.mark.slow
@pytest.mark.parametrize("redirect", [">&-", ">&- 2>&-"])
def test_a_closed_standard_output(redirect: str) -> None:
    done = semiosis("schema", "hsg", redirect=redirect)
    assert done.returncode == 1
    if redirect == ">&-":
        assert "standard output is closed" in one_message(done)


@pytest.mark.slow
def test_a_closed_standard_output_is_no_error_if_nothing_is_written(tmp_path: Path) -> None:
    done = semiosis("study", "new", str(tmp_path / "new"), redirect=">&-")
    assert done.returncode == 0
    assert b"created the study 'new'" in done.stderr
    assert b"error" not in done.stderr


@pytest.mark.slow
def test_a_file_never_becomes_the_closed_standard_output(tmp_path: Path) -> None:
    done = semiosis(*DIFF, "--save", str(tmp_path / "kept"), redirect=">&-")
    assert done.returncode == 1
    for line in (tmp_path / "kept" / "signs.jsonl").read_text(encoding="utf-8").splitlines():
        json.loads(line)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["--help"], ["schema"], [*DIFF, "--html"], ["doctor"]])
def test_a_full_standard_output(words: list[str]) -> None:
    done = semiosis(*words, redirect=">/dev/full")
    assert done.returncode == 1
    assert "cannot write to standard output: No space left on device" in one_message(done)


def print_and_write(folder: Path) -> None:
    """Print more than a buffer holds between writing files, and end as a command does."""
    with standard_streams():
        for number in range(3):
            sys.stdout.write("x" * 10_000)
            sys.stdout.flush()
            (folder / f"{number}.txt").touch()
        sys.exit(0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_work_continues_when_standard_output_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            print_and_write(tmp_path)
    assert ended.value.code == 1
    assert len(list(tmp_path.iterdir())) == 3
    assert capfd.readouterr().err == "error: cannot write to standard output: No space left on device\n"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_standard_error_does_not_stop_a_command() -> None:
    done = semiosis(*DIFF, redirect="2>/dev/full")
    assert done.returncode == 0
    assert b"Emergent" in done.stdout


@pytest.mark.slow
def test_a_pipe_that_is_closed_early_is_no_error() -> None:
    done = semiosis("schema", redirect="| true")
    assert (done.returncode, done.stderr) == (0, b"")


ENCODINGS = {
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.slow
@pytest.mark.parametrize("environment", ENCODINGS.values(), ids=ENCODINGS)
def test_text_in_another_encoding_is_escaped_and_complete(environment: dict[str, str]) -> None:
    done = semiosis(*DIFF, **environment)
    assert done.returncode == 0
    assert b"\\u0394o 0." in done.stdout
    assert b"Emergent" in done.stdout
    assert b"written as escapes" in done.stderr
    assert b"Traceback" not in done.stderr
    assert semiosis("--help", **environment).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("environment", ENCODINGS.values(), ids=ENCODINGS)
def test_documents_are_utf_8_in_every_encoding(environment: dict[str, str]) -> None:
    page = semiosis(*DIFF, "--html", **environment)
    assert "Δo" in page.stdout.decode("utf-8")
    assert b"escapes" not in page.stderr
    assert json.loads(semiosis(*DIFF, "--json", **environment).stdout)["kind"] == "alignment"
