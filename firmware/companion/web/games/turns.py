"""Requests that read kept games take turns: each is worked on in a thread, and one at a time.

Threads of one process share the interpreter. If many requests of an address were worked on at once, every press at the
table would wait for all of them.
"""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

T = TypeVar("T")


class Turns:
    """The turns of one application; work on all games does not delay work on a few."""

    def __init__(self) -> None:
        self.few = asyncio.Semaphore(1)
        self.all = asyncio.Semaphore(1)


async def in_turn(request: Request, work: Callable[[], T], *, all_games: bool = False) -> T:
    """Run `work` in a thread when the requests before it are done, and return its result."""
    turns: Turns = request.app.state.turns
    async with turns.all if all_games else turns.few:
        return await asyncio.to_thread(work)
