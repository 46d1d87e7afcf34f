"""The pages of seasons and tournaments: the standing, and the matches by rounds."""

from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from farkle.tournament import Match, is_over, rounds, standing, winners
from farkleague.pages.boards import Id
from farkleague.pages.database import reading
from farkleague.pages.rendering import page
from farkleague.results import tournament_of

router = APIRouter()

FINALS = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}
"""The names of a knock-out's rounds by the number of their matches."""

_COMPETITION: Final = (
    "SELECT name, form, rules, begins, ends, current_date > ends AS past,"
    " (SELECT jsonb_agg(jsonb_build_array(players.id, players.name, boards.name, boards.id) ORDER BY seed)"
    " FROM entrants JOIN players ON players.id = entrants.person JOIN boards ON boards.id = board WHERE competition = %(id)s)"
    " AS entrants,"
    " (SELECT coalesce(jsonb_agg(jsonb_build_array(first, second, first_place, second_place, game, boards.name)"
    " ORDER BY game), '[]') FROM matches JOIN games ON games.id = game JOIN boards ON boards.id = board"
    " WHERE competition = %(id)s) AS played FROM competitions WHERE id = %(id)s"
)


@dataclass(frozen=True)
class Entrant:
    """Who plays in a competition: the number of the person, the name, and the board where the person plays."""

    person: int
    name: str
    board: str
    board_id: int


@dataclass(frozen=True)
class MatchCard:
    """A match; `game` and `at` are the game's id and the board's name if it was played."""

    match: Match
    players: tuple[Entrant, ...]
    winners: tuple[Entrant, ...]
    game: int | None = None
    at: str = ""


@router.get("/seasons")
async def seasons_page(request: Request) -> Response:
    """Return the page of all seasons and tournaments, the newest first."""
    found = await reading(request).rows(
        "SELECT id, name, form, begins, ends, current_date BETWEEN begins AND ends AS running,"
        " (SELECT count(*) FROM entrants WHERE competition = competitions.id) AS entrants,"
        " (SELECT count(*) FROM matches WHERE competition = competitions.id) AS played"
        " FROM competitions ORDER BY begins DESC, id DESC"
    )
    return page(request, "seasons.html", seasons=found)


@router.get("/seasons/{season}")
async def season_page(request: Request, season: Id, board: int = 0) -> Response:
    """Return the page of a season or tournament; with `board`, only the matches of its players.

    Raises:
        HTTPException: 404 if there is none.
    """
    found = await reading(request).row(_COMPETITION, {"id": season})
    if found is None:
        raise HTTPException(404)
    entrants = [Entrant(*each) for each in found.entrants]
    by_person = {str(each.person): each for each in entrants}
    tournament = tournament_of(found.form, [each.person for each in entrants], [each[:4] for each in found.played])
    games = {frozenset(each[:2]): each[4:] for each in found.played}

    def card(match: Match) -> MatchCard:
        players, won = (tuple(entrants[number] for number in each) for each in (match.players, match.winners))
        game = games.get(frozenset(each.person for each in players), ()) if match.state == "played" else ()
        return MatchCard(match, players, won, *game)

    shown = [
        (_title(found.form, number, len(matches)), [each for each in map(card, matches) if _is_of(each, board)])
        for number, matches in enumerate(rounds(tournament), 1)
    ]
    context: dict[str, Any] = {
        "standing": [(each, by_person[each.name]) for each in standing(tournament)],
        "rounds": [(title, matches) for title, matches in shown if matches],
        "winners": [by_person[each] for each in winners(tournament)],
        "boards": sorted({(each.board, each.board_id) for each in entrants}),
        "over": is_over(tournament),
    }
    return page(request, "season.html", season=found, id=season, board=board, **context)


def _is_of(card: MatchCard, board: int) -> bool:
    """Return whether to show a match; empty ones are never shown."""
    undecided = card.match.state in ("open", "waits")
    return (bool(card.players) or undecided) and (not board or any(each.board_id == board for each in card.players))


def _title(form: str, number: int, matches: int) -> str:
    return FINALS[matches] if form == "knock_out" and matches in FINALS else f"Round {number}"
