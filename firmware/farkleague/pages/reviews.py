"""The review of a game: made by a process of its own when somebody first asks for it, and kept.

It needs a packaged table of odds, because a league does not solve games.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from psycopg.types.json import Jsonb

from farkle.errors import FarkleError
from farkle.odds.game.answers import GameOdds
from farkle.odds.game.duel import OddsError
from farkle.odds.game.files import packaged_table
from farkle.review.game_review import ACCURATE, review_of
from farkle.review.record import record_of
from farkle.rules.ruleset import RuleSet
from farkleague.errors import LeagueError
from farkleague.games import GameFold
from farkleague.pages.cards import Id, card_of
from farkleague.pages.database import Reading
from farkleague.pages.rendering import page

router = APIRouter()

MOST_ASKED = 50
"""The most reviews that are made or wait."""

WAIT_S = 2.0
"""Seconds that a request waits for its review; then the page loads itself again."""

IDLE_PRIORITY = 19

_log = logging.getLogger("farkleague")


class Reviewer:
    """Makes reviews, one after another."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._made = dict[int, asyncio.Task[None]]()
        self._open()

    async def review(self, game: int) -> dict[str, Any] | None:
        """Return the review of a finished game as `reviewed` returns it; None while it is being made."""
        row = await self._reading.row("review", game=game)
        if row is not None and row.review is None and len(self._made) < MOST_ASKED:
            if game not in self._made:
                self._made[game] = asyncio.create_task(self._make(game))
            await asyncio.wait([self._made[game]], timeout=WAIT_S)
            row = await self._reading.row("review", game=game)
        return row.review if row is not None else None

    def close(self) -> None:
        """End the process after the review that it makes."""
        self._process.shutdown(wait=False, cancel_futures=True)

    def _open(self) -> None:
        context = get_context("spawn")
        self._process = ProcessPoolExecutor(1, context, initializer=_begin)

    async def _make(self, game: int) -> None:
        try:
            acts = await self._reading.rows("acts", game=game)
            work = self._process.submit(reviewed, [(row.act, row.body) for row in acts])
            review = Jsonb(await asyncio.wrap_future(work))
            await self._reading.rows("keep_review", review=review, game=game, act=acts[-1].newest)
        except Exception as error:  # noqa: BLE001 - it is logged, and made again for the next who asks
            _log.warning("game %d is not reviewed: %r", game, error)
            if isinstance(error, BrokenProcessPool):
                self._open()
        finally:
            del self._made[game]


def _begin() -> None:
    """Prepare the process: Ctrl-C reaches it, too, and is left to the program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(IDLE_PRIORITY)


def reviewed(acts: Sequence[tuple[int, Sequence[Any]]]) -> dict[str, Any]:
    """Return the review of a game as JSON's types, or under `reason` why it has none; its players are numbers.

    Args:
        acts: the number and the stored body of each act.
    """
    fold = GameFold()
    try:
        for act, body in acts:
            fold.add(act, *body)
        return record_of(review_of(fold.events, _odds))
    except (FarkleError, LeagueError) as error:
        return {"reason": str(error)}


def _odds(rules: RuleSet) -> GameOdds:
    """Return the odds of a rule set.

    Raises:
        OddsError: if no table comes with the program.
    """
    table = packaged_table(rules)
    if table is None:
        raise OddsError("expected rules whose odds come with the program, got others")
    return GameOdds(table)


@router.get("/games/{game}/review")
async def review_page(request: Request, game: Id) -> Response:
    """Return the page of a game looked at afterwards; it loads itself again while the review is being made."""
    card = await card_of(request, game)
    over = card.live is not None and card.live["over"]
    review = await request.app.state.reviewer.review(game) if over else None
    return page(request, "review.html", card=card, review=review, accurate=ACCURATE)
