"""The templates of pages: sandboxed, everything escaped, nothing on a page that its policy does not name."""

import base64
import hashlib
from functools import cache

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from semiosis.report._visible import visible_value


@cache
def environment() -> SandboxedEnvironment:
    """Where templates are found and how their values are escaped."""
    return SandboxedEnvironment(
        loader=PackageLoader("semiosis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible_value,
    )


def style_hash(style: str) -> str:
    """The hash by which a page's content policy allows its one style sheet."""
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
