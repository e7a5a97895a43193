"""`semiosis diff`, as a user types it."""

import json
from pathlib import Path

import pytest

from semiosis.files import data
from semiosis.store import open_store
from semiosis.testing import StandIn, fates_by_label, refuses, says
from semiosis.values import Alignment, from_json
from tests.cli.conftest import Run

READINGS = data("graphs/sample/readings")
PROMPT, PLAIN, LACUNA = (
    READINGS / f"annunciation{name}.standard.yaml" for name in ("", "-plainhand", "-lacuna")
)
ROUNDS = [READINGS / f"birds{name}.standard.yaml" for name in ("", "-lodestar", "-overtone", "-lacuna")]


def test_a_diff_is_data_and_the_embedder_a_remark(run: Run) -> None:
    done = run("diff", PROMPT, PLAIN)
    assert done.code == 0
    assert done.out.startswith("What became of the prompt in the artifact\nΔo ")
    assert "\x1b" not in done.out
    assert "embedder: wordllama" in done.err
    assert "screening method" in done.err


def test_stat_is_one_line(run: Run) -> None:
    done = run("diff", PROMPT, PLAIN, "--stat")
    assert done.out.count("\n") == 1
    assert "n = 4 + 4 nodes" in done.out


def test_json_is_the_alignment(run: Run) -> None:
    found = from_json(run("diff", PROMPT, PLAIN, "--json").out)
    assert isinstance(found, Alignment)
    assert len(found.source.nodes) == 4


@pytest.mark.parametrize(("form", "start"), [("--html", "<!doctype html>"), ("--md", "# What became of")])
def test_html_and_markdown(run: Run, form: str, start: str) -> None:
    assert run("diff", PROMPT, PLAIN, form).out.startswith(start)


def test_three_files_are_shown_side_by_side(run: Run) -> None:
    assert "What became of the prompt in a and in b" in run("diff", PROMPT, PLAIN, LACUNA).out
    assert set(json.loads(run("diff", PROMPT, PLAIN, LACUNA, "--json").out)) == {"kind", "a", "b"}


def test_two_readings_of_one_sign_are_distinguished(run: Run) -> None:
    other = READINGS / "annunciation.complex.yaml"
    done = run("diff", PROMPT, other)
    assert "Two readings of one sign" in done.out
    assert "interpreters: Ines (synthetic reader), Tomas (synthetic reader)" in done.out
    assert "exact, one sign read by two interpreters" in " ".join(done.out.split())


def test_a_cascade_shows_where_nodes_were_lost(run: Run) -> None:
    assert run("diff", "--cascade", *ROUNDS).out.startswith("Drift along 4 rounds\n")
    assert json.loads(run("diff", "--cascade", *ROUNDS, "--json").out)["kind"] == "drift"


def test_exit_codes_distinguish_a_difference_from_a_failure(run: Run, tmp_path: Path) -> None:
    assert run("diff", PROMPT, PROMPT, "--stat", "--exit-code").code == 0
    assert run("diff", ROUNDS[0], ROUNDS[3], "--stat", "--exit-code").code == 1
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert run("diff", PROMPT, broken).code == 1
    failed = run("diff", PROMPT, broken, "--exit-code")
    assert (failed.code, failed.out) == (2, "")
    assert "error:" in failed.err
    assert run("diff", ROUNDS[0], ROUNDS[3], "--stat").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((PROMPT,), "cannot compare 1 file"),
        (ROUNDS, "--cascade"),
        ((PROMPT, PLAIN, "--html", "--md"), "choose one"),
        ((PROMPT, PLAIN, "--embedder", "nobody"), "no embedder 'nobody'"),
    ],
)
def test_invalid_calls_state_the_fix(run: Run, words: tuple[object, ...], message: str) -> None:
    done = run("diff", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_save_saves_hsgs_and_alignment(run: Run, tmp_path: Path) -> None:
    found = from_json(run("diff", PROMPT, PLAIN, "--json", "--save", tmp_path / "kept").out)
    assert isinstance(found, Alignment)
    with open_store(str(tmp_path / "kept")) as store:
        assert store.load(found.id) == found


def test_given_weights_are_used_and_those_of_another_embedder_are_refused(run: Run, tmp_path: Path) -> None:
    packaged = json.loads((data("graphs/alignment") / "wordllama.json").read_text(encoding="utf-8"))
    own = tmp_path / "weights.json"
    lengths = [length | {"cut": 0.999} for length in packaged["lengths"]]
    own.write_text(json.dumps(packaged | {"lengths": lengths}), encoding="utf-8")
    found = from_json(run("diff", PROMPT, PLAIN, "--json", "--weights", own).out)
    assert isinstance(found, Alignment)
    assert found.matches == ()
    refused = run("diff", PROMPT, PLAIN, "--embedder", "minilm", "--weights", own)
    assert refused.code != 0
    assert "these weights are for the embedder 'wordllama', not 'minilm'" in refused.err


def test_a_model_states_the_fates_and_is_asked_once(run: Run, tmp_path: Path) -> None:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        model = ("--model", "anthropic/claude-sonnet-5", "--base-url", provider.url)
        asked = (PROMPT, PLAIN, *model, "--journal", tmp_path / "replies.sqlite")
        dry = run("diff", *asked, "--dry-run")
        assert (dry.code, dry.out, provider.calls) == (0, "", [])
        assert "about 1 calls" in dry.err
        first = run("diff", *asked, "--stat")
        # The stand-in keeps nodes with equal labels, annunciation and lily: 1 + .6 of an importance of 3.
        assert first.out.startswith(
            "Δo 0.47 by model anthropic/claude-sonnet-5, 2 kept, 2 lost, 2 emergent, n = 4 + 4 nodes"
        )
        assert "screening" not in first.err
        found = from_json(run("diff", *asked, "--json").out)
        assert isinstance(found, Alignment)
        assert all(fate.why for fate in found.fates)
        assert len(provider.calls) == 1


def test_a_model_follows_a_cascade(run: Run, tmp_path: Path) -> None:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        model = ("--model", "anthropic/claude-sonnet-5", "--base-url", provider.url)
        done = run("diff", "--cascade", *ROUNDS[:3], *model, "--journal", tmp_path / "r.sqlite", "--stat")
    assert done.code == 0
    assert done.out.startswith("3 rounds: of 4 nodes of round 1")
    assert len(provider.calls) == 3  # each round with the next, and the first with the last


def test_a_model_that_refuses_is_a_failure_not_a_difference(run: Run, tmp_path: Path) -> None:
    with StandIn(lambda _: refuses()) as provider:
        model = ("--model", "anthropic/claude-sonnet-5", "--base-url", provider.url)
        done = run("diff", PROMPT, PLAIN, *model, "--journal", tmp_path / "r.sqlite", "--exit-code")
    assert (done.code, done.out) == (2, "")
    assert "was not aligned (refusal)" in done.err
