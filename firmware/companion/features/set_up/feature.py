"""The set-up in a browser as a feature of the program."""

from pathlib import Path

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from companion.features.set_up import api, calibrate, pages
from companion.features.set_up.brought_games import remove_leftovers
from companion.features.set_up.set_up import SetUp
from companion.runtime.parts import ProgramPart
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.table import table_of


def _opened(table: TableParts) -> OpenedFeature:
    if table.saved:
        remove_leftovers(table.data)
    if table.changes is None:
        return OpenedFeature()
    set_up = SetUp(
        table.config,
        table.changes,
        restart=table.restart,
        data=table.data,
        trial=table.trial,
        say=table.say,
        faults=lambda: {**table.missing, **dict(table.host.state.faults)},
        calibration=table.calibration,
    )
    return OpenedFeature((ProgramPart("set-up", close=set_up.close),), (set_up,))


def _front(request: Request) -> Response | None:
    """Return the set-up on a Pi that nobody has set up, until somebody puts it off."""
    set_up = table_of(request).offered(SetUp)
    new = set_up is not None and set_up.on_a_pi and set_up.untouched and not table_of(request).feed.latest.view.seq
    return RedirectResponse("/set-up", 303) if new and "later" not in request.query_params else None


def _context(request: Request) -> dict[str, object]:
    """Return whether the table can be set up, and the step that real dice need next."""
    set_up = table_of(request).offered(SetUp)
    return {"set_up": set_up is not None, "missing": None if set_up is None else set_up.needed_for_dice}


FEATURE = Feature(
    "set_up",
    opened=_opened,
    routers=(api.router, calibrate.router, calibrate.page, pages.downloads, pages.papers, pages.router),
    context=_context,
    front=_front,
    folder=Path(__file__).parent,
)
