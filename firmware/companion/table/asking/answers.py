"""The table of questions: who answers each with what, what follows, and what holding ROLL does to it.

What an answer means is defined in `QUESTIONS` and nowhere else; the table in docs/table.md is generated from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion.errors import RefusedError
from companion.table.asking.choices import choose
from companion.table.asking.losses import LOSSES
from companion.table.asking.manual_entry import face_answered, go_on
from companion.table.asking.menu import choose_item
from companion.table.lobby.lobby import close_lobby, open_lobby, play_again, start_from_lobby
from companion.table.state import questions
from companion.table.state.acts import Step, act, ask
from companion.table.state.history import last_undoable
from companion.table.state.state import TableState
from companion.table.throws import doubts
from companion.table.throws.selection import selection_of
from companion.table.throws.throws import check_throw, ignore_throw, throw, throw_after_silent_bank
from companion.table.throws.undo import correct_last, undo, void_throw
from companion.words import words
from farkle.game.commands import Roll
from farkle.game.machine import decide
from farkle.rules.dice import Faces


class OnHold(StrEnum):
    """What holding ROLL does while a question is open."""

    VOIDS = "voids the throw"
    CLOSES = "closes the question"
    UNDOES = "takes the last act off"


@dataclass(frozen=True)
class Closing:
    """What holding ROLL closes or voids before it undoes anything: the caption of the button, and the step."""

    caption: str
    step: Step


@dataclass(frozen=True)
class QuestionKind:
    """One kind of question: its name in the API, what holding ROLL does, what follows, and what each button answers.

    `follow` gets the state with the question closed, the question, the answer and the time. `correctable` tells
    whether the last throw may be corrected meanwhile. When it is asked is in the docstring of the question's class.
    """

    kind: str
    hold: OnHold
    follow: Callable[[TableState, Any, str, float], Step]
    keep: str
    roll: str
    bank: str = ""
    correctable: bool = False


def answer(state: TableState, given: str, now: float) -> Step:
    """Answer the open menu or question with one of its answers, word for word.

    Raises:
        RefusedError: if no question is open, or this is not one of its answers.
    """
    if state.menu is not None:
        return choose_item(state, state.menu, given, now)
    question = state.question
    if question is None:
        raise RefusedError(words("refused.no_question"))
    if given not in question.answers:
        raise RefusedError(words("refused.not_an_answer"))
    return kind_of(question).follow(replace(state, question=None), question, given, now)


def kind_of(question: questions.Question) -> QuestionKind:
    """Return the row of a question's kind."""
    return QUESTIONS[type(question)]


def _doubtful_throw(closed: TableState, question: questions.DoubtfulThrow, given: str, now: float) -> Step:
    if given == questions.THROW_AGAIN:
        return ignore_throw(closed)
    if given == questions.NO and question.die is not None:
        return ask(closed, doubts.next_likely_face(question, question.die))
    following = doubts.next_doubtful_die(question)
    return ask(closed, following) if following else _counts(closed, question.faces, question.kept, now)


def _counts(closed: TableState, faces: Faces, kept: Faces | None, now: float) -> Step:
    """Count a throw that the players confirm: the eye was right, so an ignored alarm was a false one."""
    return throw(replace(closed, confirm_readings=False), faces, selection_of(closed, kept), now)


def _which_set_aside(closed: TableState, question: questions.WhichSetAside, given: str, now: float) -> Step:
    if given == questions.THROW_AGAIN:
        return ignore_throw(closed)
    kept = question.choices[question.answers.index(given)]
    if not question.sure:
        return ask(closed, doubts.doubtful_throw(question.faces, kept))
    return _counts(closed, question.faces, kept, now)


def _just_thrown(closed: TableState, question: questions.JustThrown, given: str, now: float) -> Step:
    return _counts(closed, question.faces, question.kept, now) if given == questions.YES else ignore_throw(closed)


def _silent_bank(closed: TableState, question: questions.SilentBank, given: str, now: float) -> Step:
    if given == questions.NO:
        return ignore_throw(closed)
    return throw_after_silent_bank(closed, question.faces, now, sure=question.sure)


def _begins_with_these(closed: TableState, question: questions.BeginsWithThese, given: str, now: float) -> Step:
    if given == questions.NO:
        return ignore_throw(closed)
    return act(closed, decide(closed.current.game, Roll(question.faces)), now)


def _misread_throw(closed: TableState, question: questions.MisreadThrow, given: str, now: float) -> Step:
    match given:
        case questions.YES:
            return correct_last(closed, question.faces, now)
        case questions.NO:
            return ask(closed, doubts.next_misreading(question))
        case questions.IT_WAS_RIGHT:
            return Step(closed)
        case _:
            return void_throw(closed, now)


def _how_to_go_on(closed: TableState, question: questions.HowToGoOn, given: str, now: float) -> Step:  # noqa: ARG001
    return go_on(closed, given)


