"""Prompt files: loading, filling in settings, and fencing user material."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Literal

import yaml

from semiosis.files import data
from semiosis.values import UsageError

PromptVersion = Literal[1, 2]
"""The versions of the reading and judging prompts. Version 1 is kept to repeat published runs."""
CURRENT_PROMPTS: PromptVersion = 2
"""The version that is used by default."""

_HEADER_MARK = "---\n"
_SHORT_TAG = 8
"""Characters of the hash in the tags of version 1. They can be forged, but requests must not change."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """One file of `prompts/`. Only settings are filled in, never user material."""

    name: str
    """The file's name without its ending, such as `hsg-prompt`."""
    version: int
    """Increases whenever the wording changes."""
    why: str
    """What the prompt asks, and the reason for its wording."""
    body: str
    """The wording, with `$settings` to fill in."""

    @property
    def title(self) -> str:
        """Name and version, as recorded with interpreters and evaluators."""
        return f"{self.name}/{self.version}"

    def fill(self, **settings: str) -> str:
        """Return the wording with every setting filled in."""
        return Template(self.body).substitute(settings)


@lru_cache
def load_prompt(name: str, version: PromptVersion | None = None) -> PromptFile:
    """Return the prompt file of this name, by default its current version.

    Current versions are in `prompts/`, earlier ones in `prompts/<version>/`. Files that the header lists
    under `includes` are inserted into the wording: `hsg-terms` in place of `$hsg_terms`.

    >>> load_prompt("judge").title, load_prompt("judge", 1).title
    ('judge/2', 'judge/1')
    """
    prompt = _read_prompt(f"prompts/{name}.md", name)
    if version is None or version == prompt.version:
        return prompt
    return _read_prompt(f"prompts/{version}/{name}.md", name)


def _read_prompt(path: str, name: str) -> PromptFile:
    _, header, body = data(path).read_text("utf-8").split(_HEADER_MARK, 2)
    fields = yaml.safe_load(header)
    if fields["name"] != name:
        raise UsageError(
            f"the header of {path} has the name {fields['name']!r}",
            fix="use the same name for the file and in its header",
        )
    included = {part.replace("-", "_"): load_prompt(part).body for part in fields.get("includes", ())}
    wording = Template(body.strip()).safe_substitute(included)
    return PromptFile(name, fields["version"], fields["why"].strip(), wording)


def fence(tag: str, material: str, about: str = "", *, version: PromptVersion = CURRENT_PROMPTS) -> str:
    """Return material between tags that carry its SHA-256 hash, so that it cannot contain its closing tag.

    >>> fence("sign", "a lily", version=1)
    '<sign-d43d0486>\\na lily\\n</sign-d43d0486>'
    """
    digest = hashlib.sha256(material.encode()).hexdigest()
    name = f"{tag}-{digest[:_SHORT_TAG] if version == 1 else digest}"
    opening = f"{name} {about}" if about else name
    return f"<{opening}>\n{material}\n</{name}>"
