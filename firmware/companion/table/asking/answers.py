"""The table of questions: what each button answers, what follows, and what holding ROLL does.

A choice that the rules leave open need not be made: the next throw or BANK takes what happens anyway. The table asks
once, when the throw that opens the choice has settled or the turn has passed.

What an answer means is defined in `QUESTIONS` and nowhere else; the table in docs/table.md is generated from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion.errors import RefusedError
from companion.table.asking.manual_entry import face_answered, farkle_answered, go_on
from companion.table.asking.menu import choose_item
from companion.table.lobby.lobby import close_lobby, new_game, next_game, open_lobby, settings_answered, start_answered
from companion.table.state import questions
from companion.table.state.acts import GivenAnswer, Handlers, Step, act, ask, carry_out
from companion.table.state.events import SelectionChosen
from companion.table.state.history import last_undoable
from companion.table.state.inputs import Answer, CorrectRoll, Undo
from companion.table.state.state import TableState
from companion.table.throws import doubts
from companion.table.throws.selection import selection_of
from companion.table.throws.throws import check_throw, ignore_throw, throw, throw_after_silent_bank
from companion.table.throws.undo import correct_last, next_misreading, undo
from companion.words import NOTHING, Text, message
from farkle.game.choices import open_choice, swap_partners
from farkle.game.commands import Choose, Keep, Roll
from farkle.game.events import DiceRolled, StandingGiven, TurnPassed
from farkle.game.machine import course_of
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase
from farkle.game.turn import offered
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection


class OnHold(StrEnum):
    """What holding ROLL does while a question is open."""

    VOIDS = "voids the throw"
    CLOSES = "closes the question"
    UNDOES = "takes the last act off"


@dataclass(frozen=True)
class Closing:
    """What holding ROLL closes or voids before it undoes anything: the caption of the button, and the step."""

    caption: Text
    step: Step


@dataclass(frozen=True)
class QuestionKind:
    """One kind of question: its name in the API, what holding ROLL does, what follows, and what each button answers.

    Where holding ROLL voids the throw, the last answer voids it, too. `blocks`: the last throw may not be corrected
    meanwhile, as where a throw may be voided. The docstring of the question's class says when the table asks it.
    """

    kind: str
    hold: OnHold
    follow: Callable[[GivenAnswer[Any]], Step]
    keep: str
    roll: str
    bank: str = ""
    blocks: bool = False


def answer(state: TableState, given: str, now: float) -> Step:
    """Answer the open menu or question with one of its answers, by its id or in its English words.

    Raises:
        RefusedError: if no question is open, or this is not one of its answers.
    """
    if state.menu is not None:
        return choose_item(state, state.menu, given)
    question = state.question
    if question is None:
        raise RefusedError(message("refused.no_question"))
    option = questions.find_option(question.answers, given)
    if option is None:
        raise RefusedError(message("refused.not_an_answer"))
    kind, closed = kind_of(question), replace(state, question=None)
    if kind.hold is OnHold.VOIDS and option == question.answers[-1]:
        return ignore_throw(closed)
    return kind.follow(GivenAnswer(closed, question, option, now))


def kind_of(question: questions.Question) -> QuestionKind:
    """Return the row of a question's kind."""
    return QUESTIONS[type(question)]


def _doubtful_throw(given: GivenAnswer[questions.DoubtfulThrow]) -> Step:
    question = given.question
    if given.answer == questions.NO and question.die is not None:
        return ask(given.state, doubts.next_likely_face(question, question.die))
    following = doubts.next_doubtful_die(question)
    return ask(given.state, following) if following else _counts(given, question.kept)


def _counts(given: GivenAnswer[questions.Question], kept: Faces | None) -> Step:
    """Count a throw that the players confirm: the eye was right, so an ignored alarm was a false one."""
    state = replace(given.state, confirm_readings=False)
    return throw(state, given.question.faces, selection_of(state, kept), given.now)


def _which_set_aside(given: GivenAnswer[questions.WhichSetAside]) -> Step:
    question = given.question
    kept = question.choices[question.answers.index(given.answer)]
    return _counts(given, kept) if question.sure else ask(given.state, doubts.doubtful_throw(question.faces, kept))


