"""Turns a vote that names a prompt, two pictures and the winner into a verdict."""

from semiosis.study._collect import ObservationCollector
from semiosis.study._import_pairs import COLUMNS, pair
from semiosis.study._table import InputRow, whole_number
from semiosis.values import Comparison, Evaluator, Order, Unscored, Verdict, Winner


def vote(
    collector: ObservationCollector,
    names: tuple[str, str, str],
    evaluator: Evaluator,
    winner: str,
    row: InputRow | None = None,
) -> Verdict:
    """Return the verdict of a vote on (prompt, a, b). The winner is a, b, tie, or the name of a picture."""
    named = pair(collector.names, *names)
    comparison, swapped = collector.comparison(named)
    shown = (row.get("shown").lower() if row else "") or "ab"
    if shown not in ("ab", "ba"):
        raise ValueError(f"order shown {shown!r} is neither ab nor ba")
    choice = _winner(winner, names, named, collector, row.get("shown") if row else "")
    if swapped:
        choice = {"a": "b", "b": "a"}.get(choice, choice)
    order: Order = "ba" if (shown == "ba") != swapped else "ab"
    missing = Unscored(reason="missing", detail="no vote")
    value: Winner | Unscored = _WINNERS[choice] if choice else missing
    repeat = repeat_of(row) if row else 0
    return Verdict(evaluator=evaluator, comparison=comparison.id, shown=order, repeat=repeat, winner=value)


_WINNERS: dict[str, Winner] = {"a": "a", "b": "b", "tie": "tie"}
_SIDES = {name: side for side in ("a", "b") for name in (side, *COLUMNS[side])}
"""The sides by the headings of their columns."""


def _winner(
    cell: str, names: tuple[str, str, str], named: Comparison, collector: ObservationCollector, shown: str
) -> str:
    """Return a, b, tie or an empty text for the content of a cell."""
    key = cell.strip().casefold()
    if key in collector.choices:
        return collector.choices[key]
    if key in ("tie", ""):
        return key
    # If the order shown is stated, "left" may mean the left side of the screen or the left column.
    if key in _SIDES and not (shown and key in ("left", "right")):
        return _SIDES[key]
    try:
        chosen = collector.names.artifact(cell, named.prompt)
    except ValueError:
        chosen = ""
    if chosen not in (named.a, named.b):
        meaning = f"state what {cell!r} means: --choice SIDE={cell!r}, where SIDE is a, b or tie"
        collector.hints[:] = collector.hints or [meaning]
        raise ValueError(f"the winner {cell!r} is not a, b, tie, {names[1]!r}, {names[2]!r} or empty")
    return "a" if chosen == named.a else "b"


def repeat_of(row: InputRow) -> int:
    """Return the number of the repeat in a row; 0 without one."""
    return whole_number(row.get("repeat") or "0", "repeat")
