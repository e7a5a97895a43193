"""Imports what people and programs said: votes, ratings, answers and scores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Literal

from semiosis.judge import higher_score
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._collect import ImportOptions, ObservationCollector
from semiosis.study._names import name_key
from semiosis.study._study import read_study
from semiosis.study._table import InputRow, InputTable, read_table
from semiosis.values import (
    Answer,
    DataError,
    Evaluator,
    Observation,
    Order,
    Question,
    Rating,
    Score,
    Unscored,
    Verdict,
    Winner,
)

ImportKind = Literal["votes", "ratings", "answers", "scores"]
"""What a table of observations holds."""

_WHO = ("judge", "annotator", "rater", "user", "worker", "person", "scorer", "metric")
_FILE = ("file_name", "filename", "image", "path", "picture", "artifact", "sign")
COLUMNS: dict[ImportKind, dict[str, tuple[str, ...]]] = {
    "votes": {
        "prompt": ("prompt_id", "text"),
        "a": ("left", "image_a", "file_a", "model_a"),
        "b": ("right", "image_b", "file_b", "model_b"),
        "evaluator": _WHO,
        "winner": ("vote", "choice", "preference", "label"),
        "repeat": (),
        "shown": ("order",),
        "kind": (),
    },
    "ratings": {
        "prompt": ("prompt_id", "text"),
        "file": _FILE,
        "evaluator": _WHO,
        "scale": ("dimension", "criterion"),
        "value": ("rating", "score"),
        "low": ("min",),
        "high": ("max",),
        "repeat": (),
        "kind": (),
    },
    "answers": {
        "prompt": ("prompt_id", "text"),
        "file": _FILE,
        "question": (),
        "choices": ("options",),
        "correct": ("key", "solution"),
        "type": (),
        "evaluator": _WHO,
        "answer": ("choice", "response"),
        "repeat": (),
        "kind": (),
    },
    "scores": {
        "prompt": ("prompt_id", "text"),
        "file": _FILE,
        "evaluator": _WHO,
        "value": ("score",),
        "repeat": (),
        "kind": (),
    },
}
"""The columns of each table, and other headings under which they are found."""
_REQUIRED: dict[ImportKind, tuple[str, ...]] = {
    "votes": ("a", "b"),
    "ratings": ("file", "evaluator", "value"),
    "answers": ("question", "evaluator", "answer"),
    "scores": ("file",),
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

    Prompts are named by title, text or id, pictures by file name, generator or id. Votes and scores are long
    (`evaluator` and `winner` or `value`) or wide (one column per evaluator). Scores also become verdicts on
    the comparisons whose two pictures they score.
    """
    study = read_study(folder)
    table = read_table(path, COLUMNS[what], required=_REQUIRED[what], columns=columns, encoding=encoding)
    collector = ObservationCollector(study, table.reject, options or ImportOptions())
    for row in table.rows:
        try:
            for value in _READERS[what](row, table, collector):
                collector.add(row.line, value)
        except ValueError as error:
            table.reject(row.line, error)
    table.raise_if_bad()
    if not collector.lines:
        raise DataError(f"there are no {what} in this file", where=str(path), fix="add rows below line 1")
    if what == "scores":
        _judge_by_scores(collector)
    return add_values(study, collector.values.values(), "import", notes=collector.notes, dry_run=dry_run)


def vote(
    collector: ObservationCollector,
    names: tuple[str, str, str],
    evaluator: Evaluator,
    winner: str,
    row: InputRow | None = None,
) -> Verdict:
    """Return the verdict of a vote on (prompt, a, b). The winner is a, b, tie, or the name of a picture."""
    prompt = collector.names.prompt(names[0]) if names[0] else ""
    a, b = (collector.names.artifact(name, prompt) for name in names[1:])
    owner = prompt or collector.names.prompt_of[a]
    if collector.names.prompt_of[b] != owner:
        raise ValueError(f"{names[2]!r} is a picture of another prompt")
    comparison, turned = collector.comparison(owner, a, b)
    shown = (row.get("shown").lower() if row else "") or "ab"
    if shown not in ("ab", "ba"):
        raise ValueError(f"order shown {shown!r} is neither ab nor ba")
    won = _winner(winner, names)
    if turned:
        won = {"a": "b", "b": "a"}.get(won, won)
    order: Order = "ba" if (shown == "ba") != turned else "ab"
    value: Winner | Unscored = Unscored(reason="missing", detail="no vote") if won == "" else _AS_WINNER[won]
    repeat = _whole(row.get("repeat")) if row else 0
    return Verdict(evaluator=evaluator, comparison=comparison.id, shown=order, repeat=repeat, winner=value)


_AS_WINNER: dict[str, Winner] = {"a": "a", "b": "b", "tie": "tie"}


def _winner(said_: str, names: tuple[str, str, str]) -> str:
    key = said_.strip().casefold()
    if key in ("a", "b", "tie", ""):
        return key
    named = [side for side, name in zip("ab", names[1:], strict=True) if name_key(name) == name_key(said_)]
    if len(named) != 1:
        raise ValueError(f"the winner {said_!r} is none of a, b, tie, {names[1]!r}, {names[2]!r} or nothing")
    return named[0]


