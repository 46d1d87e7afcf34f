"""The tournament as a feature of the program."""

from pathlib import Path

from fastapi import Request

from companion.features.tournament.pages import router
from companion.features.tournament.table import TOURNAMENT
from companion.features.tournament.table.shown import TournamentShown
from companion.web.feature import Feature
from companion.web.table import table_of


def _context(request: Request) -> dict[str, object]:
    """Return whether the table plays a tournament."""
    view = table_of(request).feed.latest.view
    return {"in_tournament": isinstance(view, TournamentShown) and bool(view.tournament)}


FEATURE = Feature("tournament", TOURNAMENT, routers=(router,), context=_context, folder=Path(__file__).parent)
