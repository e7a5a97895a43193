"""Imports of annotations from Label Studio, in its export formats."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from semiosis.study import (
    ImportOptions,
    Study,
    add_pictures,
    check_study,
    import_labelstudio,
    new_study,
    read_study,
)
from semiosis.values import DataError, Rating, UsageError
from tests.study.pictures import make_study, snapshot

ANN = {"id": 1, "email": "ann@example.org", "first_name": "", "last_name": ""}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return make_study(tmp_path)


def write(study: Study, content: object) -> Path:
    path = study.folder.parent / "export.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8-sig")
    return path


def result(kind: str, value: dict[str, Any], control: str, about: str = "image1") -> dict[str, Any]:
    return {"id": "aBcDeF", "type": kind, "value": value, "from_name": control, "to_name": about}


def pairwise(side: str, control: str = "pw") -> dict[str, Any]:
    return result("pairwise", {"selected": side}, control, control)  # a pairwise control is its own object


def choice(*names: str, control: str = "better") -> dict[str, Any]:
    return result("choices", {"choices": list(names)}, control)


def stars(n: object, about: str = "image1") -> dict[str, Any]:
    return result("rating", {"rating": n}, "beauty", about)


def annotation(number: int, who: object, *results: dict[str, Any], **more: object) -> dict[str, Any]:
    """Return an annotation as Label Studio exports it, without the fields that the import ignores."""
    fields = {"was_cancelled": False, "ground_truth": False, "lead_time": 4.3, "prediction": {}, "task": 1}
    return {"id": number, "completed_by": who, "result": list(results), **fields, **more}


def task(*annotations: dict[str, Any], number: int = 7, **data: str) -> dict[str, Any]:
    shown = {
        "prompt": "Prompt 1",
        "image1": "/data/upload/3/0123abcd-p01_dalle.png",
        "image2": "/data/local-files/?d=images/p01_flux.png",
    }
    return {
        "id": number,
        "annotations": list(annotations),
        "file_upload": "89abcdef-tasks.json",
        "drafts": [],
        "predictions": [11],
        "data": {**shown, **data},
        "meta": {},
        "project": 49,
    }


def recorded_values(study: Study) -> list[tuple[str, object, int]]:
    return [
        (value.evaluator.name, getattr(value, "winner", None) or getattr(value, "value", None), value.repeat)
        for value in read_study(study.folder).observations.values()
    ]


def test_annotations_of_several_people_are_verdicts_and_ratings(study: Study) -> None:
    path = write(
        study,
        [
            task(
                annotation(12, 2, pairwise("right"), stars(4, "image2")),
                annotation(11, ANN, pairwise("left")),
                annotation(13, 3, pairwise("left"), was_cancelled=True),
                annotation(14, 4),
            )
        ],
    )
    added = import_labelstudio(study.folder, path)
    assert recorded_values(study) == [
        ("ann@example.org", "a", 0),
        ("annotator 2", 4.0, 0),
        ("annotator 2", "b", 0),
    ]
    rating = next(value for value in added.new if isinstance(value, Rating))
    assert study.signs[rating.about].title == "p01_flux"
    assert (rating.scale, rating.low, rating.high) == ("beauty", 1, 5)
    assert added.notes == ("skipped annotations that are left out: 1", "predictions that are left out: 1")
    assert check_study(study.folder) == []
    once = snapshot(study.folder)
    assert import_labelstudio(study.folder, path).new == ()
    assert snapshot(study.folder) == once


def test_both_formats_of_one_export_give_the_same_values(study: Study) -> None:
    full = [
        task(annotation(12, 2, pairwise("right"), stars(3)), annotation(11, 1, choice("Left")), number=1),
        task(number=2),
    ]
    data = {"side": "left", **full[0]["data"]}
    minimal = [
        # The converter of Label Studio writes the latest annotation first, and also tasks without one.
        {
            **data,
            "id": 1,
            "pw": [{"selected": "right"}],
            "beauty": [{"rating": 3}],
            "why": "the left one is flat",
            "annotator": 2,
            "annotation_id": 12,
            "lead_time": 3.2,
        },
        {**data, "id": 1, "better": "Left", "annotator": 1, "annotation_id": 11, "lead_time": 3.2},
        {**data, "id": 2, "annotator": None, "annotation_id": None, "lead_time": None},
    ]
    keys = {"file": "image1"}  # JSON-MIN does not state which picture a rating is about
    assert import_labelstudio(study.folder, write(study, minimal), keys=keys).counts == {
        "verdict": 2,
        "rating": 1,
    }
    once = snapshot(study.folder)
    assert import_labelstudio(study.folder, write(study, full)).new == ()
    assert snapshot(study.folder) == once


def test_a_second_annotation_of_a_pair_is_a_repeat(study: Study) -> None:
    both = task(annotation(21, 1, pairwise("right")), annotation(20, 1, pairwise("left")))
    again = task(annotation(22, 1, pairwise("left")), number=8)
    import_labelstudio(study.folder, write(study, [both, again, both]))  # the same task twice is no repeat
    assert recorded_values(study) == [
        ("annotator 1", "a", 0),
        ("annotator 1", "b", 1),
        ("annotator 1", "a", 2),
    ]


def test_choices_are_sides_objects_or_defined_by_the_user(study: Study) -> None:
    names = ("Left", "image2", "No difference")
    tasks = [task(annotation(n, n, choice(name)), number=n) for n, name in enumerate(names)]
    with pytest.raises(
        DataError, match="task 2: the choice 'No difference' of the control 'better'"
    ) as caught:
        import_labelstudio(study.folder, write(study, tasks))
    assert "--choice tie='No difference'" in str(caught.value)
    import_labelstudio(study.folder, write(study, tasks), choices={"no difference": "tie"})
    assert [winner for _, winner, _ in recorded_values(study)] == ["a", "b", "tie"]
    with pytest.raises(UsageError, match="a choice cannot mean 'left'"):
        import_labelstudio(study.folder, write(study, tasks), choices={"x": "left"})


def test_one_of_several_controls_is_named(study: Study) -> None:
    path = write(
        study, [task(annotation(1, 1, pairwise("left"), choice("right"), choice("high", control="sure")))]
    )
    with pytest.raises(DataError, match="the choice 'high' of the control 'sure'"):
        import_labelstudio(study.folder, path)
    with pytest.raises(DataError, match="several controls name a side: pw, better"):
        import_labelstudio(study.folder, path, controls=["pw", "better"])
    with pytest.raises(DataError, match="the file has better, pw, sure"):
        import_labelstudio(study.folder, path, controls=["beauty"])
    import_labelstudio(study.folder, path, controls=["pw"])
    assert recorded_values(study) == [("annotator 1", "a", 0)]


def test_other_controls_and_older_exports_are_read(study: Study) -> None:
    ranker = result("ranker", {"ranker": {"rank": ["x", "y"]}}, "rank", "prompt")
    undone = result("pairwise", {"selected": "none", "pairwise": None}, "pw", "pw")
    relation = {"type": "relation", "from_id": "x", "to_id": "y", "direction": "right"}
    one = task(annotation(1, 1, ranker, pairwise("left")), annotation(2, 2, undone, relation))
    older = {"id": 9, "data": one["data"], "completions": [annotation(3, 3, pairwise("right"), skipped=True)]}
    added = import_labelstudio(study.folder, write(study, [one, older]))
    assert recorded_values(study) == [("annotator 1", "a", 0)]
    assert (
        "results of the control 'rank' that are left out, as they hold no choice or rating: 1" in added.notes
    )
    assert "skipped annotations that are left out: 1" in added.notes
    assert import_labelstudio(study.folder, write(study, one)).new == ()  # one task, as it is downloaded


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not a JSON file"),
        pytest.param("[" * 100_000, "not a JSON file", id="deep"),
        ("3", "expected a list of tasks"),
        ('[{"id": 1, "id": 2}]', "the key 'id' occurs twice"),
        ([1], "number 1: task ?: it is not a Label Studio task"),
        ([{"id": 3}], "number 1: task 3: it has no 'data'"),
        ([task(annotation(1, None, pairwise("left")))], "task 7: the evaluator is empty"),
        ([task(annotation(1, 1, pairwise("left")), image1="x.png")], "task 7: no picture is called 'x.png'"),
        ([task(annotation(1, 1, pairwise("left")), image1="")], "name its key with --key a=KEY"),
        ([task(annotation(1, 1, pairwise("up")))], "task 7: the choice 'up' of the control 'pw' is not left"),
        ([task(annotation(1, 1, choice("left", "right")))], "task 7: the control 'better' has 2 choices"),
        (
            [task(annotation(1, 1, stars(7)))],
            "the rating 7 is not on the scale from 1 to 5; set --low",
        ),
        ([task(annotation(1, 1, stars("4")))], "the rating '4' of the control 'beauty' is not a number"),
        (
            [task(annotation(1, 1, stars(4, "image1,image2")))],
            "the rating 'beauty' is about several",
        ),
        (
            [task(annotation(1, 1, stars(4, "img")))],
            "its data has no 'file'; name its key with --key",
        ),
        ([], "there are no pairwise selections, choices or ratings in this file"),
    ],
)
def test_a_bad_task_is_named_and_nothing_is_written(study: Study, content: object, message: str) -> None:
    before = snapshot(study.folder)
    with pytest.raises(DataError) as caught:
        import_labelstudio(study.folder, write(study, content))
    assert message in str(caught.value)
    assert snapshot(study.folder) == before


def test_a_longer_scale_and_other_keys_are_stated(study: Study) -> None:
    path = write(study, [task(annotation(1, 1, stars(7, "img")), img="https://host/x/p01_sdxl.png?sig=1")])
    options = ImportOptions(high=10)
    added = import_labelstudio(study.folder, path, options=options, keys={"file": "img"})
    assert added.counts == {"rating": 1}
    with pytest.raises(UsageError, match="unknown key 'c'"):
        import_labelstudio(study.folder, path, keys={"c": "img"})


def csv_of(study: Study, text: str) -> Path:
    path = study.folder.parent / "export.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_export_gives_the_same_values_and_is_read_by_line(study: Study) -> None:
    head = '"annotation_id","annotator","beauty","better","created_at","id","image1","image2","prompt","pw"\n'
    shown = '"/data/upload/3/0123abcd-p01_dalle.png","/data/local-files/?d=images/p01_flux.png","Prompt 1"'
    stars = '"[{""rating"":3}]"'
    text = (
        f'{head}12,"2",{stars},"","2024",7,{shown},"[{{""selected"":""right""}}]"\n'
        f'11,"1","","Left","2024",7,{shown},""\n'
        f'"","","","","",8,{shown},""\n'
    )
    path = csv_of(study, text)
    added = import_labelstudio(study.folder, path, keys={"file": "image1"})
    assert added.counts == {"verdict": 2, "rating": 1}
    once = snapshot(study.folder)
    both = task(annotation(12, 2, pairwise("right"), result("rating", {"rating": 3}, "beauty")))
    both["annotations"].append(annotation(11, 1, choice("Left")))
    assert import_labelstudio(study.folder, write(study, [both])).new == ()
    assert snapshot(study.folder) == once
    wrong = csv_of(study, text.replace('"Prompt 1"', '"A\nB"', 1))
    with pytest.raises(DataError, match="line 2: task 7: no prompt is called") as caught:
        import_labelstudio(study.folder, wrong, keys={"file": "image1"})
    assert "nothing was written" in str(caught.value)
    with pytest.raises(DataError, match="there is no column 'annotation_id'"):
        import_labelstudio(study.folder, csv_of(study, "id,prompt\n1,x\n"))


def test_a_choice_that_json_min_writes_like_text_is_not_dropped(study: Study) -> None:
    record = {"prompt": "Prompt 1", "image1": "p01_dalle.png", "image2": "p01_flux.png", "id": 1}
    minimal = [
        {**record, "better": "Left", "why": "flat", "annotator": 1, "annotation_id": 1},
        {**record, "better": "Same", "why": "dull", "annotator": 2, "annotation_id": 2},
    ]
    with pytest.raises(DataError, match="number 2: task 1: the choice 'Same' of the control 'better'"):
        import_labelstudio(study.folder, write(study, minimal))
    import_labelstudio(study.folder, write(study, minimal), choices={"Same": "tie"})
    assert [winner for _, winner, _ in recorded_values(study)] == ["a", "tie"]


def test_an_uploaded_picture_is_found_by_its_name_without_spaces(tmp_path: Path) -> None:
    folder = new_study(tmp_path / "study").folder
    (tmp_path / "images").mkdir()
    for shade, name in enumerate(("p1 flux (1).png", "p1 sdxl.png")):
        Image.new("RGB", (8, 6), (shade, 9, 9)).save(tmp_path / "images" / name)
    (tmp_path / "prompts.csv").write_text("id,prompt\np1,Prompt 1\n")
    study = add_pictures(folder, tmp_path / "prompts.csv", tmp_path / "images").study
    uploads: dict[str, Any] = {
        "image1": "/data/upload/3/0123abcd-p1_flux_1.png",
        "image2": "/data/upload/3/0123abcd-p1_sdxl.png",
    }
    added = import_labelstudio(folder, write(study, [task(annotation(1, 1, pairwise("left")), **uploads)]))
    assert added.counts == {"verdict": 1}
