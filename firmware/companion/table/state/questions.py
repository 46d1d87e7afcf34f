"""The questions that the table asks: one class a kind, with the data that its answer needs and the words that ask it.

`companion.table.asking.answers.QUESTIONS` says what each kind is about and what follows from an answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from companion.table.state.draft import GameDraft
from companion.table.state.inputs import Input
from companion.words import Message, Text, english, message
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection


@dataclass(frozen=True)
class Option:
    """An answer to a question, or an entry of a menu: its name for programs, and its words."""

    id: str
    words: Text


AnOption = TypeVar("AnOption", bound=Option)


def answer_option(name: str, key: str = "", /, **fields: object) -> Option:
    """Return the answer of this name; its words are those of `key`, or of the name, in the section [answer]."""
    return Option(name, message(f"answer.{key or name}", **fields))


def find_option(options: Sequence[AnOption], given: str) -> AnOption | None:
    """Return the option of this name, which may have spaces for `_`, or in these English words; None if none has."""
    named = (each for each in options if given in (each.id, each.id.replace("_", " ")))
    said = (each for each in options if english().text(each.words) == given)
    return next(named, None) or next(said, None)


YES, NO = answer_option("yes"), answer_option("no")
THROW_AGAIN, IT_WAS_RIGHT = answer_option("throw_again"), answer_option("it_was_right")
READ_ANYWAY, COUNT_POINTS = answer_option("read_anyway"), answer_option("count_points")
ENTER_FACES, WAIT = answer_option("enter_faces"), answer_option("wait")
GO_ON = answer_option("go_on")


@dataclass(frozen=True)
class Question:
    """An open question.

    KEEP gives the first answer, ROLL the second, BANK the one at index `bank`. A question about one die names it by
    its index `die` in `faces`.
    """

    asks: Message
    answers: tuple[Option, ...] = (YES, NO)
    bank: int | None = None
    faces: Faces = ()
    die: int | None = None


@dataclass(frozen=True)
class DoubtfulThrow(Question):
    """Are these the faces of the throw?

    Asked when thrown dice are in doubt (up to three: one by one), or players have ignored a camera alarm.
    `kept` was set aside before the throw, `others` are the indices of the doubtful dice to ask about next, and `tried`
    are the faces of the present die that were denied.
    """

    kept: Faces | None = None
    others: tuple[int, ...] = ()
    tried: Faces = ()


@dataclass(frozen=True)
class WhichSetAside(Question):
    """Which of these dice were set aside before the throw?

    Asked when several selections fit. `sure` tells whether the faces of the throw are sure.
    """

    choices: tuple[Faces, ...] = ()
    sure: bool = True


@dataclass(frozen=True)
class JustThrown(Question):
    """Were these dice thrown just now?

    Asked when a first picture differs from the tray as it was last seen. `kept` was set aside before.
    """

    kept: Faces | None = None


@dataclass(frozen=True)
class SilentBank(Question):
    """Did the player bank without a press?

    Asked when six dice were thrown while fewer were expected, and the turn could be banked. The faces are then the next
    player's throw.
    """

    sure: bool = True


@dataclass(frozen=True)
class BeginsWithThese(Question):
    """Does the player begin with these dice?

    Asked when a player threw all dice while fewer are thrown for who begins.
    """


@dataclass(frozen=True)
class MisreadThrow(Question):
    """Was the last throw misread?

    Asked when KEEP was held. `faces` are the reading offered now, `was` the present one, `others` come next.
    """

    was: Faces = ()
    others: tuple[Faces, ...] = ()


@dataclass(frozen=True)
class Rematch(Question):
    """Another game with the same players?

    Asked when BANK was pressed after the end of a game.
    """

    answers: tuple[Option, ...] = (YES, answer_option("change_game"))


@dataclass(frozen=True)
class CountedFarkle(Question):
    """Was the throw a farkle?

    Asked when ROLL was pressed while the players count points.
    """

    answers: tuple[Option, ...] = (NO, YES)


@dataclass(frozen=True)
class StartByThrows(Question):
    """Throw for who begins?

    Asked when BANK was pressed in the lobby.
    """

    asks: Message = message("question.who_begins")


@dataclass(frozen=True)
class OtherSettings(Question):
    """Is the game played with the settings of the package?

    Asked when the machine's own configuration cannot be used and a game is to begin, `game`, or at the start without a
    game under way.
    """

    asks: Message = message("question.other_settings")
    game: GameDraft | None = None


@dataclass(frozen=True)
class AreYouSure(Question):
    """Is an input wanted that loses something?

    Asked when such an entry of the pause menu was chosen. The question that was open before, `covered`, is open again
    if the game goes on. `by` is the name of the phone on which it was chosen; empty if it was chosen at the table.
    """

    wanted: Input = field(default_factory=Input)
    by: str = ""
    covered: Question | None = None


@dataclass(frozen=True)
class HowToGoOn(Question):
    """How does the game go on while the table cannot see its dice?

    Asked when the camera has not seen the tray for a while, or the dice do not come to rest.
    """

    bank: int | None = 2


@dataclass(frozen=True)
class EnterFace(Question):
    """Is this the next face?

    Asked when players enter the faces of a throw of `count` dice.
    """

    count: int = 0


@dataclass(frozen=True)
class Bomb(Question):
    """Take the points of a Bomb, or swap pegs?

    Asked when a Bomb was thrown, made of the dice `kept`.
    """

    kept: Faces = ()


@dataclass(frozen=True)
class VantHof(Question):
    """Take the points of Van't Hof's six ones?

    Asked when six ones came in one turn, with the dice `kept`.
    """

    kept: Faces = ()


@dataclass(frozen=True)
class Piggyback(Question):
    """Take over the dice and points that the player before left, or throw fresh dice?

    Asked when the player before left dice and points.
    """

    answers: tuple[Option, ...] = (answer_option("take_over"), answer_option("fresh_dice"))


Choice = Bomb | VantHof | Piggyback
"""The questions about a choice that the rules leave open; the next throw or BANK may answer them, too."""


def which_set_aside(choices: Sequence[Selection], faces: Faces, *, missing: int, sure: bool) -> Question:
    """Return the question which dice were set aside, with the two likeliest selections as its answers.

    Args:
        choices: The selections that fit the throw, likeliest first.
        faces: The faces of the throw.
        missing: How many dice may have left the tray instead.
        sure: Whether the faces are sure.
    """
    best = choices[:2]
    answers = tuple(
        Option(f"keep {spaced(each.dice)}", message("answer.selection", dice=each.dice, points=each.points))
        for each in best
    )
    asks = message("question.which_set_aside")
    if missing:
        asks = message("question.which_or_missing", missing=missing)
    dice = tuple(each.dice for each in best)
    return WhichSetAside(asks, (*answers, THROW_AGAIN), faces=faces, choices=dice, sure=sure)


def enter_face(before: Faces, count: int, face: int) -> Question:
    """Return the question whether `face` is the next of `count` faces that are entered, after those `before`."""
    faces = (*before, face)
    asks = message("question.enter_face", number=len(faces), count=count, face=face)
    return EnterFace(asks, (YES, NO, WAIT), faces=faces, die=len(before), count=count)
