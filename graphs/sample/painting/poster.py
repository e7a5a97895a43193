"""A glacier campaign: the reference picture of a mountain, and four posters made from it."""

from __future__ import annotations

import math

import skia

from painting.canvas import Canvas, Point, linear, oval, poly, rect, smooth
from painting.surface import grain, tear

WIDTH, HEIGHT = 576, 768
OUTLINE: list[Point] = [(-210, 0), (-150, -66), (-112, -92), (-70, -168), (-34, -222), (-8, -300), (14, -322), (34, -306), (40, -262), (66, -214), (78, -160), (124, -98), (152, -62), (214, 0)]
"""The mountain's outline, its hooked summit to the right; foot at the origin, 424 by 322."""


def mountain(canvas: Canvas, x: float, y: float, size: float, *, melt: bool = False, snow: str = "#f7fbff", rock: str = "#5d7fa8", shade: str = "#33507c") -> None:
    """The mountain of the reference picture, standing or with its snow running down."""
    with canvas.placed(x, y, size):
        peak = poly(OUTLINE)
        canvas.fill(peak, linear((-210, 0), (214, -100), [(rock, 1), (shade, 1)]))
        with canvas.clipped(peak):
            canvas.fill(poly([(14, -322), (40, -262), (66, -214), (78, -160), (124, -98), (214, 0), (60, 0), (30, -90), (44, -150), (4, -220)]), shade)
            canvas.fill(poly(_snowline(melt)), snow)
            canvas.fill(poly([(14, -330), (50, -250), (70, -200), (40, -190), (52, -150), (20, -176), (6, -230)]), "#bcd3ea")
            for ridge in ([(-8, -296), (-30, -200), (-64, -120), (-92, -40)], [(20, -300), (22, -210), (8, -130), (26, -50)], [(50, -210), (66, -130), (104, -60)]):
                canvas.line(ridge, "#274062", 1.8, 0.55)
        canvas.mark("mountain", peak)


def _snowline(melt: bool) -> list[Point]:
    low = -104 if melt else -150
    zigzag: list[Point] = [(90, low), (58, low - 34), (36, low + 18), (8, low - 24), (-24, low + 26), (-52, low - 14), (-88, low + 30), (-130, low)]
    return [(-130, -340), (14, -340), (110, -340), *zigzag]


def cone(canvas: Canvas, x: float, y: float, size: float) -> None:
    """A wafer cone, its rim at y and its point below. About 220 by 260 at size 1."""
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


def drips(canvas: Canvas, x: float, y: float, size: float, lengths: list[tuple[float, float]], ink: str = "#f7fbff", *, up: bool = False) -> None:
    """Runs of melt from (x, y), each (offset, length), with a drop at the end."""
    way = -1 if up else 1
    for offset, length in lengths:
        px, py = x + offset * size, y + length * size * way
        run = smooth([(px - 13 * size, y - 6 * way), (px + 13 * size, y - 6 * way), (px + 9 * size, (y + py) / 2), (px + 11 * size, py), (px, py + 12 * size * way), (px - 11 * size, py), (px - 9 * size, (y + py) / 2)])
        canvas.fill(run, ink)
        canvas.line([(px - 5 * size, y + 4 * way), (px - 5 * size, py - 4 * way)], "#ffffff", 2.5 * size, 0.9)
        canvas.mark("drips", run)


def sea(canvas: Canvas, top: float, bottom: float, *, deep: str = "#1f6f9a", light: str = "#4fb3c9") -> None:
    """Bands of flat wave."""
    for k in range(4):
        y = top + k * (bottom - top) / 4
        wave = [(-20.0, bottom), *[(i * WIDTH / 12, y + (9 if (i + k) % 2 else -9)) for i in range(13)], (WIDTH + 20.0, bottom)]
        tone = linear((0, top), (0, bottom), [(light, 1), (deep, 1)])
        canvas.fill(smooth(wave, tension=0.9), tone)
        canvas.line(smooth(wave[1:-1], closed=False), "#e6f7f5", 3, 0.7 - k * 0.12)
    canvas.mark("sea", (0, top - 8, WIDTH, bottom))


def reference() -> Canvas:
    """The reference picture: the mountain alone at first light, as a print in few colours."""
    canvas = Canvas(768, 576, 60)
    canvas.fill(rect(0, 0, 768, 576), linear((0, 0), (0, 460), [("#2f4f86", 1), ("#9a9cc0", 1), ("#f6c9a0", 1)], (0, 0.6, 1)))
    for i in range(4):
        y = 110 + i * 46
        canvas.fill(smooth([(60 + i * 150, y), (150 + i * 130, y - 12), (260 + i * 130, y), (150 + i * 130, y + 7)]), "#fff1de", 0.5)
    far = poly([(-10, 480), (80, 380), (150, 420), (230, 330), (300, 430), (470, 410), (560, 340), (640, 410), (720, 360), (780, 430), (780, 580), (-10, 580)])
    canvas.fill(far, "#7f8fb8")
    mountain(canvas, 384, 500, 1.28, snow="#fff4ea")
    canvas.mark("summit", (384 - 40, 500 - 322 * 1.28, 384 + 90, 500 - 190 * 1.28))
    front = smooth([(-20, 520), (140, 486), (330, 510), (520, 484), (790, 516), (790, 600), (-20, 600)], tension=0.8)
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
    """Literal: a mountain, an ice cream, some drips and a sea, side by side like words in a list."""
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
    """Adds a meaning of its own: a cuffed hand holds the cone, and somebody has already taken a bite."""
    canvas = Canvas(WIDTH, HEIGHT, 62)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 620), [("#ffd9a8", 1), ("#ffb3a0", 1), ("#f58a8a", 1)]))
    for i in range(18):
        a = math.radians(i * 20)
        canvas.fill(poly([(288, 250), (288 + 700 * math.cos(a), 250 + 700 * math.sin(a)), (288 + 700 * math.cos(a + 0.17), 250 + 700 * math.sin(a + 0.17))]), "#fff0d0", 0.28)
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
    _hand(canvas)
    canvas.fill(rect(0, 660, WIDTH, HEIGHT), "#fff6ea")
    canvas.mark("empty band", (0, 660, WIDTH, HEIGHT))
    grain(canvas, 0.01, 6)
    return canvas


