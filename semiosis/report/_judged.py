"""The comparisons of a report: their list, and the one with which the report begins."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from semiosis.report._images import ImageFolder
from semiosis.report._judgments import OUTCOME_WORDS
from semiosis.study import Study
from semiosis.values import (
    Alignment,
    AnySign,
    Comparison,
    ImageSign,
    Outcome,
    TextSign,
    Unscored,
    count_fates,
    parts_of,
)

MIN_PEOPLE = 2
"""The minimum number of people on whose agreement the choice rests."""


@dataclass(frozen=True, slots=True)
class JudgedComparison:
    """A comparison with its alignments and outcomes."""

    comparison: Comparison
    """The comparison."""
    diffs: tuple[Alignment, Alignment] | None
    """The alignments of the prompt with both artifacts; None if one is missing."""
    outcomes: Sequence[Outcome]
    """The outcome of everyone who judged it."""

    @property
    def votes(self) -> Counter[str]:
        """The scored answers of people: a, b and tie."""
        people = (outcome.winner_or_tie for outcome in self.outcomes if outcome.evaluator.kind == "person")
        return Counter(answer for answer in people if not isinstance(answer, Unscored))

    @property
    def winner(self) -> str:
        """The artifact that most people chose; empty if there is none."""
        votes = self.votes
        return max("ab", key=lambda side: votes[side]) if votes["a"] != votes["b"] else ""

    @property
    def strikes(self) -> tuple[float, float]:
        """How far people agree, and how much the artifacts differ: by their distance, and by a reversal."""
        votes = self.votes
        agreed = abs(votes["a"] - votes["b"]) / votes.total() if votes.total() >= MIN_PEOPLE else 0.0
        if self.diffs is None:
            return agreed, 0.0
        a, b = self.diffs
        return agreed, abs(a.distance - b.distance) + 0.5 * self.has_reversal

    @property
    def has_reversal(self) -> bool:
        """Whether a meaning of the prompt was reversed in an artifact."""
        return any(fate.fate == "reversed" for diff in self.diffs or () for fate in diff.fates)


def striking_comparison(judged: Iterable[JudgedComparison]) -> JudgedComparison | None:
    """Return the comparison to begin with: the one with most agreement and difference, then the first one."""
    return max(judged, key=lambda comparison: sum(comparison.strikes), default=None)


def people_sentence(judged: JudgedComparison) -> str:
    """Return what people chose, such as "All 5 people chose A."; empty if nobody judged."""
    votes = judged.votes
    if not votes:
        return ""
    if not judged.winner:
        return f"People are divided: A {votes['a']}, B {votes['b']}, tie {votes['tie']}."
    side = judged.winner.upper()
    if votes[judged.winner] == votes.total():
        return (
            f"All {votes.total()} people chose {side}." if votes.total() > 1 else f"One person chose {side}."
        )
    return f"{votes[judged.winner]} of {votes.total()} people chose {side}."


def dissent_sentence(judged: JudgedComparison, labels: Mapping[str, str]) -> str:
    """Return which models chose the other artifact; empty if none did."""
    loser = {"a": "b", "b": "a"}.get(judged.winner, "")
    names = [
        labels[outcome.evaluator.id]
        for outcome in judged.outcomes
        if outcome.evaluator.kind == "model" and outcome.winner == loser
    ]
    return f"{', '.join(names)} chose {loser.upper()}." if names else ""


def fates_sentence(letter: str, diff: Alignment) -> str:
    """Return what became of the prompt's nodes in an artifact."""
    added = f", {len(diff.emergent)} added" if diff.emergent else ""
    return f"{letter}: {count_fates(diff)} of the prompt's {len(diff.source.nodes)} meanings{added}."


@dataclass(frozen=True, slots=True)
class StrikingView:
    """The comparison with which a report begins, in words and pictures."""

    page: str
    """The path of its page."""
    title: str
    """The prompt's title."""
    text: str
    """The prompt's text."""
    artifacts: tuple[tuple[str, AnySign, str], ...]
    """The letter and the sign of each artifact, with the path of its image; empty for a text."""
    sentences: tuple[str, ...]
    """What people chose, which models differ, and what became of the prompt's meanings."""


