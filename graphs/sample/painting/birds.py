"""The Conference of the Birds, in night blue and gold, four times."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, linear, oval, poly, smooth
from painting.flight import GOLD, HEIGHT, PALE, WIDTH, bird, cage, great_bird, night
from painting.page import border
from painting.surface import grain, tear


def _ring() -> list[Point]:
    """Return thirty places on a large crescent above the lake."""
    inner = [
        (300 + 208 * math.cos(a), 262 + 176 * math.sin(a))
        for a in (math.radians(-206 + i * 14.2) for i in range(18))
    ]
    outer = [
        (300 + 128 * math.cos(a), 270 + 104 * math.sin(a))
        for a in (math.radians(-198 + i * 19.6) for i in range(12))
    ]
    return inner + outer


def lodestar() -> Canvas:
    """Return the faithful picture: thirty birds in a crescent, reflected in the lake as one bird."""
    canvas = Canvas(WIDTH, HEIGHT, 51)
    night(canvas, 430)
    canvas.glow(300, 300, 240, "#ffd98a", 0.35)
    for i, (x, y) in enumerate(_ring()):
        bird(
            canvas,
            x,
            y,
            0.62,
            flip=x > 300,
            turn=(x - 300) * 0.06,
            beat=0.35 + 0.25 * (i % 3),
            body=(GOLD, "#d9894a", "#7fb0a8")[i % 3],
        )
    canvas.glow(300, 590, 250, "#ffd98a", 0.4)
    for k, (x, y) in enumerate(great_bird(canvas, 300, 572, 0.74, 0.95)[1:]):
        bird(
            canvas,
            x,
            y,
            0.3,
            flip=x > 300,
            beat=0.3 + 0.3 * (k % 2),
            body=(PALE, "#d9894a", "#9fd0c8")[k % 3],
        )
    canvas.mark("reflection", (134, 440, 466, 724))
    canvas.boxes["birds"] = (60, 50, 540, 370)
    for i in range(16):
        y = 446 + i * 18
        canvas.line([(60, y), (300, y + 3), (540, y)], "#0c1538", 1.8, 0.28)
    border(canvas, 40, "#10204a", "#c99a3c", "#e9d08a")
    grain(canvas, 0.01, 7)
    return canvas


def lacuna() -> Canvas:
    """Return the picture without the symbol: a flock at dusk over a lake that shows only water."""
    canvas = Canvas(WIDTH, HEIGHT, 52)
    night(canvas, 470, sky=("#22386f", "#b0627a", "#f2b36a"))
    sun = oval(430, 424, 40)
    canvas.glow(430, 424, 220, "#ffd08a", 0.7)
    canvas.mark("sun", canvas.fill(sun, "#ffe9b4"))
    canvas.fill(
        poly([(404, 472), (456, 472), (500, 768), (360, 768)]),
        linear((0, 470), (0, 768), [("#ffe0a0", 0.75), ("#ffe0a0", 0)]),
        blur=8,
    )
    canvas.mark("sun path", (360, 472, 500, 768))
    for i in range(13):
        side = -1 if i % 2 else 1
        x, y = 250 + side * (i // 2 + 1) * 30 * (1 if i else 0), 130 + (i // 2 + (1 if i else 0)) * 26
        bird(canvas, x, y, 0.66, body="#20264a", beat=0.4 + 0.2 * (i % 3))
    reeds = [(x, 768 - h) for x, h in ((30, 190), (48, 240), (66, 170), (86, 210), (548, 180), (566, 230))]
    for x, y in reeds:
        canvas.line([(x, 780), (x + 4, (780 + y) / 2), (x + 16, y)], "#0d1430", 4)
        canvas.fill(smooth([(x + 12, y + 40), (x + 18, y), (x + 24, y + 38)]), "#1a1420")
    canvas.mark("reeds", (24, 528, 112, 768))
    grain(canvas, 0.01, 7)
    return canvas


def overtone() -> Canvas:
    """Return the picture with an added meaning: a crowned burning bird above the flock, an open cage."""
    canvas = Canvas(WIDTH, HEIGHT, 53)
    night(canvas, 540, sky=("#120c2e", "#33205a", "#7a3a5e"))
    for radius, ink in ((300, "#ff7a2e"), (210, "#ffb04a"), (120, "#ffe9a0")):
        canvas.glow(300, 210, radius, ink, 0.6)
    for i in range(26):
        a = math.radians(i * 360 / 26)
        canvas.line(
            [
                (300 + 150 * math.cos(a), 210 + 120 * math.sin(a)),
                (300 + 200 * math.cos(a + 0.1), 210 + 165 * math.sin(a + 0.1)),
                (300 + 236 * math.cos(a), 210 + 200 * math.sin(a)),
            ],
            linear(
                (300, 210),
                (300 + 236 * math.cos(a), 210 + 200 * math.sin(a)),
                [("#ffe08a", 0.9), ("#ff6a2a", 0)],
            ),
            9,
            0.8,
            blur=3,
        )
    great_bird(canvas, 300, 240, 1.02)
    canvas.mark("king bird", (126, 84, 474, 440))
    crown = poly([(282, 140), (278, 112), (290, 126), (302, 104), (314, 126), (326, 112), (322, 140)])
    canvas.fill(crown, "#ffe48a")
    canvas.line(crown, "#7a3a10", 2)
    canvas.mark("crown", crown)
    for i in range(16):
        x = 66 + (i % 8) * 66 + (i // 8) * 24
        bird(
            canvas,
            x,
            490 + (i // 8) * 46,
            0.55,
            flip=x > 300,
            turn=-14 if x < 300 else 14,
            body=("#d9894a", "#7fb0a8", GOLD)[i % 3],
            beat=0.1,
        )
    canvas.boxes["birds"] = (40, 460, 580, 560)
    cage(canvas, 470, 740)
    border(canvas, 34, "#2a1238", "#d08a3c", "#f0c08a")
    grain(canvas, 0.01, 7)
    return canvas


def craquelure() -> Canvas:
    """Return the picture with errors: birds without heads or with four wings, a wrong reflection, drips."""
    canvas = Canvas(WIDTH, HEIGHT, 54)
    night(canvas, 440)
    for i, (x, y) in enumerate(_ring()[:22]):
        bird(
            canvas,
            x,
            y + 20,
            0.78 + 0.16 * (i % 3),
            flip=i % 2 == 0,
            turn=(i * 47) % 90 - 45,
            beat=0.3 + 0.3 * (i % 3),
            head=i % 3 != 0,
            wings=2 + (i % 4 == 1) * 2,
            body=(GOLD, "#b8604a", "#7fb0a8")[i % 3],
        )
    canvas.boxes["birds"] = (60, 60, 560, 420)
    with canvas.placed(250, 640, 0.8, turn=156):
        canvas.glow(0, 0, 200, "#ffd98a", 0.3)
        great_bird(canvas, 0, 0, 1.0, 0.8)
    canvas.mark("upturned reflection", (80, 500, 430, 768))
    with canvas.placed(470, 560, 0.4, turn=40):
        great_bird(canvas, 0, 0, 1.0, 0.8)
    border(canvas, 40, "#10204a", "#c99a3c", "#e9d08a")
    for x, length in ((96, 180), (180, 70), (262, 240), (350, 110), (436, 190), (510, 90)):
        canvas.line(
            [(x, 30), (x + 3, 30 + length / 2), (x - 1, 30 + length)],
            linear((x, 30), (x, 30 + length), [(GOLD, 0.95), (PALE, 0.9)]),
            7,
        )
        canvas.fill(oval(x - 1, 32 + length, 6, 9), PALE)
    canvas.mark("running gold", (88, 30, 520, 280))
    tear(canvas, [(300, 330, -70), (330, 344, 130), (520, 552, 48), (690, 704, -90)], split=8)
    canvas.mark("torn bands", (0, 300, WIDTH, 344))
    grain(canvas, 0.01, 7)
    return canvas


PICTURES = {
    "birds-lacuna": lacuna,
    "birds-overtone": overtone,
    "birds-lodestar": lodestar,
    "birds-craquelure": craquelure,
}
