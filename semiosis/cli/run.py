"""`semiosis run`: a model judges a whole study, resumable, with progress and cost."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import remark, show


def run(
    study: Annotated[str, typer.Argument(help="The study folder.")],
    judge: Annotated[
        str, typer.Option(help="semjudge, semjudge:published, direct or root-only.")
    ] = "semjudge",
    model: models.ModelName = "",
    builder: Annotated[str, typer.Option(help="Another model that reads; the judge's own by default.")] = "",
    detail: Annotated[str, typer.Option(help="standard or complex.")] = "standard",
    repeats: Annotated[int, typer.Option(help="How often to ask everything; 0 for what the judge does.")] = 0,
    reuse_readings: Annotated[
        bool, typer.Option("--reuse-readings", help="Repeats judge the same readings.")
    ] = False,
    name: Annotated[str, typer.Option(help="Name of the run in the record.")] = "",
    base_url: models.BaseUrl = "",
    builder_base_url: models.BuilderBaseUrl = "",
    max_tokens: models.MaxTokens = 0,
    temperature: models.Temperature = -1.0,
    max_cost: models.MaxCost = 0.0,
    prices: models.PriceFile = "",
    in_flight: models.InFlight = 16,
    batch: models.Batch = False,
    dry_run: models.DryRun = False,
) -> None:
    """Let a model read and judge every comparison of a study. Run it again to go on where it stopped.

    [bold]Examples[/bold]

    $ semiosis run STUDY --model anthropic/claude-sonnet-5 --dry-run

    $ semiosis run STUDY --model anthropic/claude-sonnet-5 --max-cost 20
    """
    from semiosis.files import HIDDEN
    from semiosis.judge import SemJudge
    from semiosis.study import read_study, run_judge, unjudged
    from semiosis.values import Unscored

    opened = read_study(study)
    changes = {
        "detail": detail,
        "reuse_readings": reuse_readings,
        **({"repeats": repeats} if repeats else {}),
    }
    journal = Path(study) / HIDDEN / "replies.sqlite"
    with models.asking(
        journal, max_cost=max_cost, prices=prices, in_flight=in_flight, batch=batch, dry_run=dry_run
    ) as asker:
        asked = models.model_of(model, base_url, max_tokens, temperature)
        reads = models.builder_of(builder, asked, builder_base_url, max_tokens, temperature)
        judging = SemJudge(asked, preset=judge, builder=reads, asker=asker, **changes)
        todo = len(unjudged(opened, judging))
        remark(f"{todo} of {len(opened.comparisons)} comparisons to judge with {judging.evaluator.name}")
        unscored = 0
        with models.progress("judging", todo, asker) as tick:
            for outcome in run_judge(
                opened, judging, run=name or _run_name(judging.evaluator.name), record=not dry_run
            ):
                unscored += isinstance(outcome.winner, Unscored)
                tick()
    if not dry_run:
        show(f"{todo} comparisons judged, {unscored} of them unscored")


def _run_name(evaluator: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in evaluator)
