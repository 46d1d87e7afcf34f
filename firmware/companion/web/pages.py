"""Render pages on the server, complete without JavaScript; and the table's own page."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from companion.table.state.text import plural
from companion.web.address import is_open, qr_svg, what_is_open
from companion.web.rules.words import number
from companion.web.schema import VIEW
from companion.web.table import WebTable, table_of
from companion.words import CATALOGUE, words
from farkle.game.seating import MOST_PLAYERS
from pegboard.drawing import plan_json
from pegboard.layouts import Layout, load_layout

FRESH = {"cache-control": "no-store"}

BOARDS = tuple(load_layout(f"long-board-{lanes}") for lanes in (2, 3, 4))
"""The boards that the page draws by the number of sides, if the configuration names no layout."""

router = APIRouter(include_in_schema=False)


def day(at: float) -> str:
    """Return a wall-clock time as `21 Nov 2026, 20:14` in this machine's time zone, or "" if it is out of range."""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime("%-d %b %Y, %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


def words_in_html(key: str, **fields: object) -> Markup:
    """Return the sentence of a key for a template; a field may hold markup."""
    escaped = {name: escape(value) if isinstance(value, str) else value for name, value in fields.items()}
    return Markup(words(key, **escaped))  # noqa: S704 - the catalogue has no markup, and the fields are escaped


def sections(*names: str) -> dict[str, object]:
    """Return sections of the catalogue for the scripts of a page, with the words of numbers, faces and dice."""
    return {name: CATALOGUE[name] for name in ("numbers", "one_face", "dice", *names)}


def page_environment() -> Environment:
    """Return the environment of Jinja in which the templates are rendered."""
    environment = Environment(
        loader=FileSystemLoader(FilePath(__file__).parent / "templates"),
        autoescape=True,  # an SVG, too
    )
    environment.filters.update(day=day, number=number, plural=plural)
    environment.globals.update(words=words_in_html, sections=sections)
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


_templates = Jinja2Templates(env=page_environment())


def render(request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """Return a page made from a template of `templates/`; browsers do not store it."""
    return _templates.TemplateResponse(request, template, dict(context), status_code=status, headers=FRESH)


def board_for(table: WebTable, sides: int) -> Layout:
    """Return the board to draw: the built one, or the narrowest with a lane for each side, or the widest."""
    fitting = (board for board in BOARDS if len(board.lanes) >= sides)
    return table.board or next(fitting, BOARDS[-1])


def _view_of(table: WebTable) -> object:
    return VIEW.dump_python(table.view, mode="json")


@router.get("/", response_class=HTMLResponse)
async def table_page(request: Request) -> HTMLResponse:
    """Return the page of the table."""
    table = table_of(request)
    context = {"camera": table.calibration is not None, "hold_s": table.hold_s}
    return render(request, "table.html", {"state": _view_of(table), **context})


@router.get("/boards/{sides}.json")
async def board_drawing(request: Request, sides: Annotated[int, Path(ge=0, le=MOST_PLAYERS)]) -> Response:
    """Return the drawing of the board for a number of sides, see `plan_json`."""
    return Response(plan_json(board_for(table_of(request), sides)), media_type="application/json", headers=FRESH)


@router.get("/wall", response_class=HTMLResponse)
async def wall_page(request: Request, scheme: str = "dark") -> HTMLResponse:
    """Return the view for a TV: the same table, large and without controls; `scheme=device` may make it light."""
    table = table_of(request)
    context = {"state": _view_of(table), "device": scheme == "device"}
    return render(request, "wall.html", context)


@router.get("/phone", response_class=HTMLResponse)
async def phone_page(request: Request) -> HTMLResponse:
    """Return the page that shows the table's address to another phone."""
    table = table_of(request)
    if not is_open(table.host):
        return render(request, "phone.html", {"address": None})
    address = table.address()
    return render(
        request, "phone.html", {"address": address, "qr": qr_svg(address), "open": what_is_open(table.writes)}
    )
