"""The cost of a run, its estimate, and its limit."""

import asyncio
from dataclasses import replace
from pathlib import Path

import genai_prices
import pytest
from genai_prices.data_snapshot import get_snapshot
from PIL import Image

from semiosis.ask import Asker, Budget, Model, Passage, Picture, Prices, Reply, Request, wait_for
from semiosis.ask._failure import Failure
from semiosis.testing import Call, StandIn, Step, says
from semiosis.values import DataError, ProviderError, Unscored, Usage, UsageError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, Flower, question
from tests.documentation import blocks

USAGE = Usage(calls=1, input_tokens=1_000_000, output_tokens=100_000, cache_read_tokens=400_000)
SONNET = Model("anthropic/claude-sonnet-5")


def test_listed_prices() -> None:
    # $2 per million input tokens, $0.2 per million read from the cache, $10 per million output tokens:
    # 0.6 · 2 + 0.4 · 0.2 + 0.1 · 10 = 2.28
    assert Prices().cost(SONNET, USAGE) == pytest.approx(2.28)
    assert Prices().cost(SONNET, USAGE, batch=True) == pytest.approx(1.14)


def test_every_listed_price_costs_what_its_library_says() -> None:
    usage = Usage(
        calls=1, input_tokens=12345, output_tokens=678, cache_read_tokens=4321, cache_write_tokens=234
    )
    counted = genai_prices.Usage(
        input_tokens=12345, output_tokens=678, cache_read_tokens=4321, cache_write_tokens=234
    )
    prices = Prices()
    for provider in get_snapshot().providers:
        for model in provider.models:
            ours = prices.cost(Model(f"{provider.id}/{model.id}"), usage)
            if ours is None:  # some are listed under names that nobody can ask for
                continue
            listed = genai_prices.calc_price(counted, model.id, provider_id=provider.id).total_price
            assert ours == pytest.approx(float(listed), abs=5.1e-7), (provider.id, model.id)


def test_an_unknown_price_is_none_and_a_local_model_is_free() -> None:
    assert Prices().cost(Model("anthropic/nobody-knows"), USAGE) is None
    assert Prices().cost(Model("nobody/knows"), USAGE) is None
    assert Prices().cost(Model("local/folder"), USAGE) == 0


def test_the_users_own_prices_come_first(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '["anthropic/claude-sonnet-5"]\ninput = 1\noutput = 2\ncache_read = 0.5\n["x/y"]\ninput = 1\n'
    )
    prices = Prices(file)
    assert prices.cost(SONNET, USAGE) == pytest.approx(0.6 * 1 + 0.1 * 2 + 0.4 * 0.5)
    assert prices.cost(Model("x/y"), USAGE) is None  # the price of the output is missing


