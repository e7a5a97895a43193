"""Shapes of the glacier posters: the mountain, a wafer cone, drips, a sea, a hand, a skier."""

from __future__ import annotations

from painting.canvas import Canvas, Point, linear, oval, poly, rect, smooth

WIDTH = 576
"""The posters' width, which the sea fills."""

OUTLINE: list[Point] = [
    (-210, 0),
    (-150, -66),
    (-112, -92),
    (-70, -168),
    (-34, -222),
    (-8, -300),
    (14, -322),
    (34, -306),
    (40, -262),
    (66, -214),
    (78, -160),
    (124, -98),
    (152, -62),
    (214, 0),
]
"""The mountain's outline, its hooked summit to the right; foot at the origin, 424 by 322."""


def mountain(
    canvas: Canvas,
    x: float,
    y: float,
    size: float,
    *,
    melt: bool = False,
    snow: str = "#f7fbff",
    rock: str = "#5d7fa8",
    shade: str = "#33507c",
) -> None:
    """Draw the mountain of the reference picture, solid or with melting snow."""
    with canvas.placed(x, y, size):
        peak = poly(OUTLINE)
        canvas.fill(peak, linear((-210, 0), (214, -100), [(rock, 1), (shade, 1)]))
        with canvas.clipped(peak):
            canvas.fill(
                poly(
                    [
                        (14, -322),
                        (40, -262),
                        (66, -214),
                        (78, -160),
                        (124, -98),
                        (214, 0),
                        (60, 0),
                        (30, -90),
                        (44, -150),
                        (4, -220),
                    ]
                ),
                shade,
            )
            canvas.fill(poly(_snowline(melt)), snow)
            canvas.fill(
                poly([(14, -330), (50, -250), (70, -200), (40, -190), (52, -150), (20, -176), (6, -230)]),
                "#bcd3ea",
            )
            for ridge in (
                [(-8, -296), (-30, -200), (-64, -120), (-92, -40)],
                [(20, -300), (22, -210), (8, -130), (26, -50)],
                [(50, -210), (66, -130), (104, -60)],
            ):
                canvas.line(ridge, "#274062", 1.8, 0.55)
        canvas.mark("mountain", peak)


def _snowline(melt: bool) -> list[Point]:
    low = -104 if melt else -150
    zigzag: list[Point] = [
        (90, low),
        (58, low - 34),
        (36, low + 18),
        (8, low - 24),
        (-24, low + 26),
        (-52, low - 14),
        (-88, low + 30),
        (-130, low),
    ]
    return [(-130, -340), (14, -340), (110, -340), *zigzag]


