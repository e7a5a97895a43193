"""Things on a table: skull, candle, book, glass, watch, lemon; and smoke."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, linear, oval, poly, radial, rect, smooth


def shadow(canvas: Canvas, x: float, y: float, rx: float, ry: float, alpha: float = 0.55) -> None:
    """Draw a shadow on the table."""
    canvas.fill(oval(x, y, rx, ry), "#0b0705", alpha, blur=ry * 0.6)


def skull(canvas: Canvas, x: float, y: float, size: float, *, jaw: bool = True, turn: float = 0) -> None:
    """Draw a skull in three-quarter view to the left, its chin near (x, y). About 150 by 170 at size 1."""
    with canvas.placed(x, y, size, turn=turn):
        lower = smooth([(-58, -40), (-50, -8), (-26, 4), (8, 2), (34, -16), (44, -48), (20, -36), (-30, -30)])
        if jaw:
            canvas.model(lower, "#c9b184", "#f3e3bd", "#57411f", depth=0.3)
        dome = smooth(
            [
                (-62, -62),
                (-70, -98),
                (-60, -140),
                (-22, -172),
                (30, -174),
                (72, -144),
                (82, -100),
                (66, -62),
                (44, -48),
                (36, -32),
                (-6, -26),
                (-46, -30),
                (-58, -46),
            ]
        )
        canvas.model(dome, "#d9c49a", "#fff6dc", "#5b4524", depth=0.26)
        for socket in (
            [(-56, -92), (-40, -104), (-20, -98), (-16, -78), (-30, -64), (-50, -70)],
            [(6, -96), (24, -104), (44, -94), (44, -74), (26, -64), (8, -76)],
        ):
            canvas.fill(smooth(socket), "#150d07")
            canvas.line(smooth(socket), "#6b5230", 3, 0.6, blur=1.5)
        canvas.fill(smooth([(-14, -66), (-6, -72), (2, -62), (0, -48), (-8, -52), (-17, -48)]), "#1c1209")
        for i in range(9):
            tooth = rect(-42 + i * 9, -36 + abs(i - 4) * -0.8, -35 + i * 9, -22 + abs(i - 4) * -0.8, 2.5)
            canvas.model(tooth, "#e9d9b4", "#fff9e6", "#7a6138", depth=0.3)
        if jaw:
            for i in range(8):
                canvas.model(
                    rect(-38 + i * 9, -20, -31 + i * 9, -9, 2.5), "#d9c69c", "#fff4d6", "#6d552f", depth=0.3
                )
        canvas.fill(smooth([(48, -84), (66, -96), (74, -76), (58, -62)]), "#6b5230", 0.35, blur=5)
        canvas.line([(20, -170), (34, -150), (28, -136), (40, -118)], "#6b5230", 1.2, 0.7)
        canvas.line([(-58, -108), (-38, -112), (-18, -104)], "#8a6d40", 3, 0.5, blur=1.5)
        canvas.line([(4, -104), (26, -112), (48, -100)], "#8a6d40", 3, 0.5, blur=1.5)
        canvas.mark("skull", dome, *([lower] if jaw else []))


def book(canvas: Canvas, x: float, y: float, size: float, *, cover: str = "#6b2f23") -> None:
    """Draw a closed book on the table; its lower left corner is at (x, y). About 240 by 60 at size 1."""
    with canvas.placed(x, y, size):
        top = poly([(0, -36), (40, -62), (250, -58), (226, -32)])
        pages = poly([(4, -30), (226, -26), (246, -50), (248, -22), (226, 0), (4, -4)])
        canvas.model(pages, "#dcc99b", "#f8ecc8", "#806a41", depth=0.15)
        for i in range(6):
            canvas.line([(8, -26 + i * 4), (224, -22 + i * 4), (246, -46 + i * 4)], "#8c7548", 0.8, 0.6)
        canvas.model(top, cover, "#b96a4c", "#2c0f0a", depth=0.2)
        canvas.line(poly([(0, -36), (226, -32), (250, -58)], closed=False), "#c9975a", 2, 0.8)
        base = poly([(0, -2), (226, 2), (250, -22), (252, -16), (228, 9), (-2, 5)])
        canvas.fill(base, cover)
        canvas.mark("book", top, pages, base)


def candle(canvas: Canvas, x: float, y: float, size: float, *, lit: bool = False, bend: float = 0) -> Point:
    """Draw a candle in a brass holder at (x, y), about 70 by 230 at size 1; return the tip of its wick."""
    with canvas.placed(x, y, size):
        dish = smooth([(-44, -8), (0, -16), (44, -8), (34, 4), (0, 8), (-34, 4)])
        canvas.model(dish, "#8d6a2c", "#f6d98b", "#33220b", depth=0.3)
        stem = smooth(
            [(-8, -10), (-14, -34), (-7, -60), (-18, -76), (18, -76), (7, -60), (14, -34), (8, -10)],
            tension=0.8,
        )
        canvas.model(stem, "#9a7430", "#ffe5a0", "#38250c", depth=0.35)
        wax = smooth(
            [
                (-13, -74),
                (-13 + bend * 0.3, -130),
                (-12 + bend, -190),
                (0 + bend, -194),
                (12 + bend, -188),
                (13 + bend * 0.3, -130),
                (13, -74),
            ],
            tension=0.7,
        )
        canvas.model(wax, "#e7dcc0", "#fffbee", "#867653", depth=0.3)
        drip = smooth(
            [
                (8 + bend, -188),
                (15 + bend, -170),
                (14 + bend * 0.6, -140),
                (17 + bend * 0.4, -126),
                (10 + bend * 0.4, -128),
                (8 + bend * 0.8, -160),
            ]
        )
        canvas.model(drip, "#efe5cb", "#fffdf4", "#948363", depth=0.3)
        canvas.line([(bend, -192), (bend + 1, -200), (bend + 4, -208)], "#1a120c", 2.6)
        canvas.mark("candle", dish, wax)
        if lit:
            flame(canvas, bend + 3, -206, 1.0)
    return (x + (bend + 4) * size, y - 208 * size)


def flame(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Draw a candle flame and its light."""
    canvas.glow(x, y - 20 * size, 150 * size, "#ffb24a", 0.6)
    shape = smooth(
        [
            (x, y),
            (x - 9 * size, y - 12 * size),
            (x - 5 * size, y - 30 * size),
            (x + 1 * size, y - 46 * size),
            (x + 7 * size, y - 26 * size),
            (x + 9 * size, y - 11 * size),
        ]
    )
    canvas.fill(
        shape,
        radial((x, y - 12 * size), 34 * size, [("#fffbe0", 1), ("#ffd766", 1), ("#ff8a1e", 0.9)]),
        blur=1.2,
    )
    canvas.mark("flame", shape)


