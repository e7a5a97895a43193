"""Shapes of a court miniature: elephant, blind men, trees."""

from __future__ import annotations

import math
from collections.abc import Sequence

from painting.canvas import Canvas, Point, oval, smooth

LINE = "#2a1a1c"


def tapered(points: list[Point], start: float, end: float) -> list[Point]:
    """Return the outline of a tube along the points that becomes narrower."""
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        length = math.hypot(bx - ax, by - ay) or 1
        half = (start + (end - start) * i / (len(points) - 1)) / 2
        left.append((x - (by - ay) / length * half, y + (bx - ax) / length * half))
        right.append((x + (by - ay) / length * half, y - (bx - ax) / length * half))
    return left + right[::-1]


def elephant(
    canvas: Canvas, x: float, y: float, size: float, *, hide: str = "#7d8596", trunks: int = 1, legs: int = 4
) -> None:
    """Draw an elephant facing left, feet at (x, y). About 490 by 340 at size 1."""
    light, dark = "#b6bccb", "#474d5f"
    with canvas.placed(x, y, size):
        tail = [(220, -255), (246, -200), (250, -140), (240, -96)]
        canvas.line(tail, LINE, 12)
        canvas.line(tail, hide, 9)
        tuft = smooth([(240, -100), (252, -84), (246, -56), (232, -60), (232, -88)])
        canvas.fill(tuft, LINE)
        canvas.mark("tail", (226, -260, 258, -56))
        stances = [(-118, 1), (172, 1), (-62, 0), (112, 0), (26, 0), (66, 1), (-4, 1)][:legs]
        for left, far in sorted(stances, key=lambda s: -s[1]):
            leg = smooth(
                [
                    (left - 28, -170),
                    (left + 34, -170),
                    (left + 30, -70),
                    (left + 33, 0),
                    (left - 27, 0),
                    (left - 24, -70),
                ],
                tension=0.7,
            )
            canvas.model(leg, "#666d80" if far else hide, light, dark, depth=0.18)
            canvas.line(leg, LINE, 2)
            for toe in range(3):
                canvas.fill(
                    smooth(
                        [(left - 24 + toe * 19, 0), (left - 16 + toe * 19, -11), (left - 7 + toe * 19, 0)]
                    ),
                    "#efe6d2",
                )
        canvas.mark("leg", (-90, -150, -26, 0))
        body = smooth(
            [
                (-100, -292),
                (0, -322),
                (120, -312),
                (204, -262),
                (226, -180),
                (206, -112),
                (100, -92),
                (-40, -96),
                (-110, -130),
                (-130, -220),
            ]
        )
        canvas.model(body, hide, light, dark, depth=0.16)
        canvas.line(body, LINE, 2.4)
        canvas.mark("flank", (-20, -300, 200, -110))
        for turn in range(trunks):
            lift = turn * 62
            trunk = tapered(
                [
                    (-190, -250),
                    (-224, -190 - lift * 0.3),
                    (-240, -120 - lift),
                    (-232, -60 - lift * 1.5),
                    (-238, -24 - lift * 2),
                    (-262, -14 - lift * 2.2),
                ],
                66,
                20,
            )
            canvas.model(smooth(trunk), hide, light, dark, depth=0.16)
            canvas.line(smooth(trunk), LINE, 2.2)
            canvas.mark("trunk", smooth(trunk))
        head = smooth(
            [
                (-96, -300),
                (-132, -334),
                (-172, -328),
                (-206, -280),
                (-212, -226),
                (-180, -176),
                (-120, -172),
                (-84, -220),
            ]
        )
        canvas.model(head, hide, light, dark, depth=0.2)
        canvas.line(
            smooth([(-96, -300), (-132, -334), (-172, -328), (-206, -280), (-214, -240)], closed=False),
            LINE,
            2.2,
        )
        tusk = smooth(
            [(-188, -190), (-222, -160), (-262, -158), (-286, -164), (-256, -140), (-206, -142), (-176, -170)]
        )
        canvas.model(tusk, "#f1e6c8", "#fffdf2", "#a58f5c", depth=0.25)
        canvas.line(tusk, LINE, 1.8)
        canvas.mark("tusk", tusk)
        ear = smooth(
            [(-116, -306), (-62, -300), (-34, -240), (-56, -168), (-88, -150), (-104, -190), (-132, -240)]
        )
        canvas.model(ear, "#8d8a98", "#c9c2cc", "#5a5263", depth=0.2)
        canvas.line(ear, LINE, 2)
        canvas.mark("ear", ear)
        canvas.fill(smooth([(-186, -268), (-174, -278), (-160, -268), (-174, -262)]), "#fffaf0")
        canvas.fill(oval(-174, -269, 4.5), "#1a1014")
        canvas.line([(-190, -276), (-174, -286), (-156, -276)], LINE, 2)
        canvas.mark("elephant", body, head, tusk, (-262, -334, 258, 0))


