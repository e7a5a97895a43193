"""Votes, ratings, answers and scores from tables; studies that are split and merged."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from semiosis.export import TABLES
from semiosis.files import data
from semiosis.report import notebook_text
from semiosis.study import (
    ImportOptions,
    Study,
    check_study,
    compare_study,
    ids_of,
    import_observations,
    merge_studies,
    read_study,
    subset_study,
)
from semiosis.values import (
    Answer,
    DataError,
    ImageSign,
    MissingSign,
    Rating,
    Score,
    Unscored,
    UsageError,
    Verdict,
    outcomes,
)
from tests.study.pictures import make_study, snapshot

LONG = """\
prompt,a,b,annotator,winner
p01,sdxl,flux,Ann,a
p01,dalle,sdxl,Ann,dalle
Prompt 2,p02_sdxl.png,flux,Ann,tie
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path)


def write(study: Study, text: str, encoding: str = "utf-8") -> Path:
    path = study.folder.parent / "table.csv"
    path.write_bytes(text.encode(encoding))
    return path


def winners(study: Study) -> list[Any]:
    return [
        verdict.winner if isinstance(verdict.winner, str) else verdict.winner.reason
        for verdict in read_study(study.folder).verdicts
    ]


def test_votes_name_pictures_by_generator_or_file(study: Study) -> None:
    added = import_observations(study.folder, "votes", write(study, LONG))
    assert added.counts == {"verdict": 3}
    # The study compares (dalle, sdxl) and (dalle, flux), (flux, sdxl), in the order of file names.
    by_pair = {
        (study.signs[c.a].generator, study.signs[c.b].generator): v.winner
        for v in added.study.verdicts
        for c in [study.comparisons[v.comparison]]
    }
    assert by_pair[("dalle", "sdxl")] == "a"
    assert by_pair[("flux", "sdxl")] in ("b", "tie")
    assert check_study(study.folder) == []
    once = snapshot(study.folder)
    assert import_observations(study.folder, "votes", write(study, LONG)).new == ()
    assert snapshot(study.folder) == once


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("\ufeff" + LONG, "utf-8"),
        (LONG.replace(",", ";"), "utf-8"),
        (LONG.replace(",", "\t").replace("\n", "\r\n"), "utf-8"),
        (LONG, "utf-16"),
        (LONG.replace("p01,", '"p01",').replace("Ann,", '"Ann\nB",'), "utf-8"),
    ],
    ids=["BOM", "semicolons", "tabs and CRLF", "UTF-16", "quoted newline"],
)
def test_tables_as_spreadsheets_write_them(study: Study, text: str, encoding: str) -> None:
    assert import_observations(study.folder, "votes", write(study, text, encoding)).counts == {"verdict": 3}


def test_another_encoding_is_named(study: Study) -> None:
    path = write(study, LONG.replace("Ann", "Zoë"), "cp1252")
    with pytest.raises(DataError, match="line 2: the text is not UTF-8") as caught:
        import_observations(study.folder, "votes", path)
    assert "--encoding cp1252" in str(caught.value)
    added = import_observations(study.folder, "votes", path, encoding="cp1252")
    assert {verdict.evaluator.name for verdict in added.study.verdicts} == {"Zoë"}
    with pytest.raises(UsageError, match="unknown encoding 'klingon'"):
        import_observations(study.folder, "votes", path, encoding="klingon")


def test_wide_votes_have_a_column_per_evaluator(study: Study) -> None:
    text = "prompt,a,b,Ann,clip\np01,dalle,flux,a,b\np01,dalle,sdxl,,tie\n"
    options = ImportOptions(kinds={"clip": "program"})
    added = import_observations(study.folder, "votes", write(study, text), options=options)
    assert {(v.evaluator.kind, v.evaluator.name, v.winner) for v in added.study.verdicts} == {
        ("person", "Ann", "a"),
        ("program", "clip", "b"),
        ("program", "clip", "tie"),
    }


