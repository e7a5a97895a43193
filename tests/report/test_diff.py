"""Diffs as terminal text, Markdown, HTML and JSON."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from semiosis.align import Drift, StatedFate, alignment_of_fates, diff, drift_of_alignments
from semiosis.files import data, read_hsg
from semiosis.report import (
    DiffReport,
    diff_report,
    drift_json,
    drift_report,
    three_way_json,
    three_way_report,
)
from semiosis.values import (
    HSG,
    AlignedHSG,
    Alignment,
    Cascade,
    Evaluator,
    Ground,
    Grounds,
    Match,
    Semiosis,
    Shift,
    UsageError,
    from_json,
    to_json,
)
from tests.align.test_drift import five_rounds
from tests.strategies import a_match, a_reading, a_semiosis, a_text, aligned, an_alignment, an_hsg

HOSTILE = (
    "<script>alert(1)</script> [x](javascript:alert(1)) **b** | `c` \x9b31m\n# \u202etxt.exe {{ 7*7 }} &amp;"
)
PROMPT, ARTIFACT = a_text("a prompt"), a_text("an artifact")


def sample(name: str) -> HSG:
    return read_hsg(str(data("graphs/sample/readings") / f"{name}.yaml"))


class Words(HTMLParser):
    """The text of a page, and its elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.in_style = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.in_style = tag == "style"

    def handle_data(self, data: str) -> None:
        self.text += "" if self.in_style else data


def renderings(report: DiffReport) -> dict[str, str]:
    return {
        "terminal": report.text(120).plain,
        "narrow terminal": report.text(40).plain,
        "markdown": report.markdown(),
        "html": Words(report.html()).text,
        "page": Words(report.page()).text,
    }


def pair(one_sign: bool = False) -> Alignment:
    """Return a diff with a root that stays, a lily that becomes a flower, a lost book and an added cage."""
    source = an_hsg(PROMPT, ("scene", "lily", "book"), reading=a_reading("Ada"))
    target = an_hsg(PROMPT if one_sign else ARTIFACT, ("view", "flower", "cage"), reading=a_reading("Bo"))
    return an_alignment(source, target, [("root", "root"), ("n1", "n1")], p=0.75)


def of_one_node(label: str, object_: str) -> Alignment:
    """Return a prompt of one node and an artifact with the same meaning."""
    semiosis = Semiosis(label=label, sign="s", object=object_, interpretant="i", grounds=Grounds())
    prompt, artifact = (HSG(sign, {"root": semiosis}, [], a_reading()) for sign in (PROMPT, ARTIFACT))
    return an_alignment(prompt, artifact)


# Content


def test_matched_lost_and_emergent_nodes_are_stated() -> None:
    for name, shown in renderings(diff_report(pair())).items():
        for text in (
            "Matched (2)",
            "Lost: only in the prompt (1)",
            "Emergent: only in the artifact (1)",
            "0.75",
        ):
            assert text in " ".join(shown.split()), (name, text)


def test_stat_is_one_line_with_counts_n_and_distance() -> None:
    # Δo = 1 − (0.75 + 0.75) / 3 = 0.5
    assert diff_report(pair()).stat == (
        "Δo 0.50 by embedder test, 2 matched, 1 lost, 1 emergent, n = 3 + 3 nodes",
    )


def test_the_distance_of_two_readings_states_its_direction() -> None:
    (stat,) = diff_report(pair(one_sign=True)).stat
    assert stat.startswith(
        "Δo 0.50 from first reading to second reading by embedder test, 2 matched, 1 only in the first"
    )


def test_across_two_signs_iconicity_is_a_proxy_and_mixed_interpreters_are_flagged() -> None:
    facts = " / ".join(diff_report(pair()).facts)
    assert "a proxy" in facts
    assert "mixed interpreters" in facts
    named = diff_report(pair(), {pair().source.interpreter: "Ada", pair().target.interpreter: "Bo"}).facts
    assert any(fact.startswith("mixed interpreters: Ada, Bo;") for fact in named)
    assert "blind" in facts


def test_two_readings_of_one_sign_lose_nothing() -> None:
    report = diff_report(pair(one_sign=True))
    for shown in renderings(report).values():
        assert not re.search(r"\b(lost|emergent|proxy|mixed)\b", shown, re.IGNORECASE)
    assert [section.title for section in report.sections] == [
        "In both readings (2)",
        "Only in the first reading (1)",
        "Only in the second reading (1)",
    ]


