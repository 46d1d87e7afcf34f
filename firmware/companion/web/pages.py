"""The pages that people see, rendered on the server: whole without JavaScript, alive with it."""

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from companion.web.ports import WebTable
from companion.web.schema import state_of

HERE = Path(__file__).parent
_templates = Jinja2Templates(directory=HERE / "templates")

router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
async def table_page(request: Request) -> HTMLResponse:
    """The table: the only screen most people ever see."""
    table = request.app.state.table
    assert isinstance(table, WebTable)
    state = state_of(table.feed.latest, simulated=table.simulated)
    # `</` would end the script element that carries the state.
    state_json = state.model_dump_json().replace("</", "<\\/")
    context = {"state": state.model_dump(), "state_json": state_json}
    return _templates.TemplateResponse(request, "table.html", context, headers={"cache-control": "no-store"})