def _votes(row: InputRow, table: InputTable, collector: ObservationCollector) -> Iterator[Observation]:
    names = row.get("prompt"), row.get("a"), row.get("b")
    if "evaluator" in table.columns and "winner" in table.columns:
        evaluator = collector.evaluator(row.get("evaluator"), row.get("kind"))
        yield vote(collector, names, evaluator, row.get("winner"), row)
        return
    for who in _wide_columns(table, "votes", collector.options.evaluators):
        if row.get(who):
            yield vote(collector, names, collector.evaluator(who), row.get(who), row)


def _wide_columns(table: InputTable, what: ImportKind, chosen: Sequence[str]) -> list[str]:
    """Return the columns that are evaluators: the chosen ones, or those that have no other meaning."""
    other = {word for name, spellings in COLUMNS[what].items() for word in (name, *spellings)}
    found = [name for name in table.columns if name and name.casefold() not in other]
    unknown = [name for name in chosen if name not in table.columns]
    if unknown or not found:
        missing = f"there is no column {unknown[0]!r}" if unknown else f"no column holds {what}"
        raise DataError(
            missing,
            where=str(table.path),
            fix="add the columns evaluator and winner (or value), or one column per evaluator",
        )
    return list(chosen) or found


def _ratings(row: InputRow, _table: InputTable, collector: ObservationCollector) -> Iterator[Observation]:
    scale = row.get("scale") or collector.options.scale
    if not scale:
        raise ValueError("the scale has no name; add a scale column or --scale NAME")
    low = _number(row.get("low") or str(collector.options.low))
    high = _number(row.get("high") or str(collector.options.high))
    value = _number_or_missing(row.get("value"))
    if isinstance(value, float) and not low <= value <= high:
        raise ValueError(f"the rating {value:g} is not on the scale from {low:g} to {high:g}")
    yield Rating(
        evaluator=collector.evaluator(row.get("evaluator"), row.get("kind")),
        about=_about(row, collector),
        about_kind="sign",
        scale=scale,
        low=low,
        high=high,
        value=value,
        repeat=_whole(row.get("repeat")),
    )


def _scores(row: InputRow, table: InputTable, collector: ObservationCollector) -> Iterator[Observation]:
    artifact = _about(row, collector)
    long = "evaluator" in table.columns and "value" in table.columns
    wide = [] if long else _wide_columns(table, "scores", collector.options.evaluators)
    cells = {who: row.get(who) for who in wide} or {row.get("evaluator"): row.get("value")}
    for who, cell in cells.items():
        yield Score(
            evaluator=collector.evaluator(who, row.get("kind")),
            prompt=collector.names.prompt_of.get(artifact),
            artifact=artifact,
            value=_number_or_missing(cell),
            repeat=_whole(row.get("repeat")),
        )


def _answers(row: InputRow, _table: InputTable, collector: ObservationCollector) -> Iterator[Observation]:
    question = _question(row, collector)
    if question.id not in collector.study.questions:
        collector.values[question.id] = question
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
        repeat=_whole(row.get("repeat")),
    )


def _question(row: InputRow, collector: ObservationCollector) -> Question:
    """Return the question of a row: one that the study has, or a new one with choices and the right one."""
    sign = _about(row, collector) if row.get("file") else ""
    for known in collector.study.questions.values():
        if row.get("question") in (known.id, known.text) and sign in ("", known.sign):
            return known
    choices = [choice.strip() for choice in row.get("choices").split("|")]
    if not sign or len(choices) < 2 or row.get("correct") not in choices:
        raise ValueError(
            f"the study has no question {row.get('question')!r}; a new one needs a file, choices separated "
            "by '|', and the correct choice"
        )
    correct = choices.index(row.get("correct"))
    text, kind = row.get("question"), row.get("type")
    return Question(sign=sign, text=text, choices=tuple(choices), correct=correct, type=kind)


def _judge_by_scores(collector: ObservationCollector) -> None:
    """Add a verdict for each comparison whose two artifacts an evaluator scored: the higher score wins."""
    by_artifact: dict[str, list[Score]] = {}
    for value in list(collector.values.values()):
        if isinstance(value, Score):
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
    return collector.names.sign(row.get("file"), prompt)


def _whole(cell: str) -> int:
    if cell and not cell.isdecimal():
        raise ValueError(f"repeat {cell!r} is not a whole number")
    return int(cell or 0)


def _number_or_missing(cell: str) -> float | Unscored:
    return _number(cell) if cell else Unscored(reason="missing", detail="the cell is empty")


def _number(cell: str) -> float:
    try:
        number = float(cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or "_" in cell:
        raise ValueError(f"{cell!r} is not a number")
    return number


_READERS: dict[ImportKind, Callable[[InputRow, InputTable, ObservationCollector], Iterable[Observation]]] = {
    "votes": _votes,
    "ratings": _ratings,
    "answers": _answers,
    "scores": _scores,
}
