"""Effects on a whole sheet: grain, vignette, oil strokes, torn scan lines."""

from __future__ import annotations

import numpy as np
import skia
from numpy.typing import NDArray
from scipy import ndimage

from painting.canvas import Canvas

Field = NDArray[np.float64]


def cloud(shape: tuple[int, int], scale: float, rng: np.random.Generator, octaves: int = 3) -> Field:
    """Return smooth noise with mean 0, unit spread and features of about `scale` pixels."""
    total = np.zeros(shape)
    for octave in range(octaves):
        step = max(1.0, scale / 2**octave)
        small = rng.normal(size=(int(shape[0] / step) + 3, int(shape[1] / step) + 3))
        grown = ndimage.zoom(small, step, order=3, mode="grid-wrap")[: shape[0], : shape[1]]
        padded = np.zeros(shape)
        padded[: grown.shape[0], : grown.shape[1]] = grown
        total += padded / 2**octave
    return np.asarray((total - total.mean()) / (total.std() + 1e-9))


def shade(canvas: Canvas, field: Field, strength: float) -> None:
    """Lighten and darken the sheet by a field."""
    lit = canvas.pixels() * (1 + strength * field[:, :, None])
    canvas.put(np.clip(lit, 0, 255).astype(np.uint8))


def grain(canvas: Canvas, strength: float = 0.03, scale: float = 3) -> None:
    """Add the texture of paper or ground."""
    shade(canvas, cloud((canvas.height, canvas.width), scale, canvas.rng, 2), strength)


def vignette(canvas: Canvas, strength: float = 0.35, centre: tuple[float, float] = (0.5, 0.5)) -> None:
    """Darken towards the edges."""
    y, x = np.mgrid[0 : canvas.height, 0 : canvas.width]
    far = ((x / canvas.width - centre[0]) ** 2 + (y / canvas.height - centre[1]) ** 2) * 2
    shade(canvas, -np.clip(far, 0, 1), strength)


def oil(
    canvas: Canvas, sizes: tuple[float, ...] = (16, 8, 4), *, detail: float = 14, wobble: float = 0.06
) -> None:
    """Repaint the sheet with strokes that follow its shapes, from broad to fine (after Hertzmann 1998)."""
    reference = canvas.pixels()
    for size in sizes:
        soft = np.asarray(
            ndimage.gaussian_filter(reference.astype(float), (size * 0.3, size * 0.3, 0)), dtype=float
        )
        missing = np.abs(soft - canvas.pixels()).sum(axis=2)
        angle = _flow(soft.mean(axis=2), size)
        _strokes(canvas, soft, angle, missing, size, 0 if size == sizes[0] else detail, wobble)


def _flow(grey: Field, size: float) -> Field:
    """Return the direction along the shapes at each pixel."""
    gx, gy = (ndimage.gaussian_filter(ndimage.sobel(grey, axis), size) for axis in (1, 0))
    return np.asarray(np.arctan2(gy, gx) + np.pi / 2)


def _strokes(
    canvas: Canvas, colours: Field, angle: Field, missing: Field, size: float, detail: float, wobble: float
) -> None:
    step = max(2.0, size * 0.55)
    spots = [(x, y) for y in np.arange(0, canvas.height, step) for x in np.arange(0, canvas.width, step)]
    canvas.rng.shuffle(spots)
    for gx, gy in spots:
        x, y = gx + canvas.rng.normal(0, step * 0.4), gy + canvas.rng.normal(0, step * 0.4)
        row, column = int(np.clip(y, 0, canvas.height - 1)), int(np.clip(x, 0, canvas.width - 1))
        if missing[row, column] < detail:
            continue
        tint = np.clip(colours[row, column] * (1 + canvas.rng.normal(0, wobble)), 0, 255)
        _stroke(canvas, x, y, angle, size, tint)


def _stroke(canvas: Canvas, x: float, y: float, angle: Field, size: float, tint: Field) -> None:
    path = skia.Path()
    path.moveTo(x, y)
    heading = 0.0
    for number in range(4):
        row, column = int(np.clip(y, 0, canvas.height - 1)), int(np.clip(x, 0, canvas.width - 1))
        turn = angle[row, column]
        if number and np.cos(turn - heading) < 0:
            turn += np.pi
        heading = turn
        x, y = x + np.cos(turn) * size * 0.6, y + np.sin(turn) * size * 0.6
        path.lineTo(x, y)
    canvas.line(path, "#" + "".join(f"{round(float(c)):02x}" for c in tint), size * 0.62, 0.92)


def tear(canvas: Canvas, bands: list[tuple[int, int, int]], *, split: int = 0) -> None:
    """Shift bands (top, bottom, shift) sideways; `split` separates their red and blue channels."""
    pixels = canvas.pixels().copy()
    for top, bottom, shift in bands:
        strip = np.roll(pixels[top:bottom], shift, axis=1)
        strip[:, :, 0] = np.roll(strip[:, :, 0], split, axis=1)
        strip[:, :, 2] = np.roll(strip[:, :, 2], -split, axis=1)
        pixels[top:bottom] = strip
    canvas.put(pixels)
