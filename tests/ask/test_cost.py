"""The cost of a run, its estimate, and its limit."""

import asyncio
from pathlib import Path

import genai_prices
import pytest
from genai_prices.data_snapshot import get_snapshot

from semiosis.ask import Asker, Budget, Model, Prices, Reply, Request, wait_for
from semiosis.ask._failure import Failure
from semiosis.testing import StandIn, says
from semiosis.values import DataError, Unscored, Usage, UsageError
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
    # One call may cost up to 4,096 output tokens · $10 per million ≈ $0.041, so $0.1 allows two at once.
    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker(max_cost=0.042)
        outcomes = wait_for(_ask_all(asker, provider, 30))
    unscored = [outcome for outcome in outcomes if isinstance(outcome, Unscored)]
    assert {outcome.reason for outcome in unscored} == {"budget"}
    assert 0 < len(provider.calls) < 30
    assert len(provider.calls) + len(unscored) == 30
    assert asker.budget.spent.cost is not None
    assert asker.budget.spent.cost <= 0.042


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
