"""The Conference of the Birds, in night blue and gold, four times."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, linear, oval, poly, radial, rect, smooth
from painting.miniature import border
from painting.surface import grain, tear

WIDTH, HEIGHT = 600, 768
GOLD, PALE, DEEP = "#e2b64e", "#fbe7a8", "#9a6a1e"


def bird(canvas: Canvas, x: float, y: float, size: float, *, turn: float = 0, flip: bool = False, body: str = GOLD, beat: float = 0.5, head: bool = True, wings: int = 2) -> None:
    """A flying bird, seen from the side. About 90 by 70 at size 1; `beat` lifts the wings."""
    with canvas.placed(x, y, size, turn=turn, flip=flip):
        lift = 46 * beat
        for k in range(wings):
            far = k % 2
            root = (-2 + 7 * far + 12 * (k // 2), -5)
            tip = (root[0] - 26 + 10 * far, -14 - lift + 9 * far)
            blade = smooth([root, (root[0] - 2, tip[1] * 0.7), tip, (tip[0] - 6, tip[1] + 14), (root[0] - 22, -6), (root[0] - 14, 2)])
            canvas.fill(blade, linear(root, tip, [(body, 1), (PALE if not far else DEEP, 1)]))
            canvas.line(blade, "#5d3d10", 0.9, 0.8)
            for j in range(3):
                canvas.line([(root[0] - 6 - j * 4, -4), (tip[0] + 2 - j * 1.5, tip[1] + 5 + j * 5)], "#5d3d10", 0.7, 0.6)
        for j in (-1, 0, 1):
            canvas.fill(smooth([(-16, 0), (-36, -3 + j * 7), (-46, j * 10), (-34, 3 + j * 6)]), body if j else PALE)
        trunk = smooth([(-20, 0), (-6, -8), (10, -8), (18, -3), (8, 6), (-8, 6)])
        canvas.fill(trunk, linear((0, -8), (0, 8), [(PALE, 1), (body, 1), (DEEP, 1)]))
        if head:
            canvas.fill(oval(19, -8, 7, 6.5), body)
            canvas.fill(poly([(25, -9), (33, -6), (25, -5)]), "#c4572e")
            canvas.fill(oval(21, -9, 1.4), "#1a1024")
            canvas.line([(16, -14), (13, -20), (11, -22)], PALE, 1.6)
        canvas.mark("birds", (-46, -60 * beat - 16, 34, 12))


def night(canvas: Canvas, shore: float, *, sky: tuple[str, str, str] = ("#0c1538", "#1d2f6b", "#3c5590")) -> None:
    """A night sky with gold flecks, far hills and a lake below `shore`."""
    canvas.fill(rect(0, 0, WIDTH, shore), linear((0, 0), (0, shore), [(c, 1) for c in sky]))
    for _ in range(150):
        x, y = float(canvas.rng.uniform(0, WIDTH)), float(canvas.rng.uniform(0, shore - 60))
        canvas.fill(oval(x, y, float(canvas.rng.uniform(0.6, 1.9))), PALE, float(canvas.rng.uniform(0.4, 1)))
    canvas.fill(rect(0, shore, WIDTH, HEIGHT), linear((0, shore), (0, HEIGHT), [("#33508c", 1), ("#142457", 1), ("#0a1233", 1)]))
    canvas.mark("lake", (0, shore, WIDTH, HEIGHT))
    for k, tone in enumerate(("#2b3f78", "#1c2d5e")):
        top = shore - 70 + k * 34
        hills = [(-20.0, shore), *[(i * WIDTH / 8, top + 26 * math.sin(i * 2.1 + k)) for i in range(9)], (WIDTH + 20.0, shore)]
        canvas.fill(smooth(hills, tension=0.9), tone)
        canvas.line(smooth(hills[1:-1], closed=False), GOLD, 1.6, 0.6)
    for i in range(9):
        y = shore + 8 + i * i * 2.4
        canvas.line([(40 + 20 * math.sin(i), y), (WIDTH / 2, y + 2), (WIDTH - 40, y - 1)], "#6f8cc4", 1.1, 0.35)


def great_bird(canvas: Canvas, x: float, y: float, size: float, alpha: float = 1.0) -> list[Point]:
    """The Simurgh: a long-tailed bird with spread wings, about 440 by 300 at size 1; returns its thirty tips."""
    tips: list[Point] = [(x + 8 * size, y - 84 * size)]
    with canvas.placed(x, y, size):
        for side in (-1, 1):
            for i in range(11):
                a = math.radians(-8 - i * 12)
                far = 215 - abs(i - 4) * 12
                end = (side * far * math.cos(a), far * math.sin(a) * 0.8)
                tips.append((x + end[0] * size, y + end[1] * size))
                feather = smooth([(side * 12, -6), (end[0] * 0.55 - side * 4, end[1] * 0.55 - 12), end, (end[0] * 0.6 + side * 5, end[1] * 0.6 + 10)])
                canvas.fill(feather, linear((0, 0), end, [(DEEP, alpha), (GOLD, alpha), (PALE, alpha)]))
                canvas.line(feather, "#5d3d10", 0.9, 0.6 * alpha)
        for i in range(7):
            drift = (i - 3) * 26
            tips.append((x + (drift * 1.1 + 14) * size, y + 188 * size))
            canvas.line([(0, 30), (drift * 0.5, 90), (drift * 1.3, 150 + 12 * math.cos(i)), (drift * 1.1 + 14, 186)], linear((0, 30), (0, 190), [(GOLD, alpha), ("#c4572e", alpha), (PALE, alpha)]), 5)
            canvas.fill(oval(drift * 1.1 + 14, 188, 6), "#2f8a8a", alpha)
        body = smooth([(-22, -30), (0, -48), (22, -30), (20, 20), (0, 44), (-20, 20)])
        canvas.fill(body, linear((0, -48), (0, 44), [(PALE, alpha), (GOLD, alpha), (DEEP, alpha)]))
        canvas.fill(smooth([(-10, -44), (-8, -78), (6, -92), (18, -84), (12, -66), (12, -44)]), GOLD, alpha)
        canvas.fill(poly([(17, -86), (36, -78), (17, -76)]), "#c4572e", alpha)
        canvas.fill(oval(8, -82, 2.6), "#1a1024", alpha)
        for i in range(3):
            canvas.line([(2 - i * 4, -90), (-8 - i * 8, -112), (-22 - i * 8, -116 + i * 6)], "#c4572e", 2.6, alpha)
    return tips


def _ring() -> list[Point]:
    """Thirty places on a great crescent above the lake."""
    inner = [(300 + 208 * math.cos(a), 262 + 176 * math.sin(a)) for a in (math.radians(-206 + i * 14.2) for i in range(18))]
    outer = [(300 + 128 * math.cos(a), 270 + 104 * math.sin(a)) for a in (math.radians(-198 + i * 19.6) for i in range(12))]
    return inner + outer


def lodestar() -> Canvas:
    """Strong: thirty birds in a crescent, and in the lake below one bird made of them."""
    canvas = Canvas(WIDTH, HEIGHT, 51)
    night(canvas, 430)
    canvas.glow(300, 300, 240, "#ffd98a", 0.35)
    for i, (x, y) in enumerate(_ring()):
        bird(canvas, x, y, 0.62, flip=x > 300, turn=(x - 300) * 0.06, beat=0.35 + 0.25 * (i % 3), body=(GOLD, "#d9894a", "#7fb0a8")[i % 3])
    canvas.glow(300, 590, 250, "#ffd98a", 0.4)
    for k, (x, y) in enumerate(great_bird(canvas, 300, 572, 0.74, 0.95)[1:]):
        bird(canvas, x, y, 0.3, flip=x > 300, beat=0.3 + 0.3 * (k % 2), body=(PALE, "#d9894a", "#9fd0c8")[k % 3])
    canvas.mark("reflection", (134, 440, 466, 724))
    canvas.boxes["birds"] = (60, 50, 540, 370)
    for i in range(16):
        y = 446 + i * 18
        canvas.line([(60, y), (300, y + 3), (540, y)], "#0c1538", 1.8, 0.28)
    border(canvas, 40, "#10204a", "#c99a3c", "#e9d08a")
    grain(canvas, 0.01, 7)
    return canvas


def lacuna() -> Canvas:
    """Loses the symbol: a fine flock at dusk over a lake that shows only water."""
    canvas = Canvas(WIDTH, HEIGHT, 52)
    night(canvas, 470, sky=("#22386f", "#b0627a", "#f2b36a"))
    sun = oval(430, 424, 40)
    canvas.glow(430, 424, 220, "#ffd08a", 0.7)
    canvas.mark("sun", canvas.fill(sun, "#ffe9b4"))
    canvas.fill(poly([(404, 472), (456, 472), (500, 768), (360, 768)]), linear((0, 470), (0, 768), [("#ffe0a0", 0.75), ("#ffe0a0", 0)]), blur=8)
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
    """Adds a meaning of its own: a crowned king bird on fire above the flock, and an open cage below."""
    canvas = Canvas(WIDTH, HEIGHT, 53)
    night(canvas, 540, sky=("#120c2e", "#33205a", "#7a3a5e"))
    for radius, ink in ((300, "#ff7a2e"), (210, "#ffb04a"), (120, "#ffe9a0")):
        canvas.glow(300, 210, radius, ink, 0.6)
    for i in range(26):
        a = math.radians(i * 360 / 26)
        canvas.line([(300 + 150 * math.cos(a), 210 + 120 * math.sin(a)), (300 + 200 * math.cos(a + 0.1), 210 + 165 * math.sin(a + 0.1)), (300 + 236 * math.cos(a), 210 + 200 * math.sin(a))], linear((300, 210), (300 + 236 * math.cos(a), 210 + 200 * math.sin(a)), [("#ffe08a", 0.9), ("#ff6a2a", 0)]), 9, 0.8, blur=3)
    great_bird(canvas, 300, 240, 1.02)
    canvas.mark("king bird", (80, 110, 520, 436))
    crown = poly([(282, 140), (278, 112), (290, 126), (302, 104), (314, 126), (326, 112), (322, 140)])
    canvas.fill(crown, "#ffe48a")
    canvas.line(crown, "#7a3a10", 2)
    canvas.mark("crown", crown)
    for i in range(16):
        x = 66 + (i % 8) * 66 + (i // 8) * 24
        bird(canvas, x, 490 + (i // 8) * 46, 0.55, flip=x > 300, turn=-14 if x < 300 else 14, body=("#d9894a", "#7fb0a8", GOLD)[i % 3], beat=0.1)
    canvas.boxes["birds"] = (40, 460, 580, 560)
    _cage(canvas, 470, 740)
    border(canvas, 34, "#2a1238", "#d08a3c", "#f0c08a")
    grain(canvas, 0.01, 7)
    return canvas


def _cage(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill(oval(x, y - 6, 56, 9), "#8a6a2c")
    for i in range(-3, 4):
        canvas.line([(x + i * 16, y - 8), (x + i * 16, y - 84), (x + i * 6, y - 112), (x, y - 122)], "#e2b64e", 2.4)
    canvas.line(oval(x, y - 124, 7), "#e2b64e", 2.4)
    door = poly([(x - 58, y - 20), (x - 88, y - 30), (x - 88, y - 78), (x - 58, y - 72)])
    canvas.line(door, "#e2b64e", 3)
    for i in range(1, 3):
        canvas.line([(x - 58 - i * 10, y - 22 - i * 3), (x - 58 - i * 10, y - 73 - i * 2)], "#e2b64e", 1.8)
    canvas.mark("open cage", (x - 90, y - 132, x + 58, y + 4))


def craquelure() -> Canvas:
    """Breaks: birds without heads or with four wings, a reflection that answers nothing, gold that runs."""
    canvas = Canvas(WIDTH, HEIGHT, 54)
    night(canvas, 440)
    for i, (x, y) in enumerate(_ring()[:22]):
        bird(canvas, x, y + 20, 0.78 + 0.16 * (i % 3), flip=i % 2 == 0, turn=(i * 47) % 90 - 45, beat=0.3 + 0.3 * (i % 3), head=i % 3 != 0, wings=2 + (i % 4 == 1) * 2, body=(GOLD, "#b8604a", "#7fb0a8")[i % 3])
    canvas.boxes["birds"] = (60, 60, 560, 420)
    with canvas.placed(250, 640, 0.8, turn=156):
        canvas.glow(0, 0, 200, "#ffd98a", 0.3)
        great_bird(canvas, 0, 0, 1.0, 0.8)
    canvas.mark("upturned reflection", (80, 500, 430, 768))
    with canvas.placed(470, 560, 0.4, turn=40):
        great_bird(canvas, 0, 0, 1.0, 0.8)
    border(canvas, 40, "#10204a", "#c99a3c", "#e9d08a")
    for x, length in ((96, 180), (180, 70), (262, 240), (350, 110), (436, 190), (510, 90)):
        canvas.line([(x, 30), (x + 3, 30 + length / 2), (x - 1, 30 + length)], linear((x, 30), (x, 30 + length), [(GOLD, 0.95), (PALE, 0.9)]), 7)
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
