"""Turns a vote that names a prompt, two pictures and the winner into a verdict."""

from semiosis.stats.tools import read_order, read_probability, read_repeat, read_winner
from semiosis.study._collect import ObservationCollector
from semiosis.study._import_pairs import pair
from semiosis.study._table import InputRow
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
    stated_order = row.get("shown") if row else ""
    shown = read_order(stated_order)
    choice = _winner(winner, names, named, collector, ordered=bool(stated_order))
    if swapped:
        choice = {"a": "b", "b": "a"}.get(choice, choice)
    order: Order = "ba" if (shown == "ba") != swapped else "ab"
    missing = Unscored(reason="missing", detail="no vote")
    value: Winner | Unscored = _WINNERS[choice] if choice else missing
    p_a = read_probability(row.get("p_a")) if row else None
    return Verdict(
        evaluator=evaluator,
        comparison=comparison.id,
        shown=order,
        order_unknown=row is not None and not stated_order,
        repeat=repeat_of(row) if row else 0,
        winner=value,
        p_a=1 - p_a if swapped and p_a is not None else p_a,
    )


_WINNERS: dict[str, Winner] = {"a": "a", "b": "b", "tie": "tie"}


def _winner(
    cell: str,
    names: tuple[str, str, str],
    pictures: Comparison,
    collector: ObservationCollector,
    *,
    ordered: bool,
) -> str:
    """Return a, b, tie or an empty text for the content of a cell, which may be any name of a picture."""
    winner = read_winner(cell, names[1], names[2], collector.choices, ordered=ordered)
    if winner is not None and winner != "flip":
        return winner
    try:
        picture = collector.names.artifact(cell, pictures.prompt)
    except ValueError:
        picture = ""
    if picture not in (pictures.a, pictures.b):
        meaning = f"state what {cell!r} means: --choice SIDE={cell!r}, where SIDE is a, b or tie"
        collector.hints[:] = collector.hints or [meaning]
        raise ValueError(f"the winner {cell!r} is not a, b, tie, {names[1]!r}, {names[2]!r} or empty")
    return "a" if picture == pictures.a else "b"


def repeat_of(row: InputRow) -> int:
    """Return the number of the repeat in a row; 0 without one."""
    return read_repeat(row.get("repeat"))
