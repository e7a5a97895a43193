"""The default table of judges in a terminal: one line per judge, with its score as a small interval plot."""

from textwrap import wrap

from semiosis.files import one_line
from semiosis.stats import Estimate, Interval, JudgePair, JudgeRow, JudgeTable
from semiosis.tables._look_out import compared, look_out, number
from semiosis.tables._table import cell_width
from semiosis.values import Unscored

MAX_LINES = 25
"""The maximum number of lines for up to 12 judges."""
MIN_NAME, MAX_NAME = 22, 48
"""The width of names, in characters."""
PLOT = 25
"""The width of the plot, from −1 to 1."""
_FIXED = 58
"""The width of everything but the names."""


def score_text(result: JudgeTable, title: str = "", width: int | None = None) -> str:
    """Return the table of judges as text of at most `width` columns, 80 by default.

    It has at most 25 lines for up to 12 judges, and one line more for each further judge.
    """
    most = max(width or 80, MIN_NAME + _FIXED)
    judges = [row for row in result.rows if row.score is not None]
    longest = max((cell_width(one_line(row.judge)) for row in judges), default=0)
    names = min(max(MIN_NAME, longest), MAX_NAME, most - _FIXED)
    full = names + _FIXED
    head = (
        "How far judges agree with people"
        if len(result.reference) > 1
        else f"How far judges agree with {one_line(result.reference[0])}"
    )
    lines = [
        _apart(head, one_line(title), full),
        compared(result),
        "",
        f"{'':{names}}  score  {_axis()} right tied wrong none",
        *_body(result, names, full),
        "",
    ]
    if not judges:
        lines += wrap("There is no judge other than the reference.", full)
    lines += wrap(
        f"score: right +1, wrong −1, tie or none 0; mean over prompts. ├ ┤ {result.level:.0%}.", full
    )
    lines += _tests(result, names)
    more = "More: --columns NAME,… · --baseline NAME · --replace · --explain COLUMN · --json"
    room = max(3, MAX_LINES - len(lines) - 1) if not result.baseline else 5
    for sentence in look_out(result):
        wrapped = wrap(f"! {one_line(sentence)}", full, subsequent_indent="  ")
        if len(wrapped) <= room:
            lines += wrapped
            room -= len(wrapped)
    return "\n".join([*lines, *wrap(more, full, subsequent_indent="  ")]) + "\n"


def _apart(left: str, right: str, width: int) -> str:
    gap = width - cell_width(left) - cell_width(right)
    return f"{left}{' ' * gap}{right}" if right and gap > 1 else left


def _axis() -> str:
    return f"{'−1':<{PLOT // 2 + 1}}0{'1':>{PLOT // 2 + 1}}"


def _body(result: JudgeTable, names: int, full: int) -> list[str]:
    """Return the lines of judges, people, guessing and the best possible score, in order of score."""
    entries: list[tuple[float, int, str]] = []
    shown_names = cut_names([row.judge for row in result.rows], names)
    for row, name in zip(result.rows, shown_names, strict=True):
        if row.score is not None and not row.copies:
            value = -2.0 if isinstance(row.score.value, Unscored) else row.score.value
            entries.append((value, 1, _judge_line(row, name, names, result)))
    between = result.people_range
    if between is not None:
        low, mean, high = between
        label = f" people, {len(result.people)}, each v. the others"
        label = label if cell_width(label) <= names else f" people ({len(result.people)})"
        plot = _plot(mean, low, high, fill="░", ends="░░")
        span = f"{number(low, result)} to {number(high, result)}"
        entries.append((mean, 0, f"{label:<{names}}  {number(mean, result):>5}  {plot} {span}"))
    entries.append((0.0, 2, _rule("guessing: 0", full)))
    lines = [line for _, _, line in sorted(entries, key=lambda entry: (-entry[0], entry[1]))]
    best = f"best possible: {number(result.best, result)}"
    if result.n_reference_ties or result.best < 0.995:
        best += ", because people disagree"
    copies = [
        f"{name}{' ' * (names - cell_width(name))}  not ranked: it repeats {one_line(row.copies)}"
        for row, name in zip(result.rows, shown_names, strict=True)
        if row.copies
    ]
    return [_rule(best, full), *lines, *copies]


def _rule(text: str, full: int) -> str:
    return f" ── {text} ".ljust(full, "─")


def _judge_line(row: JudgeRow, name: str, names: int, result: JudgeTable) -> str:
    label = name + " " * (names - cell_width(name))
    score = row.score
    if score is None or isinstance(score.value, Unscored) or row.counts is None:
        return f"{label}      –"
    ends = score.interval
    plot = (
        _plot(score.value, ends.low, ends.high)
        if isinstance(ends, Interval)
        else _plot(score.value, score.value, score.value)
    )
    counts = (row.counts.right, row.counts.tied, row.counts.wrong, row.counts.unanswered)
    cells = "".join(f"{_whole(value):>{size}}" for value, size in zip(counts, (6, 5, 6, 5), strict=True))
    return f"{label}  {number(score.value, result):>5}  {plot}{cells}"


def _whole(value: float) -> str:
    return f"{round(value):,}"


def _plot(value: float, low: float, high: float, *, fill: str = "─", ends: str = "├┤") -> str:
    """Return a value with its interval on a line from −1 to 1."""
    cells = [" "] * PLOT
    cells[PLOT // 2] = "┊"
    first, last, dot = (round((x + 1) / 2 * (PLOT - 1)) for x in (low, high, value))
    for place in range(first, last + 1):
        cells[place] = fill
    cells[first], cells[last] = ends[0], ends[1]
    cells[dot] = "●"
    return f"│{''.join(cells)}│"


def cut_names(names: list[str], width: int) -> list[str]:
    """Return names that fit into a width. Names that would become equal keep their ends."""
    texts = [one_line(name) for name in names]
    cut = [text if cell_width(text) <= width else f"{text[: width - 1]}…" for text in texts]
    half = (width - 1) // 2
    return [
        short if cut.count(short) == 1 or short == text else f"{text[: width - 1 - half]}…{text[-half:]}"
        for short, text in zip(cut, texts, strict=True)
    ]


def _tests(result: JudgeTable, names: int) -> list[str]:
    """Return the lines of tests against the baseline, or of all pairs."""
    rows: list[tuple[str, Estimate, str]] = []
    if result.baseline is not None:
        rows += [(row.judge, row.difference, row.verdict) for row in result.ranked if row.difference]
        title = f"against {one_line(result.baseline)}"
    else:
        title = "pairs of judges"
        rows += [(_pair_name(pair), pair.difference, pair.verdict) for pair in result.pairs]
    if not rows:
        return []
    size = max(names, min(MAX_NAME, max(cell_width(one_line(name)) for name, _, _ in rows)))
    tests = rows[0][1].parameters.get("tests", 1)
    adjusted = f" ({result.level:.0%} for all {tests})" if tests != 1 else ""
    lines = ["", f"{cut_names([title], size)[0]:<{size}}  difference in score{adjusted}"]
    for name, (_, difference, verdict) in zip(cut_names([row[0] for row in rows], size), rows, strict=True):
        ends = difference.interval
        between = (
            f"{number(ends.low, result):>6} to {number(ends.high, result):>6}"
            if isinstance(ends, Interval)
            else ""
        )
        value = number(float(difference), result) if difference.scored else "–"
        lines.append(f"{name:<{size}}  {value:>6}  {between:<16}  {verdict}")
    return [*lines, ""]


def _pair_name(pair: JudgePair) -> str:
    return f"{pair.first} − {pair.second}"
