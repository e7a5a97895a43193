"""Ink on wet paper: washes with a dark rim and granulation, and dry brush strokes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import skia
from numpy.typing import NDArray
from scipy import ndimage

from painting.canvas import Canvas, Point, poly, rect
from painting.surface import cloud

Field = NDArray[np.float64]
Draw = Callable[[Canvas], None]


class InkPaper:
    """A sheet of paper with ink. `density` is the ink at each pixel, and `finish` returns the picture."""

    def __init__(
        self, width: int, height: int, seed: int, paper: str = "#efe6d2", ink: str = "#1c1a1b"
    ) -> None:
        self.width, self.height = width, height
        self.paper, self.ink = paper, ink
        self.rng = np.random.default_rng(seed)
        self.density: Field = np.zeros((height, width))
        self.top = Canvas(width, height, seed + 1)

    def mask(self, draw: Draw | skia.Path) -> Field:
        """Return the share of each pixel of a white sheet that a path or a drawing covers, from 0 to 1."""
        sheet = Canvas(self.width, self.height, int(self.rng.integers(1 << 30)))
        if isinstance(draw, skia.Path):
            sheet.fill(draw, "#000000")
        else:
            draw(sheet)
        return np.asarray(1 - sheet.pixels().mean(axis=2) / 255)

    def wash(
        self,
        draw: Draw | skia.Path,
        strength: float,
        *,
        bleed: float = 4,
        rim: float = 0.5,
        granulate: float = 0.25,
        wander: float = 6,
    ) -> None:
        """Add a wet wash with uneven edges, a dark rim and granulation."""
        shape = self.density.shape
        cover = ndimage.gaussian_filter(self._wandered(self.mask(draw), wander), bleed)
        edge = np.clip(cover - ndimage.gaussian_filter(cover, bleed * 2 + 3), 0, 1)
        settle = (
            1
            + granulate * 0.5 * cloud(shape, 48, self.rng, 2)
            + granulate * 0.2 * cloud(shape, 12, self.rng, 1)
        )
        self.density += strength * np.clip(cover * settle, 0, 2) + strength * rim * edge * 2

    def _wandered(self, cover: Field, amount: float) -> Field:
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        dx, dy = (cloud(cover.shape, 26, self.rng) * amount for _ in range(2))
        return np.asarray(ndimage.map_coordinates(cover, [y + dy, x + dx], order=1, mode="nearest"))

    def lift(self, draw: Draw | skia.Path, share: float, bleed: float = 10) -> None:
        """Remove ink, as for mist."""
        cover = ndimage.gaussian_filter(self.mask(draw), bleed)
        self.density *= 1 - share * cover

    def strokes(
        self,
        pulls: Sequence[tuple[Sequence[Point], float]],
        strength: float = 0.9,
        *,
        dry: float = 0.0,
        taper: float = 0.8,
    ) -> None:
        """Draw brush strokes (points and width) that narrow at the ends; `dry` leaves paper visible."""

        def draw(sheet: Canvas) -> None:
            for points, width in pulls:
                _pull(sheet, points, width, taper)

        cover = self.mask(draw)
        if dry:
            cover = cover * self._bristles(pulls[0][0], dry)
        cover = ndimage.gaussian_filter(cover, 0.6)
        self.density += strength * cover * (1 + 0.12 * cloud(cover.shape, 8, self.rng))

    def _bristles(self, points: Sequence[Point], dry: float) -> Field:
        (x0, y0), (x1, y1) = points[0], points[-1]
        angle = np.arctan2(y1 - y0, x1 - x0)
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        hair = cloud((400, 400), 3, self.rng, 2)
        hairs = hair[(across * 1.2).astype(int) % 400, (along / 16).astype(int) % 400]
        return np.asarray(np.clip(1.15 - dry * (ndimage.gaussian_filter(hairs, 0.8) * 1.6 + 0.9), 0, 1))

    def finish(self, *, fibre: float = 0.008, tone: float = 0.03) -> Canvas:
        """Return the picture: paper, fibres, ink and the colour drawing `top`, whose white is transparent."""
        shape = self.density.shape
        light = np.exp(-1.9 * np.clip(self.density, 0, 3))[:, :, None]
        paper, ink = (
            np.array([int(v[i : i + 2], 16) for i in (1, 3, 5)], float) for v in (self.paper, self.ink)
        )
        ground = paper * (1 + tone * 0.5 * cloud(shape, 160, self.rng)[:, :, None])
        sheet = ink + (ground - ink) * light
        sheet *= 1 + fibre * cloud(shape, 9, self.rng, 2)[:, :, None]
        sheet *= self.top.pixels() / 255
        canvas = Canvas(self.width, self.height, 1)
        canvas.put(np.clip(sheet, 0, 255).astype(np.uint8))
        canvas.boxes = self.top.boxes
        return canvas


def _pull(sheet: Canvas, points: Sequence[Point], width: float, taper: float) -> None:
    spine = _along(np.array(points, float))
    tangent = np.gradient(spine, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True) + 1e-9
    t = np.linspace(0, 1, len(spine))
    press = (1 - taper) + taper * np.sin(np.pi * (0.12 + 0.88 * t) ** 0.8).clip(0) ** 0.7
    half = (width / 2 * press * (1 + 0.08 * np.sin(t * 23)))[:, None]
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    around = np.concatenate([spine + normal * half, (spine - normal * half)[::-1]])
    sheet.fill(poly([(float(x), float(y)) for x, y in around]), "#000000")


def _along(points: Field) -> Field:
    """Return closely spaced points on the smooth curve through a few points."""
    ends = np.vstack([points[:1], points, points[-1:]])
    t = np.linspace(0, 1, 12, endpoint=False)[:, None]
    pieces = [
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False)
    ]
    return np.vstack([*pieces, points[-1:]])


def seal(canvas: Canvas, x: float, y: float, size: float, ink: str = "#b3372b") -> None:
    """Draw a small red seal with a pattern that is not a text."""
    body = canvas.fill(rect(x, y, x + size, y + size, size * 0.08), ink, 0.92, rough=0.6)
    step = size / 5
    for x0, y0, x1, y1 in _CARVING:
        ends = [(x + x0 * step, y + y0 * step), (x + x1 * step, y + y1 * step)]
        canvas.line(ends, "#ffffff", size * 0.06)
    canvas.mark("seal", body)


_CARVING = (
    (1, 1, 1, 4),
    (1, 1, 2.2, 1),
    (1, 2.5, 2.2, 2.5),
    (1, 4, 2.2, 4),
    (3, 1, 4, 1),
    (3.5, 1, 3.5, 4),
    (3, 2.4, 4, 2.4),
    (3, 4, 4, 4),
)
