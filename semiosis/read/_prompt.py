"""The prompts: files with a version and a reason in their head, filled with settings, not with user text."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from string import Template

import yaml

from semiosis.files import data
from semiosis.values import UsageError

_FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file."""

    name: str
    """Such as `hsg-prompt`."""
    version: int
    """Grows when the words change."""
    why: str
    """What it asks and why."""
    body: str
    """The words, with `$settings` to fill in."""

    @property
    def title(self) -> str:
        """Name and version, as interpreters and evaluators carry it."""
        return f"{self.name}/{self.version}"

    def filled(self, **settings: str) -> str:
        """The words with every setting filled in."""
        return Template(self.body).substitute(settings)


@lru_cache
def prompt(name: str) -> Prompt:
    """The prompt of this name from `prompts/`.

    >>> prompt("judge").title
    'judge/1'
    """
    text = data(f"prompts/{name}.md").read_text("utf-8")
    _, head, body = text.split(_FENCE, 2)
    fields = yaml.safe_load(head)
    if fields["name"] != name:
        raise UsageError(
            f"prompts/{name}.md calls itself {fields['name']!r}", fix="give file and head the same name"
        )
    return Prompt(name, fields["version"], fields["why"].strip(), body.strip())


def fenced(tag: str, material: str, about: str = "") -> str:
    """Material between tags it cannot close: the tag carries a hash of what stands inside.

    >>> fenced("sign", "a lily")
    '<sign-1ecd6bad>\\na lily\\n</sign-1ecd6bad>'
    """
    name = f"{tag}-{hashlib.sha256(material.encode()).hexdigest()[:8]}"
    head = f"{name} {about}" if about else name
    return f"<{head}>\n{material}\n</{name}>"
