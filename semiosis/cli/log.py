"""`semiosis log`: the exchanges with models, as requests and replies."""

import html
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._inputs import in_study
from semiosis.cli._output import OverwriteOption, remark, show
from semiosis.cli._unscored import counted

if TYPE_CHECKING:
    from semiosis.ask import Attempt, Exchange

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Semiosis log</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body {{ font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; padding: 0.8rem; }}</style>
<h1>{title}</h1>
{body}
</html>
"""


def log(
    study: Annotated[
        str, typer.Argument(metavar="STUDY", help="A study folder, or the file of a reply journal.")
    ],
    key: Annotated[str, typer.Argument(metavar="ID", help="Show this exchange in full.")] = "",
    unscored: Annotated[
        bool, typer.Option("--unscored", help="List only exchanges without a usable answer.")
    ] = False,
    page: Annotated[str, typer.Option("--html", help="Write all exchanges in full to this HTML file.")] = "",
    overwrite: OverwriteOption = False,
) -> None:
    """List the exchanges with models, or show one in full: what was sent and every reply.

    [bold]Examples[/bold]

    $ semiosis log STUDY --unscored

    $ semiosis log STUDY 3f2a90c1

    $ semiosis log STUDY --html log.html
    """
    from semiosis.ask import read_exchanges
    from semiosis.files import HIDDEN_FOLDER, atomic_write, output_file
    from semiosis.values import UsageError

    given = Path(study)
    journal = given / HIDDEN_FOLDER / "replies.sqlite" if given.is_dir() else given
    found = list(read_exchanges(journal, key=key, unscored=unscored))
    if key and not found:
        raise UsageError(
            f"no exchange has an id that begins with {key!r}",
            fix=in_study("run semiosis log STUDY to list the ids", study),
        )
    if page:
        atomic_write(output_file(page, overwrite=overwrite), _page(found))
        remark(f"{counted(len(found), 'exchange')} written to {page}")
        return
    for exchange in found:
        for line in _in_full(exchange) if key else [_summary(exchange)]:
            show(line)
    if not key:
        one = in_study("semiosis log STUDY ID", study)
        remark(f"{counted(len(found), 'exchange')}; {one} shows one in full")


def _summary(exchange: "Exchange") -> str:
    last = exchange.attempts[-1]
    replies = "1 reply" if len(exchange.attempts) == 1 else f"{len(exchange.attempts)} replies"
    return f"{exchange.key[:12]}  {_state(exchange)}  {replies}  {_facts(last)}"


def _state(exchange: "Exchange") -> str:
    return "answered" if exchange.answered else "unscored"


def _facts(attempt: "Attempt") -> str:
    cost = "cost unknown" if attempt.cost is None else f"${attempt.cost:.4f}"
    estimate = " (estimated)" if attempt.is_estimate else ""
    tokens = f"{attempt.input_tokens} + {attempt.output_tokens} tokens"
    served = attempt.served or "an unnamed model"
    return (
        f"{attempt.at:%Y-%m-%d %H:%M:%S} UTC  {attempt.model} served as {served}  {tokens}  {cost}{estimate}"
    )


def _in_full(exchange: "Exchange") -> list[str]:
    """Return the lines that show an exchange."""
    settings = ", ".join(f"{name} {value}" for name, value in exchange.settings.items())
    lines = [f"exchange {exchange.key}", f"settings: {settings or 'none'}", "", "SENT"]
    sent = [exchange.system, *exchange.parts] if exchange.parts or exchange.system else ["(not recorded)"]
    lines += [line for part in sent for line in part.splitlines()]
    for attempt in exchange.attempts:
        if attempt.complaint:
            lines += [
                "",
                "SENT AGAIN, with the reply and what is wrong with it",
                *attempt.complaint.splitlines(),
            ]
        lines += ["", f"REPLY {attempt.number}, {attempt.state}: {_facts(attempt)}"]
        lines += attempt.reply.splitlines()
    if exchange.failure:
        lines += ["", "UNSCORED", *exchange.failure.splitlines()]
    return lines


def _page(exchanges: "list[Exchange]") -> str:
    """Return a page that loads nothing and runs nothing."""
    from semiosis.files import visible

    blocks = []
    for exchange in exchanges:
        text = "\n".join(visible(line) for line in _in_full(exchange))
        heading = f"{exchange.key[:12]}: {_state(exchange)}"
        blocks.append(f"<h2>{html.escape(heading)}</h2>\n<pre>{html.escape(text)}</pre>")
    title = f"{counted(len(exchanges), 'exchange')} with models"
    return _PAGE.format(title=title, body="\n".join(blocks))
