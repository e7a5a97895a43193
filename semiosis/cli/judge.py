"""`semiosis judge`: which of two artifacts keeps more of a prompt's meaning."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._inputs import sign_or_hsg
from semiosis.cli._output import show, show_json
from semiosis.cli._saving import check_store

if TYPE_CHECKING:
    from semiosis.values import HSG, ImageSign, Outcome, TextSign

    Case = list[HSG | TextSign | ImageSign]


@models.with_options
def judge(
    files: Annotated[
        list[str],
        typer.Argument(metavar="PROMPT A B", help="HSGs, images or text; only A and B with --prompt."),
    ],
    prompt: Annotated[str, typer.Option(help="The prompt: text, or an HSG in YAML or JSON.")] = "",
    as_text: Annotated[
        bool, typer.Option("--text", help="The prompt is a text, even if it looks like a path.")
    ] = False,
    judge: Annotated[
        str, typer.Option(help="The judge to use with --model; semiosis run --list shows all.")
    ] = "semjudge",
    embedder: Annotated[
        str, typer.Option(help="Without --model: the embedder that compares the texts.")
    ] = "wordllama",
    language: models.LanguageOption = "",
    journal: models.JournalOption = "",
    save: Annotated[
        str, typer.Option(help="Save HSGs and verdicts to this study folder or neo4j:// address.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON.")] = False,
    *,
    asked: models.ModelOptions,
    building: models.BuilderOptions,
    calls: models.CallOptions,
) -> None:
    """Compare two artifacts of one prompt by aligning their HSGs, or with a model that reads and judges.

    [bold]Examples[/bold]

    $ semiosis judge prompt.yaml a.yaml b.yaml

    $ semiosis judge --prompt "The Annunciation" a.png b.png --model anthropic/claude-sonnet-5
    """
    from semiosis.values import UsageError

    signs = [prompt, *files] if prompt else files
    if len(signs) != 3:
        raise UsageError("a comparison needs a prompt and two artifacts", fix="run semiosis judge PROMPT A B")
    check_store(save)
    case = [sign_or_hsg(what, as_text=as_text and what is signs[0]) for what in signs]
    if not asked.model:
        outcome, hsgs = _aligned(case, embedder)
        _save_and_show(outcome, case, hsgs, save, as_json)
        return
    from semiosis.study import EvaluatorOptions, find_judge
    from semiosis.values import HSG

    with models.asking(calls, journal) as asker:
        settings = {
            "language": models.language_of(language),
        }
        chosen_judge = find_judge(
            judge, EvaluatorOptions(asker, asked.required(), building.model(asked), settings=settings)
        ).judge
        asker.check(*chosen_judge.models)
        outcome = chosen_judge.compare(case[0], case[1], case[2])
    if not calls.dry_run:
        given = [what for what in case if isinstance(what, HSG)]
        _save_and_show(outcome, case, [*given, *outcome.readings], save, as_json)


def _aligned(case: "Case", embedder: str) -> "tuple[Outcome, list[HSG]]":
    from semiosis.judge import AlignmentJudge
    from semiosis.values import HSG, UsageError

    hsgs = [what for what in case if isinstance(what, HSG)]
    if len(hsgs) != 3:
        raise UsageError(
            "without a model, prompt and artifacts must be HSGs", fix="give YAML or JSON, or add --model"
        )
    return AlignmentJudge(embedder).compare(*hsgs), hsgs


def _save_and_show(outcome: "Outcome", case: "Case", hsgs: "Iterable[HSG]", save: str, as_json: bool) -> None:
    from semiosis.values import to_json

    if save:
        _save(outcome, case, hsgs, save)
    if as_json:
        verdicts = [json.loads(to_json(verdict)) for verdict in outcome.verdicts]
        show_json(verdicts[0] if len(verdicts) == 1 else verdicts)
        return
    first = outcome.verdicts[0]
    show(f"{_winner(outcome)}: {first.rationale} ({first.evaluator.name})")
    for verdict in outcome.verdicts:
        for citation in verdict.citations:
            show(f"  {verdict.shown}  {citation.node} for {citation.stance}: {citation.rationale}")
        for dropped in verdict.dropped:
            show(f"  {verdict.shown}  dropped {dropped.claim}: {dropped.reason}")


def _winner(outcome: "Outcome") -> str:
    from semiosis.values import Unscored

    winner = outcome.winner
    return f"unscored ({winner.reason}: {winner.detail})" if isinstance(winner, Unscored) else winner


def _save(outcome: "Outcome", case: "Case", hsgs: "Iterable[HSG]", where: str) -> None:
    from semiosis.store import open_store
    from semiosis.values import HSG, Comparison

    signs = [what.sign if isinstance(what, HSG) else what for what in case]
    comparison = Comparison(prompt=signs[0].id, a=signs[1].id, b=signs[2].id)
    with open_store(where) as store:
        store.save(*signs, *hsgs, comparison, *outcome.verdicts)
