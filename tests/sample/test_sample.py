"""The bundled sample study: its counts, its readings and its votes."""

import json
import subprocess
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from semiosis.files import data
from semiosis.study import Study, check_study, read_study
from semiosis.values import (
    FATES,
    HSG,
    SUB_SEMIOSES,
    Answer,
    Box,
    CompositeSign,
    ImageSign,
    Rating,
    Span,
    TextSign,
    Unscored,
    Verdict,
    outcomes,
)

SAMPLE = Path(str(data("graphs/sample")))
JUDGE = "Citing judge (synthetic)"


@pytest.fixture(scope="module")
def study() -> Study:
    return read_study(SAMPLE)


def artifacts(study: Study) -> list[ImageSign]:
    return [sign for sign in study.signs.values() if isinstance(sign, ImageSign) and sign.prompt]


def test_the_sample_has_no_problems() -> None:
    assert check_study(SAMPLE) == []


def test_six_traditions_six_generators_four_artifacts_each(study: Study) -> None:
    made = artifacts(study)
    assert set(Counter(sign.prompt for sign in made).values()) == {4}
    assert set(Counter(sign.generator for sign in made).values()) == {4}
    assert len({sign.prompt for sign in made}) == len({sign.generator for sign in made}) == 6
    assert len({sign.tradition for sign in study.signs.values()}) == 6
    assert sum(isinstance(sign, CompositeSign) for sign in study.signs.values()) == 1


def test_pictures_are_of_the_promised_size(study: Study) -> None:
    for sign in artifacts(study):
        assert max(sign.width, sign.height) == 768
        assert Path(sign.path).stat().st_size <= 150_000


def test_the_sample_leaves_room_in_the_wheel() -> None:
    kept = [file for file in SAMPLE.rglob("*.*") if file.is_file() and file.suffix != ".pyc"]
    assert sum(file.stat().st_size for file in kept if ".semiosis" not in file.parts) < 5_000_000


def test_every_sign_has_a_standard_and_a_complex_blind_reading(study: Study) -> None:
    for sign in study.signs:
        blind = [hsg for hsg in study.readings(sign) if hsg.blind]
        assert sorted(hsg.reading.detail for hsg in blind) == ["complex", "standard"]
        assert len({hsg.reading.interpreter.name for hsg in blind}) == 2
    for hsg in study.hsgs.values():
        assert 2 <= len(hsg.semioses) - 1 <= SUB_SEMIOSES[hsg.reading.detail]


def test_six_artifacts_were_also_read_given_the_prompt(study: Study) -> None:
    given = [hsg for hsg in study.hsgs.values() if not hsg.blind]
    assert len(given) == 6
    for hsg in given:
        assert [study.hsgs[shown].sign.id for shown in hsg.reading.given] == [hsg.sign.prompt]


def test_spans_cut_their_prompt(study: Study) -> None:
    spans = [(hsg, place) for hsg, place in placed(study) if isinstance(place, Span)]
    assert any("芭蕉" in place.quote for _, place in spans)
    for hsg, place in spans:
        sign = hsg.sign.parts[place.part] if isinstance(hsg.sign, CompositeSign) else hsg.sign
        assert isinstance(sign, TextSign)
        assert sign.text[place.start : place.end] == place.quote


def test_boxes_match_what_the_script_painted(study: Study) -> None:
    drawn = json.loads((SAMPLE / "images" / "boxes.json").read_text())
    for hsg, box in placed(study):
        if isinstance(box, Box):
            sign = hsg.sign.parts[box.part] if isinstance(hsg.sign, CompositeSign) else hsg.sign
            assert isinstance(sign, ImageSign)
            corners = (box.x0 * sign.width, box.y0 * sign.height, box.x1 * sign.width, box.y1 * sign.height)
            assert [round(corner) for corner in corners] in drawn[Path(sign.path).stem].values()


def placed(study: Study) -> list[tuple[HSG, Span | Box]]:
    return [
        (hsg, place)
        for hsg in study.hsgs.values()
        for semiosis in hsg.semioses.values()
        for place in semiosis.places
    ]


def test_every_location_and_relation_occurs(study: Study) -> None:
    semioses = [semiosis for hsg in study.hsgs.values() for semiosis in hsg.semioses.values()]
    locations = Counter(semiosis.location for semiosis in semioses)
    assert locations["unlocated"] == 3
    assert locations["global"] > 50
    relations = list(chain.from_iterable(hsg.relations for hsg in study.hsgs.values()))
    assert {relation.relation for relation in relations} == {"supports", "elaborates", "contrasts"}
    assert any(not relation.hierarchy for relation in relations)


