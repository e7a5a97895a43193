"""The page in a real browser: positions of boxes, highlighting, network requests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.browser import Page, browser_page

pytestmark = pytest.mark.slow

RECTANGLE = """
(() => {{
  const box = document.querySelector('{box}').getBoundingClientRect();
  const img = document.querySelector('{picture} img').getBoundingClientRect();
  return [box.left - img.left, box.top - img.top, box.right - img.left, box.bottom - img.top,
          img.width, img.height];
}})()
"""
LIT = "[...document.querySelectorAll('.g')].filter(e => getComputedStyle(e).getPropertyValue('--lit') == 1)"
CONTRAST = """
(() => {
  const paint = (() => {
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    return (colour, below) => {
      pen.fillStyle = `rgb(${below.join(' ')})`; pen.fillRect(0, 0, 1, 1);
      pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
  })();
  const light = colour => colour.map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = element => {
    const above = element ? ground(element.parentElement) : [255, 255, 255];
    return element ? paint(getComputedStyle(element).backgroundColor, above) : above;
  };
  const poor = [];
  for (const element of document.querySelectorAll('main *')) {
    const own = [...element.childNodes].some(n => n.nodeType == 3 && n.data.trim());
    if (!own || element.closest('svg') || !element.checkVisibility()) continue;
    const back = ground(element), ink = paint(getComputedStyle(element).color, back);
    const [high, low] = [light(back), light(ink)].sort((x, y) => y - x);
    const ratio = (high + .05) / (low + .05);
    if (ratio < 4.5) poor.push([element.className, element.textContent.trim().slice(0, 30), ratio]);
  }
  return poor;
})()
"""


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    """Yield one tab for all tests of this module."""
    with browser_page() as page:
        yield page


def test_the_page_makes_no_request_and_logs_no_error(tab: Page, page_file: Path) -> None:
    tab.requests.clear()
    tab.open(page_file.as_uri())
    elsewhere = [url for url in tab.requests if not url.startswith("data:image/webp;base64,")]
    assert elsewhere == [page_file.as_uri()]
    assert tab.messages == []
    assert tab.value("[...document.images].every(i => i.complete && i.naturalWidth > 0)")


@pytest.mark.parametrize("width", [1440, 820, 390])
def test_boxes_are_at_their_pixels(tab: Page, page_file: Path, width: int) -> None:
    tab.open(page_file.as_uri(), width=width)
    # The beam is written as 5% 5% 45% 45% of picture a, the clock as 65% 8% 92% 35% of picture b.
    for node, picture, shares in (
        ("a-n3", ".panel-a", (0.05, 0.05, 0.45, 0.45)),
        ("b-n2", ".panel-b", (0.65, 0.08, 0.92, 0.35)),
    ):
        *edges, wide, high = tab.value(RECTANGLE.format(box=f'.box[href="#{node}"]', picture=picture))
        expected = [share * side for share, side in zip(shares, (wide, high, wide, high), strict=True)]
        assert edges == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("width", [1440, 1024, 390, 320])
def test_the_page_never_scrolls_sideways(tab: Page, page_file: Path, width: int) -> None:
    tab.open(page_file.as_uri(), width=width)
    assert tab.value("document.documentElement.scrollWidth") == width


def test_keyboard_focus_highlights_a_meaning_everywhere(tab: Page, page_file: Path) -> None:
    tab.open(page_file.as_uri())
    assert tab.value(f"{LIT}.length") == 0
    for _ in range(40):
        tab.tab()
        if tab.value("document.activeElement.getAttribute('href')") == "#a-n2":
            break
    assert tab.value("document.activeElement.className").startswith("box ")
    # The lily of the prompt and the white flower of a have one meaning, with its words, box and graph nodes.
    lit = tab.value(f"{LIT}.map(e => e.getAttribute('href') || '#' + e.id)")
    assert {"#p-n2", "#a-n2"} == {name for name in lit if name != "#"}
    assert tab.value("getComputedStyle(document.getElementById('p-n2')).boxShadow") != "none"


def test_the_pointer_highlights_a_meaning_and_dims_other_boxes(tab: Page, page_file: Path) -> None:
    tab.theme("light")
    tab.open(page_file.as_uri())
    words = "document.querySelector('.span[href=\"#p-n2\"]').getClientRects()[0]"
    tab.point(*tab.value(f"(r => [r.left + 5, r.top + r.height / 2])({words})"))
    assert "#a-n2" in tab.value(f"{LIT}.map(e => e.getAttribute('href'))")
    opacity = "getComputedStyle(document.querySelector('.box[href=\"#{}\"]')).opacity"
    assert tab.value(opacity.format("a-n2")) == "1"
    assert tab.value(opacity.format("a-n3")) == "0.28"
    tab.point(0, 0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast_with_its_background(tab: Page, page_file: Path, scheme: str) -> None:
    tab.theme(scheme)
    tab.open(page_file.as_uri())
    assert tab.value(CONTRAST) == []  # WCAG 2.2 AA: at least 4.5 to 1
    tab.theme("light")


def test_the_page_prints_on_a4_with_open_details(tab: Page, page_file: Path) -> None:
    tab.open(page_file.as_uri())
    printed = tab.pdf()
    assert b"/MediaBox [0 0 594.95996 841.91998]" in printed or b"/MediaBox [0 0 595" in printed
    tab.theme("light", media="print")
    assert tab.value("document.querySelector('.node details li').getBoundingClientRect().height") > 0
    tab.theme("light")
