"""The commands, as a user types them."""

import csv
import io
import json
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from semiosis.cli.doctor import EXTRAS
from semiosis.study import Study
from semiosis.values import KINDS, to_json
from tests.cli.conftest import Run

READING = """\
semiosis: 1
sign: {text: "A white lily in a glass of water"}
reader: Ada Example
root:
  label: still life
  sign: the whole sentence
  object: a moment of quiet
  interpretant: one breathes out
  place: {nowhere: the mood is everywhere}
  parts:
    - label: lily
      supports: it brings the quiet
      sign: white lily
      object: purity
      interpretant: something untouched
      grounds:
        symbolic: 0.8, because lilies stand for purity
      place: white lily
"""


@pytest.fixture
def reading(tmp_path: Path) -> Path:
    file = tmp_path / "reading.yaml"
    file.write_text(READING)
    return file


@pytest.mark.slow
def test_every_verb_shows_an_example(run: Run) -> None:
    from typer.main import get_command

    from semiosis.cli import app

    todo: list[tuple[tuple[str, ...], Any]] = [((), get_command(app))]
    while todo:
        words, command = todo.pop()
        if hasattr(command, "commands"):
            todo += [((*words, name), below) for name, below in command.commands.items()]
            continue
        assert f"$ semiosis {' '.join(words)}" in (command.help or ""), f"{' '.join(words)} has no example"
        assert run(*words, "--help").code == 0


def test_read_shows_an_outline(run: Run, reading: Path) -> None:
    ran = run("read", reading)
    assert ran.code == 0
    assert "lily: purity [supports: it brings the quiet]" in ran.out


def test_read_as_json_can_be_read_again(run: Run, reading: Path, tmp_path: Path) -> None:
    first = run("read", reading, "--json")
    (tmp_path / "reading.json").write_text(first.out)
    assert run("read", tmp_path / "reading.json", "--json").out == first.out


def test_read_points_at_the_wrong_line(run: Run, reading: Path) -> None:
    reading.write_text(READING.replace("place: white lily", "place: black lily"))
    ran = run("read", reading)
    assert ran.code == 1
    assert ran.out == ""
    assert "reading.yaml:18: the text does not contain these words: 'black lily'" in ran.err
    assert "A white lily in a glass of water" in ran.err
    assert "Traceback" not in ran.err


def test_read_saves_to_a_store_that_answers(run: Run, reading: Path, tmp_path: Path) -> None:
    store = tmp_path / "kept"
    assert run("read", reading, "--save", store).code == 0
    assert run("store", "save", store, reading).code == 0
    counts = json.loads(run("store", "counts", store, "--json").out)
    assert counts["nodes"]["Semiosis"] == 2
    assert counts["edges"]["HAS_PART"] == 1
    found = json.loads(run("store", "search", store, "purity", "--json").out)
    assert [row["label"] for row in found] == ["lily"]


def test_query_prints_table_csv_and_json(run: Run, small: Study) -> None:
    cypher = (
        "MATCH (g:Generator)-[:MADE]->(s:Sign) RETURN g.id AS generator, count(s) AS made ORDER BY generator"
    )
    expected = [{"generator": name, "made": 1} for name in ("broken", "literal", "symbolist")]
    assert json.loads(run("query", cypher, "--store", small.folder, "--json").out) == expected
    table = csv.DictReader(io.StringIO(run("query", cypher, "--store", small.folder, "--format", "csv").out))
    assert [row["generator"] for row in table] == ["broken", "literal", "symbolist"]
    shown = run("query", cypher, "--store", small.folder)
    assert "symbolist" in shown.out
    assert "3 rows" in shown.err


def test_a_query_takes_parameters(run: Run, small: Study) -> None:
    cypher = "MATCH (s:Sign {generator: $who}) RETURN s.kind AS kind"
    ran = run("query", cypher, "--store", small.folder, "--json", "--who", "literal")
    assert json.loads(ran.out) == [{"kind": "image"}]


def test_csv_cells_are_never_formulas(run: Run, small: Study) -> None:
    ran = run("query", "RETURN '=1+1' AS cell, 2 AS n", "--store", small.folder, "--format", "csv")
    assert list(csv.reader(io.StringIO(ran.out))) == [["cell", "n"], ["'=1+1", "2"]]


