"""The content of the page of a comparison, and the arguments that are refused."""

import base64
import hashlib
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from semiosis.align import StatedFate, alignment_of_fates
from semiosis.files import image, parse_yaml, visible
from semiosis.report import comparison_page
from semiosis.report._node_views import NodeView
from semiosis.report._place_views import segments
from semiosis.values import (
    HSG,
    Alignment,
    DataError,
    Evaluator,
    Fate,
    ImageSign,
    Interpreter,
    Reading,
    Semiosis,
    Span,
    TextSign,
    UsageError,
    Verdict,
)
from tests.report.example import Example, align, match

HOSTILE = "<script>alert(1)</script>\" onload='x' {{ 7*7 }} \x9b31m \u202etxt.exe </style> &amp;"
SAID = "⟨U+009B⟩31m ⟨U+202E⟩txt.exe"


class Words(HTMLParser):
    """The tags, ids and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str]:
        return [value for _, found in self.tags if (value := found.get(attribute))]


@pytest.fixture(scope="module")
def html(page_file: Path) -> str:
    return page_file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def words(html: str) -> Words:
    return Words(html)


def shown_text(words: Words) -> str:
    """Return the text of the page with white space collapsed."""
    return " ".join(words.text.split())


def test_a_card_names_the_node_whose_interpretant_it_takes_up(words: Words) -> None:
    assert "takes upP2 lily" in shown_text(words)


def test_matched_lost_and_emergent_nodes_are_stated(words: Words) -> None:
    text = shown_text(words)
    assert "Artifact A: 4 matched of the prompt's 4 nodes." in text
    assert "Artifact B: 1 matched, 3 lost of the prompt's 4 nodes, 2 added." in text
    assert "1 matched · 3 lost · 2 emergent" in text
    assert "doubtful 0.44" in text
    assert text.count("0.89") == 1  # one measure, once
    assert "more iconic, less symbolic" in text


def test_outcomes_are_shown_with_their_counts(words: Words) -> None:
    # People: Ada for A, Bo a tie. Models are listed one by one: steady A, one flip, one refusal.
    text = shown_text(words)
    assert "A 1 · tie 1 · n = 2, unscored 0" in text
    assert "People: A 1 · tie 1 steady judge: A · flipping judge: tie by flip · refusing judge: uns" in text
    assert text.count(", unscored ") == 1  # models are not counted together
    assert "Opposite answers in the two orders" in words.text
    assert "I cannot compare religious images." in words.text
    assert "B has no node n7" in words.text
    assert "n9 of another reading" in words.text


def test_programs_are_not_counted_with_people_and_were_shown_nothing_first(made: Example) -> None:
    coin = Evaluator(kind="program", name="baseline:coin")
    toss = Verdict(evaluator=coin, comparison=made.verdicts[0].comparison, winner="b")
    page = comparison_page(
        made.prompt, made.a, made.b, made.diff_a, made.diff_b, title="T", verdicts=[*made.verdicts[:2], toss]
    )
    text = shown_text(Words(page))
    assert "A 1 · tie 1 · n = 2, unscored 0" in text
    assert "Programs baseline:coin program B verdict → B" in text
    assert text.count("saw A, then B") == 2  # the two people


def test_an_embedder_states_how_alike_the_wording_is(words: Words) -> None:
    text = shown_text(words)
    assert "for screening only: the number is how alike the wording of the two nodes is" in text
    assert "same meaning" not in text


def test_every_link_has_a_target_on_the_page(words: Words) -> None:
    ids = words.values("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in words.values("href")} <= set(ids)


def test_every_picture_has_a_text_alternative(words: Words) -> None:
    alts = [found.get("alt") for tag, found in words.tags if tag == "img"]
    assert alts == [
        "Artifact A, a. Read as: a tall winged shape bends towards a seated one",
        "Artifact B, b. Read as: cubes in a row",
    ]


def test_the_page_embeds_everything_and_allows_no_request(html: str, words: Words) -> None:
    policy = next(found["content"] or "" for _, found in words.tags if "http-equiv" in found)
    style = html.split("<style>")[1].split("</style>", maxsplit=1)[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; img-src data:; ")
    assert f"style-src 'sha256-{digest}';" in policy
    assert all(link.startswith("#") for link in words.values("href"))
    assert all(source.startswith("data:image/webp;base64,") for source in words.values("src"))
    assert not {tag for tag, _ in words.tags} & {"script", "link", "iframe", "object", "form", "base"}
    assert not words.values("style")
    assert "url(" not in style
    assert "@import" not in style


def test_nodes_without_a_place_are_shown_as_such(tmp_path: Path, made: Example) -> None:
    reading = """