def cone(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Draw a wafer cone with its rim at y and its point below. About 220 by 260 at size 1."""
    with canvas.placed(x, y, size):
        body = poly([(-112, 0), (112, 0), (10, 262), (-10, 262)])
        canvas.fill(body, linear((-112, 0), (112, 0), [("#f0b866", 1), ("#d9923c", 1), ("#a8642a", 1)]))
        with canvas.clipped(body):
            for i in range(-12, 13):
                canvas.line([(i * 24 - 120, 0), (i * 24 + 60, 270)], "#8a4f1e", 2.4, 0.7)
                canvas.line([(i * 24 + 120, 0), (i * 24 - 60, 270)], "#8a4f1e", 2.4, 0.7)
        rim = rect(-120, -12, 120, 18, 8)
        canvas.fill(rim, linear((-120, 0), (120, 0), [("#f7cb82", 1), ("#c47f33", 1)]))
        canvas.mark("cone", body, rim)


def drips(
    canvas: Canvas,
    x: float,
    y: float,
    size: float,
    lengths: list[tuple[float, float]],
    ink: str = "#f7fbff",
    *,
    up: bool = False,
) -> None:
    """Draw drips from (x, y), each with an offset and a length, that end in a drop."""
    way = -1 if up else 1
    for offset, length in lengths:
        px, py = x + offset * size, y + length * size * way
        run = smooth(
            [
                (px - 13 * size, y - 6 * way),
                (px + 13 * size, y - 6 * way),
                (px + 9 * size, (y + py) / 2),
                (px + 11 * size, py),
                (px, py + 12 * size * way),
                (px - 11 * size, py),
                (px - 9 * size, (y + py) / 2),
            ]
        )
        canvas.fill(run, ink)
        canvas.line([(px - 5 * size, y + 4 * way), (px - 5 * size, py - 4 * way)], "#ffffff", 2.5 * size, 0.9)
        canvas.mark("drips", run)


def sea(canvas: Canvas, top: float, bottom: float, *, deep: str = "#1f6f9a", light: str = "#4fb3c9") -> None:
    """Draw bands of flat waves."""
    for k in range(4):
        y = top + k * (bottom - top) / 4
        wave = [
            (-20.0, bottom),
            *[(i * WIDTH / 12, y + (9 if (i + k) % 2 else -9)) for i in range(13)],
            (WIDTH + 20.0, bottom),
        ]
        tone = linear((0, top), (0, bottom), [(light, 1), (deep, 1)])
        canvas.fill(smooth(wave, tension=0.9), tone)
        canvas.line(smooth(wave[1:-1], closed=False), "#e6f7f5", 3, 0.7 - k * 0.12)
    canvas.mark("sea", (0, top - 8, WIDTH, bottom))


def hand(canvas: Canvas) -> None:
    skin, dark = "#e2a77e", "#9c5f3e"
    sleeve = poly([(400, 600), (520, 486), (600, 560), (600, 680), (470, 670)])
    cuff = poly([(384, 560), (430, 600), (452, 578), (404, 536)])
    palm = smooth([(300, 470), (352, 452), (398, 486), (428, 552), (404, 590), (356, 572), (318, 530)])
    canvas.model(palm, skin, "#ffd9b8", dark, depth=0.2)
    for i in range(4):
        finger = smooth(
            [
                (238, 446 + i * 27),
                (290, 438 + i * 26),
                (340, 450 + i * 24),
                (338, 474 + i * 24),
                (288, 464 + i * 26),
                (242, 468 + i * 26),
            ]
        )
        canvas.model(finger, skin, "#ffdcbc", dark, depth=0.2)
        canvas.line(finger, "#7a4630", 1.4, 0.7)
    thumb = smooth([(330, 420), (352, 408), (378, 440), (392, 486), (366, 500), (340, 456)])
    canvas.model(thumb, skin, "#ffdcbc", dark, depth=0.2)
    canvas.line(thumb, "#7a4630", 1.4, 0.7)
    canvas.fill(sleeve, linear((400, 500), (600, 660), [("#2c3444", 1), ("#12161f", 1)]))
    canvas.fill(cuff, "#f7f4ec")
    canvas.fill(oval(426, 572, 5), "#d9b04a")
    canvas.mark("hand", palm, (236, 408, 430, 590))
    canvas.mark("cuff", sleeve, cuff)


def skier(canvas: Canvas, x: float, y: float) -> None:
    canvas.line([(x - 200, y + 34), (x - 90, y + 44), (x - 20, y + 26)], "#c9d6e6", 4, 0.9)
    canvas.line([(x - 200, y + 46), (x - 90, y + 56), (x - 14, y + 34)], "#c9d6e6", 4, 0.9)
    for offset in (0, 8):
        canvas.line(
            [(x - 60, y + 26 + offset), (x + 30, y + 22 + offset), (x + 62, y + 8 + offset)], "#6b2a22", 4
        )
    legs = smooth(
        [(x - 22, y - 18), (x + 6, y - 26), (x + 22, y - 6), (x + 4, y + 22), (x - 8, y + 22), (x - 2, y)]
    )
    canvas.fill(legs, "#23395f")
    torso = smooth([(x - 26, y - 16), (x - 16, y - 44), (x + 18, y - 62), (x + 34, y - 54), (x + 14, y - 22)])
    canvas.fill(torso, "#d8402f")
    canvas.fill(oval(x + 36, y - 70, 11), "#e2a77e")
    canvas.fill(smooth([(x + 24, y - 76), (x + 36, y - 90), (x + 50, y - 78)]), "#23395f")
    canvas.line([(x + 30, y - 66), (x + 8, y - 72), (x - 26, y - 62)], "#ffd27a", 5)
    canvas.line([(x + 24, y - 46), (x + 44, y - 30), (x + 58, y + 12)], "#23395f", 3)
    canvas.mark("skier", legs, torso, (x - 60, y - 90, x + 62, y + 34))
