"""`semiosis align STUDY`: embedder and model, resuming, dry run, audit, refused pairs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.study import Study, new_study, read_study
from semiosis.testing import Call, StandIn, Step, fates_by_label, refuses, says
from semiosis.values import Alignment, TextSign
from tests.align.hsgs import DOVE, LILY, hsg
from tests.cli.conftest import Run
from tests.small import make_study

MODEL = ("--interpreter", "Ada", "--model", "anthropic/claude-sonnet-5")
"""Ada read one prompt and three artifacts. Bo read the same, so a model's answers would be shared."""


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


@pytest.fixture
def provider() -> Iterator[StandIn]:
    with StandIn(lambda call: says(fates_by_label(call))) as provider:
        yield provider


def alignments(study: Study, kind: str) -> list[Alignment]:
    return [found for found in read_study(study.folder).alignments.values() if found.aligner == kind]


def known(study: Study) -> int:
    return len(study.alignments)


def test_an_embedder_aligns_every_pair_once(run: Run, small: Study) -> None:
    before = known(small)
    first = run("align", small.folder)
    assert first.code == 0
    assert "a screening method" in first.err
    made = known(read_study(small.folder)) - before
    # One prompt, three artifacts, two readers.
    assert f"embedder wordllama: {made} alignments made, 0 unscored" in first.out
    assert made == 6
    assert "0 alignments made, 0 unscored" in run("align", small.folder).out
    assert known(read_study(small.folder)) == before + made


def test_a_model_aligns_and_a_rerun_pays_nothing(run: Run, small: Study, provider: StandIn) -> None:
    asked = ("align", small.folder, *MODEL, "--base-url", provider.url)
    dry = run(*asked, "--dry-run")
    assert (dry.code, provider.calls) == (0, [])
    assert "about 3 calls" in dry.err
    assert alignments(small, "model") == []
    done = run(*asked, "--limit", "2")
    assert "model anthropic/claude-sonnet-5: 2 alignments made, 0 unscored" in done.out
    assert len(provider.calls) == len(alignments(small, "model")) == 2
    run(*asked)
    assert len(provider.calls) == len(alignments(small, "model")) == 3
    assert "0 of 3 pairs to align" in run(*asked).err
    assert len(provider.calls) == 3


def test_a_refused_pair_is_counted_and_not_asked_again_unless_it_is_to_be_retried(
    run: Run, small: Study
) -> None:
    steps: Iterator[Step] = iter([refuses()])

    def first_refused(call: Call) -> Step:
        return next(steps, says(fates_by_label(call)))

    with StandIn(first_refused) as provider:
        asked = ("align", small.folder, *MODEL, "--base-url", provider.url, "--in-flight", "1")
        done = run(*asked)
        assert done.code == 3
        assert "2 alignments made, 1 unscored" in done.out
        assert run(*asked).code == 3
        assert len(provider.calls) == 3
        retried = run(*asked, "--retry-unscored")
    assert retried.code == 0
    assert len(alignments(small, "model")) == 3


def test_an_audit_aligns_all_by_the_embedder_and_some_by_the_model(
    run: Run, small: Study, provider: StandIn
) -> None:
    asked = ("align", small.folder, *MODEL, "--base-url", provider.url, "--seed", "3", "--audit")
    done = run(*asked, "2")
    assert done.code == 0
    assert "Audit of embedder wordllama against model anthropic/claude-sonnet-5" in done.out
    assert "2 pairs of 1 prompts, blind readings" in done.out
    assert "precision" in done.out
    assert "share right" in done.out
    assert len(alignments(small, "embedder")) == 3
    drawn = {found.id for found in alignments(small, "model")}
    assert len(drawn) == 2
    more = run(*asked, "3")
    assert "3 pairs of 1 prompts" in more.out
    assert drawn < {
        found.id for found in alignments(small, "model")
    }  # the larger sample contains the smaller
    assert len(provider.calls) == 3


def test_an_audit_without_a_model_is_refused(run: Run, small: Study) -> None:
    done = run("align", small.folder, "--audit", "5")
    assert done.code == 2
    assert "an audit needs a model" in done.err


def test_pairs_in_two_scripts_are_refused_and_the_rest_is_aligned(run: Run, tmp_path: Path) -> None:
    study = new_study(tmp_path / "mixed")
    prompt = TextSign(text="a prompt")
    good, bad = (TextSign(text=name, title=name, prompt=prompt.id) for name in ("good", "bad"))
    chinese = hsg(("白百合", "纯洁", "想起天真"), root=("整幅画", "圣母领报", "消息到来"), sign=bad)
    study.add([prompt, good, bad, hsg(LILY, sign=prompt), hsg(DOVE, sign=good), chinese], run="made")
    done = run("align", study.folder)
    assert done.code == 3
    assert "1 alignment made, 1 unscored" in done.out
    assert "'bad' (Cjk letters; HSG" in done.err
    assert "--embedder use-multilingual" in done.err


def test_a_study_without_readings_names_the_command_that_makes_them(run: Run, tmp_path: Path) -> None:
    study = new_study(tmp_path / "empty")
    done = run("align", study.folder)
    assert done.code == 2
    assert f"semiosis read {study.folder} --model PROVIDER/MODEL --view blind" in done.err


def test_a_model_aligns_as_a_judge_and_its_alignments_are_recorded(
    run: Run, small: Study, provider: StandIn
) -> None:
    judge = ("--judge", "align:model", *MODEL, "--base-url", provider.url)
    done = run("run", small.folder, *judge)
    assert done.code == 0, done.err
    # Three comparisons of three artifacts: each artifact is aligned once.
    assert len(provider.calls) == len(alignments(small, "model")) == 3
    assert "3 comparisons judged, 0 unscored" in done.out
    verdicts = [v for v in read_study(small.folder).verdicts if "alignment (model" in v.evaluator.name]
    assert len(verdicts) == 3
    assert all("by model anthropic/claude-sonnet-5" in verdict.rationale for verdict in verdicts)
    assert "0 of 3 pairs to align" in run("align", small.folder, *MODEL, "--base-url", provider.url).err


def test_a_judge_without_a_model_says_how_to_name_one(run: Run, small: Study) -> None:
    done = run("run", small.folder, "--judge", "align:model")
    assert done.code == 2
    assert "add --model provider/model, or align:model=MODEL" in done.err
