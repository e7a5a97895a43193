"""`semiosis experiment`: run an experiment file over a study and print its tables."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._inputs import in_study
from semiosis.cli._output import TableFormat, remark
from semiosis.cli._progress import Tick, progress
from semiosis.cli._unscored import (
    UNSCORED_EXIT,
    UnscoredCounter,
    counted,
    explain_equal_readings,
    is_known_reading,
    result_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semiosis.ask import Asker
    from semiosis.study import ExperimentJudge, ExperimentTables, Study
    from semiosis.tables import Table


@models.with_options
def experiment(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")],
    file: Annotated[Path, typer.Argument(help="The experiment file (TOML), outside the study.")],
    base_url: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL=URL", help="Your own server for a model. May be repeated."),
    ] = None,
    tables_only: Annotated[
        bool, typer.Option("--tables-only", help="Make no calls; print the tables from the record.")
    ] = False,
    form: Annotated[TableFormat, typer.Option("--format", help="The format of the tables.")] = "text",
    *,
    calls: models.CallOptions,
    work: models.WorkOptions,
) -> None:
    """Run every judge of an experiment and print its tables. Run it again to continue where it stopped.

    The tables are those of SemJudge: judges against people, iconicity bias, and the ablation. The exit code
    is 3 if a result stays unscored.

    [bold]Examples[/bold]

    $ semiosis experiment STUDY experiment.toml --dry-run

    $ semiosis experiment STUDY experiment.toml --max-cost 50 --format latex > tables.tex
    """
    from semiosis.study import (
        experiment_judges,
        experiment_tables,
        read_experiment,
        read_study,
    )

    content = read_experiment(file, study)
    endpoints = _endpoints(base_url)
    opened = read_study(study)
    unscored = 0
    with models.asking(calls, opened.journal, retry_unscored=work.retry_unscored) as asker:
        judges = experiment_judges(opened, content, asker, endpoints)
        if not tables_only:
            asker.check(*(model for each in judges for model in each.judging.judge.models))
            unscored = _run(opened, judges, asker, work)
    if calls.dry_run:
        return
    _print(experiment_tables(read_study(study), content, judges), content.title, form)
    if unscored:
        remark(
            f"{counted(unscored, 'result')} stayed unscored; "
            f"{in_study('semiosis status STUDY', study)} shows where"
        )
        raise typer.Exit(UNSCORED_EXIT)


def _endpoints(options: list[str] | None) -> dict[str, str]:
    from semiosis.values import UsageError

    endpoints = {}
    for option in options or ():
        name, equals, url = option.partition("=")
        if not equals:
            raise UsageError(f"--base-url {option!r} has no '='", fix="write --base-url PROVIDER/MODEL=URL")
        endpoints[name.strip()] = url.strip()
    return endpoints


def _run(
    study: "Study",
    judges: "list[ExperimentJudge]",
    asker: "Asker",
    work: models.WorkOptions,
) -> int:
    """Run an experiment with one progress display per kind of work; return the number of unscored results."""
    from contextlib import ExitStack

    from semiosis.study import run_experiment

    counter = UnscoredCounter()
    steps: list[_Step] = []
    settled = equal = 0
    with ExitStack() as shown:

        def start(name: str, total: int, skipped: int) -> None:
            nonlocal settled
            settled += skipped
            shown.close()
            steps.append(_Step(name, shown.enter_context(progress(name, total, asker))))

        for result in run_experiment(
            study,
            judges,
            asker,
            retry_unscored=work.retry_unscored,
            **work.part,
            on_start=start,
        ):
            equal += steps[-1].name == "reading" and is_known_reading(study, result)
            steps[-1].count(unscored=counter.add(result) and not asker.dry_run)
    if asker.dry_run:
        counter.explain_dry_run(study.folder)
    else:
        explain_equal_readings(equal)
        for step in steps:
            thing, done = _RESULTS[step.name]
            remark(result_line("experiment", step.scored, thing, done, step.unscored))
        if "missing" in counter.reasons and any(map(_lacks_builder, judges)):
            remark('hint: to make them, add builder = "PROVIDER/MODEL" to the judge in the experiment file')
        counter.explain(study.folder, asker, f"{settled} verdicts and answers" * bool(settled))
    return counter.total + settled


@dataclass
class _Step:
    """The results of one step of an experiment."""

    name: str
    tick: Tick
    scored: int = 0
    unscored: int = 0

    def count(self, *, unscored: bool) -> None:
        """Count a result, and show the progress."""
        self.unscored += unscored
        self.scored += not unscored
        self.tick(unscored=unscored)


_RESULTS = {
    "reading": ("reading", "made"),
    "judging": ("comparison", "judged"),
    "answering": ("answer", "given"),
}
"""The noun and the participle with which the results of each step are counted."""


def _lacks_builder(judge: "ExperimentJudge") -> bool:
    """Return whether a judge uses readings that the experiment does not make."""
    return judge.judging.rule is not None and judge.row.builder is None


def _print(tables: "ExperimentTables", title: str, form: TableFormat) -> None:
    from semiosis.tables import RENDERERS, to_text

    width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
    if title and form == "text":
        sys.stdout.write(f"{title}\n\n")
    for table in _tables(tables):
        rendered = to_text(table, width) if form == "text" else RENDERERS[form](table)
        sys.stdout.write(rendered + "\n")
        for note in table.remarks if form == "csv" else ():  # CSV has no place for notes
            remark(note)
    for note in tables.notes:
        remark(note)


def _tables(tables: "ExperimentTables") -> "Iterator[Table]":
    from semiosis.tables import ablation_table, bias_table, judge_table

    yield judge_table(tables.judges)
    if tables.bias is not None:
        yield bias_table(tables.bias)
    if tables.ablation is not None:
        yield ablation_table(tables.ablation)
