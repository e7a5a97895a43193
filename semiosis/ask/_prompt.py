"""Prompt files: loading, filling in settings, and fencing user material."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from string import Template

import yaml

from semiosis.files import data
from semiosis.values import UsageError

_HEADER_MARK = "---\n"


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
def load_prompt(name: str) -> PromptFile:
    """Return the prompt file of this name.

    >>> load_prompt("judge").title
    'judge/1'
    """
    text = data(f"prompts/{name}.md").read_text("utf-8")
    _, header, body = text.split(_HEADER_MARK, 2)
    fields = yaml.safe_load(header)
    if fields["name"] != name:
        raise UsageError(
            f"the header of prompts/{name}.md has the name {fields['name']!r}",
            fix="use the same name for the file and in its header",
        )
    return PromptFile(name, fields["version"], fields["why"].strip(), body.strip())


def fence(tag: str, material: str, about: str = "") -> str:
    """Return material between tags that carry a hash of it, so that it cannot contain its own closing tag.

    >>> fence("sign", "a lily")
    '<sign-1ecd6bad>\\na lily\\n</sign-1ecd6bad>'
    """
    name = f"{tag}-{hashlib.sha256(material.encode()).hexdigest()[:8]}"
    opening = f"{name} {about}" if about else name
    return f"<{opening}>\n{material}\n</{name}>"
