"""A stand-in model provider and a guard against network access, for our tests and for the tests of users."""

from semiosis.testing._answers import answers_from, fates_by_label, wire
from semiosis.testing._forbid import NetworkForbiddenError, only_loopback
from semiosis.testing._standin import StandIn
from semiosis.testing._step import (
    AnswerStep,
    Call,
    DisconnectStep,
    HTTPErrorStep,
    RawResponseStep,
    Script,
    Step,
    busy,
    cut_off,
    empty,
    refuses,
    says,
)

__all__ = [
    "AnswerStep",
    "Call",
    "DisconnectStep",
    "HTTPErrorStep",
    "NetworkForbiddenError",
    "RawResponseStep",
    "Script",
    "StandIn",
    "Step",
    "answers_from",
    "busy",
    "cut_off",
    "empty",
    "fates_by_label",
    "only_loopback",
    "refuses",
    "says",
    "wire",
]
