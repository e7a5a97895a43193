"""`--language`, and that readings with other prompts or in other languages are never pooled."""

from pathlib import Path

import pytest

from semiosis.align import UnmeasuredLanguageWarning, diff
from semiosis.files import STUDY_FILE
from semiosis.study import (
    ReadingRule,
    Study,
    alignment_pairs,
    comparison_case,
    new_study,
    read_study,
    study_alignments,
    study_rule,
)
from semiosis.testing import StandIn
from semiosis.values import HSG, Interpreter, Reading, UsageError
from tests.cli.conftest import MODEL, Run
from tests.small import make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


@pytest.mark.parametrize("command", ["read", "run"])
def test_the_studys_language_is_the_default(command: str, run: Run, small: Study, provider: StandIn) -> None:
    _set_language(small, "de")
    done = run(command, small.folder, *MODEL, "--base-url", provider.url)
    assert done.code == 0
    assert all("in German." in call.text for call in provider.calls)
    made = [hsg for hsg in read_study(small.folder).hsgs.values() if hsg.reading.interpreter.kind == "model"]
    assert {hsg.reading.language for hsg in made} == {"de"}
    again = run(command, small.folder, *MODEL, "--base-url", provider.url, "--language", "de")
    assert again.code == 0
    assert "0 calls" in again.err or "0 readings to make" in again.err or "0 of 3" in again.err


@pytest.mark.slow
@pytest.mark.parametrize("command", ["read", "run"])
def test_a_study_has_one_language(command: str, run: Run, small: Study, provider: StandIn) -> None:
    _set_language(small, "de")
    asked = (command, small.folder, *MODEL, "--base-url", provider.url)
    refused = run(*asked, "--language", "fr")
    assert refused.code == 2
    assert "the language of this study is 'de', not 'fr'" in refused.err
    assert "leave --language out" in refused.err
    _set_language(small, "tlh")
    assert "the language 'tlh' is not known" in run(*asked).err
    assert not provider.calls


def test_without_a_stated_language_the_first_readings_determine_it(
    run: Run, small: Study, provider: StandIn
) -> None:
    asked = (small.folder, *MODEL, "--base-url", provider.url)
    assert run("read", *asked, "--language", "de").code == 0
    refused = run("read", *asked, "--language", "fr")
    assert refused.code == 2
    assert "the language of this study is 'de', not 'fr'" in refused.err
    assert run("run", *asked, "--judge", "semjudge:blind").code == 0
    assert all("in German." in call.text for call in provider.calls)


def test_a_language_is_stated_when_a_study_is_made(run: Run, tmp_path: Path) -> None:
    assert run("study", "new", tmp_path / "one", "--language", "zh-Hant").code == 0
    assert read_study(tmp_path / "one").language_for() == "zh-Hant"
    with pytest.raises(UsageError, match="the language 'klingon' is not known"):
        new_study(tmp_path / "two", language="klingon")
    assert not (tmp_path / "two").exists()


def test_one_comparison_is_judged_in_a_language(run: Run, small: Study, provider: StandIn) -> None:
    prompt, a, b = list(small.signs.values())[:3]
    files = [getattr(sign, "path", "") for sign in (a, b)]
    asked = ("judge", "--prompt", getattr(prompt, "text", ""), *files, *MODEL, "--base-url", provider.url)
    asked += ("--journal", small.folder / "replies.sqlite")
    assert run(*asked, "--language", "it", "--judge", "semjudge:blind").code == 0
    assert len(provider.calls) == 5
    assert all("in Italian." in call.text for call in provider.calls)


def _read_with(small: Study, version: int, language: str = "", signs: int = 4) -> list[HSG]:
    """Return readings as a model made them with a version of the prompts."""
    reader = Interpreter(kind="model", name="anthropic/m", prompt_version=f"hsg/{version}")
    reading = Reading(interpreter=reader, language=language)
    known = [small.readings(sign)[0] for sign in list(small.signs)[:signs]]
    return [HSG(hsg.sign, hsg.semioses, hsg.relations, reading) for hsg in known]


