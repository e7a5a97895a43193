"""The tables of correlations with ratings of people, and of ranked generators."""

from collections.abc import Sequence

from semiosis.stats import PictureCorrelations
from semiosis.study import Ranking, RatingResults
from semiosis.tables._table import Cell, Table

_ACROSS_AND_WITHIN = (
    "Over all pictures, a scorer may also gain by telling easy prompts from hard ones; within prompt, only "
    "by telling the pictures of one prompt apart."
)
_RANKS = "rank: the ranks that the data leave open. All of them hold together with a probability of"
_COLUMNS = ("scorer", "Spearman ρ", "Kendall τ-b", "Pearson r", "ρ within prompt", "pictures")


def rating_table(results: RatingResults) -> Table:
    """Return the correlations of scorers, judges and people with the ratings on one scale."""
    group = f", {results.group}" if results.group else ""
    scale = f"{results.scale} ({results.low:g} to {results.high:g})"
    title = f"Agreement with people's ratings of pictures: {scale}{group}"
    rows = [_correlation_cells(row, row.name) for row in results.scorers]
    rows += [_correlation_cells(row, f"{row.name} (a person)") for row in results.people]
    return Table(title, _COLUMNS, tuple(rows), tuple(_rating_notes(results)))


def _correlation_cells(row: PictureCorrelations, name: str) -> tuple[Cell, ...]:
    pictures = f"{row.spearman.n} of {row.spearman.n + row.spearman.n_unscored}"
    complete = row.spearman.n if not row.spearman.n_unscored else pictures
    return name, row.spearman, row.kendall, row.pearson, row.spearman_within, complete


def _rating_notes(results: RatingResults) -> list[str]:
    people = f"{len(results.raters)} {'person' if len(results.raters) == 1 else 'people'}"
    notes = [
        f"n = {results.n} pictures of {results.prompts} prompts, rated by {people}; intervals over prompts.",
        f"Agreement of the people: {results.alpha} (interval); {results.icc}.",
        _ACROSS_AND_WITHIN,
    ]
    if results.people:
        notes.append(
            "Scorers are compared with the mean of all people, each person with the mean of the others."
        )
    if results.compared:
        names = ", ".join(results.compared)
        notes.append(f"The value of a picture by {names} is the share of its comparisons that it won.")
    if partial := [row.name for row in results.scorers if row.spearman.n_unscored]:
        notes.append(
            f"{', '.join(partial)} left pictures without a value. These are not in the correlations, so "
            "compare with care: a scorer may leave out what is hard."
        )
    return notes


def ranking_table(rankings: Sequence[Ranking]) -> Table:
    """Return the ranked generators, for all prompts or for each group of prompts."""
    first = rankings[0]
    grouped = [first.by.removeprefix("tag:")] if first.by else []
    missing = any(row.missing for ranking in rankings for row in ranking.rows)
    columns = ("generator", *grouped, "rank", _heading(first), "prompts", "pictures", *["missing"] * missing)
    rows = [
        (
            row.generator,
            *[ranking.group] * bool(grouped),
            str(row.ranks),
            row.value,
            row.value.n,
            row.pictures,
            *[", ".join(f"{n} {reason}" for reason, n in row.missing.items()) or 0] * missing,
        )
        for ranking in rankings
        for row in ranking.rows
    ]
    title = f"Generators by {_measure_text(first)}"
    return Table(title, columns, tuple(rows), tuple(_ranking_notes(rankings, missing=missing)))


def _heading(ranking: Ranking) -> str:
    kind, _, name = ranking.measure.partition(":")
    return {"votes": "win rate", "judge": "win rate", "rating": f"mean {name}", "score": f"mean {name}"}[kind]


def _measure_text(ranking: Ranking) -> str:
    kind, _, name = ranking.measure.partition(":")
    texts = {
        "votes": "the votes of people",
        "rating": f"people's ratings of {name}",
        "score": f"the score {name}",
        "judge": f"the verdicts of {name}",
    }
    return texts[kind]


def _ranking_notes(rankings: Sequence[Ranking], *, missing: bool) -> list[str]:
    first = rankings[0]
    kind = first.measure.partition(":")[0]
    people = f"{len(first.evaluators)} {'person' if len(first.evaluators) == 1 else 'people'}"
    who = f" by {people}" if kind in ("votes", "rating") else ""
    notes = [
        f"Mean over prompts{who}; intervals ({first.level:.0%}) are Student's t over prompts.",
        f"{_RANKS} {first.level:.0%} (paired t tests on common prompts, Holm).",
    ]
    if kind in ("votes", "judge"):
        notes.append(
            "Win rate: the share of its comparisons that a picture won; a tie counts a half. If generators "
            "met different opponents, use ratings: semiosis figure ratings."
        )
    if missing:
        notes.append(
            "Missing pictures are not counted as losses. A generator that refuses hard prompts may gain."
        )
    if any(row.without for ranking in rankings for row in ranking.rows):
        n = sum(row.without for ranking in rankings for row in ranking.rows)
        notes.append(f"{n} pictures have no value and are left out.")
    others = [name for name in first.measures if name != first.measure]
    if others:
        notes.append(f"Other measures: {', '.join(others)} (--measure NAME).")
    return notes
