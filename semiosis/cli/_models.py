"""The options of commands that ask a model, and the model and the asker that these options describe."""

import inspect
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, get_type_hints

import typer

from semiosis.cli._inputs import detail_of
from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.ask import Asker, Model
    from semiosis.study import ReadingRule, Study


@dataclass(frozen=True)
class ModelOptions:
    """The options that name a model and its settings."""

    model: Annotated[
        str, typer.Option("--model", help="The model: provider/model or local/<folder or hub id>.")
    ] = ""
    base_url: Annotated[
        str,
        typer.Option(
            help="Your own server for --model; it receives SEMIOSIS_API_KEY, never a provider's key. "
            "Several addresses of one model, separated by commas, share the work."
        ),
    ] = ""
    structured: Annotated[
        str,
        typer.Option(
            "--structured",
            help="How the schema reaches the model: tools, schema (response_format: json_schema, as vLLM "
            "and SGLang expect it) or native (Anthropic).",
        ),
    ] = ""
    max_tokens: Annotated[
        int, typer.Option(min=0, help="The maximum length of a reply in tokens; 0 for the default.")
    ] = 0
    temperature: Annotated[
        float, typer.Option(min=-1, help="The sampling temperature; negative for the provider's default.")
    ] = -1.0

    def required(self) -> "Model":
        """Return the model that the options describe."""
        from semiosis.ask import STRUCTURED, Model
        from semiosis.values import UsageError

        if not self.model:
            raise UsageError(
                "no model was named",
                fix="add --model provider/model, such as --model anthropic/claude-sonnet-5",
            )
        form = next((form for form in STRUCTURED if form == self.structured), None)
        if self.structured and form is None:
            raise UsageError(
                f"--structured {self.structured!r} is unknown", fix=f"choose {', '.join(STRUCTURED)}"
            )
        parameters = {"max_tokens": self.max_tokens} if self.max_tokens else {}
        settings = parameters if self.temperature < 0 else {**parameters, "temperature": self.temperature}
        group, urls = _servers(self.base_url)
        first, *replicas = urls or [""]
        return Model(self.model, first, settings, form, tuple(replicas), group=group)

    def optional(self) -> "Model | None":
        """Return the model, or None if no model is named."""
        return self.required() if self.model else None


@dataclass(frozen=True)
class BuilderOptions:
    """The options that name another model for reading."""

    builder: Annotated[str, typer.Option(help="The model that reads; by default the model that judges.")] = ""
    builder_base_url: Annotated[
        str,
        typer.Option(
            help="Your own server for --builder; by default --base-url if the provider is the same."
        ),
    ] = ""

    def model(self, judging: ModelOptions) -> "Model | None":
        """Return the model that reads, or None if it is the model that judges.

        A builder of another provider does not inherit the base URL, which belongs to the judge's provider.
        """
        if not self.builder or not judging.model:
            return None
        same_provider = self.builder.partition("/")[0] == judging.model.partition("/")[0]
        inherited = judging.base_url if same_provider else ""
        return replace(
            judging,
            model=self.builder,
            base_url=self.builder_base_url or inherited,
            structured=judging.structured if same_provider else "",
        ).required()


@dataclass(frozen=True)
class CallOptions:
    """The options that limit the calls to models and their cost."""

    max_cost: Annotated[
        float, typer.Option(min=0, help="Stop before the cost exceeds this many US dollars; 0 for no limit.")
    ] = 0.0
    prices: Annotated[
        str, typer.Option("--prices", help="A TOML file with your own prices per million tokens.")
    ] = ""
    in_flight: Annotated[
        int, typer.Option(min=1, help="The maximum number of calls in flight to each server.")
    ] = 16
    batch: Annotated[
        bool, typer.Option("--batch", help="Send requests in batches, at half the price (Anthropic).")
    ] = False
    timeout: Annotated[float, typer.Option(min=1, help="The maximum time of one call in seconds.")] = 600.0
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Make no calls; count them and estimate their cost.")
    ] = False


@dataclass(frozen=True)
class WorkOptions:
    """The options that select the part of a study's work that a run does."""

    retry_unscored: Annotated[
        bool,
        typer.Option("--retry-unscored", help="Ask again where the model refused or its reply was unusable."),
    ] = False
    limit: Annotated[int, typer.Option(min=0, help="The maximum number of items to process; 0 for all.")] = 0
    shuffle: Annotated[
        int,
        typer.Option(
            help="Process the items in a random order with this seed; negative for the recorded order."
        ),
    ] = -1

    @property
    def part(self) -> "WorkPart":
        """The limit and the seed of the order; None where the option was left out."""
        return {"limit": self.limit or None, "shuffle": None if self.shuffle < 0 else self.shuffle}


class WorkPart(TypedDict):
    """The part of a plan that a run does."""

    limit: int | None
    """The maximum number of items; None for all."""
    shuffle: int | None
    """The seed of a random order; None for the recorded order."""


RunNameOption = Annotated[str, typer.Option("--name", help="The name of the run in the record.")]
JournalOption = Annotated[
    str, typer.Option(help="The reply journal; by default in the study or in your cache folder.")
]
GivenOption = Annotated[
    bool, typer.Option("--given", help="Align readings that were given the prompt, not blind ones.")
]
LanguageOption = Annotated[
    str,
    typer.Option(
        "--language",
        help="Language of graphs and rationales, such as en, de or zh; the study's by default, else en.",
    ),
]


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose parameters of option classes, such as `ModelOptions`, become their options.

    Typer knows only plain parameters, so that each command would have to repeat the options of all classes.
    """
    plain = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in plain.parameters.items()
        if is_dataclass(parameter.annotation)
    }

    @wraps(command)
    def call(**arguments: Any) -> None:
        for name, group in groups.items():
            arguments[name] = group(**{field.name: arguments.pop(field.name) for field in fields(group)})
        command(**arguments)

    parameters = [
        option
        for name, parameter in plain.parameters.items()
        for option in (_parameters_of(groups[name]) if name in groups else (parameter,))
    ]
    keywords = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    call.__signature__ = plain.replace(parameters=keywords)  # type: ignore[attr-defined]  # what Typer reads
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in keywords}
    return call


def _parameters_of(group: type) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )


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


@contextmanager
def asking(calls: CallOptions, journal: str | Path = "", *, retry_unscored: bool = True) -> Iterator["Asker"]:
    """Yield an asker for one command. Every paid reply is on disk at the end, even after Ctrl-C."""
    from semiosis.ask import Asker, wait_for

    dry_run = calls.dry_run
    asker = Asker(
        journal or None,
        max_cost=calls.max_cost or None,
        prices=calls.prices or None,
        in_flight=calls.in_flight,
        timeout=calls.timeout,
        batch=calls.batch,
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
