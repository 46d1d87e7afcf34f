"""The coach as a feature of the program, and its part of the API.

Odds are in no view and in no stream: whoever may play asks for them here.
"""

from pathlib import Path

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from companion.config import Config
from companion.features.coach.coach import Coach, CoachLine
from companion.features.coach.table import COACH, CoachNote, parts_named
from companion.features.coach.table_coach import TableCoach
from companion.runtime.parts import ProgramPart
from companion.table.state.state import TableState
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.guard.clients import require_trusted, words_of
from companion.web.schema import answer_of, json_answer, problem, problems
from companion.web.table import in_turn, table_of

router = APIRouter(prefix="/api/v1", responses=problems(421))


@router.get(
    "/odds",
    responses={200: answer_of(CoachLine), **problems(403, 404)},
    dependencies=[Depends(require_trusted)],
)
@in_turn()
def read_odds(request: Request) -> Response:
    """Return the odds of this moment, with fair dice and best play of both sides. Only for people who may play.

    `seq` is the newest act that the answer is about: an answer about an older act than the one shown is to be dropped.
    """
    coach = table_of(request).offered(Coach)
    if coach is None:
        return problem(404, words_of(request)("coach.none"))
    return json_answer(request, coach.line())


def _begins(state: TableState, config: Config, _: Path) -> TableState:
    return state.with_note(CoachNote(parts_named(config.table.coach)))


def _opened(table: TableParts) -> OpenedFeature:
    coach = Coach(lambda: table.host.state, table.odds)
    speaks = TableCoach(table.host, coach, answer=table.answer, tell=table.tell, speed=table.speed)
    return OpenedFeature((ProgramPart.of("coach", speaks),), (coach,), speaks.better)


FEATURE = Feature("coach", COACH, begins=_begins, opened=_opened, routers=(router,), folder=Path(__file__).parent)
