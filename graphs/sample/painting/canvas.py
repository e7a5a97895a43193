"""A canvas: paths, fills, lines, shaded shapes, and a record of where each thing is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import skia
from numpy.typing import NDArray

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
Pixels = NDArray[np.uint8]


def colour(value: str, alpha: float = 1.0) -> int:
    """Return a Skia colour from `#rrggbb` and an opacity."""
    r, g, b = (int(value[i : i + 2], 16) for i in (1, 3, 5))
    return int(skia.ColorSetARGB(round(255 * alpha), r, g, b))


def mix(first: str, second: str, share: float) -> str:
    """Return the colour at this share of the way from the first to the second."""
    a, b = (np.array([int(v[i : i + 2], 16) for i in (1, 3, 5)]) for v in (first, second))
    return "#" + "".join(f"{round(float(c)):02x}" for c in a + (b - a) * share)


def smooth(points: Sequence[Point], *, closed: bool = True, tension: float = 1.0) -> skia.Path:
    """Return a smooth curve through the points (Catmull–Rom)."""
    path, n = skia.Path(), len(points)
    path.moveTo(*points[0])
    for i in range(n if closed else n - 1):
        p0, p1, p2, p3 = (
            points[j % n] if closed else points[min(max(j, 0), n - 1)] for j in (i - 1, i, i + 1, i + 2)
        )
        k = tension / 6
        path.cubicTo(
            p1[0] + (p2[0] - p0[0]) * k,
            p1[1] + (p2[1] - p0[1]) * k,
            p2[0] - (p3[0] - p1[0]) * k,
            p2[1] - (p3[1] - p1[1]) * k,
            p2[0],
            p2[1],
        )
    if closed:
        path.close()
    return path


def poly(points: Sequence[Point], *, closed: bool = True) -> skia.Path:
    """Return a path of straight edges."""
    return skia.Path.Polygon([skia.Point(*p) for p in points], closed)


def oval(x: float, y: float, rx: float, ry: float | None = None) -> skia.Path:
    """Return an ellipse around its centre."""
    ry = rx if ry is None else ry
    return skia.Path.Oval(skia.Rect(x - rx, y - ry, x + rx, y + ry))


def rect(x0: float, y0: float, x1: float, y1: float, radius: float = 0) -> skia.Path:
    """Return a rectangle, with rounded corners if a radius is given."""
    box = skia.Rect(x0, y0, x1, y1)
    return skia.Path.RRect(box, radius, radius) if radius else skia.Path.Rect(box)


def linear(
    start: Point, end: Point, colours: Sequence[tuple[str, float]], stops: Sequence[float] = ()
) -> skia.Shader:
    """Return a linear gradient through pairs of colour and opacity."""
    return skia.GradientShader.MakeLinear(
        [skia.Point(*start), skia.Point(*end)], [colour(*c) for c in colours], list(stops) or None
    )


def radial(
    centre: Point, radius: float, colours: Sequence[tuple[str, float]], stops: Sequence[float] = ()
) -> skia.Shader:
    """Return a radial gradient through pairs of colour and opacity."""
    return skia.GradientShader.MakeRadial(
        skia.Point(*centre), radius, [colour(*c) for c in colours], list(stops) or None
    )


class Canvas:
    """A picture to paint on. `boxes` contains the place of each named thing, in pixels."""

    def __init__(self, width: int, height: int, seed: int, ground: str = "#ffffff") -> None:
        self.width, self.height = width, height
        self.surface = skia.Surface(width, height)
        self.sk = self.surface.getCanvas()
        self.sk.clear(colour(ground))
        self.rng = np.random.default_rng(seed)
        self.boxes: dict[str, Rect] = {}

    def paint(
        self,
        ink: str | skia.Shader,
        alpha: float = 1.0,
        *,
        blur: float = 0,
        rough: float = 0,
        mode: str = "SrcOver",
    ) -> skia.Paint:
        """Return the paint of one shape: a colour or shader, with soft (`blur`) or ragged (`rough`) edges."""
        paint = skia.Paint(AntiAlias=True, BlendMode=getattr(skia.BlendMode, f"k{mode}"))
        if isinstance(ink, str):
            paint.setColor(colour(ink, alpha))
        else:
            paint.setShader(ink)
            paint.setAlphaf(alpha)
        if blur:
            paint.setMaskFilter(skia.MaskFilter.MakeBlur(skia.BlurStyle.kNormal_BlurStyle, blur))
        if rough:
            paint.setPathEffect(
                skia.DiscretePathEffect.Make(rough * 4, rough, int(self.rng.integers(1, 1 << 20)))
            )
        return paint

    def fill(
        self,
        path: skia.Path,
        ink: str | skia.Shader,
        alpha: float = 1.0,
        *,
        blur: float = 0,
        rough: float = 0,
        mode: str = "SrcOver",
    ) -> skia.Path:
        """Fill a path and return it, so that its place can be recorded."""
        self.sk.drawPath(path, self.paint(ink, alpha, blur=blur, rough=rough, mode=mode))
        return path

    def line(
        self,
        path: skia.Path | Sequence[Point],
        ink: str | skia.Shader,
        width: float = 1.5,
        alpha: float = 1.0,
        *,
        blur: float = 0,
        rough: float = 0,
        mode: str = "SrcOver",
    ) -> None:
        """Stroke a path, or a smooth curve through points."""
        if not isinstance(path, skia.Path):
            path = smooth(path, closed=False)
        paint = self.paint(ink, alpha, blur=blur, rough=rough, mode=mode)
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(width)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
        self.sk.drawPath(path, paint)

    def model(
        self,
        path: skia.Path,
        base: str,
        light: str,
        dark: str,
        *,
        sun: Point = (-0.6, -0.8),
        depth: float = 0.35,
        soft: float = 1.0,
    ) -> skia.Path:
        """Fill a shape and shade it: a highlight towards the light and a shadow away from it."""
        bounds = path.computeTightBounds()
        size = max(bounds.width(), bounds.height())
        self.fill(path, base)
        with self.clipped(path):
            reach = size * depth
            for towards, ink, alpha in ((1, dark, 0.85), (-1, light, 0.75)):
                rim = skia.Path(path)
                rim.offset(-sun[0] * reach * 0.5 * -towards, -sun[1] * reach * 0.5 * -towards)
                rim.toggleInverseFillType()
                self.fill(rim, ink, alpha, blur=max(1.0, reach * 0.33 * soft))
        return path

    @contextmanager
    def clipped(self, path: skia.Path) -> Iterator[None]:
        """Restrict what is painted in this context to the inside of a path."""
        self.sk.save()
        self.sk.clipPath(path, True)
        try:
            yield
        finally:
            self.sk.restore()

    @contextmanager
    def placed(
        self, x: float, y: float, scale: float = 1.0, *, turn: float = 0, flip: bool = False
    ) -> Iterator[None]:
        """Move the origin, and scale, turn (in degrees) and mirror what is painted in this context."""
        self.sk.save()
        self.sk.translate(x, y)
        self.sk.rotate(turn)
        self.sk.scale(-scale if flip else scale, scale)
        try:
            yield
        finally:
            self.sk.restore()

    def mark(self, name: str, *shapes: skia.Path | Rect, pad: float = 0) -> None:
        """Record the box of a named thing. Another call with the same name extends the box."""
        for shape in shapes:
            bounds = shape.computeTightBounds() if isinstance(shape, skia.Path) else skia.Rect(*shape)
            seen = self.sk.getTotalMatrix().mapRect(bounds)
            box = (seen.left() - pad, seen.top() - pad, seen.right() + pad, seen.bottom() + pad)
            old = self.boxes.get(name, box)
            wide = (min(old[0], box[0]), min(old[1], box[1]), max(old[2], box[2]), max(old[3], box[3]))
            self.boxes[name] = (
                max(wide[0], 0),
                max(wide[1], 0),
                min(wide[2], self.width),
                min(wide[3], self.height),
            )

    def glow(
        self, x: float, y: float, radius: float, ink: str, alpha: float = 0.8, mode: str = "Screen"
    ) -> None:
        """Draw a soft round light."""
        self.fill(
            oval(x, y, radius),
            radial((x, y), radius, [(ink, alpha), (ink, alpha * 0.35), (ink, 0)], (0, 0.4, 1)),
            mode=mode,
        )

    def pixels(self) -> Pixels:
        """Return what has been painted so far, as RGB."""
        rgba = self.surface.makeImageSnapshot().toarray(colorType=skia.ColorType.kRGBA_8888_ColorType)
        return np.ascontiguousarray(rgba[:, :, :3])

    def put(self, pixels: Pixels) -> None:
        """Replace what has been painted by RGB pixels."""
        rgba = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
        image = skia.Image.fromarray(
            np.ascontiguousarray(rgba), colorType=skia.ColorType.kRGBA_8888_ColorType
        )
        self.sk.resetMatrix()
        self.sk.drawImage(image, 0, 0)
