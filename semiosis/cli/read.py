"""`semiosis read`: one sign or all signs of a study, with a model; or an HSG from a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._inputs import detail_of, sign_or_hsg
from semiosis.cli._output import remark, show, show_json_text
from semiosis.cli._progress import progress
from semiosis.cli._saving import check_store, save_readings
from semiosis.cli._unscored import (
    UNSCORED_EXIT,
    UnscoredCounter,
    counted,
    explain_equal_readings,
    is_known_reading,
    result_line,
)
from semiosis.cli.run import run_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semiosis.read import Reader
    from semiosis.study import ReadingView, Study
    from semiosis.values import HSG, Detail, Semiosis


@models.with_options
def read(
    what: Annotated[
        str,
        typer.Argument(
            metavar="READING|SIGN|STUDY",
            help="A reading in YAML or JSON; with --model, an image, a text or a study folder.",
        ),
    ],
    as_text: Annotated[
        bool, typer.Option("--text", help="The argument is the text itself, even if it looks like a path.")
    ] = False,
    given: Annotated[
        str, typer.Option(help="The prompt's HSG, shown to the reader; without it, the reading is blind.")
    ] = "",
    view: Annotated[
        str, typer.Option(help="For a study: read artifacts blind, given their prompt, or both.")
    ] = "blind",
    detail: Annotated[str, typer.Option(help="The level of detail: standard or complex.")] = "standard",
    repeat: Annotated[
        int, typer.Option(min=0, help="The number of this independent reading; 0 is the first.")
    ] = 0,
    language: models.LanguageOption = "",
    name: Annotated[str, typer.Option(help="For a study: the name of the run in the record.")] = "",
    journal: models.JournalOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the HSG as JSON.")] = False,
    save: Annotated[str, typer.Option(help="Save the HSG to this study folder or neo4j:// address.")] = "",
    *,
    asked: models.ModelOptions,
    calls: models.CallOptions,
    work: models.WorkOptions,
) -> None:
    """Read a sign or a whole study with a model, or check and show an HSG from a file.

    [bold]Examples[/bold]

    $ semiosis read reading.yaml

    $ semiosis read "The Annunciation, with a white lily" --model anthropic/claude-sonnet-5 --json > p.json

    $ semiosis read a.png --given p.json --model anthropic/claude-sonnet-5

    $ semiosis read STUDY --view both --model anthropic/claude-sonnet-5 --dry-run
    """
    from semiosis.files import STUDY_FILE, read_hsg

    chosen_detail = detail_of(detail)
    check_store(save)
    if not asked.model:
        _show(read_hsg(what), save, as_json=as_json)
        return
    is_study = not as_text and (Path(what) / STUDY_FILE).is_file()
    from semiosis.read import Reader
    from semiosis.study import read_study

    study = read_study(what) if is_study else None
    hsg = None
    unread = 0
    with models.asking(
        calls,
        journal or (study.journal if study else ""),
        retry_unscored=work.retry_unscored or not is_study,
    ) as asker:
        reader = Reader(
            asked.required(),
            asker=asker,
            language=models.language_of(language, study),
        )
        asker.check(reader.model)
        if study is not None:
            unread = _read_study(reader, study, view, chosen_detail, repeat, work.part, name)
        else:
            hsg = _read_sign(reader, what, given, chosen_detail, repeat, as_text=as_text)
    if hsg is not None and not calls.dry_run:
        _show(hsg, save, as_json=as_json)
    if unread and not calls.dry_run:
        raise typer.Exit(UNSCORED_EXIT)


def _view(view: str) -> "ReadingView":
    from typing import get_args

    from semiosis.study import ReadingView
    from semiosis.values import UsageError

    for one in get_args(ReadingView):
        if one == view:
            chosen: ReadingView = one
            return chosen
    raise UsageError(f"there is no view {view!r}", fix=f"choose {', '.join(get_args(ReadingView))}")


def _read_sign(
    reader: "Reader", what: str, given: str, detail: "Detail", repeat: int, *, as_text: bool
) -> "HSG":
    from semiosis.files import read_hsg
    from semiosis.values import HSG, UsageError

    sign = sign_or_hsg(what, as_text=as_text)
    if isinstance(sign, HSG):
        raise UsageError("this is a reading already", fix="leave --model out to show it")
    shown = read_hsg(given) if given else None
    return reader.read(sign, given=shown, detail=detail, repeat=repeat)


def _read_study(
    reader: "Reader",
    study: "Study",
    view: str,
    detail: "Detail",
    repeat: int,
    part: models.WorkPart,
    name: str,
) -> int:
    from semiosis.study import plan_readings, run_plan

    plan = plan_readings(
        study,
        reader,
        view=_view(view),
        detail=detail,
        repeat=repeat,
        **part,
    )
    remark(
        f"{counted(len(plan), 'reading')} to make of {counted(len(study.signs), 'sign')} "
        f"with {reader.model.full_name}"
    )
    dry_run = reader.asker.dry_run
    counter = UnscoredCounter()
    equal = 0
    run = name or run_name(f"read {reader.model.full_name}")
    with progress("reading", len(plan), reader.asker) as tick:
        for result in run_plan(study, plan, run=run, record=not dry_run):
            equal += is_known_reading(study, result)
            tick(unscored=counter.add(result))
    if not dry_run:
        show(result_line(reader.model.full_name, counter.scored, "reading", "made", counter.total))
        explain_equal_readings(equal)
        counter.explain(study.folder, reader.asker)
    return counter.total


def _show(hsg: "HSG", save: str, *, as_json: bool) -> None:
    from semiosis.values import to_json

    if save:
        (hsg,) = save_readings(save, [hsg])
        remark(f"saved to {save}")
    if as_json:
        show_json_text(to_json(hsg))
    else:
        _outline(hsg)


def _outline(hsg: "HSG") -> None:
    """Print the HSG as an indented outline."""
    relations = {relation.part: relation for relation in hsg.relations if relation.hierarchy}
    show(f"HSG {hsg.id}, read by {hsg.reading.interpreter.name} ({_conditions(hsg)})")
    for depth, node in hsg.outline():
        semiosis, indent = hsg.semioses[node], "  " * depth
        how = f" [{relations[node].relation}: {relations[node].how}]" if node in relations else ""
        show(f"{indent}{semiosis.label}: {semiosis.object}{how}")
        strengths = "/".join(f"{strength:g}" for strength in semiosis.grounds.strengths)
        show(f"{indent}  “{semiosis.sign}” → {semiosis.interpretant}  ({strengths}, {semiosis.location})")
        for name, text in _further_fields(hsg, semiosis):
            show(f"{indent}  {name}: {text}")
    for relation in hsg.relations:
        if not relation.hierarchy:
            part, whole = hsg.semioses[relation.part].label, hsg.semioses[relation.whole].label
            show(f"{part} {relation.relation} {whole}" + (f": {relation.how}" if relation.how else ""))
    if hsg.unlocated:
        remark(f"{len(hsg.unlocated)} unlocated: {', '.join(hsg.unlocated)}")


def _further_fields(hsg: "HSG", semiosis: "Semiosis") -> "Iterator[tuple[str, str]]":
    """Yield the optional fields of a node, its places and the reasons of its grounds, by their names."""
    from semiosis.values import MODES, Span

    if semiosis.dynamic_object:
        yield "dynamic object", semiosis.dynamic_object
    if semiosis.takes_up is not None:
        yield "takes up", hsg.semioses[semiosis.takes_up].label
    if semiosis.importance is not None:
        yield "importance", f"{semiosis.importance:g}"
    for place in semiosis.places:
        yield "place", f"“{place.quote}”" if isinstance(place, Span) else place.position
    for claim in semiosis.unresolved:
        yield "unlocated", f"{claim.claim} ({claim.reason})"
    if semiosis.nowhere:
        yield "no place", semiosis.nowhere
    for mode in MODES:
        if why := getattr(semiosis.grounds, mode).why:
            yield mode, why


def _conditions(hsg: "HSG") -> str:
    reading = hsg.reading
    view = "blind" if hsg.blind else "given"
    return ", ".join(filter(None, (view, reading.interpreter.prompt_version, reading.language)))
