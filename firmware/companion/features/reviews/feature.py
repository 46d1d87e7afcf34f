"""Reviews and ratings as a feature of the program."""

from functools import partial
from pathlib import Path

from fastapi import Request

from companion.features.reviews.pages import read_ratings_of, router
from companion.features.reviews.reviewer import Reviewer
from companion.runtime.parts import ProgramPart
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.table import table_of


def _opened(table: TableParts) -> OpenedFeature:
    reviewer = Reviewer(table.data, table.games, table.host.feed, table.host.submit)
    return OpenedFeature((ProgramPart.of("reviews", reviewer),), (reviewer,))


def _context(request: Request) -> dict[str, object]:
    """Return whether games are reviewed, and the function that gives the ratings after the evening of a game."""
    reviewed = table_of(request).offered(Reviewer) is not None
    return {"reviewed": reviewed, "ratings_of": partial(read_ratings_of, request)}


FEATURE = Feature("reviews", opened=_opened, routers=(router,), context=_context, folder=Path(__file__).parent)
