"""The tables of a study: one entry in the registry for each kind."""

from collections.abc import Iterator

from semiosis.study import (
    Study,
    compare_study,
    generator_profile,
    picture_measures,
    rank_generators,
    rating_results,
    reader_agreement,
)
from semiosis.tables._agreement_table import agreement_tables
from semiosis.tables._display_registry import DisplayOptions, TableEntry, register_table
from semiosis.tables._fate_tables import fate_tables
from semiosis.tables._judge_tables import judge_table
from semiosis.tables._profile_table import profile_tables
from semiosis.tables._rating_table import ranking_table, rating_table
from semiosis.tables._score_table import score_table
from semiosis.tables._table import Table


def _judges(study: Study, options: DisplayOptions) -> Iterator[Table]:
    yield judge_table(compare_study(study, options.reference))


def _profile(study: Study, options: DisplayOptions) -> Iterator[Table]:
    yield from profile_tables(generator_profile(study, aligner=options.aligner, condition=options.condition))


def _fates(study: Study, options: DisplayOptions) -> Iterator[Table]:  # noqa: ARG001  # the type of every entry
    by_aligner, _, by_ground = fate_tables(study)  # the profile shows the shares by generator
    yield from (by_aligner, by_ground)


def _agreement(study: Study, options: DisplayOptions) -> Iterator[Table]:  # noqa: ARG001  # the type of every entry
    yield from agreement_tables(reader_agreement(study))


def _ranking(study: Study, options: DisplayOptions) -> Iterator[Table]:  # noqa: ARG001  # the type of every entry
    measures = list(picture_measures(study))
    by_people = [name for name in measures if name == "votes" or name.startswith("rating:")]
    # Without people, scores are all there is. Baselines such as the size of the file rank nothing.
    scores = [name for name in measures if name.startswith("score:") and "baseline:" not in name]
    for measure in by_people or scores:
        yield ranking_table(rank_generators(study, measure))


def _ratings(study: Study, options: DisplayOptions) -> Iterator[Table]:  # noqa: ARG001  # the type of every entry
    yield from map(rating_table, rating_results(study))


def _scores(study: Study, options: DisplayOptions) -> Iterator[Table]:  # noqa: ARG001  # the type of every entry
    yield score_table(study)


for entry in (
    TableEntry(
        "judges",
        "Judges against people",
        "The score of each judge and of the people on one ruler. `semiosis stats STUDY` prints it.",
        ("verdicts",),
        _judges,
    ),
    TableEntry(
        "scores",
        "Scorers",
        "What each scorer scored, and how many prompts were truncated and pictures cropped on the way. "
        "`semiosis stats STUDY` prints it below the judges.",
        ("scores",),
        _scores,
    ),
    TableEntry(
        "ranking",
        "Generators ranked",
        "The generators by votes and ratings of people, or else by scores, with the ranks that data leave "
        "open. `semiosis rank STUDY` prints it.",
        (),
        _ranking,
    ),
    TableEntry(
        "ratings",
        "Agreement with ratings of people",
        "The correlation of scorers and judges with people's ratings of pictures, and the agreement of the "
        "people. `semiosis ratings STUDY` prints it.",
        ("ratings",),
        _ratings,
    ),
    TableEntry(
        "profile",
        "What each generator does to meaning",
        "The nodes of prompts that each generator matches, loses and adds, by fate, ground and tradition. "
        "`semiosis profile STUDY` prints it.",
        ("alignments",),
        _profile,
    ),
    TableEntry(
        "fates",
        "Shares of fates",
        "The shares of fates by aligner and by ground. `semiosis stats STUDY --fates` prints them.",
        ("alignments",),
        _fates,
    ),
    TableEntry(
        "agreement",
        "Agreement between readers",
        "How far the readers of a sign agree, observed and above chance. "
        "`semiosis agreement STUDY` prints it.",
        ("readings",),
        _agreement,
        in_report=False,  # it aligns every pair of readings, which takes minutes for a large study
    ),
):
    register_table(entry)
