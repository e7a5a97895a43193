"""A vanitas, four times."""

from __future__ import annotations

from painting.canvas import Canvas, linear, oval, poly, radial, rect
from painting.surface import oil, tear, vignette
from painting.things import (
    book,
    candle,
    fallen_glass,
    flame,
    lemon,
    shadow,
    skull,
    smoke,
    standing_glass,
    watch,
)

WIDTH, HEIGHT = 768, 600


def _table(canvas: Canvas, wall: tuple[str, str], cloth: tuple[str, str], horizon: float = 400) -> None:
    canvas.fill(rect(0, 0, WIDTH, horizon), radial((180, 120), 760, [(wall[0], 1), (wall[1], 1)]))
    canvas.fill(
        rect(0, horizon, WIDTH, HEIGHT), linear((0, horizon), (0, HEIGHT), [(cloth[0], 1), (cloth[1], 1)])
    )
    canvas.line([(0, horizon), (WIDTH, horizon)], "#000000", 3, 0.3, blur=2)


def plainhand() -> Canvas:
    """Return the literal picture: the five things that were asked for, in a row, in even light."""
    canvas = Canvas(WIDTH, HEIGHT, 31)
    _table(canvas, ("#a79f8c", "#7d7565"), ("#8a7556", "#6a583e"), 380)
    for x, w in ((130, 80), (330, 150), (520, 50), (640, 80)):
        shadow(canvas, x + 14, 476, w, 16, 0.4)
    smoke(canvas, *candle(canvas, 96, 470, 1.15), 190, drift=30, ink="#f0efe8")
    book(canvas, 190, 480, 1.0)
    skull(canvas, 320, 436, 1.1)
    fallen_glass(canvas, 566, 446, 0.9)
    watch(canvas, 470, 556, 0.9)
    lemon(canvas, 680, 500, 0.8)
    oil(canvas, (12, 5, 3), detail=40, wobble=0.03)
    return canvas


