"""Runs aligners and judges over a whole study."""

from collections.abc import Iterator

from semiosis.study._readings import Choice, trio
from semiosis.study._study import Study
from semiosis.values import HSG, Comparison, Judge, Unscored, Verdict


def pairs(study: Study, choice: Choice) -> Iterator[tuple[HSG, HSG]]:
    """Every prompt's HSG with each of its artifacts' HSGs that the comparisons need, once each."""
    seen: set[tuple[str, str]] = set()
    for comparison in study.comparisons.values():
        chosen = trio(study, comparison, choice)
        if isinstance(chosen, Unscored):
            continue
        for artifact in (chosen.a, chosen.b):
            if (chosen.prompt.id, artifact.id) not in seen:
                seen.add((chosen.prompt.id, artifact.id))
                yield chosen.prompt, artifact


def judge_study(study: Study, judge: Judge, choice: Choice) -> Iterator[Verdict]:
    """The judge's verdicts on every comparison; one without readings is unscored, not left out."""
    for comparison in study.comparisons.values():
        yield from _judged(study, comparison, judge, choice)


def _judged(study: Study, comparison: Comparison, judge: Judge, choice: Choice) -> tuple[Verdict, ...]:
    chosen = trio(study, comparison, choice)
    if isinstance(chosen, Unscored):
        return (Verdict(evaluator=judge.evaluator, comparison=comparison.id, winner=chosen),)
    return judge.compare(chosen.prompt, chosen.a, chosen.b).verdicts
