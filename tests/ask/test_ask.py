"""One structured question through the real SDKs, against a stand-in provider on loopback."""

import asyncio

import pytest

from semiosis.ask import Asker, Model, Reply, Request, wait_for
from semiosis.ask._limit import Limiter
from semiosis.ask._profile import Structured
from semiosis.testing import DisconnectStep, HTTPErrorStep, StandIn, Step, busy, cut_off, empty, refuses, says
from semiosis.values import ProviderError, Unscored, UnscoredReason, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, MODELS, Flower, KnownFlower, question

every_way = pytest.mark.parametrize("way", MODELS)


def scored(asker: Asker, request: Request[Flower]) -> Reply[Flower]:
    reply = wait_for(asker.ask(request))
    assert isinstance(reply, Reply)
    return reply


def unscored(asker: Asker, request: Request[Flower]) -> Unscored:
    outcome = wait_for(asker.ask(request))
    assert isinstance(outcome, Unscored)
    return outcome


@every_way
def test_an_answer_comes_back_in_its_form_and_is_served_from_the_journal_afterwards(
    way: str, make_asker: MakeAsker
) -> None:
    with StandIn([says(LILY)]) as provider:
        first = scored(make_asker(), question(provider, way))
        second = scored(make_asker(), question(provider, way))
    assert (first.answer.name, first.answer.petals) == ("lily", 6)
    assert second.answer.model_dump() == first.answer.model_dump()
    assert (first.kept, second.kept) == (False, True)
    assert first.usage == second.usage
    assert first.usage.calls == len(provider.calls) == 1
    assert first.usage.cost is not None
    assert first.served == second.served == provider.calls[0].body["model"]


@every_way
def test_a_reply_that_does_not_fit_is_sent_back_and_both_attempts_are_recorded(
    way: str, make_asker: MakeAsker
) -> None:
    with StandIn([says({"name": "lily"}), says(LILY)]) as provider:
        asker = make_asker()
        reply = scored(asker, question(provider, way))
        again = scored(make_asker(), question(provider, way))
    assert provider.calls[1].re_ask
    assert "petals" in provider.calls[1].text
    assert reply.usage.calls == asker.budget.spent.calls == again.usage.calls == len(provider.calls) == 2


@every_way
@pytest.mark.parametrize(
    ("step", "reason", "raw"),
    [
        (refuses("No flowers today."), "refusal", "No flowers today."),
        (cut_off('{"name": "li'), "cut-off", '{"name": "li'),
        (empty(), "empty", ""),
    ],
)
def test_a_reply_without_an_answer_is_unscored_and_its_text_is_kept(
    way: str, step: Step, reason: UnscoredReason, raw: str, make_asker: MakeAsker
) -> None:
    with StandIn([step, says(LILY)]) as provider:
        first = unscored(make_asker(), question(provider, way))
        second = scored(make_asker(), question(provider, way))
    assert (first.reason, first.raw) == (reason, raw)
    assert second.usage.calls == 2  # the failed one was paid for too


@every_way
def test_a_malformed_reply_is_asked_for_again_a_limited_number_of_times(
    way: str, make_asker: MakeAsker
) -> None:
    with StandIn(lambda _: says("It is a lily.")) as provider:
        outcome = unscored(make_asker(re_asks=2), question(provider, way))
    assert outcome.reason == "malformed"
    assert outcome.raw == "It is a lily."
    assert len(provider.calls) == 3


def test_an_invalid_reply_is_never_served(make_asker: MakeAsker) -> None:
    with StandIn([says("no"), says(LILY)]) as provider:
        assert unscored(make_asker(re_asks=0), question(provider)).reason == "malformed"
        assert scored(make_asker(re_asks=0), question(provider)).answer.petals == 6


