"""The process that reviews one game: a job on standard input, shares of the work and the result on standard output.

numpy and the tables of odds are loaded in the process, not in the table's, and the work has the lowest priority. The
table speaks the same JSON, and keeps the result.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from companion.odds.game_review import GameReview, review_of
from companion.odds.kept_tables import is_at_hand, table_of
from companion.odds.live_odds import IDLE_PRIORITY
from companion.storage.codec import decode
from farkle.errors import FarkleError
from farkle.game.events import Event
from farkle.game.evolve import fold
from farkle.odds.game.answers import GameOdds
from farkle.rules.ruleset import RuleSet

SOLVING = 0.9
"""The share of the work that solving a game counts for, where it must be solved."""

SHARE_STEP = 0.01
"""The least progress that is worth a line."""


@dataclass(frozen=True)
class ReviewJob:
    """A game to review: its effective events as kind, schema and body, and the folder of solved games.

    Without `may_solve` a game whose odds are not at hand is put off.
    """

    events: list[tuple[str, int, str]]
    folder: str
    may_solve: bool


@dataclass(frozen=True)
class Reviewed:
    """The result: a review, or the reason why there is none."""

    review: GameReview | None = None
    reason: str = ""


@dataclass(frozen=True)
class ReviewLine:
    """One line of the process: the share of the work that is done, and last the result; `put_off` for later."""

    share: float = 0.0
    result: Reviewed | None = None
    put_off: bool = False


JOB = TypeAdapter(ReviewJob)
LINE = TypeAdapter(ReviewLine)
REVIEWED = TypeAdapter(Reviewed)


def main() -> None:
    """Review the game of the job on standard input."""
    os.nice(IDLE_PRIORITY)
    job = JOB.validate_json(sys.stdin.read())
    _say(_reviewed(job))


def _reviewed(job: ReviewJob) -> ReviewLine:
    events = tuple(event for event in (decode(*each) for each in job.events) if isinstance(event, Event))
    start, folder = fold(events[:1]), Path(job.folder)
    solved = is_at_hand(start.rules, folder)
    if not solved and not job.may_solve:
        return ReviewLine(put_off=True)
    begins = 0.0 if solved else SOLVING
    said = -1.0

    def tell(share: float) -> None:
        nonlocal said
        if share >= said + SHARE_STEP:
            said = share
            _say(ReviewLine(share))

    def odds(rules: RuleSet) -> GameOdds:
        return GameOdds(table_of(rules, folder, lambda share: tell(SOLVING * share)))

    try:
        found = review_of(events, odds, lambda share: tell(begins + (1 - begins) * share))
    except FarkleError as error:
        return ReviewLine(1.0, Reviewed(reason=str(error)))
    return ReviewLine(1.0, Reviewed(found))


def _say(line: ReviewLine) -> None:
    sys.stdout.buffer.write(LINE.dump_json(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