def _hand(canvas: Canvas) -> None:
    skin, dark = "#e2a77e", "#9c5f3e"
    sleeve = poly([(400, 600), (520, 486), (600, 560), (600, 680), (470, 670)])
    cuff = poly([(384, 560), (430, 600), (452, 578), (404, 536)])
    palm = smooth([(300, 470), (352, 452), (398, 486), (428, 552), (404, 590), (356, 572), (318, 530)])
    canvas.model(palm, skin, "#ffd9b8", dark, depth=0.2)
    for i in range(4):
        finger = smooth([(238, 446 + i * 27), (290, 438 + i * 26), (340, 450 + i * 24), (338, 474 + i * 24), (288, 464 + i * 26), (242, 468 + i * 26)])
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


def mannerist() -> Canvas:
    """Style without story: a splendid travel poster. Nothing melts; one would like to go there."""
    canvas = Canvas(WIDTH, HEIGHT, 63)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 480), [("#f39a3c", 1), ("#ffd27a", 1), ("#fff0c0", 1)]))
    for i in range(26):
        a = math.radians(-180 + i * 7.2)
        canvas.fill(poly([(300, 420), (300 + 800 * math.cos(a), 420 + 800 * math.sin(a)), (300 + 800 * math.cos(a + 0.062), 420 + 800 * math.sin(a + 0.062))]), "#fff6d6", 0.4)
    mountain(canvas, 296, 470, 1.2, rock="#c46a4a", shade="#5b3a62", snow="#fff8ec")
    canvas.fill(smooth([(-20, 470), (120, 430), (300, 470), (470, 424), (600, 464), (600, 560), (-20, 560)], tension=0.8), "#2f6a5a")
    for x, h in ((30, 92), (74, 120), (120, 84), (470, 96), (516, 130), (556, 90)):
        for k in range(3):
            canvas.fill(poly([(x - 30 + k * 7, 540 - k * h * 0.28), (x, 500 - h * 0.5 - k * h * 0.22), (x + 30 - k * 7, 540 - k * h * 0.28)]), "#1f4a45" if k % 2 else "#2a5d54")
    slope = smooth([(-20, 520), (200, 476), (420, 560), (600, 516), (600, 700), (-20, 700)], tension=0.8)
    canvas.fill(slope, "#fffaf2")
    canvas.mark("pines", (0, 396, 150, 520))
    _skier(canvas, 300, 560)
    canvas.fill(rect(0, 650, WIDTH, HEIGHT), "#b5342e")
    canvas.fill(rect(0, 650, WIDTH, 656), "#fff0c0")
    canvas.mark("red band", (0, 650, WIDTH, HEIGHT))
    grain(canvas, 0.012, 6)
    return canvas


def _skier(canvas: Canvas, x: float, y: float) -> None:
    canvas.line([(x - 200, y + 34), (x - 90, y + 44), (x - 20, y + 26)], "#c9d6e6", 4, 0.9)
    canvas.line([(x - 200, y + 46), (x - 90, y + 56), (x - 14, y + 34)], "#c9d6e6", 4, 0.9)
    for offset in (0, 8):
        canvas.line([(x - 60, y + 26 + offset), (x + 30, y + 22 + offset), (x + 62, y + 8 + offset)], "#6b2a22", 4)
    legs = smooth([(x - 22, y - 18), (x + 6, y - 26), (x + 22, y - 6), (x + 4, y + 22), (x - 8, y + 22), (x - 2, y)])
    canvas.fill(legs, "#23395f")
    torso = smooth([(x - 26, y - 16), (x - 16, y - 44), (x + 18, y - 62), (x + 34, y - 54), (x + 14, y - 22)])
    canvas.fill(torso, "#d8402f")
    canvas.fill(oval(x + 36, y - 70, 11), "#e2a77e")
    canvas.fill(smooth([(x + 24, y - 76), (x + 36, y - 90), (x + 50, y - 78)]), "#23395f")
    canvas.line([(x + 30, y - 66), (x + 8, y - 72), (x - 26, y - 62)], "#ffd27a", 5)
    canvas.line([(x + 24, y - 46), (x + 44, y - 30), (x + 58, y + 12)], "#23395f", 3)
    canvas.mark("skier", legs, torso, (x - 60, y - 90, x + 62, y + 34))


def craquelure() -> Canvas:
    """Breaks: the cone points at the sky, the melt runs upwards, the text that should not be there is no text."""
    canvas = Canvas(WIDTH, HEIGHT, 64)
    canvas.fill(rect(0, 0, WIDTH, HEIGHT), linear((0, 0), (0, 600), [("#7fe0d0", 1), ("#f6f0b0", 1), ("#ffc0d0", 1)]))
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
    """A mark that looks like a letter and is none."""
    for _ in range(3):
        a, b, c = ((x + float(canvas.rng.uniform(-14, 18)), y + float(canvas.rng.uniform(-24, 24))) for _ in range(3))
        canvas.line([a, b, c], "#3a2a5a", 8)


PICTURES = {
    "glacier-reference": reference,
    "glacier-plainhand": plainhand,
    "glacier-overtone": overtone,
    "glacier-mannerist": mannerist,
    "glacier-craquelure": craquelure,
}
