"""The request that a reading sends, in the version of the prompts that the settings name."""

from semiosis.ask import AnySign, Request
from semiosis.read import _form, _form_v1, _request_v1, _request_v2
from semiosis.read._settings import ReadingSettings
from semiosis.values import HSG, ImageSign

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
