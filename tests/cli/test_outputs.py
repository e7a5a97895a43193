"""Commands that write files replace nothing of the user, and a kill leaves the old output or the new one."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
import typer.main

from semiosis.cli._app import app
from semiosis.export import ExportFormat, verify_bundle
from semiosis.files import append_record, output_folder
from semiosis.study import read_study
from semiosis.testing import StandIn, answers_from
from semiosis.values import text
from tests.cli.conftest import MODEL, Run
from tests.small import make_study

pytestmark = pytest.mark.slow  # most outputs are made by Matplotlib, pyarrow or the embedder

MINE = b"three years of work"


@dataclass(frozen=True)
class Writer:
    """A command that writes to a path."""

    words: tuple[str, ...]
    """The command. STUDY and OUT stand for the study and the path."""
    out: str
    """A usual name of the output."""
    files: tuple[str, ...] = ("",)
    """Some of the files that it writes, relative to the output; empty for the output itself."""
    replaces_its_own: bool = False
    """Whether the command replaces its own unchanged output without `--overwrite`."""


def export_to(form: str, out: str, *options: str) -> Writer:
    return Writer(("export", form, "STUDY", "OUT", *options), out)


def folder(words: str, out: str, *files: str) -> Writer:
    return Writer(tuple(words.split()), out, files, replaces_its_own=True)


WRITERS = {
    "export graphml": export_to("graphml", "study.graphml"),
    "export dot": export_to("dot", "study.dot"),
    "export json": export_to("json", "study.jsonl"),
    "export cypher": export_to("cypher", "study.cypher"),
    "export webanno": export_to("webanno", "study.jsonld"),
    "export iiif": export_to("iiif", "manifest.json", "--base", "https://example.org/study"),
    "export csv": folder("export csv STUDY OUT", "tables", "ratings.csv", "nodes.csv", "CITATION.bib"),
    "export parquet": folder("export parquet STUDY OUT", "tables", "nodes/part-00000.parquet"),
    "export evidence": folder("export evidence STUDY OUT", "bundle", "manifest.json", "evidence.csv"),
    "export evidence, packed": Writer(
        ("export", "evidence", "STUDY", "OUT"), "bundle.zip", replaces_its_own=True
    ),
    "report": folder("report STUDY --out OUT", "site", "index.html"),
    "report, packed": folder("report STUDY --zip --out OUT", "site", "index.html", "../site.zip"),
    "figure": Writer(("figure", "judges", "STUDY", "--out", "OUT"), "figures", ("judges.pdf",)),
    "profile": Writer(("profile", "STUDY", "--figure", "OUT"), "profile.svg"),
    "log": Writer(("log", "STUDY", "--html", "OUT"), "log.html"),
    "store export": Writer(("store", "export", "STUDY", "OUT"), "study.cypher"),
    "demo": folder("demo --folder OUT", "demo", "signs.jsonl", "comparison.html"),
}


MAKE_A_STUDY = {"study new", "study subset", "store copy", "convert"}
"""Commands that make a new folder of a study, or of weights."""

RECORD = {
    "score", "study restore", "study votes",
    "read", "align", "judge", "run", "answer", "consensus", "experiment", "study add", "study remove",
    "study merge", "import votes", "import ratings", "import answers", "import scores", "import labelstudio",
    "store save", "store remove", "neo4j start", "neo4j stop",
}  # fmt: skip
"""Commands that change the record of a study or a store, or a server. They write to no other path."""

PRINT = {
    "rank", "ratings",
    "agreement", "cite", "diff", "doctor", "neo4j open", "neo4j status", "query", "schema", "stats", "status",
    "store counts", "store search", "study check", "study summary", "verify",
}  # fmt: skip
"""Commands that only print."""


def test_every_command_is_in_one_of_these_lists() -> None:
    writers = {" ".join(_without_arguments(writer)) for writer in WRITERS.values()}
    assert set(_command_names()) == writers | MAKE_A_STUDY | RECORD | PRINT


def _without_arguments(writer: Writer) -> tuple[str, ...]:
    return writer.words[:2] if writer.words[0] == "store" else writer.words[:1]


def _command_names(group: Any = None, prefix: str = "") -> Iterator[str]:
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _command_names(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}"


def test_every_export_format_is_in_the_list() -> None:
    formats = {writer.words[1] for writer in WRITERS.values() if writer.words[0] == "export"}
    assert formats == {*get_args(ExportFormat), "evidence"}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return make_study(tmp_path / "study").folder


@pytest.fixture(params=WRITERS.values(), ids=list(WRITERS))
def writer(request: pytest.FixtureRequest, run: Run, study: Path) -> Writer:
    if request.param.words[0] == "log":  # it needs an exchange
        with StandIn(answers_from(read_study(study).hsgs.values())) as provider:
            run("read", study, *MODEL, "--base-url", provider.url, "--limit", 1)
    if request.param.words[0] == "profile":
        run("align", study)
    writer: Writer = request.param
    return writer


def command(writer: Writer, study: Path, out: Path) -> list[object]:
    paths = {"STUDY": study, "OUT": out}
    return [paths.get(word, word) for word in writer.words]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, without the caches of studies."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    return {name: file.read_bytes() for name, file in files.items() if ".semiosis/" not in name}


def outputs(writer: Writer, out: Path) -> list[Path]:
    return [(out / name).resolve() if name else out for name in writer.files]


def test_files_of_the_user_are_kept(run: Run, writer: Writer, study: Path, tmp_path: Path) -> None:
    """A file is in the way of each output, and another file is beside it."""
    home = tmp_path / "home"
    out = home / writer.out
    in_the_way = outputs(writer, out)
    beside = in_the_way[0].parent / "notes.txt"
    for file in (*in_the_way, beside):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(MINE)
    before = contents(home)

    refused = run(*command(writer, study, out))
    assert refused.code == 2, refused.out + refused.err
    assert "--overwrite" in refused.err
    assert contents(home) == before

    done = run(*command(writer, study, out), "--overwrite")
    assert done.code == 0, done.err
    after = contents(home)
    assert beside.read_bytes() == MINE
    assert all(file.read_bytes() != MINE for file in in_the_way)
    assert after.keys() >= before.keys(), "nothing was deleted"


def test_nothing_is_written_into_a_study(run: Run, writer: Writer, study: Path) -> None:
    before = contents(study)
    for out in (study / writer.out, study / "images" / writer.out):
        done = run(*command(writer, study, out), "--overwrite")
        assert done.code == 2, done.err
        assert "is a study" in done.err
        assert contents(study) == before


def test_a_study_is_not_made_an_output_folder(run: Run, study: Path) -> None:
    before = contents(study)
    for words in (("export", "csv", study, study), ("report", study, "--out", study)):
        done = run(*words, "--overwrite")
        assert (done.code, contents(study)) == (2, before), done.err


def test_a_command_knows_its_own_output_paths(run: Run, writer: Writer, study: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    out = home / writer.out
    assert run(*command(writer, study, out)).code == 0
    if writer.replaces_its_own:
        done = run(*command(writer, study, out))
        assert done.code == 0, done.err
        target = outputs(writer, out)[0]
        target.write_bytes(target.read_bytes() + b" ")  # the user changes one byte
    before = contents(home)
    refused = run(*command(writer, study, out))
    assert (refused.code, contents(home)) == (2, before), refused.err
    assert run(*command(writer, study, out), "--overwrite").code == 0
    assert {*outputs(writer, out)} <= {home.resolve() / name for name in contents(home)}


KEYS = {
    "OpenAI": "sk-proj-" + "a1B2" * 10,
    "Anthropic": "sk-ant-api03-" + "x_Y-" * 20,
    "Google": "AIza" + "Sy5" * 11 + "zz",
    "Hugging Face": "hf_" + "aB1" * 11,
    "a password": "open-sesame-now",
}


@pytest.mark.parametrize("key", KEYS.values(), ids=list(KEYS))
@pytest.mark.parametrize("name", ["export csv", "export cypher", "export evidence", "report", "store export"])
def test_a_study_with_a_key_is_not_published(
    run: Run, study: Path, tmp_path: Path, name: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", KEYS["a password"])
    append_record(study, [text(f"A lily, with {key} on its stem")])
    done = run(*command(WRITERS[name], study, tmp_path / "out"))
    assert (done.code, list(tmp_path.glob("out*"))) == (1, []), done.err
    assert "the text contains a key or a password" in done.err
    assert key not in done.err


@pytest.mark.parametrize(
    "words", [("study", "subset", "STUDY", "OUT", "--prompt", "x"), ("store", "copy", "STUDY", "OUT")]
)
def test_a_study_is_not_made_of_the_users_folder(
    run: Run, study: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "signs.jsonl").write_bytes(MINE)
    done = run(*command(Writer(words, ""), study, mine))
    assert (done.code, contents(mine)) == (2, {"signs.jsonl": MINE}), done.err
    assert "this folder is not empty" in done.err


def test_other_files_in_an_output_folder_stay(run: Run, study: Path, tmp_path: Path) -> None:
    """Only files that the list of the folder names are replaced, or removed if the new output lacks them."""
    out = tmp_path / "tables"
    with output_folder(out, "semiosis export csv") as draft:
        (draft / "old").mkdir()
        (draft / "old" / "stale.csv").write_text("a table that is no longer written")
    (out / "notes.txt").write_bytes(MINE)
    (out / "mine").mkdir()
    assert run("export", "csv", study, out).code == 0
    assert not (out / "old").exists()
    assert (out / "notes.txt").read_bytes() == MINE
    assert (out / "mine").is_dir()


@pytest.mark.parametrize("step", ["before", "after"])
@pytest.mark.parametrize("form", ["csv", "evidence"])
def test_a_killed_export_leaves_the_old_output_or_the_new_one(
    run: Run, study: Path, tmp_path: Path, form: str, step: str
) -> None:
    """The process is killed just before the new output takes the place of the old one, or just after that."""
    out = tmp_path / "out"
    assert run("export", form, study, out).code == 0
    old = contents(out)
    remove_an_observation(run, study)
    kill_at(step, "export", form, study, out)
    killed = contents(out)
    assert form != "evidence" or verify_bundle(out).problems == ()
    assert run("export", form, study, out).code == 0
    assert killed == (old if step == "before" else contents(out))
    assert contents(out) != old


def remove_an_observation(run: Run, study: Path) -> None:
    """Change the study, so that its exports change."""
    observation = next(iter(read_study(study).observations))
    assert run("study", "remove", study, observation, "--dependents").code == 0


def test_a_kill_between_two_files_is_repaired_by_the_next_run(run: Run, study: Path, tmp_path: Path) -> None:
    """With files of the user in the folder, files are replaced one by one."""
    out, again = tmp_path / "out", tmp_path / "again"
    assert run("export", "csv", study, out).code == 0
    (out / "notes.txt").write_bytes(MINE)
    remove_an_observation(run, study)
    kill_at("first file", "export", "csv", study, out)
    assert run("export", "csv", study, out).code == 0
    assert run("export", "csv", study, again).code == 0
    assert contents(out) == contents(again) | {"notes.txt": MINE}


def kill_at(step: str, *words: object) -> None:
    """Run a command in another process, and kill the process when it reaches this step of publishing."""
    code = f"""if True:
        import sys
        from pathlib import Path
        from semiosis.cli import main
        from semiosis.files import _output_paths
        def wait_here(*arguments):
            print("reached", flush=True)
            sys.stdin.read()
        def replace_one_file(*arguments):
            replace = Path.replace
            def replace_and_wait(draft, target):
                replace(draft, target)
                if target.suffix == ".csv":
                    wait_here()
            Path.replace = replace_and_wait
            publish(*arguments)
        publish = _output_paths._publish
        steps = {{
            "before": wait_here,
            "after": lambda *arguments: (publish(*arguments), wait_here()),
            "first file": replace_one_file,
        }}
        _output_paths._publish = steps[{step!r}]
        sys.argv = {["semiosis", *map(str, words)]!r}
        main()
    """
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "reached\n"
        process.kill()
