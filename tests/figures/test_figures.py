"""Tests of figures: complete text in every script, embedded fonts, equal bytes, correct numbers."""

import re
import zlib
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from semiosis import figures
from semiosis.cli.figure import figure as figure_command
from semiosis.figures import _text
from semiosis.figures._text import Style, StyledText, text_width, wrap_text
from semiosis.files import data, parse_yaml
from semiosis.stats import Interval
from semiosis.study import (
    Study,
    compare_study,
    generator_profile,
    generator_ratings,
    rank_generators,
    read_study,
    study_alignments,
)
from semiosis.tables import DisplayOptions, profile_table, study_figures
from semiosis.values import MATCHED, Alignment, Unscored, Usage, UsageError

pytestmark = pytest.mark.slow  # drawing takes long


@pytest.fixture(scope="module")
def sample() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


def shown(figure: Figure) -> str:
    """Return all text of a figure, in the order it was drawn."""
    texts = [text for axes in figure.axes for text in axes.texts] + figure.texts
    return " ".join(text.get_text() for text in texts)


ARABIC = "منطق الطير: ثلاثون طائرا يصلون إلى نهاية الأودية السبعة"
HEBREW = "קול דממה דקה and then silence"
CHINESE = "《听雨》，水墨。老者独坐僧庐檐下，夜雨打芭蕉，点滴到天明。不画雨，只画听。"


LONG_WORD = pytest.param("Donau" * 80, marks=pytest.mark.slow, id="a long word")


@pytest.mark.parametrize("text", ["A lily " * 30, CHINESE, ARABIC, HEBREW, LONG_WORD, "a $x$ & <b> %"])
def test_wrapped_text_keeps_every_letter_and_fits_the_width(text: str) -> None:
    lines = wrap_text(text, 120)
    drawn = "".join(run.text for line in lines for run in line.runs)
    letters = "".join(sorted(re.sub("[ \u200e\u200f]", "", drawn)))
    assert letters == "".join(sorted(text.replace(" ", "")))
    for line in lines:
        assert min(run.x for run in line.runs) >= -0.01
        assert max(run.x + run.width for run in line.runs) <= 120.5
        assert all(left.x + left.width <= right.x + 0.01 for left, right in pairwise(line.runs))


def test_a_line_in_one_style_is_one_run_with_a_direction_mark() -> None:
    (line,) = wrap_text(HEBREW, 400)
    assert [run.text for run in line.runs] == [HEBREW]
    assert line.runs[-1].x + line.runs[-1].width == pytest.approx(400)  # aligned to the right
    first, second = wrap_text("\u05e7\u05d5\u05dc and a long line of Latin words", 60)[:2]
    assert not first.runs[0].text.startswith("\u200f")
    assert second.runs[0].text.startswith("\u200f")  # starts with a Latin word in a Hebrew text


def test_runs_of_several_styles_are_in_visual_order() -> None:
    bold = Style(weight="bold")
    (line,) = wrap_text(
        [StyledText("\u05e7\u05d5\u05dc \u05d3\u05de\u05de\u05d4 "), StyledText("and then", bold)], 400
    )
    assert [run.text for run in line.runs] == ["and then", "\u05e7\u05d5\u05dc \u05d3\u05de\u05de\u05d4"]
    (line,) = wrap_text(
        [
            StyledText("silence "),
            StyledText("\u05e7\u05d5\u05dc \u05d3\u05de\u05de\u05d4", bold),
            StyledText(" end"),
        ],
        400,
    )
    assert [run.text for run in line.runs] == [
        "silence",
        "\u05e7\u05d5\u05dc \u05d3\u05de\u05de\u05d4",
        "end",
    ]
    assert line.runs[0].x == 0


def test_scripts_without_italics_are_upright() -> None:
    """Fonts with slanted Latin letters have no slanted Arabic ones, which would be drawn as boxes."""
    (line,) = wrap_text(
        [StyledText("supports R: ", Style(italic=True)), StyledText(ARABIC[:9], Style(italic=True))], 400
    )
    assert {run.style.italic for run in line.runs if run.text.isascii()} == {True}
    assert {run.style.italic for run in line.runs if not run.text.isascii()} == {False}