def test_two_readers_who_see_the_same_place_and_say_something_else_share_a_row() -> None:
    diff = pair(one_sign=True)
    report = diff_report(diff, same_place=[("n2", "n2")])
    assert [section.title for section in report.sections] == [
        "In both readings (2)",
        "Same place, other object (1)",
    ]
    assert "1 pair of these in the same place" in report.stat[0]
    for name, rendering in renderings(report).items():
        assert len(re.findall(r"\bbook(?:\*\*)?:", rendering)) == 1, name
        assert len(re.findall(r"\bcage(?:\*\*)?:", rendering)) == 1, name


def test_principle_5_of_one_sign_under_two_interpreters_is_exact() -> None:
    def read(name: str, iconic: float) -> HSG:
        grounds = Grounds(iconic=Ground(strength=iconic), symbolic=Ground(strength=1 - iconic))
        return HSG(PROMPT, {"root": a_semiosis("scene", grounds=grounds)}, [], a_reading(name))

    facts = diff_report(an_alignment(read("Ada", 0.75), read("Bo", 0.25))).facts  # |0.75 − 0.25| = 0.5
    assert any("α 0.75, α′ 0.25, |α − α′| 0.50: exact" in fact for fact in facts)
    again = diff_report(an_alignment(read("Ada", 0.75), read("Ada", 0.25))).facts
    assert any("read twice by one interpreter" in fact for fact in again)
    without = HSG(PROMPT, {"root": a_semiosis("scene", grounds=Grounds())}, [], a_reading("Bo"))
    undefined = diff_report(an_alignment(read("Ada", 0.75), without)).facts
    assert any("|α − α′| is undefined" in fact for fact in undefined)


def test_the_reading_that_was_not_blind_is_named() -> None:
    target = an_hsg(ARTIFACT, reading=a_reading(given=("0" * 20,)))
    facts = diff_report(an_alignment(an_hsg(PROMPT), target)).facts
    assert any(fact.startswith("given: the reader of artifact saw more") for fact in facts)


def test_shifts_places_and_doubts_are_shown() -> None:
    match = Match(
        source="root",
        target="root",
        p=0.4,
        ground_shift=Shift(iconic=0.25, indexical=0, symbolic=-0.5),
        spatial="upper left → centre, overlap 0.10",
        objects_differ=True,
    )
    one = an_hsg(PROMPT, ("scene",)), an_hsg(ARTIFACT, ("view",))
    report = diff_report(aligned(AlignedHSG.of(one[0]), AlignedHSG.of(one[1]), (match,)))
    for shown in renderings(report).values():
        flat = " ".join(shown.replace("\\", "").split())
        assert "iconic +0.25, symbolic -0.50" in flat
        assert "upper left → centre, overlap 0.10" in flat
        assert "the nodes' signs are alike but their objects differ" in flat
        assert "doubtful" in flat


def test_three_ways_side_by_side() -> None:
    prompt = an_hsg(PROMPT, ("scene", "lily", "book", "dove"))
    a, b = an_hsg(ARTIFACT, ("view", "flower", "cage")), an_hsg(a_text("b"), ("sight", "bird"))
    in_a = an_alignment(prompt, a, [("root", "root"), ("n1", "n1")])
    in_b = an_alignment(prompt, b, [("root", "root"), ("n3", "n1")])
    report = three_way_report(in_a, in_b)
    assert [section.title for section in report.sections] == [
        "In a and in b (1)",
        "In a only (1)",
        "In b only (1)",
        "Lost in both (1)",
        "Emergent in a (1)",
    ]
    assert [line[:2] for line in report.stat] == ["a:", "b:"]
    both = json.loads(three_way_json(in_a, in_b))
    assert (from_json(json.dumps(both["a"])), from_json(json.dumps(both["b"]))) == (in_a, in_b)
    with pytest.raises(UsageError, match="different HSGs"):
        three_way_report(in_a, pair())


