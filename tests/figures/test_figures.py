"""Figures as readers get them: complete text in every script, embedded fonts, equal bytes, honest numbers."""

import re
import zlib
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

from semiosis import figures
from semiosis.cli.figure import figure as figure_command
from semiosis.figures._text import Piece, Style, wrapped
from semiosis.files import data, parse_yaml
from semiosis.study import Study, generator_profile, generator_ratings, read_study, study_alignments
from semiosis.values import MATCHED, Unscored, UsageError


@pytest.fixture(scope="module")
def sample() -> Study:
    """The sample study."""
    return read_study(data("graphs/sample"))


def shown(figure: Figure) -> str:
    """All text of a figure, in the order it was drawn."""
    texts = [text for axes in figure.axes for text in axes.texts] + figure.texts
    return " ".join(text.get_text() for text in texts)


ARABIC = "منطق الطير: ثلاثون طائرا يصلون إلى نهاية الأودية السبعة"
HEBREW = "קול דממה דקה and then silence"
CHINESE = "《听雨》，水墨。老者独坐僧庐檐下，夜雨打芭蕉，点滴到天明。不画雨，只画听。"


@pytest.mark.parametrize("text", ["A lily " * 30, CHINESE, ARABIC, HEBREW, "Donau" * 80, "a $x$ & <b> %"])
def test_no_letter_is_left_out_and_no_line_is_too_wide(text: str) -> None:
    lines = wrapped(text, 120)
    letters = "".join(sorted("".join(run.text for line in lines for run in line.runs).replace(" ", "")))
    assert letters == "".join(sorted(text.replace(" ", "")))
    for line in lines:
        assert min(run.x for run in line.runs) >= -0.01
        assert max(run.x + run.width for run in line.runs) <= 120.5
        assert all(left.x + left.width <= right.x + 0.01 for left, right in pairwise(line.runs))


def test_arabic_starts_at_the_right_and_words_of_another_script_keep_their_order() -> None:
    (line,) = wrapped(HEBREW, 400)
    assert [run.text for run in line.runs] == ["and then silence", "קול דממה דקה"]
    assert line.runs[-1].x + line.runs[-1].width == pytest.approx(400)
    (line,) = wrapped("silence קול דממה end", 400)
    assert [run.text for run in line.runs] == ["silence", "קול דממה", "end"]
    assert line.runs[0].x == 0


def test_a_marked_span_keeps_the_spaces_around_it() -> None:
    pieces = [Piece("a white "), Piece("lily", Style(mark="#eeeeee")), Piece(" stays")]
    (line,) = wrapped(pieces, 300)
    gaps = [right.x - left.x - left.width for left, right in pairwise(line.runs)]
    assert min(gaps) > 1


def test_no_line_starts_with_a_comma() -> None:
    for width in range(40, 140, 7):
        assert all(line.runs[0].text[0] not in "，。" for line in wrapped(CHINESE, width))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_equal_bytes_when_made_twice(sample: Study, form: str) -> None:
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


def test_letters_without_a_font_are_reported() -> None:
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


def test_the_profile_counts_by_hand(sample: Study) -> None:
    """Matched shares against a count in a few lines, and the same over all generators."""
    found = generator_profile(sample)
    counted: dict[str, list[bool]] = {}
    for alignment in sample.alignments.values():
        generator = sample.signs[alignment.target.sign].generator
        counted.setdefault(generator, []).extend(fate.fate in MATCHED for fate in alignment.fates)
    assert {row.generator: float(row.matched) for row in found.rows} == pytest.approx(
        {name: np.mean(hits) for name, hits in counted.items()}
    )
    assert all(sum(map(float, row.by_fate.values())) == pytest.approx(1) for row in found.rows)
    # Four prompts for each generator: too few for an interval, and the figure says so.
    assert all(isinstance(row.matched.interval, Unscored) for row in found.rows)
    assert "an interval needs at least 5" in shown(figures.profile(found))


def test_a_study_without_costs_has_no_figure_of_costs(sample: Study) -> None:
    with pytest.raises(UsageError, match="no judge has a recorded cost"):
        list(figures.study_figures(sample, "cost"))


def test_an_unknown_kind_names_the_known_ones(sample: Study) -> None:
    with pytest.raises(UsageError, match="choose one of card, pair"):
        list(figures.study_figures(sample, "pie"))


@pytest.mark.slow
def test_every_kind_draws_the_sample_without_a_missing_letter(sample: Study, tmp_path) -> None:  # type: ignore[no-untyped-def]  # a fixture
    figure_command("all", sample.folder, out=tmp_path, form="png", only="vanitas", prior=0.5)
    stems = {file.stem.split("-")[0] for file in tmp_path.glob("*.png")}
    assert stems == {"card", "pair", "judges", "ratings", "iconicity", "shifts", "drift", "profile"}