def test_a_marked_span_keeps_the_spaces_around_it() -> None:
    pieces = [StyledText("a white "), StyledText("lily", Style(mark="#eeeeee")), StyledText(" stays")]
    (line,) = wrap_text(pieces, 300)
    gaps = [right.x - left.x - left.width for left, right in pairwise(line.runs)]
    assert min(gaps) > 1


def test_no_line_starts_with_a_comma() -> None:
    for width in range(40, 140, 7):
        assert all(line.runs[0].text[0] not in "，。" for line in wrap_text(CHINESE, width))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_a_figure_drawn_twice_has_equal_bytes(sample: Study, form: str) -> None:
    hsg = next(hsg for hsg in sample.hsgs.values() if hsg.sign.title.startswith("听雨") and hsg.blind)
    first, missing = figures.figure_bytes(figures.card(hsg), form)
    again, _ = figures.figure_bytes(figures.card(hsg), form)
    assert first == again
    assert missing == ()


def test_text_in_a_pdf_is_embedded_as_truetype(sample: Study) -> None:
    content, _ = figures.figure_bytes(figures.rated_generators(generator_ratings(sample, prior=0.5)), "pdf")
    streams = re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL)
    unpacked = content + b"".join(_inflated(stream) for stream in streams)
    assert b"/FontFile2" in unpacked
    assert b"/Type3" not in unpacked


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_characters_without_a_font_are_reported() -> None:
    reading = "semiosis: 1\nsign: {text: lily \U000f0000}\nreader: R\n"
    reading += "root: {label: l, sign: s, object: o, interpretant: i, place: {nowhere: w}}\n"
    _, missing = figures.figure_bytes(figures.card(parse_yaml(reading)))
    assert missing == ("\U000f0000",)


@pytest.mark.slow
def test_a_card_shows_every_word_of_every_node(sample: Study) -> None:
    hsg = next(hsg for hsg in sample.hsgs.values() if hsg.sign.title.endswith("by Lodestar"))
    for width in ("one-column", "two-column"):
        drawn = figures.card(hsg, width=width)
        words = shown(drawn).split()
        for semiosis in hsg.semioses.values():
            for field in (semiosis.label, semiosis.object, semiosis.interpretant):
                assert set(field.split()) <= set(words)
        assert drawn.get_figwidth() * 25.4 == pytest.approx(85 if width == "one-column" else 178, abs=0.3)


def test_a_pair_shows_every_fate_and_refuses_another_alignment(sample: Study) -> None:
    alignment = max(study_alignments(sample), key=lambda a: len({fate.fate for fate in a.fates}))
    prompt, artifact = sample.hsgs[alignment.source.hsg], sample.hsgs[alignment.target.hsg]
    text = shown(figures.aligned_pair(prompt, artifact, alignment))
    for fate in alignment.fates:
        assert fate.fate in text
        assert all(word in text for word in fate.why.split())
    with pytest.raises(UsageError, match="does not align"):
        figures.aligned_pair(artifact, prompt, alignment)


def importance(study: Study, alignment: Alignment) -> dict[str, float]:
    """Return the importance of each node of the prompt: as stated, 1 if no node's is, else the mean."""
    semioses = study.hsgs[alignment.source.hsg].semioses
    stated = [semiosis.importance for semiosis in semioses.values() if semiosis.importance is not None]
    mean = sum(stated) / len(stated) if stated else 1.0
    return {
        node: mean if semiosis.importance is None else semiosis.importance
        for node, semiosis in semioses.items()
    }


def test_the_profile_agrees_with_a_count_by_hand(sample: Study) -> None:
    """Compare the matched shares of each generator with a direct count, weighted by stated importance."""
    found = generator_profile(sample)
    counted: dict[str, list[tuple[bool, float]]] = {}
    for alignment in sample.alignments.values():
        generator = sample.signs[alignment.target.sign].generator
        weights = importance(sample, alignment)
        hits = [(fate.fate in MATCHED, weights[fate.node]) for fate in alignment.fates]
        counted.setdefault(generator, []).extend(hits)
    assert {row.generator: float(row.shares.matched) for row in found.rows} == pytest.approx(
        {
            name: sum(weight for hit, weight in hits if hit) / sum(weight for _, weight in hits)
            for name, hits in counted.items()
        }
    )
    assert all(sum(map(float, row.shares.by_fate.values())) == pytest.approx(1) for row in found.rows)
    # Four prompts for each generator: too few for an interval, and the figure says so.
    assert all(isinstance(row.shares.matched.interval, Unscored) for row in found.rows)
    assert "an interval needs at least 5" in shown(figures.profile(found))


