"""Pages rendered on the server: a template filled in, with the filters that templates have, and never kept."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from companion.table.text import plural
from companion.web.rules.words import number

FRESH = {"cache-control": "no-store"}


def day(at: float) -> str:
    """A moment in this machine's own time, as `21 Nov 2026, 20:14`; empty where the clock was mad."""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime("%-d %b %Y, %H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


_templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
_templates.env.filters.update(day=day, number=number, plural=plural)


def rendered(request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """A template of `templates/` with what it shows."""
    return _templates.TemplateResponse(request, template, dict(context), status_code=status, headers=FRESH)
