"""Finds the prompt, the generator and the seed in the paths of pictures that no table names."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from semiosis.study._names import PICTURES, name_key

_OTHER_PICTURES = (".tif", ".tiff", ".bmp", ".heic", ".heif", ".avif", ".jxl", ".svg")
"""The suffixes of other picture formats, whose files are reported because they cannot be read."""
_SEPARATORS = re.compile(r"[/_\-. ]+")
_SEED = re.compile(r"(?:^|[/_\-. ]+)seed[_\-= ]?(\w+)$", re.IGNORECASE)

Layout = Literal["prompt first", "generator first", "prompt last"]
"""Where the prompt stands: `p1/sdxl.png` and `p1_sdxl.png`, `sdxl/p1.png`, or `sdxl_p1.png`."""
_LAYOUTS: tuple[Layout, ...] = ("prompt first", "generator first", "prompt last")


@dataclass(frozen=True)
class PictureFile:
    """A picture in a folder, with the prompt, the generator and the seed that its path names."""

    base: Path
    """The folder that the user named."""
    name: str
    """The path in that folder, with forward slashes."""
    prompt: str = ""
    """The key of the prompt; empty if the path names none."""
    generator: str = ""
    seed: str = ""
    place: tuple[int, int] = (0, 0)
    """Where the title names the prompt."""

    @property
    def path(self) -> Path:
        return self.base / self.name

    @property
    def title(self) -> str:
        """The path without its suffix."""
        return Path(self.name).with_suffix("").as_posix()

    def title_for(self, prompt: str) -> str:
        """Return the title that the picture of another prompt has in the same layout."""
        start, end = self.place
        return self.title[:start] + prompt + self.title[end:]


def find_pictures(folders: Sequence[Path], prompts: Collection[str]) -> list[PictureFile]:
    """Return the pictures in the folders. `prompts` are the keys of the prompts.

    The first layout that explains every path is used, so that a generator whose name contains the id of a
    prompt is not misread. If no layout explains all, each path is explained by the first that fits it.
    """
    files = [PictureFile(base, name) for base in folders for name in _pictures(base)]
    for layout in _LAYOUTS:
        explained = [_explain(file, layout, prompts) for file in files]
        if all(file.prompt for file in explained):
            break
    else:
        explained = [_first_explanation(file, prompts) for file in files]
    return [_with_folder(file, several=len(folders) > 1) for file in _without_shared_folder(explained)]


def _pictures(base: Path) -> Iterator[str]:
    """Yield the paths of the pictures in a folder, without hidden files such as those that macOS adds."""
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base)
        hidden = any(part.startswith(".") for part in name.parts)
        if path.suffix.lower() in (*PICTURES, *_OTHER_PICTURES) and path.is_file() and not hidden:
            yield name.as_posix()


def _first_explanation(file: PictureFile, prompts: Collection[str]) -> PictureFile:
    explanations = (_explain(file, layout, prompts) for layout in _LAYOUTS)
    return next((explained for explained in explanations if explained.prompt), file)


def _explain(file: PictureFile, layout: Layout, prompts: Collection[str]) -> PictureFile:
    """Return the file with what its path names in this layout; without a prompt if it does not fit."""
    plain = file.title
    cuts = [(cut.start(), cut.end()) for cut in _SEPARATORS.finditer(plain)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(plain)]
    if layout == "prompt first":
        starts = [0]
    elif layout == "generator first":
        starts = [start for start in starts if plain[:start].endswith("/")]
    else:
        ends = [len(plain)]
    fits = [
        (start, end)
        for start in starts
        for end in ends
        if start < end and name_key(plain[start:end]) in prompts
    ]
    if not fits:
        return file
    start, end = max(fits, key=lambda fit: fit[1] - fit[0])
    before, after = plain[:start].rstrip("/_-. "), plain[end:].lstrip("/_-. ")
    generator, seed = _generator_and_seed(after) if start == 0 else (before, _seed(after))
    key = name_key(plain[start:end])
    return replace(file, prompt=key, generator=generator, seed=seed, place=(start, end))


def _generator_and_seed(rest: str) -> tuple[str, str]:
    """Return the two parts of `sdxl/0`, `sdxl_seed0` or `sdxl`.

    A number alone is a seed only if it is a file in the folder of the generator: `dalle_3` is a generator.
    """
    if "/" in rest:
        generator, _, seed = rest.rpartition("/")
        return generator, _seed(seed)
    match = _SEED.search(rest)
    return (rest[: match.start()], match[1]) if match else (rest, "")


def _seed(text: str) -> str:
    match = _SEED.search(text)
    return match[1] if match and match.start() == 0 else text


def _without_shared_folder(files: list[PictureFile]) -> list[PictureFile]:
    """Return the files without the folders that all generators share, as in `images/sdxl`, `images/flux`."""
    generators = [file.generator for file in files]
    while len(set(generators)) > 1 and all("/" in name for name in generators):
        first, *others = {name.partition("/")[0] for name in generators}
        if others or not first:
            break
        generators = [name.partition("/")[2] for name in generators]
    return [replace(file, generator=name) for file, name in zip(files, generators, strict=True)]


def _with_folder(file: PictureFile, *, several: bool) -> PictureFile:
    """Return the file with the name of its folder as its generator, if there is one folder per generator."""
    folder = file.base.resolve().name
    return replace(file, generator=folder) if several and file.prompt and not file.generator else file
