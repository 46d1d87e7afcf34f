"""The place of a player: who acts in a turn when phones have taken places."""

from companion.errors import RefusedError
from companion.pairing.phones import Phone
from companion.table.state.inputs import (
    Answer,
    Button,
    ChooseSelection,
    CountPoints,
    EnterRoll,
    Gesture,
    Input,
    Press,
)
from companion.table.state.questions import GO_ON
from companion.table.view import View
from companion.words import message

OF_THE_TURN = (Press, ChooseSelection, EnterRoll, CountPoints, Answer)
"""What the player to move does. A correction, an undo or the pause menu is everybody's."""


def check_seat(phone: Phone, given: Input | None, view: View) -> None:
    """Check that a phone does not act in another's place.

    A question of the pause menu is answered by the phone that is asked; others may only go on with the game. A phone
    with a seat does not act in the turn of another player whose own phone shows the page. Phones without a seat may act
    in any turn. The buttons of the board do not pass through this check.

    Args:
        phone: the phone that acts.
        given: what it does; None throws simulated dice.
        view: the table.

    Raises:
        RefusedError: if the turn or the question belongs to another phone.
    """
    question = view.question
    if question is not None and question.by and isinstance(given, OF_THE_TURN):
        if phone.name != question.by and not _goes_on(given):
            raise RefusedError(message("refused.asked_on", name=question.by))
        return
    if not phone.seat or phone.seat == view.to_move or not isinstance(given, (*OF_THE_TURN, type(None))):
        return
    if question is not None and question.kind == "menu":
        return
    if any(player.phones for player in view.players if player.name == view.to_move):
        raise RefusedError(message("refused.turn_of", name=view.to_move))


def _goes_on(given: Input) -> bool:
    if isinstance(given, Press):
        return (given.button, given.gesture) == (Button.KEEP, Gesture.TAP)
    return isinstance(given, Answer) and given.answer == GO_ON.id