def test_shares_by_ground_and_tradition_agree_with_a_count_by_hand(sample: Study) -> None:
    """Compare the lost shares by ground, weighted by strength, and by tradition with a direct count."""
    found = generator_profile(sample)
    row = found.rows[-1]
    those = [
        (alignment, fate)
        for alignment in study_alignments(sample)
        if sample.signs[alignment.target.sign].generator == row.generator
        for fate in alignment.fates
    ]
    strength = [
        sample.hsgs[a.source.hsg].semioses[fate.node].grounds.symbolic.strength
        * importance(sample, a)[fate.node]
        for a, fate in those
    ]
    lost = [fate.fate == "lost" for _, fate in those]
    assert float(row.by_ground["symbolic"].lost) == pytest.approx(np.average(lost, weights=strength))
    christian = [
        (fate.fate == "lost", importance(sample, a)[fate.node])
        for a, fate in those
        if sample.signs[a.source.sign].tradition == "christian"
    ]
    share = sum(weight for is_lost, weight in christian if is_lost) / sum(weight for _, weight in christian)
    assert float(row.by_tradition["christian"].lost) == pytest.approx(share)
    assert row.by_tradition["christian"].kept is not None  # a person aligned


def test_shares_have_intervals_between_0_and_1_with_enough_prompts(sample: Study) -> None:
    made = {id_: sign for id_, sign in sample.signs.items() if sign.generator}
    one = {id_: sign.model_copy(update={"generator": "Every"}) for id_, sign in made.items()}
    found = generator_profile(replace(sample, signs={**sample.signs, **one}))
    (row,) = found.rows
    for share in (row.shares.matched, row.shares.lost, row.by_ground["iconic"].matched):
        assert isinstance(share.interval, Interval)
        assert 0 <= share.interval.low <= float(share) <= share.interval.high <= 1
    assert "unreliable over 6 prompts" in shown(figures.profile(found))


def test_a_profile_of_one_artifact_counts_it_in_the_singular(sample: Study) -> None:
    one = replace(sample, alignments=dict(list(sample.alignments.items())[:1]))
    found = generator_profile(one)
    assert "n = 1 artifact (" in shown(figures.profile(found))
    assert any("n = 1 artifact, 23 not aligned" in note for note in profile_table(found).notes)
    assert "n = 24 artifacts (" in shown(figures.profile(generator_profile(sample)))


def test_the_figure_of_judges_shows_scores_on_one_ruler(sample: Study) -> None:
    table = compare_study(sample)
    drawn = figures.judge_scores(table)
    text = shown(drawn)
    assert "people" in text  # the label of the band
    assert "28 right, 4 tied, 1 wrong, 1 none" in text
    assert "guessing best possible" in text  # the labels of the dotted lines
    assert "Best possible: 0.93, because people disagree." in text
    (axes,) = drawn.axes
    assert table.best in [float(np.asarray(line.get_xdata())[0]) for line in axes.lines]
    low, _, high = table.people_range or (0, 0, 0)
    band = axes.patches[0].get_extents().transformed(axes.transData.inverted())
    assert (band.x0, band.x1) == pytest.approx((low, high))


def test_the_reliability_diagram_shows_stated_and_observed_shares(sample: Study) -> None:
    ((name, drawn),) = study_figures(sample, "reliability")
    assert name == "reliability"
    row = compare_study(sample).rows[0]
    assert row.calibration is not None
    stated = [part.stated for part in row.calibration.bins if part.n]
    assert np.asarray(drawn.axes[0].lines[1].get_xdata()).tolist() == pytest.approx(stated)
    assert "Brier 0.074, n = 34" in shown(drawn)
    assert len(drawn.axes) == 1  # a panel for each judge that states probabilities


