"""The captions of the buttons: what a press does now, in a few words. `PRESSES` names one for each of its rows.

A caption is made from what decides the press itself, and is empty where the press would be refused. The tests walk all
states and compare each caption with what the press does.
"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.errors import RefusedError
from companion.table.asking.manual_entry import dice_to_enter, points_a_step
from companion.table.buttons.modes import Situation
from companion.table.state.questions import Question
from companion.table.state.seen import ManualEntry
from companion.table.throws.selection import as_journalled, next_suggestion
from companion.words import NOTHING, Text, in_form, message
from farkle.game.events import TurnBanked

Caption = Callable[[Situation], Text]


@dataclass(frozen=True)
class CaptionView:
    """What one button does now, in at most 24 characters."""

    tap: Text
    """What a tap does; empty if it does nothing."""
    hold: Text
    """What a hold does; empty if it does nothing."""


def of_answer(place: Callable[[Question], int | None]) -> Caption:
    """Return the caption of a press that gives the answer at `place` of the open question: that answer."""

    def answer(at: Situation) -> Text:
        question = at.state.question
        index = None if question is None else place(question)
        if question is None or index is None:
            return NOTHING
        return in_form(question.answers[index].words, "caption")

    return answer


def of_steps(steps: int) -> Caption:
    """Return the caption of a press that counts `steps` steps of points: `+1`, or `-500`."""
    return lambda at: message("caption.steps", points=steps * points_a_step(at.state))


def of_keep(at: Situation) -> Text:
    """Return what KEEP does in a turn."""
    if at.state.bot_waits:
        return message("caption.bot_goes_on")
    if as_journalled(at.state):
        return message("caption.as_it_lies")
    if at.turn.set_aside:
        return message("caption.say_aside")
    suggested = next_suggestion(at.turn, at.state.current.chosen)
    if suggested is None:
        return message("caption.say_points")
    return message("caption.best" if suggested == at.turn.selections[0] else "caption.next_best")


def of_ready(at: Situation) -> Text:
    """Return what ROLL does in a turn."""
    if at.state.manual is not ManualEntry.FACES:
        return message("caption.dice_due")
    try:
        dice_to_enter(at.state, at.turn)
    except RefusedError:
        return NOTHING
    return message("caption.enter")


def of_bank(at: Situation) -> Text:
    """Return what BANK does in a turn: it banks points, or ends a turn that brings its player no points."""
    points = next((event.points for event in at.turn.banking if isinstance(event, TurnBanked)), 0)
    return message("caption.bank", points=points) if points else message("caption.end_turn")
