"""The pages of the games kept: all games, one game's end and race, its throws, statistics, fairness; whole without
JavaScript."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from companion.errors import CompanionError, NoGameError
from companion.games.fairness import Fairness, fairness_of
from companion.games.report import GameReport
from companion.games.statistics import GameSummary, dice_of, players_of
from companion.web.access import near
from companion.web.games.race import race_of
from companion.web.ports import table_of
from companion.web.rendered import FRESH, rendered
from pegboard.palette import mark

router = APIRouter(include_in_schema=False)

KINDS = ("real", "recorded", "simulated")
T = TypeVar("T")


@router.get("/games", response_class=HTMLResponse)
async def all_games(request: Request) -> Response:
    """Every game that is kept."""
    summaries = await _summaries(request)
    if isinstance(summaries, Response):
        return summaries
    return rendered(request, "games.html", {"games": summaries})


@router.get("/games/{game}", response_class=HTMLResponse)
async def one_game(request: Request, game: str) -> Response:
    """How a game stands or ended: places, the race, best turns, and the same again. `now` is the newest."""
    found = await _record(request, game)
    if isinstance(found, Response):
        return found
    free = table_of(request).feed.latest.view.phase in {"lobby", "over"}  # else a game under way would be left
    again = rematch_of(found) if free and not found.own_rules else None
    looks = {player: mark(place.side) for place in found.places for player in place.players}
    context = {"game": found, "race": race_of(found), "looks": looks, "again": again and json.dumps(again)}
    return rendered(request, "game.html", context)


@router.get("/games/{game}/throws", response_class=HTMLResponse)
async def throws_of_a_game(request: Request, game: str) -> Response:
    """Every throw of a game with its still, and its points explained; the newest turn first."""
    found = await _record(request, game)
    if isinstance(found, Response):
        return found
    kept = table_of(request).games.stills
    stills = await asyncio.to_thread(lambda: {act: kept.marks(act) for act in kept.acts()}) if near(request) else {}
    looks = {player: mark(place.side) for place in found.places for player in place.players}
    context = {"game": found, "turns": tuple(reversed(found.turns)), "stills": stills, "looks": looks}
    return rendered(request, "throws.html", {**context, "near": near(request)})


@router.get("/games/{game}/race.svg", response_class=HTMLResponse)
async def race_of_a_game(request: Request, game: str) -> Response:
    """The race alone, to be set into a page."""
    found = await _record(request, game)
    if isinstance(found, Response):
        return found
    race = race_of(found)
    if race is None:
        return _problem(request, 404, "There is no race yet", "Expected a turn that has ended, got none so far.")
    response = rendered(request, "race.html", {"race": race})
    response.headers["content-type"] = "image/svg+xml"
    return response


@router.get("/statistics", response_class=HTMLResponse)
async def statistics(request: Request, rules: str | None = None) -> Response:
    """What the players did over all games by one rule set."""
    summaries = await _summaries(request)
    if isinstance(summaries, Response):
        return summaries
    sets = rule_sets_of(summaries)
    shown = rules if rules in dict(sets) else (sets[0][0] if sets else None)
    players = players_of(summaries, shown) if shown else ()
    games = sum(each.rules == shown for each in summaries)
    return rendered(request, "statistics.html", {"sets": sets, "shown": shown, "players": players, "games": games})


@router.get("/fairness", response_class=HTMLResponse)
async def fairness(request: Request, of: str | None = None) -> Response:
    """Whether the dice are fair, and how sure that is."""
    summaries = await _summaries(request)
    if isinstance(summaries, Response):
        return summaries
    found = {kind: fairness_of(dice_of(summaries, kind)) for kind in KINDS}
    there = [kind for kind in KINDS if found[kind].dice]
    shown = of if of in KINDS else (there[0] if there else "real")
    bars, even = bars_of(found[shown])
    context = {"kinds": there, "shown": shown, "found": found[shown], "bars": bars, "even": even}
    return rendered(request, "fairness.html", context)


def rule_sets_of(summaries: Iterable[GameSummary]) -> Sequence[tuple[str, str]]:
    """The rule sets that were played, as key and title, the one with the most games first."""
    counts: dict[tuple[str, str], int] = {}
    for each in summaries:
        counts[(each.rules, each.title)] = counts.get((each.rules, each.title), 0) + 1
    return sorted(counts, key=lambda each: -counts[each])


def bars_of(found: Fairness) -> tuple[list[dict[str, float]], float]:
    """For each face where its bar and its interval lie, and where fair dice would be; the longest interval is 100."""
    scale = 100 / max((high for _, _, high in found.shares), default=1.0)
    bars = [{"share": share * scale, "low": low * scale, "high": high * scale} for share, low, high in found.shares]
    return bars, scale / 6


def rematch_of(record: GameReport) -> dict[str, object]:
    """What starts the same game again, as `POST /api/v1/game` takes it."""
    teams = {name: list(members) for name, members in record.teams.items()}
    again: dict[str, object] = {"rules": record.rules, "settings": record.settings, "track": record.track}
    return {**again, "players": list(record.players), **({"teams": teams} if teams else {})}


async def _summaries(request: Request) -> tuple[GameSummary, ...] | Response:
    return await _asked(request, table_of(request).games.summaries)


async def _record(request: Request, game: str) -> GameReport | Response:
    games = table_of(request).games
    if game != "now" and not (game.isascii() and game.isdecimal() and len(game) < 10):
        return _problem(request, 404, "There is no such game", f"Expected a game's number or now, got {game[:40]!r}.")
    number_ = None if game == "now" else int(game)
    if game == "now" and table_of(request).feed.latest.view.rules is None:
        return RedirectResponse("/games", status_code=302, headers=FRESH)
    return await _asked(request, lambda: games.record(number_))


async def _asked(request: Request, asking: Callable[[], T]) -> T | Response:
    """What the archive answers, asked on a thread of its own: the page of one never holds up the taps of another."""
    try:
        return await asyncio.to_thread(asking)
    except NoGameError as error:
        return _problem(request, 404, "There is no such game", str(error))
    except CompanionError as error:
        return _problem(request, 503, "The games cannot be read just now", str(error))


def _problem(request: Request, status: int, heading: str, reason: str) -> Response:
    return rendered(request, "games-problem.html", {"heading": heading, "reason": reason}, status)
