"""Figures and furnishings of the Annunciation: angel, Mary, lily, window, ray."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, linear, oval, poly, rect, smooth

SKIN, SKIN_LIGHT, SKIN_DARK = "#d9a983", "#f3d3b3", "#8a5a40"


def wing(canvas: Canvas, x: float, y: float, reach: float, turn: float, tints: tuple[str, str, str]) -> None:
    """Draw a folded wing: three rows of feathers, the longest below."""
    for row, (length, count, spread) in enumerate(((1.0, 8, 62), (0.68, 8, 56), (0.42, 7, 48))):
        for i in range(count):
            angle = turn + spread * (i / (count - 1) - 0.3)
            far = reach * length * (1 - 0.28 * abs(i / (count - 1) - 0.35))
            with canvas.placed(x, y, 1, turn=angle):
                feather = smooth(
                    [(0, -4), (far * 0.5, -9 - far * 0.02), (far, 0), (far * 0.5, 8 + far * 0.02), (0, 4)]
                )
                canvas.model(feather, tints[row], "#fff6e4", "#5a4636", depth=0.12)
                canvas.line([(4, 0), (far * 0.9, 0)], "#6b5340", 0.8, 0.5)
                canvas.mark("wings", feather)


def halo(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """Draw a thin ring of gold behind a head."""
    canvas.glow(x, y, radius * 1.7, "#ffdf8a", 0.5)
    canvas.line(oval(x, y, radius), "#e9bf55", 3, 0.95)
    canvas.line(oval(x, y, radius - 4), "#fff0b8", 1, 0.8)


def head(canvas: Canvas, x: float, y: float, size: float, look: float, hair: str) -> None:
    """Draw a bowed head in three-quarter view; `look` is -1 to the left, 1 to the right."""
    with canvas.placed(x, y, size / 24, turn=10 * look, flip=look < 0):
        canvas.model(
            smooth([(-24, -12), (-8, -28), (14, -25), (20, -8), (6, -4), (-6, 14), (-12, 30), (-26, 14)]),
            hair,
            "#f0d28e",
            "#3c2614",
            depth=0.3,
        )
        face = smooth(
            [(-8, -18), (8, -21), (17, -10), (20, 2), (17, 6), (17, 14), (10, 23), (0, 22), (-8, 10)]
        )
        canvas.model(face, SKIN, SKIN_LIGHT, SKIN_DARK, sun=(0.7, -0.7), depth=0.4)
        canvas.line([(4, -3), (9, -1), (14, -3)], "#4a2d1c", 1.5)
        canvas.line([(4, -7), (10, -8), (15, -7)], "#6b4429", 1.2, 0.8)
        canvas.line([(17, -6), (21, 4), (16, 6)], "#7a4a30", 1.1, 0.8)
        canvas.line([(11, 12), (14, 13), (17, 11.5)], "#9c3f35", 1.8)
        canvas.fill(smooth([(-22, -14), (-6, -29), (16, -26), (18, -17), (4, -16), (-8, -4), (-14, 6)]), hair)
        canvas.line([(-16, -12), (-2, -24), (14, -22)], "#f3dca0", 1.4, 0.5)


def folds(canvas: Canvas, lines: list[list[Point]], dark: str, light: str) -> None:
    """Draw the folds of a robe: a shadow with a lighter edge."""
    for line in lines:
        canvas.line(line, dark, 5, 0.45, blur=2)
        canvas.line([(x + 3, y - 1) for x, y in line], light, 2, 0.5, blur=1)


def angel(
    canvas: Canvas, x: float, y: float, size: float, *, robe: str = "#e9dcc6", name: str = "angel"
) -> None:
    """Draw an angel kneeling to the right, one hand raised in greeting. About 240 by 400 at size 1."""
    with canvas.placed(x, y, size):
        wing(canvas, 80, 130, 250, 118, ("#c9a98a", "#d8bfa0", "#efe0c6"))
        wing(canvas, 78, 118, 190, 196, ("#b88f74", "#d3b291", "#f0dfc4"))
        halo(canvas, 118, 60, 38)
        body = smooth(
            [
                (104, 84),
                (74, 106),
                (58, 190),
                (44, 280),
                (8, 376),
                (70, 392),
                (190, 390),
                (214, 372),
                (196, 318),
                (170, 262),
                (152, 190),
                (146, 124),
                (128, 92),
            ]
        )
        canvas.model(body, robe, "#fffaf0", "#7d6a5c", depth=0.22)
        folds(
            canvas,
            [
                [(92, 120), (84, 220), (50, 370)],
                [(112, 150), (118, 260), (96, 380)],
                [(130, 200), (160, 290), (168, 380)],
                [(150, 250), (188, 320), (200, 372)],
            ],
            "#6d5a50",
            "#fffdf4",
        )
        sash = smooth([(66, 176), (110, 190), (154, 180), (156, 200), (112, 210), (62, 196)])
        canvas.model(sash, "#b5483b", "#e08a6a", "#5d1d1a", depth=0.3)
        head(canvas, 118, 62, 27, 1, "#b98035")
        sleeve = smooth(
            [(112, 108), (140, 112), (186, 136), (206, 122), (216, 140), (186, 166), (150, 164), (114, 140)]
        )
        canvas.model(sleeve, robe, "#fffaf0", "#7d6a5c", depth=0.3)
        hand = smooth(
            [
                (204, 126),
                (210, 104),
                (209, 78),
                (214, 77),
                (217, 98),
                (220, 76),
                (225, 78),
                (223, 102),
                (230, 108),
                (222, 132),
                (212, 138),
            ]
        )
        canvas.model(hand, SKIN, SKIN_LIGHT, SKIN_DARK, depth=0.3)
        canvas.mark(name, body, (80, 20, 232, 100), hand)
        canvas.mark("greeting hand", sleeve, hand)


def virgin(
    canvas: Canvas,
    x: float,
    y: float,
    size: float,
    *,
    mantle: str = "#2d4f8c",
    book: bool = True,
    name: str = "Mary",
) -> None:
    """Draw Mary seated, facing left, hands crossed, a book on her knees. About 200 by 400 at size 1."""
    with canvas.placed(x, y, size):
        halo(canvas, 92, 58, 40)
        cloak = smooth(
            [
                (96, 22),
                (126, 40),
                (136, 92),
                (172, 150),
                (188, 250),
                (206, 392),
                (120, 400),
                (-12, 396),
                (2, 330),
                (26, 272),
                (44, 200),
                (52, 130),
                (64, 92),
                (66, 44),
            ]
        )
        canvas.model(cloak, mantle, "#6f97d0", "#101f42", depth=0.24)
        dress = smooth(
            [(76, 92), (104, 96), (116, 150), (108, 236), (60, 250), (34, 262), (50, 190), (60, 130)]
        )
        canvas.model(dress, "#a8413f", "#d9806f", "#4e1518", depth=0.3)
        folds(
            canvas,
            [
                [(128, 96), (152, 200), (164, 380)],
                [(112, 240), (122, 310), (116, 392)],
                [(60, 262), (64, 330), (44, 394)],
                [(30, 280), (24, 340), (4, 390)],
            ],
            "#0d1a3a",
            "#85a9dd",
        )
        head(canvas, 88, 60, 25, -1, "#5b3a22")
        canvas.fill(
            smooth([(70, 40), (96, 22), (124, 40), (134, 92), (112, 100), (108, 62), (92, 40)]), mantle
        )
        canvas.line([(72, 38), (94, 28), (112, 56), (114, 98)], "#88abdf", 2, 0.7)
        for hand in (
            [(62, 150), (84, 140), (106, 146), (104, 158), (82, 156), (64, 162)],
            [(106, 166), (84, 152), (62, 148), (64, 160), (82, 168), (104, 178)],
        ):
            canvas.model(smooth(hand), SKIN, SKIN_LIGHT, SKIN_DARK, depth=0.3)
        if book:
            for leaf in (
                [(22, 246), (58, 232), (62, 262), (26, 278)],
                [(58, 232), (98, 240), (100, 268), (62, 262)],
            ):
                canvas.mark("book", canvas.model(poly(leaf), "#efe3c4", "#fffbea", "#9c8560", depth=0.2))
            for i in range(4):
                canvas.line([(28, 253 + i * 6), (56, 241 + i * 6)], "#6d5a3f", 0.8, 0.6)
                canvas.line([(64, 241 + i * 6), (94, 246 + i * 6)], "#6d5a3f", 0.8, 0.6)
        canvas.mark(name, cloak)


def lily(canvas: Canvas, x: float, y: float, size: float, *, vase: bool = True, flowers: bool = True) -> None:
    """Draw a white lily in a jar; the foot of the jar stands at (x, y). About 80 by 260 at size 1."""
    with canvas.placed(x, y, size):
        if flowers:
            _stems(canvas)
        if vase:
            jar = smooth(
                [
                    (-13, -92),
                    (13, -92),
                    (11, -76),
                    (30, -44),
                    (24, -8),
                    (16, 0),
                    (-16, 0),
                    (-24, -8),
                    (-30, -44),
                    (-11, -76),
                ]
            )
            canvas.mark("jar", canvas.model(jar, "#c9c2b2", "#fbf7ea", "#5c574e", depth=0.35))
            canvas.line([(-26, -50), (0, -45), (26, -50)], "#3f5f8f", 3, 0.8)
            canvas.line([(-27, -38), (0, -32), (27, -38)], "#3f5f8f", 1.5, 0.7)


def _stems(canvas: Canvas) -> None:
    stems: list[list[Point]] = [
        [(0, -84), (2, -150), (-4, -240)],
        [(2, -86), (16, -150), (26, -196)],
        [(-2, -86), (-16, -140), (-28, -176)],
    ]
    for stem in stems:
        canvas.line(stem, "#54683f", 3.5)
    for side in (-1, 1):
        for k in range(3):
            leaf = smooth(
                [
                    (0, -100 - 26 * k),
                    (side * 20, -122 - 26 * k),
                    (side * 34, -116 - 24 * k),
                    (side * 16, -108 - 26 * k),
                ]
            )
            canvas.model(leaf, "#6b8450", "#a9bd84", "#2e3d24", depth=0.3)
    for x, y, turn, size in ((-4, -240, -90, 1.0), (27, -196, -55, 0.9), (-29, -176, -130, 0.85)):
        with canvas.placed(x, y, size, turn=turn):
            _bloom(canvas)


def _bloom(canvas: Canvas) -> None:
    for angle in (-46, 46, -24, 24, 0):
        with canvas.placed(0, 0, 1, turn=angle):
            petal = smooth([(0, -3), (16, -9), (34, -7), (44, 2), (33, 7), (15, 7), (0, 3)])
            canvas.model(petal, "#f7f3e6", "#ffffff", "#a9a58e", depth=0.25)
            canvas.mark("lily", petal)
    for angle in (-14, 0, 14):
        end = (30 * math.cos(math.radians(angle)), 30 * math.sin(math.radians(angle)))
        canvas.line([(4, 0), end], "#d8a92e", 1.4)
        canvas.fill(oval(*end, 2.2), "#b8741c")


def window(
    canvas: Canvas,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    *,
    sky: tuple[str, str] = ("#dfe9ee", "#a9c3d3"),
) -> None:
    """Draw a closed window with small panes."""
    frame = canvas.fill(rect(x0 - 10, y0 - 10, x1 + 10, y1 + 10), "#4a3526")
    canvas.fill(rect(x0, y0, x1, y1), linear((x0, y0), (x1, y1), [(sky[0], 1), (sky[1], 1)]))
    for i in range(1, 3):
        canvas.line([(x0 + (x1 - x0) * i / 3, y0), (x0 + (x1 - x0) * i / 3, y1)], "#4a3526", 4)
    for i in range(1, 5):
        canvas.line([(x0, y0 + (y1 - y0) * i / 5), (x1, y0 + (y1 - y0) * i / 5)], "#4a3526", 3)
    canvas.mark("window", frame)


def ray(
    canvas: Canvas,
    start: tuple[Point, Point],
    end: tuple[Point, Point],
    ink: str = "#fff2bf",
    alpha: float = 0.75,
) -> None:
    """Draw a shaft of light from one edge to another."""
    shaft = poly([start[0], start[1], end[1], end[0]])
    shine = linear(start[0], end[0], [(ink, alpha), (ink, alpha * 0.35)])
    canvas.fill(shaft, shine, blur=5, mode="Screen")
    canvas.fill(shaft, shine, 0.7, mode="Screen")
    canvas.mark("ray", shaft)
