"""Birds in flight, the Simurgh, a night over a lake, a cage."""

from __future__ import annotations

import math

from painting.canvas import Canvas, Point, linear, oval, poly, rect, smooth

WIDTH, HEIGHT = 600, 768
GOLD, PALE, DEEP = "#e2b64e", "#fbe7a8", "#9a6a1e"


def bird(
    canvas: Canvas,
    x: float,
    y: float,
    size: float,
    *,
    turn: float = 0,
    flip: bool = False,
    body: str = GOLD,
    beat: float = 0.5,
    head: bool = True,
    wings: int = 2,
) -> None:
    """Draw a flying bird, seen from the side. About 90 by 70 at size 1; `beat` lifts the wings."""
    with canvas.placed(x, y, size, turn=turn, flip=flip):
        lift = 46 * beat
        for k in range(wings):
            far = k % 2
            root = (-2 + 7 * far + 12 * (k // 2), -5)
            tip = (root[0] - 26 + 10 * far, -14 - lift + 9 * far)
            blade = smooth(
                [
                    root,
                    (root[0] - 2, tip[1] * 0.7),
                    tip,
                    (tip[0] - 6, tip[1] + 14),
                    (root[0] - 22, -6),
                    (root[0] - 14, 2),
                ]
            )
            canvas.fill(blade, linear(root, tip, [(body, 1), (PALE if not far else DEEP, 1)]))
            canvas.line(blade, "#5d3d10", 0.9, 0.8)
            for j in range(3):
                canvas.line(
                    [(root[0] - 6 - j * 4, -4), (tip[0] + 2 - j * 1.5, tip[1] + 5 + j * 5)],
                    "#5d3d10",
                    0.7,
                    0.6,
                )
        for j in (-1, 0, 1):
            canvas.fill(
                smooth([(-16, 0), (-36, -3 + j * 7), (-46, j * 10), (-34, 3 + j * 6)]), body if j else PALE
            )
        trunk = smooth([(-20, 0), (-6, -8), (10, -8), (18, -3), (8, 6), (-8, 6)])
        canvas.fill(trunk, linear((0, -8), (0, 8), [(PALE, 1), (body, 1), (DEEP, 1)]))
        if head:
            canvas.fill(oval(19, -8, 7, 6.5), body)
            canvas.fill(poly([(25, -9), (33, -6), (25, -5)]), "#c4572e")
            canvas.fill(oval(21, -9, 1.4), "#1a1024")
            canvas.line([(16, -14), (13, -20), (11, -22)], PALE, 1.6)
        canvas.mark("birds", (-46, -60 * beat - 16, 34, 12))


def night(
    canvas: Canvas, shore: float, *, sky: tuple[str, str, str] = ("#0c1538", "#1d2f6b", "#3c5590")
) -> None:
    """Draw a night sky with gold flecks, far hills and a lake below `shore`."""
    canvas.fill(rect(0, 0, WIDTH, shore), linear((0, 0), (0, shore), [(c, 1) for c in sky]))
    for _ in range(150):
        x, y = float(canvas.rng.uniform(0, WIDTH)), float(canvas.rng.uniform(0, shore - 60))
        canvas.fill(oval(x, y, float(canvas.rng.uniform(0.6, 1.9))), PALE, float(canvas.rng.uniform(0.4, 1)))
    canvas.fill(
        rect(0, shore, WIDTH, HEIGHT),
        linear((0, shore), (0, HEIGHT), [("#33508c", 1), ("#142457", 1), ("#0a1233", 1)]),
    )
    canvas.mark("lake", (0, shore, WIDTH, HEIGHT))
    for k, tone in enumerate(("#2b3f78", "#1c2d5e")):
        top = shore - 70 + k * 34
        hills = [
            (-20.0, shore),
            *[(i * WIDTH / 8, top + 26 * math.sin(i * 2.1 + k)) for i in range(9)],
            (WIDTH + 20.0, shore),
        ]
        canvas.fill(smooth(hills, tension=0.9), tone)
        canvas.line(smooth(hills[1:-1], closed=False), GOLD, 1.6, 0.6)
    for i in range(9):
        y = shore + 8 + i * i * 2.4
        canvas.line(
            [(40 + 20 * math.sin(i), y), (WIDTH / 2, y + 2), (WIDTH - 40, y - 1)], "#6f8cc4", 1.1, 0.35
        )


def great_bird(canvas: Canvas, x: float, y: float, size: float, alpha: float = 1.0) -> list[Point]:
    """Draw the Simurgh, about 440 by 300 at size 1, and return the thirty tips of its feathers."""
    tips: list[Point] = [(x + 8 * size, y - 84 * size)]
    with canvas.placed(x, y, size):
        for side in (-1, 1):
            for i in range(11):
                a = math.radians(-8 - i * 12)
                far = 215 - abs(i - 4) * 12
                end = (side * far * math.cos(a), far * math.sin(a) * 0.8)
                tips.append((x + end[0] * size, y + end[1] * size))
                feather = smooth(
                    [
                        (side * 12, -6),
                        (end[0] * 0.55 - side * 4, end[1] * 0.55 - 12),
                        end,
                        (end[0] * 0.6 + side * 5, end[1] * 0.6 + 10),
                    ]
                )
                canvas.fill(feather, linear((0, 0), end, [(DEEP, alpha), (GOLD, alpha), (PALE, alpha)]))
                canvas.line(feather, "#5d3d10", 0.9, 0.6 * alpha)
        for i in range(7):
            drift = (i - 3) * 26
            tips.append((x + (drift * 1.1 + 14) * size, y + 188 * size))
            canvas.line(
                [(0, 30), (drift * 0.5, 90), (drift * 1.3, 150 + 12 * math.cos(i)), (drift * 1.1 + 14, 186)],
                linear((0, 30), (0, 190), [(GOLD, alpha), ("#c4572e", alpha), (PALE, alpha)]),
                5,
            )
            canvas.fill(oval(drift * 1.1 + 14, 188, 6), "#2f8a8a", alpha)
        body = smooth([(-22, -30), (0, -48), (22, -30), (20, 20), (0, 44), (-20, 20)])
        canvas.fill(body, linear((0, -48), (0, 44), [(PALE, alpha), (GOLD, alpha), (DEEP, alpha)]))
        canvas.fill(smooth([(-10, -44), (-8, -78), (6, -92), (18, -84), (12, -66), (12, -44)]), GOLD, alpha)
        canvas.fill(poly([(17, -86), (36, -78), (17, -76)]), "#c4572e", alpha)
        canvas.fill(oval(8, -82, 2.6), "#1a1024", alpha)
        for i in range(3):
            canvas.line(
                [(2 - i * 4, -90), (-8 - i * 8, -112), (-22 - i * 8, -116 + i * 6)], "#c4572e", 2.6, alpha
            )
    return tips


def cage(canvas: Canvas, x: float, y: float) -> None:
    canvas.fill(oval(x, y - 6, 56, 9), "#8a6a2c")
    for i in range(-3, 4):
        canvas.line(
            [(x + i * 16, y - 8), (x + i * 16, y - 84), (x + i * 6, y - 112), (x, y - 122)], "#e2b64e", 2.4
        )
    canvas.line(oval(x, y - 124, 7), "#e2b64e", 2.4)
    door = poly([(x - 58, y - 20), (x - 88, y - 30), (x - 88, y - 78), (x - 58, y - 72)])
    canvas.line(door, "#e2b64e", 3)
    for i in range(1, 3):
        canvas.line([(x - 58 - i * 10, y - 22 - i * 3), (x - 58 - i * 10, y - 73 - i * 2)], "#e2b64e", 1.8)
    canvas.mark("open cage", (x - 90, y - 132, x + 58, y + 4))