def lacuna() -> Canvas:
    """Return the picture without the symbol: a rich table, a lit candle, a full glass, fruit; no skull."""
    canvas = Canvas(WIDTH, HEIGHT, 32)
    _table(canvas, ("#5d4a32", "#1a120b"), ("#4d3a52", "#1d1422"))
    cloth = poly(
        [
            (70, 412),
            (470, 412),
            (520, 492),
            (500, 560),
            (470, 536),
            (430, 600),
            (60, 600),
            (30, 548),
            (24, 492),
        ]
    )
    canvas.fill(
        cloth, linear((0, 412), (0, 600), [("#e6dcc8", 1), ("#d2c6b0", 1), ("#8d8170", 1)], (0, 0.4, 1))
    )
    for x in (70, 150, 215, 300, 380, 450):
        canvas.line([(x + 14, 496), (x, 550), (x + 10, 610)], "#5d5245", 12, 0.45, blur=6)
        canvas.line([(x + 36, 496), (x + 26, 550), (x + 34, 610)], "#fffdf4", 8, 0.5, blur=4)
    canvas.line([(26, 492), (518, 492)], "#fffaf0", 3, 0.6, blur=1)
    canvas.mark("white cloth", cloth)
    for x, y, w in ((170, 452, 70), (360, 470, 120), (560, 470, 120)):
        shadow(canvas, x + 20, y, w, 18)
    candle(canvas, 150, 452, 1.3, lit=True)
    standing_glass(canvas, 290, 460, 1.35)
    book(canvas, 470, 470, 0.95, cover="#31473a")
    lemon(canvas, 380, 480, 1.0)
    for x, y, r, tone in ((560, 388, 44, "#b5442c"), (636, 394, 40, "#c98a2e"), (598, 330, 38, "#a93a34")):
        fruit = canvas.model(oval(x, y, r), tone, "#ffd59a", "#3d0d0a", depth=0.4)
        canvas.line([(x, y - r + 4), (x + 3, y - r - 8)], "#2d1d10", 3)
        canvas.mark("fruit", fruit)
    for i in range(16):
        gx, gy = 690 + (i % 4) * 17 - (i // 4) * 5, 400 + (i // 4) * 17
        canvas.mark("grapes", canvas.model(oval(gx, gy, 11), "#4a2f5e", "#b79ad0", "#160a20", depth=0.5))
    oil(canvas, (12, 5, 3), detail=40, wobble=0.03)
    vignette(canvas, 0.4, (0.4, 0.5))
    return canvas


def overtone() -> Canvas:
    """Return the picture with an added meaning: the watch is a telephone that lights the skull."""
    canvas = Canvas(WIDTH, HEIGHT, 33)
    _table(canvas, ("#26333d", "#070b10"), ("#2a2420", "#0c0a09"))
    shadow(canvas, 380, 470, 190, 24, 0.8)
    smoke(canvas, *candle(canvas, 640, 468, 1.25), 210, drift=-50, ink="#8fa3b3")
    book(canvas, 250, 486, 1.15, cover="#3a2220")
    skull(canvas, 390, 432, 1.35)
    fallen_glass(canvas, 190, 500, 0.95)
    lemon(canvas, 560, 510, 0.78)
    with canvas.placed(330, 520, 1, turn=-9):
        body = rect(-46, -84, 46, 66, 12)
        canvas.fill(body, "#0a0c0f")
        canvas.line(body, "#4f5b66", 2)
        canvas.fill(
            rect(-40, -76, 40, 58, 6),
            linear((-40, -76), (40, 58), [("#e9fbff", 1), ("#7fd0ff", 1), ("#5f7dff", 1)]),
        )
        for i in range(5):
            canvas.fill(rect(-32, -64 + i * 23, 32, -48 + i * 23, 5), "#ffffff", 0.55)
            canvas.fill(oval(-25, -56 + i * 23, 5), "#ff4d5e" if i % 2 else "#2b6cff", 0.9)
        canvas.mark("telephone", body)
    canvas.glow(330, 500, 330, "#4fb4ff", 0.55)
    canvas.glow(360, 400, 150, "#a9e4ff", 0.35)
    oil(canvas, (12, 5, 3), detail=40, wobble=0.03)
    vignette(canvas, 0.45, (0.45, 0.65))
    return canvas


def craquelure() -> Canvas:
    """Return the picture with errors: two skulls share a jaw, the candle burns and smokes, bands shift."""
    canvas = Canvas(WIDTH, HEIGHT, 34)
    _table(canvas, ("#8a6f4a", "#2d2013"), ("#5d3f2a", "#21150d"))
    book(canvas, 170, 486, 1.2)
    skull(canvas, 300, 440, 1.15)
    skull(canvas, 384, 430, 1.05, jaw=False, turn=14)
    wick = candle(canvas, 600, 474, 1.3, bend=46)
    flame(canvas, wick[0], wick[1] + 4, 0.9)
    smoke(canvas, *wick, 180, drift=-90, ink="#e9e2d0")
    fallen_glass(canvas, 170, 520, 0.9)
    fallen_glass(canvas, 236, 536, 0.7)
    for i, bend in enumerate((1.0, 0.6, 1.5)):
        watch(canvas, 430 + i * 62, 540 - i * 10, 0.8, bend=bend)
    lemon(canvas, 700, 500, 0.8)
    eye = oval(686, 470, 10, 9)
    canvas.fill(eye, "#150d07")
    oil(canvas, (12, 5, 3), detail=40, wobble=0.03)
    tear(canvas, [(118, 150, 46), (268, 322, -58), (322, 338, 90), (470, 496, 30)], split=7)
    _cracks(canvas)
    vignette(canvas, 0.3)
    canvas.mark("torn band", (0, 268, WIDTH, 338))
    canvas.mark("double skull", canvas.boxes["skull"])
    return canvas


def _cracks(canvas: Canvas) -> None:
    """Draw fine cracks across the varnish."""
    for _ in range(26):
        x, y = (float(canvas.rng.uniform(0, size)) for size in (WIDTH, HEIGHT))
        points = [(x, y)]
        for _ in range(7):
            x, y = x + float(canvas.rng.normal(0, 26)), y + float(canvas.rng.normal(8, 22))
            points.append((x, y))
        canvas.line(points, "#120c07", 1.0, 0.5)


PICTURES = {
    "vanitas-plainhand": plainhand,
    "vanitas-lacuna": lacuna,
    "vanitas-overtone": overtone,
    "vanitas-craquelure": craquelure,
}
