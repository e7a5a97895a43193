"""A glacier campaign: the reference picture of a mountain, and four posters made from it."""

from __future__ import annotations

import math

import skia

from painting.canvas import Canvas, linear, oval, poly, rect, smooth
from painting.peaks import cone, drips, hand, mountain, sea, skier
from painting.surface import grain, tear

WIDTH, HEIGHT = 576, 768


def reference() -> Canvas:
    """Return the reference picture: the mountain at first light, as a print in few colours."""
    canvas = Canvas(768, 576, 60)
    canvas.fill(
        rect(0, 0, 768, 576),
        linear((0, 0), (0, 460), [("#2f4f86", 1), ("#9a9cc0", 1), ("#f6c9a0", 1)], (0, 0.6, 1)),
    )
    for i in range(4):
        y = 110 + i * 46
        canvas.fill(
            smooth([(60 + i * 150, y), (150 + i * 130, y - 12), (260 + i * 130, y), (150 + i * 130, y + 7)]),
            "#fff1de",
            0.5,
        )
    far = poly(
        [
            (-10, 480),
            (80, 380),
            (150, 420),
            (230, 330),
            (300, 430),
            (470, 410),
            (560, 340),
            (640, 410),
            (720, 360),
            (780, 430),
            (780, 580),
            (-10, 580),
        ]
    )
    canvas.fill(far, "#7f8fb8")
    mountain(canvas, 384, 500, 1.28, snow="#fff4ea")
    canvas.mark("summit", (384 - 40, 500 - 322 * 1.28, 384 + 90, 500 - 190 * 1.28))
    front = smooth(
        [(-20, 520), (140, 486), (330, 510), (520, 484), (790, 516), (790, 600), (-20, 600)], tension=0.8
    )
    canvas.fill(front, "#23395f")
    for i in range(26):
        x = i * 31 + (i % 3) * 6
        h = 30 + (i * 13) % 26
        canvas.fill(poly([(x, 530), (x + 9, 530 - h), (x + 18, 530)]), "#182a49")
    canvas.fill(rect(0, 528, 768, 576), "#182a49")
    canvas.mark("forest", (0, 470, 768, 576))
    grain(canvas, 0.012, 5)
    return canvas


def plainhand() -> Canvas:
    """Return the literal poster: a mountain, an ice cream, drips and a sea, side by side."""
    canvas = Canvas(WIDTH, HEIGHT, 61)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 500), [("#8fd3f0", 1), ("#e6f6fa", 1)]))
    canvas.fill(oval(490, 96, 46), "#ffe27a")
    canvas.mark("sun", oval(490, 96, 46))
    mountain(canvas, 206, 500, 0.94)
    cone(canvas, 436, 330, 0.62)
    scoop = canvas.model(oval(436, 286, 66, 60), "#fff3e2", "#ffffff", "#d9b8a0", depth=0.3)
    canvas.mark("ice cream", scoop)
    drips(canvas, 436, 322, 0.6, [(-84, 50), (-34, 92), (30, 60), (78, 110)], "#fff3e2")
    sea(canvas, 500, 614)
    canvas.fill(rect(0, 614, WIDTH, HEIGHT), "#ffffff")
    canvas.mark("empty band", (0, 614, WIDTH, HEIGHT))
    grain(canvas, 0.01, 6)
    return canvas


def overtone() -> Canvas:
    """Return the poster with an added meaning: a hand in a cuff holds the cone, which has been bitten."""
    canvas = Canvas(WIDTH, HEIGHT, 62)
    canvas.fill(
        rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 620), [("#ffd9a8", 1), ("#ffb3a0", 1), ("#f58a8a", 1)])
    )
    for i in range(18):
        a = math.radians(i * 20)
        canvas.fill(
            poly(
                [
                    (288, 250),
                    (288 + 700 * math.cos(a), 250 + 700 * math.sin(a)),
                    (288 + 700 * math.cos(a + 0.17), 250 + 700 * math.sin(a + 0.17)),
                ]
            ),
            "#fff0d0",
            0.28,
        )
    sea(canvas, 560, 660, deep="#1c5f8a", light="#47a8bf")
    cone(canvas, 288, 330, 0.98)
    teeth = [(402, 196, 34), (384, 226, 30), (356, 196, 27), (350, 236, 24), (380, 262, 20)]
    canvas.sk.save()
    for x, y, r in teeth:
        canvas.sk.clipPath(oval(x - 26, y - 12, r), skia.ClipOp.kDifference, True)
    mountain(canvas, 288, 336, 0.72, melt=True)
    canvas.sk.restore()
    canvas.mark("bite", (300, 160, 410, 272))
    drips(canvas, 288, 330, 0.9, [(-120, 70), (-74, 128), (-26, 60), (40, 110), (84, 60), (124, 150)])
    hand(canvas)
    canvas.fill(rect(0, 660, WIDTH, HEIGHT), "#fff6ea")
    canvas.mark("empty band", (0, 660, WIDTH, HEIGHT))
    grain(canvas, 0.01, 6)
    return canvas