def striking_view(
    study: Study, judged: Iterable[JudgedComparison], images: ImageFolder
) -> StrikingView | None:
    """Return the comparison to begin with; None if none was judged or aligned."""
    striking = striking_comparison(judged)
    if striking is None or not (striking.outcomes or striking.diffs):
        return None
    comparison = striking.comparison
    signs = {letter: study.signs[id_] for letter, id_ in (("A", comparison.a), ("B", comparison.b))}
    fates = zip("AB", striking.diffs or (), strict=False)
    sentences = (
        people_sentence(striking),
        dissent_sentence(striking, study.judge_labels),
        *(fates_sentence(letter, diff) for letter, diff in fates),
    )
    return StrikingView(
        f"comparisons/{comparison.id}.html",
        comparison_title(study, comparison),
        prompt_text(study.signs[comparison.prompt]),
        tuple((letter, sign, _address(sign, images, "large")) for letter, sign in signs.items()),
        tuple(filter(None, sentences)),
    )


def _address(sign: AnySign, images: ImageFolder, size: str) -> str:
    return f"images/{images.address(sign, size)}" if isinstance(sign, ImageSign) else ""


def prompt_text(sign: AnySign) -> str:
    """Return the text of a prompt."""
    return " ".join(part.text for part in parts_of(sign) if isinstance(part, TextSign))


def comparison_title(study: Study, comparison: Comparison) -> str:
    """Return the title of a comparison's prompt, or the comparison's id."""
    return study.signs[comparison.prompt].title or f"comparison {comparison.id}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One comparison in the list of comparisons."""

    page: str
    """The path of its page."""
    title: str
    """The prompt's title."""
    text: str
    """The prompt's text."""
    generators: tuple[str, str]
    """The generators of a and b."""
    tradition: str
    """The tradition of the prompt."""
    thumbnails: tuple[str, str]
    """The paths of the images of a and b; empty for a text."""
    flags: tuple[str, ...]
    """The filters that the comparison passes: disagreement, unscored, flip, reversed."""
    outcomes: tuple[tuple[str, str], ...]
    """The people with their counted outcomes, then every other evaluator with its outcome."""


def entry(study: Study, judged: JudgedComparison, images: ImageFolder) -> Entry:
    """Return one line of the list of comparisons."""
    comparison = judged.comparison
    prompt, a, b = (study.signs[id_] for id_ in (comparison.prompt, comparison.a, comparison.b))
    return Entry(
        page=f"comparisons/{comparison.id}.html",
        title=comparison_title(study, comparison),
        text=prompt_text(prompt),
        generators=(a.generator, b.generator),
        tradition=prompt.tradition,
        thumbnails=(_address(a, images, "small"), _address(b, images, "small")),
        flags=tuple(_flags(judged)),
        outcomes=_outcome_words(judged, study.judge_labels),
    )


def _flags(judged: JudgedComparison) -> Iterator[str]:
    winners = {outcome.winner for outcome in judged.outcomes}
    # Programs are left out, because a baseline that tosses a coin disagrees with everybody.
    if {"a", "b"} <= {outcome.winner for outcome in judged.outcomes if outcome.evaluator.kind != "program"}:
        yield "disagreement"
    if any(isinstance(winner, Unscored) for winner in winners):
        yield "unscored"
    if "flip" in winners:
        yield "flip"
    if judged.has_reversal:
        yield "reversed"


def _outcome_words(judged: JudgedComparison, labels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return who judged, each with the outcome. Those of people are counted together."""
    people = Counter(_word(outcome) for outcome in judged.outcomes if outcome.evaluator.kind == "person")
    counts = ", ".join(f"{OUTCOME_WORDS[word]} {people[word]}" for word in OUTCOME_WORDS if people[word])
    programs_and_models = [outcome for outcome in judged.outcomes if outcome.evaluator.kind != "person"]
    return (
        *((("people", counts),) if people else ()),
        *((labels[outcome.evaluator.id], OUTCOME_WORDS[_word(outcome)]) for outcome in programs_and_models),
    )


def _word(outcome: Outcome) -> str:
    return "unscored" if isinstance(outcome.winner, Unscored) else outcome.winner
