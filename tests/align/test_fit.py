"""Fitting and measuring on small made-up annotations, with vectors that are directions in a plane."""

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from semiosis.align import Aligner
from semiosis.align import fit as command
from semiosis.align._annotated import READINGS_FILES, AnnotatedPair, read_annotated
from semiosis.align._fit import (
    MAX_UNRELATED,
    assigned_cosines,
    choose_cut,
    fit,
    leave_one_out,
    predict,
    score_pairs,
)
from semiosis.align._measure import (
    Counts,
    PredictedMatches,
    ScoredPair,
    count_matches,
    measure,
    percentile_interval,
    sum_counts,
)
from semiosis.align._weights import MeasuredQuality, MeasuredReaders, read_weights, weights_of
from semiosis.values import HSG, DataError, TextSign, UsageError, to_json
from tests.align.hsgs import AngleEmbedder, HashEmbedder, at, hsg, weights_file

NOT_ANY: frozenset[str] = frozenset()


def prompt(number: int) -> HSG:
    """A prompt with a root and two nodes; prompts are 90° apart."""
    angle = 90.0 * number
    nodes = at(angle + 7), at(angle + 17)
    return hsg(*nodes, root=at(angle), sign=TextSign(text=f"prompt {number}"))


def artifact(number: int) -> HSG:
    """The picture of a prompt: the root moved by 2°, the first node by 3°, and a new node."""
    angle = 90.0 * number
    nodes = at(angle + 10), at(angle + 45)
    return hsg(*nodes, root=at(angle + 2), sign=TextSign(text=f"picture {number}"))


TRUTH = frozenset({("root", "root"), ("n1", "n1")})


def pairs(folder: str = "made", many: int = 4) -> list[AnnotatedPair]:
    """Every prompt with every picture; only its own is related."""
    own_prompts = [prompt(number).id for number in range(many)]
    return [
        AnnotatedPair(
            folder,
            prompt(one),
            artifact(other),
            own_prompts[other],
            TRUTH if one == other else frozenset(),
            NOT_ANY,
        )
        for one in range(many)
        for other in range(many)
    ]


WORDS = (
    ("lily purity innocence", "angel message greeting"),
    ("skull death vanity", "candle time burning"),
    ("ship voyage exile", "storm danger sea"),
    ("mirror truth self", "mask deceit theatre"),
)


def worded(number: int, kind: str) -> HSG:
    """A prompt or a picture with texts: they share the root and a node, and each has a further node."""
    root, node = ((f"{kind} {words}", words, words) for words in WORDS[number])
    own = {"prompt": ("crown", "power", "obey"), "picture": ("bread on a table", "daily life", "at home")}
    return hsg(node, own[kind], root=root, sign=TextSign(text=f"{kind} {number}"))


def written(folder: Path) -> Path:
    """Annotated readings as files."""
    folder.mkdir()
    lines = [[to_json(worded(number, kind)) for number in range(4)] for kind in ("prompt", "picture")]
    matches = [
        json.dumps(
            {
                "id": str(number),
                "prompt": worded(number, "prompt").id,
                "artifact": worded(number, "picture").id,
                "truth": sorted(TRUTH),
            }
        )
        for number in range(4)
    ]
    for name, content in zip(READINGS_FILES, (*lines, matches), strict=True):
        (folder / name).write_text("\n".join(content) + "\n", encoding="utf-8")
    return folder


def matches(one: ScoredPair, *made: tuple[str, str, float]) -> PredictedMatches:
    """An answer with these matches."""
    rows = [one.source.nodes.index(source) for source, _, _ in made]
    columns = [one.target.nodes.index(target) for _, target, _ in made]
    return PredictedMatches(np.array(rows), np.array(columns), np.array([p for _, _, p in made]))