def test_a_narrow_table_becomes_records(small: Study, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    cypher = "RETURN " + ", ".join(f"'a sentence of several words' AS column{n}" for n in range(8))
    shown = run("query", cypher, "--store", small.folder).out.splitlines()
    assert [line.rstrip() for line in shown if line] == [
        f"column{n}  a sentence of several words" for n in range(8)
    ]
    wide = run("query", "RETURN 1 AS one, 'two' AS two", "--store", small.folder).out.split()
    assert wide[:2] == ["one", "two"]


@pytest.mark.slow
def test_a_library_table_hides_ids_unless_asked(small: Study, run: Run) -> None:
    hidden = run("query", "readings", "--store", small.folder)
    hsg = next(iter(small.hsgs))
    assert hsg not in hidden.out
    assert "columns with ids are hidden: hsg; show them with --ids" in hidden.err
    assert hsg in run("query", "readings", "--store", small.folder, "--ids").out
    assert hsg in run("query", "readings", "--store", small.folder, "--json").out
    assert hsg in run("query", "MATCH (h:HSG) RETURN h.id AS id", "--store", small.folder).out


def test_terminal_codes_in_data_are_inert(run: Run, small: Study) -> None:
    ran = run("query", "RETURN '\x1b[31mred' AS cell", "--store", small.folder)
    assert "\x1b[31m" not in ran.out


def test_control_characters_are_visible_in_csv(run: Run, small: Study) -> None:
    ran = run("query", "RETURN 'a\x07\x85\u202eb' AS cell", "--store", small.folder, "--format", "csv")
    assert ran.out.splitlines() == ["cell", "a⟨U+0007⟩⟨U+0085⟩⟨U+202E⟩b"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", "no-such-query"], "the library has no query 'no-such-query'"),
        (["query"], "no query was given"),
        (["query", "CREATE (n:Sign {id: 'x'})"], "this query would write"),
        (["query", "CREATE (n:Sign {id: 'x'})", "--write"], "cannot be written to"),
        (["query", "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line"], "LOAD CSV reads files"),
        (["query", "CALL dbms.shutdown()"], "is not among those that only read the graph"),
        (["query", "MATCH (n RETURN n"], "the query failed: Cypher syntax error"),
        (["query", "MATCH (n) RETURN n", "--who"], "needs a value"),
        (["query", "MATCH (n) RETURN n", "stray"], "is not an option"),
    ],
)
def test_a_bad_query_is_one_message(run: Run, small: Study, words: list[str], message: str) -> None:
    before = sorted((file, file.stat().st_mtime_ns) for file in small.folder.rglob("*.jsonl"))
    ran = (
        run(*words, "--store", small.folder)
        if words[-1] != "--who"
        else run(*words[:2], "--store", small.folder, "--who")
    )
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err.replace("\n", " ")
    assert "Traceback" not in ran.err
    assert sorted((file, file.stat().st_mtime_ns) for file in small.folder.rglob("*.jsonl")) == before


def test_a_runaway_query_is_stopped(run: Run, small: Study) -> None:
    runaway = (
        "UNWIND range(1,9999) AS a UNWIND range(1,9999) AS b UNWIND range(1,9999) AS c RETURN sum(a*b*c) AS s"
    )
    ran = run("query", runaway, "--store", small.folder, "--timeout", "0.05")
    assert ran.code == 1
    assert "ran longer than 0.05 s" in ran.err


def test_study_new_check_summary(run: Run, tmp_path: Path, small: Study) -> None:
    assert run("study", "new", tmp_path / "fresh", "--title", "Fresh").code == 0
    assert run("study", "check", tmp_path / "fresh").code == 0
    assert run("study", "new", tmp_path / "fresh").code == 2
    counts = {
        row["what"]: row["n"] for row in json.loads(run("study", "summary", small.folder, "--json").out)
    }
    assert (counts["signs"], counts["comparisons"]) == (4, 3)
    assert json.loads(run("study", "check", small.folder, "--json").out) == []


def test_study_check_fails_on_an_unsound_study(run: Run, tmp_path: Path, small: Study) -> None:
    run("study", "new", tmp_path / "unsound")
    comparison = next(iter(small.comparisons.values()))
    (tmp_path / "unsound" / "comparisons.jsonl").write_text(to_json(comparison) + "\n")
    ran = run("study", "check", tmp_path / "unsound")
    assert ran.code == 1
    assert "which the study does not have" in ran.out
    assert "3 problems" in ran.err


def test_schema_prints_one_or_all(run: Run) -> None:
    assert set(json.loads(run("schema").out)) == set(KINDS)
    assert json.loads(run("schema", "hsg").out)["properties"]["semioses"]["type"] == "array"
    assert run("schema", "nonsense").code != 0


def test_doctor_knows_the_packages_of_every_extra() -> None:
    declared: dict[str, set[str]] = {}
    for requirement in metadata.requires("semiosis") or ():
        package, _, extra = requirement.partition("; extra == ")
        if extra and not package.startswith("semiosis["):
            declared.setdefault(extra.strip("\"'"), set()).add(re.split(r"[^\w-]", package)[0])
    every = declared.pop("all")
    assert {name: set(packages) for name, packages in EXTRAS.items()} == declared
    # PyTorch and its CUDA libraries take gigabytes, so `all` leaves the extra `local` out.
    assert set().union(*(packages for name, packages in declared.items() if name != "local")) == every


def test_doctor_never_prints_a_key(run: Run, monkeypatch: pytest.MonkeyPatch, small: Study) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-very-secret")
    monkeypatch.delenv("NEO4J_URI", raising=False)
    ran = run("doctor", "--json", "--store", small.folder, "--store", small.folder / "missing.png" / "x")
    states = {row["what"]: row["state"] for row in json.loads(ran.out)}
    assert states["ANTHROPIC_API_KEY"] == "set"
    assert states[f"store {small.folder}"].startswith("opened: ")
    assert "very-secret" not in ran.out + ran.err


def test_debug_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from semiosis.values import SemiosisError

    monkeypatch.setattr(sys, "argv", ["semiosis", "--debug", "query", "no-such-query"])
    from semiosis.cli import main

    with pytest.raises(SemiosisError):
        main()


def test_without_a_store_the_message_names_the_next_step(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("query", "MATCH (n) RETURN n")
    assert ran.code == 2
    assert "semiosis demo" in ran.err