semiosis: 1
sign: {text: a lily}
reader: Ada Example
root:
  {label: lily, sign: s, object: o, interpretant: i, place: a lily, parts: [
    {label: mood, supports: "", sign: s, object: o, interpretant: i, place: {nowhere: a mood}},
    {label: rose, supports: "", sign: s, object: o, interpretant: i, place: {claim: a rose}}]}
"""
    prompt = parse_yaml(reading)
    diffs = [align(prompt, artifact, [], 1.0) for artifact in (made.a, made.b)]
    page = Words(comparison_page(prompt, made.a, made.b, *diffs, title="t"))
    assert "mood global" in shown_text(page)
    assert "rose unlocated" in shown_text(page)
    assert "3 nodes, 1 unlocated" in shown_text(page)
    assert "This comparison has no verdicts yet." in page.text


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"given": ("a" * 20,)}, "given with 1 other HSG shown, which the reading may repeat."),
        ({"beside": ("b" * 20, "c" * 20)}, "given with 2 other signs in the same call."),
    ],
)
def test_a_reading_that_was_not_blind_is_marked(
    made: Example, conditions: dict[str, tuple[str, ...]], message: str
) -> None:
    reading = Reading(interpreter=made.a.reading.interpreter, **conditions)
    a = HSG(made.a.sign, made.a.semioses, made.a.relations, reading)
    diff = align(made.prompt, a, [], 1.0)
    page = Words(comparison_page(made.prompt, a, made.b, diff, made.diff_b, title="t"))
    assert message in shown_text(page)
    assert "(by hand 1, none, none), given" in shown_text(page)


def hostile_prompt() -> HSG:
    """Return a reading in which every text is an attack."""
    text = f"before {HOSTILE} after"
    start = text.index(HOSTILE)
    span = Span(start=start, end=start + len(HOSTILE), quote=HOSTILE)
    node = Semiosis(label=HOSTILE, sign=HOSTILE, object=HOSTILE, interpretant=HOSTILE, places=(span,))
    reading = Reading(interpreter=Interpreter(kind="person", name=HOSTILE))
    return HSG(TextSign(text=text, language=HOSTILE, title=HOSTILE), {"root": node}, [], reading)


def test_hostile_text_is_shown_and_not_run(made: Example) -> None:
    prompt = hostile_prompt()
    diffs = [
        align(prompt, artifact, [match("root", "n1", 0.5, (0, 0, 0))], 0.5) for artifact in (made.a, made.b)
    ]
    html = comparison_page(prompt, made.a, made.b, *diffs, title=HOSTILE)
    page = Words(html)
    assert page.text.count("<script>alert(1)</script>") > 5  # as text, not as a tag
    assert "script" not in {tag for tag, _ in page.tags}
    assert not [name for _, found in page.tags for name in found if name.startswith("on")]
    assert "{{ 7*7 }}" in page.text
    assert SAID in page.text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", html)
    assert html.count("</style>") == 1


def test_a_diff_or_verdict_of_another_comparison_is_refused(made: Example) -> None:
    with pytest.raises(UsageError, match="diff_a does not align"):
        comparison_page(made.prompt, made.a, made.b, made.diff_b, made.diff_a, title="t")
    stray = made.verdicts[0].model_copy(update={"comparison": "f" * 20})
    assert isinstance(stray, Verdict)
    with pytest.raises(UsageError, match="is about comparison ffffffffffffffffffff"):
        comparison_page(made.prompt, made.a, made.b, made.diff_a, made.diff_b, title="t", verdicts=[stray])


def test_a_missing_or_damaged_picture_is_an_error(made: Example) -> None:
    def page(blob: bytes) -> str:
        diffs = made.diff_a, made.diff_b
        return comparison_page(made.prompt, made.a, made.b, *diffs, title="t", images=lambda _: blob)

    with pytest.raises(DataError, match="not a PNG, JPEG, WebP or GIF image"):
        page(b"not an image")
    with pytest.raises(DataError, match="its sign says image/png of 600 × 400"):
        page(png(Image.new("RGB", (10, 10))))


@pytest.mark.slow
def test_large_pictures_still_give_a_page_under_the_limit(tmp_path: Path, made: Example) -> None:
    artifacts = []
    for name in ("one", "two"):
        noise = Image.effect_noise((1600, 1200), 90 if name == "one" else 91).convert("RGB")
        noise.save(tmp_path / f"{name}.png")
        sign = image(tmp_path / f"{name}.png")
        node = Semiosis(label="noise", sign="s", object="o", interpretant="i")
        artifacts.append(HSG(sign, {"root": node}, [], made.a.reading))
    a, b = artifacts
    diffs = [align(made.prompt, artifact, [], 1.0) for artifact in artifacts]
    html = comparison_page(made.prompt, a, b, *diffs, title="t")
    assert len(html.encode()) < 1_500_000


def test_pictures_are_upright_and_lose_their_metadata(tmp_path: Path, made: Example) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # rotate a quarter turn
    exif[0x010E] = "a private note"
    Image.new("RGB", (40, 20), "red").save(tmp_path / "turned.jpg", exif=exif)
    sign = image(tmp_path / "turned.jpg")
    shown = shown_picture(made, sign)
    assert shown.size == (20, 40)
    assert not shown.getexif()


def test_a_composite_prompt_shows_its_text_and_its_picture(tmp_path: Path, made: Example) -> None:
    reading = """