def test_no_object_of_a_blind_artifact_reading_is_copied_from_the_prompt(study: Study) -> None:
    objects = {
        sign: {s.object for hsg in study.readings(sign) for s in hsg.semioses.values()}
        for sign in study.signs
    }
    for sign in artifacts(study):
        blind = {s.object for hsg in study.readings(sign.id) if hsg.blind for s in hsg.semioses.values()}
        assert sign.prompt is not None
        assert not blind & objects[sign.prompt] - {"mortality"}


def test_five_annotators_judged_all_pairs_and_do_not_always_agree(study: Study) -> None:
    people = [verdict for verdict in study.verdicts if verdict.evaluator.kind == "person"]
    assert len(study.comparisons) == 36
    assert {verdict.comparison for verdict in people} == set(study.comparisons)
    assert len({verdict.evaluator.name for verdict in people}) == 5
    assert all("synthetic" in verdict.evaluator.name for verdict in study.verdicts)
    assert len(people) < 180
    assert {verdict.winner for verdict in people} == {"a", "b", "tie"}
    votes = [{v.winner for v in people if v.comparison == comparison} for comparison in study.comparisons]
    assert any(len(vote) == 1 for vote in votes)
    assert any(len(vote) > 1 for vote in votes)


def test_the_citing_judge_shows_a_flip_a_refusal_and_a_dropped_citation(study: Study) -> None:
    judged = [verdict for verdict in study.verdicts if verdict.evaluator.name == JUDGE]
    assert len(judged) == 72
    assert Counter(verdict.shown for verdict in judged) == {"ab": 36, "ba": 36}
    refused = [verdict for verdict in judged if isinstance(verdict.winner, Unscored)]
    assert [verdict.winner.reason for verdict in refused if isinstance(verdict.winner, Unscored)] == [
        "refusal"
    ]
    assert sum(len(verdict.dropped) for verdict in judged) == 1
    assert all(verdict.citations for verdict in judged if verdict not in refused)
    assert "flip" in [outcome.winner for outcome in outcomes(judged) if isinstance(outcome.winner, str)]


def test_ratings_cover_all_signs_and_answers_all_questions(study: Study) -> None:
    ratings = [said for said in study.observations.values() if isinstance(said, Rating)]
    assert {rating.scale for rating in ratings} == {"iconicity", "indexicality", "symbolism"}
    assert {rating.about for rating in ratings} == set(study.signs)
    answers = [said for said in study.observations.values() if isinstance(said, Answer)]
    assert len(study.questions) == 30
    assert {answer.question for answer in answers} == set(study.questions)
    assert all(study.hsgs[used].blind for answer in answers for used in answer.used)


def test_no_observation_was_lost_to_a_shared_id(study: Study) -> None:
    lines = sum(len(file.read_text().splitlines()) for file in (SAMPLE / "observations").glob("*.jsonl"))
    assert lines == len(study.observations)
    assert sum(isinstance(said, Verdict) for said in study.observations.values()) == len(study.verdicts)


@pytest.mark.slow
def test_the_record_is_what_its_sources_compile_to(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SAMPLE / "build.py"), str(tmp_path)], check=True)
    made = {file.relative_to(tmp_path): file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert len(made) > 8
    assert made == {name: (SAMPLE / name).read_bytes() for name in made}


@pytest.mark.slow
def test_painting_is_deterministic(tmp_path: Path) -> None:
    name = "glacier-plainhand"
    subprocess.run([sys.executable, str(SAMPLE / "paint.py"), str(tmp_path), name], check=True)
    again, kept = (
        np.asarray(Image.open(folder / f"{name}.png").convert("RGB"), float)
        for folder in (tmp_path, SAMPLE / "images")
    )
    # Another processor may round a gradient differently; nobody would see a mean difference of one level.
    assert float(np.abs(again - kept).mean()) < 1
    boxes = json.loads((SAMPLE / "images" / "boxes.json").read_text())
    assert json.loads((tmp_path / "boxes.json").read_text())[name] == boxes[name]


@pytest.mark.slow
def test_the_contact_sheet_shows_the_pictures(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(SAMPLE / "sheet.py"), str(tmp_path / "sheet.jpg")], check=True)
    again, kept = (
        np.asarray(Image.open(file).convert("RGB"), float)
        for file in (tmp_path / "sheet.jpg", SAMPLE.parents[1] / "docs" / "images" / "contact-sheet.jpg")
    )
    assert float(np.abs(again - kept).mean()) < 1


def test_every_artifact_has_fates_written_by_hand(study: Study) -> None:
    assert sorted(alignment.target.sign for alignment in study.alignments.values()) == sorted(
        sign.id for sign in artifacts(study)
    )
    for alignment in study.alignments.values():
        assert study.signs[alignment.target.sign].prompt == alignment.source.sign
        assert (alignment.aligner, alignment.condition) == ("person", "blind")
        assert all(fate.why for fate in alignment.fates)
    stated = {fate.fate for alignment in study.alignments.values() for fate in alignment.fates}
    assert stated == set(FATES)