def test_other_columns_of_a_wide_table_are_left_out_by_choosing_evaluators(study: Study) -> None:
    path = write(study, "prompt_id,text,a,b,Ann,notes\np01,Prompt 1,dalle,flux,a,hard to say\n")
    columns = {"prompt": "prompt_id"}
    with pytest.raises(DataError, match=r"line 2: column 'notes': the winner 'hard to say'.*--evaluator"):
        import_observations(study.folder, "votes", path, columns=columns)
    options = ImportOptions(evaluators=["Ann"])
    added = import_observations(study.folder, "votes", path, columns=columns, options=options)
    assert added.counts == {"verdict": 1}
    with pytest.raises(DataError, match="there is no column 'Zoe'"):
        import_observations(
            study.folder, "votes", path, columns=columns, options=ImportOptions(evaluators=["Zoe"])
        )


def test_an_empty_vote_is_unscored_and_a_repeated_line_is_reported(study: Study) -> None:
    text = "prompt,a,b,evaluator,winner\np01,dalle,flux,Ann,\np01,dalle,sdxl,Ann,b\np01,dalle,sdxl,Ann,b\n"
    added = import_observations(study.folder, "votes", write(study, text))
    assert winners(study) == ["missing", "b"]
    assert added.notes == ("line 4 repeats line 3",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p01,p02_sdxl,flux,Ann,a", "'p02_sdxl' is a picture of another prompt"),
        ("p09,sdxl,flux,Ann,a", "no prompt is called 'p09'; the study has 'p01', 'p02'"),
        (
            "p01,sdxl,midjourney,Ann,a",
            "no picture is called 'midjourney'; this prompt has 'dalle', 'flux', 'sdxl'",
        ),
        ("p01,sdxl,sdxl,Ann,a", "a picture is compared with itself"),
        ("p01,sdxl,flux,Ann,middle", "the winner 'middle' is not a, b, tie, 'sdxl', 'flux' or empty"),
        ("p01,sdxl,flux,,a", "the evaluator is empty"),
        ("p01,dalle,sdxl,Ann,b", "but line 3 says 'a'; number repeats in a repeat column"),
    ],
)
def test_a_bad_vote_is_named_by_its_line_and_nothing_is_written(study: Study, row: str, message: str) -> None:
    before = snapshot(study.folder)
    with pytest.raises(DataError) as caught:
        import_observations(study.folder, "votes", write(study, LONG + row + "\n"))
    assert "1 bad row; nothing was written\n  line 5: " in str(caught.value)
    assert message in str(caught.value)
    assert snapshot(study.folder) == before


def test_a_vote_that_contradicts_the_study_is_refused(study: Study) -> None:
    import_observations(study.folder, "votes", write(study, LONG))
    with pytest.raises(DataError, match="line 2: says 'a', but the study has 'b'"):
        import_observations(study.folder, "votes", write(study, LONG.replace("Ann,a", "Ann,b")))


@pytest.mark.parametrize(
    ("row", "winner"),
    [
        ("p01,dalle,flux,left,", "a"),
        ("p01,dalle,flux,image_b,", "b"),
        ("p01,dalle,flux,p01_flux.png,ab", "b"),
        ("p01,dalle,flux,FLUX,ab", "b"),
        (",images/p01_dalle.png,/data/set/p01_flux.png,/data/set/p01_flux.png,", "b"),
    ],
)
def test_winners_and_pictures_are_found_as_tables_name_them(study: Study, row: str, winner: str) -> None:
    text = f"prompt,left,right,choice,shown,repeat,annotator\n{row},1.0,Ann\n"
    added = import_observations(study.folder, "votes", write(study, text))
    assert [(verdict.winner, verdict.repeat) for verdict in added.study.verdicts] == [(winner, 1)]


