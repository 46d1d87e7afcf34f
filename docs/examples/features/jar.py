"""A jar at the table: each farkle of a game puts a coin into it, until somebody empties it."""

from dataclasses import dataclass

from fastapi import APIRouter

from companion.table.feature import TableFeature
from companion.table.state.acts import act_aside
from companion.table.state.events import Aside
from companion.table.state.inputs import PageInput
from companion.table.state.state import TableState
from companion.web.feature import Feature
from companion.web.writes import add_write
from farkle.game.events import Farkled


@dataclass(frozen=True)
class JarEmptied(Aside, of="jar"):  # in the journal: jar.JarEmptied
    """The jar was emptied after so many farkles of the game."""

    farkles: int


class EmptyJar(PageInput):
    """Somebody empties the jar."""


@dataclass(frozen=True)
class JarShown:
    """The jar."""

    coins: int
    """How many coins are in the jar."""


def farkles(state: TableState) -> int:
    return sum(isinstance(event, Farkled) for act in state.effective for event in act.events)


def shown(state: TableState) -> JarShown:
    emptied = state.play.last(JarEmptied) if state.play else None
    return JarShown(farkles(state) - (emptied.farkles if emptied else 0))


empty = {EmptyJar: lambda state, _given, _now: act_aside(state, JarEmptied(farkles(state)))}
router = APIRouter(prefix="/api/v1")
add_write(router, "/jar/empty", EmptyJar)
FEATURE = Feature("jar", TableFeature("jar", handlers=empty, part=JarShown, shown=shown), routers=(router,))
