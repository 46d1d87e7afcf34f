"""The pages of the kept games: all games, one game's end and race, its throws, an evening, statistics and fairness."""

import json
import math
import re
from collections import Counter

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from companion.errors import NoGameError
from companion.games.standings import standing_at
from companion.games.statistics import ORIGINS, Fairness, dice_of, fairness_of, players_of
from companion.games.story import Story
from companion.table.state.bots import BotKind, bot_named
from companion.web.games.chart import race_of
from companion.web.games.replay import STILL, notes_of, outcome_of
from companion.web.guard.clients import is_trusted
from companion.web.pages import FRESH, board_for, render, render_problem
from companion.web.table import WebTable, in_turn, table_of
from companion.words import message
from pegboard.drawing import STYLE, holes, wood
from pegboard.palette import Mark, mark
from pegboard.track import spot_of

router = APIRouter(include_in_schema=False)


PAGE = 50
"""Games on a page of the list."""

ROWS = 6
"""Places below each other in the picture of a result; more stand in two columns."""


def read_story(table: WebTable, game: str) -> Story:
    """Return the story of a game by its number, or of the game at the table for `now`; else a `NoGameError` comes.

    Raises:
        HTTPException: 302 to the list of games for `now` if the table has no game.
    """
    if game == "now" and table.feed.latest.view.rules is None:
        raise HTTPException(302, headers={"location": "/games", **FRESH})
    return table.games.story(None if game == "now" else _number(game))


def _number(game: str) -> int:
    """Return the number of a game in an address.

    Raises:
        NoGameError: if it is none.
    """
    if not (game.isascii() and game.isdecimal() and len(game) < 10):
        raise NoGameError(f"expected the number of a game, got {game!r}")
    return int(game)


@router.get("/games", response_class=HTMLResponse)
@in_turn()
def all_games(request: Request, page: str = "1") -> Response:
    """Return a page of the kept games, the newest first; the last page for a number beyond it."""
    games = table_of(request).games
    pages = max(1, math.ceil(len(games.store.games()) / PAGE))
    number = min(int(page), pages) if re.fullmatch("[1-9][0-9]{0,8}", page) else 1
    shown = games.summaries(slice((number - 1) * PAGE, number * PAGE))
    return render(request, "games.html", {"games": shown, "page": number, "pages": pages})


@router.get("/games/{game}", response_class=HTMLResponse)
@in_turn()
def one_game(request: Request, game: str) -> Response:
    """Return the page of one game: places, the race, best turns, and a button for a rematch."""
    table = table_of(request)
    story = read_story(table, game)
    free = table.feed.latest.view.phase in {"lobby", "over"}  # else a rematch would end the game under way
    again = json.dumps(rematch_of(story)) if free and not story.own_rules else None
    goes_on = not story.over and story.number != table.games.at_table()
    context = {"game": story, "race": race_of(story), "looks": _marks(story), "again": again}
    return render(request, "game.html", {**context, "goes_on": goes_on})


@router.get("/games/{game}/throws", response_class=HTMLResponse)
@in_turn()
def throws_of_a_game(request: Request, game: str) -> Response:
    """Return the page of a game's throws with their pictures and points, the newest turn first."""
    table = table_of(request)
    story, kept = read_story(table, game), table.games.images
    stills = {act: kept.marks(act) for act in kept.acts()} if is_trusted(request) else {}
    turns = tuple(reversed(tuple(enumerate(story.turns, 1))))
    made_by = {"still": STILL.format, "notes": notes_of, "outcome": outcome_of}
    context = {"game": story, "turns": turns, "stills": stills, "looks": _marks(story), **made_by}
    return render(request, "throws.html", context)


@router.get("/games/{game}/race.svg", response_class=HTMLResponse)
@in_turn()
def race_of_a_game(request: Request, game: str) -> Response:
    """Return the chart of the race alone, for another page to embed."""
    race = race_of(read_story(table_of(request), game))
    if race is None:
        return render_problem(request, message("problem.no_race"), message("problem.no_race_why"), 404)
    response = render(request, "chart.html", {"chart": race})
    response.headers["content-type"] = "image/svg+xml"
    return response


