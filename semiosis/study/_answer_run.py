"""Answers the questions of a study with a model, from the pictures alone or with their blind readings."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace

from semiosis.ask import Runner
from semiosis.judge import AnswerTask, Examinee
from semiosis.study._cases import ReadingRule, blind_readings, missing_readings, study_rule
from semiosis.study._record_run import RunRecorder, run_recorded
from semiosis.study._run import SETTLED
from semiosis.study._study import Study
from semiosis.values import HSG, Answer, AnySign, DataError, Question, Unscored


@dataclass
class AnswerPlan:
    """The questions that a run has to ask."""

    tasks: list[AnswerTask] = field(default_factory=list)
    """The questions to ask, in order."""
    missing: list[Answer] = field(default_factory=list)
    """Unscored answers to questions about signs that lack the wanted reading."""
    settled: int = 0
    """The number of unscored answers that are not asked again, because they would most likely fail again."""

    @property
    def answers(self) -> int:
        """The number of answers that the run will give."""
        return len(self.tasks) + len(self.missing)


def answer_rule(study: Study, rule: ReadingRule) -> ReadingRule:
    """Return the rule that selects the readings shown with a study's questions.

    It has the interpreter and the detail with the most readings of the signs asked about. Otherwise, answers
    based on the readings of several interpreters would be pooled.
    """
    rule = replace(study_rule(study, rule).rule, given=False)
    asked = {question.sign for question in study.questions.values()}
    blind = [reading for sign in asked for _, reading in blind_readings(study, sign, rule)]
    counts = Counter((reading.interpreter.name, reading.detail) for reading in blind)
    if not counts:  # the name of the answers' evaluator states a level of detail even if nothing is read yet
        return replace(rule, detail=rule.detail or "standard") if rule.interpreter else rule
    (interpreter, detail), _ = max(counts.items(), key=lambda item: (item[1], item[0]))
    return replace(rule, interpreter=interpreter, detail=detail)


def plan_answers(
    study: Study,
    examinee: Examinee,
    *,
    rule: ReadingRule | None = None,
    repeats: int = 1,
    retry_unscored: bool = False,
    limit: int | None = None,
    shuffle: int | None = None,
) -> AnswerPlan:
    """Return the questions that this examinee has not answered yet.

    With a `rule`, it sees the picture and the blind reading that the rule selects; a question about a sign
    without such a reading is unscored as missing. Unless `retry_unscored` is set, a question whose failure
    would most likely recur, such as a refusal, is not asked again.
    """
    plan = AnswerPlan()
    evaluator = examinee.evaluator(with_hsg=rule is not None)
    states = _answer_states(study, evaluator.id)
    order = list(study.questions.values())
    if shuffle is not None:
        random.Random(shuffle).shuffle(order)  # noqa: S311  # an order of work, not a secret
    for question, repeat in ((question, repeat) for question in order for repeat in range(repeats)):
        state = states.get((question.id, repeat), "unasked")
        if state == "settled" and not retry_unscored:
            plan.settled += 1
        elif state != "answered" and (limit is None or plan.answers < limit):
            _plan_answer(plan, study, examinee, question, repeat, rule)
    return plan


def run_answers(
    study: Study, plan: AnswerPlan, runner: Runner, *, run: str, record: bool = True
) -> Iterator[Answer]:
    """Yield the answers to the questions of a plan as they arrive. Each is recorded before it is yielded."""
    recorder = RunRecorder(study, run, record=record)
    for answer in plan.missing:
        recorder.add(answer)
    recorder.flush()
    yield from plan.missing
    with closing(run_recorded(recorder, runner, plan.tasks)) as results:
        yield from (done.result for done in results)


def _answer_states(study: Study, evaluator: str) -> dict[tuple[str, int], str]:
    """Return which questions and repeats this evaluator has `answered`, or left unscored as `settled`."""
    states: dict[tuple[str, int], str] = {}
    for answer in study.observations.values():
        if isinstance(answer, Answer) and answer.evaluator.id == evaluator:
            key = answer.question, answer.repeat
            if not isinstance(answer.choice, Unscored):
                states[key] = "answered"
            elif answer.choice.reason in SETTLED:
                states.setdefault(key, "settled")
    return states


def _plan_answer(
    plan: AnswerPlan,
    study: Study,
    examinee: Examinee,
    question: Question,
    repeat: int,
    rule: ReadingRule | None,
) -> None:
    sign = _sign_of(study, question)
    about = _reading_of(study, sign, rule) if rule else sign
    if about is not None:
        plan.tasks.append(examinee.task(question, about, repeat=repeat))
        return
    unscored = Unscored(
        reason="missing", detail=missing_readings(study, rule or ReadingRule(), "this picture")
    )
    evaluator = examinee.evaluator(with_hsg=True)
    plan.missing.append(Answer(evaluator=evaluator, question=question.id, choice=unscored, repeat=repeat))


def _reading_of(study: Study, sign: AnySign, rule: ReadingRule) -> HSG | None:
    return next((study.hsgs[hsg_id] for hsg_id, _ in blind_readings(study, sign.id, rule)), None)


def _sign_of(study: Study, question: Question) -> AnySign:
    if question.sign not in study.signs:
        raise DataError(
            f"question {question.id} is about the sign {question.sign}, which is not in the study",
            where=str(study.folder),
            fix="run semiosis study check",
        )
    return study.signs[question.sign]
