"""Synchronous functions work in every environment, including notebooks."""

import asyncio

from semiosis.ask import Reply, on_loop, wait_for
from semiosis.testing import StandIn, says
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question


def test_waiting_works_inside_a_running_loop_as_in_a_notebook(make_asker: MakeAsker) -> None:
    async def notebook() -> object:
        return wait_for(asker.ask(question(provider)))

    with StandIn([says(LILY)]) as provider:
        asker = make_asker()
        assert isinstance(asyncio.run(notebook()), Reply)


def test_coroutines_may_be_awaited_from_any_loop(make_asker: MakeAsker) -> None:
    async def elsewhere() -> object:
        return await on_loop(asker.ask(question(provider)))

    with StandIn(lambda _: says(LILY)) as provider:
        asker = make_asker()
        assert isinstance(asyncio.run(elsewhere()), Reply)
        assert isinstance(asyncio.run(elsewhere()), Reply)
    assert len(provider.calls) == 1