def test_the_order_is_unknown_unless_the_table_states_it(study: Study) -> None:
    text = "prompt,a,b,winner,shown,evaluator\np01,dalle,flux,a,,Ann\np01,dalle,flux,a,ab,Bo\n"
    added = import_observations(study.folder, "votes", write(study, text))
    unknown = {verdict.evaluator.name: verdict.order_unknown for verdict in added.study.verdicts}
    assert unknown == {"Ann": True, "Bo": False}
    pages = [notebook_text(outcome) for outcome in outcomes(added.study.verdicts)]
    assert ["saw" in page for page in pages] == [False, True]
    exported = {row["evaluator"]: row["shown"] for row in TABLES["verdicts"].rows(added.study)}
    assert exported == {"Ann": None, "Bo": "ab"}


def test_left_is_unclear_if_the_order_shown_is_stated(study: Study) -> None:
    text = "prompt,a,b,winner,shown,evaluator\np01,dalle,flux,left,ba,Ann\n"
    with pytest.raises(DataError, match="line 2: the winner 'left' is not a, b, tie"):
        import_observations(study.folder, "votes", write(study, text))


@pytest.mark.parametrize(
    ("what", "text", "message"),
    [
        ("votes", "prompt,a,b,winner\np01,dalle,flux,a\n", "there is no column 'evaluator'"),
        ("votes", "prompt,a,b,annotator\np01,dalle,flux,Ann\n", "there is no column 'winner'"),
        ("scores", "file,clip,note\np01_flux,1,good\n", "line 2: column 'note': 'good' is not a number"),
        (
            "ratings",
            "file,rater,value,low,high\np01_flux,Ann,3,5,1\n",
            "line 2: the lowest value of the scale, 5",
        ),
        ("ratings", "file,rater,value\nnothing,Ann,3\n", "line 2: no picture is called 'nothing'"),
        (
            "answers",
            "file,question,choices,correct,rater,answer\np01_flux,Q,x|y,z,Ann,x\n",
            "line 2: the correct answer 'z' is none of the choices",
        ),
        (
            "answers",
            "file,question,choices,correct,rater,answer\np01_flux,,x|y,x,Ann,x\n",
            "line 2: the question is empty",
        ),
        (
            "answers",
            "file,question,choices,correct,rater,answer\np01_flux,Q,x|y,x,A,x\np02_flux,Q,x|y,x,A,x\n,Q,,,A,x\n",
            "line 4: 2 pictures have the question 'Q'; add a file column",
        ),
    ],
)
def test_each_mistake_has_a_message_of_its_own(study: Study, what: Any, text: str, message: str) -> None:
    before = snapshot(study.folder)
    options = ImportOptions(scales=["beauty"], low=1, high=5)
    with pytest.raises(DataError) as caught:
        import_observations(study.folder, what, write(study, text), options=options)
    assert message in str(caught.value)
    assert snapshot(study.folder) == before


def test_columns_that_are_not_used_are_reported(study: Study) -> None:
    text = "prompt,a,b,evaluator,winner,seconds\np01,dalle,flux,Ann,a,12\n"
    assert import_observations(study.folder, "votes", write(study, text)).notes == (
        "columns that are not used: 'seconds'",
    )


@pytest.mark.slow
def test_one_bad_line_among_a_hundred_thousand(study: Study) -> None:
    rows = [f"p01,sdxl,flux,Ann {number},a" for number in range(100_000)]
    rows[77_776] = "p01,sdxl,nowhere,Ann,a"
    with pytest.raises(DataError) as caught:
        import_observations(
            study.folder, "votes", write(study, "\n".join(["prompt,a,b,evaluator,winner", *rows]))
        )
    assert "1 bad row; nothing was written\n  line 77778: no picture is called 'nowhere'" in str(caught.value)
    assert read_study(study.folder).verdicts == ()