def test_counts_by_hand() -> None:
    (own,) = score_pairs(pairs(many=1), AngleEmbedder())
    # Two right matches and a wrong one: n2 is lost.
    many = count_matches(own, matches(own, ("root", "root", 0.9), ("n1", "n1", 0.8), ("n2", "n2", 0.5)))
    assert many == Counts(predicted=3, right=2, true=2, lost=1, stated=0.9 + 0.8 + 0.5)
    few = count_matches(own, matches(own, ("root", "root", 0.9)))
    assert few == Counts(predicted=1, right=1, true=2, called_lost=2, rightly_lost=1, lost=1, stated=0.9)
    both = sum_counts([many, few])
    # 3 right of 4 found and 4 true: F1 6/8. Lost: 1 right of 2 called and 2 true: 2/4.
    assert (both.f1, both.precision, both.recall, both.lost_f1) == (0.75, 0.75, 0.75, 0.5)


def test_disputed_nodes_do_not_count() -> None:
    (pair,) = pairs(many=1)
    disputed = AnnotatedPair(
        "made", pair.prompt, pair.artifact, pair.own_prompt, frozenset({("root", "root")}), frozenset({"n1"})
    )
    (one,) = score_pairs([disputed], AngleEmbedder())
    made = matches(one, ("root", "root", 0.9), ("n1", "n1", 0.8))
    assert count_matches(one, made) == Counts(
        predicted=1, right=1, true=1, called_lost=1, rightly_lost=1, lost=1, stated=0.9
    )


def test_matches_of_an_unrelated_pair_are_all_wrong() -> None:
    (one,) = score_pairs([pairs(many=2)[1]], AngleEmbedder())
    assert count_matches(one, matches(one, ("root", "root", 0.9), ("n2", "n1", 0.9))) == Counts(
        unrelated_nodes=3, unrelated_nodes_kept=2, unrelated_roots=1, unrelated_roots_kept=1
    )


def test_the_cut_lies_between_what_matches_and_what_does_not() -> None:
    # True matches are 2° and 3° apart, cosine .999. The lost node at 17° is assigned to the new one at 45°,
    # cosine .88. Unrelated nodes are 28° (.88) or more apart.
    assert choose_cut(score_pairs(pairs(), AngleEmbedder())) == 0.89


def test_a_cut_that_keeps_unrelated_nodes_is_refused() -> None:
    close = (
        hsg(at(1), root=at(0), sign=TextSign(text="one")),
        hsg(at(2), root=at(1), sign=TextSign(text="two")),
    )
    unrelated = AnnotatedPair("made", *close, own_prompt="another prompt")
    with pytest.raises(DataError, match=f"every cut keeps more than {MAX_UNRELATED:.0%} of unrelated"):
        choose_cut(score_pairs([unrelated], AngleEmbedder()))


def test_probabilities_follow_the_share_that_is_right() -> None:
    scored = score_pairs(pairs(), AngleEmbedder())
    cosines, right = assigned_cosines(scored)
    by = fit(scored, centre=False)
    # Eight right matches with a cosine of .999, four wrong ones with .883: nine of ten, one of six.
    assert (right.sum(), len(right)) == (8, 12)
    p = expit(by.slope * (cosines - by.lengths[0].cut) + by.intercept)
    assert p[right == 1] == pytest.approx(0.9, abs=0.01)
    assert p[right == 0] == pytest.approx(1 / 6, abs=0.01)


def test_a_prompt_is_measured_by_parameters_fitted_without_it() -> None:
    scored = score_pairs(pairs(), AngleEmbedder())
    answers = leave_one_out(scored)
    assert set(answers) == {prompt(number).id for number in range(4)}
    outlier = hsg(at(300), root=at(200), sign=TextSign(text="another"))
    alone = AnnotatedPair("made", outlier, outlier, outlier.id, frozenset({("root", "root")}))
    more = leave_one_out([*scored, *score_pairs([alone], AngleEmbedder())])
    # The parameters for the outlier are those of the others; its own pair did not help.
    (made,) = more[outlier.id]
    by = fit(scored)
    assert made[1].p.tolist() == predict(made[0], by).p.tolist()


def test_rates_and_intervals_resample_prompts() -> None:
    good, bad = Counts(predicted=2, right=2, true=2), Counts(predicted=2, right=0, true=2)
    quality = measure([[good], [bad]])
    assert (quality.prompts, quality.pairs, quality.f1, quality.f1_interval) == (2, 2, 0.5, (0.0, 1.0))
    assert quality.unrelated_nodes is None
    assert percentile_interval([good, good]) == (1.0, 1.0)
    assert measure([[good]]).f1_interval is None


