"""Render pages on the server, complete without JavaScript; and the table's own page."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from companion.table.text import plural
from companion.web.rules.words import number
from companion.web.schema import VIEW
from companion.web.table import table_of
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


def render(request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """Return a page made from a template of `templates/`; browsers do not store it."""
    return _templates.TemplateResponse(request, template, dict(context), status_code=status, headers=FRESH)


@router.get("/", response_class=HTMLResponse)
async def table_page(request: Request) -> HTMLResponse:
    """Return the page of the table."""
    table = table_of(request)
    context = {
        "state": VIEW.dump_python(table.feed.latest.view, mode="json"),
        "boards": BOARDS if table.board is None else json.loads(plans_json([table.board])),
        "camera": table.calibration is not None,
        "hold_s": table.hold_s,
    }
    return render(request, "table.html", context)
