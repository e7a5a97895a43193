"""The Annunciation in the manner of analytical cubism, four times."""

from __future__ import annotations

import math

from painting.canvas import Canvas, linear, oval, poly, radial, rect, smooth
from painting.facets import facet, toned
from painting.figures import angel, lily, ray, virgin, window
from painting.surface import oil, vignette

WIDTH, HEIGHT = 614, 768
OCHRES = ["#1b130d", "#4a3623", "#8a6a43", "#bfa06c", "#e6d6ac", "#fbf4df"]


def _room(canvas: Canvas, wall: tuple[str, str] = ("#cbb79a", "#8c765c")) -> None:
    canvas.fill(rect(0, 0, WIDTH, 560), linear((0, 0), (WIDTH, 560), [(wall[0], 1), (wall[1], 1)]))
    canvas.fill(rect(0, 560, WIDTH, HEIGHT), linear((0, 560), (0, HEIGHT), [("#7b5a41", 1), ("#4a3224", 1)]))
    for i in range(-6, 13):
        canvas.line([(307 + (i - 3) * 62, 560), (307 + (i - 3) * 190, HEIGHT)], "#2f1f16", 1.6, 0.6)
    for y in (578, 604, 642, 700):
        canvas.line([(0, y), (WIDTH, y)], "#2f1f16", 1.6, 0.6)
    canvas.line([(0, 560), (WIDTH, 560)], "#3a281d", 5)


def plainhand() -> Canvas:
    """Return the literal picture: every noun in its place, a tidy room and no broken plane."""
    canvas = Canvas(WIDTH, HEIGHT, 11)
    _room(canvas, ("#d8cdb6", "#ab9a80"))
    canvas.fill(rect(400, 120, 614, 560), "#7d3b34")
    for i in range(7):
        canvas.line(
            [(412 + i * 32, 120), (406 + i * 33, 340), (414 + i * 32, 560)], "#4d1d1b", 8, 0.5, blur=4
        )
    canvas.mark("curtain", (400, 120, 614, 560))
    canvas.line([(392, 122), (614, 122)], "#c79b4a", 7)
    window(canvas, 60, 60, 190, 260)
    for x in (60, 500):
        canvas.fill(oval(x + 40, 730, 150, 24), "#1e130d", 0.5, blur=12)
    angel(canvas, 52, 312, 1.05)
    ray(canvas, ((150, 90), (186, 160)), ((420, 330), (470, 400)))
    virgin(canvas, 392, 300, 1.08)
    canvas.fill(oval(310, 716, 60, 12), "#1e130d", 0.5, blur=7)
    lily(canvas, 308, 716, 1.0)
    oil(canvas, (12, 5, 3), detail=42, wobble=0.03)
    vignette(canvas, 0.3)
    return canvas


def lacuna() -> Canvas:
    """Return the picture without the symbol: two figures, an empty jar and a window without a ray."""
    canvas = Canvas(WIDTH, HEIGHT, 12)
    _room(canvas, ("#9f9a8d", "#5f5a52"))
    window(canvas, 250, 50, 370, 200, sky=("#5d646a", "#3b4147"))
    angel(canvas, 62, 250, 1.12, robe="#bdb6a6")
    virgin(canvas, 372, 262, 1.14, mantle="#3d4650", book=False)
    lily(canvas, 306, 708, 1.15, flowers=False)
    canvas.put(
        toned(canvas.pixels(), ["#15181b", "#3a4044", "#6f7370", "#a09c8b", "#cfc6ac", "#efe8d3"], 0.12)
    )
    facet(canvas, 2600, shift=8, zoom=0.07, edge=0.7)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), radial((320, 400), 560, [("#000000", 0), ("#0d0e10", 0.45)]))
    canvas.boxes.pop("book", None)
    return canvas


