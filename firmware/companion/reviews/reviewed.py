"""What the table and the process that reviews a game say to each other, and what is kept of a review: all as JSON."""

from dataclasses import dataclass

from pydantic import TypeAdapter

from companion.reviews.game_review import GameReview

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
