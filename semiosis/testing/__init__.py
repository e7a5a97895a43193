"""Stand-ins for model providers and a switch that keeps tests on this machine: public, for your own tests."""

from semiosis.testing._forbid import NetworkForbiddenError, only_loopback
from semiosis.testing._scholar import fates_by_label, scholar, wire
from semiosis.testing._standin import StandIn
from semiosis.testing._step import (
    Call,
    Fails,
    HangsUp,
    Says,
    Script,
    Sends,
    Step,
    busy,
    cut_off,
    empty,
    refuses,
    says,
)

__all__ = [
    "Call",
    "Fails",
    "HangsUp",
    "NetworkForbiddenError",
    "Says",
    "Script",
    "Sends",
    "StandIn",
    "Step",
    "busy",
    "cut_off",
    "empty",
    "fates_by_label",
    "only_loopback",
    "refuses",
    "says",
    "scholar",
    "wire",
]
