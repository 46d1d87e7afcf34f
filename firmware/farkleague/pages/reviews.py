"""The review of a game: made by a process of its own when somebody first asks for it, and kept.

It needs a packaged table of odds, because a league does not solve games.
"""

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
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
from farkleague.pages.boards import Id, card_of
from farkleague.pages.cards import GameCard
from farkleague.pages.database import Reading
from farkleague.pages.rendering import page

router = APIRouter()

MOST_ASKED = 50
"""The most reviews that are made or wait."""

WAIT_S = 2.0
"""Seconds that the first request waits for its review; then the page loads itself again."""

MOST_COSTLY = 10

IDLE_PRIORITY = 19

_log = logging.getLogger("farkleague")


class Reviewer:
    """Makes reviews, one after another."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._made = dict[int, asyncio.Task[None]]()
        self._process: ProcessPoolExecutor | None = None

    async def review(self, game: int) -> Mapping[str, Any] | None:
        """Return the review of a finished game as `reviewed` returns it; None while it is being made."""
        kept = await self._kept(game)
        if kept is None and (game in self._made or len(self._made) < MOST_ASKED):
            making = self._made.get(game) or self._made.setdefault(game, asyncio.create_task(self._make(game)))
            await asyncio.wait([making], timeout=WAIT_S)
            kept = await self._kept(game) if making.done() else None
        return kept

    def close(self) -> None:
        """End the process; a review under way is made again another time."""
        for each in self._made.values():
            each.cancel()
        if self._process is not None:
            for process in self._process._processes.values():  # noqa: SLF001 - `kill_workers` is of Python 3.14
                process.kill()
            self._process.shutdown(wait=False, cancel_futures=True)

    async def _kept(self, game: int) -> Mapping[str, Any] | None:
        row = await self._reading.row("SELECT review FROM games WHERE id = %s", [game])
        return row.review if row is not None else None

    async def _make(self, game: int) -> None:
        try:
            acts = await self._reading.rows(
                "SELECT acts.act, acts.body, games.act AS newest FROM games JOIN acts ON acts.board = games.board"
                " AND acts.game = games.number WHERE games.id = %s ORDER BY acts.act",
                [game],
            )
            if self._process is None:
                context = get_context("spawn")
                self._process = ProcessPoolExecutor(1, context, initializer=os.nice, initargs=(IDLE_PRIORITY,))
            work = self._process.submit(reviewed, [(row.act, row.body) for row in acts])
            record = await asyncio.wrap_future(work)
            query = "UPDATE games SET review = %s WHERE id = %s AND act = %s"  # unless it has changed
            await self._reading.write(query, [Jsonb(record), game, acts[-1].newest])
        except BrokenProcessPool:
            _log.warning("the review of game %d ended without a result", game)
            self._process = None
        except Exception:  # noqa: BLE001 - it is logged, and asked for again
            _log.exception("game %d is not reviewed", game)
        finally:
            self._made.pop(game, None)


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
    if card.game is None or not card.game.over:
        return page(request, "review.html", card=card, review=None, why="A game is reviewed when it is over.")
    reviewer: Reviewer = request.app.state.reviewer
    review = await reviewer.review(game)
    if review is None or "reason" in review:
        return page(request, "review.html", card=card, review=None, why=_why(card.game) if review else "")
    costly = sorted((act for act in review["acts"] if act["price"] >= ACCURATE), key=lambda act: -act["price"])
    names = {str(player.number): player.name for side in card.game.sides for player in side.players}
    lines = [_line(review, side) for side in range(len(card.game.sides))]
    context: dict[str, Any] = {"names": names, "costly": costly[:MOST_COSTLY], "lines": lines}
    return page(request, "review.html", card=card, review=review, why="", **context)


def _why(game: GameCard) -> str:
    """Return why a finished game has no review, in plain words."""
    if len(game.sides) < 2:
        return "Nobody else played, so there is no chance to win."
    return "The chances of this game are not known: no table of odds for its rules comes with the league."


def _line(review: Mapping[str, Any], side: int) -> str:
    """Return the chances of a side after each act, as the points of a line in a box of 600 by 200."""
    chances = [review["start"], *(act["chances"] for act in review["acts"])]
    return " ".join(
        f"{600 * step / max(1, len(chances) - 1):.1f},{200 - 200 * each[side]:.1f}"
        for step, each in enumerate(chances)
        if side < len(each)
    )
