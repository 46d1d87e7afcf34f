"""The pages that settle an argument: the rule cards and the score sheet, rendered on the server, made to be printed."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from companion.web.ports import table_of
from companion.web.rendered import FRESH, rendered
from companion.web.rules.asked import asked_rules, known_rules, settings_in
from companion.web.rules.card import SHOWN_ROLL, card_of
from companion.web.rules.scoresheet import sheet_of
from farkle.errors import FarkleError, UnknownRuleSetError

router = APIRouter(include_in_schema=False)

LONGEST_REASON = 600


@router.get("/rules", response_class=HTMLResponse)
async def all_cards(request: Request) -> Response:
    """Every rule set with its card."""
    now = table_of(request).rules()
    return rendered(request, "rules.html", {"sets": known_rules(now), "now": now})


@router.get("/rules/{key}", response_class=HTMLResponse)
async def rule_card(request: Request, key: str) -> Response:
    """One rule card. The query holds switches that the house has set; `now` is the game under way."""
    table = table_of(request)
    now = table.rules()
    if key == "now" and now is None:
        return RedirectResponse("/rules", status_code=302, headers=FRESH)
    try:
        rules = asked_rules(key, settings_in(request.query_params), now)
    except FarkleError as error:
        return _problem(request, error)
    players = [player.name for player in table.feed.latest.view.players] if key == "now" else []
    context = {
        "card": card_of(rules),
        "shown": SHOWN_ROLL[: rules.n_dice],
        "under_way": key == "now",
        "players": players,
    }
    return rendered(request, "card.html", context)


@router.get("/score-sheet", response_class=HTMLResponse)
async def score_sheet(request: Request) -> Response:
    """A sheet of paper to keep the score on, for `rules` and `players`; other parameters are switches."""
    query = request.query_params
    now = table_of(request).rules()
    key = query.get("rules") or ("now" if now else known_rules(None)[0].key)
    try:
        rules = asked_rules(key, settings_in(query, but=("rules", "players")), now)
        sheet = sheet_of(rules, query.get("players", ""))
    except FarkleError as error:
        return _problem(request, error)
    return rendered(request, "score-sheet.html", {"sheet": sheet})


def _problem(request: Request, error: FarkleError) -> Response:
    unknown = isinstance(error, UnknownRuleSetError)
    heading = "There is no such rule set" if unknown else "It cannot be played like that"
    context: dict[str, object] = {"heading": heading, "reason": _clipped(str(error))}
    return rendered(request, "rules-problem.html", context, 404 if unknown else 422)


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}\N{HORIZONTAL ELLIPSIS}"
