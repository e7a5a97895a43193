"""Superseding, and how often an HSG is built when a study is read."""

from pathlib import Path

import pytest

from semiosis.align import diff
from semiosis.files import data
from semiosis.study import check_study, new_study, read_study
from semiosis.values import HSG, Reading, Verdict
from tests.strategies import a_comparison, a_reading, a_text, a_verdict, an_hsg


def corrected(hsg: HSG, **semiosis: str) -> HSG:
    root = hsg.semioses[hsg.root].model_copy(update=semiosis)
    reading = Reading(**{**dict(hsg.reading), "supersedes": hsg.id})
    return HSG(hsg.sign, {**hsg.semioses, hsg.root: root}, hsg.relations, reading)


def test_readers_of_a_study_see_the_latest_and_the_file_keeps_the_history(tmp_path: Path) -> None:
    first = an_hsg()
    second = corrected(first, label="the whole")
    third = corrected(second, label="a whole")
    study = new_study(tmp_path / "s").add([first.sign, first], "ada")
    assert study.readings(first.sign.id) == (first,)
    study = study.add([second, third], "ada")
    for seen in (study, read_study(tmp_path / "s")):
        assert seen.readings(first.sign.id) == (third,)
        assert set(seen.hsgs) == {third.id}
        assert set(seen.history) == {first.id, second.id} == seen.replaced
        assert seen.hsg(first.id) == first
        assert seen.hsg("nothing") is None
    assert check_study(tmp_path / "s") == []


def test_the_alignment_of_a_superseded_reading_is_history_too(tmp_path: Path) -> None:
    prompt, seen = an_hsg(), an_hsg(a_text("seen"), reading=a_reading("Bo"))
    aligned = diff(prompt, seen)
    study = new_study(tmp_path / "s").add([prompt.sign, seen.sign, prompt, seen, aligned], "ada")
    assert set(study.alignments) == {aligned.id}
    study = study.add([corrected(prompt, label="other")], "ada")
    assert study.alignments == read_study(tmp_path / "s").alignments == {}
    assert aligned.id in study.history


def test_a_superseded_verdict_does_not_count(tmp_path: Path) -> None:
    old: Verdict = a_verdict("a")
    study = new_study(tmp_path / "s").add([a_comparison(), old, a_verdict("b", supersedes=old.id)], "ada")
    assert [verdict.winner for verdict in study.verdicts] == ["b"]


def test_a_value_that_supersedes_nothing_is_a_problem(tmp_path: Path) -> None:
    lost = a_verdict(supersedes=a_verdict(repeat=7).id)
    new_study(tmp_path / "s").add([lost], "ada")
    assert any("names the verdict" in problem.what for problem in check_study(tmp_path / "s"))


def test_an_hsg_is_built_when_it_is_needed_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    build = HSG.__init__

    def counting(self: HSG, *arguments: object, **named: object) -> None:
        build(self, *arguments, **named)  # type: ignore[arg-type]  # passed on
        built.append(self.id)

    monkeypatch.setattr(HSG, "__init__", counting)
    study = read_study(data("graphs/sample"))
    assert built == []
    sign = next(iter(study.signs))
    read = [hsg.id for hsg in study.readings(sign)]
    assert built == read
    for _ in range(2):
        assert [hsg.id for hsg in study.hsgs.values()] == list(study.hsgs)
    assert sorted(built) == sorted(study.hsgs)


def test_adding_reads_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = new_study(tmp_path / "s").add([an_hsg().sign, an_hsg()], "ada")
    monkeypatch.setattr("semiosis.study._study.stream_record", None)
    more = study.add([a_text("another"), a_verdict()], "ada")
    assert (len(more.signs), len(more.hsgs), len(more.observations)) == (2, 1, 1)
    assert (len(study.signs), len(study.observations)) == (1, 0)


def test_a_new_description_of_a_sign_is_part_of_its_readings(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s").add([an_hsg().sign, an_hsg()], "ada")
    study = study.add([a_text(title="Lily and skull")], "ada")
    assert [hsg.sign.title for hsg in study.readings(a_text().id)] == ["Lily and skull"]
    assert read_study(tmp_path / "s").readings(a_text().id)[0].sign.title == "Lily and skull"
