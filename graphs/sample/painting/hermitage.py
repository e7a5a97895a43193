"""Shapes of the hermitage in ink: plantain leaves, eaves, a listener, a walker, a lantern, a sparrow."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, oval, rect, smooth
from painting.ink import InkPaper


def plantain_leaf(
    paper: InkPaper, base: Point, tip: Point, width: float, sag: float, strength: float
) -> None:
    """Draw a plantain leaf: a broad blade with a pale rib and torn sides, bent at the tip."""
    (x0, y0), (x1, y1) = base, tip
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2 - sag
    spine = [
        (
            (1 - t) ** 2 * x0 + 2 * t * (1 - t) * cx + t * t * x1,
            (1 - t) ** 2 * y0 + 2 * t * (1 - t) * cy + t * t * y1,
        )
        for t in (i / 12 for i in range(13))
    ]
    sides: tuple[list[Point], list[Point]] = ([], [])
    normals: list[Point] = []
    for i, (x, y) in enumerate(spine):
        a, b = spine[max(i - 1, 0)], spine[min(i + 1, 12)]
        length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1
        nx, ny = -(b[1] - a[1]) / length, (b[0] - a[0]) / length
        half = width * math.sin(math.pi * min(1, (i + 0.6) / 12.6)) ** 0.7 / 2
        normals.append((nx, ny))
        sides[0].append((x + nx * half, y + ny * half))
        sides[1].append((x - nx * half, y - ny * half))

    def draw(sheet: Canvas) -> None:
        sheet.fill(smooth(sides[0] + sides[1][::-1]), "#000000")
        for i in range(2, 12):
            for side, sign in ((sides[0], 1), (sides[1], -1)):
                x, y = spine[i - 1]
                sheet.line(
                    [(x + sign * normals[i][0] * 6, y + sign * normals[i][1] * 6), side[i]],
                    "#ffffff",
                    2.2 if (i * 7 + sign) % 5 == 0 else 0.9,
                    0.75,
                )
        sheet.line(spine, "#ffffff", 4, 0.8)

    paper.wash(draw, strength, bleed=1.2, rim=0.7, granulate=0.3, wander=1.5)
    paper.strokes([(spine, 3.2)], strength * 0.5)
    paper.top.mark("plantain", smooth(sides[0] + sides[1][::-1]))


def listener(paper: InkPaper, x: float, y: float, size: float, *, facing: int = 1) -> None:
    """Draw an old man seated at (x, y), head bent to one side. About 110 by 130 at size 1."""

    def at(points: list[Point]) -> list[Point]:
        return [(x + facing * px * size, y + py * size) for px, py in points]

    robe = at(
        [
            (-14, -88),
            (-40, -66),
            (-50, -24),
            (-58, 0),
            (-10, 8),
            (52, 4),
            (58, -10),
            (34, -26),
            (24, -64),
            (8, -86),
        ]
    )
    paper.lift(smooth(robe), 0.9, 2)
    paper.lift(oval(*at([(2, -106)])[0], 22 * size), 0.9, 2)
    paper.wash(smooth(robe), 0.22, bleed=1.5, rim=0.6, wander=1)
    shade = at([(-14, -84), (-40, -60), (-50, -20), (-56, 0), (-30, 4), (-26, -40)])
    paper.wash(smooth(shade), 0.4, bleed=4, wander=1)
    outline = [
        (at([(-12, -88), (-38, -68), (-50, -26), (-60, 0)]), 4.5 * size),
        (at([(-60, 0), (-14, 9), (40, 6), (60, -4)]), 4 * size),
        (at([(8, -86), (24, -66), (34, -30), (58, -10)]), 3.6 * size),
        (at([(-6, -84), (4, -56), (-8, -30)]), 2.6 * size),
        (at([(20, -62), (8, -42), (22, -26), (40, -22)]), 3 * size),
        (at([(-30, -14), (4, -10), (30, -2)]), 2.4 * size),
    ]
    paper.strokes(outline, 0.95, taper=0.7)
    head = at([(-16, -104), (-8, -122), (8, -124), (17, -112), (18, -100), (10, -90), (-6, -88)])
    paper.strokes(
        [(head[:1] + head, 2.2 * size), (at([(14, -110), (21, -103), (17, -99)]), 2 * size)], 0.8, taper=0.3
    )
    paper.strokes(
        [
            (at([(7, -108), (12, -106), (15, -108)]), 1.8 * size),
            (at([(6, -113), (11, -115), (16, -113)]), 1.6 * size),
        ],
        0.9,
    )
    beard = [
        (at([(10 + i * 2, -92), (13 + i * 2, -78), (10 + i * 3, -62 - 3 * i)]), 1.6 * size) for i in range(4)
    ]
    paper.strokes(beard, 0.45)
    hair = [(at([(-15 + i, -106 - i * 3), (-18 + i, -98), (-14 + i, -88)]), 2 * size) for i in range(4)]
    paper.strokes(hair, 0.4)
    paper.wash(oval(*at([(-8, -126)])[0], 6 * size), 0.7, bleed=1, wander=0.5)
    paper.top.mark("listener", smooth(robe), oval(*at([(2, -108)])[0], 20 * size, 24 * size))


def eaves(paper: InkPaper, points: list[Point], posts: list[tuple[Point, Point]]) -> None:
    """Draw the edge of a thatched roof and its supports."""
    paper.wash(smooth(points, tension=0.7), 0.42, bleed=2, rim=0.8, wander=3)
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low = max(p[1] for p in points)
    straw = []
    for i in range(46):
        x = left + (right - left) * i / 45 + float(paper.rng.normal(0, 3))
        straw.append(
            (
                [
                    (x - 10, low - 48 + float(paper.rng.normal(0, 8))),
                    (x - 3, low - 18),
                    (x, low + float(paper.rng.normal(3, 5))),
                ],
                2.6,
            )
        )
    paper.strokes(straw, 0.55, dry=0.25)
    paper.strokes(
        [([a, ((a[0] + b[0]) / 2 + 1, (a[1] + b[1]) / 2), b], 9) for a, b in posts], 0.85, dry=0.2, taper=0.15
    )
    paper.top.mark("eaves", smooth(points))


def walker(paper: InkPaper) -> None:
    coat = smooth([(196, 510), (182, 540), (176, 576), (214, 580), (222, 540), (210, 510)])
    paper.wash(coat, 0.75, bleed=1.2, wander=1)
    shade = smooth([(148, 506), (164, 470), (202, 454), (240, 470), (256, 506), (202, 496)])
    paper.wash(shade, 0.8, bleed=1, rim=0.8, wander=1)
    paper.strokes(
        [([(203, 456), (205, 520)], 3.0), ([(190, 576), (188, 592)], 4.5), ([(208, 578), (212, 590)], 4.5)],
        0.9,
    )
    paper.top.mark("walker", coat, (176, 500, 222, 594))
    paper.top.mark("umbrella", shade)


def lantern(canvas: Canvas, x: float, y: float) -> None:
    canvas.glow(x, y, 210, "#ff9a4a", 0.5)
    canvas.line([(x, y - 128), (x, y - 50)], "#2a1a14", 2)
    body = smooth(
        [(x - 20, y - 46), (x + 20, y - 46), (x + 44, y), (x + 20, y + 46), (x - 20, y + 46), (x - 44, y)]
    )
    canvas.model(body, "#c63a24", "#ffb45e", "#6e140f", sun=(0, 0.2), depth=0.3)
    for i in (-24, -9, 9, 24):
        canvas.line([(x + i * 0.5, y - 45), (x + i * 1.3, y), (x + i * 0.5, y + 45)], "#7c1a12", 1.6, 0.7)
    for top in (-52, 44):
        canvas.fill(rect(x - 20, y + top, x + 20, y + top + 8, 2), "#2a1612")
    for i in range(-2, 3):
        canvas.line([(x + i * 3, y + 52), (x + i * 4, y + 84)], "#a32c1e", 2)
    canvas.mark("lantern", body, (x - 20, y - 54, x + 20, y + 84))


def sparrow(paper: InkPaper, x: float, y: float) -> None:
    body = smooth(
        [
            (x - 34, y + 6),
            (x - 10, y - 18),
            (x + 16, y - 22),
            (x + 26, y - 8),
            (x + 12, y + 10),
            (x - 12, y + 14),
        ]
    )
    paper.wash(body, 0.55, bleed=1.5, rim=0.5, wander=1)
    paper.strokes(
        [
            ([(x - 28, y + 4), (x - 50, y + 16), (x - 64, y + 14)], 8),
            ([(x - 20, y - 4), (x, y + 4), (x - 34, y + 10)], 8),
            ([(x + 26, y - 14), (x + 36, y - 11)], 5),
        ],
        1.1,
    )
    paper.strokes(
        [
            ([(x - 2, y + 12), (x, y + 26)], 2.2),
            ([(x + 6, y + 10), (x + 9, y + 25)], 2.2),
            ([(x + 16, y - 15), (x + 18, y - 14)], 3.5),
        ],
        1.3,
    )
    paper.top.mark("sparrow", body, (x - 64, y - 22, x + 36, y + 26))
