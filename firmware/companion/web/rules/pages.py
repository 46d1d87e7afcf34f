"""The pages to print: the rule cards and the score sheet, rendered on the server."""

from collections.abc import Iterator
from itertools import groupby

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from companion.errors import RefusedError
from companion.table.state.draft import GameDraft, as_written, problem_of
from companion.web.pages import FRESH, render
from companion.web.rules.api import playable_rule_sets, requested_rules, settings_of
from companion.web.rules.card import SHOWN_ROLL, card_of, query_of
from companion.web.rules.sentences import about, group_of
from companion.web.table import WebTable, table_of
from companion.words import Message, message
from farkle.game.seating import MOST_PLAYERS
from farkle.rules.catalogue import catalogue
from farkle.rules.ruleset import RuleSet

BLANK = 4
"""Columns of a sheet without names."""

ROUNDS = 22

router = APIRouter(include_in_schema=False)


@router.get("/rules", response_class=HTMLResponse)
async def all_cards(request: Request) -> Response:
    """Return the page that lists every rule set with its card."""
    table = table_of(request)
    now = table.rules()
    sets = groupby(playable_rule_sets(table), group_of)
    groups = [(name, tuple(members)) for name, members in sets]
    return render(request, "rules.html", {"groups": groups, "now": now, "about": about})


@router.get("/rules/{key}", response_class=HTMLResponse)
async def rule_card(request: Request, key: str) -> Response:
    """Return one rule card. The query holds the house's settings; the key `now` is the rule set of the current game."""
    table = table_of(request)
    now = table.rules()
    if key == "now" and now is None:
        return RedirectResponse("/rules", status_code=302, headers=FRESH)
    rules = requested_rules(table, key, settings_of(request.query_params))
    players = [player.name for player in table.feed.latest.view.players] if key == "now" else []
    shown = SHOWN_ROLL[: rules.n_dice]
    card = card_of(rules, _tracks_on_card(table, rules, under_way=key == "now"))
    context = {"card": card, "shown": shown, "under_way": key == "now", "players": players}
    return render(request, "card.html", context)


def _tracks_on_card(table: WebTable, rules: RuleSet, *, under_way: bool) -> set[int]:
    """Return the tracks of a built board, or else those of the sheet; and that of the game under way."""
    known = rules.tracks if table.host.state.tracks.drawn else table.host.state.tracks.offered
    return {*known, *((table.feed.latest.view.track,) if under_way else ())}


@router.get("/score-sheet", response_class=HTMLResponse)
async def score_sheet(request: Request) -> Response:
    """Return a paper sheet for keeping the score, for `rules` and `players`; other parameters are switches.

    It has a column for each name and a line for each turn.
    """
    query = request.query_params
    table = table_of(request)
    now = table.rules()
    key = query.get("rules") or ("now" if now else catalogue()[0].key)
    rules = requested_rules(table, key, settings_of(query, but=("rules", "players")))
    rounds, card = min(rules.switches.rounds or ROUNDS, ROUNDS), query_of(rules.settings())
    sheet = {"rules": rules, "names": _names_of(query.get("players", "")), "rounds": rounds, "query": card}
    return render(request, "score-sheet.html", {**sheet, "notes": tuple(_notes(rules))})


def _names_of(players: str) -> tuple[str, ...]:
    """Return names that are separated by commas; blank ones, to be filled in by hand, without any.

    Raises:
        RefusedError: if there are too many players, or a name could not be played under.
    """
    names = as_written(players.split(",")) if players.strip(" ,") else ("",) * BLANK
    if len(names) > MOST_PLAYERS:
        raise RefusedError(message("score_sheet.too_many", players=len(names), most=MOST_PLAYERS))
    problem = problem_of(GameDraft(names=names))
    if problem.about == "names":
        raise RefusedError(problem.text)
    return names


def _notes(rules: RuleSet) -> Iterator[Message]:
    s = rules.switches
    if s.rounds:
        yield message("score_sheet.rounds", rounds=s.rounds)
    else:
        yield (
            message("score_sheet.to_hole", hole=s.target)
            if rules.chart.pegs
            else message("score_sheet.to_points", points=s.target)
        )
    if s.six_ones_win:
        yield message("score_sheet.six_ones_win")
    if s.opening_min:
        yield message("score_sheet.opening", points=s.opening_min)
    if s.min_bank:
        yield message("score_sheet.min_bank", points=s.min_bank)
    if s.farkle_penalty:
        yield message("score_sheet.farkle_cost", points=s.farkle_penalty)
    if s.three_strikes_out:
        yield message("score_sheet.out")
    elif rules.farkles_cost:
        yield message("score_sheet.cost", points=rules.farkles_cost)
