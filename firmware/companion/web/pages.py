"""The pages that people see, rendered on the server: whole without JavaScript, alive with it."""

import json

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from companion.web.ports import table_of
from companion.web.rendered import rendered
from companion.web.schema import VIEW
from pegboard.drawing import plans_json
from pegboard.layouts import load_layout

BOARDS = json.loads(plans_json([load_layout(f"long-board-{lanes}") for lanes in (2, 3, 4)]))
"""The boards that the page draws where the table's is not named: one with as many lanes as sides play, at least two."""

router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
async def table_page(request: Request) -> HTMLResponse:
    """The table: the only screen most people ever see."""
    table = table_of(request)
    boards = BOARDS if table.board is None else json.loads(plans_json([table.board]))
    context = {
        "state": VIEW.dump_python(table.feed.latest.view, mode="json"),
        "boards": boards,
        "camera": table.calibrator is not None,
        "hold_s": table.hold_s,
    }
    return rendered(request, "table.html", context)
