"""Measure how long a report takes to write and to open: `python -m benchmarks.report [N]`.

N is the number of comparisons, 1000 by default. Every prompt has three of them, between three artifacts. All
prompts, images, readings, alignments and verdicts are different. Writing is measured in processor seconds.
Browsers open the report from disk. The time until it is usable is from the start of the navigation to the end
of the load event, as measured by the browser. The time of a filter is from the input to the next frame.
"""

import io
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from PIL import Image

from semiosis.align import StatedFate, alignment_of_fates
from semiosis.files import image
from semiosis.report import write_report
from semiosis.study import Study, new_study, read_study
from semiosis.values import (
    FATES,
    HSG,
    Box,
    Citation,
    Comparison,
    Evaluator,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Observation,
    Reading,
    Relation,
    Semiosis,
    Span,
    TextSign,
    Verdict,
)
from tests.report.browser import browser_page
from tests.report.firefox import firefox_page

GENERATORS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm")
PEOPLE = ("Ann", "Bob", "Cyd")
TRADITIONS = ("christian", "sufi", "buddhist", "advertising")
WORDS = (
    "lily",
    "window",
    "ray",
    "glass",
    "angel",
    "room",
    "mountain",
    "sea",
    "rain",
    "skull",
    "bird",
    "lamp",
)
READER = Reading(interpreter=Interpreter(kind="person", name="Ines"))
READY = "performance.getEntriesByType('navigation')[0].loadEventEnd"
FILTER = """new Promise(done => {
  const field = document.forms[0].elements.text, start = performance.now();
  field.value = 'prompt 77';
  field.dispatchEvent(new Event('input', {bubbles: true}));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""


def make_study(folder: Path, n: int, rng: random.Random) -> Study:
    """Return a study of about n comparisons in which all values are different."""
    new_study(folder)
    study = read_study(folder)
    for number in range((n + 2) // 3):
        prompt = _prompt(number, rng)
        study.signs[prompt.id] = prompt
        source = _reading(prompt, rng)
        study.hsgs[source.id] = source
        generators = rng.sample(GENERATORS, 3)
        artifacts = [_artifact(folder, prompt, generator, rng) for generator in generators]
        targets = {artifact.id: _reading(artifact, rng) for artifact in artifacts}
        for artifact in artifacts:
            study.signs[artifact.id] = artifact
            study.hsgs[targets[artifact.id].id] = targets[artifact.id]
            alignment = _alignment(source, targets[artifact.id], rng)
            study.alignments[alignment.id] = alignment
        for first, second in ((0, 1), (0, 2), (1, 2)):
            comparison = Comparison(prompt=prompt.id, a=artifacts[first].id, b=artifacts[second].id)
            study.comparisons[comparison.id] = comparison
            study.observations.update(
                (verdict.id, verdict) for verdict in _verdicts(comparison, targets[artifacts[first].id], rng)
            )
    return study


def _prompt(number: int, rng: random.Random) -> TextSign:
    text = f"Prompt {number}: {' '.join(rng.choices(WORDS, k=24))}."
    return TextSign(text=text, title=f"Prompt {number}", tradition=rng.choice(TRADITIONS))


def _artifact(folder: Path, prompt: TextSign, generator: str, rng: random.Random) -> ImageSign:
    """Return a picture of random blocks, saved as PNG."""
    blocks = Image.frombytes("RGB", (12, 16), rng.randbytes(12 * 16 * 3))
    file = folder / "images" / f"{rng.getrandbits(64):x}.png"
    file.parent.mkdir(exist_ok=True)
    out = io.BytesIO()
    blocks.resize((768, 1024), Image.Resampling.BICUBIC).save(out, "PNG", compress_level=1)
    file.write_bytes(out.getvalue())
    return image(file, title=f"{prompt.title} by {generator}", generator=generator, prompt=prompt)


def _reading(sign: TextSign | ImageSign, rng: random.Random) -> HSG:
    """Return a reading of six nodes with places."""
    nodes = {name: _semiosis(sign, rng) for name in ("root", "n1", "n2", "n3", "n4", "n5")}
    relations = [Relation(whole="root", part=name, relation="supports") for name in list(nodes)[1:]]
    return HSG(sign, nodes, relations, READER)


def _semiosis(sign: TextSign | ImageSign, rng: random.Random) -> Semiosis:
    place: Span | Box
    if isinstance(sign, TextSign):
        start = rng.randrange(len(sign.text) - 12)
        place = Span(start=start, end=start + 10, quote=sign.text[start : start + 10])
    else:
        x, y = rng.random() * 0.6, rng.random() * 0.6
        place = Box(x0=x, y0=y, x1=x + 0.3, y1=y + 0.3)
    texts = [" ".join(rng.choices(WORDS, k=6)) for _ in range(4)]
    grounds = Grounds(iconic=Ground(strength=rng.random()), symbolic=Ground(strength=rng.random()))
    return Semiosis(
        label=texts[0],
        sign=texts[1],
        object=texts[2],
        interpretant=texts[3],
        grounds=grounds,
        places=(place,),
    )


def _alignment(source: HSG, target: HSG, rng: random.Random) -> Any:
    mira = Evaluator(kind="person", name="Mira")
    fates = [
        StatedFate(node, "lost" if fate == "lost" else fate, () if fate == "lost" else (node,), "by chance")
        for node in source.semioses
        for fate in [rng.choice([f for f in FATES if f not in ("split", "merged", "diffused")])]
    ]
    return alignment_of_fates(source, target, fates, evaluator=mira, method="by hand")


def _verdicts(comparison: Comparison, cited: HSG, rng: random.Random) -> Iterator[Observation]:
    for name in PEOPLE:
        citation = Citation(hsg=cited.id, node="n1", stance="a", rationale=" ".join(rng.choices(WORDS, k=8)))
        yield Verdict(
            evaluator=Evaluator(kind="person", name=name),
            comparison=comparison.id,
            winner=rng.choice(("a", "b", "tie")),
            citations=(citation,),
        )


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _opened(browser: Callable[[], AbstractContextManager[Any]], index: Path) -> tuple[float, float]:
    """Return the seconds until the report is loaded and those of a filter, each the median of five."""
    loads, filters = [], []
    with browser() as tab:
        for _ in range(5):
            tab.open(index.as_uri())
            loads.append(tab.value(READY) / 1000)
            filters.append(tab.resolved(FILTER) / 1000)
    return sorted(loads)[2], sorted(filters)[2]


def main(n: int) -> None:
    """Print the times."""
    with tempfile.TemporaryDirectory() as folder:
        study = make_study(Path(folder) / "study", n, random.Random(0))
        out = Path(folder) / "report"
        print(f"{len(study.comparisons):,} comparisons, {len(study.signs):,} signs, {len(study.hsgs):,} HSGs")
        print(f"written first, images scaled   {_seconds(lambda: write_report(study, out)):7.1f} s")
        again = Path(folder) / "again"
        print(f"written again, images cached   {_seconds(lambda: write_report(study, again)):7.1f} s")
        size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
        print(f"first page {(out / 'index.html').stat().st_size / 1e6:.1f} MB, folder {size / 1e6:.0f} MB")
        for name, browser in (("Chromium", browser_page), ("Firefox", firefox_page)):
            load, filtered = _opened(browser, out / "index.html")
            print(f"{name}: usable after {load:.2f} s, filtered in {filtered:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
