"""Plans the answers of a model to the questions of a study, from pictures alone or with their readings."""

import random
from collections import Counter
from dataclasses import replace

from semiosis.judge import AnswerTask, Examinee
from semiosis.study._cases import ReadingRule, blind_readings, missing_readings, study_rule
from semiosis.study._manifest import PlannedEvaluator
from semiosis.study._settings import EvaluatorSettings, ModelSettings
from semiosis.study._study import Study
from semiosis.study._work import SETTLED, WorkPlan
from semiosis.values import HSG, Answer, AnySign, DataError, Evaluator, Primitive, Question, Unscored


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
) -> WorkPlan[Answer]:
    """Return the plan of the questions that this examinee has not answered yet.

    With a `rule`, it sees the picture and the blind reading that the rule selects; a question about a sign
    without such a reading is unscored as missing. Unless `retry_unscored` is set, a question whose failure
    would most likely recur, such as a refusal, is not asked again.
    """
    evaluator = examinee.evaluator(with_hsg=rule is not None)
    states = _answer_states(study, evaluator.id)
    order = list(study.questions.values())
    if shuffle is not None:
        random.Random(shuffle).shuffle(order)  # noqa: S311  # an order of work, not a secret
    tasks: list[AnswerTask] = []
    missing: list[Answer] = []
    settled = 0
    for question, repeat in ((question, repeat) for question in order for repeat in range(repeats)):
        state = states.get((question.id, repeat), "unasked")
        if state == "settled" and not retry_unscored:
            settled += 1
        elif state != "answered" and (limit is None or len(tasks) + len(missing) < limit):
            sign = _sign_of(study, question)
            about = _reading_of(study, sign, rule) if rule else sign
            if about is None:
                missing.append(_missing_answer(study, evaluator, question, repeat, rule))
            else:
                tasks.append(examinee.task(question, about, repeat=repeat))
    planned = PlannedEvaluator(evaluator.id, evaluator.name, _settings(examinee, rule, repeats))
    return WorkPlan(
        tasks, missing=tuple(missing), settled=settled, evaluators=(planned,), asker=examinee.asker
    )


def _settings(examinee: Examinee, rule: ReadingRule | None, repeats: int) -> EvaluatorSettings:
    options: dict[str, Primitive] = {"hsg": rule is not None, "language": examinee.language}
    return EvaluatorSettings(
        type="examinee",
        name="vqa",
        model=ModelSettings.of(examinee.model),
        rule=rule or ReadingRule(),
        options=options if repeats == 1 else {**options, "repeats": repeats},
    )


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


def _missing_answer(
    study: Study, evaluator: Evaluator, question: Question, repeat: int, rule: ReadingRule | None
) -> Answer:
    detail = missing_readings(study, rule or ReadingRule(), "this picture")
    unscored = Unscored(reason="missing", detail=detail)
    return Answer(evaluator=evaluator, question=question.id, choice=unscored, repeat=repeat)


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
