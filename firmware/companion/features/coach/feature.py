"""The coach as a feature of the program."""

from pathlib import Path

from companion.config import Config
from companion.features.coach.api import router
from companion.features.coach.coach import Coach
from companion.features.coach.table import COACH, CoachNote, parts_named
from companion.features.coach.table_coach import TableCoach
from companion.runtime.parts import ProgramPart
from companion.table.state.state import TableState
from companion.web.feature import Feature, OpenedFeature, TableParts


def _begins(state: TableState, config: Config, _: Path) -> TableState:
    return state.with_note(CoachNote(parts_named(config.table.coach)))


def _opened(table: TableParts) -> OpenedFeature:
    coach = Coach(lambda: table.host.state, table.odds)
    speaks = TableCoach(table.host, coach, answer=table.answer, tell=table.tell, speed=table.speed)
    return OpenedFeature((ProgramPart.of("coach", speaks),), (coach,), speaks.better)


FEATURE = Feature("coach", COACH, begins=_begins, opened=_opened, routers=(router,), folder=Path(__file__).parent)