def test_the_cost_figure_uses_the_cost_of_the_verdicts(sample: Study) -> None:
    """A judge with two verdicts of 1.5 cents for each comparison costs 3 cents for one."""
    judge = "Citing judge (synthetic)"
    verdicts = [v for v in sample.verdicts if v.evaluator.name == judge]
    paid = {v.id: v.model_copy(update={"usage": Usage(calls=1, cost=0.015)}) for v in verdicts}
    study = replace(sample, observations={**sample.observations, **paid})
    ((_, drawn),) = study_figures(study, "cost")
    per_comparison = 0.015 * len(verdicts) / len({v.comparison for v in verdicts})
    dots = [line for line in drawn.axes[0].lines if line.get_marker() == "o"]
    assert [float(np.asarray(line.get_xdata())[0]) for line in dots] == [pytest.approx(per_comparison)]
    text = shown(drawn)
    assert "people, each against the majority of the others" in text  # the human ceiling
    assert f"n = {len({v.comparison for v in verdicts})}" in text
    one_unpaid = replace(study, observations={**study.observations, verdicts[0].id: verdicts[0]})
    with pytest.raises(UsageError, match="no judge has a recorded cost"):  # a partial sum is not a cost
        list(study_figures(one_unpaid, "cost"))


def test_the_ranking_states_ranks_counts_and_why_there_is_no_interval(sample: Study) -> None:
    (ranking,) = rank_generators(sample)
    ((name, figure),) = study_figures(sample, "ranking")
    assert name == "ranking"
    text = shown(figure)
    for row in ranking.rows:
        assert row.generator in text
        assert f"{float(row.value):.2f}" in text
    assert text.count("1–6") == 6
    assert "Hollow: no interval, an interval needs at least 5 prompts" in text
    rated = DisplayOptions(measure="rating:iconicity")
    ((_, figure),) = study_figures(sample, "ranking", rated)
    assert figure.axes[0].get_title(loc="left") == "mean iconicity"
    with pytest.raises(UsageError, match="6 groups of prompts are too many for one figure"):
        list(study_figures(sample, "ranking", DisplayOptions(by="tradition")))


def test_a_study_without_costs_has_no_cost_figure(sample: Study) -> None:
    with pytest.raises(UsageError, match="no judge has a recorded cost"):
        list(study_figures(sample, "cost"))


def test_an_unknown_kind_is_refused_with_a_list_of_the_known_ones(sample: Study) -> None:
    with pytest.raises(UsageError, match="choose one of judges, reliability, profile"):
        list(study_figures(sample, "pie"))


@pytest.mark.slow
def test_every_kind_of_figure_can_be_drawn_from_the_sample(sample: Study, tmp_path) -> None:  # type: ignore[no-untyped-def]  # a fixture
    figure_command("all", sample.folder, out=tmp_path, form="png", only="vanitas", prior=0.5)
    stems = {file.stem.split("-")[0] for file in tmp_path.glob("*.png")}
    assert stems == {
        "grid",
        "ranking",
        "agreement",
        "card",
        "pair",
        "judges",
        "ratings",
        "reliability",
        "iconicity",
        "shifts",
        "profile",
    }


def test_a_byte_order_mark_is_drawn_as_its_code_point() -> None:
    """Matplotlib's PDF backend fails on a text that consists of one."""
    (line,) = wrap_text("\ufeff", 200)
    assert "".join(run.text for run in line.runs) == "⟨U+FEFF⟩"


def test_a_long_word_is_cut_into_the_longest_pieces_that_fit() -> None:
    word = "".join(chr(97 + n * 7 % 26) for n in range(200))
    style = Style()
    pieces = [line.runs[0].text for line in wrap_text(word, 60, style)]
    assert "".join(pieces) == word
    for piece, following in pairwise(pieces):
        assert text_width(piece, style) <= 60 < text_width(piece + following[0], style)


@pytest.mark.slow
def test_the_time_for_a_long_word_grows_with_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measured letters are counted, because no test depends on the speed of the machine."""
    measured = 0
    measure = _text._width

    def count(text: str, *font: Any) -> float:
        nonlocal measured
        measured += len(text)
        return measure(text, *font)

    monkeypatch.setattr(_text, "_width", count)
    wrap_text("lily" * 25_000, 200)
    assert measured < 10 * 100_000
