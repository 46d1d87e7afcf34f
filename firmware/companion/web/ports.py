"""What the web needs of the rest: the table to ask, pictures to show, and on the desk hands that throw."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from fastapi import Request

from companion.calibration.session import CalibrationSession
from companion.games.repository import GameRepository
from companion.runtime.feed import Feed
from companion.table.inputs import Input
from companion.table.view import View
from farkle.rules.ruleset import RuleSet
from pegboard.buttons.port import Timing
from pegboard.layouts import Layout


class Submit(Protocol):
    """The host's inbox."""

    def __call__(self, given: Input, expected_seq: int | None = None) -> "Future[View]":
        """Put an input in; the answer is the view after it."""


class Desk(Protocol):
    """The hands of a table on a desk. Both raise `RefusedError`, and `BusyError` while dice move."""

    def throw(self, faces: tuple[int, ...] | None) -> None:
        """Slide what was chosen to the shelf, then throw the dice that are to be thrown; None leaves them to chance."""

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf, by their index in the last throw."""


class Pictures(Protocol):
    """The eye's pictures, as JPEG."""

    def preview(self) -> bytes | None:
        """The tray as it looks now."""

    def picture(self, number: int) -> bytes | None:
        """The still of an observation, None where it is no longer kept."""


@dataclass(frozen=True)
class WebTable:
    """One table as the web sees it. `writes` is the configuration's `web.writes`, `rules` gives the newest game's.

    `games` are those that the journal keeps. `calibrator` is there where a camera can be calibrated. `board` is the
    layout that the table is built as; None leaves it to the page. A press of `hold_s` on the page is a hold.
    """

    submit: Submit
    feed: Feed
    pictures: Pictures
    notation: Callable[[], str]
    rules: Callable[[], RuleSet | None]
    simulated: bool
    desk: Desk | None
    games: GameRepository
    calibrator: CalibrationSession | None = None
    writes: str = "off"
    host: str = "127.0.0.1"
    board: Layout | None = None
    hold_s: float = Timing.hold_s


def table_of(request: Request) -> WebTable:
    """The table that a request asks."""
    table = request.app.state.table
    assert isinstance(table, WebTable)
    return table
