"""`semiosis align`: align every prompt of a study with its artifacts, and audit an embedder."""

import shutil
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from semiosis.cli import _aligning as aligning
from semiosis.cli import _models as models
from semiosis.cli._inputs import in_study
from semiosis.cli._output import remark, show
from semiosis.cli._progress import progress
from semiosis.cli._unscored import UNSCORED_EXIT, UnscoredCounter, result_line
from semiosis.cli.agreement import LanguageOption
from semiosis.cli.run import run_name

if TYPE_CHECKING:
    from semiosis.align import Aligner, ModelAligner
    from semiosis.study import HSGPairs, ReadingRule, Study


@models.with_options
def align(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")],
    embedder: aligning.EmbedderOption = "wordllama",
    weights: aligning.WeightsOption = None,
    audit: Annotated[
        int,
        typer.Option(min=0, help="Audit the embedder on this many random pairs, which --model also aligns."),
    ] = 0,
    seed: Annotated[int, typer.Option(help="Seed of the random pairs of an audit.")] = 0,
    interpreter: Annotated[
        str, typer.Option(help="Only readings by this reader; all readers by default.")
    ] = "",
    given: models.GivenOption = False,
    detail: Annotated[
        str, typer.Option(help="Only readings with this level of detail: standard or complex.")
    ] = "",
    language: LanguageOption = "",
    repeat: Annotated[
        int, typer.Option(min=0, help="With --model: which independent alignment; 0 is the first.")
    ] = 0,
    by_hand: Annotated[
        bool,
        typer.Option("--by-hand", help="Write forms in which a person states the fates; align nothing."),
    ] = False,
    out: Annotated[str, typer.Option(help="With --by-hand: the folder of the forms.")] = "fates",
    name: models.RunNameOption = "",
    *,
    asked: models.ModelOptions,
    calls: models.CallOptions,
    work: models.WorkOptions,
) -> None:
    """Align every prompt of a study with its artifacts. Run it again to continue where it stopped.

    Without --model, an embedder compares wording, which is a screening method. With --model, a model states
    the fate of every node. With --audit, the embedder aligns all pairs, the model aligns a random sample, and
    the command reports how far they agree.

    With --by-hand, the command writes one YAML form for each pair. Fill it in, and save it with
    `semiosis store save STUDY FILE`.

    The exit code is 3 if a pair stays unaligned.

    [bold]Examples[/bold]

    $ semiosis align STUDY

    $ semiosis align STUDY --model anthropic/claude-sonnet-5 --dry-run

    $ semiosis align STUDY --by-hand --out fates

    $ semiosis align STUDY --audit 30 --model anthropic/claude-sonnet-5 --max-cost 5
    """
    from semiosis.align import ModelAligner, aligner_of
    from semiosis.study import draw_pairs, read_study
    from semiosis.values import UsageError

    if audit and not asked.model:
        raise UsageError("an audit needs a model to compare with", fix="add --model provider/model")
    opened = read_study(study)
    pairs = _pairs(
        opened,
        models.reading_rule(interpreter, given=given, detail=detail, language=language),
    )
    if by_hand:
        _write_forms(pairs, out, work.part.get("limit"))
        return
    options = _Options(work.part, name, calls.dry_run)
    failed = 0
    if audit or not asked.model:
        aligning.show_embedder(embedder, weights)
        failed += _align(opened, pairs, aligner_of(embedder, weights=weights), options)
    if asked.model:
        with models.asking(calls, opened.journal, retry_unscored=work.retry_unscored) as asker:
            aligning_model = asked.required()
            asker.check(aligning_model)
            drawn = draw_pairs(pairs, audit, seed) if audit else pairs
            failed += _align(opened, drawn, ModelAligner(aligning_model, asker=asker), options, repeat)
    if audit and not calls.dry_run:
        _show_audit(read_study(study), f"embedder {embedder}", f"model {asked.model}", given=given)
    if failed and not calls.dry_run:
        raise typer.Exit(UNSCORED_EXIT)


class _Options(NamedTuple):
    """The part of the pairs, the name of the run, and whether it is a dry run."""

    part: models.WorkPart
    name: str
    dry_run: bool


def _pairs(study: "Study", rule: "ReadingRule") -> "HSGPairs":
    from semiosis.study import alignment_pairs, reading_command, study_rule
    from semiosis.values import UsageError

    chosen = study_rule(study, rule)
    if chosen.left_out:
        remark(f"left out: {' and '.join(chosen.left_out)}")
        remark("hint: choose other readings with --interpreter and --language")
    pairs = alignment_pairs(study, chosen.rule)
    if not pairs:
        raise UsageError(
            f"{_readers(rule)} read both a prompt and one of its artifacts",
            where=str(study.folder),
            fix=f"create them with: {in_study(reading_command(study, chosen.rule), study.folder)}",
        )
    return pairs


def _readers(rule: "ReadingRule") -> str:
    return f"the interpreter {rule.interpreter} has not" if rule.interpreter else "no interpreter has"


def _write_forms(pairs: "HSGPairs", out: str, limit: int | None) -> None:
    """Write a form for each pair. A form that exists is left as it is, because it may be filled in."""
    from semiosis.align import fates_form
    from semiosis.cli._unscored import counted
    from semiosis.files import atomic_write, new_folder

    folder = new_folder(out)
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for source, target in pairs[:limit]:
        file = folder / f"{source.id}-{target.id}.yaml"
        if not file.exists():
            atomic_write(file, fates_form(source, target))
            written += 1
    remark(f"{counted(written, 'form')} written to {folder}, {len(pairs[:limit]) - written} there already")
    remark("next: fill them in, then save each with semiosis store save STUDY FILE")


def _align(
    study: "Study",
    pairs: "HSGPairs",
    aligner: "Aligner | ModelAligner",
    options: _Options,
    repeat: int = 0,
) -> int:
    """Align pairs, print the final line, and return the number of pairs that stay unaligned."""
    from semiosis.align import ModelAligner
    from semiosis.study import plan_alignments, run_plan

    asker = aligner.asker if isinstance(aligner, ModelAligner) else None
    who = aligner.aligned_by
    plan = plan_alignments(study, aligner, pairs, repeat=repeat, **options.part)
    remark(f"{len(plan)} of {len(pairs)} pairs to align with {who}")
    if options.dry_run and not asker:
        return 0
    counter = UnscoredCounter()
    run, record = options.name or run_name(f"align {who}"), not options.dry_run
    with aligning.measurement_warnings(), progress("aligning", len(plan), asker) as tick:
        for result in run_plan(study, plan, run=run, record=record):
            tick(unscored=counter.add(result))
    if record:
        show(result_line(who, counter.scored, "alignment", "made", counter.total))
        counter.explain(study.folder, asker)
    return counter.total


def _show_audit(study: "Study", embedder: str, model: str, *, given: bool) -> None:
    from semiosis.study import study_audits
    from semiosis.tables import audit_tables, to_text

    condition = "given" if given else "blind"
    width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
    for audit in study_audits(study):
        if (audit.screened_by, audit.reference, audit.condition) == (embedder, model, condition):
            for table in audit_tables(audit):
                sys.stdout.write(to_text(table, width) + "\n")