def smoke(
    canvas: Canvas, x: float, y: float, rise: float, *, drift: float = 60, ink: str = "#cfd2d4"
) -> None:
    """Draw a thread of smoke that widens and curls as it rises."""
    for strand in range(7):
        points = []
        for i in range(12):
            t = i / 11
            sway = math.sin(t * 6.5 + strand * 0.35) * (6 + 34 * t) + drift * t * t
            points.append((x + sway + strand * 2.4 * t, y - rise * t))
        canvas.line(
            points,
            linear((x, y), (x, y - rise), [(ink, 0.55), (ink, 0.25), (ink, 0)]),
            2 + strand * 1.1,
            0.5,
            blur=1.5 + strand * 0.8,
        )
    canvas.mark("smoke", (x + min(0, drift) - 24, y - rise * 0.8, x + max(0, drift) + 36, y))


def fallen_glass(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Draw a goblet on its side, bowl to the left, with spilt wine. About 190 by 80 at size 1."""
    with canvas.placed(x, y, size, turn=-6):
        canvas.fill(
            smooth([(-118, 24), (-86, 14), (-50, 22), (-40, 34), (-80, 40), (-124, 36)]),
            "#4f0f16",
            0.9,
            blur=1,
        )
        canvas.line([(-112, 27), (-86, 20), (-62, 26)], "#c96a6a", 2, 0.6)
        bowl = smooth([(-84, -34), (-40, -42), (4, -24), (18, 0), (4, 22), (-40, 38), (-84, 30), (-92, 0)])
        _glass(canvas, bowl)
        canvas.line(oval(-86, -2, 9, 32), "#eef4ee", 2, 0.85)
        canvas.fill(smooth([(-76, 14), (-40, 18), (0, 10), (4, 20), (-40, 34), (-80, 28)]), "#6e1620", 0.75)
        canvas.line([(16, 0), (50, 2), (84, 0)], "#dfe9e0", 6, 0.55)
        canvas.line([(16, -2), (50, 0), (84, -2)], "#ffffff", 1.4, 0.8)
        foot = oval(92, 0, 9, 34)
        _glass(canvas, foot)
        canvas.mark("glass", bowl, foot, (-118, 14, -60, 40))


def standing_glass(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Draw a standing roemer, half full. About 80 by 150 at size 1."""
    with canvas.placed(x, y, size):
        foot = oval(0, -4, 34, 8)
        _glass(canvas, foot)
        stem = rect(-13, -52, 13, -6, 6)
        _glass(canvas, stem)
        bowl = smooth([(-26, -52), (-40, -90), (-34, -134), (34, -134), (40, -90), (26, -52)])
        _glass(canvas, bowl)
        with canvas.clipped(bowl):
            canvas.fill(rect(-60, -104, 60, -40), "#c9a13a", 0.75)
            canvas.fill(oval(0, -104, 39, 8), "#efd27a", 0.9)
        canvas.line(oval(0, -134, 34, 7), "#f4faf2", 1.6, 0.9)
        canvas.line([(-28, -120), (-32, -92), (-24, -64)], "#ffffff", 3, 0.7)
        canvas.mark("glass", foot, bowl)


def _glass(canvas: Canvas, shape: object) -> None:
    canvas.fill(shape, "#9fb3a4", 0.28)
    canvas.line(shape, "#e9f2ea", 1.6, 0.7)


def watch(canvas: Canvas, x: float, y: float, size: float, *, bend: float = 1.0, name: str = "watch") -> None:
    """Draw an open pocket watch with a blue ribbon and a key. About 110 by 110 at size 1."""
    with canvas.placed(x, y, size):
        ribbon: list[Point] = [(30, -14), (62, -4), (70, 22), (96, 30), (104, 62), (92, 92)]
        canvas.line(ribbon, "#274a73", 9, 0.95)
        canvas.line([(px - 1, py - 2) for px, py in ribbon], "#6f97c4", 2.5, 0.7)
        lid = smooth([(-34, -28), (-44, -62), (-18, -92), (20, -86), (34, -52), (22, -30)])
        canvas.model(lid, "#a8843a", "#ffeeb0", "#432f0e", depth=0.3)
        case = oval(0, -14, 38, 25 * bend)
        canvas.model(case, "#b58f40", "#ffefb5", "#4a340f", depth=0.25)
        dial = oval(0, -15, 30, 19 * bend)
        canvas.model(dial, "#f3ead2", "#ffffff", "#a8966c", depth=0.2)
        for i in range(12):
            a = i * math.pi / 6
            canvas.line(
                [
                    (25 * math.cos(a), -15 + 16 * bend * math.sin(a)),
                    (28.5 * math.cos(a), -15 + 18 * bend * math.sin(a)),
                ],
                "#2b2014",
                1.6,
            )
        canvas.line([(0, -15), (3, -28 * bend)], "#1a120c", 2)
        canvas.line([(0, -15), (15, -20)], "#1a120c", 2)
        canvas.mark(name, lid, case)


def lemon(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Draw a half-peeled lemon with a hanging curl of rind. About 110 by 130 at size 1."""
    with canvas.placed(x, y, size):
        curl: list[Point] = [
            (34, -34),
            (62, -14),
            (56, 18),
            (28, 26),
            (30, 50),
            (58, 58),
            (62, 84),
            (44, 100),
        ]
        canvas.line(curl, "#d9a81c", 15)
        canvas.line([(px - 3, py - 2) for px, py in curl], "#fff0b4", 6, 0.85)
        canvas.line([(px + 4, py + 1) for px, py in curl], "#a3750c", 2, 0.6)
        body = smooth([(-60, -26), (-44, -54), (-6, -66), (30, -56), (44, -28), (34, 0), (0, 12), (-38, 4)])
        canvas.model(body, "#e3b729", "#fff3a0", "#7d5608", depth=0.3)
        flesh = smooth([(-4, -62), (30, -54), (42, -28), (32, -2), (6, 8), (-4, -26)])
        canvas.model(flesh, "#f5e6a0", "#fffbe0", "#c2a54c", depth=0.2)
        for i in range(5):
            a = -1.2 + i * 0.6
            canvas.line([(6, -28), (6 + 32 * math.cos(a), -28 + 30 * math.sin(a))], "#fffdf0", 1.4, 0.8)
        canvas.fill(oval(-64, -25, 7, 5), "#c9991c")
        canvas.mark("lemon", body, (20, -34, 72, 104))
