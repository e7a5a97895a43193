"""Everything that prefers one artifact over another is a judge: scorers and citations lifted into judges."""

from dataclasses import dataclass

from semiosis.values import (
    HSG,
    Citation,
    Comparison,
    Evaluator,
    Judge,
    Outcome,
    Score,
    Scorer,
    Unscored,
    Verdict,
    Winner,
    resolve,
)


@dataclass(frozen=True)
class ScoreJudge:
    """A scorer as a judge: the artifact with the higher score wins, equal scores tie."""

    scorer: Scorer
    """Who scores."""
    tie_within: float = 0.0
    """Scores no further apart than this are a tie."""

    @property
    def evaluator(self) -> Evaluator:
        """The scorer's name; how near is a tie is a setting of the judge."""
        scorer = self.scorer.evaluator
        parameters = {**scorer.parameters, "tie_within": self.tie_within}
        return Evaluator(kind=scorer.kind, name=scorer.name, parameters=parameters)

    def compare(self, prompt: HSG, a: HSG, b: HSG) -> Outcome:
        """One verdict: a scorer sees one artifact at a time, so there is no order to show them in."""
        one, two = self.scorer.score(prompt, a), self.scorer.score(prompt, b)
        comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
        verdict = Verdict(
            evaluator=self.evaluator,
            comparison=comparison.id,
            winner=_higher(one, two, self.tie_within),
            used=tuple(dict.fromkeys((*one.used, *two.used))),
        )
        return resolve([verdict])


@dataclass(frozen=True)
class CitationJudge:
    """The citation layer as a judge: the side that another judge's citations speak for.

    What a judge says and what it cites may differ; this judge shows by how much (SemJudge, eq. 10).
    """

    judge: Judge
    """Whose citations are counted."""

    @property
    def evaluator(self) -> Evaluator:
        """The judge's name with `citations of` before it."""
        cited = self.judge.evaluator
        return Evaluator(kind=cited.kind, name=f"citations of {cited.name}", parameters=cited.parameters)

    def compare(self, prompt: HSG, a: HSG, b: HSG) -> Outcome:
        """The side that more citations favour, in each order and repeat."""
        return resolve(self.recount(self.judge.compare(prompt, a, b)))

    def recount(self, outcome: Outcome) -> tuple[Verdict, ...]:
        """Verdicts from the citations of verdicts that were given already."""
        return tuple(favoured(verdict, self.evaluator) for verdict in outcome.verdicts)


def favoured(verdict: Verdict, evaluator: Evaluator) -> Verdict:
    """The verdict that a verdict's citations come to; without any for a or b it is unscored."""
    winner = verdict.winner if isinstance(verdict.winner, Unscored) else _majority(verdict.citations)
    return Verdict(
        evaluator=evaluator,
        comparison=verdict.comparison,
        shown=verdict.shown,
        repeat=verdict.repeat,
        winner=winner,
        citations=verdict.citations,
        dropped=verdict.dropped,
        used=verdict.used,
    )


def _majority(citations: tuple[Citation, ...]) -> Winner | Unscored:
    stances = [citation.stance for citation in citations]
    a, b = stances.count("a"), stances.count("b")
    if not a and not b:
        return Unscored(reason="undefined", detail="no citation speaks for a or b")
    if a == b:
        return "tie"
    return "a" if a > b else "b"


def _higher(one: Score, two: Score, tie_within: float) -> Winner | Unscored:
    if isinstance(one.value, Unscored):
        return one.value
    if isinstance(two.value, Unscored):
        return two.value
    if abs(one.value - two.value) <= tie_within:
        return "tie"
    return "a" if one.value > two.value else "b"