def test_ratings_are_numbers_on_a_scale(study: Study) -> None:
    text = 'prompt;file;rater;rating\np01;sdxl;Ann;"3,5"\np02;flux;Ann;\n'
    added = import_observations(
        study.folder,
        "ratings",
        write(study, text),
        options=ImportOptions(scales=["iconicity"], low=1, high=5),
    )
    values = [value for value in added.new if isinstance(value, Rating)]
    assert values[0].value == 3.5
    assert isinstance(values[1].value, Unscored)
    for bad, message in (("6", "not on the scale from 1 to 5"), ("high", "'high' is not a number")):
        with pytest.raises(DataError, match=message):
            import_observations(
                study.folder,
                "ratings",
                write(study, text.replace('"3,5"', bad)),
                options=ImportOptions(scales=["iconicity"], low=1, high=5),
            )
    with pytest.raises(DataError, match="line 1: there is no column 'scale', and the scale"):
        import_observations(study.folder, "ratings", write(study, text))


def test_a_picture_with_a_title_of_its_own_is_found_by_its_file_name(tmp_path: Path) -> None:
    sample = Path(shutil.copytree(data("graphs/sample"), tmp_path / "sample"))
    scores = tmp_path / "scores.csv"
    scores.write_text("file,clip\nannunciation-lacuna.png,0.3\nannunciation-lodestar.png,0.4\n")
    added = import_observations(sample, "scores", scores)
    assert added.counts == {"score": 2, "verdict": 1}
    scored = {score.artifact for score in added.study.observations.values() if isinstance(score, Score)}
    generators = {added.study.signs[artifact].generator for artifact in scored if artifact}
    assert generators == {"Lacuna (synthetic)", "Lodestar (synthetic)"}


def test_scores_give_verdicts(study: Study) -> None:
    import_observations(study.folder, "votes", write(study, LONG))
    rows = [f"p0{n}_{name}.png,{n + len(name)}" for n in (1, 2) for name in ("sdxl", "flux", "dalle")]
    added = import_observations(study.folder, "scores", write(study, "\n".join(["file,clip", *rows])))
    assert added.counts == {"score": 6, "verdict": 6}
    assert all(isinstance(value.value, float) for value in added.new if isinstance(value, Score))
    # dalle has the longest name and the highest score; sdxl and flux tie.
    won = [verdict.winner for verdict in added.study.verdicts if verdict.evaluator.name == "clip"]
    assert sorted(map(str, won)) == ["a", "a", "a", "a", "tie", "tie"]
    table = compare_study(added.study)
    assert "clip" in str(table)
    assert check_study(study.folder) == []


def test_an_import_of_answers_adds_their_questions(study: Study) -> None:
    text = (
        "prompt,file,question,choices,correct,evaluator,answer\n"
        "p01,sdxl,What is it?,a lily|a skull,a lily,Ann,a lily\n"
        "p01,sdxl,What is it?,a lily|a skull,a lily,Bob,B\n"
    )
    added = import_observations(study.folder, "answers", write(study, text))
    assert added.counts == {"question": 1, "answer": 2}
    assert [value.choice for value in added.new if isinstance(value, Answer)] == [0, 1]
    again = "question,evaluator,answer\nWhat is it?,Cy,a skull\n"
    assert import_observations(study.folder, "answers", write(study, again)).counts == {"answer": 1}
    with pytest.raises(DataError, match="line 2: the answer 'a rose' is none of 'a lily', 'a skull'"):
        import_observations(study.folder, "answers", write(study, again.replace("a skull", "a rose")))


def test_studies_are_split_and_merged_again(study: Study, tmp_path: Path) -> None:
    import_observations(study.folder, "votes", write(study, LONG))
    one = subset_study(study.folder, tmp_path / "one", ["p01"])
    two = subset_study(study.folder, tmp_path / "two", ["Prompt 2"])
    assert (len(one.signs), len(one.comparisons), len(one.verdicts)) == (4, 3, 2)
    assert check_study(one.folder) == []
    merge_studies(one.folder, two.folder)
    whole = read_study(one.folder)
    assert whole.signs.keys() == study.signs.keys()
    assert len(whole.verdicts) == 3
    assert check_study(one.folder) == []
    once = snapshot(one.folder)
    assert merge_studies(one.folder, two.folder).new == ()
    assert snapshot(one.folder) == once
    with pytest.raises(UsageError, match="no prompt is called 'p77'"):
        subset_study(study.folder, tmp_path / "none", ["p77"])
    assert not (tmp_path / "none").exists()