def test_the_command_writes_weights_for_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readings, out = written(tmp_path / "readings"), tmp_path / "weights.json"
    command.main(["--readings", str(readings), "--embedder", "wordllama", "--out", str(out)])
    weights = read_weights(out)
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text(encoding="utf-8"))
    (data,) = weights.fitted_on
    assert (data.name, data.prompts, data.pairs) == ("readings", 4, 4)
    expected = hashlib.sha256((readings / "matches.jsonl").read_bytes()).hexdigest()
    assert data.sha256["matches.jsonl"] == expected
    assert Aligner(weights=out).diff((worded(0, "prompt"), worded(0, "picture"))).weights == weights.version


def test_readings_that_are_missing_or_do_not_fit_say_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the annotated readings cannot be read"):
        read_annotated(tmp_path)
    folder = written(tmp_path / "readings")
    line = {"id": "x", "prompt": "0" * 20, "artifact": worded(0, "picture").id, "truth": []}
    (folder / "matches.jsonl").write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(DataError, match="pair 'x' names an HSG that is not in"):
        read_annotated(folder)


def test_a_folder_without_readings_ends_with_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--readings", str(tmp_path), "--out", str(tmp_path / "weights.json")])
    assert ended.value.code == 1
    printed = capsys.readouterr().err
    assert printed.startswith(f"error: {tmp_path / 'prompts.jsonl'}: the annotated readings cannot be read")
    assert "→ give a folder with prompts.jsonl, artifacts-blind.jsonl, matches.jsonl" in printed


def test_every_prompt_meets_the_pictures_of_the_others(tmp_path: Path) -> None:
    found = read_annotated(written(tmp_path / "readings"))
    assert [pair.related for pair in found] == [True] * 4 + [False] * 12


# The packaged parameters


@pytest.mark.parametrize("name", ["wordllama", "minilm", "use-multilingual"])
def test_packaged_weights_name_their_data_and_are_good_enough(name: str) -> None:
    weights = weights_of(name)
    assert weights.embedder == name
    assert "en" in weights.languages
    assert {data.name for data in weights.fitted_on} == {"real-readings", "pictures", "paintings"}
    assert all(len(digest) == 64 for data in weights.fitted_on for digest in data.sha256.values())
    short, long = (length.measured for length in weights.lengths)
    assert isinstance(short, MeasuredQuality)
    assert short.f1 >= 0.70
    assert short.unrelated_nodes is not None
    assert short.unrelated_roots is not None
    assert max(short.unrelated_nodes, short.unrelated_roots) <= 0.05
    assert abs(short.stated - short.right) <= 0.10
    assert isinstance(long, MeasuredReaders)
    assert long.same_sign_nodes >= 0.88
    assert long.unrelated_nodes <= 0.05
    assert long.unrelated_roots <= 0.02


def test_weights_of_another_embedder_are_never_used(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no alignment weights were fitted for the embedder 'unfitted'"):
        Aligner(HashEmbedder("unfitted"))
    with pytest.raises(UsageError, match="these weights are for the embedder 'angles', not 'wordllama'"):
        Aligner("wordllama", weights=weights_file(tmp_path))


def test_weights_that_cannot_be_read_say_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be used") as refused:
        read_weights(weights_file(tmp_path, cut="high"))
    assert "python -m semiosis.align.fit" in refused.value.fix
    for wrong in ("0.5", True, " 1 "):
        with pytest.raises(DataError, match=r"cut: Input should be a valid number"):
            read_weights(weights_file(tmp_path, cut=wrong))
    file = weights_file(tmp_path)
    file.write_text(file.read_text().replace('"cut"', '"cut": 0.1, "cut"', 1))
    with pytest.raises(DataError, match="the key 'cut' occurs twice"):
        read_weights(file)


def test_weights_in_a_pipe_or_a_device_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for file in (tmp_path / "pipe.json", Path("/dev/zero")):
        with pytest.raises(DataError, match="the file is not a regular file"):
            read_weights(file)
