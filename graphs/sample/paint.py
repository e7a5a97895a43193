"""Paint the sample study's pictures: `python graphs/sample/paint.py [OUT] [NAME…]`.

The script writes OUT/<name>.png, a palette PNG of at most 150 kB, and OUT/boxes.json with the place of each
named thing in pixels.
"""

from __future__ import annotations

import functools
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

from painting import annunciation, birds, elephant, poster, rain, vanitas
from painting.canvas import Canvas
from PIL import Image, ImageFilter

LIMIT = 148_000
"""The maximum size of a picture in bytes, a little below 150 kB."""

FLAT, DITHERED = Image.Dither.NONE, Image.Dither.FLOYDSTEINBERG
STEPS = (
    (0, 256, DITHERED),
    (0, 128, DITHERED),
    (0, 224, FLAT),
    (0, 128, FLAT),
    (1, 160, FLAT),
    (1, 96, FLAT),
    (2, 64, FLAT),
    (2, 44, FLAT),
    (3, 32, FLAT),
    (3, 22, FLAT),
)
"""Levels of compression: passes of smoothing, colours, dithering. The first one that fits is used."""

PICTURES: dict[str, Callable[[], Canvas]] = {
    **annunciation.PICTURES,
    **rain.PICTURES,
    **vanitas.PICTURES,
    **elephant.PICTURES,
    **birds.PICTURES,
    **poster.PICTURES,
}


def encode(canvas: Canvas) -> bytes:
    """Return the picture as a PNG with as many colours and as little smoothing as the size allows."""
    image = Image.fromarray(canvas.pixels())
    for passes, colours, dither in STEPS:
        calm = functools.reduce(lambda im, _: im.filter(ImageFilter.MedianFilter(3)), range(passes), image)
        palette = calm.quantize(colours, Image.Quantize.MEDIANCUT, kmeans=1)
        file = io.BytesIO()
        calm.quantize(palette=palette, dither=dither).save(file, "PNG", optimize=True)
        if file.tell() <= LIMIT:
            return file.getvalue()
    raise ValueError(
        f"a {canvas.width} × {canvas.height} picture does not fit into {LIMIT} bytes: simplify its texture"
    )


def main(arguments: list[str]) -> None:
    """Paint all pictures, or those named."""
    out = Path(arguments[0]) if arguments else Path(__file__).parent / "images"
    out.mkdir(parents=True, exist_ok=True)
    record = out / "boxes.json"
    boxes = json.loads(record.read_text()) if record.exists() else {}
    for name in arguments[1:] or PICTURES:
        canvas = PICTURES[name]()
        (out / f"{name}.png").write_bytes(encode(canvas))
        boxes[name] = {
            key: [round(v) for v in box] for key, box in sorted(canvas.boxes.items()) if box[0] < box[2]
        }
        sys.stderr.write(f"{name}\n")
    ordered = {name: boxes[name] for name in PICTURES if name in boxes}
    record.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