def test_the_price_file_of_the_documentation(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "models.md"
    (example,) = (block.code for block in blocks(page) if block.language == "toml")
    file = tmp_path / "prices.toml"
    file.write_text(example)
    # 0.6 · 0.2 + 0.4 · 0.2 + 0.1 · 0.8: cached input costs as much as other input if no price is given.
    assert Prices(file).cost(Model("openai/my-own-model"), USAGE) == pytest.approx(0.28)


@pytest.mark.parametrize(
    "written",
    [
        "[",
        '["x/y"]\nprice = 3',
        '["x/y"]\ninput = "free"',
        '["x/y"]\ninput = nan\noutput = 1',
        '["x/y"]\ninput = inf\noutput = 1',
        '["x/y"]\ninput = -5\noutput = 1',
        '["x/y"]\ninput = "1_000"\noutput = 1',
        '["x/y"]\ninput = true\noutput = 1',
    ],
)
def test_a_price_file_that_cannot_be_used_says_what_to_write(written: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(written)
    with pytest.raises(DataError, match="price file"):
        Prices(file)


@pytest.mark.parametrize("limit", [float("inf"), float("nan"), -1.0])
def test_an_invalid_cost_limit_is_refused(limit: float, make_asker: MakeAsker) -> None:
    with pytest.raises(UsageError, match=r"the cost limit .* is out of range"):
        make_asker(max_cost=limit)


async def _ask_all(asker: Asker, provider: StandIn, how_many: int) -> list[object]:
    questions = (question(provider, words=f"Which is flower {number}?") for number in range(how_many))
    return list(await asyncio.gather(*(asker.ask(request) for request in questions)))


def test_the_cost_limit_is_not_exceeded(make_asker: MakeAsker) -> None:
    # One call may cost up to 4,096 output tokens · $10 per million ≈ $0.041, and about $0.003 for its input.
    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker(max_cost=0.0437)
        outcomes = wait_for(_ask_all(asker, provider, 30))
    unscored = [outcome for outcome in outcomes if isinstance(outcome, Unscored)]
    assert {outcome.reason for outcome in unscored} == {"budget"}
    assert 0 < len(provider.calls) < 30
    assert len(provider.calls) + len(unscored) == 30
    assert asker.budget.spent.cost is not None
    assert asker.budget.spent.cost <= 0.0437


EMOJI, CHINESE = "🌷", "百合"
LIMIT = 0.5


def _billed(call: Call) -> dict[str, int]:
    """The usage that the worst provider may bill: all input written to the cache, and all output used up."""
    emoji, chinese = call.text.count("🌷"), sum(call.text.count(letter) for letter in CHINESE)
    others = len(call.text) - emoji - chinese
    text = 3 * emoji + 2 * chinese + others // 3 + 346  # 346: Anthropic's instructions for a forced tool
    pictures = 1590 * len(call.images)  # 1,092 · 1,092 pixels, by Anthropic's published table
    return {
        "input_tokens": 0,
        "cache_creation_input_tokens": text + pictures,
        "cache_read_input_tokens": 0,
        "output_tokens": call.body["max_tokens"],
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "emoji", "Chinese", "pictures", "re-asks"])
@pytest.mark.parametrize("reported", [True, False])
def test_no_input_exceeds_the_cost_limit_with_32_in_flight(
    kind: str, reported: bool, make_asker: MakeAsker, tmp_path: Path
) -> None:
    words = {"emoji": EMOJI * 2000, "Chinese": CHINESE * 2000}.get(kind, "a lily " * 100)
    answer = {"name": "lily" * 40} if kind == "re-asks" else LILY
    billed: list[dict[str, int]] = []

    def script(call: Call) -> Step:
        billed.append(_billed(call))
        return says(answer, delay=0.02, usage=billed[-1] if reported else None)

    parts: tuple[Passage | Picture, ...] = ()
    if kind == "pictures":
        Image.new("RGB", (1092, 1092)).save(tmp_path / "a.png")
        parts = (Picture((tmp_path / "a.png").read_bytes(), "image/png", 1092, 1092),) * 3

    async def ask_all(asker: Asker) -> list[object]:
        requests = [
            replace(
                question(provider, words=f"{number} {words}", parameters={"max_tokens": 300}),
                parts=(Passage(f"{number} {words}"), *parts),
            )
            for number in range(300)
        ]
        return list(await asyncio.gather(*map(asker.ask, requests)))

    with StandIn(script) as provider:
        planned = make_asker(dry_run=True)
        wait_for(ask_all(planned))
        asker = make_asker(max_cost=LIMIT, in_flight=32)
        outcomes = wait_for(ask_all(asker))
    usage = [
        Usage(
            calls=1,
            input_tokens=call["cache_creation_input_tokens"],
            cache_write_tokens=call["cache_creation_input_tokens"],
            output_tokens=call["output_tokens"],
        )
        for call in billed
    ]
    paid = sum(Prices().cost(SONNET, call) or 0 for call in usage)
    assert paid <= LIMIT
    assert paid > 0.4 * LIMIT  # and the limit is not reached by reservations alone
    assert any(isinstance(outcome, Unscored) and outcome.reason == "budget" for outcome in outcomes)
    assert paid <= planned.budget.planned_at_most


def test_a_provider_that_bills_more_than_max_tokens_stops_the_run(make_asker: MakeAsker) -> None:
    usage = {"input_tokens": 100, "output_tokens": 3 * 4096}
    with StandIn(lambda _: says(LILY, usage=usage)) as provider:
        asker = make_asker(max_cost=100, in_flight=4)
        with pytest.raises(ProviderError, match=r"12288 output tokens, more than the 4096 of max_tokens"):
            wait_for(_ask_all(asker, provider, 50))
        wait_for(asker.close())
    assert len(provider.calls) <= 4  # those in flight


def test_a_provider_that_counts_more_input_than_expected_raises_the_reservations(
    make_asker: MakeAsker,
) -> None:
    # $2.5 per million tokens written to the cache: one call with 100,000 costs $0.25.
    usage = {"input_tokens": 0, "output_tokens": 9, "cache_creation_input_tokens": 100_000}
    with StandIn(lambda _: says(LILY, usage=usage)) as provider:
        asker = make_asker(max_cost=0.6, in_flight=1)
        wait_for(_ask_all(asker, provider, 20))
    assert len(provider.calls) == 2  # 0.5; a third would make it 0.75
    assert asker.budget.spent.cost is not None
    assert asker.budget.spent.cost <= 0.6


def test_a_usage_that_no_call_can_have_is_unknown(make_asker: MakeAsker) -> None:
    usage = {"input_tokens": 2**39, "output_tokens": 1}
    with StandIn([says(LILY, usage=usage)]) as provider:
        asker = make_asker()
        wait_for(asker.ask(question(provider)))
    assert asker.budget.estimated == 1
    assert asker.budget.spent.cost is not None
    assert asker.budget.spent.cost < 0.05


def test_a_dry_run_states_what_a_run_costs_at_most(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says({"name": "lily"})) as provider:
        planned = make_asker(dry_run=True)
        wait_for(_ask_all(planned, provider, 3))
        run = make_asker()
        wait_for(_ask_all(run, provider, 3))
    assert len(provider.calls) == 9  # each question and its two re-asks
    assert run.budget.spent.cost is not None
    assert planned.budget.spent.cost is not None
    assert f"(at most ${planned.budget.planned_at_most:.4f})" in str(planned.budget)
    assert planned.budget.spent.cost < planned.budget.planned_at_most
    assert run.budget.spent.cost <= planned.budget.planned_at_most


def test_reservations_leave_no_residue(tmp_path: Path) -> None:
    # As floats, 0.1 + 0.2 - 0.1 - 0.2 is 2.8e-17: the next question waited for a call that did not exist.
    file = tmp_path / "prices.toml"
    file.write_text('["x/y"]\ninput = 0\noutput = 10\n')
    budget = Budget(prices=Prices(file), max_cost=1.0)

    def costs(dollars: float) -> Request[Flower]:
        return Request(Model("x/y"), "", (), Flower, parameters={"max_tokens": round(dollars * 100_000)})

    async def reserve_and_settle() -> None:
        for dollars in (0.1, 0.2):
            reserved = await budget.reserve(costs(dollars), batch=False)
            assert isinstance(reserved, int)
            budget.release(reserved)
        refused = await asyncio.wait_for(budget.reserve(costs(1.1), batch=False), timeout=60)
        assert isinstance(refused, Failure)
        assert "next call may cost" in refused.detail

    asyncio.run(reserve_and_settle())


def test_a_cost_limit_without_a_price_is_refused(make_asker: MakeAsker) -> None:
    with StandIn([says(LILY)]) as provider:
        request = question(provider)
        unknown = type(request)(Model("anthropic/nobody-knows", provider.url), "Name it.", (), request.answer)
        with pytest.raises(UsageError, match="price of anthropic/nobody-knows is unknown"):
            wait_for(make_asker(max_cost=1).ask(unknown))
    assert provider.calls == []


def test_an_unknown_price_is_shown_in_the_totals(make_asker: MakeAsker) -> None:
    with StandIn([says(LILY)]) as provider:
        request = question(provider)
        unknown = type(request)(Model("anthropic/nobody-knows", provider.url), "Name it.", (), request.answer)
        asker = make_asker()
        wait_for(asker.ask(unknown))
    assert asker.budget.spent.cost is None
    assert str(asker.budget) == "1 calls, 0 kept, cost unknown, no price known for anthropic/nobody-knows"


def test_a_dry_run_counts_each_question_once_and_asks_nothing(make_asker: MakeAsker) -> None:
    with StandIn(lambda _: says(LILY)) as provider:
        wait_for(make_asker().ask(question(provider, words="Which is flower 0?")))
        asker = make_asker(dry_run=True)
        replies = wait_for(_ask_all(asker, provider, 5)) + wait_for(_ask_all(asker, provider, 5))
    assert len(provider.calls) == 1
    assert all(isinstance(reply, Reply) for reply in replies)
    assert (asker.budget.spent.calls, asker.budget.kept) == (4, 2)
    assert asker.budget.spent.cost is not None
    assert asker.budget.spent.cost > 0


def test_a_dry_run_without_a_journal_does_not_create_one(tmp_path: Path) -> None:
    with StandIn([]) as provider:
        asker = Asker(tmp_path / "replies.sqlite", dry_run=True)
        outcome = wait_for(asker.ask(question(provider, placeholder=None)))
    assert isinstance(outcome, Unscored)
    assert list(tmp_path.iterdir()) == []
