"""Listening to rain, in ink wash, four times."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, oval, poly, rect, smooth
from painting.hermitage import eaves, lantern, listener, plantain_leaf, sparrow, walker
from painting.ink import InkPaper, seal

WIDTH, HEIGHT = 540, 768


def lodestar() -> Canvas:
    """Return the faithful picture: no drop is drawn; the bent head, leaves and rings show the rain."""
    paper = InkPaper(WIDTH, HEIGHT, 21)
    paper.wash(rect(-40, 640, 600, 800), 0.12, bleed=30, wander=14)
    paper.wash(smooth([(560, 80), (420, 170), (360, 330), (430, 520), (580, 620)]), 0.22, bleed=36, wander=20)
    plantain_leaf(paper, (452, 600), (300, 300), 96, 150, 0.34)
    plantain_leaf(paper, (456, 600), (545, 250), 104, 60, 0.5)
    plantain_leaf(paper, (450, 610), (318, 452), 92, 150, 0.85)
    plantain_leaf(paper, (462, 610), (560, 470), 88, 100, 0.95)
    paper.strokes(
        [([(452, 740), (448, 670), (455, 590)], 24), ([(468, 742), (462, 680), (458, 600)], 14)],
        0.75,
        dry=0.3,
        taper=0.25,
    )
    eaves(
        paper,
        [(-20, 378), (60, 340), (160, 352), (262, 396), (250, 420), (120, 410), (-20, 426)],
        [((232, 410), (230, 668))],
    )
    paper.strokes(
        [([(-10, 664), (120, 660), (262, 666)], 7), ([(-10, 688), (130, 684), (268, 690)], 4)],
        0.8,
        dry=0.25,
        taper=0.2,
    )
    listener(paper, 118, 654, 1.22)
    paper.wash(
        smooth([(270, 722), (316, 704), (364, 722), (352, 748), (316, 756), (282, 748)]),
        0.5,
        bleed=2,
        rim=0.8,
        wander=2,
    )
    paper.lift(oval(317, 722, 38, 10), 0.85, 2)
    paper.strokes(
        [
            (
                [
                    (317 + r * math.cos(t / 8 * math.pi), 722 + r * 0.27 * math.sin(t / 8 * math.pi))
                    for t in range(17)
                ],
                1.6,
            )
            for r in (7, 16, 27)
        ],
        0.7,
        taper=0.2,
    )
    paper.top.mark("basin", (268, 700, 366, 757))
    paper.top.mark("rings", (284, 708, 350, 736))
    paper.top.mark("empty sky", (20, 20, 380, 300))
    seal(paper.top, 40, 710, 26)
    return paper.finish()


def lacuna() -> Canvas:
    """Return the picture without the symbol: mountains, a bridge, a walker with an umbrella, visible rain."""
    paper = InkPaper(WIDTH, HEIGHT, 22, paper="#e9e4d6")
    ranges: list[tuple[list[Point], float]] = [
        (
            [
                (-20, 330),
                (70, 200),
                (130, 250),
                (220, 110),
                (300, 230),
                (380, 160),
                (470, 270),
                (560, 220),
                (560, 420),
                (-20, 420),
            ],
            0.2,
        ),
        (
            [(-20, 420), (60, 330), (150, 380), (230, 290), (330, 400), (560, 380), (560, 500), (-20, 500)],
            0.34,
        ),
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
            pines.append(
                (
                    [
                        (x - w, y - h * (0.25 + k * 0.15)),
                        (x, y - h * (0.33 + k * 0.15)),
                        (x + w, y - h * (0.25 + k * 0.15)),
                    ],
                    5.0,
                )
            )
    paper.strokes(pines, 0.8, dry=0.2)
    paper.top.mark("pines", (375, 284, 520, 420))
    bridge: list[tuple[list[Point], float]] = [
        ([(60, 612), (190, 560), (330, 606)], 9.0),
        ([(60, 640), (190, 590), (330, 634)], 6.0),
    ]
    bridge += [
        ([(100 + i * 38, 606 - 40 * math.sin((i + 1) / 7 * math.pi)), (100 + i * 38, 650)], 4.5)
        for i in range(6)
    ]
    paper.strokes(bridge, 0.85, dry=0.15, taper=0.3)
    paper.top.mark("bridge", (58, 556, 334, 652))
    paper.wash(rect(-20, 660, 560, 790), 0.25, bleed=8, wander=8)
    walker(paper)
    hut = [
        ([(392, 560), (446, 520), (510, 556)], 9.0),
        ([(404, 558), (404, 612)], 5.0),
        ([(498, 556), (498, 612)], 5.0),
        ([(396, 612), (508, 612)], 4.0),
    ]
    paper.strokes(hut, 0.8, dry=0.2, taper=0.4)
    paper.top.mark("hut", (386, 514, 514, 616))
    rain: list[tuple[list[Point], float]] = []
    for _ in range(210):
        left, top, length = (
            float(v)
            for v in (paper.rng.uniform(-20, 560), paper.rng.uniform(-10, 740), paper.rng.uniform(28, 74))
        )
        fall = [
            (left - length * share, top + length * down) for share, down in ((0, 0), (0.13, 0.5), (0.27, 1))
        ]
        rain.append((fall, 1.8))
    paper.strokes(rain, 0.42, taper=0.4)
    paper.top.mark("rain streaks", (0, 0, 540, 768))
    return paper.finish()


def overtone() -> Canvas:
    """Return the picture with an added meaning: a second cup, an empty cushion and a red lantern."""
    paper = InkPaper(WIDTH, HEIGHT, 23, paper="#e8dcc4")
    paper.wash(rect(-20, -20, 560, 420), 0.6, bleed=40, wander=26)
    paper.wash(rect(360, -20, 560, 560), 0.45, bleed=40, wander=20)
    paper.lift(oval(268, 300, 128), 0.75, 46)
    plantain_leaf(paper, (520, 560), (380, 330), 84, 110, 0.8)
    plantain_leaf(paper, (524, 560), (548, 250), 90, 50, 0.7)
    plantain_leaf(paper, (520, 566), (392, 470), 74, 110, 0.95)
    eaves(
        paper,
        [(-20, 120), (120, 96), (330, 120), (468, 190), (452, 214), (300, 170), (120, 156), (-20, 170)],
        [((58, 150), (60, 690)), ((424, 196), (420, 690))],
    )
    paper.strokes(
        [([(-10, 690), (200, 684), (470, 692)], 9), ([(-10, 716), (220, 712), (480, 720)], 5)],
        0.8,
        dry=0.25,
        taper=0.2,
    )
    listener(paper, 132, 680, 1.15)
    paper.strokes(
        [
            ([(206, 650), (262, 646), (318, 650)], 7),
            ([(216, 652), (216, 684)], 5),
            ([(308, 652), (308, 684)], 5),
        ],
        0.9,
        taper=0.2,
    )
    for x, name in ((236, "first cup"), (290, "second cup")):
        cup = smooth([(x - 11, 628), (x + 11, 628), (x + 8, 645), (x - 8, 645)], tension=0.5)
        paper.lift(cup, 0.9, 1)
        paper.strokes(
            [
                ([(x - 11, 628), (x, 631), (x + 11, 628)], 2.4),
                ([(x - 11, 628), (x - 8, 645), (x + 8, 645), (x + 11, 628)], 2.4),
            ],
            0.9,
            taper=0.2,
        )
        paper.top.mark(name, cup, pad=3)
    paper.strokes([([(290, 622), (284, 606), (294, 590), (286, 570)], 3)], 0.3)
    cushion = smooth([(336, 676), (352, 662), (396, 662), (412, 676), (396, 688), (352, 688)])
    paper.wash(cushion, 0.5, bleed=1.5, rim=0.8, wander=1)
    paper.top.mark("empty cushion", cushion, pad=3)
    canvas = paper.finish()
    lantern(canvas, 268, 292)
    seal(canvas, 470, 716, 26)
    return canvas


def mannerist() -> Canvas:
    """Return the picture without the story: bamboo, a rock, a sparrow, brush marks; no listener, no rain."""
    paper = InkPaper(WIDTH, HEIGHT, 24, paper="#f1e7cf")
    for x, lean, width, strength in ((150, 30, 26, 0.75), (236, -16, 17, 0.42), (92, 12, 13, 0.28)):
        segments = []
        for k in range(6):
            y = 790 - k * 140
            segments.append(
                (
                    [
                        (x + lean * k / 3, y),
                        (x + lean * (k + 0.5) / 3, y - 66),
                        (x + lean * (k + 1) / 3, y - 130),
                    ],
                    float(width),
                )
            )
        paper.strokes(segments, strength, dry=0.5, taper=0.12)
        joints = [
            (
                [
                    (x + lean * k / 3 - width * 0.7, 793 - k * 140),
                    (x + lean * k / 3, 786 - k * 140),
                    (x + lean * k / 3 + width * 0.7, 793 - k * 140),
                ],
                4.5,
            )
            for k in range(6)
        ]
        paper.strokes(joints, strength + 0.25)
    leaves = []
    for cx, cy, spread in ((206, 210, 8), (300, 300, 9), (170, 388, 7), (330, 160, 7), (270, 470, 6)):
        for k in range(spread):
            angle = 0.25 + k * 0.34 + float(paper.rng.normal(0, 0.1))
            far = float(paper.rng.uniform(70, 130))
            leaves.append(
                (
                    [
                        (cx, cy),
                        (cx + math.cos(angle) * far * 0.5, cy + math.sin(angle) * far * 0.42),
                        (cx + math.cos(angle) * far, cy + math.sin(angle) * far),
                    ],
                    17.0,
                )
            )
    paper.strokes(leaves[::2], 1.2, taper=0.95)
    paper.strokes(leaves[1::2], 0.6, dry=0.35, taper=0.95)
    paper.top.mark("bamboo", (60, 0, 440, 768))
    rock = smooth([(250, 790), (270, 680), (340, 620), (420, 640), (500, 600), (560, 680), (560, 800)])
    paper.wash(rock, 0.45, bleed=4, rim=0.9, granulate=0.5, wander=8)
    paper.strokes(
        [([(280, 700), (330, 650), (420, 660), (500, 622)], 22), ([(300, 760), (380, 700), (470, 720)], 26)],
        0.8,
        dry=0.75,
    )
    paper.top.mark("rock", (250, 600, 540, 768))
    sparrow(paper, 420, 606)
    column: list[tuple[list[Point], float]] = []
    for k in range(5):
        for _ in range(5):
            left, top, dx, dy = (
                float(paper.rng.uniform(*span))
                for span in ((464, 492), (82 + k * 60, 116 + k * 60), (-16, 24), (-6, 26))
            )
            pull = [(left, top), (left + dx / 2 + 3, top + dy / 2 - 2), (left + dx, top + dy)]
            column.append((pull, float(paper.rng.uniform(3, 7))))
    paper.strokes(column, 1.0, dry=0.2)
    paper.top.mark("brushmarks", (454, 76, 498, 380))
    seal(paper.top, 472, 396, 28)
    return paper.finish()


PICTURES = {
    "rain-lacuna": lacuna,
    "rain-overtone": overtone,
    "rain-lodestar": lodestar,
    "rain-mannerist": mannerist,
}