def test_a_part_that_cannot_be_copied_makes_no_study(study: Study, tmp_path: Path) -> None:
    next((study.folder / "images").iterdir()).unlink()
    for part in (tmp_path / "part", tmp_path / "empty"):
        (tmp_path / "empty").mkdir(exist_ok=True)
        before = sorted(tmp_path.iterdir())
        with pytest.raises(DataError):
            subset_study(study.folder, part, ["p01", "p02"])
        assert sorted(tmp_path.iterdir()) == before
    with pytest.raises(UsageError, match="this folder is not empty"):
        subset_study(study.folder, study.folder.parent / "source", ["p01"])


def test_values_to_remove_are_named_by_id_or_name(study: Study) -> None:
    prompt, picture = (sign.id for sign in study.signs.values() if sign.title in ("p02", "p02_flux"))
    assert ids_of(study.folder, ["p02", "p02_flux.png", "0" * 20]) == [prompt, picture, "0" * 20]
    with pytest.raises(DataError, match="no value has the id 'p77', and no prompt or picture has this name"):
        ids_of(study.folder, ["p77"])
    with pytest.raises(UsageError, match="'flux' names 2 signs"):
        ids_of(study.folder, ["flux"])


def test_a_wide_table_names_its_evaluators_and_leaves_out_what_describes_pictures(study: Study) -> None:
    scores = "file,Generator,round,clip\np01_flux.png,flux,1,0.3\n"
    added = import_observations(study.folder, "scores", write(study, scores), dry_run=True)
    assert added.counts == {"score": 1}
    assert added.notes == (
        "columns read as evaluators: 'clip'",
        "columns that are not used: 'round'",
    )


def test_a_column_that_holds_no_votes_is_one_message(study: Study) -> None:
    votes = "Prompt ID,a,b,Ann,Comment\np01,sdxl,flux,a,nice\np01,sdxl,dalle,b,\np01,flux,dalle,b,good\n"
    with pytest.raises(DataError) as caught:
        import_observations(study.folder, "votes", write(study, votes))
    assert "column without votes: 'Comment'; nothing was written" in str(caught.value)
    assert "--evaluator 'Ann'" in str(caught.value)
    assert "line" not in str(caught.value)
    options = ImportOptions(evaluators=["Ann"])
    added = import_observations(study.folder, "votes", write(study, votes), options=options)
    assert added.counts == {"verdict": 3}


def test_a_table_of_single_votes_with_unknown_headings_is_explained(study: Study) -> None:
    votes = "Submission,prompt,Seen by,left,right,Said\n"
    votes += "s1,p01,Ann,dalle,flux,left\ns2,p01,Bob,dalle,flux,right\n"
    with pytest.raises(DataError) as caught:
        import_observations(study.folder, "votes", write(study, votes))
    assert "columns without votes: 'Submission', 'Seen by'; nothing was written" in str(caught.value)
    assert "--evaluator 'Said'" in str(caught.value)
    assert "if each row is one vote" in str(caught.value)
    assert "--column evaluator=HEADING --column winner=HEADING" in str(caught.value)
    columns = {"evaluator": "Seen by", "winner": "Said"}
    added = import_observations(study.folder, "votes", write(study, votes), columns=columns)
    assert {(v.evaluator.name, v.winner) for v in added.study.verdicts} == {("Ann", "a"), ("Bob", "b")}


