"""Make pages from templates, complete without JavaScript; they share styles and symbols with a table's pages."""

from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

import farklestyles

FOLDER = Path(__file__).parent

FRESH = {"cache-control": "no-store"}

SOMEBODY = "Somebody"
"""In place of a name that was removed."""

FACES = ("", "one", "two", "three", "four", "five", "six")


def number(value: float, digits: int = 0) -> str:
    """Return a number with thousands separators: `1,250`."""
    return f"{value:,.{digits}f}"


def moment(at: datetime) -> str:
    """Return a day and time in this machine's time zone: `3 Nov 2026, 20:14`."""
    own = at.astimezone()
    return f"{own.day} {own:%b %Y, %H:%M}"


_templates = Environment(
    loader=FileSystemLoader([FOLDER / "templates", farklestyles.FOLDER / "templates"]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)
_templates.filters |= {"number": number, "moment": moment, "named": lambda name: name or SOMEBODY}
_templates.globals["face_word"] = FACES.__getitem__


def fragment(template: str, **context: object) -> str:
    """Return a part of a page."""
    return _templates.get_template(template).render(context)


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """Return a page, which browsers do not store."""
    context |= {"here": request.url.path, "organised": bool(request.app.state.password)}
    return HTMLResponse(fragment(template, **context), status, FRESH)
