"""Reviews and ratings as a feature of the program: finished games looked at afterwards, in its pages and its API."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from companion.features.reviews.ratings import EveningRatings, PlayerSkill, ratings_at, skills_of
from companion.features.reviews.reviewer import Reviewer, ReviewStatus
from companion.games.story import Story
from companion.odds.sentences import commented, done, highlights, price
from companion.runtime.parts import ProgramPart
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.games.api import known_number
from companion.web.games.chart import AxisTick, ChartHighlight, ChartScale, GameChart, across_of, lines_of
from companion.web.games.pages import read_story
from companion.web.guard.clients import words_of
from companion.web.pages import render
from companion.web.schema import answer_of, json_answer, problem, problems
from companion.web.table import WebTable, in_turn, table_of
from companion.words import Message, message
from farkle.review.game_review import GameReview, costly
from farkle.review.record import record_of

router = APIRouter(responses=problems(421))

WAITING = {"description": "The review is being made."}
"""What 202 means, for the documentation."""

QUARTERS = (0, 25, 50, 75, 100)
"""The chances of the chart's axis, in per cent."""

MOST_COSTLY = 5
"""The decisions that are listed first."""

AGAIN_S = 3
"""Seconds after which a page whose review is being made loads itself again."""


@router.get("/games/{game}/review", response_class=HTMLResponse, include_in_schema=False)
@in_turn()
def review_page(request: Request, game: str) -> Response:
    """Return the page of a game looked at afterwards, or how far its review is."""
    table = table_of(request)
    story = read_story(table, game)
    status = _status(table, story)
    context: dict[str, object] = {"game": story, "status": status, "again_s": AGAIN_S}
    ready = status.ready
    if ready is None or ready.review is None:
        why = message(_why_not(story)) if ready is not None or not story.over else None
        return render(request, "review.html", {**context, "review": None, "why": why})
    review = ready.review
    found = tuple(highlights(review))
    numbers = {act: number for number, (_, act, _) in enumerate(found, 1)}
    listed = tuple((numbers[act], review.acts[act - 1], said) for _, act, said in found)
    dear = tuple((act, price(act)) for act in costly(review)[:MOST_COSTLY])
    context |= {"chart": _chart(story, review, numbers) if review.acts else None, "highlights": listed}
    context |= {"review": review, "costly": dear, "done": done, "marked": numbers, "ahead": _ahead(story, review)}
    return render(request, "review.html", context)


@router.get("/api/v1/games/{game}/review", responses={202: WAITING, **problems(404, 422)})
@in_turn()
def read_review(request: Request, game: int) -> Response:
    """Return a finished game looked at afterwards, as `farklecrib review --json` prints it; 202 while it is being made.

    A game that has no review is answered by 422 with the reason.
    """
    table = table_of(request)
    story = table.games.story(known_number(game))
    status = _status(table, story)
    if status.ready is not None and status.ready.review is not None:
        return JSONResponse(record_of(status.ready.review))
    if status.ready is not None or not story.over:
        return problem(422, words_of(request)(_why_not(story)))
    return JSONResponse({"share": status.share}, 202)


@router.get("/api/v1/games/{game}/reviewed.txt", response_class=Response, responses={202: WAITING, **problems(404)})
@in_turn()
def read_commented(request: Request, game: int) -> Response:
    """Return a finished game in the notation with its review as comments; 202 and the game alone while it is made."""
    table = table_of(request)
    story = table.games.story(known_number(game))
    status = _status(table, story)
    plain = "text/plain; charset=utf-8"
    if status.ready is None or status.ready.review is None:
        return Response(story.notation, 200 if status.ready else 202, media_type=plain)
    text = commented(story.events, status.ready.review, words_of(request), story.bots)
    return Response(text, media_type=plain)


def _status(table: WebTable, story: Story) -> ReviewStatus:
    """Return the review of a game; one that is under way has none, because odds are no help at the table.

    Raises:
        HTTPException: 404 at a table that reviews no games.
    """
    reviewer = table.offered(Reviewer)
    if reviewer is None:
        raise HTTPException(404)
    return reviewer.look(story.number) if story.over else ReviewStatus()