@pytest.mark.parametrize(
    ("what", "head"),
    [
        ("votes", "prompt,left,right,Participant ID,Response"),
        ("votes", "prompt,model_a,model_b,worker_id,preferred"),
        ("ratings", "prompt,image_path,PROLIFIC_PID,rating"),
        ("scores", "prompt,image_path,metric,score"),
    ],
)
def test_headings_of_other_tools_are_found(study: Study, what: Any, head: str) -> None:
    cells = {"votes": "p01,dalle,flux,Ann,a", "ratings": "p01,dalle,Ann,3", "scores": "p01,dalle,Ann,3"}
    options = ImportOptions(scales=["beauty"], low=1, high=5)
    path = write(study, f"{head}\n{cells[what]}\n")
    (value,) = import_observations(study.folder, what, path, options=options).new
    assert isinstance(value, Verdict | Rating | Score)
    assert value.evaluator.name == "Ann"


def test_a_missing_column_is_shown_with_the_headings_of_the_file(study: Study) -> None:
    path = write(study, "prompt,left,right,rater,said\np01,dalle,flux,Ann,a\n")
    message = "there is no column 'winner'; columns: 'prompt', 'left', 'right', 'rater', 'said'"
    with pytest.raises(DataError, match=message):
        import_observations(study.folder, "votes", path)


def test_words_for_the_winner_are_stated(study: Study) -> None:
    path = write(study, "prompt,a,b,Ann,Bob\np01,dalle,flux,Image 1,no preference\n")
    before = snapshot(study.folder)
    with pytest.raises(DataError, match="state what 'Image 1' means: --choice SIDE='Image 1'"):
        import_observations(study.folder, "votes", path)
    assert snapshot(study.folder) == before
    options = ImportOptions(choices={"Image 1": "a", "No preference": "tie"})
    added = import_observations(study.folder, "votes", path, options=options)
    assert {(v.evaluator.name, v.winner) for v in added.study.verdicts} == {("Ann", "a"), ("Bob", "tie")}
    with pytest.raises(UsageError, match="a choice cannot mean 'left'"):
        import_observations(study.folder, "votes", path, options=ImportOptions(choices={"x": "left"}))


def test_pictures_that_many_prompts_have_need_a_column_of_prompts(study: Study) -> None:
    with pytest.raises(DataError, match="name the column of prompts: --column prompt=HEADING"):
        import_observations(study.folder, "votes", write(study, "Item,a,b,Ann\np01,sdxl,flux,a\n"))
    with pytest.raises(DataError) as caught:
        import_observations(study.folder, "votes", write(study, "a,b,Ann\np01_sdxl,p01_flux,up\n"))
    assert "--column" not in str(caught.value)  # the pictures are clear, and the vote is wrong


def test_a_comma_is_a_decimal_one_unless_it_may_separate_thousands(study: Study) -> None:
    def value(text: str) -> object:
        added = import_observations(study.folder, "scores", write(study, text), dry_run=True)
        return next(each.value for each in added.new if isinstance(each, Score))

    assert value("file;clip\np01_flux.png;21,534\n") == 21.534
    assert value('file,clip\np01_flux.png,"0,534"\n') == 0.534
    with pytest.raises(DataError, match=r"line 2: .*'1,234' may be 1.234 or 1234; write one of these"):
        value('file,clip\np01_flux.png,"1,234"\n')


def test_a_scale_whose_ends_are_exchanged_is_one_message(study: Study) -> None:
    path = write(study, "file,evaluator,value\np01_flux.png,Ann,3\np01_sdxl.png,Ann,3\n")
    with pytest.raises(UsageError, match="the lowest value of the scale, 7, is not below the highest, 1"):
        import_observations(
            study.folder, "ratings", path, options=ImportOptions(scales=["beauty"], low=7, high=1)
        )


def test_scores_of_one_file_per_generator_judge_together(study: Study) -> None:
    for generator, counts in (("flux", {"score": 1}), ("sdxl", {"score": 1, "verdict": 1})):
        table = write(study, f"file,clip\np01_{generator}.png,0.{len(generator)}\n")
        added = import_observations(study.folder, "scores", table)
        assert added.counts == counts
    other = write(study, "file,other\np01_sdxl.png,0.1\n")
    assert import_observations(study.folder, "scores", other).counts == {"score": 1}


