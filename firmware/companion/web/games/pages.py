"""The pages of the kept games: all games, one game's end and race, its throws, statistics and fairness."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from companion.errors import NoGameError
from companion.games.fairness import Fairness, fairness_of
from companion.games.report import GameReport
from companion.games.statistics import ORIGINS, GameStatistics, dice_of, players_of
from companion.web.access import is_trusted
from companion.web.games.race import race_of
from companion.web.pages import FRESH, render
from companion.web.table import table_of
from pegboard.palette import Mark, mark

router = APIRouter(include_in_schema=False)


async def read_report(request: Request, game: str) -> GameReport:
    """Return the report of a game by its number, or of the game at the table for `now`; a dependency of routes.

    The journal is read in another thread, so that no page delays the writes of another one.

    Raises:
        HTTPException: 302 to the list of games for `now` if the table has no game.
        NoGameError: if the journal keeps no such game.
    """
    table = table_of(request)
    if game == "now" and table.feed.latest.view.rules is None:
        raise HTTPException(302, headers={"location": "/games", **FRESH})
    if game != "now" and not (game.isascii() and game.isdecimal() and len(game) < 10):
        raise NoGameError(f"Expected a game's number or now, got {game[:40]!r}.")
    return await asyncio.to_thread(table.games.report, None if game == "now" else int(game))


async def read_summaries(request: Request) -> tuple[GameStatistics, ...]:
    """Return the summary of every kept game; a dependency of routes."""
    return await asyncio.to_thread(table_of(request).games.summaries)


Report = Annotated[GameReport, Depends(read_report)]
Summaries = Annotated[tuple[GameStatistics, ...], Depends(read_summaries)]


@router.get("/games", response_class=HTMLResponse)
async def all_games(request: Request, summaries: Summaries) -> Response:
    """Return the page of all kept games."""
    return render(request, "games.html", {"games": summaries})


@router.get("/games/{game}", response_class=HTMLResponse)
async def one_game(request: Request, report: Report) -> Response:
    """Return the page of one game: places, the race, best turns, and a button for a rematch."""
    free = table_of(request).feed.latest.view.phase in {"lobby", "over"}  # else a rematch would end the game under way
    again = json.dumps(rematch_of(report)) if free and not report.own_rules else None
    context = {"game": report, "race": race_of(report), "looks": _marks(report), "again": again}
    return render(request, "game.html", context)


@router.get("/games/{game}/throws", response_class=HTMLResponse)
async def throws_of_a_game(request: Request, report: Report) -> Response:
    """Return the page of a game's throws with their pictures and points, the newest turn first."""
    kept, trusted = table_of(request).games.images, is_trusted(request)
    stills = await asyncio.to_thread(lambda: {act: kept.marks(act) for act in kept.acts()}) if trusted else {}
    context = {"game": report, "turns": tuple(reversed(report.turns)), "stills": stills, "looks": _marks(report)}
    return render(request, "throws.html", {**context, "trusted": trusted})


@router.get("/games/{game}/race.svg", response_class=HTMLResponse)
async def race_of_a_game(request: Request, report: Report) -> Response:
    """Return the chart of the race alone, for another page to embed."""
    race = race_of(report)
    if race is None:
        context = {"heading": "There is no race yet", "reason": "Expected a turn that has ended, got none so far."}
        return render(request, "games-problem.html", context, 404)
    response = render(request, "race.html", {"race": race})
    response.headers["content-type"] = "image/svg+xml"
    return response


@router.get("/statistics", response_class=HTMLResponse)
async def statistics(request: Request, summaries: Summaries, rules: str | None = None) -> Response:
    """Return the page of the players' statistics over all games by one rule set."""
    sets = rule_sets_of(summaries)
    shown = rules if rules in dict(sets) else (sets[0][0] if sets else None)
    players = players_of(summaries, shown) if shown else ()
    games = sum(each.rules == shown for each in summaries)
    return render(request, "statistics.html", {"sets": sets, "shown": shown, "players": players, "games": games})


@router.get("/fairness", response_class=HTMLResponse)
async def fairness(request: Request, summaries: Summaries, of: str | None = None) -> Response:
    """Return the page that says whether the dice are fair, and how sure that is."""
    found = {origin: fairness_of(dice_of(summaries, origin), origin) for origin in ORIGINS}
    present = [origin for origin in ORIGINS if found[origin].dice]
    shown = of if of in ORIGINS else (present[0] if present else "real")
    bars, even = bars_of(found[shown])
    context = {"kinds": present, "shown": shown, "found": found[shown], "bars": bars, "even": even}
    return render(request, "fairness.html", context)


def rule_sets_of(summaries: Iterable[GameStatistics]) -> Sequence[tuple[str, str]]:
    """Return key and title of each rule set that was played, the one with the most games first."""
    return [played for played, _ in Counter((each.rules, each.title) for each in summaries).most_common()]


def bars_of(found: Fairness) -> tuple[list[dict[str, float]], float]:
    """Return the bar and the interval of each face, and the place of fair dice; the end of the longest is at 100."""
    scale = 100 / max((high for _, _, high in found.shares), default=1.0)
    bars = [{"share": share * scale, "low": low * scale, "high": high * scale} for share, low, high in found.shares]
    return bars, scale / 6


def rematch_of(report: GameReport) -> dict[str, object]:
    """Return the body of `POST /api/v1/game` that starts the same game again."""
    teams = {name: list(members) for name, members in report.teams.items()}
    again: dict[str, object] = {"rules": report.rules, "settings": report.settings, "track": report.track}
    return {**again, "players": list(report.players), **({"teams": teams} if teams else {})}


def _marks(report: GameReport) -> dict[str, Mark]:
    return {player: mark(place.side) for place in report.places for player in place.players}
