"""The sandboxed, escaping Jinja environment of the pages, and their content security policy."""

import base64
import hashlib
from functools import cache
from importlib import resources

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from semiosis.files import visible


@cache
def environment() -> SandboxedEnvironment:
    """Return the environment that finds templates and escapes their values."""
    return SandboxedEnvironment(
        loader=PackageLoader("semiosis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )


def _finalize(value: object) -> object:
    """Return a template value, with `visible` applied to text. Jinja calls this before escaping."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def style_sheet(name: str) -> str:
    """Return the style sheet of a page: the shared rules, followed by its own."""
    folder = resources.files("semiosis.report").joinpath("templates")
    return "\n".join(folder.joinpath(file).read_text("utf-8") for file in ("page.css", name))


def render_page(
    template: str, style: str, *, script: str = "", image_source: str = "data:", **values: object
) -> str:
    """Return a complete page. Its content security policy allows this style, this script and nothing else.

    `image_source` states where images may come from: `data:` for embedded images, `'self'` for files next to
    the page.
    """
    return (
        environment()
        .get_template(template)
        .render(
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
            image_source=Markup(image_source),  # noqa: S704  # a constant of the caller, with quotes
            **values,
        )
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def template_file(name: str) -> str:
    """Return the text of a script or style sheet."""
    return resources.files("semiosis.report").joinpath("templates", name).read_text("utf-8")
