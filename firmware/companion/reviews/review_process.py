"""The process that reviews one game: a job on standard input, shares of the work and the result on standard output.

numpy and the tables of odds are loaded here and not in the table's process, and the work has the lowest priority.
"""

import os
import sys
from pathlib import Path

from companion.odds.kept_tables import game_odds, is_at_hand
from companion.odds.live_odds import IDLE_PRIORITY
from companion.reviews.game_review import review_of
from companion.reviews.reviewed import JOB, LINE, SHARE_STEP, Reviewed, ReviewJob, ReviewLine
from companion.storage.codec import decode
from farkle.errors import FarkleError
from farkle.game.events import Event
from farkle.game.evolve import fold
from farkle.odds.game.answers import GameOdds

SOLVING = 0.9
"""The share of the work that solving a game counts for, where it must be solved."""


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

    def odds(sides: int) -> GameOdds:
        return game_odds(start.rules, sides, folder, lambda share: tell(SOLVING * share))

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
