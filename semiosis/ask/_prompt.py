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

    Files that the header lists under `includes` are inserted into the wording: `hsg-terms` in place of
    `$hsg_terms`.

    >>> load_prompt("judge").title
    'judge/3'
    """
    path = f"prompts/{name}.md"
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


def fence(tag: str, material: str, about: str = "") -> str:
    """Return material between tags that carry its SHA-256 hash, so that it cannot contain its closing tag.

    >>> print(fence("sign", "a lily"))  # doctest: +ELLIPSIS
    <sign-d43d0486...>
    a lily
    </sign-d43d0486...>
    """
    name = f"{tag}-{hashlib.sha256(material.encode()).hexdigest()}"
    opening = f"{name} {about}" if about else name
    return f"<{opening}>\n{material}\n</{name}>"