def test_scores_are_by_programs_unless_the_user_says_otherwise(study: Study) -> None:
    """A metric that is read as a person would vote in the human reference."""
    rows = "file,clip\n" + "".join(
        f"p01_{name}.png,{n}\n" for n, name in enumerate(("sdxl", "flux", "dalle"))
    )
    import_observations(study.folder, "votes", write(study, LONG))
    added = import_observations(study.folder, "scores", write(study, rows))
    assert {value.evaluator.kind for value in added.new if isinstance(value, Score)} == {"program"}
    assert compare_study(added.study).reference == ("Ann",)
    by_people = import_observations(
        study.folder, "scores", write(study, rows), options=ImportOptions("person"), dry_run=True
    )
    assert {value.evaluator.kind for value in by_people.new if isinstance(value, Score)} == {"person"}


def test_a_metric_among_the_votes_is_named_in_the_summary(study: Study) -> None:
    table = "prompt,a,b,Ann,Clipperton,ImageReward\np01,sdxl,flux,a,b,a\np02,sdxl,flux,b,b,a\n"
    added = import_observations(study.folder, "votes", write(study, table), dry_run=True)
    note = "3 people; ImageReward is read as a person: --program ImageReward"
    assert added.notes[0] == note
    programs = ImportOptions(kinds={"ImageReward": "program"})
    added = import_observations(study.folder, "votes", write(study, table), options=programs, dry_run=True)
    assert not any("read as a person" in note for note in added.notes)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("CLIPScore", "--program"),
        ("pickscore_v2", "--program"),
        ("HPSv2", "--program"),
        ("tifa_mplug", "--program"),
        ("gpt-4o", "--model"),
        ("Claude Sonnet", "--model"),
    ],
)
def test_names_of_metrics_and_models_are_told_from_people(study: Study, name: str, option: str) -> None:
    table = f"prompt,a,b,evaluator,winner\np01,sdxl,flux,{name},a\np01,sdxl,flux,Ann,b\n"
    added = import_observations(study.folder, "votes", write(study, table), dry_run=True)
    assert f"{name} is read as a person: {option} " in added.notes[0]


# Ratings as data sets publish them


def ratings_of(study: Study, text: str, **options: Any) -> list[tuple[str, str, str, object]]:
    """Import ratings and return rater, file, scale and value of each."""
    path = write(study, text)
    added = import_observations(study.folder, "ratings", path, options=ImportOptions(**options))
    signs = added.study.signs
    return sorted(
        (value.evaluator.name, signs[value.about].title, value.scale, value.value)
        for value in added.new
        if isinstance(value, Rating)
    )


def test_a_wide_table_of_ratings_has_one_column_for_each_rater(study: Study) -> None:
    text = "file,Ann,Bob\np01_flux,4,\np01_sdxl,2,5\n"
    assert ratings_of(study, text, scales=["beauty"], low=1, high=5) == [
        ("Ann", "p01_flux", "beauty", 4),
        ("Ann", "p01_sdxl", "beauty", 2),
        ("Bob", "p01_sdxl", "beauty", 5),
    ]


def test_a_table_with_raters_may_have_one_column_for_each_scale(study: Study) -> None:
    text = "prompt,generator,rater,beauty,truth\np01,flux,Ann,4,1\n"
    assert ratings_of(study, text, low=1, high=5) == [
        ("Ann", "p01_flux", "beauty", 4),
        ("Ann", "p01_flux", "truth", 1),
    ]


def test_imagenhub_has_one_file_for_each_rater_and_two_scales_in_a_cell(study: Study) -> None:
    text = "uid\tsdxl\tflux\np01\t[1, 0.5]\t[0.5, 0]\np02\t[0, 1]\t\n"
    options = {"by": "rater1", "scales": ["SC", "PQ"], "low": 0, "high": 1}
    assert ratings_of(study, text, **options) == [
        ("rater1", "p01_flux", "PQ", 0),
        ("rater1", "p01_flux", "SC", 0.5),
        ("rater1", "p01_sdxl", "PQ", 0.5),
        ("rater1", "p01_sdxl", "SC", 1),
        ("rater1", "p02_sdxl", "PQ", 1),
        ("rater1", "p02_sdxl", "SC", 0),
    ]