def mannerist() -> Canvas:
    """Return the poster without the story: a travel poster on which nothing melts."""
    canvas = Canvas(WIDTH, HEIGHT, 63)
    canvas.fill(
        rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 480), [("#f39a3c", 1), ("#ffd27a", 1), ("#fff0c0", 1)])
    )
    for i in range(26):
        a = math.radians(-180 + i * 7.2)
        canvas.fill(
            poly(
                [
                    (300, 420),
                    (300 + 800 * math.cos(a), 420 + 800 * math.sin(a)),
                    (300 + 800 * math.cos(a + 0.062), 420 + 800 * math.sin(a + 0.062)),
                ]
            ),
            "#fff6d6",
            0.4,
        )
    mountain(canvas, 296, 470, 1.2, rock="#c46a4a", shade="#5b3a62", snow="#fff8ec")
    canvas.fill(
        smooth(
            [(-20, 470), (120, 430), (300, 470), (470, 424), (600, 464), (600, 560), (-20, 560)], tension=0.8
        ),
        "#2f6a5a",
    )
    for x, h in ((30, 92), (74, 120), (120, 84), (470, 96), (516, 130), (556, 90)):
        for k in range(3):
            canvas.fill(
                poly(
                    [
                        (x - 30 + k * 7, 540 - k * h * 0.28),
                        (x, 500 - h * 0.5 - k * h * 0.22),
                        (x + 30 - k * 7, 540 - k * h * 0.28),
                    ]
                ),
                "#1f4a45" if k % 2 else "#2a5d54",
            )
    slope = smooth([(-20, 520), (200, 476), (420, 560), (600, 516), (600, 700), (-20, 700)], tension=0.8)
    canvas.fill(slope, "#fffaf2")
    canvas.mark("pines", (0, 396, 150, 520))
    skier(canvas, 300, 560)
    canvas.fill(rect(0, 650, WIDTH, HEIGHT), "#b5342e")
    canvas.fill(rect(0, 650, WIDTH, 656), "#fff0c0")
    canvas.mark("red band", (0, 650, WIDTH, HEIGHT))
    grain(canvas, 0.012, 6)
    return canvas


def craquelure() -> Canvas:
    """Return the poster with errors: the cone points up, the melt runs up, the lettering is unreadable."""
    canvas = Canvas(WIDTH, HEIGHT, 64)
    canvas.fill(
        rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 600), [("#7fe0d0", 1), ("#f6f0b0", 1), ("#ffc0d0", 1)])
    )
    with canvas.placed(288, 250, 1, turn=180):
        cone(canvas, 0, 0, 0.8)
    mountain(canvas, 300, 560, 0.98, melt=True, rock="#8a6fb0", shade="#4a3f86")
    mountain(canvas, 214, 560, 0.6, melt=True, rock="#b06f9a", shade="#7a3f76")
    drips(canvas, 288, 262, 0.9, [(-96, 70), (-40, 130), (20, 80), (84, 150)], up=True)
    sea(canvas, 540, 640, deep="#5a3f9a", light="#7fb3e9")
    with canvas.placed(470, 420, 0.36, turn=24):
        cone(canvas, 0, 0, 1)
    canvas.fill(rect(0, 640, WIDTH, HEIGHT), "#fff9e8")
    for i in range(9):
        _nonletter(canvas, 50 + i * 54, 704)
    canvas.mark("false lettering", (40, 676, 540, 734))
    tear(canvas, [(60, 96, 40), (180, 236, -52), (236, 252, 110), (430, 476, 38)], split=9)
    canvas.mark("torn bands", (0, 180, WIDTH, 252))
    grain(canvas, 0.01, 6)
    return canvas


def _nonletter(canvas: Canvas, x: float, y: float) -> None:
    """Draw a shape that resembles a letter."""
    for _ in range(3):
        a, b, c = (
            (x + float(canvas.rng.uniform(-14, 18)), y + float(canvas.rng.uniform(-24, 24))) for _ in range(3)
        )
        canvas.line([a, b, c], "#3a2a5a", 8)


PICTURES = {
    "glacier-reference": reference,
    "glacier-plainhand": plainhand,
    "glacier-overtone": overtone,
    "glacier-mannerist": mannerist,
    "glacier-craquelure": craquelure,
}