def lodestar() -> Canvas:
    """Return the faithful picture: the greeting breaks the room, and only lily and ray stay whole."""
    canvas = Canvas(WIDTH, HEIGHT, 13)
    _room(canvas)
    window(canvas, 44, 40, 170, 210, sky=("#fffbe8", "#f0dfae"))
    angel(canvas, 56, 262, 1.14)
    virgin(canvas, 376, 264, 1.16)
    canvas.put(toned(canvas.pixels(), OCHRES, 0.34))
    facet(canvas, 2000, shift=9, zoom=0.08, edge=0.9)
    _shock(canvas)
    ray(canvas, ((120, 70), (170, 150)), ((400, 330), (462, 372)), "#ffe9a6", 0.9)
    canvas.line([(145, 110), (432, 350)], "#fff8dc", 2.5, 0.9)
    lily(canvas, 312, 720, 1.22)
    for a, b in (((268, 470), (352, 640)), ((356, 440), (278, 600))):
        canvas.line([a, b], "#3a2a1a", 1.4, 0.5)
    vignette(canvas, 0.32, (0.45, 0.5))
    return canvas


def _shock(canvas: Canvas) -> None:
    """Draw planes that fly outward from the raised hand."""
    x, y = 282, 372
    for i in range(15):
        angle = i * 0.42 + 0.1
        far = float(canvas.rng.uniform(120, 330))
        wedge = poly(
            [
                (x, y),
                (x + far * math.cos(angle), y + far * math.sin(angle)),
                (x + far * 0.8 * math.cos(angle + 0.22), y + far * 0.8 * math.sin(angle + 0.22)),
            ]
        )
        tone = "#fff1c4" if i % 2 else "#2a1b10"
        canvas.fill(wedge, radial((x, y), far, [(tone, 0.5), (tone, 0)]))
    canvas.mark("breaking planes", (x - 190, y - 190, x + 200, y + 190))


def mannerist() -> Canvas:
    """Return the picture without the story: a cubist still life of guitar, bottle and newspaper."""
    canvas = Canvas(WIDTH, HEIGHT, 14)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (WIDTH, HEIGHT), [("#a99b7c", 1), ("#5b4c39", 1)]))
    table = canvas.fill(
        smooth([(60, 520), (300, 450), (560, 520), (520, 700), (300, 748), (90, 690)]), "#6b4a2c"
    )
    canvas.mark("table", table)
    with canvas.placed(330, 470, 1.25, turn=24):
        body = smooth(
            [
                (0, -110),
                (58, -80),
                (46, -20),
                (84, 60),
                (40, 140),
                (-40, 140),
                (-84, 60),
                (-46, -20),
                (-58, -80),
            ]
        )
        canvas.model(body, "#b88345", "#f3d08a", "#4a2a12", depth=0.2)
        canvas.fill(oval(0, 20, 30), "#1d120a")
        canvas.line(oval(0, 20, 34), "#f0dcae", 3)
        canvas.fill(rect(-12, -290, 12, -80), "#2d1c10")
        for i in range(-2, 3):
            canvas.line([(i * 4, -286), (i * 5, 110)], "#f6e9c6", 1.2)
        canvas.fill(rect(-26, 96, 26, 108), "#2d1c10")
        canvas.mark("guitar", body, (-20, -290, 20, -80))
    bottle = smooth(
        [(120, 250), (150, 250), (150, 330), (176, 380), (174, 600), (96, 600), (94, 380), (120, 330)],
        tension=0.6,
    )
    canvas.mark("bottle", canvas.model(bottle, "#5d6b50", "#dfe6c4", "#0c0f0a", depth=0.3))
    sheet = poly([(380, 560), (560, 500), (590, 640), (410, 710)])
    canvas.mark("newspaper", canvas.fill(sheet, "#e5dcc3"))
    for i in range(8):
        canvas.line(
            [(398 + i * 3, 580 + i * 15), (560 + i * 3, 524 + i * 15)], "#3a3226", 3 if i == 0 else 1.6, 0.8
        )
    canvas.put(
        toned(canvas.pixels(), ["#120d08", "#47351f", "#8b7248", "#b9a77a", "#ded1ab", "#f6efd9"], 0.15)
    )
    facet(canvas, 1900, shift=13, zoom=0.12, edge=1.0)
    canvas.line([(250, 150), (330, 120), (356, 180), (318, 220), (330, 262)], "#1d1510", 3, 0.8)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), radial((320, 400), 540, [("#000000", 0), ("#1a120a", 0.6)]))
    return canvas


PICTURES = {
    "annunciation-plainhand": plainhand,
    "annunciation-lacuna": lacuna,
    "annunciation-lodestar": lodestar,
    "annunciation-mannerist": mannerist,
}