def test_the_ends_of_a_scale_are_asked_for_once(study: Study) -> None:
    text = "file,rater,value\np01_flux,Ann,3\np01_sdxl,Ann,0\n"
    with pytest.raises(UsageError, match=r"the ends of the scale 'beauty' are not known.* are from 0 to 3"):
        ratings_of(study, text, scales=["beauty"])
    assert len(ratings_of(study, text, scales=["beauty"], low=0, high=10)) == 2
    (new,) = ratings_of(study, "file,rater,value\np01_dalle,Ann,7\n", scales=["beauty"])
    assert new == ("Ann", "p01_dalle", "beauty", 7)


def test_columns_of_words_and_ratings_without_a_rater_are_explained(study: Study) -> None:
    with pytest.raises(DataError, match="columns without ratings: 'why'; nothing was written"):
        ratings_of(study, "file,Ann,why\np01_flux,4,nice\n", scales=["beauty"], low=1, high=5)
    with pytest.raises(DataError, match=r"does not say who rated.*\n.*--by NAME"):
        ratings_of(study, "uid,flux\np01,4\n", scales=["beauty"], low=1, high=5)
    with pytest.raises(DataError, match=r"'.4, 3.' is not a number"):
        ratings_of(study, 'uid,flux\np01,"[4, 3]"\n', by="Ann", scales=["beauty"], low=1, high=5)


def test_a_seed_names_one_of_several_pictures(study: Study) -> None:
    pictures = [s for s in study.signs.values() if isinstance(s, ImageSign) and "p01" in s.title]
    signs = [
        sign.model_copy(update={"generator": "sdxl", "seed": seed})
        for sign, seed in zip(pictures, "123", strict=True)
    ]
    study.add(signs, "seeds")
    text = "prompt,generator,seed,rater,value\np01,sdxl,1,Ann,4\np01,sdxl,2,Ann,5\n"
    rated = ratings_of(study, text, scales=["beauty"], low=1, high=5)
    assert [value for _, _, _, value in rated] == [4, 5]
    with pytest.raises(DataError, match=r"'sdxl' names . signs.*generator and seed, such as sdxl/2"):
        ratings_of(study, "prompt,generator,rater,value\np01,sdxl,Bo,4\n", scales=["beauty"], low=1, high=5)


def test_votes_and_ratings_about_missing_pictures_are_left_out_and_counted(study: Study) -> None:
    prompt = next(sign for sign in study.signs.values() if sign.title == "p01")
    study.add([MissingSign(prompt=prompt.id, generator="wan", reason="filtered")], "missing")
    votes = "prompt,a,b,Ann,Bob\np01,sdxl,wan,a,a\np01,sdxl,flux,a,\n"
    added = import_observations(study.folder, "votes", write(study, votes))
    assert added.counts == {"verdict": 1}
    assert "1 row about missing pictures: left out" in added.notes
    ratings = "prompt,generator,rater,value\np01,wan,Ann,1\np01,sdxl,Ann,4\n"
    assert len(ratings_of(study, ratings, scales=["beauty"], low=1, high=5)) == 1


def test_all_headings_that_are_not_recognised_are_named_at_once(study: Study) -> None:
    text = "Aufgabe;Links;Rechts;Bewerter;Gewinner\np01;sdxl;flux;Ann;a\n"
    with pytest.raises(DataError) as caught:
        import_observations(study.folder, "votes", write(study, text))
    named = [f"--column {name}=HEADING" for name in ("a", "b", "prompt", "evaluator", "winner")]
    assert all(option in str(caught.value) for option in named)