def test_drift_states_where_each_node_was_lost() -> None:
    found = five_rounds()
    report = drift_report(found)
    assert [section.title for section in report.sections] == [
        "Seen to round 5 (2)",
        "Lost in round 2 (1)",
        "Lost in round 4 (1)",
        "Emerged in round 2, lost in round 4 (1)",
        "Emerged in round 4, lost in round 5 (1)",
        "Emerged in round 5 (1)",
    ]
    assert "of 4 nodes of round 1, 2 kept to the end and 2 lost; 3 emerged later" in report.stat[0]
    written = json.loads(drift_json(found))
    assert [one["lost_in"] for one in written["meanings"]] == [None, None, 4, 2, 4, 5, None]
    assert [step["id"] for step in written["steps"]] == [step.id for step in found.steps]


def test_the_sample_diffs_and_comes_back_from_json() -> None:
    found = diff(sample("annunciation.standard"), sample("annunciation-plainhand.standard"))
    assert from_json(to_json(found)) == found
    shown = diff_report(found).text(100).plain
    for semiosis in sample("annunciation.standard").semioses.values():
        assert semiosis.label in shown


# Layout


@pytest.mark.parametrize("width", [60, 80, 133])
@pytest.mark.parametrize(
    "words",
    [
        "听雨，夜雨打芭蕉点滴到天明，不画雨只画听，老者独坐僧庐檐下",
        "مُحَمَّد نور على نور، منطق الطير والحمامة البيضاء فوق البحيرة",
    ],
)
def test_wide_and_right_to_left_text_keeps_its_columns(width: int, words: str) -> None:
    found = of_one_node(words[:4], words)
    lines = diff_report(found).text(width).plain.splitlines()
    rows = [line for line in lines if "│" in line]
    assert len(rows) > 2
    assert len({cell_len(line.partition("│")[0]) for line in rows}) == 1
    assert all(cell_len(line) <= width for line in lines)


def test_right_to_left_text_stays_in_its_column() -> None:
    found = of_one_node("نور", "نور")
    (row,) = [line for line in diff_report(found).text(80).plain.splitlines() if "نور" in line]
    assert "\N{LEFT-TO-RIGHT MARK} │ " in row


@given(st.integers(12, 200))
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for report in (diff_report(pair()), drift_report(five_rounds())):
        assert all(cell_len(line) <= width for line in report.text(width).plain.splitlines())


def test_lost_and_emergent_have_their_colours() -> None:
    spans = {str(span.style) for span in diff_report(pair()).text(80).spans}
    assert {"red", "green"} <= spans


# Hostile text


@pytest.fixture
def hostile() -> DiffReport:
    found = of_one_node(HOSTILE, HOSTILE)
    return diff_report(found)


def test_hostile_text_does_nothing_in_html(hostile: DiffReport) -> None:
    for html in (hostile.html(), hostile.page()):
        words = Words(html)
        assert "script" not in words.tags
        assert "<script>alert(1)</script>" in words.text
        assert "{{ 7*7 }}" in words.text
        assert "\u202e" not in html
        assert "\x9b" not in html


def test_hostile_text_does_nothing_in_a_terminal(hostile: DiffReport) -> None:
    shown = hostile.text(200).plain
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert "⟨U+009B⟩31m" in shown