def test_the_lenient_form_is_accepted_only_when_the_re_asks_are_used_up(make_asker: MakeAsker) -> None:
    rose = {"name": "rose", "petals": 5}
    with StandIn(lambda _: says(rose)) as provider:
        request = question(provider, answer=KnownFlower, lenient=Flower)
        reply = scored(make_asker(re_asks=1), request)
        assert "does not grow here" in provider.calls[1].text
        kept = scored(make_asker(re_asks=1), request)
    assert reply.answer.model_dump() == kept.answer.model_dump() == rose
    assert kept.kept
    assert len(provider.calls) == 2


@every_way
def test_calls_wait_for_a_busy_provider(way: str, make_asker: MakeAsker, limiters: list[Limiter]) -> None:
    with StandIn([busy(429), busy(529), HTTPErrorStep(500), DisconnectStep(), says(LILY)]) as provider:
        asker = make_asker()
        assert scored(asker, question(provider, way)).answer.name == "lily"
    (limiter,) = limiters
    assert asker.budget.spent.calls == 1  # nothing was paid for the others
    assert limiter.limit < limiter.max_limit


@pytest.mark.parametrize(
    ("step", "reason", "timeout"),
    [
        (DisconnectStep(), "provider", 60),
        (HTTPErrorStep(503), "provider", 60),
        (says(LILY, delay=30), "timeout", 0.3),
    ],
)
def test_an_unreachable_provider_leaves_the_question_unscored(
    step: Step, reason: str, timeout: float, make_asker: MakeAsker
) -> None:
    with StandIn(lambda _: step) as provider:
        assert unscored(make_asker(tries=2, timeout=timeout), question(provider)).reason == reason
    assert len(provider.calls) == 2


def test_a_request_that_the_provider_rejects_is_not_repeated(make_asker: MakeAsker) -> None:
    with StandIn([HTTPErrorStep(400)]) as provider:
        assert unscored(make_asker(), question(provider)).reason == "provider"
    assert len(provider.calls) == 1


@pytest.mark.parametrize(("status", "error"), [(401, ProviderError), (403, ProviderError), (404, UsageError)])
@every_way
def test_what_only_the_user_can_fix_stops_the_run(
    way: str, status: int, error: type[Exception], make_asker: MakeAsker
) -> None:
    with StandIn([HTTPErrorStep(status)]) as provider, pytest.raises(error):
        wait_for(make_asker().ask(question(provider, way)))


def test_a_missing_key_names_the_variable_to_set(
    make_asker: MakeAsker, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name)
    for model in ("anthropic/claude-sonnet-5", "openai/gpt-4o"):
        request = Request(Model(model), "Name it.", (), Flower)
        with pytest.raises(UsageError, match="no key") as raised:
            wait_for(make_asker().ask(request))
        assert f"{model.partition('/')[0].upper()}_API_KEY" in raised.value.fix


@pytest.mark.parametrize("model", ["", "claude", "/x", "anthropic/", "anthropic/a\nb", "anthropic/\udcff"])
def test_an_invalid_model_name_is_refused(model: str) -> None:
    with pytest.raises(UsageError, match="does not name a model"):
        Model(model)


@pytest.mark.parametrize(
    ("name", "way"), [("openai/x", "native"), ("anthropic/x", "schema"), ("local/x", "tools")]
)
def test_a_schema_mode_that_the_api_lacks_is_refused(name: str, way: Structured) -> None:
    with pytest.raises(UsageError, match="does not accept a schema as"):
        Model(name, structured=way)


@pytest.mark.parametrize("limit", [-5, 0, True, 1.5])
def test_an_invalid_limit_on_tokens_is_refused(limit: float) -> None:
    with pytest.raises(UsageError, match="max_tokens"):
        Request(Model("openai/x", parameters={"max_tokens": limit}), "Name it.", (), Flower)


@pytest.mark.slow
@every_way
def test_what_a_user_writes_is_never_run_as_a_template(way: str, make_asker: MakeAsker) -> None:
    hostile = "{{ 7 * 191 }} {% for x in () %} ${HOME}"
    with StandIn([says(LILY)]) as provider:
        scored(make_asker(), question(provider, way, hostile))
    assert hostile in provider.calls[0].text
    assert "1337" not in provider.calls[0].text