@router.get("/games/{game}/result.svg", response_class=HTMLResponse)
@in_turn()
def result_of_a_game(request: Request, game: str) -> Response:
    """Return a picture of a game to take away: its places, board, race and best turn. It needs no other file."""
    story = read_story(table_of(request), game)
    rows = len(story.places) if len(story.places) <= ROWS else math.ceil(len(story.places) / 2)
    board = board_for(table_of(request), len(story.places), story.track)
    pegs = [
        (
            board.lanes[place.side % len(board.lanes)].spots[spot_of(place.hole, story.track, board.lap)],
            mark(place.side),
        )
        for place in story.places
    ]
    drawn = {"layout": board, "pegs": pegs, "style": Markup(STYLE), "wood": Markup(wood(board) + holes(board))}  # noqa: S704 - made of numbers
    context = {"game": story, "race": race_of(story), "looks": _marks(story), "rows": rows, **drawn}
    response = render(request, "result.svg", context)
    response.headers["content-type"] = "image/svg+xml"
    response.headers["content-disposition"] = f'attachment; filename="farkle-crib-{story.number}.svg"'
    return response


@router.get("/statistics", response_class=HTMLResponse)
@in_turn(all_games=True)
def statistics(request: Request, rules: str | None = None) -> Response:
    """Return the page of the players' statistics over all games by one rule set."""
    summaries = tuple(table_of(request).games.newest_first())
    most_played = Counter((each.rules, each.title) for each in summaries).most_common()
    sets = [played for played, _ in most_played]
    shown = rules if rules in dict(sets) else (sets[0][0] if sets else None)
    players = players_of(summaries, shown) if shown else ()
    games = sum(each.rules == shown for each in summaries)
    return render(request, "statistics.html", {"sets": sets, "shown": shown, "players": players, "games": games})


@router.get("/fairness", response_class=HTMLResponse)
@in_turn(all_games=True)
def fairness(request: Request, of: str | None = None) -> Response:
    """Return the page that says whether the dice are fair, and how sure that is."""
    summaries = table_of(request).games.summaries()
    found = {origin: fairness_of(dice_of(summaries, origin), origin) for origin in ORIGINS}
    present = [origin for origin in ORIGINS if found[origin].dice]
    shown = of if of in ORIGINS else (present[0] if present else "real")
    bars, even = bars_of(found[shown])
    context = {"kinds": present, "shown": shown, "found": found[shown], "bars": bars, "even": even}
    return render(request, "fairness.html", context)


@router.get("/standing", response_class=HTMLResponse)
@in_turn(all_games=True)
def standing_page(request: Request, game: str | None = None) -> Response:
    """Return the page of an evening: who won how often, head to head, and the loser of the night."""
    number = None if game is None else _number(game)
    games = table_of(request).games
    aliases = games.aliases()
    people = sorted(name for name in games.people().values() if name not in aliases)
    evening = standing_at(games.newest_first(), number)
    context = {"evening": evening, "game": number, "aliases": aliases, "people": people}
    return render(request, "standing.html", context)


def bars_of(found: Fairness) -> tuple[list[dict[str, float]], float]:
    """Return the bar and the interval of each face, and the place of fair dice; the end of the longest is at 100."""
    scale = 100 / max((high for _, _, high in found.shares), default=1.0)
    bars = [{"share": share * scale, "low": low * scale, "high": high * scale} for share, low, high in found.shares]
    return bars, scale / 6


def rematch_of(story: Story) -> dict[str, object]:
    """Return the body of `POST /api/v1/game` that starts the same game again."""
    asked = {name: bot_named(BotKind(kind)) for name, kind in story.bots.items()}
    teams = {team: [asked.get(name, name) for name in members] for team, members in story.teams.items()}
    again: dict[str, object] = {"rules": story.rules, "settings": story.settings, "track": story.track}
    return {
        **again,
        "players": [asked.get(name, name) for name in story.players],
        **({"teams": teams} if teams else {}),
    }


def _marks(story: Story) -> dict[str, Mark]:
    return {player: mark(side) for player, side in story.sides.items()}
