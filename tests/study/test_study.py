"""Reading, checking and summarising a study on disk, and selecting its readings."""

import json
from pathlib import Path

import pytest

from semiosis.study import (
    ReadingRule,
    Study,
    check_study,
    comparison_case,
    new_study,
    read_study,
    summary,
)
from semiosis.values import HSG, Answer, DataError, Reading, Unscored, UsageError
from tests.small import make_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def test_what_was_added_is_read_back(study: Study) -> None:
    again = read_study(study.folder)
    assert again == study
    assert (len(again.signs), len(again.comparisons), len(again.hsgs), len(again.verdicts)) == (4, 3, 8, 10)


def test_images_are_copied_into_the_study(study: Study) -> None:
    paths = [Path(sign.path) for sign in study.signs.values() if sign.kind == "image"]
    assert len(paths) == 3
    assert all(path.is_file() and path.is_relative_to(study.folder.resolve()) for path in paths)
    recorded = [json.loads(line) for line in (study.folder / "signs.jsonl").read_text().splitlines()]
    assert all(not Path(sign["path"]).is_absolute() for sign in recorded if sign["kind"] == "image")


def test_an_hsg_has_the_studys_description_of_its_sign(study: Study) -> None:
    sign = next(sign for sign in study.signs.values() if sign.generator == "literal")
    assert all(hsg.sign.tradition == "christian" for hsg in study.readings(sign.id))


def test_a_sound_study_has_no_problems(study: Study) -> None:
    assert check_study(study.folder) == []


def test_a_missing_image_is_found(study: Study) -> None:
    image = next(Path(sign.path) for sign in study.signs.values() if sign.kind == "image")
    image.unlink()
    assert any("is missing" in problem.what for problem in check_study(study.folder))


def test_a_changed_image_is_found(study: Study) -> None:
    image = next(Path(sign.path) for sign in study.signs.values() if sign.kind == "image")
    image.write_bytes(b"another")
    assert any(
        "not the image this sign was made from" in problem.what for problem in check_study(study.folder)
    )


def test_dangling_references_are_found_with_their_file(study: Study) -> None:
    (study.folder / "comparisons.jsonl").unlink()
    problems = check_study(study.folder)
    assert {problem.where.split(":")[0] for problem in problems} == {"observations/made.jsonl"}
    assert len(problems) == 10  # every verdict names a comparison that is missing


def test_a_citation_of_a_node_that_does_not_exist_is_found(study: Study) -> None:
    (study.folder / "hsgs" / "made.jsonl").unlink()
    problems = check_study(study.folder)
    assert any(problem.what.startswith("names the node") for problem in problems)


def test_a_bad_line_is_found_with_its_number(study: Study) -> None:
    file = study.folder / "comparisons.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], "{broken", *lines[1:]]) + "\n")
    assert any(problem.where.endswith("comparisons.jsonl:2") for problem in check_study(study.folder))


def test_a_torn_line_is_left_out_and_reported(study: Study) -> None:
    file = study.folder / "observations" / "made.jsonl"
    whole = file.read_text()
    file.write_text(whole + '{"kind":"verdict","ver')
    assert read_study(study.folder).observations == study.observations
    assert read_study(study.folder).torn == (str(file),)
    assert any("incomplete" in problem.what for problem in check_study(study.folder))


def test_a_path_that_leads_out_of_the_study_is_refused(study: Study) -> None:
    file = study.folder / "signs.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[1]["path"] = "../../secret.png"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(DataError, match="leads outside the study"):
        read_study(study.folder)
    assert any("leads outside" in problem.what for problem in check_study(study.folder))


def test_a_study_is_not_made_twice(study: Study) -> None:
    with pytest.raises(UsageError, match="already a study"):
        new_study(study.folder)


def test_a_folder_name_that_cannot_name_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a valid study name"):
        new_study(tmp_path / "an odd name")


def test_the_summary_counts_every_kind_of_value(study: Study) -> None:
    counts = {line.what: line for line in summary(study)}
    assert (counts["signs"].n, counts["HSGs"].n, counts["semioses"].n) == (4, 8, 18)
    # 2 prompt readings of 3 nodes (2 placed), 6 artifact readings of 2 nodes (1 placed): 10 placed, 8 not.
    assert counts["semioses"].detail == "10 located, 8 global"
    # A: a a tie, B: a b a, C: a – b, the model: a.
    assert counts["verdicts"].detail == "1 unscored; outcomes: 6 a, 2 b, 1 tie, 1 unscored"


def test_one_interpreter_reads_prompt_and_both_artifacts(study: Study) -> None:
    comparison = next(iter(study.comparisons.values()))
    hsgs = comparison_case(study, comparison, ReadingRule(interpreter="Bo")).hsgs()
    assert not isinstance(hsgs, Unscored)
    assert {hsg.reading.interpreter.name for hsg in hsgs} == {"Bo"}
    assert [hsg.sign.id for hsg in hsgs] == [comparison.prompt, comparison.a, comparison.b]


def test_a_missing_reading_names_the_command_that_creates_it(study: Study) -> None:
    comparison = next(iter(study.comparisons.values()))
    rule = ReadingRule(interpreter="anthropic/x", given=True, detail="complex")
    missing = comparison_case(study, comparison, rule).hsgs()
    assert isinstance(missing, Unscored)
    assert missing.reason == "missing"
    assert "semiosis read STUDY --model anthropic/x --view given --detail complex" in missing.detail


def test_blind_and_given_readings_are_never_mixed(study: Study) -> None:
    comparison = next(iter(study.comparisons.values()))
    assert isinstance(comparison_case(study, comparison, ReadingRule(given=True)).hsgs(), Unscored)
    prompt = next(iter(study.readings(comparison.prompt)))
    given = [_given(study, sign, prompt) for sign in (comparison.a, comparison.b)]
    hsgs = comparison_case(study.add(given, run="given"), comparison, ReadingRule(given=True)).hsgs()
    assert not isinstance(hsgs, Unscored)
    assert hsgs[1].reading.given == hsgs[2].reading.given == (prompt.id,)


def _given(study: Study, sign: str, prompt: HSG) -> HSG:
    blind = study.readings(sign)[0]
    reading = Reading(interpreter=blind.reading.interpreter, given=(prompt.id,))
    return HSG(blind.sign, blind.semioses, blind.relations, reading)


def test_an_answer_beyond_the_choices_is_found(study: Study) -> None:
    question = next(iter(study.questions.values()))
    study.add([Answer(evaluator=study.verdicts[0].evaluator, question=question.id, choice=7)], run="late")
    assert [problem.what for problem in check_study(study.folder)] == [
        "answers choice 7 of a question with 2 choices"
    ]


def test_a_second_reading_with_its_own_repeat_is_another_hsg(study: Study) -> None:
    first = next(iter(study.hsgs.values()))
    again = HSG(first.sign, first.semioses, first.relations, first.reading.model_copy(update={"repeat": 1}))
    assert again != first
    assert len(study.add([again], run="again").hsgs) == len(study.hsgs) + 1