def test_hostile_text_does_nothing_in_markdown(hostile: DiffReport) -> None:
    markdown = hostile.markdown()
    unescaped = re.sub(r"\\.", "", markdown)
    assert "<script" not in unescaped
    assert "](" not in unescaped
    assert "&amp;" not in unescaped
    table = [line for line in unescaped.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {4}  # three columns: p, prompt, artifact
    assert all(line.startswith(("#", "-", "|")) or not line for line in markdown.splitlines())


@st.composite
def diffs(draw: st.DrawFn, source: HSG, target: HSG) -> Alignment:
    before, after = (draw(st.permutations(list(hsg.semioses))) for hsg in (source, target))
    count = draw(st.integers(0, min(len(before), len(after))))
    pairs = [a_match(before[n], after[n], draw(st.floats(0, 1))) for n in range(count)]
    return aligned(AlignedHSG.of(source), AlignedHSG.of(target), tuple(pairs))


def named(letter: str, size: int, one_sign: bool) -> HSG:
    labels = [f"{letter}{number}{letter}" for number in range(size)]
    return an_hsg(PROMPT if one_sign else a_text(letter), labels, reading=a_reading(letter))


@pytest.mark.slow
@given(st.data(), st.lists(st.integers(1, 5), min_size=3, max_size=3), st.booleans())
def test_every_node_is_shown_exactly_once(data: st.DataObject, sizes: list[int], one_sign: bool) -> None:
    hsgs = [named(letter, size, one_sign) for letter, size in zip("XYZ", sizes, strict=True)]
    to_a, to_b = (data.draw(diffs(hsgs[0], other)) for other in hsgs[1:])
    along = [data.draw(diffs(*pair)) for pair in pairwise(hsgs)]
    walked: Drift = drift_of_alignments(Cascade(tuple(hsgs)), along, to_b)
    for report, shown in (
        (diff_report(to_a), hsgs[:2]),
        (three_way_report(to_a, to_b), hsgs),
        (drift_report(walked), hsgs),
    ):
        labels = sorted(semiosis.label for hsg in shown for semiosis in hsg.semioses.values())
        for name, rendering in renderings(report).items():
            assert sorted(re.findall(r"([XYZ]\d[XYZ])(?:\*\*)?:", rendering)) == labels, name


# Fates that a model or a person stated


def stated(kind: Literal["model", "person"] = "model", one_sign: bool = False) -> Alignment:
    """Return an alignment with every fate once."""
    labels = ("scene", "lily", "book", "dove", "ray", "lamp", "door", "bell")
    source = an_hsg(PROMPT, labels)
    target = an_hsg(PROMPT if one_sign else ARTIFACT, ("view", "flower", "bird", "wing", "gate", "cage"))
    said = [
        StatedFate("root", "weakened", ("root",), "the tone is gone", 0.8),
        StatedFate("n1", "kept", ("n1",), "the flower is pure", 0.9),
        StatedFate("n2", "merged", ("n1",), "the flower is read too", 0.6),
        StatedFate("n3", "split", ("n2", "n3"), "bird and wing share it", 0.7),
        StatedFate("n4", "diffused", ("root",), "light is implied", 0.4),
        StatedFate("n5", "resignified", ("n4",), "a lamp becomes a gate", 0.5),
        StatedFate("n6", "reversed", ("n4",), "the gate is shut", 0.9),
        StatedFate("n7", "lost", (), "nothing sounds", 0.95),
    ]
    evaluator = Evaluator(kind=kind, name="Ada <b>", parameters={})
    return alignment_of_fates(source, target, said, evaluator=evaluator, method="by reading")


def test_every_fate_has_a_section_with_its_reason() -> None:
    report = diff_report(stated())
    assert [section.title.partition(":")[0] for section in report.sections] == [
        "Kept (1)",
        "Weakened",
        "Split",
        "Merged",
        "Diffused",
        "Resignified",
        "Reversed",
        "Lost",
        "Emergent",
    ]
    for shown in renderings(report).values():
        flat = " ".join(shown.replace("\\", "").split())
        for said in ("the tone is gone", "bird and wing share it", "a lamp becomes a gate", "nothing sounds"):
            assert said in flat
        assert "½ for" in flat or "as ½ (a convention)" in flat


def test_the_stat_names_the_aligner_and_counts_every_fate() -> None:
    # Credits ½ + 1 + 1 + 1 + ½ of eight nodes: 1 − 4 / 8.
    counts = "1 kept, 1 weakened, 1 split, 1 merged, 1 diffused, 1 resignified, 1 reversed, 1 lost"
    assert diff_report(stated()).stat == (f"Δo 0.50 by model Ada <b>, {counts}, 1 emergent, n = 8 + 6 nodes",)


def test_a_changed_node_is_never_shown_as_matched() -> None:
    report = diff_report(stated())
    kinds = {
        row.cells[0][0].label: row.kind for section in report.sections for row in section.rows if row.cells[0]
    }
    assert [kinds[label] for label in ("ray", "lamp", "door")] == ["changed"] * 3
    assert kinds["bell"] == "lost"
    both = three_way_report(stated(), stated())
    assert "In neither (4)" in [section.title for section in both.sections]


def test_a_person_states_no_probability() -> None:
    report = diff_report(stated("person"))
    assert all(row.p is None for section in report.sections for row in section.rows)
    assert any(fact.startswith("person: by reading, Ada <b>") for fact in report.facts)


def test_two_readings_of_one_sign_by_fates_lose_nothing() -> None:
    report = diff_report(stated(one_sign=True))
    assert "1 only in the first reading" in report.stat[0]
    assert not any("Lost" in section.title for section in report.sections)
