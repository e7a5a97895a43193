"""Imports votes, ratings, answers and scores of people and programs."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Literal

from semiosis.judge import higher_score
from semiosis.stats.tools import VOTE_COLUMNS, WHO
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._collect import ImportOptions, ObservationCollector
from semiosis.study._import_pairs import pair
from semiosis.study._import_pictures import COLUMNS as PICTURE_COLUMNS
from semiosis.study._import_ratings import ScaleEnds, long_ratings
from semiosis.study._import_vote import repeat_of, vote
from semiosis.study._names import AmbiguousNameError, MissingPictureError
from semiosis.study._study import read_study
from semiosis.study._table import InputRow, InputTable, no_such_column, read_table, unused_columns
from semiosis.study._wide_table import WideColumns, wide_columns
from semiosis.values import (
    AgentKind,
    Answer,
    DataError,
    Observation,
    Question,
    Rating,
    Score,
    Unscored,
    Verdict,
)

ImportKind = Literal["votes", "ratings", "answers", "scores"]
"""The kind of observations in a table."""

_FILE = (*PICTURE_COLUMNS["file"], "artifact", "sign")
COLUMNS: dict[ImportKind, dict[str, tuple[str, ...]]] = {
    "votes": VOTE_COLUMNS,
    "ratings": {
        "prompt": ("prompt_id", "text", "uid", "sample_id"),
        "file": _FILE,
        "generator": PICTURE_COLUMNS["generator"],
        "seed": (),
        "evaluator": WHO,
        "scale": ("dimension", "criterion"),
        "value": ("rating", "score"),
        "low": ("min",),
        "high": ("max",),
        "repeat": (),
        "kind": (),
    },
    "answers": {
        "prompt": ("prompt_id", "text", "uid", "sample_id"),
        "file": _FILE,
        "generator": PICTURE_COLUMNS["generator"],
        "seed": (),
        "question": (),
        "choices": ("options",),
        "correct": ("key", "solution"),
        "type": (),
        "evaluator": WHO,
        "answer": ("choice", "response"),
        "repeat": (),
        "kind": (),
    },
    "scores": {
        "prompt": ("prompt_id", "text", "uid", "sample_id"),
        "file": _FILE,
        "generator": PICTURE_COLUMNS["generator"],
        "seed": (),
        "evaluator": WHO,
        "value": ("score",),
        "repeat": (),
        "kind": (),
    },
}
"""The columns of each table, each with the other headings that are recognised."""
_REQUIRED: dict[ImportKind, tuple[str, ...]] = {
    "votes": ("a", "b"),
    "ratings": (),
    "answers": ("question", "evaluator", "answer"),
    "scores": (),
}


def import_observations(
    folder: str | Path,
    what: ImportKind,
    path: str | Path,
    *,
    options: ImportOptions | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    dry_run: bool = False,
) -> ImportResult:
    """Add the votes, ratings, answers or scores of a table to a study, all of them or none.

    Prompts are named by title, text or id, pictures by file name, generator or id. Tables of votes and scores
    are long (`evaluator` and `winner` or `value`) or wide (one column per evaluator). Wide tables of ratings
    may also have one column per scale or per generator. Two scores by one evaluator also become a verdict on
    the comparison of the two pictures.
    """
    study = read_study(folder)
    table = read_table(
        path,
        COLUMNS[what],
        required=_REQUIRED[what],
        per_row=("prompt", "evaluator", "winner") if what == "votes" else (),
        columns=columns,
        encoding=encoding,
    )
    usual_kind: AgentKind = "program" if what == "scores" else "person"
    collector = ObservationCollector(study, table.reject, options or ImportOptions(), usual_kind=usual_kind)
    original = table
    if what == "ratings":
        _check_scale(table, collector.options)
        table, collector.notes = long_ratings(table, collector.options, collector.names, COLUMNS[what])
    _check_named(table, what)
    wide = _wide(table, what, collector.options)
    source = _Source(table, collector, wide, ScaleEnds(study, table, collector.options))
    ambiguous = False
    about_missing: set[int] = set()
    for row in table.rows:
        try:
            for value in _READERS[what](row, source):
                collector.add(row.line, value)
        except MissingPictureError:
            about_missing.add(row.line)
        except ValueError as error:
            table.reject(row.line, error)
            ambiguous |= isinstance(error, AmbiguousNameError)
    wide.require_readable(table)
    hints = ["correct these rows", *collector.hints]
    if ambiguous and "prompt" not in table.columns:
        hints.append("name the column of prompts: --column prompt=HEADING")
    table.raise_if_bad(", or ".join(hints))
    if about_missing:
        rows = f"{len(about_missing):,} row" + "s" * (len(about_missing) > 1)
        collector.notes.append(f"{rows} about missing pictures: left out")
    if not collector.lines and not about_missing:
        raise DataError(f"there are no {what} in this file", where=str(path), fix="add rows below line 1")
    if what == "scores":
        _judge_by_scores(collector)
    people = collector.evaluator_notes if what == "votes" else []
    unused = unused_columns(table, {*COLUMNS[what], *wide.names, *({*original.columns} - {*table.columns})})
    collector.notes[:0] = [*people, *wide.notes, *unused]
    return add_values(study, collector.values, "import", notes=collector.notes, dry_run=dry_run)


@dataclass(frozen=True)
class _Source:
    """The table of a row, and the collector of its values."""

    table: InputTable
    collector: ObservationCollector
    wide: WideColumns
    """The columns that are evaluators. A long table has none."""
    ends: ScaleEnds
    """The ends of the scales of ratings."""


def _check_named(table: InputTable, what: ImportKind) -> None:
    """Raise if no column names the pictures."""
    if what in ("ratings", "scores") and not {"file", "generator"} & set(table.columns):
        raise no_such_column(table, "file")


def _check_scale(table: InputTable, options: ImportOptions) -> None:
    """Raise one error if no rating has a scale, instead of one for each row."""
    wide_scales = "evaluator" in table.columns and "value" not in table.columns
    if "scale" not in table.columns and not options.scales and not wide_scales:
        raise DataError(
            "line 1: there is no column 'scale', and the scale has no name",
            where=str(table.path),
            fix="add --scale NAME, or name the heading with --column scale=HEADING",
        )


def _wide(table: InputTable, what: ImportKind, options: ImportOptions) -> WideColumns:
    """Return the columns that are evaluators. A table with one row per vote or score has none."""
    value = "winner" if what == "votes" else "value"
    if what in ("ratings", "answers") or {"evaluator", value} <= set(table.columns):
        return WideColumns(what)
    return wide_columns(table, what, value, COLUMNS[what], options.evaluators)


def _votes(row: InputRow, source: _Source) -> Iterator[Observation]:
    collector, wide = source.collector, source.wide
    names = row.get("prompt"), row.get("a"), row.get("b")
    if not wide.names:
        evaluator = collector.evaluator(row.get("evaluator"), row.get("kind"))
        yield vote(collector, names, evaluator, row.get("winner"), row)
        return
    pair(collector.names, *names)  # a wrong name is an error of the row, not of one column
    for who in wide.names:
        if row.get(who):
            with wide.reading(who, row, source.table):
                yield vote(collector, names, collector.evaluator(who), row.get(who), row)


def _ratings(row: InputRow, source: _Source) -> Iterator[Observation]:
    collector = source.collector
    scale = row.get("scale") or ", ".join(collector.options.scales)
    if not scale:
        raise ValueError("the scale has no name; add a scale column or --scale NAME")
    about = _about(row, collector)
    stated = (str(_number(cell, source)) if (cell := row.get(name)) else "" for name in ("low", "high"))
    low, high = source.ends.of(scale, *stated)
    value = _number_or_missing(row.get("value"), source)
    if isinstance(value, float) and not low <= value <= high:
        raise ValueError(f"the rating {value:g} is not on the scale from {low:g} to {high:g}")
    yield Rating(
        evaluator=collector.evaluator(row.get("evaluator"), row.get("kind")),
        about=about,
        about_kind="sign",
        scale=scale,
        low=low,
        high=high,
        value=value,
        repeat=repeat_of(row),
    )


def _scores(row: InputRow, source: _Source) -> Iterator[Observation]:
    collector, wide = source.collector, source.wide
    artifact = _about(row, collector)
    cells = {who: row.get(who) for who in wide.names} or {row.get("evaluator"): row.get("value")}
    for who, cell in cells.items():
        with wide.reading(who, row, source.table) if wide.names else nullcontext():
            yield Score(
                evaluator=collector.evaluator(who, row.get("kind")),
                prompt=collector.names.prompt_of.get(artifact),
                artifact=artifact,
                value=_number_or_missing(cell, source),
                repeat=repeat_of(row),
            )


def _answers(row: InputRow, source: _Source) -> Iterator[Observation]:
    collector = source.collector
    question = _question(row, collector)
    text = row.get("answer").strip()
    options = [choice.casefold() for choice in question.choices]
    letter = "abcdefghijklmnopqrstuvwxyz".find(text.casefold()) if len(text) == 1 else -1
    position = options.index(text.casefold()) if text.casefold() in options else letter
    if text and not 0 <= position < len(options):
        raise ValueError(f"the answer {text!r} is none of {', '.join(map(repr, question.choices))}")
    yield Answer(
        evaluator=collector.evaluator(row.get("evaluator"), row.get("kind")),
        question=question.id,
        choice=position if text else Unscored(reason="missing", detail="no answer"),
        repeat=repeat_of(row),
    )


def _question(row: InputRow, collector: ObservationCollector) -> Question:
    """Return the question of a row, from the study or with the choices of the row."""
    sign = _about(row, collector) if row.get("file") else ""
    text = row.get("question")
    known = [each for each in collector.questions.get(text, ()) if sign in ("", each.sign)]
    if len({each.sign for each in known}) > 1:
        raise ValueError(f"{len(known)} pictures have the question {text!r}; add a file column")
    if known:
        return known[0]
    choices = tuple(choice.strip() for choice in row.get("choices").split("|"))
    if not text:
        raise ValueError("the question is empty")
    if not sign or len(choices) < 2:
        raise ValueError(
            f"the study has no question {text!r}; a new one needs a file, choices separated by '|', and the "
            "correct choice"
        )
    if row.get("correct") not in choices:
        raise ValueError(f"the correct answer {row.get('correct')!r} is none of the choices")
    correct = choices.index(row.get("correct"))
    new = Question(sign=sign, text=text, choices=choices, correct=correct, type=row.get("type"))
    collector.add_question(new)
    return new


def _judge_by_scores(collector: ObservationCollector) -> None:
    """Add a verdict for each comparison whose two artifacts an evaluator scored: the higher score wins.

    The other score may be from an earlier import, such as one file per generator.
    """
    new = {value.id: value for value in collector.values.values() if isinstance(value, Score)}
    imported = {score.evaluator for score in new.values()}
    by_artifact: dict[str, list[Score]] = {}
    for value in {**collector.study.observations, **new}.values():
        if isinstance(value, Score) and value.evaluator in imported:
            by_artifact.setdefault(value.artifact, []).append(value)
    for comparison in collector.study.comparisons.values():
        others = {(score.evaluator, score.repeat): score for score in by_artifact.get(comparison.b, ())}
        for score in by_artifact.get(comparison.a, ()):
            other = others.get((score.evaluator, score.repeat))
            if other is not None:
                verdict = Verdict(
                    evaluator=score.evaluator,
                    comparison=comparison.id,
                    repeat=score.repeat,
                    winner=higher_score(score, other),
                )
                collector.values[verdict.id] = verdict


def _about(row: InputRow, collector: ObservationCollector) -> str:
    prompt = collector.names.prompt(row.get("prompt")) if row.get("prompt") else ""
    name = row.get("file") or "/".join(filter(None, (row.get("generator"), row.get("seed"))))
    sign = collector.names.sign(name, prompt)
    collector.names.check_made(sign, name)
    return sign


def _number_or_missing(cell: str, source: _Source) -> float | Unscored:
    return _number(cell, source) if cell else Unscored(reason="missing", detail="the cell is empty")


def _number(cell: str, source: _Source) -> float:
    """Return the number in a cell. A comma is a decimal comma; one that may separate thousands is refused."""
    if source.table.delimiter in ("", ",") and _THOUSANDS.fullmatch(cell):
        decimal, thousands = cell.replace(",", "."), cell.replace(",", "")
        raise ValueError(f"{cell!r} may be {decimal} or {thousands}; write one of these")
    try:
        number = float(cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or "_" in cell:
        raise ValueError(f"{cell!r} is not a number")
    return number


_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_READERS: dict[ImportKind, Callable[[InputRow, _Source], Iterable[Observation]]] = {
    "votes": _votes,
    "ratings": _ratings,
    "answers": _answers,
    "scores": _scores,
}
