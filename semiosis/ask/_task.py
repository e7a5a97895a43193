"""Asks about signs: builds the request in a thread, because reading pictures takes time."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from pydantic import BaseModel

from semiosis.ask._asker import Asker, Reply
from semiosis.ask._request import Request
from semiosis.values import DataError, Unscored

T = TypeVar("T", bound=BaseModel)


async def ask_built(asker: Asker, build: Callable[[], Request[T]]) -> Reply[T] | Unscored:
    """Return the reply to a request that is built off the loop.

    A request that cannot be built, because an image is missing or has changed, is unscored.
    """
    try:
        request = await asyncio.to_thread(build)
    except DataError as error:
        return Unscored(reason="missing", detail=str(error))
    return await asker.ask(request)