@every_way
def test_repeats_are_independent_questions(way: str, make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker()
        for repeat in (0, 1, 1):
            scored(asker, question(provider, way, repeat=repeat))
    assert len(provider.calls) == 2


def test_the_same_question_at_the_same_time_is_asked_once(make_asker: MakeAsker) -> None:
    async def all_at_once(*askers: Asker) -> list[object]:
        return list(await asyncio.gather(*(asker.ask(request) for asker in askers for _ in range(5))))

    with StandIn(lambda _: says(LILY, delay=0.05)) as provider:
        request = question(provider)
        replies = wait_for(all_at_once(make_asker(), make_asker()))  # two journals on one file: two processes
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len(provider.calls) == 1


def test_an_unscored_question_is_shared_too(make_asker: MakeAsker) -> None:
    async def twice(asker: Asker, request: Request[Flower]) -> list[object]:
        return list(await asyncio.gather(asker.ask(request), asker.ask(request)))

    with StandIn([refuses()]) as provider:
        outcomes = wait_for(twice(make_asker(), question(provider)))
    assert all(isinstance(outcome, Unscored) and outcome.reason == "refusal" for outcome in outcomes)


def test_the_shared_prefix_is_marked_and_read_from_the_providers_cache(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker()
        one, two = (scored(asker, question(provider, words=words)) for words in ("This one?", "That one?"))
    assert one.usage.cache_write_tokens > 0
    assert two.usage.cache_read_tokens == one.usage.cache_write_tokens
    assert provider.calls[0].body["system"][0]["cache_control"] == {"type": "ephemeral"}


def test_the_limit_holds_for_everything_an_asker_does(make_asker: MakeAsker) -> None:
    async def all_of(asker: Asker, provider: StandIn) -> None:
        await asyncio.gather(*(asker.ask(question(provider, words=str(number))) for number in range(40)))

    with StandIn(lambda _: says(LILY, delay=0.01)) as provider:
        asker = make_asker(in_flight=3)
        wait_for(all_of(asker, provider))
    assert provider.most_at_once == 3
    assert len(provider.calls) == 40


def test_ctrl_c_sends_nothing_that_still_waits_for_a_slot(
    make_asker: MakeAsker, limiters: list[Limiter]
) -> None:
    async def interrupted(asker: Asker, provider: StandIn) -> None:
        asking = [
            asyncio.create_task(asker.ask(question(provider, words=str(number)))) for number in range(4)
        ]
        await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        for task in asking:
            task.cancel()
        await asyncio.wait(asking)
        await asker.close()
        assert [limiter.in_flight for limiter in limiters] == [0]

    slow = says(LILY, delay=0.05)
    with StandIn([says(LILY), slow, slow]) as provider:
        asker = make_asker(in_flight=2)
        wait_for(interrupted(asker, provider))
    assert len(provider.calls) < 4


def test_ctrl_c_keeps_what_is_paid_for(make_asker: MakeAsker) -> None:
    async def interrupted(asker: Asker, request: Request[Flower], arrived: asyncio.Event) -> None:
        asking = asyncio.create_task(asker.ask(request))
        await arrived.wait()
        asking.cancel()
        await asyncio.wait([asking])
        await asker.close()

    async def arrival() -> asyncio.Event:
        return asyncio.Event()

    arrived = wait_for(arrival())

    def answer(_call: object) -> Step:
        loop.call_soon_threadsafe(arrived.set)
        return says(LILY, delay=0.02)

    async def here() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    loop = wait_for(here())
    with StandIn(answer) as provider:
        wait_for(interrupted(make_asker(), question(provider), arrived))
        again = scored(make_asker(), question(provider))
    assert again.usage.calls == len(provider.calls) == 1
