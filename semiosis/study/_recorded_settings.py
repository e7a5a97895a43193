"""The result of an estimate of remaining work, and models and settings restored from a record."""

from dataclasses import dataclass

from semiosis.ask import STRUCTURED, Asker, Model
from semiosis.judge import Examinee
from semiosis.values import Parameters, UsageError

_SETTINGS = ("temperature", "max_tokens", "seed", "top_p", "logprobs", "top_logprobs")
_OPTIONS = ("temperature", "max_tokens", "structured")
"""Settings for which the command line has options."""
READER_PREFIX = "read prompt: "
"""The prefix of a SemJudge's parameters about the model that reads."""
MAX_PLANNED = 100
"""The number of items that a dry run plans. The cost of all items is extrapolated from them."""


@dataclass(frozen=True)
class RemainingWork:
    """What remains of one evaluator's work, and its cost."""

    command: str
    """The command that does the work."""
    calls: int | None
    """The number of calls that the command would make; None if the settings cannot be restored."""
    cost: float | None
    """The cost in US dollars; None if it is not known."""
    sampled: bool = False
    """Whether calls and cost are extrapolated from a part of the items."""


def changed_settings(parameters: Parameters, defaults: Parameters) -> Parameters:
    """Return the settings that differ from those of a command without options."""
    return {
        name: parameters[name]
        for name in _OPTIONS
        if name in parameters and parameters[name] != defaults.get(name)
    }


def setting_options(settings: Parameters) -> str:
    return "".join(f" --{name.replace('_', '-')} {value}" for name, value in settings.items())


def default_parameters(model: str) -> Parameters:
    """Return the parameters of a model's requests if no option is given."""
    return Examinee(Model(model)).evaluator(with_hsg=False).parameters


def with_prefix(parameters: Parameters, prefix: str) -> Parameters:
    return {name.removeprefix(prefix): parameters[name] for name in parameters if name.startswith(prefix)}


def recorded_model(name: str, parameters: Parameters) -> Model | None:
    """Return the model of this name without an endpoint; None if the name is not that of a model."""
    settings = {key: parameters[key] for key in _SETTINGS if key in parameters}
    structured = next((form for form in STRUCTURED if form == parameters.get("structured")), None)
    try:
        return Model(name, "", settings, structured)
    except UsageError:
        return None


def extrapolated(command: str, asker: Asker, n: int) -> RemainingWork:
    """Return the calls of a dry run and their cost, extrapolated to all items."""
    spent, share = asker.budget.spent, max(n / MAX_PLANNED, 1.0)
    cost = None if spent.cost is None else spent.cost * share
    return RemainingWork(command, round(spent.calls * share), cost, sampled=n > MAX_PLANNED)