def _why_not(story: Story) -> str:
    """Return the key of the sentence that says why a game has no review."""
    if not story.over:
        return "review.not_over"
    if len(story.places) < 2:
        return "review.no_opponent"
    return "review.no_winner" if story.settings.get("find_loser") else "review.no_odds"


def _chart(story: Story, review: GameReview, highlights: Mapping[int, int]) -> GameChart:
    """Return the chart of the chances after each act, with the highlights; `highlights` holds their numbers by act."""
    rows = {0: review.start} | {act.act: act.chances for act in review.acts}
    scale = ChartScale(len(review.acts), 0, 1)
    lines = tuple(lines_of(story.places, rows, scale))
    marked = [(number, review.acts[act - 1]) for act, number in highlights.items()]
    return GameChart(
        lines=lines,
        across=across_of(scale),
        up=tuple(AxisTick(scale.y(percent / 100), percent) for percent in QUARTERS),
        highlights=tuple(
            ChartHighlight(number, scale.x(act.act), scale.y(act.chances[story.sides[act.player]]))
            for number, act in marked
            if story.sides[act.player] < len(act.chances)
        ),
        target=None,
        label=message(
            "review.chart",
            sides=[message("review.chance", name=line.name, percent=float(round(100 * line.value))) for line in lines],
        ),
        steps=scale.steps,
    )


def _ahead(story: Story, review: GameReview) -> Message | None:
    """Return that the winner was ahead all the time, if there was no turn of the game."""
    if review.turning is not None or len(story.winners) != 1 or not review.start:
        return None
    return message("review.ahead", winner=story.winners[0])


def read_ratings_of(request: Request, game: int | None = None) -> EveningRatings:
    """Return the ratings after the newest evening, or after the evening in which a game ended."""
    return ratings_at(table_of(request).games.newest_first(), game)


def skills_at(request: Request) -> tuple[PlayerSkill, ...]:
    """Return the decisions and the luck of each player over all games that were reviewed."""
    reviews = table_of(request).offered(Reviewer)
    if reviews is None:
        return ()
    games = {each.number: each for each in table_of(request).games.newest_first()}
    return skills_of(
        (
            [replace(each, name=name) for each, name in zip(players, games[number].players, strict=True)],
            games[number].bots,
        )
        for number, players in reviews.players().items()
        if number in games
    )


@router.get("/ratings", response_class=HTMLResponse, include_in_schema=False)
@in_turn(all_games=True)
def ratings_page(request: Request) -> Response:
    """Return the page of the players' ratings over all evenings."""
    return render(request, "ratings.html", {"ratings": read_ratings_of(request), "skills": skills_at(request)})


@router.get("/api/v1/ratings", responses={200: answer_of(EveningRatings), **problems(404)})
@in_turn(all_games=True)
def read_ratings(request: Request, game: Annotated[int | None, Query(ge=1, lt=10**9)] = None) -> Response:
    """Return the players' ratings by Glicko-2 after the newest evening, or after the evening in which a game ended.

    They are worked out from the kept games: an evening is a rating period, and a deleted game does not count.
    """
    return json_answer(request, read_ratings_of(request, game))


@router.get("/api/v1/skills")
@in_turn()
def read_skills(request: Request) -> list[PlayerSkill]:
    """Return each player's share of best decisions, what the others gave away, and luck, over all reviewed games."""
    return list(words_of(request).rendered(skills_at(request)))


def _opened(table: TableParts) -> OpenedFeature:
    reviewer = Reviewer(table.data, table.games, table.host.feed, table.host.submit)
    return OpenedFeature((ProgramPart.of("reviews", reviewer),), (reviewer,))


def _context(request: Request) -> dict[str, object]:
    """Return whether games are reviewed, and the function that gives the ratings after the evening of a game."""
    reviewed = table_of(request).offered(Reviewer) is not None
    return {"reviewed": reviewed, "ratings_of": partial(read_ratings_of, request)}


FEATURE = Feature("reviews", opened=_opened, routers=(router,), context=_context, folder=Path(__file__).parent)