def _misread_throw(given: GivenAnswer[questions.MisreadThrow]) -> Step:
    match given.answer:
        case questions.YES:
            return correct_last(given.state, given.question.faces, given.now)
        case questions.NO:
            return ask(given.state, next_misreading(given.question))
        case questions.IT_WAS_RIGHT:
            return Step(given.state)
        case _:
            return undo(given.state, given.now)  # offered while the throw is the newest act


def _rematch(given: GivenAnswer[questions.Rematch]) -> Step:
    if given.answer != questions.YES:
        return Step(open_lobby(given.state))
    return new_game(given.state, next_game(given.state).draft, given.now)


def _are_you_sure(given: GivenAnswer[questions.AreYouSure]) -> Step:
    if given.answer == questions.GO_ON:
        return Step(replace(given.state, question=given.question.covered))
    return Step(given.state, then=given.question.wanted)


def choice_question(state: TableState) -> questions.Question | None:
    """Return the question about the choice that the newest act leaves open, or None."""
    if state.play is None or state.play.game.over:
        return None
    game = state.play.game
    newest = {type(event) for event in state.play.act.game_events}
    if game.phase is Phase.TO_THROW and newest & {TurnPassed, StandingGiven}:
        left = game.left_over
        if open_choice(game) is None or left is None:
            return None
        name = game.players[game.to_move]
        return questions.Piggyback(message("question.piggyback", name=name, dice=left.dice, points=left.points))
    if game.phase is Phase.CHOOSING and DiceRolled in newest:
        for selection in offered(game):
            if (question := _question_after(course_of(game, Keep(selection.dice)).state, selection)) is not None:
                return question
    return None


def _question_after(kept: GameState, selection: Selection) -> questions.Question | None:
    """Return the question about the choice that is open after this selection was kept, or None."""
    choice = open_choice(kept)
    if choice is None:
        return None
    if choice.kind == "bomb":
        others = [side_name(kept, side) for side in swap_partners(kept)]
        swaps = [questions.Option(f"swap {name}", message("answer.swap", name=name)) for name in others]
        answers = (questions.answer_option("points", points=selection.points), *swaps)
        return questions.Bomb(message("question.bomb", points=selection.points), answers, kept=selection.dice)
    asks = message("question.van_t_hof", points=kept.rules.vant_hof, instead=kept.turn.ones_points)
    return questions.VantHof(asks, kept=selection.dice)


def choice_answered(given: GivenAnswer[questions.Choice]) -> Step:
    """Add the act of an answer: a choice made, or the selection that stands without it."""
    state, now = given.state, given.now
    game = state.current.game
    place = given.question.answers.index(given.answer)
    match given.question:
        case questions.Piggyback():
            return carry_out(state, Choose("piggyback" if place == 0 else "fresh"), now)
        case questions.Bomb(kept=dice) if place > 0:
            chosen = Choose("swap", swap_partners(course_of(game, Keep(dice)).state)[place - 1])
        case questions.VantHof(kept=dice) if place == 0:
            chosen = Choose("vant-hof", None)
        case questions.Bomb(kept=dice) | questions.VantHof(kept=dice):
            kept = find_selection(game.rules, game.turn.roll, dice)
            return act(state, (SelectionChosen(kept.dice, kept.points),), now)
    return act(state, course_of(game, Keep(dice), chosen).events, now)


