"""`semiosis demo`: the full workflow on the bundled sample study."""

import shutil
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import OverwriteOption, remark, show, show_without_ids

if TYPE_CHECKING:
    from semiosis.study import Study
    from semiosis.values import Alignment, Comparison

STEPS = 6
SHOWN = "Annunciation"
"""The prompt whose comparison the page shows."""
PAGE = "comparison.html"


def demo(
    folder: Annotated[str, typer.Option(help="The folder for the study and the page.")] = "semiosis-demo",
    overwrite: OverwriteOption = False,
) -> None:
    """Run the full workflow on the bundled sample study, offline.

    The steps are: check, align, judge, save and query, compare the judges with people, write an HTML page.

    [bold]Example[/bold]

    $ semiosis demo
    """
    from semiosis.files import new_folder, output_folder

    home = new_folder(folder)
    with output_folder(home, "semiosis demo", overwrite=overwrite) as draft:
        _run_steps(home, draft)
    show(f"page: {(home / PAGE).resolve()}")


def _run_steps(home: Path, draft: Path) -> None:
    """Write the study and the page to `draft`, which becomes `home`."""
    _step(1, f"copying the sample study to {home} and checking it")
    study = _copied_study(draft)
    _step(
        2, "aligning every prompt with its artifacts, by fates written by hand and by the embedder wordllama"
    )
    study = _align(study)
    _step(3, "judging every comparison by the hand-written alignments and by those of the embedder")
    study = _judge(study)
    _step(4, "comparing the judges with the five annotators")
    _compare(study)
    _step(5, "saving to the embedded graph and querying it in Cypher")
    _query(study, home)
    _step(6, "writing the page of one comparison")
    _write_page(study)


def _step(number: int, what: str) -> None:
    remark(f"[{number}/{STEPS}] {what}", style="bold")


def _copied_study(folder: Path) -> "Study":
    from semiosis.study import check_study, read_study
    from semiosis.values import DataError

    _copy_sample(folder)
    if problems := check_study(folder):
        raise DataError(
            problems[0].what, where=problems[0].where, fix="reinstall semiosis, because its sample is damaged"
        )
    study = read_study(folder)
    remark(
        f"      {len(study.signs)} signs and {len(study.hsgs)} HSGs; every line, reference and image is valid"
    )
    return study


def _copy_sample(folder: Path) -> None:
    from semiosis.files import data
    from semiosis.values import MachineError

    try:
        shutil.copytree(
            data("graphs/sample"),
            folder,
            ignore=shutil.ignore_patterns("*.py", "painting", "readings"),
            copy_function=shutil.copyfile,  # without the mode, which may be read-only in an installation
            dirs_exist_ok=True,
        )
    except OSError as error:
        raise MachineError(
            f"the sample study cannot be copied: {_reason(error)}",
            fix="choose a folder with 20 MB of free space: semiosis demo --folder DIR",
        ) from error


def _reason(error: OSError) -> str:
    """Return the reason why a copy failed. `copytree` reports a list of (source, target, reason)."""
    if isinstance(error, shutil.Error):  # "[Errno 28] No space left on device: 'source' -> 'target'"
        return str(error.args[0][0][2]).partition("] ")[2].partition(": ")[0]
    return error.strerror or str(error)


def _readers(study: "Study") -> list[str]:
    return list(dict.fromkeys(hsg.reading.interpreter.name for hsg in study.hsgs.values() if hsg.blind))


def _align(study: "Study") -> "Study":
    from semiosis.align import diff_many
    from semiosis.study import ReadingRule, pairs

    wanted = [pair for reader in _readers(study) for pair in pairs(study, ReadingRule(interpreter=reader))]
    alignments = list(diff_many(wanted))
    by_hand = _by_hand(study)
    remark(
        f"      {len(by_hand)} alignments written by hand for one reader, and {len(alignments)} by the "
        "embedder for both readers, which compares wording only"
    )
    return study.add(alignments, run="demo")


def _by_hand(study: "Study") -> "list[Alignment]":
    return [alignment for alignment in study.alignments.values() if alignment.aligner == "person"]


def _judge(study: "Study") -> "Study":
    from semiosis.judge import AlignmentJudge
    from semiosis.study import ReadingRule, StudyJudge, read_study, run

    first, *_ = readers = _readers(study)
    judges = [(AlignmentJudge(alignments=_by_hand(study), name="alignment (fates by hand)"), first)]
    judges += [
        (AlignmentJudge(name=f"alignment (embedder, {reader.split()[0]})"), reader) for reader in readers
    ]
    outcomes = run(
        study, [StudyJudge(judge, ReadingRule(interpreter=reader)) for judge, reader in judges], name="demo"
    )
    remark(f"      {sum(len(outcome.verdicts) for outcome in outcomes)} verdicts")
    return read_study(study.folder)


def _query(study: "Study", home: Path) -> None:
    from semiosis.store import library_query, open_store

    title = study.signs[_shown_comparison(study).prompt].title
    with open_store(study.folder) as store:
        for name, given, columns in (
            ("changed-meaning", {"prompt": title}, ("meant", "fate", "stands_for", "artifact")),
            ("generators", {}, ("generator", "share", "prompts", "alignments", "method")),
        ):
            query = library_query(name)
            rows = query.run(store, given)
            parameters = "".join(f' --{word} "{value}"' for word, value in given.items())
            show(f"{query.purpose}\n$ semiosis query {name}{parameters} --store {home}")
            show_without_ids(columns, rows)


def _compare(study: "Study") -> None:
    """Print the table of judges, with what it shows in plain words above it."""
    from semiosis.study import compare_study
    from semiosis.tables import in_plain_words, score_text

    judges = compare_study(study)
    width = shutil.get_terminal_size((80, 24)).columns
    for sentence in in_plain_words(judges):
        show(fill(sentence, width))
    show("\n" + score_text(judges, study.head.name, width))


def _write_page(study: "Study") -> None:
    from semiosis.files import atomic_write
    from semiosis.report import comparison_page
    from semiosis.study import ReadingRule, audit_statement, comparison_case
    from semiosis.values import Unscored

    comparison = _shown_comparison(study)
    hsgs = comparison_case(study, comparison, ReadingRule(interpreter=_readers(study)[0])).hsgs()
    assert not isinstance(hsgs, Unscored)  # noqa: S101  # the sample has every reading
    prompt, a, b = hsgs
    known = {
        (alignment.aligner, alignment.source.hsg, alignment.target.hsg): alignment
        for alignment in study.alignments.values()
    }
    by_hand, screened = (
        [known[aligner, prompt.id, artifact.id] for artifact in (a, b)] for aligner in ("person", "embedder")
    )
    html = comparison_page(
        prompt,
        a,
        b,
        *by_hand,
        screening=(screened[0], screened[1]),
        audited=audit_statement(study, screened),
        title=study.signs[comparison.prompt].title,
        verdicts=[verdict for verdict in study.verdicts if verdict.comparison == comparison.id],
        labels=study.judge_labels,
    )
    atomic_write(study.folder / PAGE, html)


def _shown_comparison(study: "Study") -> "Comparison":
    """Return the first comparison of the prompt that the page shows."""
    return next(c for c in study.comparisons.values() if SHOWN in study.signs[c.prompt].title)