semiosis: 1
sign: {parts: [{text: 听雨, language: zh}, {image: b.png}]}
reader: Ada Example
root:
  {label: rain, sign: s, object: o, interpretant: i,
   places: [{quote: 雨, part: 1}, {box: 10% 10% 50% 50%, part: 2}]}
"""
    assert isinstance(made.b.sign, ImageSign)
    prompt = parse_yaml(reading, folder=Path(made.b.sign.path).parent)
    diffs = [align(prompt, artifact, [], 1.0) for artifact in (made.a, made.b)]
    page = Words(comparison_page(prompt, made.a, made.b, *diffs, title="听雨"))
    assert "听雨P" in shown_text(page)
    assert "zh" in page.values("lang")
    assert len(page.values("src")) == 3
    assert [
        found["aria-label"]
        for tag, found in page.tags
        if (found.get("class") or "").startswith("box image-p")
    ] == ["P, rain, upper left"]


def shown_picture(made: Example, sign: ImageSign) -> Image.Image:
    """Return the picture that is embedded in the page."""
    node = Semiosis(label="n", sign="s", object="o", interpretant="i")
    a = HSG(sign, {"root": node}, [], made.a.reading)
    diffs = align(made.prompt, a, [], 1.0), made.diff_b
    html = comparison_page(made.prompt, a, made.b, *diffs, title="t")
    blob = base64.b64decode(html.split("data:image/webp;base64,")[1].split('"')[0])
    return Image.open(io.BytesIO(blob))


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


@given(st.data(), st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=40))
def test_segments_join_to_the_text(data: st.DataObject, text: str) -> None:
    ends = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    cuts = [sorted(pair) for pair in data.draw(st.lists(ends, max_size=5)) if pair[0] != pair[1]]
    spans = [Span(start=start, end=end, quote=text[start:end]) for start, end in cuts]
    node = Semiosis(label="n", sign="s", object="o", interpretant="i")
    views = [NodeView("P", f"n{number}", number, number, False, node) for number in range(len(spans))]
    cut = segments(text, zip(spans, views, strict=True))
    assert "".join(segment.text for segment in cut) == text
    for span, view in zip(spans, views, strict=True):
        assert "".join(segment.text for segment in cut if view in segment.nodes) == span.quote
        assert sum(view in segment.closing for segment in cut) == 1


@given(st.text())
def test_visible_text_has_nothing_that_hides_or_reorders(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", visible(text))
    assert visible(visible(text)) == visible(text)


def test_stated_fates_are_shown_with_reasons_next_to_those_of_an_embedder(made: Example) -> None:
    def aligned_by_ada(target: HSG, **fates: tuple[Fate, str]) -> Alignment:
        stated = [
            StatedFate(node, what, () if what == "lost" else tuple(where.split()), f"{node} is {what}")
            for node in made.prompt.semioses
            for what, where in (fates.get(node, ("lost", "")),)
        ]
        ada = Evaluator(kind="person", name="Ada")
        return alignment_of_fates(made.prompt, target, stated, evaluator=ada, method="by hand")

    in_a = aligned_by_ada(made.a, root=("weakened", "root"), n1=("reversed", "n1"), n2=("split", "n2 n3"))
    page = Words(
        comparison_page(
            made.prompt,
            made.a,
            made.b,
            in_a,
            aligned_by_ada(made.b),
            title="t",
            screening=(made.diff_a, made.diff_b),
        )
    )
    text = shown_text(page)
    assert "Artifact A: 1 weakened, 1 split, 1 reversed, 1 lost of the prompt's 4 nodes." in text
    assert "n1 is reversed" in text
    assert "Aligned by person Ada." in text
    assert "aligned by embedder none" in text
    assert "It was not audited on this study." in text
    assert "a convention" in text
    # 1 - (½ + 1) / 4 and 1: the one measure, once for each artifact.
    assert in_a.distance == 0.625
    assert re.search(r"any other 0\.\s*0\.62\s*1\.00", text)
