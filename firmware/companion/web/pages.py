"""Render pages on the server, complete without JavaScript; and the table's own page."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from companion.table.text import plural
from companion.web.address import is_open, qr_svg, what_is_open
from companion.web.rules.words import number
from companion.web.schema import VIEW
from companion.web.table import WebTable, table_of
from pegboard.drawing import plans_json
from pegboard.layouts import load_layout

FRESH = {"cache-control": "no-store"}

BOARDS = json.loads(plans_json([load_layout(f"long-board-{lanes}") for lanes in (2, 3, 4)]))
"""The boards that the page chooses from by the number of sides, if the configuration names no layout."""

router = APIRouter(include_in_schema=False)


def day(at: float) -> str:
    """Return a wall-clock time as `21 Nov 2026, 20:14` in this machine's time zone, or "" if it is out of range."""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime("%-d %b %Y, %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


_templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
_templates.env.filters.update(day=day, number=number, plural=plural)
_templates.env.policies["json.dumps_kwargs"] = {"separators": (",", ":")}


def render(request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """Return a page made from a template of `templates/`; browsers do not store it."""
    return _templates.TemplateResponse(request, template, dict(context), status_code=status, headers=FRESH)


def boards_of(table: WebTable) -> object:
    """Return the drawings of the boards that a page may show: the built one, or one for each number of lanes."""
    return BOARDS if table.board is None else json.loads(plans_json([table.board]))


def _view_of(table: WebTable) -> object:
    return VIEW.dump_python(table.feed.latest.view, mode="json")


@router.get("/", response_class=HTMLResponse)
async def table_page(request: Request) -> HTMLResponse:
    """Return the page of the table."""
    table = table_of(request)
    context = {"camera": table.calibration is not None, "hold_s": table.hold_s}
    return render(request, "table.html", {"state": _view_of(table), "boards": boards_of(table), **context})


@router.get("/wall", response_class=HTMLResponse)
async def wall_page(request: Request, scheme: str = "dark") -> HTMLResponse:
    """Return the view for a TV: the same table, large and without controls; `scheme=device` may make it light."""
    table = table_of(request)
    context = {"state": _view_of(table), "boards": boards_of(table), "device": scheme == "device"}
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
