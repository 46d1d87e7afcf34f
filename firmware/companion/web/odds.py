"""The coach over the API. Odds are in no view and in no stream: whoever may play asks for them here."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from pydantic import TypeAdapter

from companion.coach.coach import CoachLine
from companion.web.documentation import answer_of
from companion.web.guard.clients import require_trusted
from companion.web.language import words_of
from companion.web.schema import problem, problems
from companion.web.table import in_turn, table_of

router = APIRouter(prefix="/api/v1", responses=problems(421))
LINE = TypeAdapter(CoachLine)


@router.get(
    "/odds",
    responses={200: answer_of(CoachLine), **problems(403, 404)},
    dependencies=[Depends(require_trusted)],
)
async def read_odds(request: Request) -> Response:
    """Return the odds of this moment, with fair dice and best play of both sides. Only for people who may play.

    `seq` is the newest act that the answer is about: an answer about an older act than the one shown is to be dropped.
    """
    coach = table_of(request).coach
    if coach is None:
        return problem(404, words_of(request)("coach.none"))
    line = await in_turn(request, coach.line)
    return Response(LINE.dump_json(words_of(request).rendered(line)), media_type="application/json")