def _rematch(closed: TableState, question: questions.Rematch, given: str, now: float) -> Step:  # noqa: ARG001
    return play_again(closed, now) if given == questions.YES else Step(open_lobby(closed))


def _are_you_sure(closed: TableState, question: questions.AreYouSure, given: str, now: float) -> Step:
    if given == questions.GO_ON:
        return Step(replace(closed, question=question.covered))
    return LOSSES[question.item].do(closed, question.player, now)


def _throw_for_start(closed: TableState, question: questions.StartByThrows, given: str, now: float) -> Step:
    return start_from_lobby(closed, now, thrown_for=given == question.answers[0])


QUESTIONS: Mapping[type[questions.Question], QuestionKind] = {
    questions.DoubtfulThrow: QuestionKind(
        "doubt", OnHold.VOIDS, _doubtful_throw, "the throw counts as read", "the next likely face, or throw again"
    ),
    questions.WhichSetAside: QuestionKind("set aside", OnHold.VOIDS, _which_set_aside, "the likelier one", "the other"),
    questions.SilentBank: QuestionKind(
        "banked", OnHold.VOIDS, _silent_bank, "yes, and this is the next player's throw", "not counted"
    ),
    questions.JustThrown: QuestionKind("thrown", OnHold.VOIDS, _just_thrown, "yes: the throw counts", "not counted"),
    questions.BeginsWithThese: QuestionKind(
        "begins", OnHold.VOIDS, _begins_with_these, "yes: the player begins with this throw", "not counted"
    ),
    questions.MisreadThrow: QuestionKind(
        "fix", OnHold.CLOSES, _misread_throw, "the throw is corrected", "the next likely reading", "it was right", True
    ),
    questions.Bomb: QuestionKind("bomb", OnHold.UNDOES, choose, "its points", "swap pegs", correctable=True),
    questions.VantHof: QuestionKind(
        "vant_hof", OnHold.UNDOES, choose, "take their points", "leave them", correctable=True
    ),
    questions.Piggyback: QuestionKind(
        "piggyback", OnHold.UNDOES, choose, "take them over", "fresh dice", correctable=True
    ),
    questions.StartByThrows: QuestionKind(
        "starts", OnHold.CLOSES, _throw_for_start, "each player throws", "in the order as joined"
    ),
    questions.HowToGoOn: QuestionKind(
        "blind",
        OnHold.CLOSES,
        _how_to_go_on,
        keep="read anyway if it may be a false alarm; else count points",
        roll="count points; else enter the faces",
        bank="the third answer: wait, or enter the faces",
        correctable=True,
    ),
    questions.EnterFace: QuestionKind(
        "enter", OnHold.CLOSES, face_answered, "this face, and the next die", "another face"
    ),
    questions.Rematch: QuestionKind(
        "rematch", OnHold.CLOSES, _rematch, "the same players again", "the lobby", correctable=True
    ),
    questions.AreYouSure: QuestionKind(
        "sure", OnHold.CLOSES, _are_you_sure, "no: the game goes on", "yes: the item is done", correctable=True
    ),
}
"""Each kind of question."""


def correct(state: TableState, faces: Faces, now: float) -> Step:
    """Correct the doubtful throw that is asked about, or else the last throw that counts.

    Raises:
        RefusedError: if another question about a throw is open: the game does not have that throw yet.
    """
    question = state.question
    if question is None or kind_of(question).correctable:
        return correct_last(state, faces, now)
    if not isinstance(question, questions.DoubtfulThrow):
        raise RefusedError(words("refused.answer_first"))
    faces = check_throw(faces, len(question.faces))
    return _counts(replace(state, question=None), faces, question.kept, now)


def step_back(state: TableState, now: float) -> Step:
    """Close what is open, or take the last act off: what holding ROLL does."""
    closes = closing(state)
    return undo(state, now) if closes is None else closes.step


def step_back_caption(state: TableState) -> str:
    """Return what holding ROLL does, short, or nothing if it does nothing."""
    closes = closing(state)
    if closes is not None:
        return closes.caption
    return words("caption.undo") if last_undoable(state.history) is not None else ""


def closing(state: TableState) -> Closing | None:
    """Return what holding ROLL closes or voids, or None if it takes the last act off."""
    hold = kind_of(state.question).hold if state.question is not None else None
    if state.menu is not None:
        return Closing(words("menu.go_on"), Step(replace(state, menu=None)))
    if hold is OnHold.VOIDS or state.incomplete is not None:
        return Closing(words("caption.not_counted"), ignore_throw(replace(state, question=None)))
    if hold is OnHold.CLOSES:
        covered = state.question.covered if isinstance(state.question, questions.AreYouSure) else None
        return Closing(words("caption.close"), Step(replace(state, question=covered)))
    if state.lobby.open and state.play is not None:
        return Closing(words("caption.last_game"), Step(close_lobby(state)))
    return None
