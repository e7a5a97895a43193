"""The page of a court miniature: meadow, clouds, a border with a vine."""

from __future__ import annotations

import math

import skia

from painting.canvas import Canvas, Point, linear, oval, rect, smooth


def clouds(canvas: Canvas, y: float, ink: str = "#f4ead2") -> None:
    """Draw a band of curled clouds along the sky."""
    for i in range(11):
        x = i * canvas.width / 10
        for k, r in enumerate((34, 24, 15)):
            canvas.fill(oval(x + k * 12, y + (i % 2) * 8, r, r * 0.55), ink if k % 2 == 0 else "#c9b9cf", 0.9)
            canvas.line(oval(x + k * 12, y + (i % 2) * 8, r, r * 0.55), "#8a7a98", 1.2, 0.7)


def border(canvas: Canvas, width: float, ground: str, vine: str, flower: str) -> None:
    """Draw a painted border: a field of colour between gold lines, with a vine."""
    w, h = canvas.width, canvas.height
    frame = rect(0, 0, w, h)
    frame.addRect(skia.Rect(width, width, w - width, h - width))
    frame.setFillType(skia.PathFillType.kEvenOdd)
    canvas.fill(frame, ground)
    for inset, thick, ink in ((4, 3, "#e4bd58"), (width - 4, 3.5, "#e4bd58"), (width - 9, 1.2, "#2a1a1c")):
        canvas.line(rect(inset, inset, w - inset, h - inset), ink, thick)
    middle = width / 2
    for a, b in (
        ((middle, middle), (w - middle, middle)),
        ((middle, h - middle), (w - middle, h - middle)),
        ((middle, middle), (middle, h - middle)),
        ((w - middle, middle), (w - middle, h - middle)),
    ):
        _vine(canvas, a, b, width * 0.2, vine, flower)


def _vine(canvas: Canvas, a: Point, b: Point, sway: float, vine: str, flower: str) -> None:
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    count = int(length / 22)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    points = [
        (
            a[0] + ux * length * i / count - uy * sway * math.sin(i * math.pi / 2),
            a[1] + uy * length * i / count + ux * sway * math.sin(i * math.pi / 2),
        )
        for i in range(count + 1)
    ]
    canvas.line(points, vine, 1.8)
    for i, (x, y) in enumerate(points):
        if i % 2:
            for k in range(5):
                t = k * 1.257
                canvas.fill(oval(x + 4.2 * math.cos(t), y + 4.2 * math.sin(t), 3.1), flower)
            canvas.fill(oval(x, y, 2.2), "#f6d774")
        else:
            canvas.fill(oval(x + 5 * uy, y + 5 * ux, 5, 2.4), vine)


def meadow(canvas: Canvas, horizon: float, sky: tuple[str, str], grass: tuple[str, str]) -> None:
    """Draw a flat sky, a flat meadow and rows of tufts."""
    w, h = canvas.width, canvas.height
    canvas.fill(rect(0, 0, w, h), linear((0, 0), (0, horizon), [(sky[0], 1), (sky[1], 1)]))
    hill = smooth(
        [
            (-60, horizon + 10),
            (w * 0.3, horizon - 22),
            (w * 0.7, horizon + 6),
            (w + 60, horizon - 16),
            (w + 60, h + 60),
            (-60, h + 60),
        ],
        tension=0.8,
    )
    canvas.fill(hill, linear((0, horizon), (0, h), [(grass[0], 1), (grass[1], 1)]))
    canvas.line(hill, "#3d4a2a", 1.6, 0.7)
    for row in range(6):
        for i in range(16):
            x = i * w / 15 + (row % 2) * 24 + float(canvas.rng.normal(0, 7))
            y = horizon + 34 + row * (h - horizon - 40) / 6 + float(canvas.rng.normal(0, 4))
            for blade in (-4, 0, 4):
                canvas.line(
                    [(x, y), (x + blade * 0.7, y - 6), (x + blade * 1.3, y - 10)], "#4f6a34", 1.5, 0.8
                )
            if (i + row) % 5 == 0:
                canvas.fill(oval(x, y - 12, 2.6), "#c8473c")
