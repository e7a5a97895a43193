"""`semiosis status`: what has been done in a study, by whom, and what the rest would cost."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from semiosis.cli._inputs import in_study
from semiosis.cli._output import remark, show, show_json, show_rows
from semiosis.cli._unscored import counted

if TYPE_CHECKING:
    from semiosis.study import RemainingWork, Study, WorkState

_COLUMNS = ("work", "by", "done", "of", "unscored", "missing", "calls left", "cost left")


def status(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")],
    estimate: Annotated[
        bool, typer.Option("--cost/--no-cost", help="Estimate the calls and the cost of the rest.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show what has been read, aligned, judged and answered, by whom, and what the rest would cost.

    To continue unfinished work, repeat the command that started it.

    [bold]Examples[/bold]

    $ semiosis status STUDY

    $ semiosis status STUDY --json
    """
    from semiosis.study import read_manifests, read_study, remaining_work, study_status

    opened = read_study(study)
    states = study_status(opened)
    manifests = list(read_manifests(opened.folder)) if estimate else []
    remaining = [remaining_work(opened, state, manifests) if estimate else None for state in states]
    rows = [_row(state, work) for state, work in zip(states, remaining, strict=True)]
    if as_json:
        show_json({"study": opened.head.name, "items": _items(opened), "work": rows})
        return
    items = [
        counted(n, what.removesuffix("s"))
        for what, n in _items(opened).items()
        if n or what != "missing pictures"
    ]
    show(f"{opened.head.name}: {', '.join(items)}")
    if rows:
        cells = [{name: _cell(name, row) for name in _COLUMNS} for row in rows]
        show_rows([name for name in _COLUMNS if any(row[name] for row in cells)], cells, "table")
    for file in opened.torn:
        remark(f"the last line of {file} is incomplete and is left out")
    _show_remaining(opened, [work for work in remaining if work is not None], study)


def _items(study: "Study") -> dict[str, int]:
    from semiosis.study import prompts_of

    prompt_by_artifact = prompts_of(study)
    return {
        "prompts": len(set(prompt_by_artifact.values())),
        "artifacts": len(prompt_by_artifact),
        "missing pictures": len(study.missing),
        "comparisons": len(study.comparisons),
        "questions": len(study.questions),
    }


def _row(state: "WorkState", remaining: "RemainingWork | None") -> dict[str, Any]:
    return {
        "work": state.work,
        "by": state.by,
        "kind": state.kind,
        "done": state.done,
        "of": state.of,
        "unscored": dict(state.unscored),
        "missing": state.missing,
        "calls left": None if remaining is None else remaining.calls,
        "cost left": None if remaining is None else remaining.cost,
        "extrapolated": remaining is not None and remaining.sampled,
        "command": "" if remaining is None else remaining.command,
    }


def _cell(name: str, row: dict[str, Any]) -> str:
    value = row[name]
    about = "about " if row["extrapolated"] else ""
    if name == "unscored":
        return ", ".join(f"{n} {reason}" for reason, n in value.items()) or "0"
    if name == "cost left" and value is not None:
        return f"{about}${value:.2f}" if value >= 0.005 or value == 0 else f"{about}under $0.01"
    if name == "calls left" and value is not None:
        return f"{about}{value:,}"
    if value is None:
        return "unknown" if row["command"] and name != "of" else ""
    return f"{value:,}" if isinstance(value, int) else str(value)


def _show_remaining(study: "Study", remaining: "list[RemainingWork]", folder: str) -> None:
    from semiosis.study import total_cost

    if remaining:
        calls, cost = total_cost(remaining)
        estimate = "an unknown amount" if cost is None else f"at most ${cost:.2f}"
        shared = " Calls that they share are paid for once." if len(remaining) > 1 else ""
        total = f"The rest takes at most {calls:,} calls and costs {estimate}.{shared}"
        show(f"{total} These commands continue it:")
        for command in dict.fromkeys(work.command for work in remaining):
            show(f"  {in_study(command, folder)}")
    if not study.hsgs:
        read = in_study("semiosis read STUDY --model PROVIDER/MODEL --dry-run", folder)
        remark(f"nothing has been read yet: {read}")
    if study.comparisons and not any(v.evaluator.kind != "person" for v in study.verdicts):
        judge = in_study("semiosis run STUDY --judge NAME", folder)
        remark(f"no judge has run yet: semiosis run --list, then {judge}")
