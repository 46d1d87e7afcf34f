"""The coach as a feature of the program."""

from companion.config import Config
from companion.features.coach.api import router
from companion.features.coach.coach import Coach
from companion.features.coach.table import COACH, CoachNote, parts_named
from companion.features.coach.table_coach import TableCoach
from companion.runtime.parts import ProgramPart
from companion.web.feature import Feature, OpenedFeature, TableParts


def _note(config: Config) -> CoachNote:
    return CoachNote(parts_named(config.table.coach))


def _opened(table: TableParts) -> OpenedFeature:
    coach = Coach(lambda: table.host.state, table.odds)
    speaks = TableCoach(table.host, coach, answer=table.answer, tell=table.tell, speed=table.speed)
    return OpenedFeature((ProgramPart.of("coach", speaks),), (coach,), speaks.better)


FEATURE = Feature("coach", COACH, note=_note, opened=_opened, routers=(router,))
