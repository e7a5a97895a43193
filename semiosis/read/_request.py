"""The request that a reading sends, with the version of the prompts that the settings name."""

from functools import lru_cache

from semiosis.ask import Request
from semiosis.read import _form, _form_v1, _request_v1, _request_v2
from semiosis.read._settings import ReadingSettings
from semiosis.values import (
    HSG,
    AnySign,
    Grounds,
    ImageSign,
    Interpreter,
    Primitive,
    Reading,
    Semiosis,
    TextSign,
)

AnyGraph = _form_v1.Graph | _form.Graph
AnyJointGraphs = _form_v1.JointGraphs | _form.JointGraphs

_VERSIONS = {1: _request_v1, 2: _request_v2}


def reading_request(sign: AnySign, given: HSG | None, settings: ReadingSettings) -> Request[AnyGraph]:
    """Return the request that reads one sign, blind or given a prompt's HSG."""
    request: Request[AnyGraph] = _VERSIONS[settings.prompts].reading_request(sign, given, settings)
    return request


def joint_request(
    first: ImageSign, second: ImageSign, given: HSG, settings: ReadingSettings
) -> Request[AnyJointGraphs]:
    """Return the request that reads two artifacts in one call (SemJudge, algorithm C.1)."""
    request: Request[AnyJointGraphs] = _VERSIONS[settings.prompts].joint_request(
        first, second, given, settings
    )
    return request


def text_identity(settings: ReadingSettings) -> dict[str, Primitive]:
    """Return what identifies the requests that read a text blind."""
    identity: dict[str, Primitive] = (
        _VERSIONS[settings.prompts].reading_template(_EXAMPLE_TEXT, None, settings).identity
    )
    return identity


def image_identity(settings: ReadingSettings, *, given: bool) -> dict[str, Primitive]:
    """Return what identifies the requests that read an image, blind or given a prompt's HSG."""
    prompt = _example_hsg() if given else None
    identity: dict[str, Primitive] = (
        _VERSIONS[settings.prompts].reading_template(_EXAMPLE_IMAGE, prompt, settings).identity
    )
    return identity


def joint_identity(settings: ReadingSettings) -> dict[str, Primitive]:
    """Return what identifies the requests that read two images in one call."""
    identity: dict[str, Primitive] = (
        _VERSIONS[settings.prompts].joint_template(_EXAMPLE_IMAGE, _example_hsg(), settings).identity
    )
    return identity


# Instructions and form depend on the kind of a sign, not on the sign itself. The form of a given reading
# lists the nodes of the prompt's HSG, so the identity always uses the same HSG.
_EXAMPLE_TEXT = TextSign(text="a text")
_EXAMPLE_IMAGE = ImageSign(sha256="0" * 64, width=1, height=1, media_type="image/png", path="")


@lru_cache(maxsize=1)
def _example_hsg() -> HSG:
    words = {"label": "root", "sign": "a text", "object": "a thing", "interpretant": "a thought"}
    reading = Reading(interpreter=Interpreter(kind="program", name="identity"))
    return HSG(_EXAMPLE_TEXT, {"root": Semiosis.model_validate({**words, "grounds": Grounds()})}, [], reading)
