"""The blind men and the elephant, in the manner of a Rajput miniature, four times."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, linear, oval, poly, rect, smooth
from painting.miniature import LINE, blind_man, elephant, tree
from painting.page import border, clouds, meadow
from painting.surface import grain, tear

WIDTH, HEIGHT = 768, 600
ROBES = (
    ("#b53a32", "#e3a63c"),
    ("#2f6b6b", "#e9e2cf"),
    ("#d78a2c", "#7a2f4a"),
    ("#5a3f86", "#e0bb52"),
    ("#2f5d9a", "#c8473c"),
    ("#7b8f3a", "#f0e4c8"),
)


def plainhand() -> Canvas:
    """Return the literal picture: a whole elephant inside the page, and six men who each touch it."""
    canvas = Canvas(WIDTH, HEIGHT, 41)
    meadow(canvas, 330, ("#bfd6d8", "#eef0dc"), ("#b9c37a", "#8da057"))
    tree(canvas, 120, 340, 1.0)
    tree(canvas, 668, 336, 0.9)
    elephant(canvas, 404, 512, 0.98)
    spots: list[tuple[Point, Point, str]] = [
        ((690, 528), (646, 400), "man at the tail"),
        ((540, 560), (508, 416), "man at the flank"),
        ((384, 566), (356, 470), "man at the leg"),
        ((276, 540), (318, 352), "man at the ear"),
        ((78, 552), (172, 470), "man at the trunk"),
        ((104, 470), (136, 352), "man at the tusk"),
    ]
    for (foot, hand, name), (robe, turban) in zip(spots, ROBES, strict=True):
        blind_man(canvas, *foot, hand, robe, turban, size=0.98, name=name)
    border(canvas, 34, "#8f2f2b", "#3f6a3c", "#f3d6c4")
    grain(canvas, 0.012, 6)
    return canvas


def lodestar() -> Canvas:
    """Return the faithful picture: the elephant exceeds the page; medallions show what each man believes."""
    canvas = Canvas(WIDTH, HEIGHT, 42)
    meadow(canvas, 250, ("#e9b24a", "#f6dc94"), ("#8fa45a", "#5f7d45"))
    clouds(canvas, 76)
    border(canvas, 62, "#7c2431", "#2f5a41", "#f2c9b8")
    elephant(canvas, 470, 640, 1.86, hide="#6f7a92")
    spots: list[tuple[Point, Point, str]] = [
        ((716, 560), (742, 380), "man at the flank"),
        ((500, 580), (548, 420), "man at the flank"),
        ((410, 584), (372, 500), "man at the leg"),
        ((292, 574), (322, 346), "man at the ear"),
        ((118, 570), (44, 440), "man at the trunk"),
        ((196, 552), (96, 372), "man at the tusk"),
    ]
    rope: list[Point] = [(768, 300), (742, 340), (730, 400), (742, 452)]
    canvas.line(rope, LINE, 14)
    canvas.line(rope, "#6f7a92", 10)
    canvas.fill(smooth([(734, 446), (750, 450), (748, 486), (732, 486)]), LINE)
    canvas.mark("rope tail", (724, 300, 768, 488))
    spots[0] = ((700, 574), (736, 430), "man at the tail")
    for (foot, hand, name), (robe, turban) in zip(spots, ROBES, strict=True):
        blind_man(canvas, *foot, hand, robe, turban, size=1.02, name=name)
    for i, kind in enumerate(("spear", "fan", "snake", "tree", "wall", "rope")):
        _emblem(canvas, 86 + i * 119, 34, kind)
    grain(canvas, 0.012, 6)
    return canvas


def _emblem(canvas: Canvas, x: float, y: float, kind: str) -> None:
    """Draw a gold medallion with the thing that a man believes he touches."""
    disc = canvas.fill(oval(x, y, 28), "#f3dc9a")
    canvas.line(disc, "#a9772a", 3)
    ink = "#5b2230"
    if kind == "spear":
        canvas.line([(x - 14, y + 16), (x + 12, y - 12)], ink, 3.5)
        canvas.fill(poly([(x + 18, y - 19), (x + 13, y - 4), (x + 5, y - 12)]), ink)
    elif kind == "fan":
        for k in range(7):
            a = math.radians(-150 + k * 20)
            canvas.line([(x, y + 14), (x + 28 * math.cos(a), y + 14 + 28 * math.sin(a))], ink, 3.2)
    elif kind == "snake":
        canvas.line([(x - 18, y + 10), (x - 8, y - 8), (x, y + 8), (x + 8, y - 8), (x + 17, y - 2)], ink, 5)
        canvas.fill(oval(x + 18, y - 3, 5, 4), ink)
    elif kind == "tree":
        canvas.line([(x, y + 18), (x, y - 2)], ink, 7)
        canvas.fill(oval(x, y - 8, 16, 11), "#3f6a3c")
    elif kind == "wall":
        for row in range(4):
            for k in range(3):
                canvas.fill(
                    rect(
                        x - 18 + k * 12 + (row % 2) * 3,
                        y - 14 + row * 8,
                        x - 8 + k * 12 + (row % 2) * 3,
                        y - 8 + row * 8,
                    ),
                    ink,
                )
    else:
        canvas.line(
            [
                (x - 16, y - 12),
                (x + 6, y - 14),
                (x + 14, y),
                (x - 4, y + 10),
                (x - 12, y - 2),
                (x + 6, y + 6),
                (x + 16, y + 16),
            ],
            ink,
            4,
        )
    canvas.mark("medallions", disc)
    canvas.mark(f"{kind} medallion", disc)


def mannerist() -> Canvas:
    """Return the picture without the story: a court procession in which nobody touches the elephant."""
    canvas = Canvas(WIDTH, HEIGHT, 43)
    meadow(canvas, 300, ("#24406b", "#e08a5a"), ("#7f9a4e", "#4f7040"))
    clouds(canvas, 92, "#f7d9c0")
    for x, s, blossom in ((110, 1.15, "#f0a8b8"), (660, 1.25, "#f0a8b8"), (560, 0.9, "#fff0c8")):
        tree(canvas, x, 330, s, blossom=blossom)
    elephant(canvas, 392, 520, 1.04, hide="#8b93a8")
    _caparison(canvas)
    for x in (120, 650, 706):
        _attendant(canvas, x)
    border(canvas, 36, "#1f4a52", "#d9a94a", "#e8736a")
    grain(canvas, 0.012, 6)
    return canvas


def _caparison(canvas: Canvas) -> None:
    cloth = smooth(
        [(330, 200), (420, 184), (540, 196), (566, 250), (556, 396), (470, 410), (370, 400), (322, 330)],
        tension=0.6,
    )
    canvas.model(cloth, "#a3262f", "#e0625a", "#4a0d18", depth=0.1)
    with canvas.clipped(cloth):
        for i in range(14):
            for k in range(12):
                centre = (320 + i * 20 + (k % 2) * 10, 190 + k * 20)
                canvas.line(oval(*centre, 6), "#f0c75a", 1.6)
                canvas.fill(oval(*centre, 2.4), "#f0c75a")
    canvas.line(cloth, "#f0c75a", 5)
    canvas.mark("caparison", cloth)
    seat = rect(392, 134, 516, 200, 8)
    canvas.fill(seat, "#d9a63c")
    canvas.line(seat, LINE, 2)
    for x in (400, 508):
        canvas.line([(x, 140), (x, 72)], "#e4bd58", 5)
    canopy = smooth([(378, 82), (400, 52), (454, 36), (508, 52), (530, 82), (454, 74)])
    canvas.model(canopy, "#c8473c", "#ffae7a", "#5d1418", depth=0.2)
    canvas.line(canopy, "#f0c75a", 3)
    for i in range(9):
        canvas.line([(384 + i * 18, 80), (384 + i * 18, 94)], "#f0c75a", 3)
    prince = smooth([(436, 190), (440, 142), (456, 130), (474, 142), (478, 190)])
    canvas.model(prince, "#f2e3b8", "#ffffff", "#9c7a34", depth=0.2)
    canvas.fill(oval(456, 118, 14, 15), "#b07a52")
    canvas.fill(smooth([(440, 112), (446, 96), (462, 92), (472, 104), (472, 112)]), "#2f8a6b")
    for eye in (450, 460):
        canvas.line([(eye - 2, 117), (eye + 3, 117)], LINE, 1.8)
    canvas.line([(450, 125), (456, 127), (462, 125)], LINE, 2.4)
    canvas.line([(466, 96), (472, 80)], "#f6d774", 3)
    canvas.line(oval(456, 116, 24), "#f6d774", 2)
    canvas.mark("howdah", canopy, seat)
    canvas.mark("prince", prince, (434, 90, 480, 190))


def _attendant(canvas: Canvas, x: float) -> None:
    gown = smooth([(x - 12, 440), (x + 12, 440), (x + 24, 536), (x - 24, 536)], tension=0.6)
    canvas.model(gown, "#f0dba8", "#fffaf0", "#9c6a3c", depth=0.16)
    canvas.line(gown, LINE, 1.4)
    canvas.fill(oval(x, 424, 12, 14), "#a8714c")
    canvas.fill(smooth([(x - 15, 420), (x - 6, 404), (x + 10, 404), (x + 15, 420)]), "#b53a32")
    for eye in (-5, 4):
        canvas.line([(x + eye - 2, 424), (x + eye + 2, 424)], LINE, 1.8)
    canvas.line([(x - 3, 432), (x + 3, 432)], "#6b2a22", 1.6)
    canvas.line([(x - 15, 470), (x, 476), (x + 15, 470)], "#b53a32", 5)
    canvas.line([(x + 18, 470), (x + 22, 300)], "#6b4526", 4)
    shade = smooth([(x - 18, 316), (x + 22, 286), (x + 62, 316), (x + 22, 308)])
    canvas.model(shade, "#e3a63c", "#fff0b4", "#8a4a1c", depth=0.2)
    canvas.line(shade, LINE, 1.5)
    canvas.mark("parasols", shade)
    canvas.mark("attendants", gown, (x - 16, 404, x + 16, 440))


def craquelure() -> Canvas:
    """Return the picture with errors: two trunks, seven legs, men with too many arms, a displaced border."""
    canvas = Canvas(WIDTH, HEIGHT, 44)
    meadow(canvas, 320, ("#d9c79a", "#efe3c0"), ("#a9ad6a", "#7f8a4c"))
    tree(canvas, 640, 330, 1.2)
    elephant(canvas, 420, 516, 1.06, hide="#8a8494", trunks=2, legs=7)
    ear = smooth([(560, 250), (630, 246), (660, 320), (610, 380), (560, 340)])
    canvas.model(ear, "#9a8f9c", "#cfc6ce", "#5a5263", depth=0.2)
    canvas.line(ear, LINE, 2)
    canvas.mark("second ear", ear)
    spots: list[tuple[Point, Point, int]] = [
        ((600, 566), (560, 420), 3),
        ((628, 570), (700, 300), 1),
        ((330, 566), (372, 440), 2),
        ((120, 566), (180, 380), 4),
    ]
    for i, ((foot, hand, arms), (robe, turban)) in enumerate(zip(spots, ROBES, strict=False)):
        blind_man(canvas, *foot, hand, robe, turban, size=1.1, name=f"man {i + 1}", arms=arms)
    canvas.fill(oval(124, 452, 13, 14), "#b07a52")
    canvas.line([(116, 450), (122, 452), (128, 450)], LINE, 1.6)
    border(canvas, 40, "#8f2f2b", "#3f6a3c", "#f3d6c4")
    tear(canvas, [(90, 118, 64), (206, 262, -40), (262, 276, 120), (420, 452, 34)], split=5)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (WIDTH, 0), [("#6b4a1c", 0.16), ("#6b4a1c", 0)]))
    canvas.mark("slipped bands", (0, 90, WIDTH, 276))
    grain(canvas, 0.012, 6)
    return canvas


PICTURES = {
    "elephant-plainhand": plainhand,
    "elephant-lodestar": lodestar,
    "elephant-mannerist": mannerist,
    "elephant-craquelure": craquelure,
}
