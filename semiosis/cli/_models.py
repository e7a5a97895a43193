"""The options of commands that ask a model, and the model and the asker that these options describe."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._inputs import detail_of
from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.ask import Asker, Model
    from semiosis.study import ReadingRule, Study


ModelOption = Annotated[
    str, typer.Option("--model", help="The model: provider/model or local/<folder or hub id>.")
]
BaseUrlOption = Annotated[
    str,
    typer.Option(
        help="Your own server for --model; it receives SEMIOSIS_API_KEY, never a provider's key. "
        "Several addresses of one model, separated by commas, share the work."
    ),
]
BuilderBaseUrlOption = Annotated[
    str,
    typer.Option(help="Your own server for --builder; by default --base-url if the provider is the same."),
]
StructuredOption = Annotated[
    str,
    typer.Option(
        "--structured",
        help="How the schema reaches the model: tools, schema (response_format: json_schema, as vLLM and "
        "SGLang expect it) or native (Anthropic).",
    ),
]
MaxTokensOption = Annotated[
    int, typer.Option(min=0, help="The maximum length of a reply in tokens; 0 for the default.")
]
TemperatureOption = Annotated[
    float, typer.Option(min=-1, help="The sampling temperature; negative for the provider's default.")
]
MaxCostOption = Annotated[
    float, typer.Option(min=0, help="Stop before the cost exceeds this many US dollars; 0 for no limit.")
]
PricesOption = Annotated[
    str, typer.Option("--prices", help="A TOML file with your own prices per million tokens.")
]
InFlightOption = Annotated[
    int, typer.Option(min=1, help="The maximum number of calls in flight to each server.")
]
TimeoutOption = Annotated[float, typer.Option(min=1, help="The maximum time of one call in seconds.")]
BatchOption = Annotated[
    bool, typer.Option("--batch", help="Send requests in batches, at half the price (Anthropic).")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Make no calls; count them and estimate their cost.")
]
LimitOption = Annotated[int, typer.Option(min=0, help="The maximum number of items to process; 0 for all.")]
ShuffleOption = Annotated[
    int,
    typer.Option(help="Process the items in a random order with this seed; negative for the recorded order."),
]
RetryUnscoredOption = Annotated[
    bool,
    typer.Option("--retry-unscored", help="Ask again where the model refused or its reply was unusable."),
]
RunNameOption = Annotated[str, typer.Option("--name", help="The name of the run in the record.")]
GivenOption = Annotated[
    bool, typer.Option("--given", help="Align readings that were given the prompt, not blind ones.")
]
BuilderOption = Annotated[str, typer.Option(help="The model that reads; by default the model that judges.")]
JournalOption = Annotated[
    str, typer.Option(help="The reply journal; by default in the study or in your cache folder.")
]

LanguageOption = Annotated[
    str,
    typer.Option(
        "--language",
        help="Language of graphs and rationales, such as en, de or zh; the study's by default, else en.",
    ),
]


def language_of(language: str, study: "Study | None" = None) -> str:
    """Return the language to read and judge in."""
    from semiosis.ask import DEFAULT_LANGUAGE

    if study is None:
        return language or DEFAULT_LANGUAGE
    return study.language_for(language)


def reading_rule(
    interpreter: str = "",
    *,
    given: bool = False,
    detail: str = "",
    language: str = "",
) -> "ReadingRule":
    """Return the rule that selects the readings that the options describe."""
    from semiosis.study import ReadingRule

    return ReadingRule(
        interpreter=interpreter,
        given=given,
        detail=detail_of(detail) if detail else None,
        language=language,
    )


def model_of(
    name: str, base_url: str = "", max_tokens: int = 0, temperature: float = -1.0, structured: str = ""
) -> "Model":
    """Return the model that the options describe."""
    from semiosis.ask import STRUCTURED, Model
    from semiosis.values import UsageError

    if not name:
        raise UsageError(
            "no model was named", fix="add --model provider/model, such as --model anthropic/claude-sonnet-5"
        )
    form = next((form for form in STRUCTURED if form == structured), None)
    if structured and form is None:
        raise UsageError(f"--structured {structured!r} is unknown", fix=f"choose {', '.join(STRUCTURED)}")
    parameters = {"max_tokens": max_tokens} if max_tokens else {}
    settings = parameters if temperature < 0 else {**parameters, "temperature": temperature}
    group, urls = _servers(base_url)
    first, *replicas = urls or [""]
    return Model(name, first, settings, form, tuple(replicas), group=group)


def _servers(base_url: str) -> tuple[str, list[str]]:
    """Return the name and the URLs of an option, such as `cluster=http://a/v1,http://b/v1`."""
    from semiosis.values import UsageError

    group, equals, addresses = base_url.rpartition("=")
    urls = [url.strip() for url in addresses.split(",")] if base_url else []
    if not all(urls) or (equals and not group):
        raise UsageError(
            f"--base-url {base_url!r} has an empty address or name",
            fix="give one URL, or several separated by commas, with a name in front: NAME=URL,URL",
        )
    return group, urls


def builder_of(
    name: str,
    model: "Model",
    base_url: str = "",
    max_tokens: int = 0,
    temperature: float = -1.0,
    structured: str = "",
) -> "Model | None":
    """Return the model that reads, or None if it is the model that judges.

    A builder of another provider does not inherit the base URL, which belongs to the judge's provider.
    """
    if not name:
        return None
    same_provider = name.partition("/")[0] == model.provider
    if same_provider and not base_url:
        name_part = f"{model.group}=" if model.group else ""
        base_url = name_part + ",".join((model.base_url, *model.replicas)) if model.base_url else ""
    return model_of(name, base_url, max_tokens, temperature, structured if same_provider else "")


@contextmanager
def asking(
    journal: str | Path = "",
    *,
    max_cost: float = 0.0,
    prices: str = "",
    in_flight: int = 16,
    timeout: float = 600.0,
    batch: bool = False,
    dry_run: bool = False,
    retry_unscored: bool = True,
) -> Iterator["Asker"]:
    """Yield an asker for one command. Every paid reply is on disk at the end, even after Ctrl-C."""
    from semiosis.ask import Asker, wait_for

    asker = Asker(
        journal or None,
        max_cost=max_cost or None,
        prices=prices or None,
        in_flight=in_flight,
        timeout=timeout,
        batch=batch,
        dry_run=dry_run,
        retry_unscored=retry_unscored,
    )
    stopped = planned = False
    try:
        with _warnings_shown():
            yield asker
        planned = dry_run
    except KeyboardInterrupt:
        stopped = True
        remark("stopping after the calls in flight; press Ctrl-C again to stop at once", style="yellow")
        raise typer.Exit(130) from None
    finally:
        try:
            wait_for(asker.close())
        except KeyboardInterrupt:
            remark("stopped at once: the replies to the calls in flight are lost", style="yellow")
            raise typer.Exit(130) from None
        if planned or asker.budget.used:
            remark(("a run would make about " if dry_run else "") + str(asker.budget))
        if stopped:
            remark("every reply so far is kept; run the same command again to continue", style="yellow")


@contextmanager
def _warnings_shown() -> Iterator[None]:
    """Show the warnings of the request layer, such as long waits, on standard error."""
    logger, handler = logging.getLogger("semiosis.ask"), _Remarks(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Remarks(logging.Handler):
    """Writes warnings as remarks, at most one a second, because many calls may have the same warning."""

    _next = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        """Write one warning."""
        if record.created >= self._next:
            self._next = record.created + 1.0
            remark(record.getMessage(), style="yellow")
