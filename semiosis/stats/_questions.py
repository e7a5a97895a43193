"""Answers to questions about artifacts (VQA), averaged over repeats."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from semiosis.stats._agreement import sum_by_group
from semiosis.stats._concordance import mean_columns
from semiosis.stats._estimate import Estimate, undefined
from semiosis.stats._repeats import mean_over_repeats
from semiosis.stats._resample import Resampling
from semiosis.values import Answer, AnySign, Question, Unscored, evaluator_labels


def question_accuracy(
    answers: Iterable[Answer],
    questions: Sequence[Question],
    signs: Iterable[AnySign] = (),
    *,
    resamples: int = 2_000,
    level: float = 0.95,
    seed: int = 0,
) -> Mapping[str, Estimate]:
    """Return the VQA accuracy of each evaluator over all questions (SemJudge, section 6.1).

    An unscored answer is not correct, but without any answer there is no accuracy. `related["over_judged"]`
    divides by the questions that were answered.
    With `signs`, the interval is over the prompts of the artifacts asked about, otherwise over the artifacts.
    """
    answers, resampling = list(answers), Resampling(resamples=resamples, level=level, seed=seed)
    number = {question.id: i for i, question in enumerate(questions)}
    made_from = {sign.id: sign.prompt or sign.id for sign in signs}
    prompt = [made_from.get(question.sign, question.sign) for question in questions]
    labels = evaluator_labels(answer.evaluator for answer in answers)
    found = {}
    for label in dict.fromkeys(labels.values()):
        own_answers = [a for a in answers if labels[a.evaluator.id] == label and a.question in number]
        found[label] = _accuracy_estimate(own_answers, number, questions, prompt, resampling)
    return found


def _accuracy_estimate(
    own_answers: Sequence[Answer],
    number: Mapping[str, int],
    questions: Sequence[Question],
    prompt: Sequence[str],
    resampling: Resampling,
) -> Estimate:
    repeats = sorted({answer.repeat for answer in own_answers}) or [0]
    right = np.zeros((len(repeats), len(questions)))
    scored = np.zeros((len(repeats), len(questions)), dtype=np.bool_)
    for answer in own_answers:
        if not isinstance(answer.choice, Unscored):
            cell = repeats.index(answer.repeat), number[answer.question]
            right[cell] = answer.choice == questions[cell[1]].correct
            scored[cell] = True
    method, n_unscored = "right / all questions", int((~scored).any(axis=0).sum())
    if not scored.any():
        none = undefined("no question was answered")
        return Estimate(name="VQA", value=none, n=len(questions), n_unscored=n_unscored, method=method)
    columns = [sum_by_group(mean_columns(row), prompt) for row in right]
    estimate = mean_over_repeats("VQA", columns, resampling, "no question", (0.0, 1.0))
    share = estimate.value
    return replace(
        estimate,
        n=len(questions),
        n_unscored=n_unscored,
        bounds=None if isinstance(share, Unscored) else (share, share + float((~scored).mean())),
        method=method,
        related={**estimate.related, "over_judged": float(right[scored].mean())},
    )
