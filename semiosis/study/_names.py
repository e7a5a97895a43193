"""Finds the signs of a study by the names that people use: titles, texts, file names, generators, ids."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from unicodedata import normalize

from semiosis.values import AnySign, Comparison, ImageSign, MissingSign, TextSign, parts_of

PICTURES = (".png", ".jpg", ".jpeg", ".jfif", ".webp", ".gif")
"""The suffixes of image files."""


def name_key(name: str) -> str:
    """Return a name in the form in which names are compared: lower case, no suffix and no leading zeros."""
    plain = normalize("NFC", name).strip().replace("\\", "/").removeprefix("./")
    suffix = next((end for end in PICTURES if plain.lower().endswith(end)), "")
    plain = plain[: len(plain) - len(suffix)].casefold()
    return (plain.lstrip("0") or "0") if plain.isdecimal() else plain


_MOST_EXAMPLES = 4
"""The number of names that the message about an unknown name states."""


class AmbiguousNameError(ValueError):
    """Raised for a name that several signs have."""


class MissingPictureError(ValueError):
    """Raised for the name of a picture that its generator failed to make, which nobody can have judged."""


class SignNames:
    """The prompts of a study and the artifacts of each prompt, by name."""

    def __init__(self, signs: Iterable[AnySign], comparisons: Iterable[Comparison] = ()) -> None:
        self.signs = {sign.id: sign for sign in signs}
        self.prompt_of = {sign.id: sign.prompt for sign in self.signs.values() if sign.prompt}
        for comparison in comparisons:
            for artifact in (comparison.a, comparison.b):
                self.prompt_of.setdefault(artifact, comparison.prompt)
        self._prompts: dict[str, set[str]] = {}
        self._artifacts: dict[tuple[str, str], set[str]] = {}
        self._generators = {name_key(sign.generator) for sign in self.signs.values() if sign.generator}
        self._paths: dict[tuple[str, str], set[str]] = {}
        """Artifacts by prompt and whole title, which is their path without a suffix."""
        self._examples: dict[str, list[str]] = {}
        """The first names of artifacts by prompt, and those of prompts by an empty text."""
        for sign in self.signs.values():
            self._index(sign)

    def _index(self, sign: AnySign) -> None:
        prompt = self.prompt_of.get(sign.id)
        if prompt is None or not isinstance(sign, ImageSign | MissingSign):
            for key in _keys(sign):
                self._prompts.setdefault(key, set()).add(sign.id)
            self._add_example("", sign.title or next(_texts(sign), ""))
        else:
            self._add_example(prompt, sign.generator or sign.title)
            for key in {*_keys(sign), *_generator_keys(sign)} - {""}:
                self._artifacts.setdefault((prompt, key), set()).add(sign.id)
                self._artifacts.setdefault(("", key), set()).add(sign.id)
            for owner in (prompt, ""):
                self._paths.setdefault((owner, name_key(sign.title)), set()).add(sign.id)

    def _add_example(self, prompt: str, name: str) -> None:
        examples = self._examples.setdefault(prompt, [])
        if name and name not in examples and len(examples) < _MOST_EXAMPLES:
            examples.append(name if len(name) <= 40 else f"{name[:39]}…")

    def _known(self, whose: str, prompt: str) -> str:
        """Return a remark that states the first names of the artifacts of a prompt, or of the prompts."""
        names = self._examples.get(prompt, [])
        more = ", …" if len(names) == _MOST_EXAMPLES else ""
        return f"; {whose} {', '.join(map(repr, names))}{more}" if names else ""

    def prompt(self, name: str) -> str:
        """Return the id of a prompt; raise ValueError if the name fits none or several."""
        found = self._prompts.get(name_key(name), set())
        if not found:
            raise ValueError(f"no prompt is called {name!r}{self._known('the study has', '')}")
        return _only_id(found, name)

    def artifact(self, name: str, prompt: str = "") -> str:
        """Return the id of an artifact, of this prompt if one is given; raise ValueError as `prompt` does."""
        found = self._find(name, prompt)
        if not found:
            known = self._known("this prompt has", prompt) if prompt else ""
            if prompt and name_key(name) in self._generators:
                raise ValueError(
                    f"{name!r} has no picture of this prompt{known}; if it made none, record that: add the "
                    "pictures again with --missing REASON"
                )
            if prompt and self._find(name, ""):
                raise ValueError(f"{name!r} is a picture of another prompt{known}")
            raise ValueError(f"no picture is called {name!r}{known}")
        return _only_id(found, name)

    def sign(self, name: str, prompt: str = "") -> str:
        """Return the id of an artifact, or of a prompt if no artifact has this name."""
        if name_key(name) in self._prompts and not self._find(name, prompt):
            return self.prompt(name)
        return self.artifact(name, prompt)

    def check_made(self, sign: str, name: str) -> None:
        """Raise MissingPictureError if a sign is a picture that was not made."""
        if isinstance(missing := self.signs[sign], MissingSign):
            raise MissingPictureError(f"{name!r} is a missing picture ({missing.reason})")

    def has(self, name: str) -> bool:
        """Return whether a sign has this name."""
        return name_key(name) in self._prompts or bool(self._find(name, ""))

    def _find(self, name: str, prompt: str) -> set[str]:
        key = name_key(name)
        found = self._artifacts.get((prompt, key), set())
        # A table may name a picture by a longer path than the study does, such as /data/images/p01_sdxl.png.
        while not found and "/" in key:
            key = name_key(key.partition("/")[2])
            found = self._paths.get((prompt, key), set())
        return found


def _generator_keys(sign: ImageSign | MissingSign) -> set[str]:
    """Return the names of an artifact by its generator: `sdxl` and, with a seed, `sdxl/2` and `sdxl_2`."""
    seeded = {f"{sign.generator}{mark}{sign.seed}" for mark in "/_ "} if sign.seed else set()
    return {name_key(name) for name in {sign.generator, *seeded}}


def _keys(sign: AnySign) -> set[str]:
    """Return the names of a sign: its id, title and texts, its file name, and the last part of a title."""
    paths = (sign.title, sign.path if isinstance(sign, ImageSign) else "")
    names = {sign.id, sign.title, *(PurePosixPath(path).name for path in paths), *_texts(sign)}
    return {name_key(name) for name in names if name}


def _texts(sign: AnySign) -> Iterator[str]:
    return (part.text for part in parts_of(sign) if isinstance(part, TextSign))


def _only_id(found: set[str], name: str) -> str:
    if len(found) > 1:
        raise AmbiguousNameError(
            f"{name!r} names {len(found)} signs; name one of them by its title, file name or id, or by "
            "generator and seed, such as sdxl/2"
        )
    return next(iter(found))
