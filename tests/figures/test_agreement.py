"""Tests of the figures of reader agreement and of a consensus."""

import pytest
from matplotlib.figure import Figure

from semiosis import figures
from semiosis.align import consensus
from semiosis.files import data
from semiosis.study import Study, read_study, reader_agreement
from semiosis.tables import DisplayOptions, study_figures
from semiosis.values import UsageError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


def shown(figure: Figure) -> str:
    """Return all text of a figure."""
    ticks = [label for axes in figure.axes for label in axes.get_yticklabels()]
    texts = [*ticks, *(text for axes in figure.axes for text in axes.texts), *figure.texts]
    return " ".join(text.get_text() for text in texts)


def test_the_chart_shows_every_sign_and_chance(sample: Study) -> None:
    found = reader_agreement(sample)
    figure = figures.reader_agreement_chart(found)
    text = shown(figure)
    assert all(sign.title in text for sign in found.groups[0].signs)
    assert "nodes matched by embedder wordllama" in text
    assert "few prompts (7)" in text
    pairs = sum(sign.same_place for sign in found.groups[0].signs)
    assert pairs > 0
    assert f"Same place, other object: {pairs} pairs of nodes that do not match" in " ".join(text.split())
    (axes,) = figure.axes
    marks = [line for line in axes.lines if line.get_marker() in ("o", "x")]
    dots = {(float(line.get_ydata()[0]), line.get_marker()): float(line.get_xdata()[0]) for line in marks}  # type: ignore[index,arg-type]  # one point each
    assert len([mark for _, mark in dots if mark == "o"]) == 32  # 31 signs and all of them
    assert len([mark for _, mark in dots if mark == "x"]) == 31  # the composite sign has no chance
    assert dots[0.0, "o"] == float(found.groups[0].measure("nodes").observed)


def test_a_long_title_is_cut_in_one_column(sample: Study) -> None:
    text = shown(figures.reader_agreement_chart(reader_agreement(sample), width="one-column"))
    assert "…" in text


def test_the_card_of_a_consensus_shows_how_many_readers_have_each_node(sample: Study) -> None:
    sign = next(sign for sign in sample.signs.values() if sign.title == "The Annunciation, cubist")
    merged = consensus([hsg for hsg in sample.readings(sign.id) if hsg.blind])
    text = shown(figures.card(merged))
    assert "Consensus of 2 blind readings." in text
    assert text.count("2 of 2 readers") == 4
    assert text.count("1 of 2 readers") == 2


def test_cards_include_a_consensus_only_if_it_is_named(sample: Study) -> None:
    sign = next(sign for sign in sample.signs.values() if sign.title == "The Annunciation, cubist")
    merged = consensus([hsg for hsg in sample.readings(sign.id) if hsg.blind])
    hsgs = {merged.id: merged, **sample.hsgs}
    study = Study(sample.folder, sample.head, signs=sample.signs, hsgs=hsgs)
    options = DisplayOptions(only="The Annunciation, cubist")
    drawn = dict(study_figures(study, "card", options))
    assert "Consensus" not in shown(drawn[f"card-the-annunciation-cubist-{sign.id[:8]}"])
    asked = DisplayOptions(reader="consensus")
    assert len(list(study_figures(study, "card", asked))) == 1
    with pytest.raises(UsageError, match="no blind reading matches"):
        list(study_figures(sample, "card", asked))
