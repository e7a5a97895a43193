"""Listening to rain, in ink wash, four times."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, oval, poly, rect, smooth
from painting.ink import InkPaper, seal

WIDTH, HEIGHT = 540, 768


def _leaf(paper: InkPaper, base: Point, tip: Point, width: float, sag: float, strength: float) -> None:
    """One plantain leaf: a broad blade with a pale rib and torn sides, its tip bent by its own weight."""
    (x0, y0), (x1, y1) = base, tip
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2 - sag
    spine = [((1 - t) ** 2 * x0 + 2 * t * (1 - t) * cx + t * t * x1, (1 - t) ** 2 * y0 + 2 * t * (1 - t) * cy + t * t * y1) for t in (i / 12 for i in range(13))]
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
                sheet.line([(x + sign * normals[i][0] * 6, y + sign * normals[i][1] * 6), side[i]], "#ffffff", 2.2 if (i * 7 + sign) % 5 == 0 else 0.9, 0.75)
        sheet.line(spine, "#ffffff", 4, 0.8)

    paper.wash(draw, strength, bleed=1.2, rim=0.7, granulate=0.3, wander=1.5)
    paper.strokes([(spine, 3.2)], strength * 0.5)
    paper.top.mark("plantain", smooth(sides[0] + sides[1][::-1]))


def _listener(paper: InkPaper, x: float, y: float, size: float, *, facing: int = 1) -> None:
    """An old man seated on the ground, head bent to one side. His seat is at (x, y); about 110 by 130 at size 1."""

    def at(points: list[Point]) -> list[Point]:
        return [(x + facing * px * size, y + py * size) for px, py in points]

    robe = at([(-14, -88), (-40, -66), (-50, -24), (-58, 0), (-10, 8), (52, 4), (58, -10), (34, -26), (24, -64), (8, -86)])
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
    paper.strokes([(head[:1] + head, 2.2 * size), (at([(14, -110), (21, -103), (17, -99)]), 2 * size)], 0.8, taper=0.3)
    paper.strokes([(at([(7, -108), (12, -106), (15, -108)]), 1.8 * size), (at([(6, -113), (11, -115), (16, -113)]), 1.6 * size)], 0.9)
    beard = [(at([(10 + i * 2, -92), (13 + i * 2, -78), (10 + i * 3, -62 - 3 * i)]), 1.6 * size) for i in range(4)]
    paper.strokes(beard, 0.45)
    hair = [(at([(-15 + i, -106 - i * 3), (-18 + i, -98), (-14 + i, -88)]), 2 * size) for i in range(4)]
    paper.strokes(hair, 0.4)
    paper.wash(oval(*at([(-8, -126)])[0], 6 * size), 0.7, bleed=1, wander=0.5)
    paper.top.mark("listener", smooth(robe), oval(*at([(2, -108)])[0], 20 * size, 24 * size))


def _eaves(paper: InkPaper, points: list[Point], posts: list[tuple[Point, Point]]) -> None:
    """The edge of a thatched roof, and what holds it up."""
    paper.wash(smooth(points, tension=0.7), 0.42, bleed=2, rim=0.8, wander=3)
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    low = max(p[1] for p in points)
    straw = []
    for i in range(46):
        x = left + (right - left) * i / 45 + float(paper.rng.normal(0, 3))
        straw.append(([(x - 10, low - 48 + float(paper.rng.normal(0, 8))), (x - 3, low - 18), (x, low + float(paper.rng.normal(3, 5)))], 2.6))
    paper.strokes(straw, 0.55, dry=0.25)
    paper.strokes([([a, ((a[0] + b[0]) / 2 + 1, (a[1] + b[1]) / 2), b], 9) for a, b in posts], 0.85, dry=0.2, taper=0.15)
    paper.top.mark("eaves", smooth(points))


def lodestar() -> Canvas:
    """Strong: no drop is drawn; the bent head, the bowed leaves and the rings in the basin are the rain."""
    paper = InkPaper(WIDTH, HEIGHT, 21)
    paper.wash(rect(-40, 640, 600, 800), 0.12, bleed=30, wander=14)
    paper.wash(smooth([(560, 80), (420, 170), (360, 330), (430, 520), (580, 620)]), 0.22, bleed=36, wander=20)
    _leaf(paper, (452, 600), (300, 300), 96, 150, 0.34)
    _leaf(paper, (456, 600), (545, 250), 104, 60, 0.5)
    _leaf(paper, (450, 610), (318, 452), 92, 150, 0.85)
    _leaf(paper, (462, 610), (560, 470), 88, 100, 0.95)
    paper.strokes([([(452, 740), (448, 670), (455, 590)], 24), ([(468, 742), (462, 680), (458, 600)], 14)], 0.75, dry=0.3, taper=0.25)
    _eaves(paper, [(-20, 378), (60, 340), (160, 352), (262, 396), (250, 420), (120, 410), (-20, 426)], [((232, 410), (230, 668))])
    paper.strokes([([(-10, 664), (120, 660), (262, 666)], 7), ([(-10, 688), (130, 684), (268, 690)], 4)], 0.8, dry=0.25, taper=0.2)
    _listener(paper, 118, 654, 1.22)
    paper.wash(smooth([(270, 722), (316, 704), (364, 722), (352, 748), (316, 756), (282, 748)]), 0.5, bleed=2, rim=0.8, wander=2)
    paper.lift(oval(317, 722, 38, 10), 0.85, 2)
    paper.strokes([([(317 + r * math.cos(t / 8 * math.pi), 722 + r * 0.27 * math.sin(t / 8 * math.pi)) for t in range(17)], 1.6) for r in (7, 16, 27)], 0.7, taper=0.2)
    paper.top.mark("basin", (268, 700, 366, 757))
    paper.top.mark("rings", (284, 708, 350, 736))
    paper.top.mark("empty sky", (20, 20, 380, 300))
    seal(paper.top, 40, 710, 26)
    return paper.finish()


def lacuna() -> Canvas:
    """Loses the symbol: mountains, a bridge, a walker under an umbrella, and a great deal of visible rain."""
    paper = InkPaper(WIDTH, HEIGHT, 22, paper="#e9e4d6")
    ranges: list[tuple[list[Point], float]] = [
        ([(-20, 330), (70, 200), (130, 250), (220, 110), (300, 230), (380, 160), (470, 270), (560, 220), (560, 420), (-20, 420)], 0.2),
        ([(-20, 420), (60, 330), (150, 380), (230, 290), (330, 400), (560, 380), (560, 500), (-20, 500)], 0.34),
        ([(300, 470), (390, 330), (450, 260), (500, 330), (560, 300), (560, 560), (300, 540)], 0.55),
    ]
    for points, strength in ranges:
        paper.wash(poly(points), strength, bleed=2.5, rim=0.9, wander=5)
    paper.top.mark("mountains", (0, 100, 540, 500))
    paper.lift(smooth([(-40, 430), (200, 400), (560, 450), (560, 530), (200, 490), (-40, 520)]), 0.85, 16)
    pines = []
    for x, y, h in ((428, 380, 60), (460, 360, 76), (492, 390, 58), (398, 420, 46)):
        pines.append(([(x, y), (x + 2, y - h / 2), (x, y - h)], 4.0))
        for k in range(5):
            w = (5 - k) * 5
            pines.append(([(x - w, y - h * (0.25 + k * 0.15)), (x, y - h * (0.33 + k * 0.15)), (x + w, y - h * (0.25 + k * 0.15))], 5.0))
    paper.strokes(pines, 0.8, dry=0.2)
    paper.top.mark("pines", (375, 284, 520, 420))
    bridge = [([(60, 612), (190, 560), (330, 606)], 9.0), ([(60, 640), (190, 590), (330, 634)], 6.0)]
    bridge += [([(100 + i * 38, 606 - 40 * math.sin((i + 1) / 7 * math.pi)), (100 + i * 38, 650)], 4.5) for i in range(6)]
    paper.strokes(bridge, 0.85, dry=0.15, taper=0.3)
    paper.top.mark("bridge", (58, 556, 334, 652))
    paper.wash(rect(-20, 660, 560, 790), 0.25, bleed=8, wander=8)
    _walker(paper)
    hut = [([(392, 560), (446, 520), (510, 556)], 9.0), ([(404, 558), (404, 612)], 5.0), ([(498, 556), (498, 612)], 5.0), ([(396, 612), (508, 612)], 4.0)]
    paper.strokes(hut, 0.8, dry=0.2, taper=0.4)
    paper.top.mark("hut", (386, 514, 514, 616))
    rain = []
    for _ in range(210):
        x, y, length = (float(v) for v in (paper.rng.uniform(-20, 560), paper.rng.uniform(-10, 740), paper.rng.uniform(28, 74)))
        rain.append(([(x, y), (x - length * 0.13, y + length / 2), (x - length * 0.27, y + length)], 1.8))
    paper.strokes(rain, 0.42, taper=0.4)
    paper.top.mark("rain streaks", (0, 0, 540, 768))
    return paper.finish()


def _walker(paper: InkPaper) -> None:
    coat = smooth([(196, 510), (182, 540), (176, 576), (214, 580), (222, 540), (210, 510)])
    paper.wash(coat, 0.75, bleed=1.2, wander=1)
    shade = smooth([(148, 506), (164, 470), (202, 454), (240, 470), (256, 506), (202, 496)])
    paper.wash(shade, 0.8, bleed=1, rim=0.8, wander=1)
    paper.strokes([([(203, 456), (205, 520)], 3.0), ([(190, 576), (188, 592)], 4.5), ([(208, 578), (212, 590)], 4.5)], 0.9)
    paper.top.mark("walker", coat, (176, 500, 222, 594))
    paper.top.mark("umbrella", shade)


def overtone() -> Canvas:
    """Adds a meaning of its own: a second cup, an empty cushion, a red lantern: somebody has not come."""
    paper = InkPaper(WIDTH, HEIGHT, 23, paper="#e8dcc4")
    paper.wash(rect(-20, -20, 560, 420), 0.6, bleed=40, wander=26)
    paper.wash(rect(360, -20, 560, 560), 0.45, bleed=40, wander=20)
    paper.lift(oval(268, 300, 128), 0.75, 46)
    _leaf(paper, (520, 560), (380, 330), 84, 110, 0.8)
    _leaf(paper, (524, 560), (548, 250), 90, 50, 0.7)
    _leaf(paper, (520, 566), (392, 470), 74, 110, 0.95)
    _eaves(paper, [(-20, 120), (120, 96), (330, 120), (468, 190), (452, 214), (300, 170), (120, 156), (-20, 170)], [((58, 150), (60, 690)), ((424, 196), (420, 690))])
    paper.strokes([([(-10, 690), (200, 684), (470, 692)], 9), ([(-10, 716), (220, 712), (480, 720)], 5)], 0.8, dry=0.25, taper=0.2)
    _listener(paper, 132, 680, 1.15)
    paper.strokes([([(206, 650), (262, 646), (318, 650)], 7), ([(216, 652), (216, 684)], 5), ([(308, 652), (308, 684)], 5)], 0.9, taper=0.2)
    for x, name in ((236, "first cup"), (290, "second cup")):
        cup = smooth([(x - 11, 628), (x + 11, 628), (x + 8, 645), (x - 8, 645)], tension=0.5)
        paper.lift(cup, 0.9, 1)
        paper.strokes([([(x - 11, 628), (x, 631), (x + 11, 628)], 2.4), ([(x - 11, 628), (x - 8, 645), (x + 8, 645), (x + 11, 628)], 2.4)], 0.9, taper=0.2)
        paper.top.mark(name, cup, pad=3)
    paper.strokes([([(290, 622), (284, 606), (294, 590), (286, 570)], 3)], 0.3)
    cushion = smooth([(336, 676), (352, 662), (396, 662), (412, 676), (396, 688), (352, 688)])
    paper.wash(cushion, 0.5, bleed=1.5, rim=0.8, wander=1)
    paper.top.mark("empty cushion", cushion, pad=3)
    canvas = paper.finish()
    _lantern(canvas, 268, 292)
    seal(canvas, 470, 716, 26)
    return canvas


def _lantern(canvas: Canvas, x: float, y: float) -> None:
    canvas.glow(x, y, 210, "#ff9a4a", 0.5)
    canvas.line([(x, y - 128), (x, y - 50)], "#2a1a14", 2)
    body = smooth([(x - 20, y - 46), (x + 20, y - 46), (x + 44, y), (x + 20, y + 46), (x - 20, y + 46), (x - 44, y)])
    canvas.model(body, "#c63a24", "#ffb45e", "#6e140f", sun=(0, 0.2), depth=0.3)
    for i in (-24, -9, 9, 24):
        canvas.line([(x + i * 0.5, y - 45), (x + i * 1.3, y), (x + i * 0.5, y + 45)], "#7c1a12", 1.6, 0.7)
    for top in (-52, 44):
        canvas.fill(rect(x - 20, y + top, x + 20, y + top + 8, 2), "#2a1612")
    for i in range(-2, 3):
        canvas.line([(x + i * 3, y + 52), (x + i * 4, y + 84)], "#a32c1e", 2)
    canvas.mark("lantern", body, (x - 20, y - 54, x + 20, y + 84))


def mannerist() -> Canvas:
    """Style without story: bravura bamboo, a rock, a sparrow and a column of brushmarks. No one, and no rain."""
    paper = InkPaper(WIDTH, HEIGHT, 24, paper="#f1e7cf")
    for x, lean, width, strength in ((150, 30, 26, 0.75), (236, -16, 17, 0.42), (92, 12, 13, 0.28)):
        segments = []
        for k in range(6):
            y = 790 - k * 140
            segments.append(([(x + lean * k / 3, y), (x + lean * (k + 0.5) / 3, y - 66), (x + lean * (k + 1) / 3, y - 130)], float(width)))
        paper.strokes(segments, strength, dry=0.5, taper=0.12)
        joints = [([(x + lean * k / 3 - width * 0.7, 793 - k * 140), (x + lean * k / 3, 786 - k * 140), (x + lean * k / 3 + width * 0.7, 793 - k * 140)], 4.5) for k in range(6)]
        paper.strokes(joints, strength + 0.25)
    leaves = []
    for cx, cy, spread in ((206, 210, 8), (300, 300, 9), (170, 388, 7), (330, 160, 7), (270, 470, 6)):
        for k in range(spread):
            angle = 0.25 + k * 0.34 + float(paper.rng.normal(0, 0.1))
            far = float(paper.rng.uniform(70, 130))
            leaves.append(([(cx, cy), (cx + math.cos(angle) * far * 0.5, cy + math.sin(angle) * far * 0.42), (cx + math.cos(angle) * far, cy + math.sin(angle) * far)], 17.0))
    paper.strokes(leaves[::2], 1.2, taper=0.95)
    paper.strokes(leaves[1::2], 0.6, dry=0.35, taper=0.95)
    paper.top.mark("bamboo", (60, 0, 440, 768))
    rock = smooth([(250, 790), (270, 680), (340, 620), (420, 640), (500, 600), (560, 680), (560, 800)])
    paper.wash(rock, 0.45, bleed=4, rim=0.9, granulate=0.5, wander=8)
    paper.strokes([([(280, 700), (330, 650), (420, 660), (500, 622)], 22), ([(300, 760), (380, 700), (470, 720)], 26)], 0.8, dry=0.75)
    paper.top.mark("rock", (250, 600, 540, 768))
    _sparrow(paper, 420, 606)
    column: list[tuple[list[Point], float]] = []
    for k in range(5):
        for _ in range(5):
            x, y, dx, dy = (float(paper.rng.uniform(*span)) for span in ((464, 492), (82 + k * 60, 116 + k * 60), (-16, 24), (-6, 26)))
            column.append(([(x, y), (x + dx / 2 + 3, y + dy / 2 - 2), (x + dx, y + dy)], float(paper.rng.uniform(3, 7))))
    paper.strokes(column, 1.0, dry=0.2)
    paper.top.mark("brushmarks", (456, 70, 518, 376))
    seal(paper.top, 472, 396, 28)
    return paper.finish()


def _sparrow(paper: InkPaper, x: float, y: float) -> None:
    body = smooth([(x - 34, y + 6), (x - 10, y - 18), (x + 16, y - 22), (x + 26, y - 8), (x + 12, y + 10), (x - 12, y + 14)])
    paper.wash(body, 0.55, bleed=1.5, rim=0.5, wander=1)
    paper.strokes([([(x - 28, y + 4), (x - 50, y + 16), (x - 64, y + 14)], 8), ([(x - 20, y - 4), (x, y + 4), (x - 34, y + 10)], 8), ([(x + 26, y - 14), (x + 36, y - 11)], 5)], 1.1)
    paper.strokes([([(x - 2, y + 12), (x, y + 26)], 2.2), ([(x + 6, y + 10), (x + 9, y + 25)], 2.2), ([(x + 16, y - 15), (x + 18, y - 14)], 3.5)], 1.3)
    paper.top.mark("sparrow", body, (x - 64, y - 22, x + 36, y + 26))


PICTURES = {
    "rain-lacuna": lacuna,
    "rain-overtone": overtone,
    "rain-lodestar": lodestar,
    "rain-mannerist": mannerist,
}
