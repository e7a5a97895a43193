"""Multiple-choice questions about an artifact, with and without its HSG."""

from collections.abc import Callable

import pytest

from semiosis.ask import Asker, Model
from semiosis.judge import Examinee
from semiosis.stats import question_accuracy
from semiosis.testing import StandIn, refuses, says
from semiosis.values import HSG, Question, Reading, Unscored, UsageError
from tests.read.conftest import Garden

MakeAsker = Callable[..., Asker]


def question(garden: Garden, text: str = "What does the disc stand for?") -> Question:
    return Question(sign=garden.a.id, text=text, choices=("love", "{{ 7 * 6 }}", "the sun"), correct=2)


def examinee(provider: StandIn, make_asker: MakeAsker) -> Examinee:
    return Examinee(Model("anthropic/claude-sonnet-5", provider.url), asker=make_asker())


def test_the_model_sees_the_picture_and_never_the_prompt(garden: Garden, make_asker: MakeAsker) -> None:
    asked = question(garden)
    with StandIn(lambda _: says({"rationale": "It is round.", "choice": 3})) as provider:
        model = examinee(provider, make_asker)
        without = model.answer(asked, garden.a)
        with_hsg = model.answer(asked, garden.hsgs[1])
    assert without.choice == with_hsg.choice == 2
    assert (without.used, with_hsg.used) == ((), (garden.hsgs[1].id,))
    assert without.evaluator != with_hsg.evaluator
    for call in provider.calls:
        assert garden.prompt.text not in call.text
        assert call.images == (garden.a.sha256,)
        assert "2. {{ 7 * 6 }}" in call.text
    assert '"G.n1"' in provider.calls[1].text
    assert '"G.n1"' not in provider.calls[0].text


def test_a_given_reading_is_refused(garden: Garden, provider: StandIn, make_asker: MakeAsker) -> None:
    prompt, a, _ = garden.hsgs
    reading = Reading(interpreter=a.reading.interpreter, given=(prompt.id,))
    with pytest.raises(UsageError, match="reveal the prompt"):
        examinee(provider, make_asker).answer(question(garden), HSG(a.sign, a.semioses, a.relations, reading))


def test_a_question_about_another_sign_is_refused(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    with pytest.raises(UsageError, match="the question is about sign"):
        examinee(provider, make_asker).answer(question(garden), garden.b)


def test_a_choice_that_is_not_offered_is_sent_back(garden: Garden, make_asker: MakeAsker) -> None:
    steps = [says({"rationale": "It is round.", "choice": number}) for number in (4, 0, 1)]
    with StandIn(steps) as provider:
        answer = examinee(provider, make_asker).answer(question(garden), garden.a)
    assert answer.choice == 0
    assert "there is no choice 4" in provider.calls[1].text


def test_an_answer_without_a_reason_is_sent_back(garden: Garden, make_asker: MakeAsker) -> None:
    steps = [says({"rationale": reason, "choice": 2}) for reason in ("", "It is round.")]
    with StandIn(steps) as provider:
        answer = examinee(provider, make_asker).answer(question(garden), garden.a)
    assert answer.choice == 1
    assert len(provider.calls) == 2


def test_accuracy_over_the_answered_and_over_all(garden: Garden, make_asker: MakeAsker) -> None:
    questions = [question(garden, f"Question {number}?") for number in range(4)]
    choices = [says({"rationale": "It is round.", "choice": number}) for number in (3, 1, 3)]
    with StandIn([*choices, refuses()]) as provider:
        model = examinee(provider, make_asker)
        answers = [model.answer(asked, garden.a) for asked in questions]
    (result,) = question_accuracy(answers, questions, resamples=0).values()
    assert (result.n, result.n_unscored) == (4, 1)
    assert result.related["over_judged"] == 2 / 3
    assert float(result) == 2 / 4
    assert question_accuracy([], questions) == {}


def test_without_any_answer_there_is_no_accuracy(garden: Garden, make_asker: MakeAsker) -> None:
    asked = question(garden)
    with StandIn([refuses()]) as provider:
        answers = [examinee(provider, make_asker).answer(asked, garden.a)]
    (result,) = question_accuracy(answers, [asked], resamples=0).values()
    assert isinstance(result.value, Unscored)
    assert (result.value.detail, result.n, result.n_unscored) == ("no question was answered", 1, 1)


def test_a_lost_picture_is_not_a_wrong_answer(
    garden: Garden, provider: StandIn, make_asker: MakeAsker
) -> None:
    without_file = garden.a.model_copy(update={"path": "/nowhere.png"})
    answer = examinee(provider, make_asker).answer(question(garden), without_file)
    assert isinstance(answer.choice, Unscored)
    assert answer.choice.reason == "missing"