def blind_man(
    canvas: Canvas,
    x: float,
    y: float,
    reach: Point,
    robe: str,
    turban: str,
    *,
    size: float = 1.0,
    name: str = "",
    arms: int = 1,
) -> None:
    """Draw a man with closed eyes at (x, y), his hand on `reach`. About 60 by 130 at size 1."""
    side = 1 if reach[0] >= x else -1

    def at(points: Sequence[Point]) -> list[Point]:
        return [(x + side * px * size, y + py * size) for px, py in points]

    canvas.line(at([(-24, 2), (-20, -84)]), "#6b4526", 3.2 * size)
    for foot in ([(-12, 0), (2, -4), (6, 1)], [(6, 0), (20, -4), (24, 1)]):
        canvas.line(at(foot), "#7a4a30", 4 * size)
    gown = smooth(at([(-12, -88), (12, -90), (18, -56), (26, -8), (0, -3), (-24, -8), (-18, -52)]))
    canvas.model(gown, robe, "#fff4dc", "#2d1420", depth=0.16)
    canvas.line(gown, LINE, 1.4)
    canvas.line(at([(-17, -56), (0, -52), (18, -56)]), "#f1d27a", 4 * size)
    for fold in ((-8, -12), (2, -4), (12, 16)):
        canvas.line(at([(fold[0] * 0.6, -50), (fold[1], -8)]), LINE, 1, 0.5)
    shoulder = at([(6, -82)])[0]
    for arm in range(arms):
        lift = arm * 22 * size
        elbow = ((shoulder[0] + reach[0]) / 2, (shoulder[1] + reach[1]) / 2 + 12 * size - lift)
        hand = (reach[0], reach[1] - lift * 1.2)
        canvas.line([shoulder, elbow, hand], LINE, 9.5 * size)
        canvas.line([shoulder, elbow], robe, 8 * size)
        canvas.line([elbow, hand], "#a8714c", 6.5 * size)
        canvas.fill(oval(*hand, 5 * size), "#a8714c")
    face = smooth(
        at([(-9, -104), (-4, -118), (10, -116), (15, -105), (17, -100), (12, -92), (2, -88), (-8, -92)])
    )
    canvas.model(face, "#b07a52", "#dfae82", "#6b4128", depth=0.3)
    canvas.line(face, LINE, 1.2)
    canvas.line(at([(4, -105), (9, -103), (13, -105)]), LINE, 1.6 * size)
    canvas.fill(smooth(at([(2, -94), (14, -95), (12, -82), (4, -84)])), "#ece6da")
    wrap = smooth(at([(-14, -108), (-12, -124), (2, -132), (14, -124), (15, -113), (2, -116)]))
    canvas.model(wrap, turban, "#fff6e0", "#3a1a1a", depth=0.25)
    canvas.line(wrap, LINE, 1.2)
    canvas.line(at([(-12, -114), (2, -122), (13, -116)]), "#fff6e0", 1.4, 0.8)
    hand = (reach[0], reach[1])
    body = (
        min(x - 26 * size, hand[0] - 4),
        min(y - 132 * size, hand[1] - 4),
        max(x + 26 * size, hand[0] + 4),
        y + 2,
    )
    canvas.mark(name or "man", body)
    canvas.mark("men", body)


def tree(
    canvas: Canvas, x: float, y: float, size: float, leaf: str = "#3f6a3c", *, blossom: str = ""
) -> None:
    """Draw a round tree with many leaves."""
    with canvas.placed(x, y, size):
        canvas.line([(0, 0), (3, -40), (-2, -84)], "#5d3d2a", 10)
        crown = smooth([(-52, -80), (-44, -128), (0, -152), (46, -128), (54, -84), (20, -62), (-24, -62)])
        canvas.fill(crown, "#24402a")
        for _ in range(90):
            a, r = float(canvas.rng.uniform(0, 6.28)), float(canvas.rng.uniform(0, 1)) ** 0.5
            px, py = 48 * r * math.cos(a), -106 + 42 * r * math.sin(a)
            with canvas.placed(px, py, 1, turn=math.degrees(a)):
                canvas.fill(oval(0, 0, 7, 3), leaf if canvas.rng.random() < 0.7 else "#6f9a55")
        for _ in range(16 if blossom else 0):
            a, r = float(canvas.rng.uniform(0, 6.28)), float(canvas.rng.uniform(0, 1)) ** 0.5
            canvas.fill(oval(46 * r * math.cos(a), -106 + 40 * r * math.sin(a), 3.4), blossom)
        canvas.mark("trees", crown)
