"""Imports what people and programs said: votes, ratings, answers and scores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Literal

from semiosis.judge import higher_score
from semiosis.study._adding import Added, add_values
from semiosis.study._collect import Collected, SaidOptions
from semiosis.study._names import name_key
from semiosis.study._study import read_study
from semiosis.study._table import Row, Table, read_table
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

Said = Literal["votes", "ratings", "answers", "scores"]
"""What a table of observations holds."""

_WHO = ("judge", "annotator", "rater", "user", "worker", "person", "scorer", "metric")
_FILE = ("file_name", "filename", "image", "path", "picture", "artifact", "sign")
COLUMNS: dict[Said, dict[str, tuple[str, ...]]] = {
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
_REQUIRED: dict[Said, tuple[str, ...]] = {
    "votes": ("a", "b"),
    "ratings": ("file", "evaluator", "value"),
    "answers": ("question", "evaluator", "answer"),
    "scores": ("file",),
}


def import_said(
    folder: str | Path,
    what: Said,
    path: str | Path,
    *,
    options: SaidOptions | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    dry_run: bool = False,
) -> Added:
    """Add the votes, ratings, answers or scores of a table to a study, all of them or none.

    Prompts are named by title, text or id, pictures by file name, generator or id. Votes and scores are long
    (`evaluator` and `winner` or `value`) or wide (one column per evaluator). Scores also become verdicts on
    the comparisons whose two pictures they score.
    """
    study = read_study(folder)
    table = read_table(path, COLUMNS[what], required=_REQUIRED[what], columns=columns, encoding=encoding)
    collected = Collected(study, table.reject, options or SaidOptions())
    for row in table.rows:
        try:
            for value in _READERS[what](row, table, collected):
                collected.add(row.line, value)
        except ValueError as error:
            table.reject(row.line, error)
    table.raise_if_bad()
    if not collected.lines:
        raise DataError(f"there are no {what} in this file", where=str(path), fix="add rows below line 1")
    if what == "scores":
        _judge_by_scores(collected)
    return add_values(study, collected.values.values(), "import", notes=collected.notes, dry_run=dry_run)


def vote(
    collected: Collected,
    names: tuple[str, str, str],
    evaluator: Evaluator,
    winner: str,
    row: Row | None = None,
) -> Verdict:
    """Return the verdict of a vote on (prompt, a, b). The winner is a, b, tie, or the name of a picture."""
    prompt = collected.names.prompt(names[0]) if names[0] else ""
    a, b = (collected.names.artifact(name, prompt) for name in names[1:])
    owner = prompt or collected.names.prompt_of[a]
    if collected.names.prompt_of[b] != owner:
        raise ValueError(f"{names[2]!r} is a picture of another prompt")
    comparison, turned = collected.comparison(owner, a, b)
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


def _votes(row: Row, table: Table, collected: Collected) -> Iterator[Observation]:
    names = row.get("prompt"), row.get("a"), row.get("b")
    if "evaluator" in table.columns and "winner" in table.columns:
        evaluator = collected.evaluator(row.get("evaluator"), row.get("kind"))
        yield vote(collected, names, evaluator, row.get("winner"), row)
        return
    for who in _wide_columns(table, "votes", collected.options.evaluators):
        if row.get(who):
            yield vote(collected, names, collected.evaluator(who), row.get(who), row)


def _wide_columns(table: Table, what: Said, chosen: Sequence[str]) -> list[str]:
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


def _ratings(row: Row, _table: Table, collected: Collected) -> Iterator[Observation]:
    scale = row.get("scale") or collected.options.scale
    if not scale:
        raise ValueError("the scale has no name; add a scale column or --scale NAME")
    low = _number(row.get("low") or str(collected.options.low))
    high = _number(row.get("high") or str(collected.options.high))
    value = _number_or_missing(row.get("value"))
    if isinstance(value, float) and not low <= value <= high:
        raise ValueError(f"the rating {value:g} is not on the scale from {low:g} to {high:g}")
    yield Rating(
        evaluator=collected.evaluator(row.get("evaluator"), row.get("kind")),
        about=_about(row, collected),
        about_kind="sign",
        scale=scale,
        low=low,
        high=high,
        value=value,
        repeat=_whole(row.get("repeat")),
    )


def _scores(row: Row, table: Table, collected: Collected) -> Iterator[Observation]:
    artifact = _about(row, collected)
    long = "evaluator" in table.columns and "value" in table.columns
    wide = [] if long else _wide_columns(table, "scores", collected.options.evaluators)
    cells = {who: row.get(who) for who in wide} or {row.get("evaluator"): row.get("value")}
    for who, cell in cells.items():
        yield Score(
            evaluator=collected.evaluator(who, row.get("kind")),
            prompt=collected.names.prompt_of.get(artifact),
            artifact=artifact,
            value=_number_or_missing(cell),
            repeat=_whole(row.get("repeat")),
        )


def _answers(row: Row, _table: Table, collected: Collected) -> Iterator[Observation]:
    question = _question(row, collected)
    if question.id not in collected.study.questions:
        collected.values[question.id] = question
    text = row.get("answer").strip()
    options = [choice.casefold() for choice in question.choices]
    letter = "abcdefghijklmnopqrstuvwxyz".find(text.casefold()) if len(text) == 1 else -1
    position = options.index(text.casefold()) if text.casefold() in options else letter
    if text and not 0 <= position < len(options):
        raise ValueError(f"the answer {text!r} is none of {', '.join(map(repr, question.choices))}")
    yield Answer(
        evaluator=collected.evaluator(row.get("evaluator"), row.get("kind")),
        question=question.id,
        choice=position if text else Unscored(reason="missing", detail="no answer"),
        repeat=_whole(row.get("repeat")),
    )


def _question(row: Row, collected: Collected) -> Question:
    """Return the question of a row: one that the study has, or a new one with choices and the right one."""
    sign = _about(row, collected) if row.get("file") else ""
    for known in collected.study.questions.values():
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


def _judge_by_scores(collected: Collected) -> None:
    """Add a verdict for each comparison whose two artifacts an evaluator scored: the higher score wins."""
    by_artifact: dict[str, list[Score]] = {}
    for value in list(collected.values.values()):
        if isinstance(value, Score):
            by_artifact.setdefault(value.artifact, []).append(value)
    for comparison in collected.study.comparisons.values():
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
                collected.values[verdict.id] = verdict


def _about(row: Row, collected: Collected) -> str:
    prompt = collected.names.prompt(row.get("prompt")) if row.get("prompt") else ""
    return collected.names.sign(row.get("file"), prompt)


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


_READERS: dict[Said, Callable[[Row, Table, Collected], Iterable[Observation]]] = {
    "votes": _votes,
    "ratings": _ratings,
    "answers": _answers,
    "scores": _scores,
}