def _versions(study: Study, rule: ReadingRule) -> set[str]:
    hsgs = comparison_case(study, next(iter(study.comparisons.values())), rule).hsgs()
    assert isinstance(hsgs, tuple)
    return {hsg.reading.interpreter.prompt_version for hsg in hsgs}


def test_readings_of_two_versions_are_never_pooled(small: Study) -> None:
    both = small.add([*_read_with(small, 1), *_read_with(small, 2, "en")], run="both")
    rule = ReadingRule(interpreter="anthropic/m")
    chosen = study_rule(both, rule)
    assert (chosen.rule.prompts, chosen.left_out) == ("hsg/2", ("4 readings with prompts hsg/1",))
    assert _versions(both, chosen.rule) == {"hsg/2"}
    assert _versions(both, ReadingRule(interpreter="anthropic/m", prompts="hsg/1")) == {"hsg/1"}
    few = small.add([*_read_with(small, 1), *_read_with(small, 2, "en", signs=1)], run="few")
    assert study_rule(few, rule).rule.prompts == "hsg/1"
    assert study_rule(small, ReadingRule()).left_out == ()


def test_readings_of_the_other_view_do_not_count(small: Study) -> None:
    blind = _read_with(small, 2, "en")
    prompt, *artifacts = _read_with(small, 1)
    many = [
        HSG(h.sign, h.semioses, h.relations, h.reading.model_copy(update={"given": (prompt.id,)}))
        for h in artifacts
    ]
    both = small.add([prompt, *many, *blind[:2]], run="views")
    assert study_rule(both, ReadingRule(interpreter="anthropic/m")).rule.prompts == "hsg/2"


def test_readings_in_two_languages_are_never_pooled(small: Study) -> None:
    both = small.add([*_read_with(small, 2, "de"), *_read_with(small, 2, "en", signs=3)], run="both")
    chosen = study_rule(both, ReadingRule(interpreter="anthropic/m"))
    assert (chosen.rule.language, chosen.left_out) == ("de", ("3 readings in 'en'",))


def test_alignments_join_readings_of_one_version_and_one_language(small: Study) -> None:
    made = [*_read_with(small, 1), *_read_with(small, 2, "en"), *_read_with(small, 2, "de", signs=3)]
    every = small.add(made, run="every")
    rule = ReadingRule(interpreter="anthropic/m")
    kinds = [tuple(map(_kind, pair)) for pair in alignment_pairs(every, rule)]
    assert {one for one, _ in kinds} == {("hsg/1", ""), ("hsg/2", "en"), ("hsg/2", "de")}
    assert all(one == other for one, other in kinds)
    german = alignment_pairs(every, ReadingRule(interpreter="anthropic/m", prompts="hsg/2", language="de"))
    assert {_kind(hsg) for pair in german for hsg in pair} == {("hsg/2", "de")}
    with pytest.warns(UnmeasuredLanguageWarning, match="'de'"):
        aligned = every.add([diff(*pair) for pair in alignment_pairs(every, rule)], run="aligned")
    pooled = {_kind(aligned.hsgs[a.source.hsg]) for a in study_alignments(aligned)}
    assert len(pooled) == 1
    assert len(study_alignments(aligned)) < len(aligned.alignments)


def _kind(hsg: HSG) -> tuple[str, str]:
    return hsg.reading.interpreter.prompt_version, hsg.reading.language


@pytest.mark.slow
def test_a_run_says_which_readings_it_leaves_out(run: Run, small: Study) -> None:
    small.add([*_read_with(small, 1), *_read_with(small, 2, "en")], run="both")
    asked = ("run", small.folder, "--judge", "align", "--interpreter", "anthropic/m")
    done = run(*asked)
    assert "leaves out 4 readings with prompts hsg/1" in done.err
    used = {hsg for verdict in read_study(small.folder).verdicts for hsg in verdict.used}
    assert not used & {hsg.id for hsg in _read_with(small, 1)}
    assert "anthropic/m, blind, hsg/2, en" in run("study", "summary", small.folder).out


def _set_language(study: Study, language: str) -> None:
    file = study.folder / STUDY_FILE
    kept = [line for line in file.read_text().splitlines() if not line.startswith("language")]
    file.write_text("\n".join([*kept, f'language = "{language}"', ""]))