QUESTIONS: Mapping[type[questions.Question], QuestionKind] = {
    questions.DoubtfulThrow: QuestionKind(
        "doubt", OnHold.VOIDS, _doubtful_throw, "the throw counts as read", "the next likely face, or throw again"
    ),
    questions.WhichSetAside: QuestionKind("set aside", OnHold.VOIDS, _which_set_aside, "the likelier one", "the other"),
    questions.SilentBank: QuestionKind(
        "banked",
        OnHold.VOIDS,
        lambda given: throw_after_silent_bank(given.state, given.question.faces, given.now, sure=given.question.sure),
        "yes, and this is the next player's throw",
        "not counted",
    ),
    questions.JustThrown: QuestionKind(
        "thrown",
        OnHold.VOIDS,
        lambda given: _counts(given, given.question.kept),
        "yes: the throw counts",
        "not counted",
    ),
    questions.BeginsWithThese: QuestionKind(
        "begins",
        OnHold.VOIDS,
        lambda given: carry_out(given.state, Roll(given.question.faces), given.now),
        "yes: the player begins with this throw",
        "not counted",
    ),
    questions.MisreadThrow: QuestionKind(
        "fix", OnHold.CLOSES, _misread_throw, "the throw is corrected", "the next likely reading", "it was right"
    ),
    questions.Bomb: QuestionKind("bomb", OnHold.UNDOES, choice_answered, "its points", "swap pegs"),
    questions.VantHof: QuestionKind("vant_hof", OnHold.UNDOES, choice_answered, "take their points", "leave them"),
    questions.Piggyback: QuestionKind("piggyback", OnHold.UNDOES, choice_answered, "take them over", "fresh dice"),
    questions.StartByThrows: QuestionKind(
        "starts", OnHold.CLOSES, start_answered, "each player throws", "in the order as joined", blocks=True
    ),
    questions.OtherSettings: QuestionKind(
        "settings", OnHold.CLOSES, settings_answered, "yes: the game begins", "no: nothing begins"
    ),
    questions.HowToGoOn: QuestionKind(
        "blind",
        OnHold.CLOSES,
        go_on,
        "read anyway if it may be a false alarm; else count points",
        "count points; else enter the faces",
        "the third answer: wait, or enter the faces",
    ),
    questions.EnterFace: QuestionKind(
        "enter", OnHold.CLOSES, face_answered, "this face, and the next die", "another face", blocks=True
    ),
    questions.CountedFarkle: QuestionKind(
        "farkle", OnHold.CLOSES, farkle_answered, "no: the players count on", "yes: a farkle"
    ),
    questions.Rematch: QuestionKind("rematch", OnHold.CLOSES, _rematch, "the next game", "the lobby"),
    questions.AreYouSure: QuestionKind(
        "sure", OnHold.CLOSES, _are_you_sure, "no: the game goes on", "yes: the item is done"
    ),
}
"""Each kind of question."""


def correct(state: TableState, faces: Faces, now: float) -> Step:
    """Correct the doubtful throw that is asked about, or else the last throw that counts.

    Raises:
        RefusedError: if another question about a throw is open: the game does not have that throw yet.
    """
    question = state.question
    kind = None if question is None else kind_of(question)
    if kind is None or not (kind.blocks or kind.hold is OnHold.VOIDS):
        return correct_last(state, faces, now)
    if not isinstance(question, questions.DoubtfulThrow):
        raise RefusedError(message("refused.answer_first"))
    corrected = replace(question, faces=check_throw(faces, len(question.faces)))
    return _counts(GivenAnswer(replace(state, question=None), corrected, questions.YES, now), question.kept)


def step_back(state: TableState, now: float) -> Step:
    """Close what is open, or take the last act off: what holding ROLL does."""
    closes = closing(state)
    return undo(state, now) if closes is None else closes.step


def step_back_caption(state: TableState) -> Text:
    """Return what holding ROLL does, short, or nothing if it does nothing."""
    closes = closing(state)
    if closes is not None:
        return closes.caption
    undoable = last_undoable(state.history) is not None
    return message("caption.undo") if undoable else NOTHING


def closing(state: TableState) -> Closing | None:
    """Return what holding ROLL closes or voids, or None if it takes the last act off."""
    hold = kind_of(state.question).hold if state.question is not None else None
    if state.menu is not None:
        return Closing(message("menu.go_on"), Step(replace(state, menu=None)))
    if hold is OnHold.VOIDS or state.incomplete is not None:
        return Closing(message("caption.not_counted"), ignore_throw(replace(state, question=None)))
    if hold is OnHold.CLOSES:
        covered = state.question.covered if isinstance(state.question, questions.AreYouSure) else None
        return Closing(message("caption.close"), Step(replace(state, question=covered)))
    if state.lobby.open and state.play is not None:
        return Closing(message("caption.last_game"), Step(close_lobby(state)))
    return None


HANDLERS: Handlers = {
    Answer: lambda state, given, now: answer(state, given.answer, now),
    CorrectRoll: lambda state, given, now: correct(state, given.faces, now),
    Undo: lambda state, _, now: step_back(state, now),
}
