"""One table of votes through its three readers: `semiosis stats FILE`, a data frame, and an import."""

import csv
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semiosis.stats import Votes, outcomes_of, votes_of, votes_of_verdicts
from semiosis.stats.tools import DESCRIPTIONS
from semiosis.study import Study, import_observations, read_votes
from semiosis.study._import_pictures import COLUMNS as PICTURE_COLUMNS
from semiosis.values import Comparison, Verdict
from tests.study.pictures import make_study

PAIRS = [(p, a, b) for p in ("p01", "p02") for a, b in combinations(("dalle", "flux", "sdxl"), 2)]
WORDS = ["a", "b", "tie", "A", "left", "right", "image_b", ""]
HEADINGS = st.sampled_from(
    [
        {"prompt": "prompt", "a": "a", "b": "b", "evaluator": "evaluator", "winner": "winner"},
        {"prompt": "prompt_id", "a": "left", "b": "Image B", "evaluator": "annotator", "winner": "Vote"},
        {"prompt": "text", "a": "model_a", "b": "right", "evaluator": "user", "winner": "choice"},
    ]
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return make_study(Path(tmp_path_factory.mktemp("readers")))


def written(study: Study, rows: list[dict[str, str]]) -> Path:
    file = study.folder.parent / "votes.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return file


def outcomes_by_names(votes: Votes) -> dict[tuple[str, frozenset[str]], dict[str, str]]:
    """Return the winning generator of each judge on each comparison, or the word for another outcome."""
    rows: dict[tuple[str, frozenset[str]], dict[str, str]] = {}
    for judge in votes.evaluators:
        for number, winner in enumerate(outcomes_of(votes, judge).winner[0]):
            pair = (votes.a[number], votes.b[number])
            word = {1.0: pair[0], -1.0: pair[1], 0.0: "tie"}.get(float(winner), "")
            if word:
                rows.setdefault((votes.prompt[number], frozenset(pair)), {})[judge] = word
    return rows


def imported(study: Study, file: Path) -> Votes:
    added = import_observations(study.folder, "votes", file, dry_run=True)
    comparisons = [
        *study.comparisons.values(),
        *(value for value in added.new if isinstance(value, Comparison)),
    ]
    verdicts = [value for value in added.new if isinstance(value, Verdict)]
    votes = votes_of_verdicts(verdicts, comparisons, study.signs.values())
    titles = {sign.id: sign.title for sign in study.signs.values()}
    prompts = [name.replace("Prompt ", "p0") for name in (titles[prompt] for prompt in votes.prompt)]
    return Votes(**{**vars(votes), "prompt": tuple(prompts)})


WINNERS = st.lists(st.sampled_from([*WORDS, "dalle", "flux", "sdxl"]), min_size=6, max_size=6)


@given(HEADINGS, WINNERS, WINNERS, st.booleans())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_table_means_the_same_to_every_reader(
    study: Study, heading: dict[str, str], first: list[str], second: list[str], wide: bool
) -> None:
    rows = []
    for (prompt, a, b), one, two in zip(PAIRS, first, second, strict=True):
        pair = {heading["prompt"]: prompt, heading["a"]: a, heading["b"]: b}
        cells = {"Ann": one, "judge": two}
        valid = {who: cell for who, cell in cells.items() if cell in (*WORDS, a, b)}
        if wide:
            rows.append(pair | {who: valid.get(who, "") for who in cells})
        else:
            rows += [pair | {heading["evaluator"]: w, heading["winner"]: c} for w, c in valid.items()]
    if not any(row.get("Ann") or row.get("judge") or row.get(heading["winner"]) for row in rows):
        return
    file = written(study, rows)
    from_file = outcomes_by_names(read_votes(file).votes)
    from_frame = outcomes_by_names(votes_of({name: [row[name] for row in rows] for name in rows[0]}))
    assert from_file == from_frame == outcomes_by_names(imported(study, file))


def test_headings_of_pictures_are_no_judges_in_any_reader() -> None:
    spellings = {word for name, words in PICTURE_COLUMNS.items() for word in (name, *words)}
    assert spellings - DESCRIPTIONS <= {"prompt", "prompt_id", "text", "reference"}
