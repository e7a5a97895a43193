"""Analytical cubism: a picture broken into planes, each seen from a slightly different side."""

from __future__ import annotations

import math

import numpy as np
import skia

from painting.canvas import Canvas, Pixels, Point, linear, poly

Plane = list[Point]


def planes(
    width: float, height: float, rng: np.random.Generator, smallest: float, tilt: float = 0.35
) -> list[Plane]:
    """Return the planes of a rectangle that is cut repeatedly by slanting lines."""
    done: list[Plane] = []
    waiting: list[Plane] = [[(0, 0), (width, 0), (width, height), (0, height)]]
    while waiting:
        plane = waiting.pop()
        if _area(plane) < smallest * rng.uniform(0.7, 3.2):
            done.append(plane)
            continue
        waiting.extend(part for part in _cut(plane, rng, tilt) if len(part) > 2)
    return done


def _area(plane: Plane) -> float:
    return (
        abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(plane, plane[1:] + plane[:1], strict=True)))
        / 2
    )


def _cut(plane: Plane, rng: np.random.Generator, tilt: float) -> tuple[Plane, Plane]:
    xs, ys = [p[0] for p in plane], [p[1] for p in plane]
    wide = max(xs) - min(xs) > max(ys) - min(ys)
    angle = (math.pi / 2 if wide else 0) + rng.choice([-1, 1]) * abs(rng.normal(tilt, 0.18))
    share = rng.uniform(0.35, 0.65)
    cx = sum(xs) / len(xs) * (1 - share) + (max(xs) + min(xs)) / 2 * share
    cy = sum(ys) / len(ys) * (1 - share) + (max(ys) + min(ys)) / 2 * share
    nx, ny = -math.sin(angle), math.cos(angle)
    sides: tuple[Plane, Plane] = ([], [])
    for (x0, y0), (x1, y1) in zip(plane, plane[1:] + plane[:1], strict=True):
        d0, d1 = (x0 - cx) * nx + (y0 - cy) * ny, (x1 - cx) * nx + (y1 - cy) * ny
        sides[0 if d0 >= 0 else 1].append((x0, y0))
        if (d0 >= 0) != (d1 >= 0):
            t = d0 / (d0 - d1)
            cross = (x0 + (x1 - x0) * t, y0 + (y1 - y0) * t)
            sides[0].append(cross)
            sides[1].append(cross)
    return sides


def toned(pixels: Pixels, tones: list[str], keep: float) -> Pixels:
    """Return the pixels mapped from dark to light onto a range of tones, with a share of their own colour."""
    ramp = np.array([[int(t[i : i + 2], 16) for i in (1, 3, 5)] for t in tones], float)
    grey = pixels.mean(axis=2) / 255
    mapped = np.dstack([np.interp(grey, np.linspace(0, 1, len(ramp)), ramp[:, i]) for i in range(3)])
    return np.clip(mapped * (1 - keep) + pixels * keep, 0, 255).astype(np.uint8)


def facet(
    canvas: Canvas, smallest: float, *, shift: float = 12, zoom: float = 0.08, edge: float = 0.5
) -> None:
    """Break what is painted into planes, each moved, enlarged and lit a little differently."""
    image = canvas.surface.makeImageSnapshot()
    for plane in planes(canvas.width, canvas.height, canvas.rng, smallest):
        path = poly(plane)
        cx, cy = sum(p[0] for p in plane) / len(plane), sum(p[1] for p in plane) / len(plane)
        with canvas.clipped(path):
            canvas.sk.save()
            canvas.sk.translate(cx + canvas.rng.normal(0, shift), cy + canvas.rng.normal(0, shift))
            grow = 1 + canvas.rng.normal(0, zoom)
            canvas.sk.rotate(canvas.rng.normal(0, 3))
            canvas.sk.scale(grow, grow)
            canvas.sk.drawImage(image, -cx, -cy, skia.SamplingOptions(skia.FilterMode.kLinear))
            canvas.sk.restore()
            _light(canvas, plane, path, edge)


def _light(canvas: Canvas, plane: Plane, path: skia.Path, edge: float) -> None:
    start = plane[int(canvas.rng.integers(len(plane)))]
    centre = (sum(p[0] for p in plane) / len(plane), sum(p[1] for p in plane) / len(plane))
    end = (2 * centre[0] - start[0], 2 * centre[1] - start[1])
    tone = "#241a12" if canvas.rng.random() < 0.55 else "#fff3d6"
    strength = float(canvas.rng.uniform(0.2, 0.62))
    canvas.fill(path, linear(start, end, [(tone, strength), (tone, strength * 0.3), (tone, 0)], (0, 0.4, 1)))
    if canvas.rng.random() < 0.22:
        _dabs(canvas, plane, tone)
    first, second = (plane[i % len(plane)] for i in (1, 2))
    canvas.line(
        poly([plane[0], first, second], closed=False),
        "#1d1510",
        1.8,
        edge * float(canvas.rng.uniform(0.3, 1)),
    )


def _dabs(canvas: Canvas, plane: Plane, tone: str) -> None:
    """Draw short horizontal strokes of a flat brush."""
    xs, ys = [p[0] for p in plane], [p[1] for p in plane]
    for y in np.arange(min(ys), max(ys), 9):
        for x in np.arange(min(xs), max(xs), 19):
            left = x + canvas.rng.uniform(-4, 4)
            canvas.line(
                poly([(left, y), (left + 11, y + canvas.rng.uniform(-1.5, 1.5))], closed=False),
                tone,
                4.5,
                float(canvas.rng.uniform(0.05, 0.22)),
            )
